//! The prompt box, with the lesson's own prompts as suggestions.

use super::state::{Action, View, send, use_page};
use crate::runtime::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) view: Rc<View>,
    pub(super) snapshot: Rc<Snapshot>,
}

#[component]
pub(super) fn Composer(props: &Props) -> Html {
    let page = use_page();
    let (text, view) = (page.text, &props.view);
    let open = props.snapshot.timeline.live().takes_prompt();
    // Committed on every input: yew writes the value back on each render, which would break an input method's composition.
    let oninput = {
        let page = page.clone();
        move |event: InputEvent| {
            let field = event.target_unchecked_into::<web_sys::HtmlTextAreaElement>();
            page.dispatch.dispatch(Action::SetPrompt(field.value()));
        }
    };
    let submit = {
        let (page, view, snapshot) = (page.clone(), view.clone(), props.snapshot.clone());
        Callback::from(move |()| send(&page, &snapshot, &view.prompt, false))
    };
    let onkeydown = {
        let submit = submit.clone();
        move |event: KeyboardEvent| {
            // The Enter that ends a composition is not one that sends; Safari tells it only by the key code 229.
            let composing = event.is_composing() || event.key_code() == 229;
            if event.key() == "Enter" && !event.shift_key() && !composing {
                event.prevent_default();
                submit.emit(());
            }
        }
    };
    let suggestions = suggestions(view).into_iter().map(|(prompt, known)| {
        let onclick = {
            let (page, prompt) = (page.clone(), prompt.clone());
            move |_| page.dispatch.dispatch(Action::SetPrompt(prompt.clone()))
        };
        let title = if known { "" } else { text.needs_endpoint };
        html! {
            <li key={prompt.clone()}>
                <button type="button" class="suggestion" {onclick} {title}>
                    { &prompt }
                    if !known { <small>{ text.needs_endpoint }</small> }
                </button>
            </li>
        }
    });
    html! {
        <form class="composer" onsubmit={ let submit = submit.clone(); move |event: SubmitEvent| { event.prevent_default(); submit.emit(()); } }>
            if open {
                <details class="suggestions">
                    <summary>{ text.suggestions }</summary>
                    <ul>{ for suggestions }</ul>
                </details>
            }
            <label for="prompt">{ text.prompt }</label>
            <div class="prompt-row">
                <textarea id="prompt" rows="3" value={view.prompt.clone()} {oninput} {onkeydown} placeholder={text.prompt_placeholder} />
                <button type="submit" class="primary" disabled={!open || view.prompt.trim().is_empty()}>{ text.send }</button>
            </div>
            if !open {
                <p class="hint">{ text.wait_for_turn }</p>
            } else {
                <p class="hint">{ text.enter_sends }</p>
            }
        </form>
    }
}

/// The prompts to suggest, each with whether the model in use has an answer to it.
fn suggestions(view: &View) -> Vec<(String, bool)> {
    let scripted = view.scenario().turns.iter().map(|turn| &turn.prompt);
    let live = view.endpoint.is_some();
    let mut prompts: Vec<(String, bool)> =
        scripted.clone().map(|prompt| (prompt.get(view.language).to_string(), true)).collect();
    for prompt in &view.lesson().prompts {
        let prompt = prompt.get(view.language);
        if prompts.iter().all(|(known, _)| known != prompt) {
            prompts.push((prompt.to_string(), live));
        }
    }
    prompts
}
