//! The terminal: what the lesson's program would have printed, and a place for the reader's own commands.

mod commands;
mod output;
mod words;

use super::shared::{Extra, button};
use super::state::{Action, View, use_page};
use crate::runtime::Snapshot;
use commands::Commands;
use output::Output;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn terminal(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    html! { <Terminal view={view.clone()} snapshot={snapshot.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    view: Rc<View>,
    snapshot: Rc<Snapshot>,
}

#[component]
fn Terminal(Props { view, snapshot }: &Props) -> Html {
    let page = use_page();
    let words = words::of(view.language);
    let (language, cursor) = (view.language, view.cursor);
    html! {
        <div class="terminal">
            <div class="segments" role="group" aria-label={words.views}>
                { for [false, true].into_iter().zip(words.titles).map(|(commands, title)| {
                    let pressed = Extra { pressed: Some(commands == view.commands), ..Extra::default() };
                    button("segment", title.into(), pressed, page.press(Action::ShowCommands(commands)))
                }) }
            </div>
            if view.commands {
                <Commands {language} {cursor} typed={view.command.clone()} snapshot={snapshot.clone()} />
            } else {
                <Output {language} {cursor} snapshot={snapshot.clone()} />
            }
        </div>
    }
}
