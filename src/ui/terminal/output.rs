//! What the lesson's program would have printed up to the cursor, in its colours.

use super::words;
use crate::console::{console, spans};
use crate::language::Language;
use crate::lesson::Colour;
use crate::runtime::Snapshot;
use crate::timeline::Cursor;
use crate::ui::shared::{Extra, Same, button, use_bottom};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) language: Language,
    pub(super) cursor: Cursor,
    pub(super) snapshot: Rc<Snapshot>,
}

/// How many lines are shown at first, the last ones, and how many more each time that the reader asks.
const LINES: usize = 400;

#[component]
pub(super) fn Output(props: &Props) -> Html {
    let words = words::of(props.language);
    let shown = use_state(|| LINES);
    let (scroll, onscroll) = use_bottom(props.cursor);
    let timeline = &props.snapshot.timeline;
    let stops = timeline.place(props.cursor).map_or(0, |place| place + 1);
    // What streams in between two stops prints nothing.
    let last = stops.checked_sub(1).and_then(|place| timeline.stops().get(place)).cloned().map(Same);
    let start = Same(timeline.start().lesson.clone());
    let parts = use_memo((start, last), |_| spans(&console(timeline, stops, true)));
    let (parts, cut) = last_lines(&parts, *shown);
    let more = {
        let shown = shown.clone();
        Callback::from(move |_| shown.set(*shown + LINES))
    };
    html! {
        <>
            <p class="hint">{ words.printed }</p>
            <div class="terminal-scroll console" ref={scroll} {onscroll} tabindex="0" role="group" aria-label={words.titles[0]}>
                if cut { { button("more", words.show_earlier.into(), Extra::default(), more) } }
                <pre>{ for parts.into_iter().map(|(colour, part)| html! { <span class={colour.map(class)}>{ part.to_string() }</span> }) }</pre>
            </div>
        </>
    }
}

fn class(colour: Colour) -> &'static str {
    match colour {
        Colour::Grey => "grey",
        Colour::Red => "red",
        Colour::Yellow => "yellow",
        Colour::Cyan => "cyan",
    }
}

/// The parts that make up the last lines of a text, and whether there are lines before them.
fn last_lines(parts: &[(Option<Colour>, String)], lines: usize) -> (Vec<(Option<Colour>, &str)>, bool) {
    let mut last = Vec::new();
    let mut left = lines;
    for (colour, part) in parts.iter().rev() {
        if let Some((end, _)) = part.rmatch_indices('\n').nth(left) {
            last.push((*colour, &part[end + 1..]));
            last.reverse();
            return (last, true);
        }
        left -= part.matches('\n').count();
        last.push((*colour, part.as_str()));
    }
    last.reverse();
    (last, false)
}
