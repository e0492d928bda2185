//! The last request up to the cursor: where it went, its headers without the key, its exact body.

use super::shared::{Extra, Fold, LongText, button, size};
use super::state::{View, use_page};
use crate::agent::{RequestId, Step};
use crate::message::Json;
use crate::runtime::Snapshot;
use crate::timeline::{Cursor, Timeline};
use crate::wire::anthropic::Encoder;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn request(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    html! { <Request snapshot={snapshot.clone()} cursor={view.cursor} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    snapshot: Rc<Snapshot>,
    cursor: Cursor,
}

#[component]
fn Request(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let timeline = &props.snapshot.timeline;
    let Some((request, place)) = last_request(timeline, props.cursor) else {
        return html! { <p class="empty">{ text.no_request }</p> };
    };
    let head = match timeline.stops().get(place).and_then(|stop| stop.after.address()) {
        None => html! { <p class="hint">{ text.scripted_request }</p> },
        Some(address) => html! {
            <>
                <p class="where"><code>{ format!("POST {}", address.url) }</code></p>
                <ul class="headers">
                    { for address.headers.iter().map(|(name, value)| {
                        html! { <li key={name.clone()}><code>{ name }</code>{ ": " }{ value.clone().unwrap_or_else(|| text.hidden.to_string()) }</li> }
                    }) }
                </ul>
            </>
        },
    };
    html! {
        <div class="request">
            <h3>{ (text.request_number)(request) }</h3>
            { head }
            <Body timeline={timeline.clone()} {place} {request} />
        </div>
    }
}

fn last_request(timeline: &Timeline, cursor: Cursor) -> Option<(RequestId, usize)> {
    let end = timeline.place(cursor)? + 1;
    (0..end).rev().find_map(|place| match timeline.stops().get(place)?.step {
        Step::Request { request, .. } => Some((request, place)),
        _ => None,
    })
}

#[derive(Properties)]
struct BodyProps {
    timeline: Timeline,
    place: usize,
    request: RequestId,
}

impl PartialEq for BodyProps {
    fn eq(&self, other: &Self) -> bool {
        // A request changes only while it is held back, and then its stop is another.
        let stop = |props: &Self| props.timeline.stops().get(props.place).map(Rc::as_ptr);
        self.request == other.request && stop(self) == stop(other)
    }
}

/// The body: its parts for reading, and the text as sent.
#[component]
fn Body(props: &BodyProps) -> Html {
    let page = use_page();
    let text = page.text;
    let raw = use_state(|| false);
    let Some(stop) = props.timeline.stops().get(props.place) else { return html! {} };
    let body: Rc<str> = Encoder::default().body(&stop.after.request(), true).into();
    let toggle = {
        let raw = raw.clone();
        Callback::from(move |_| raw.set(!*raw))
    };
    let pressed = Extra { pressed: Some(*raw), ..Extra::default() };
    let copy = {
        let (page, body) = (page.clone(), body.clone());
        Callback::from(move |_| page.ports.copy.emit(body.to_string()))
    };
    html! {
        <>
            <p class="request-tools">
                <span class="size">{ size(body.len()) }</span>
                { button("quiet", text.as_sent.into(), pressed, toggle) }
                { button("quiet", text.copy.into(), Extra::default(), copy) }
            </p>
            if *raw {
                <LongText text={body} />
            } else {
                { parts(&body) }
            }
            <p class="hint">{ text.stream_note }</p>
        </>
    }
}

/// The body's fields, each folded; the short ones in a line.
fn parts(body: &str) -> Html {
    let fields = serde_json::from_str(body).map(|value: Json| value.as_object().cloned().unwrap_or_default());
    fields
        .unwrap_or_default()
        .into_iter()
        .map(|(name, value)| match &value {
            Json::Array(items) => {
                let summary = html! { <><code>{ &name }</code>{ " " }<span class="count">{ items.len() }</span></> };
                let whole = value.clone();
                let body = Callback::from(move |()| html! { <LongText text={super::call::pretty(&whole)} /> });
                html! { <Fold key={name.clone()} class="part" {summary} {body} /> }
            }
            other => html! { <p key={name.clone()} class="part"><code>{ &name }</code><span>{ other.to_string() }</span></p> },
        })
        .collect()
}
