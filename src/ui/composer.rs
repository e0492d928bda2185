//! The prompt box, with the lesson's own prompts as suggestions.

use super::controls::{Status, script_over, send};
use super::shared::{Extra, button};
use super::state::{Action, View, use_page};
use super::text::Text;
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
        Callback::from(move |()| send(&page, &view, &snapshot, false))
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
    let suggestions = suggestions(view, text).into_iter().map(|(prompt, note)| {
        let label = html! { <>{ &prompt }if let Some(note) = note { <small>{ note }</small> }</> };
        let onclick = page.press(Action::Suggest(prompt.clone()));
        html! { <li key={prompt}>{ button("suggestion", label, Extra { title: note, ..Extra::default() }, onclick) }</li> }
    });
    let status = Status::of(&props.snapshot);
    let empty = view.prompt.trim().is_empty();
    // Why a button is grey, or what it waits for, stays in sight on the smallest screen.
    let (class, hint) = match status {
        Status::Pausing => ("hint", text.pausing_hint),
        _ if !open => ("hint how", text.wait_for_turn),
        _ if script_over(view, &props.snapshot) => ("hint", text.script_over),
        Status::Idle if empty => ("hint", text.prompt_empty),
        _ => ("hint how", text.enter_sends),
    };
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
                <button type="submit" class="primary" disabled={!open || empty || view.loading.is_some()}>{ text.send }</button>
            </div>
            <p {class} role="status">{ hint }</p>
        </form>
    }
}

/// The prompts to suggest, each with a note: what the reader had typed, the script's, and those of the lesson that need
/// a real model.
fn suggestions(view: &View, text: &Text) -> Vec<(String, Option<&'static str>)> {
    let own = view.set_aside.iter().map(|own| (own.clone(), Some(text.set_aside)));
    let scripted = view.script.turns.iter().map(|turn| (turn.prompt.get(view.language).to_string(), None));
    let mut prompts: Vec<_> = own.chain(scripted).collect();
    let note = view.endpoint.is_none().then_some(text.needs_endpoint);
    for prompt in &view.lesson().prompts {
        let prompt = prompt.get(view.language);
        if prompts.iter().all(|(known, _)| known != prompt) {
            prompts.push((prompt.to_string(), note));
        }
    }
    prompts
}
