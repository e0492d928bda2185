//! The question before a request goes out that the API would refuse, and the way on after it did.

use super::super::shared::{Extra, button};
use super::super::state::{View, use_page};
use super::{find, to, words};
use crate::agent::Phase;
use crate::fault::Fault;
use crate::language::Language;
use crate::runtime::{Command, Snapshot};
use crate::timeline::Cursor;
use crate::wire::checker::{Finding, Rule};
use std::rc::Rc;
use yew::prelude::*;

pub(in crate::ui) fn refused(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let live = snapshot.timeline.live();
    let (asks, found) = match (&snapshot.objections, &live.phase) {
        (Some(found), _) => (true, found.clone()),
        // What the checker knows of can be repaired; any other 400 has the fault's own words.
        (None, Phase::Stopped { fault }) if matches!(**fault, Fault::Api { status: 400, .. }) => (false, find(live)),
        _ => return html! {},
    };
    let found: Vec<Finding> = found.iter().filter(|finding| finding.rule.refuses()).cloned().collect();
    if found.is_empty() {
        return html! {};
    }
    html! { <Refused language={view.language} {asks} {found} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    language: Language,
    /// Whether a request waits for an answer; otherwise it was refused.
    asks: bool,
    found: Vec<Finding>,
}

#[component]
fn Refused(props: &Props) -> Html {
    let page = use_page();
    let words = words::of(props.language);
    let first = use_node_ref();
    {
        // The answer that sends nothing has the focus.
        let first = first.clone();
        use_effect_with(props.asks, move |asks| {
            if let (true, Some(button)) = (*asks, first.cast::<web_sys::HtmlElement>()) {
                button.focus().ok();
            }
        });
    }
    let command = |make: fn() -> Command| {
        let page = page.clone();
        Callback::from(move |_| {
            page.ports.send.emit(make());
            page.go(Cursor::Live);
        })
    };
    let repair = {
        let (page, asks) = (page.clone(), props.asks);
        Callback::from(move |_| {
            // A request that waits goes out as the run goes on, or as one step; one that failed is tried again at once.
            if !asks {
                page.ports.send.emit(Command::Run);
            }
            page.ports.send.emit(Command::MoveReminders);
            page.go(Cursor::Live);
        })
    };
    let movable = props.found.iter().any(|finding| finding.rule == Rule::ResultsFirst);
    if !props.asks && !movable {
        return html! {};
    }
    let (role, title, what) = match props.asks {
        true => ("alertdialog", words.asks, words.asks_what),
        false => ("group", words.was_refused, words.was_refused_what),
    };
    html! {
        <div class="permission" {role} aria-labelledby="refused-title" aria-describedby="refused-what">
            <h3 id="refused-title">{ title }</h3>
            <div id="refused-what" tabindex="0">
                <p>{ what }</p>
                <ul>{ for props.found.iter().take(3).enumerate().map(|(i, finding)| html! {
                    <li key={i}>{ to(finding.place, &page) }{ " " }{ (words.rule)(finding.rule).0 }</li>
                }) }</ul>
            </div>
            <div class="answers">
                if props.asks {
                    <button type="button" ref={first} onclick={command(|| Command::Stop)}>{ words.stop }</button>
                    { button("", words.as_it_is.into(), Extra::default(), command(|| Command::SendAnyway)) }
                }
                if movable {
                    { button("primary", if props.asks { words.move_and_send } else { words.move_and_retry }.into(), Extra::default(), repair) }
                }
            </div>
        </div>
    }
}
