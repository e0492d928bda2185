//! The sides of a comparison: which rules there are to choose from, and how two runs look side by side at a round.

use super::Pair;
use super::words::Words;
use crate::agent::Session;
use crate::lesson::Lesson;
use crate::lesson::rules::{Changes, Rules};
use crate::message::{Block, Content, Json, Message, Role};
use crate::timeline::Timeline;
use crate::ui::shared::one_line;
use crate::ui::state::{Catalogue, View};
use std::rc::Rc;
use yew::prelude::*;

/// How many messages are shown, the last ones.
const MESSAGES: usize = 30;

/// A set of rules to choose.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub(super) name: String,
    /// What it is called within its pair.
    pub(super) short: String,
    pub(super) kind: Kind,
    lesson: Rc<Lesson>,
    changes: Changes,
}

/// What a side is, for the pairs that are one press away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The lesson that the reader is in.
    Own,
    /// The lesson that it grew out of.
    Before,
    /// Another lesson.
    Other,
    /// The reader's changes.
    Mine,
    /// The lesson with one rule changed: the first way or the other.
    Placement(bool),
    Resets(bool),
    Off,
}

/// All sides: the lessons as they are taught, the reader's own changes, and the lesson at hand with one rule changed.
pub(super) fn choices(view: &View, mine: &Rules, words: &Words) -> Vec<Side> {
    let own = view.lesson();
    let mut sides: Vec<Side> = Vec::new();
    let mut add = |name: String, short: &str, kind, lesson: &Rc<Lesson>, changes: Changes| {
        sides.push(Side { name, short: short.into(), kind, lesson: lesson.clone(), changes });
    };
    for lesson in &view.catalogue.lessons {
        let kind = match () {
            () if lesson.id == own.id => Kind::Own,
            () if Some(&lesson.id) == own.predecessor.as_ref() => Kind::Before,
            () => Kind::Other,
        };
        let title = lesson.title.get(view.language);
        add(title.into(), title, kind, lesson, Changes::default());
    }
    let title = own.title.get(view.language);
    if mine.base.id == own.id && !mine.changes.is_empty() {
        add(format!("{title}: {}", words.mine), words.mine, Kind::Mine, own, mine.changes.clone());
    }
    if own.reminder.is_some() {
        let mut with = |name: &str, kind, place: &str, value: Json| {
            let mut changes = Changes::default();
            changes.set(own, place, value);
            add(format!("{title}: {name}"), name, kind, own, changes);
        };
        with(words.append, Kind::Placement(true), "/reminder/placement", "after_results".into());
        with(words.index_0, Kind::Placement(false), "/reminder/placement", "before_results".into());
        with(words.resets, Kind::Resets(true), "/reminder/resets", true.into());
        with(words.repeats, Kind::Resets(false), "/reminder/resets", false.into());
        with(words.off, Kind::Off, "/reminder", Json::Null);
    }
    sides
}

/// The beginning of a side's run. What the scenario itself changes in the rules is one of the things to compare, so it holds
/// only on the side that has the changes.
pub(super) fn start(view: &View, side: &Side) -> Timeline {
    Timeline::new(Catalogue::start(side.lesson.clone(), &view.script, side.changes.clone()))
}

/// Both runs at the end of a pair of rounds.
pub(super) fn rounds(pair: &Pair, round: usize, names: [&str; 2], words: &'static Words) -> Html {
    let Some(ends) = pair.comparison.rounds.get(round) else { return html! {} };
    // A run that is over stays as it ended.
    let sessions = [0, 1].map(|side| {
        let stop = ends[side].and_then(|place| pair.runs[side].stops().get(place));
        stop.map_or_else(|| pair.runs[side].live().clone(), |stop| stop.after.clone())
    });
    let lists = sessions.each_ref().map(|session| session.messages().0.iter().cloned().collect::<Vec<_>>());
    let total = lists[0].len().max(lists[1].len());
    let first = lists[0].iter().zip(&lists[1]).take_while(|(one, other)| one == other).count();
    let from = total.saturating_sub(MESSAGES);
    let cell = |side: usize, place: usize| match lists[side].get(place) {
        Some(message) => message_cell(message, place),
        None => html! { <span class="hint">{ words.no_message }</span> },
    };
    let same = from..first.max(from);
    let row = |place: usize| {
        let differs = lists[0].get(place) != lists[1].get(place);
        let class = classes!("compare-row", differs.then_some("differs"), (place == first).then_some("first"));
        html! {
            <div key={place} {class}>
                if place == first { <p class="parts-here">{ words.parts_here }</p> }
                <div>{ cell(0, place) }</div>
                <div>{ cell(1, place) }</div>
            </div>
        }
    };
    html! {
        <section class="compare-sides" aria-label={words.title}>
            <div class="compare-row heads">
                { for (0..2).map(|side| html! {
                    <div key={side}>
                        <h3>{ names[side].to_string() }</h3>
                        if ends[side].is_none() { <p class="hint">{ words.over }</p> }
                        { head(&sessions[side], words) }
                    </div>
                }) }
            </div>
            if from > 0 { <p class="hint">{ (words.earlier)(from) }</p> }
            if same.len() > 2 && first < total {
                <details><summary>{ (words.same_messages)(same.len()) }</summary>{ for same.map(row) }</details>
            } else {
                { for same.map(row) }
            }
            { for (first.max(from)..total).map(row) }
        </section>
    }
}

/// A side's counter and plan.
fn head(session: &Session, words: &Words) -> Html {
    let counter = session.lesson.reminder.as_ref().map(|rules| (session.counter.idle(), rules.threshold));
    let plan = &session.workspace.plan;
    html! {
        <>
            <p class="counter-said">{ counter.map_or_else(|| words.no_counter.to_string(), |(idle, of)| (words.counter)(idle, of)) }</p>
            if plan.items.is_empty() { <p class="hint">{ words.no_plan }</p> }
            <ul class="plan-lines">
                { for plan.items.iter().enumerate().map(|(i, item)| html! {
                    <li key={i}><code>{ item.status.mark() }</code>{ " " }{ &item.content }</li>
                }) }
            </ul>
        </>
    }
}

fn message_cell(message: &Message, place: usize) -> Html {
    let role = if message.role == Role::User { "user" } else { "assistant" };
    let line = |key: usize, kind: String, text: String, reminder: bool| {
        html! {
            <li {key} class={reminder.then_some("reminder")}><code class="kind">{ kind }</code>{ " " }{ one_line(&text, 120) }</li>
        }
    };
    html! {
        <article class={classes!("message", role)}>
            <h4><code>{ format!("messages[{place}]") }</code>{ " " }<span class="role">{ role }</span></h4>
            <ul>{ match &message.content {
                Content::Text(text) => line(0, "text".into(), text.clone(), false),
                Content::Blocks(blocks) => blocks.iter().enumerate().map(|(i, block)| match block {
                    Block::Text { text, .. } => line(i, "text".into(), text.clone(), text.contains("<reminder>")),
                    Block::ToolUse(call) => line(i, "tool_use".into(), format!("{} {}", call.name, call.input), false),
                    Block::ToolResult { content, .. } => line(i, "tool_result".into(), content.clone(), content.contains("<reminder>")),
                    Block::Other(_) => line(i, block.kind().to_string(), String::new(), false),
                }).collect(),
            } }</ul>
        </article>
    }
}
