//! One prompt, and one round: the reply, its calls with their results, the hooks, the counter, the reminder.

use super::call::Call;
use super::shared::{Fold, LongText, Same};
use super::state::{Action, ContextValue, use_page};
use super::text::Text;
use crate::agent::{Ending, Outcome, Phase, Step};
use crate::fault::Fault;
use crate::message::{Block, Json, ToolCall};
use crate::runtime::Command;
use crate::runtime::shell::Running;
use crate::timeline::{Cursor, Stop};
use crate::wire::draft::Draft;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The stops of this round.
    pub(super) stops: Vec<Same<Stop>>,
    /// The place of the first.
    pub(super) at: usize,
    /// What is being written, in the round that is under way.
    #[prop_or_default]
    pub(super) draft: Option<Draft>,
    /// What the command that is being run has told so far.
    #[prop_or_default]
    pub(super) told: Option<Rc<Running>>,
    /// Whether an answer is awaited.
    #[prop_or_default]
    pub(super) awaiting: bool,
    /// Whether the run stands still at this round's fault.
    #[prop_or_default]
    pub(super) stopped: bool,
}

/// A turn's prompt, as it was stored.
pub(super) fn prompt(turn: u32, stops: &[Same<Stop>], page: &ContextValue) -> Html {
    let text = page.text;
    let prompt = stops.iter().find_map(|stop| match &stop.step {
        Step::Prompt { text } => Some(text.clone()),
        _ => None,
    });
    html! {
        <article key={format!("turn {turn}")} class="turn">
            if turn > 0 { <h3>{ (text.turn)(turn) }</h3> }
            if let Some(prompt) = prompt { <p class="prompt">{ prompt }</p> }
            { hooks(stops, text) }
            { for stops.iter().map(|stop| outcome(stop, false, page)) }
        </article>
    }
}

/// One round.
#[component]
pub(super) fn Round(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let round = props.stops.first().map_or(0, |stop| stop.round);
    let reply = props.stops.iter().find(|stop| matches!(stop.step, Step::Reply { .. }));
    let go = {
        let (page, at) = (page.clone(), props.at);
        move |_| page.go(Cursor::At(at))
    };
    html! {
        <article class="round" data-round={round.to_string()}>
            <h3><button type="button" class="link" onclick={go} title={text.go_to_round}>{ (text.round)(round) }</button></h3>
            if let Some(reply) = reply { { blocks(reply, props) } }
            if let Some(draft) = &props.draft {
                { drafted(draft, text) }
            } else if props.awaiting {
                <p class="awaiting"><span class="dots" aria-hidden="true" />{ text.awaiting }</p>
            }
            { hooks(&props.stops, text) }
            { for props.stops.iter().map(|stop| outcome(stop, props.stopped, &page)) }
        </article>
    }
}

/// The reply's blocks in order; each call with its result.
fn blocks(reply: &Stop, props: &Props) -> Html {
    let Phase::RunningTools(round) = &reply.after.phase else { return html! {} };
    let stops = &props.stops;
    let mut results = stops.iter().filter_map(|stop| match &stop.step {
        Step::ToolReturned { output, outcome, .. } => Some((Same(output.clone()), *outcome)),
        _ => None,
    });
    let running = stops.iter().filter(|stop| matches!(stop.step, Step::ToolCalled { .. })).count();
    let mut calls = round.calls.iter().enumerate();
    let message = reply.after.transcript.last();
    message
        .iter()
        .flat_map(|message| message.blocks())
        .enumerate()
        .map(|(i, block)| match block {
            Block::Text { text, .. } => html! { <p key={i} class="said">{ text.clone() }</p> },
            Block::ToolUse(_) => {
                let Some((n, call)) = calls.next() else { return html! {} };
                let result: Option<(Same<str>, Outcome)> = results.next();
                let told = props.told.clone().filter(|_| result.is_none() && n < running);
                html! { <Call key={i} call={Same::<ToolCall>(call.clone())} {result} running={n < running} {told} /> }
            }
            Block::ToolResult { .. } | Block::Other(_) => other(i, block),
        })
        .collect()
}

/// Thinking, and blocks of types that the page does not know: folded, as they came.
fn other(key: usize, block: &Block) -> Html {
    let words = match block {
        Block::Other(fields) => fields.get("thinking").and_then(Json::as_str).map(Rc::<str>::from),
        _ => None,
    };
    let words = words.unwrap_or_else(|| super::call::pretty(&block.to_json()));
    let summary = html! { <code>{ block.kind().to_string() }</code> };
    let body = Callback::from(move |()| html! { <LongText text={words.clone()} /> });
    html! { <Fold {key} class="other" {summary} {body} /> }
}

/// A reply in the making, or one that was cut.
fn drafted(draft: &Draft, text: &Text) -> Html {
    draft
        .blocks()
        .map(|block| match block.kind {
            "text" => html! { <p key={block.index} class="said drafted">{ block.content.to_string() }</p> },
            _ => html! {
                <div key={block.index} class="call drafted">
                    <span class="tool">{ block.name.unwrap_or(block.kind).to_string() }</span>
                    <span class="state">{ text.call_written }</span>
                    <pre>{ super::shared::tail(&block.content, 600).to_string() }</pre>
                </div>
            },
        })
        .collect()
}

/// What had come of a reply that was stopped or cut; nothing, where nothing had.
fn cut(partial: Option<&Draft>, text: &Text) -> Html {
    match partial.filter(|draft| draft.blocks().len() > 0) {
        Some(draft) => html! { <div class="cut" role="group" aria-label={text.cut}>{ drafted(draft, text) }</div> },
        None => html! {},
    }
}

/// The hooks that ran. One that answered is in sight, the others are folded.
fn hooks(stops: &[Same<Stop>], text: &'static Text) -> Html {
    let ran: Vec<Same<Stop>> = stops.iter().filter(|stop| matches!(stop.step, Step::HookRan { .. })).cloned().collect();
    if ran.is_empty() {
        return html! {};
    }
    let open = ran.iter().any(|stop| matches!(stop.step, Step::HookRan { answer: Some(_), .. }));
    let summary = html! { { (text.hooks_ran)(ran.len()) } };
    let body = Callback::from(
        move |()| html! { <ul>{ for ran.iter().enumerate().map(|(i, stop)| hook(i, stop, text)) }</ul> },
    );
    html! { <Fold class="hooks" {open} {summary} {body} /> }
}

fn hook(key: usize, stop: &Stop, text: &Text) -> Html {
    let Step::HookRan { point, hook, call, printed, answer } = &stop.step else { return html! {} };
    html! {
        <li {key}>
            <code>{ format!("{point:?}") }</code>{ " " }<b>{ hook.clone() }</b>
            if let Some(call) = call { { " · " }{ &call.name } }
            if let Some(printed) = printed { <span class="printed">{ printed.clone() }</span> }
            if let Some(answer) = answer { <span class="answer">{ (text.hook_answered)(answer) }</span> }
        </li>
    }
}

/// What a stop adds below the calls.
fn outcome(stop: &Same<Stop>, stopped: bool, page: &ContextValue) -> Html {
    let text = page.text;
    match &stop.step {
        Step::Counted { idle, used_plan } => {
            let threshold = stop.after.lesson.reminder.as_ref().map_or(0, |rules| rules.threshold);
            html! { <p class="counted">{ if *used_plan { text.counted_plan.to_string() } else { (text.counted)(*idle, threshold) } }</p> }
        }
        Step::ReminderAdded { message, block, .. } => {
            let onclick = {
                let (page, message, block) = (page.clone(), *message, *block);
                move |_| page.dispatch.dispatch(Action::Reveal { message, block })
            };
            html! {
                <p class="reminder-chip">
                    <code class="reminder-text">{ stop.after.lesson.reminder.as_ref().map(|rules| rules.text.clone()) }</code>
                    { text.reminder_added_to }{ " " }
                    <button type="button" class="link" {onclick}><code>{ format!("messages[{message}].content[{block}]") }</code></button>
                </p>
            }
        }
        Step::TurnEnded { ending, partial } => html! {
            <>
                { cut(partial.as_ref(), text) }
                <p class="turn-ended">{ match ending { Ending::Answered => text.turn_answered, Ending::Stopped => text.turn_stopped } }</p>
            </>
        },
        Step::Failed { fault, partial } => html! {
            <>
                { cut(partial.as_ref(), text) }
                { failed(fault, stopped, page) }
            </>
        },
        Step::Typed { command, output, .. } => html! {
            <div class="typed">
                <p>{ text.you_ran }{ " " }<code>{ command.clone() }</code></p>
                <LongText text={output.clone()} />
            </div>
        },
        Step::Edited { changes } => html! {
            <p class="edited">{ (text.you_edited)(changes.len()) }{ " " }{ for changes.iter().take(5).map(|change| html! { <code>{ change.path().to_string() }{ " " }</code> }) }</p>
        },
        Step::Asked { question, .. } => {
            html! { <p class="asked">{ (text.asked)(&question.heading, &question.about) }</p> }
        }
        _ => html! {},
    }
}

/// Why a turn ended, in words, and the next thing to do.
fn failed(fault: &Fault, stopped: bool, page: &ContextValue) -> Html {
    let (what, advice) = (page.text.fault)(fault);
    let retry = {
        let page = page.clone();
        move |_| {
            page.ports.send.emit(Command::Run);
            page.ports.send.emit(Command::Retry);
            page.go(Cursor::Live);
        }
    };
    let settings = {
        let page = page.clone();
        move |_| page.dispatch.dispatch(Action::OpenSettings(true))
    };
    html! {
        <div class="fault" role={stopped.then_some("alert")}>
            <p class="what">{ what }</p>
            <p class="advice">{ advice }</p>
            if stopped {
                <button type="button" class="primary" onclick={retry}>{ page.text.retry }</button>
                <button type="button" onclick={settings}>{ page.text.settings }</button>
            }
        </div>
    }
}
