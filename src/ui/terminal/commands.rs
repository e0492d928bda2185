//! The reader's own commands, in the shell and on the files that the model's run in and on. Each is an event of the run,
//! marked as the reader's; the model is not told of it.

use super::words;
use crate::agent::Step;
use crate::language::Language;
use crate::runtime::{Command, Snapshot};
use crate::timeline::{Cursor, Timeline};
use crate::ui::call::running;
use crate::ui::shared::{Extra, LongText, button, use_bottom};
use crate::ui::state::{Action, use_page};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) language: Language,
    pub(super) cursor: Cursor,
    /// What is in the field.
    pub(super) typed: String,
    pub(super) snapshot: Rc<Snapshot>,
}

/// How many commands are shown, the last ones.
const SHOWN: usize = 100;

#[component]
pub(super) fn Commands(props: &Props) -> Html {
    let page = use_page();
    let words = words::of(props.language);
    let typed = &props.typed;
    // Which of the earlier commands is in the field, counted from the last, and what had been typed before.
    let recalled = use_state(|| (0usize, String::new()));
    let (scroll, onscroll) = use_bottom(props.cursor);
    let timeline = &props.snapshot.timeline;
    let entries: Vec<(usize, Rc<str>, Rc<str>)> = entries(timeline, props.cursor);
    let live = timeline.is_at_end(props.cursor);
    let busy = props.snapshot.busy;
    let set = {
        let dispatch = page.dispatch.clone();
        move |command: String| dispatch.dispatch(Action::SetCommand(command))
    };
    let submit = {
        let (page, typed, recalled) = (page.clone(), typed.clone(), recalled.clone());
        Callback::from(move |()| {
            if busy || typed.trim().is_empty() {
                return;
            }
            page.go(Cursor::Live);
            page.ports.send.emit(Command::Type(typed.clone()));
            page.dispatch.dispatch(Action::SetCommand(String::new()));
            recalled.set((0, String::new()));
        })
    };
    let oninput = {
        let set = set.clone();
        move |event: InputEvent| set(event.target_unchecked_into::<web_sys::HtmlTextAreaElement>().value())
    };
    let onkeydown = {
        let earlier: Vec<Rc<str>> = entries.iter().rev().map(|(_, command, _)| command.clone()).collect();
        let (set, typed, recalled, submit) = (set.clone(), typed.clone(), recalled.clone(), submit.clone());
        move |event: KeyboardEvent| {
            let (at, mine) = &*recalled;
            // In a command of several lines the arrows move in it.
            let next = match event.key().as_str() {
                "Enter" if !event.shift_key() && !event.is_composing() => {
                    event.prevent_default();
                    return submit.emit(());
                }
                "ArrowUp" if !typed.contains('\n') || *at > 0 => (at + 1).min(earlier.len()),
                "ArrowDown" if *at > 0 => at - 1,
                _ => return,
            };
            event.prevent_default();
            if next != *at {
                let mine = if *at == 0 { typed.clone() } else { mine.clone() };
                set(next.checked_sub(1).map_or(mine.clone(), |place| earlier[place].to_string()));
                recalled.set((next, mine));
            }
        }
    };
    let onsubmit = move |event: SubmitEvent| {
        event.prevent_default();
        submit.emit(());
    };
    let stop = {
        let send = page.ports.send.clone();
        Callback::from(move |_| send.emit(Command::Stop))
    };
    let place = timeline.session(props.cursor).workdir.as_str().to_string();
    html! {
        <>
            <p class="hint">{ words.intro }</p>
            <div class="terminal-scroll" ref={scroll} {onscroll} tabindex="0" role="log" aria-label={words.output}>
                { for entries.iter().skip(entries.len().saturating_sub(SHOWN)).map(|(at, command, output)| html! {
                    <div key={*at} class="typed">
                        <p><span aria-hidden="true">{ "$ " }</span><code>{ &**command }</code></p>
                        <LongText text={output.clone()} />
                    </div>
                }) }
                if let Some(told) = props.snapshot.running.as_ref().filter(|_| live) {
                    <p>{ words.runs }</p>
                    { running(told, page.text) }
                }
            </div>
            <form {onsubmit}>
                <label for="terminal-command"><code>{ place }{ " $" }</code></label>
                <textarea id="terminal-command" aria-label={words.command} autocomplete="off" autocapitalize="off" spellcheck="false"
                    rows={typed.lines().count().clamp(1, 8).to_string()} value={typed.clone()} {oninput} {onkeydown} />
                if props.snapshot.running.is_some() {
                    { button("", words.stop.into(), Extra::default(), stop) }
                } else {
                    <button type="submit" class="primary" disabled={busy || typed.trim().is_empty()}>{ words.run }</button>
                }
            </form>
            if busy && props.snapshot.running.is_none() { <p class="hint">{ words.waits }</p> }
            else if !live { <p class="hint">{ words.earlier }</p> }
        </>
    }
}

/// The reader's commands up to the cursor: the place of each, the command, its output.
fn entries(timeline: &Timeline, cursor: Cursor) -> Vec<(usize, Rc<str>, Rc<str>)> {
    let end = timeline.place(cursor).map_or(0, |place| place + 1);
    let stops = timeline.stops().iter().take(end).enumerate();
    stops
        .filter_map(|(at, stop)| match &stop.step {
            Step::Typed { command, output, .. } => Some((at, command.clone(), output.clone())),
            _ => None,
        })
        .collect()
}
