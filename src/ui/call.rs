//! A call as the transcript shows it: the tool, its input in short, the result, both whole when unfolded.

use super::shared::{Fold, LongText, one_line, size, tail};
use super::state::use_page;
use super::text::Text;
use crate::agent::Outcome;
use crate::message::{Json, ToolCall};
use crate::runtime::shell::Running;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) call: super::shared::Same<ToolCall>,
    /// The result, once there is one.
    pub(super) result: Option<(super::shared::Same<str>, Outcome)>,
    /// Whether it is being run.
    pub(super) running: bool,
    /// Whether the reader is asked about it.
    pub(super) asked: bool,
    /// Whether its turn is over.
    pub(super) over: bool,
    /// What a command that is being run has told so far.
    #[prop_or_default]
    pub(super) told: Option<Rc<Running>>,
}

#[component]
pub(super) fn Call(props: &Props) -> Html {
    let text = use_page().text;
    let call = &props.call;
    let (class, state) = match &props.result {
        Some((output, Outcome::Ran)) if output.starts_with("Error") => ("failed", text.call_failed),
        Some((_, Outcome::Ran)) => ("ran", text.call_ran),
        Some((_, Outcome::Blocked)) => ("blocked", text.call_blocked),
        Some((_, Outcome::NotRun)) => ("not-run", text.call_not_run),
        None if props.asked => ("asked", text.call_asked),
        None if props.running => ("running", text.call_running),
        None if props.over => ("not-run", text.call_not_run),
        None => ("queued", text.call_queued),
    };
    let short = props.result.as_ref().map(|(output, _)| one_line(output, 80)).filter(|line| !line.is_empty());
    let summary = html! {
        <>
            <span class="tool">{ &call.name }</span>
            <span class="input">{ in_short(&call.input) }</span>
            <span class="state">{ state }</span>
            if let Some(short) = short { <span class="result-line">{ short }</span> }
        </>
    };
    let (call, result) = (call.clone(), props.result.clone());
    let body = Callback::from(move |()| {
        html! {
            <>
                <h4>{ text.input }<code>{ &call.id }</code></h4>
                <LongText text={pretty(&call.input)} />
                if let Some((output, _)) = &result {
                    <h4>{ text.result }</h4>
                    if output.is_empty() { <p class="hint">{ text.empty_result }</p> } else { <LongText text={output.0.clone()} /> }
                }
            </>
        }
    });
    html! {
        <>
            <Fold class={classes!("call", class)} {summary} {body} />
            if let Some(told) = &props.told { { running(told, text) } }
        </>
    }
}

/// A command that is being run: what it waits for, and the last of its output.
pub(super) fn running(told: &Running, text: &Text) -> Html {
    html! {
        <div class="call-told">
            if let Some(loading) = &told.loading {
                <p class="loading" role="status">{ (text.loading)(loading.part, &size(loading.loaded as usize)) }</p>
            }
            if !told.output.is_empty() { <pre>{ tail(&told.output, 600).to_string() }</pre> }
        </div>
    }
}

/// A call's input in a line. It takes any JSON: a model can send anything.
fn in_short(input: &Json) -> String {
    let value = |value: &Json| match value {
        Json::String(text) => one_line(text, 48),
        Json::Array(items) => format!("[{}]", items.len()),
        other => one_line(&other.to_string(), 48),
    };
    match input {
        Json::Object(fields) => fields.values().take(2).map(value).collect::<Vec<_>>().join(" · "),
        other => value(other),
    }
}

/// JSON for reading.
pub(super) fn pretty(value: &Json) -> Rc<str> {
    match value {
        Json::String(text) => text.as_str().into(),
        other => serde_json::to_string_pretty(other).unwrap_or_default().into(),
    }
}
