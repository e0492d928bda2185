//! What the checker finds in the message list, in words; and what can be done before or after the API refuses it.

mod refused;
pub(super) mod words;

use super::shared::link;
use super::state::{Action, ContextValue};
use crate::agent::{Phase, Session};
use crate::language::Language;
use crate::wire::ModelRequest;
use crate::wire::checker::{Finding, Place, Rule, check};
use std::rc::Rc;
use yew::prelude::*;

pub(super) use refused::refused;

/// What the checker finds in the list that the next request carries, as far as it is known.
pub(super) fn find(session: &Session) -> Rc<[Finding]> {
    let (messages, _) = session.messages();
    let request = ModelRequest { messages, ..session.request() };
    let mut found = check(&request);
    // The calls of a round that is under way get their results yet.
    if matches!(session.phase, Phase::RunningTools(_) | Phase::AwaitingPermission { .. }) {
        let last = session.transcript.len().checked_sub(1);
        found.retain(|finding| finding.rule != Rule::Answered || finding.place.message() != last);
    }
    found.into()
}

/// How many findings the line above the list leads to.
const MOST: usize = 6;

/// The line above the list.
pub(super) fn summary(found: &[Finding], language: Language, page: &ContextValue) -> Html {
    let words = words::of(language);
    let (refused, advised): (Vec<&Finding>, Vec<&Finding>) = found.iter().partition(|finding| finding.rule.refuses());
    let links = |found: Vec<&Finding>| {
        let more = found.len().saturating_sub(MOST);
        let links = found
            .iter()
            .take(MOST)
            .enumerate()
            .map(|(i, finding)| html! { <li key={i}>{ to(finding.place, page) }</li> });
        html! { <ul>{ for links }if more > 0 { <li>{ (words.more)(more) }</li> }</ul> }
    };
    html! {
        <div class={classes!("checks", (!refused.is_empty()).then_some("refused"))}>
            <p>{ if refused.is_empty() { words.all_hold.to_string() } else { (words.broken)(refused.len()) } }</p>
            if !refused.is_empty() { { links(refused) } }
            if !advised.is_empty() { <p>{ words.advised }</p>{ links(advised) } }
        </div>
    }
}

/// A place's name, which leads to its block.
fn to(place: Place, page: &ContextValue) -> Html {
    let name = html! { <code>{ name(place) }</code> };
    match place {
        Place::Block(message, block) => link(name, page.press(Action::Reveal { message, block })),
        _ => name,
    }
}

fn name(place: Place) -> String {
    match place {
        Place::Request => "messages".into(),
        Place::Tool(tool) => format!("tools[{tool}]"),
        Place::Message(message) => format!("messages[{message}]"),
        Place::Block(message, block) => format!("messages[{message}].content[{block}]"),
    }
}

/// A finding at its block.
pub(super) fn finding(finding: &Finding, language: Language) -> Html {
    let words = words::of(language);
    let refuses = finding.rule.refuses();
    let (rule, why) = (words.rule)(finding.rule);
    let class = if refuses { "finding refused" } else { "finding" };
    html! {
        <div {class}>
            <p><b>{ if refuses { words.refused } else { words.discouraged } }</b>{ " " }{ rule }
                if !finding.about.is_empty() { { " " }<code>{ super::shared::one_line(&finding.about, 120) }</code> }
            </p>
            <p class="hint">{ why }</p>
        </div>
    }
}

/// The mark of a message in which the reader had a block moved.
pub(super) fn moved(language: Language) -> Html {
    html! { <span class="badge">{ words::of(language).moved }</span> }
}
