//! The message list that the next request carries, block by block, with its position; the reminder with its reason.

use super::later::Parts;
use super::shared::{Extra, Fold, LongText, Same, button, link, one_line, size, use_long_list};
use super::state::{Action, ContextValue, use_page};
use crate::agent::{Moved, ReminderPlace, RequestId, Step};
use crate::language::Language;
use crate::lesson::ReminderRules;
use crate::message::{Block, Content, Message, Role};
use crate::runtime::Snapshot;
use crate::timeline::{Cursor, Timeline};
use crate::wire::checker::{Finding, Place};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// How many messages are drawn, unless the reader asks for more.
const MESSAGES: usize = 20;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) snapshot: Rc<Snapshot>,
    pub(super) cursor: Cursor,
    /// The block to bring into sight, as in the view.
    pub(super) reveal: Option<(usize, usize, u32)>,
    pub(super) language: Language,
    /// The parts that load later, if they are there: among them the checker.
    pub(super) parts: Option<Parts>,
}

#[component]
pub(super) fn Messages(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let more = use_state(|| 0usize);
    let timeline = &props.snapshot.timeline;
    let session = timeline.session(props.cursor);
    let (messages, building) = session.messages();
    let facts = Facts::at(timeline, props.cursor, messages.len());
    let found = {
        // While a reply streams in the list stays the same.
        let last = session.transcript.last().map(Rc::as_ptr);
        let building = messages.last().filter(|_| building).map(|message| message.blocks().len());
        let list = (messages.len(), last, building, facts.moved.len(), Rc::as_ptr(&session.lesson));
        use_memo((props.parts, list), |_| props.parts.map(|parts| (parts.find)(session)).unwrap_or_default())
    };
    let (node, onscroll, earlier) = use_long_list(props.cursor, messages.len(), MESSAGES * (1 + *more));
    {
        let (node, more, total, moved) = (node.clone(), more.clone(), messages.len(), facts.moved.clone());
        use_effect_with(props.reveal, move |reveal| {
            if let Some((message, block, _)) = *reveal {
                let moved = moved.iter().find(|moved| (moved.message, moved.from) == (message, block));
                let block = moved.map_or(block, |moved| moved.to);
                let block_before = total.saturating_sub(message) / MESSAGES;
                if block_before > *more {
                    more.set(block_before);
                }
                show(&node, &format!("messages[{message}].content[{block}]"));
            }
        });
    }
    let show_more = {
        let more = more.clone();
        Callback::from(move |_| more.set(*more + 1))
    };
    if messages.is_empty() {
        return html! { <p class="empty">{ text.no_messages }</p> };
    }
    // Above the list, which is mostly at its end.
    let summary = match props.parts {
        Some(parts) => (parts.summary)(&found, props.language, &page),
        None => button("quiet check-list", text.check_list.into(), Extra::default(), page.press(Action::Check)),
    };
    html! {
        <>
        { summary }
        <div class="messages" ref={node} {onscroll}>
            <p class="hint">{ (text.list_of)(facts.request, facts.sent) }</p>
            if earlier > 0 {
                { button("more", (text.earlier_messages)(earlier).into(), Extra::default(), show_more) }
            }
            { for messages.iter().enumerate().skip(earlier).map(|(place, message)| {
                let reminder = facts.reminders.iter().find(|reminder| reminder.is_in(place)).cloned();
                let found: Vec<Finding> = found.iter().filter(|finding| finding.place.message() == Some(place)).cloned().collect();
                let moved = facts.moved.iter().any(|moved| moved.message == place);
                let checks = Checks { found, moved, language: props.language, parts: props.parts };
                html! {
                    <Row key={place} {place} message={Same(message.clone())} new={place >= facts.new_from} {reminder} {checks}
                        building={building && place + 1 == messages.len()} />
                }
            }) }
            if let Some(reminder) = facts.in_system {
                <article class="message user system-note"><div class="block reminder"><LongText text={reminder.rules.text.clone()} />{ reason(&reminder, false, &page) }</div></article>
            }
        </div>
        </>
    }
}

/// Brings a block into sight with its message, unfolds it and gives it the focus.
fn show(list: &NodeRef, position: &str) {
    let block = list.cast::<web_sys::Element>().and_then(|list| {
        let found = list.query_selector(&format!("[data-position=\"{position}\"]"));
        found.ok().flatten()
    });
    if let Some(block) = block {
        block.set_attribute("open", "").ok();
        // The whole message, from its heading on; where that is longer than the list, the focus brings the block to sight.
        if let Some(message) = block.parent_element() {
            message.scroll_into_view();
        }
        if let Some(summary) =
            block.first_element_child().and_then(|summary| summary.dyn_into::<web_sys::HtmlElement>().ok())
        {
            summary.focus().ok();
        }
    }
}

/// What is known of the list beyond its messages.
struct Facts {
    /// The last request.
    request: RequestId,
    /// Whether that request carried exactly this list.
    sent: bool,
    /// The place of the first message that the request before did not carry.
    new_from: usize,
    reminders: Vec<Reminder>,
    /// The reminder that stands in the system prompt of the last request, or of the next one.
    in_system: Option<Reminder>,
    /// What the reader had moved.
    moved: Vec<Moved>,
}

/// What the checker has to say of a message, and how to say it.
#[derive(Clone, PartialEq)]
struct Checks {
    found: Vec<Finding>,
    /// Whether the reader had a block of it moved.
    moved: bool,
    language: Language,
    parts: Option<Parts>,
}

impl Checks {
    /// What is found at a place.
    fn at(&self, place: Place) -> Html {
        let Some(parts) = self.parts else { return html! {} };
        let found = self.found.iter().filter(|finding| finding.place == place);
        found.map(|finding| (parts.finding)(finding, self.language)).collect()
    }
}

/// A reminder in the list, and why it is there.
#[derive(Debug, Clone, PartialEq)]
struct Reminder {
    place: ReminderPlace,
    idle: u32,
    rounds: Rc<[RequestId]>,
    rules: ReminderRules,
    tool: String,
    /// The stops of the rounds' requests.
    stops: Vec<usize>,
}

impl Reminder {
    fn is_in(&self, place: usize) -> bool {
        matches!(self.place, ReminderPlace::Block { message, .. } if message == place)
    }

    fn is_block(&self, place: usize) -> bool {
        matches!(self.place, ReminderPlace::Block { block, .. } if block == place)
    }
}

impl Facts {
    fn at(timeline: &Timeline, cursor: Cursor, total: usize) -> Self {
        let end = timeline.place(cursor).map_or(0, |place| place + 1);
        let mut facts =
            Self { request: 0, sent: false, new_from: 0, reminders: Vec::new(), in_system: None, moved: Vec::new() };
        let (mut carried, mut before) = (0, 0);
        let mut requests = Vec::new();
        for (place, stop) in timeline.stops().iter().take(end).enumerate() {
            match &stop.step {
                Step::Request { request, messages } => {
                    facts.request = *request;
                    (before, carried) = (carried, *messages);
                    requests.push((*request, place));
                }
                Step::ReminderAdded { place, idle, rounds } => {
                    let lesson = &stop.after.lesson;
                    let Some(rules) = lesson.reminder.clone() else { continue };
                    let tool = lesson.plan.as_ref().map(|plan| plan.tool.clone()).unwrap_or_default();
                    let stops = rounds
                        .iter()
                        .filter_map(|round| {
                            requests.iter().rev().find(|(request, _)| request == round).map(|(_, place)| *place)
                        })
                        .collect();
                    let (place, idle, rounds) = (*place, *idle, rounds.clone());
                    let reminder = Reminder { place, idle, rounds, rules, tool, stops };
                    match place {
                        ReminderPlace::Block { .. } => facts.reminders.push(reminder),
                        ReminderPlace::System => facts.in_system = Some(reminder),
                    }
                }
                Step::Reply { .. } => facts.in_system = None,
                Step::RemindersMoved { moved } => {
                    for Moved { message, from, to } in &**moved {
                        let was = ReminderPlace::Block { message: *message, block: *from };
                        if let Some(reminder) = facts.reminders.iter_mut().find(|reminder| reminder.place == was) {
                            reminder.place = ReminderPlace::Block { message: *message, block: *to };
                        }
                    }
                    facts.moved.extend(moved.iter().copied());
                }
                _ => {}
            }
        }
        facts.sent = carried == total;
        facts.new_from = if facts.sent { before } else { carried };
        facts
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    place: usize,
    message: Same<Message>,
    new: bool,
    building: bool,
    reminder: Option<Reminder>,
    checks: Checks,
}

/// One message.
#[component]
fn Row(props: &RowProps) -> Html {
    let page = use_page();
    let text = page.text;
    let place = props.place;
    let role = match props.message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    html! {
        <article class={classes!("message", role, props.new.then_some("new"))}>
            <h3>
                <code>{ format!("messages[{place}]") }</code>
                <span class="role">{ role }</span>
                if props.new { <span class="badge">{ text.new_block }</span> }
                if props.building { <span class="badge">{ text.being_built }</span> }
                if let (true, Some(parts)) = (props.checks.moved, props.checks.parts) { { (parts.moved)(props.checks.language) } }
            </h3>
            { props.checks.at(Place::Message(place)) }
            { match &props.message.content {
                Content::Text(said) => html! {
                    <div class="block text">
                        <p class="where"><code>{ format!("messages[{place}].content") }</code><span>{ text.plain_text }</span><span class="size">{ size(said.len()) }</span></p>
                        <LongText text={said.clone()} />
                    </div>
                },
                Content::Blocks(blocks) if blocks.is_empty() => html! { <p class="hint">{ text.empty_content }</p> },
                Content::Blocks(blocks) => blocks.iter().enumerate().map(|(i, block)| {
                    let reminder = props.reminder.as_ref().filter(|reminder| reminder.is_block(i));
                    html! { <key={i}>{ block_row(&page, place, i, block, reminder, props.checks.moved) }{ props.checks.at(Place::Block(place, i)) }</> }
                }).collect(),
            } }
        </article>
    }
}

fn block_row(
    page: &ContextValue,
    place: usize,
    i: usize,
    block: &Block,
    reminder: Option<&Reminder>,
    moved: bool,
) -> Html {
    let position = format!("messages[{place}].content[{i}]");
    let about = match block {
        Block::Text { text, .. } => one_line(text, 60),
        Block::ToolUse(call) => call.name.clone(),
        Block::ToolResult { content, .. } => one_line(content, 60),
        Block::Other(_) => String::new(),
    };
    let bytes = block.to_json().to_string().len();
    let summary = html! {
        <>
            <code class="position">{ &position }</code><span class="kind">{ block.kind().to_string() }</span>
            <span class="about">{ about }</span><span class="size">{ size(bytes) }</span>
        </>
    };
    let class = classes!("block", block.kind().to_string(), reminder.is_some().then_some("reminder"));
    let body = {
        let (page, block, reminder) = (page.clone(), block.clone(), reminder.cloned());
        Callback::from(move |()| {
            let (id, text) = match &block {
                Block::Text { text, .. } => (None, text.as_str().into()),
                Block::ToolUse(call) => (Some(&call.id), super::call::pretty(&call.input)),
                Block::ToolResult { tool_use_id, content } => (Some(tool_use_id), content.as_str().into()),
                Block::Other(_) => (None, super::call::pretty(&block.to_json())),
            };
            html! {
                <>
                    if let Some(id) = id { <p class="where"><code>{ id }</code></p> }
                    <LongText {text} />
                    if let Some(reminder) = &reminder { { reason(reminder, moved, &page) } }
                </>
            }
        })
    };
    let open = reminder.is_some();
    html! { <Fold {class} position={position.clone()} {open} {summary} {body} /> }
}

/// Why a reminder stands where it stands, which is where the reader moved it, or where the program put it.
fn reason(reminder: &Reminder, moved: bool, page: &ContextValue) -> Html {
    let text = page.text;
    let Reminder { idle, rounds, rules, tool, stops, .. } = reminder;
    let links = rounds
        .iter()
        .zip(stops)
        .map(|(round, &stop)| html! { <li key={*round}>{ link((text.round)(*round).into(), page.to(stop)) }</li> });
    html! {
        <div class="reason">
            <h4>{ text.reason_title }</h4>
            <p>{ (text.reason_rounds)(*idle, rounds.len(), rules, tool) }</p>
            <ul class="rounds">{ for links }</ul>
            <p>{ match moved {
                true => text.reason_moved.to_string(),
                false => (text.reason_place)(rules.placement, rounds.last().copied().unwrap_or_default()),
            } }</p>
            <p>{ (text.reason_prevent)(rules, tool) }</p>
        </div>
    }
}
