//! The two gates of a plan call: what the tool's schema and its handler say of the same input, side by side.

mod input;
mod words;

use super::shared::{LongText, one_line};
use super::state::View;
use crate::gates::schema::Violation;
use crate::gates::{Complaint, Gates, Item, Opinion, Row, examine};
use crate::language::Language;
use crate::message::Json;
use crate::runtime::Snapshot;
use input::Chosen;
use std::rc::Rc;
use words::Words;
use yew::prelude::*;

pub(super) fn gates(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    html! { <input::Gates language={view.language} timeline={snapshot.timeline.clone()} cursor={view.cursor} /> }
}

/// What both gates say of the chosen input.
fn verdicts(chosen: &Chosen, language: Language) -> Html {
    let words = words::of(language);
    let Some(gates) = examine(&chosen.lesson, &chosen.input) else {
        return html! { <p class="empty">{ words.no_plan }</p> };
    };
    let function = chosen.lesson.plan.as_ref().map(|plan| plan.tool.clone()).unwrap_or_default();
    html! {
        <>
            { answers(&gates, &function, words) }
            <table class="gates-rows">
                <thead><tr><th scope="col">{ words.asked }</th><th scope="col">{ words.schema }</th><th scope="col">{ words.handler }</th></tr></thead>
                { for Row::ALL.into_iter().zip(&gates.rows).map(|(row, (schema, handler))| {
                    let (name, why) = (words.row)(row);
                    html! {
                        <tbody key={name}>
                            <tr>
                                <th scope="row">{ name }</th>
                                <td>{ opinion(schema, words) }</td>
                                <td>{ opinion(handler, words) }</td>
                            </tr>
                            <tr class="why"><td colspan="3">{ why }</td></tr>
                        </tbody>
                    }
                }) }
            </table>
            if !gates.schema.unknown.is_empty() {
                <p class="hint">{ (words.unknown)(&gates.schema.unknown.join(", ")) }</p>
            }
            { items(&gates.items, words) }
        </>
    }
}

/// The two verdicts on the whole call.
fn answers(gates: &Gates, tool: &str, words: &Words) -> Html {
    let (read, replaced) = &gates.handler;
    let valid = gates.schema.violations.is_empty();
    html! {
        <div class="gates-answers" role="status">
            <section>
                <h3>{ words.schema }</h3>
                <p class={if valid { "passes" } else { "refuses" }}><b>{ if valid { words.valid } else { words.invalid } }</b></p>
                <p class="hint">{ (words.enforced)(tool) }</p>
            </section>
            <section>
                <h3>{ words.handler }</h3>
                <p class={if *replaced { "passes" } else { "refuses" }}><b>{ if *replaced { words.replaced } else { words.kept } }</b></p>
                <p class="hint">{ words.model_reads }</p>
                <LongText text={read.clone()} />
            </section>
        </div>
    }
}

/// A gate's opinion: a sign, a word, and what it has against the input.
fn opinion(opinion: &Opinion, words: &Words) -> Html {
    let (class, sign, said) = match opinion {
        Opinion::Passes => ("passes", "✓", words.passes),
        Opinion::Refuses(_) => ("refuses", "✗", words.refuses),
        Opinion::Silent => ("silent", "–", words.silent),
        Opinion::Blind => ("silent", "?", words.blind),
    };
    let found: &[Complaint] = if let Opinion::Refuses(found) = opinion { found } else { &[] };
    html! {
        <>
            <span {class}><span aria-hidden="true">{ sign }{ " " }</span>{ said }</span>
            if !found.is_empty() {
                <ul>
                    { for found.iter().take(MOST).enumerate().map(|(i, one)| html! { <li key={i}>{ complaint(one) }</li> }) }
                    if found.len() > MOST { <li>{ (words.more)(found.len() - MOST) }</li> }
                </ul>
            }
        </>
    }
}

/// How many complaints of a kind are shown.
const MOST: usize = 4;

fn complaint(complaint: &Complaint) -> Html {
    match complaint {
        Complaint::Handler(text) => html! { <q>{ text.clone() }</q> },
        Complaint::Schema(Violation { path, keyword, wanted }) => {
            let place = path.iter().fold(String::new(), |place, name| match name.parse::<usize>() {
                Ok(i) => format!("{place}[{i}]"),
                Err(_) if place.is_empty() => name.clone(),
                Err(_) => format!("{place}.{name}"),
            });
            html! { <code>{ place }{ " " }<b>{ keyword.clone() }</b>{ " " }{ one_line(&wanted.to_string(), 60) }</code> }
        }
    }
}

/// Each item, and what the gates say of it alone.
fn items(items: &[Item], words: &Words) -> Html {
    if items.is_empty() {
        return html! {};
    }
    html! {
        <table class="gates-rows gates-items">
            <caption>{ words.item_by_item }</caption>
            <thead><tr><th scope="col">{ words.item }</th><th scope="col">{ words.schema }</th><th scope="col">{ words.handler }</th></tr></thead>
            <tbody>
                { for items.iter().enumerate().take(SHOWN).map(|(i, item)| html! {
                    <tr key={i}>
                        <th scope="row"><code>{ format!("[{i}] ") }{ one_line(&item.shown, 90) }</code></th>
                        <td>{ opinion(&item.schema, words) }</td>
                        <td>{ opinion(&item.handler, words) }</td>
                    </tr>
                }) }
            </tbody>
            if items.len() > SHOWN { <tfoot><tr><td colspan="3">{ (words.more)(items.len() - SHOWN) }</td></tr></tfoot> }
        </table>
    }
}

/// How many items are shown: more than any lesson takes.
const SHOWN: usize = 30;

/// A text as JSON, or where and why it is none.
fn parse(typed: &str) -> Result<Json, String> {
    serde_json::from_str(typed).map_err(|error| error.to_string())
}
