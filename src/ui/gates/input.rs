//! Which input the gates look at: that of a plan call of the run, or one that the reader writes.

use super::super::shared::{Extra, button, choice};
use super::{parse, verdicts, words};
use crate::agent::{Outcome, Step};
use crate::language::Language;
use crate::lesson::Lesson;
use crate::message::{Json, ToolCall};
use crate::timeline::{Cursor, Timeline};
use std::rc::Rc;
use yew::prelude::*;

/// An input, and the rules that hold for it.
pub(super) struct Chosen {
    pub(super) lesson: Rc<Lesson>,
    pub(super) input: Json,
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) language: Language,
    pub(super) timeline: Timeline,
    pub(super) cursor: Cursor,
}

/// A plan call that has its result, with the rules of that moment.
struct Called {
    round: u32,
    call: Rc<ToolCall>,
    outcome: Outcome,
    lesson: Rc<Lesson>,
}

#[component]
pub(super) fn Gates(props: &Props) -> Html {
    let words = words::of(props.language);
    let calls = calls(&props.timeline, props.cursor);
    // The last call, until another is chosen.
    let chosen = use_state(|| None::<usize>);
    let typed = use_state(|| None::<String>);
    let lesson = props.timeline.session(props.cursor).lesson.clone();
    let Some(plan) = lesson.plan.clone() else {
        return html! { <div class="gates"><p class="empty">{ words.no_plan }</p></div> };
    };
    let place = chosen.unwrap_or(usize::MAX).min(calls.len().saturating_sub(1));
    let names: Vec<String> =
        calls.iter().map(|called| (words.call)(called.round, &called.call.id, called.outcome)).collect();
    let choose = {
        let (chosen, typed, last) = (chosen.clone(), typed.clone(), calls.len().saturating_sub(1));
        Callback::from(move |place: usize| {
            chosen.set((place < last).then_some(place));
            typed.set(None);
        })
    };
    let called = calls.get(place);
    let start = || {
        let input =
            called.map_or_else(|| serde_json::json!({plan.argument.as_str(): []}), |called| called.call.input.clone());
        serde_json::to_string_pretty(&input).unwrap_or_default()
    };
    let set = |text: Option<String>| {
        let typed = typed.clone();
        Callback::from(move |_| typed.set(text.clone()))
    };
    let oninput = {
        let typed = typed.clone();
        move |event: InputEvent| {
            typed.set(Some(event.target_unchecked_into::<web_sys::HtmlTextAreaElement>().value()));
        }
    };
    let text = (*typed).clone();
    let input = match &text {
        Some(text) => Some(parse(text)),
        None => called.map(|called| Ok(called.call.input.clone())),
    };
    let judged = match (&text, called) {
        (None, Some(called)) => called.lesson.clone(),
        _ => lesson.clone(),
    };
    html! {
        <div class="gates" tabindex="0">
            <p class="hint">{ words.intro }</p>
            <div class="gates-input">
                if !calls.is_empty() {
                    { choice("choice", words.which, names.iter().map(String::as_str).collect(), place, choose) }
                } else if text.is_none() {
                    <p class="hint">{ (words.no_call)(&plan.tool) }</p>
                }
                { match &text {
                    None => button("", words.write.into(), Extra::default(), set(Some(start()))),
                    Some(_) => button("", words.back.into(), Extra::default(), set(None)),
                } }
            </div>
            if let Some(text) = &text {
                <label class="gates-typed">
                    <span>{ (words.typed)(&plan.tool) }</span>
                    <textarea rows="9" spellcheck="false" autocomplete="off" value={text.clone()} {oninput}
                        aria-invalid={matches!(input, Some(Err(_))).then_some("true")} />
                </label>
                <div class="gates-samples" role="group" aria-label={words.samples}>
                    { for (words.sample)(&plan.argument, &plan.fields.content).into_iter().map(|(name, sample)| {
                        button("suggestion", name.into(), Extra::default(), set(Some(sample)))
                    }) }
                </div>
            } else if let Some(called) = called {
                <pre class="long" tabindex="0">{ serde_json::to_string_pretty(&called.call.input).unwrap_or_default() }</pre>
                if called.outcome != Outcome::Ran { <p class="hint">{ words.not_run }</p> }
            }
            { match input {
                None => html! {},
                Some(Err(why)) => html! { <p class="fault" role="alert">{ (words.no_json)(&why) }</p> },
                Some(Ok(input)) => verdicts(&Chosen { lesson: judged, input }, props.language),
            } }
        </div>
    }
}

/// The plan calls up to the cursor that have their results.
fn calls(timeline: &Timeline, cursor: Cursor) -> Vec<Called> {
    let end = timeline.place(cursor).map_or(0, |place| place + 1);
    let stops = timeline.stops().iter().take(end);
    let calls = stops.filter_map(|stop| match &stop.step {
        Step::ToolReturned { call, outcome, .. } if stop.after.lesson.is_plan_tool(&call.name) => {
            Some(Called { round: stop.round, call: call.clone(), outcome: *outcome, lesson: stop.after.lesson.clone() })
        }
        _ => None,
    });
    calls.collect()
}
