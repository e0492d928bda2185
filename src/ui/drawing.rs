//! The loop as a drawing, with the node at the cursor lit: of this lesson, of the one before it, and of what the plan adds.

mod labels;
mod svg;
mod words;

use super::shared::{Extra, Fold, button};
use super::state::{View, use_page};
use crate::drawing::{Drawing, Mark, Scope, Steps};
use crate::language::Language;
use crate::lesson::Lesson;
use crate::runtime::Snapshot;
use crate::timeline::Cursor;
use labels::Labels;
use std::rc::Rc;
use words::Words;
use yew::prelude::*;

pub(super) fn drawing(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    // The rules at the cursor, which may be others than those that the run began with.
    let lesson = snapshot.timeline.session(view.cursor).lesson.clone();
    let predecessor = lesson.predecessor.as_ref().and_then(|id| view.catalogue.lessons.iter().find(|of| of.id == *id));
    html! {
        <LoopDrawing language={view.language} {lesson} predecessor={predecessor.cloned()} snapshot={snapshot.clone()} cursor={view.cursor} />
    }
}

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Before,
    Own,
    Core,
}

#[derive(Properties, PartialEq)]
struct Props {
    language: Language,
    lesson: Rc<Lesson>,
    predecessor: Option<Rc<Lesson>>,
    snapshot: Rc<Snapshot>,
    cursor: Cursor,
}

#[component]
fn LoopDrawing(props: &Props) -> Html {
    let page = use_page();
    let wanted = use_state(|| Shown::Own);
    let words = words::of(props.language);
    let (lesson, predecessor) = (&props.lesson, props.predecessor.as_ref());
    let mut views = vec![(Shown::Own, (words.loop_of)(lesson.title.get(props.language)))];
    if let Some(before) = predecessor {
        views.insert(0, (Shown::Before, (words.loop_of)(before.title.get(props.language))));
    }
    if let Some(plan) = &lesson.plan {
        views.push((Shown::Core, (words.core_of)(&plan.tool)));
    }
    let shown = if views.iter().any(|(view, _)| view == &*wanted) { *wanted } else { Shown::Own };
    let (drawn, drawing) = match (shown, predecessor) {
        (Shown::Before, Some(before)) => (before, Drawing::new(Scope::Loop, before, None)),
        (Shown::Core, _) => (lesson, Drawing::new(Scope::Plan, lesson, predecessor.map(|before| &**before))),
        _ => (lesson, Drawing::new(Scope::Loop, lesson, predecessor.map(|before| &**before))),
    };
    let timeline = &props.snapshot.timeline;
    let steps = Steps::new(&drawing, timeline, props.cursor);
    let (cursor, scope, current) = (props.cursor, drawing.scope, steps.current);
    let labels = Labels { words, lesson: drawn, scope, timeline, cursor, current };
    html! {
        <div class="drawing">
            if views.len() > 1 {
                <div class="segments" role="group" aria-label={words.views}>
                    { for views.into_iter().map(|(view, title)| {
                        let pressed = Extra { pressed: Some(view == shown), ..Extra::default() };
                        let wanted = wanted.clone();
                        button("segment", title.into(), pressed, Callback::from(move |_| wanted.set(view)))
                    }) }
                </div>
            }
            { said(&drawing, &steps, &labels) }
            { svg::svg(&page, &drawing, &steps, &labels, words) }
            if let Some(before) = predecessor.filter(|_| shown != Shown::Before) {
                { legend(&drawing, words, before.title.get(props.language)) }
            }
            <Fold class="in-words" summary={Html::from(words.in_words)} body={{
                let list = list(&drawing, &labels);
                Callback::from(move |()| list.clone())
            }} />
        </div>
    }
}

/// What happens at the cursor.
fn said(drawing: &Drawing, steps: &Steps, labels: &Labels) -> Html {
    let words = labels.words;
    let Some(current) = steps.current else {
        let nothing = if drawing.scope == Scope::Loop { words.not_begun } else { words.elsewhere };
        return html! { <p class="drawing-said">{ nothing }</p> };
    };
    let label = labels.of(current);
    let about = if drawing.has(current) { label.does } else { words.not_in_this_loop.to_string() };
    html! { <p class="drawing-said"><b>{ label.title }</b>{ " " }{ about }</p> }
}

/// A mark's sign, which tells it without colour.
fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Kept => "=",
        Mark::Changed => "~",
        Mark::Added => "+",
    }
}

/// A mark's class.
fn class(mark: Option<Mark>) -> &'static str {
    match mark {
        None => "plain",
        Some(Mark::Kept) => "kept",
        Some(Mark::Changed) => "changed",
        Some(Mark::Added) => "added",
    }
}

/// What the marks of a drawing mean; those that it has.
fn legend(drawing: &Drawing, words: &Words, before: &str) -> Html {
    let has = |mark: &Mark| drawing.nodes.iter().any(|node| node.mark == Some(*mark));
    html! {
        <ul class="legend" aria-label={words.legend}>
            { for [Mark::Kept, Mark::Changed, Mark::Added].into_iter().filter(has).map(|mark| html! {
                <li key={sign(mark)} class={class(Some(mark))}><span class="sign" aria-hidden="true">{ sign(mark) }</span>{ (words.against)(mark, before) }</li>
            }) }
        </ul>
    }
}

/// The drawing in words.
fn list(drawing: &Drawing, labels: &Labels) -> Html {
    html! {
        <ol>
            { for drawing.nodes.iter().enumerate().map(|(place, node)| {
                let label = labels.of(node.id);
                let current = labels.current == Some(node.id);
                html! {
                    <li key={place} aria-current={current.then_some("step")}>
                        <b>{ &label.title }</b>{ format!(" {}", label.whole(node, labels.words)) }
                        if current { <span class="here">{ labels.words.current }</span> }
                    </li>
                }
            }) }
        </ol>
    }
}
