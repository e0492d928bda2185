//! The permission question. It is no modal: the reader may look at everything before answering.

use super::shared::{Extra, LongText, button};
use super::state::use_page;
use crate::agent::{CallKey, Phase};
use crate::runtime::{Command, Snapshot};
use crate::timeline::Cursor;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) snapshot: Rc<Snapshot>,
    /// Whether its pane is the one that a narrow screen shows.
    pub(super) shown: bool,
}

#[component]
pub(super) fn Permission(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let deny = use_node_ref();
    let asking = match &props.snapshot.timeline.live().phase {
        Phase::AwaitingPermission { round, questions, .. } => {
            questions.first().cloned().zip(round.call().cloned()).map(|(question, call)| (round.key(), question, call))
        }
        _ => None,
    };
    {
        // The safe answer has the focus, so that an Enter out of habit allows nothing.
        let (deny, key) = (deny.clone(), asking.as_ref().map(|(key, question, _)| (*key, question.clone())));
        use_effect_with((key, props.shown), move |(key, _)| {
            if key.is_some()
                && let Some(button) = deny.cast::<web_sys::HtmlElement>()
            {
                button.focus().ok();
            }
        });
    }
    let Some((key, question, call)) = asking else { return html! {} };
    let answer = |allowed: bool| {
        let page = page.clone();
        Callback::from(move |_| {
            page.ports.send.emit(Command::Answer { call: key as CallKey, allowed });
            page.go(Cursor::Live);
        })
    };
    html! {
        <div class="permission" role="alertdialog" aria-labelledby="permission-title" aria-describedby="permission-what">
            <h3 id="permission-title">{ text.permission_title }</h3>
            <div id="permission-what" tabindex="0">
                <p>{ (text.permission_question)(&call.name, &question.about) }</p>
                <p class="hint">{ (text.permission_words)(&question.heading) }</p>
                <LongText text={super::call::pretty(&call.input)} />
            </div>
            <div class="answers">
                <button type="button" ref={deny} onclick={answer(false)}>{ text.deny }</button>
                { button("primary", text.allow.into(), Extra::default(), answer(true)) }
            </div>
        </div>
    }
}
