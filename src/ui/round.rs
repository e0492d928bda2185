//! One prompt, and one round: the reply, its calls with their results, the hooks, the counter, the reminder.

use super::board::named;
use super::call::Call;
use super::controls::retry;
use super::shared::{Extra, Fold, LongText, Same, button, link};
use super::state::{Action, ContextValue, use_page};
use super::text::{Said, Text};
use crate::agent::{Ending, Outcome, Phase, ReminderPlace, Step};
use crate::fault::Fault;
use crate::message::{Block, Json, ToolCall};
use crate::runtime::shell::Running;
use crate::timeline::Stop;
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
            { for (0..stops.len()).map(|at| outcome(stops, at, false, page)) }
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
    let titled = Extra { title: Some(text.go_to_round), ..Extra::default() };
    html! {
        <article class="round" data-round={round.to_string()}>
            <h3>{ button("link", (text.round)(round).into(), titled, page.to(props.at)) }</h3>
            if let Some(reply) = reply { { blocks(reply, props) } }
            if let Some(draft) = &props.draft {
                { drafted(draft, false, text) }
            } else if props.awaiting {
                <p class="awaiting"><span class="dots" aria-hidden="true" />{ text.awaiting }</p>
            }
            { hooks(&props.stops, text) }
            { for (0..props.stops.len()).map(|at| outcome(&props.stops, at, props.stopped, &page)) }
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
    // What the reader does meanwhile is no step of the loop.
    let last = stops.iter().rev().find(|stop| !stop.step.is_aside());
    let over = stops.iter().any(|stop| matches!(stop.step, Step::TurnEnded { .. }));
    let mut calls = round.calls.iter();
    let message = reply.after.transcript.last();
    message
        .iter()
        .flat_map(|message| message.blocks())
        .enumerate()
        .map(|(i, block)| match block {
            Block::Text { text, .. } => html! { <p key={i} class="said">{ text.clone() }</p> },
            Block::ToolUse(_) => {
                let Some(call) = calls.next() else { return html! {} };
                let result: Option<(Same<str>, Outcome)> = results.next();
                let called =
                    |stop: &Same<Stop>| matches!(&stop.step, Step::ToolCalled { call: of } if Rc::ptr_eq(of, call));
                let running = result.is_none() && stops.iter().any(called);
                let asked =
                    last.is_some_and(|stop| matches!(&stop.step, Step::Asked { call: of, .. } if Rc::ptr_eq(of, call)));
                let told = props.told.clone().filter(|_| running);
                html! { <Call key={i} call={Same::<ToolCall>(call.clone())} {result} {running} {asked} {over} {told} /> }
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
fn drafted(draft: &Draft, cut: bool, text: &Text) -> Html {
    draft
        .blocks()
        .map(|block| match block.kind {
            "text" => html! { <p key={block.index} class="said drafted">{ block.content.to_string() }</p> },
            _ => {
                let state = match (cut, block.done) {
                    (true, _) => text.call_not_run,
                    (false, true) => text.call_queued,
                    (false, false) => text.call_written,
                };
                html! {
                    <div key={block.index} class="call drafted">
                        <span class="tool">{ block.name.unwrap_or(block.kind).to_string() }</span>{ " " }
                        if block.name.is_some() || !cut { <span class="state">{ state }</span> }
                        <pre>{ super::shared::tail(&block.content, 600).to_string() }</pre>
                    </div>
                }
            }
        })
        .collect()
}

/// What had come of a reply that was stopped or cut; nothing, where nothing had.
fn cut(partial: Option<&Draft>, text: &Text) -> Html {
    match partial.filter(|draft| draft.blocks().len() > 0) {
        Some(draft) => {
            html! { <div class="cut" role="group" aria-label={text.cut}>{ drafted(draft, true, text) }</div> }
        }
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
    let Step::HookRan { point, hook, call, printed, added, answer } = &stop.step else { return html! {} };
    let lesson = &stop.after.lesson;
    let behind =
        || lesson.hooks_at(*point, lesson.behind_hook(hook)).map(|hook| hook.name.as_str()).collect::<Vec<_>>();
    // Its last line: what came of it.
    let end = match (answer, added) {
        (Some(answer), _) => Some((text.hook_answered)(answer, &behind().join(", "))),
        (None, Some(added)) => Some((text.hook_added)(added)),
        (None, None) => printed.is_none().then(|| text.hook_passed.into()),
    };
    html! {
        <li {key}>
            <code>{ format!("{point:?}") }</code>{ " " }<b>{ hook.clone() }</b>
            if let Some(call) = call { { " · " }{ &call.name } }
            if let Some(printed) = printed { <span class="printed">{ printed.clone() }</span> }
            if let Some(end) = end {
                if answer.is_some() { <span class="answer">{ end }</span> } else { { " · " }{ end } }
            }
        </li>
    }
}

/// What a stop adds below the calls.
fn outcome(stops: &[Same<Stop>], at: usize, stopped: bool, page: &ContextValue) -> Html {
    let (text, stop) = (page.text, &stops[at]);
    match &stop.step {
        Step::Counted { idle, used_plan } => {
            let lesson = &stop.after.lesson;
            let Some((rules, plan)) = lesson.reminder.as_ref().zip(lesson.plan.as_ref()) else { return html! {} };
            let call = (text.plan_call)(rules, &plan.tool);
            let said = match *used_plan {
                true => (text.counted_plan)(*idle, &call),
                false => (text.counted)(*idle, rules.threshold, &call),
            };
            html! { <p class="counted">{ said }</p> }
        }
        Step::ReminderAdded { place, .. } => {
            let Some(rules) = &stop.after.lesson.reminder else { return html! {} };
            html! {
                <p class="reminder-chip">
                    <code class="reminder-text">{ rules.text.clone() }</code>
                    { (text.reminder_added_to)(rules.placement) }{ " " }
                    if let ReminderPlace::Block { message, block } = *place {
                        { link(html! { <code>{ named(*place) }</code> }, page.press(Action::Reveal { message, block })) }
                    }
                </p>
            }
        }
        Step::TurnEnded { ending, partial } => html! {
            <>
                { cut(partial.as_ref(), text) }
                <p class="turn-ended">{ match ending { Ending::Answered => answered(stops, stop, text), Ending::Stopped => text.turn_stopped } }</p>
            </>
        },
        Step::Failed { fault, partial } => html! {
            <>
                { cut(partial.as_ref(), text) }
                { failed(fault, partial.as_ref().is_some_and(|draft| draft.blocks().len() > 0), stopped, page) }
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
        Step::RulesChanged { places } => html! {
            <p class="edited">{ text.step_rules }{ for places.iter().map(|place| html! { <>{ " " }<code>{ place.to_string() }</code></> }) }</p>
        },
        Step::RemindersMoved { .. } => html! { <p class="edited">{ text.step_moved }</p> },
        Step::Asked { question, .. } => {
            // The answer can be told from what came of it.
            let allowed = match stops.get(at + 1).map(|next| &next.step) {
                Some(Step::HookRan { answer, .. }) => Some(answer.is_none()),
                Some(Step::Asked { .. }) => Some(true),
                _ => None,
            };
            html! { <p class="asked">{ (text.asked)(&question.heading, &question.about, allowed) }</p> }
        }
        _ => html! {},
    }
}

/// Why the model stopped, where that is not simply that it was done.
fn answered(stops: &[Same<Stop>], end: &Stop, text: &Text) -> &'static str {
    let reply = stops.iter().rev().find_map(|stop| match &stop.step {
        Step::Reply { stop_reason, calls, .. } => Some((stop_reason.as_deref().unwrap_or_default(), *calls)),
        _ => None,
    });
    let (reason, calls) = reply.unwrap_or_default();
    let blank = |block: &Block| matches!(block, Block::Text { text, .. } if text.trim().is_empty());
    let empty = || end.after.transcript.last().is_none_or(|message| message.blocks().iter().all(blank));
    let said = match calls {
        0 if empty() => Said::Nothing,
        0 => Said::Something,
        _ => Said::Calls,
    };
    (text.turn_answered)(reason, said)
}

/// Why a turn ended, in words, and the next thing to do. `begun`: part of a reply had come.
fn failed(fault: &Fault, begun: bool, stopped: bool, page: &ContextValue) -> Html {
    let (what, advice) = (page.text.fault)(fault, begun);
    let again = {
        let page = page.clone();
        Callback::from(move |_| retry(&page))
    };
    html! {
        <div class="fault" role={stopped.then_some("alert")}>
            <p class="what">{ what }</p>
            <p class="advice">{ advice }</p>
            if stopped {
                <div class="answers">
                    { button("primary", page.text.retry.into(), Extra::default(), again) }
                    { button("", page.text.settings.into(), Extra::default(), page.press(Action::OpenSettings(true))) }
                </div>
            }
        </div>
    }
}
