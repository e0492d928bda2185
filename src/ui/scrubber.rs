//! The scrubber: every stop of the run, with marks; arrows move by a stop, with shift by a round.

use super::icon::{self, icon, worded};
use super::shared::{Extra, Mark, button};
use super::state::{Action, use_page};
use crate::agent::Step;
use crate::runtime::Snapshot;
use crate::timeline::{Cursor, Timeline};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) snapshot: Rc<Snapshot>,
    pub(super) cursor: Cursor,
}

/// How many places on the bar can hold a mark: more could not be told apart.
const PLACES: usize = 500;

#[component]
pub(super) fn Scrubber(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let timeline = &props.snapshot.timeline;
    let total = timeline.stops().len();
    let place = timeline.place(props.cursor).unwrap_or(0);
    let live = props.cursor == Cursor::Live;
    let jump = |path, name, target: Option<usize>| {
        let extra = Extra { name: Some(name), disabled: target.is_none(), ..Extra::default() };
        button("", icon(path), extra, page.to(target.unwrap_or(place)))
    };
    let oninput = {
        let page = page.clone();
        move |event: InputEvent| {
            let value = event.target_unchecked_into::<web_sys::HtmlInputElement>().value();
            if let Ok(place) = value.parse() {
                page.go(Cursor::At(place));
            }
        }
    };
    let onkeydown = {
        let (page, timeline) = (page.clone(), timeline.clone());
        move |event: KeyboardEvent| {
            let target = match (event.key().as_str(), event.shift_key()) {
                ("ArrowLeft" | "ArrowDown", true) => round_before(&timeline, place),
                ("ArrowRight" | "ArrowUp", true) => round_after(&timeline, place),
                _ => return,
            };
            event.prevent_default();
            page.go(Cursor::At(target));
        }
    };
    let said = timeline
        .stops()
        .get(place)
        .map(|stop| ((text.position)(place + 1, total, stop.turn, stop.round), title(&stop.step, text)));
    let spoken = said.as_ref().map(|(at, what)| format!("{at} · {what}"));
    let before = place.checked_sub(1);
    let to_live = Extra { pressed: Some(live), ..Extra::default() };
    html! {
        <footer class="scrubber" aria-label={text.steps}>
            <div class="jumps" role="group" aria-label={text.steps}>
                { jump(icon::FIRST, text.first_step, before.map(|_| 0)) }
                { jump(icon::BACK, text.step_back, before) }
                { jump(icon::NEXT, text.step_on, (place + 1 < total).then_some(place + 1)) }
                { button("live", worded(icon::LAST, text.live), to_live, page.press(Action::Go(Cursor::Live))) }
            </div>
            <div class="track">
                { marks(timeline) }
                <input type="range" min="0" max={total.saturating_sub(1).to_string()} step="1" value={place.to_string()} disabled={total == 0}
                    aria-label={text.steps} aria-valuetext={spoken.unwrap_or_default()} {oninput} {onkeydown} />
            </div>
            <p class="position-said">
                { match said {
                    Some((at, what)) => html! { <><span>{ at }</span><span class="dot">{ " · " }</span><span class="what">{ what }</span></> },
                    None => text.no_steps.into(),
                } }
            </p>
        </footer>
    }
}

fn round_before(timeline: &Timeline, place: usize) -> usize {
    (0..place).rev().find(|&place| is_request(timeline, place)).unwrap_or(0)
}

fn round_after(timeline: &Timeline, place: usize) -> usize {
    let total = timeline.stops().len();
    (place + 1..total).find(|&place| is_request(timeline, place)).unwrap_or(total.saturating_sub(1))
}

fn is_request(timeline: &Timeline, place: usize) -> bool {
    timeline.stops().get(place).is_some_and(|stop| matches!(stop.step, Step::Request { .. }))
}

/// The marks, one path for all of a kind: a long run has hundreds, and they all move while it grows. Only strokes, since
/// the drawing is stretched to the bar's width and strokes are not.
fn marks(timeline: &Timeline) -> Html {
    let last = timeline.stops().len().max(2) - 1;
    let mut paths: [(String, Option<usize>); Mark::ALL.len()] = Default::default();
    for (at, stop) in timeline.stops().iter().enumerate() {
        let Some(mark) = Mark::of(&stop.step) else { continue };
        let place = at * PLACES / last;
        let (path, drawn) = &mut paths[mark as usize];
        if drawn.replace(place) != Some(place) {
            path.push_str(&format!("M{place} {}v{}", mark.top(), mark.height()));
        }
    }
    let paths = Mark::ALL.into_iter().zip(paths).filter(|(_, (path, _))| !path.is_empty());
    html! {
        <svg class="marks" aria-hidden="true" viewBox={format!("0 0 {PLACES} 10")} preserveAspectRatio="none">
            { for paths.map(|(mark, (path, _))| html! { <path key={mark.class()} class={mark.class()} d={path} /> }) }
        </svg>
    }
}

/// A stop's name.
fn title(step: &Step, text: &super::text::Text) -> String {
    match step {
        Step::Prompt { .. } => text.step_prompt.to_string(),
        Step::HookRan { point, hook, .. } => (text.step_hook)(&format!("{point:?}"), hook),
        Step::Request { request, .. } => (text.request_number)(*request),
        Step::Reply { calls, .. } => (text.step_reply)(*calls),
        Step::Asked { .. } => text.step_asked.to_string(),
        Step::ToolCalled { call } => (text.step_called)(&call.name),
        Step::PlanReplaced { .. } => text.step_plan.to_string(),
        Step::PlanRejected { .. } => text.step_rejected.to_string(),
        Step::ToolReturned { call, .. } => (text.step_returned)(&call.name),
        Step::Counted { idle, .. } => (text.step_counted)(*idle),
        Step::ReminderAdded { .. } => text.step_reminder.to_string(),
        Step::TurnEnded { .. } => text.step_ended.to_string(),
        Step::Failed { .. } => text.step_failed.to_string(),
        Step::Typed { .. } => text.step_typed.to_string(),
        Step::Edited { .. } => text.step_edited.to_string(),
        Step::RulesChanged { .. } => text.step_rules.trim_end_matches([':', '：']).to_string(),
        Step::RemindersMoved { .. } => text.step_moved.to_string(),
    }
}
