//! The transcript: turns, rounds, and what happened in each, up to the cursor.

use super::round::{Round, prompt};
use super::shared::{Extra, Same, button, link, use_long_list};
use super::state::{Action, ContextValue, View, use_page};
use super::text::Text;
use crate::agent::Phase;
use crate::runtime::{Command, Snapshot};
use crate::timeline::{Cursor, Stop, Timeline};
use crate::wire::draft::Draft;
use std::rc::Rc;
use yew::prelude::*;

/// How many rounds are drawn, unless the reader asks for more.
const ROUNDS: usize = 12;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) view: Rc<View>,
    pub(super) snapshot: Rc<Snapshot>,
}

#[component]
pub(super) fn Transcript(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let more = use_state(|| 0usize);
    let cursor = props.view.cursor;
    let timeline = &props.snapshot.timeline;
    let groups = groups(timeline, cursor);
    let live = matches!(timeline.session(cursor).phase, Phase::AwaitingModel { .. });
    let stopped = matches!(timeline.live().phase, Phase::Stopped { .. })
        && timeline.place(cursor).is_some_and(|place| place + 1 == timeline.stops().len());
    let draft = draft(timeline, cursor);
    let (scroll, onscroll, earlier) = use_long_list(cursor, groups.len(), ROUNDS * (1 + *more));
    let show_more = {
        let more = more.clone();
        Callback::from(move |_| more.set(*more + 1))
    };
    html! {
        <>
            <header class="pane-head">
                <h2>{ text.transcript }</h2>
                { keep(&page, props) }
            </header>
            <div class="transcript-scroll" ref={scroll} {onscroll} tabindex="0">
                { back(&page, props) }
                if timeline.session(cursor).turn == 0 { { welcome(text, &props.view) } }
                if earlier > 0 {
                    { button("more", (text.earlier_rounds)(earlier).into(), Extra::default(), show_more) }
                }
                { for groups[earlier..].iter().enumerate().map(|(i, group)| {
                    let last = earlier + i + 1 == groups.len();
                    let stops: Vec<Same<Stop>> = group.clone().filter_map(|place| timeline.stops().get(place).cloned().map(Same)).collect();
                    match stops.first().map(|first| (first.turn, first.round)) {
                        Some((turn, 0)) => prompt(turn, &stops, &page),
                        Some((_, round)) => html! {
                            <Round key={round} {stops} at={group.start} draft={draft.clone().filter(|_| last)} awaiting={last && live} stopped={last && stopped}
                                told={props.snapshot.running.clone().filter(|_| last && cursor == Cursor::Live)} />
                        },
                        None => html! {},
                    }
                }) }
            </div>
        </>
    }
}

/// The stops up to the cursor, a range for each prompt and each round.
fn groups(timeline: &Timeline, cursor: Cursor) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    let mut last = None;
    let end = timeline.place(cursor).map_or(0, |place| place + 1);
    for (place, stop) in timeline.stops().iter().take(end).enumerate() {
        let key = Some((stop.turn, stop.round));
        match groups.last_mut() {
            Some(group) if last == key => group.end = place + 1,
            _ => groups.push(place..place + 1),
        }
        last = key;
    }
    groups
}

/// What is being written at the moment that the cursor shows.
fn draft(timeline: &Timeline, cursor: Cursor) -> Option<Draft> {
    match &timeline.session(cursor).phase {
        Phase::AwaitingModel { draft, .. } if draft.blocks().len() > 0 => Some(draft.clone()),
        _ => None,
    }
}

/// Saving the run's log, and starting over.
fn keep(page: &ContextValue, props: &Props) -> Html {
    let text = page.text;
    if props.snapshot.timeline.stops().is_empty() {
        return html! {};
    }
    let save = {
        let (page, snapshot) = (page.clone(), props.snapshot.clone());
        Callback::from(move |_| {
            page.ports.save.emit(("todowrite-run.jsonl".into(), snapshot.timeline.to_jsonl().into_bytes()))
        })
    };
    let again = {
        let (page, view, snapshot) = (page.clone(), props.view.clone(), props.snapshot.clone());
        Callback::from(move |_| {
            super::controls::start_over(&page, &view, &snapshot, view.lesson, view.scenario, &view.script)
        })
    };
    html! {
        <>
            { button("quiet", text.save_log.into(), Extra::default(), save) }
            { button("quiet", text.start_over.into(), Extra::default(), again) }
        </>
    }
}

/// The way back to the run that was left, the last one only.
fn back(page: &ContextValue, props: &Props) -> Html {
    let (text, view, snapshot) = (page.text, props.view.clone(), props.snapshot.clone());
    let Some(left) = view.left.clone() else { return html! {} };
    let lesson = view.catalogue.lessons[left.lesson].title.get(view.language);
    let label = (text.bring_back)(lesson, view.catalogue.scenarios[left.scenario].title.get(view.language));
    let onclick = {
        let page = page.clone();
        Callback::from(move |_| {
            page.ports.send.emit(Command::Open(left.timeline.clone()));
            super::controls::use_script(&page, &view, &left.script);
            page.dispatch.dispatch(Action::BringBack(snapshot.timeline.clone()));
        })
    };
    html! { <p class="left-run">{ text.started_over }{ " " }{ link(label.into(), onclick) }</p> }
}

/// What stands where the transcript will be: what there is to see.
fn welcome(text: &Text, view: &View) -> Html {
    html! {
        <div class="welcome">
            <p class="lesson-summary">{ view.lesson().summary.get(view.language).to_string() }</p>
            <p class="scenario-summary">{ view.script.summary.get(view.language).to_string() }</p>
            <p class="hint">
                { text.press_run }
                if view.lesson().reminder.is_some() { { text.watch_reminder } }
            </p>
        </div>
    }
}
