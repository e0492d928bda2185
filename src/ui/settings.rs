//! The settings dialog: the live endpoint. The key stays in memory; nothing here is stored.

use super::state::{Action, Source, View, use_page};
use crate::agent::RequestId;
use crate::fault::Fault;
use crate::runtime::endpoint::{Endpoint, Key};
use crate::wire::anthropic::{self, Auth};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) view: Rc<View>,
    /// The request that is held back, or 0.
    pub(super) held: RequestId,
}

/// What was typed stays here while the dialog is closed: Escape is no Cancel.
#[component]
pub(super) fn Settings(props: &Props) -> Html {
    let page = use_page();
    let (text, view, held) = (page.text, &props.view, props.held);
    let open = view.settings_open;
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(open, move |&open| {
            if let Some(dialog) = node.cast::<web_sys::HtmlDialogElement>()
                && dialog.open() != open
            {
                // A dialog that cannot be shown is already shown.
                if open {
                    dialog.show_modal().ok();
                } else {
                    dialog.close();
                }
            }
        });
    }
    let typed = use_state(|| view.typed.clone());
    let fault = use_state(|| None::<Fault>);
    // The origin that the key was typed for: it is not sent to another.
    let key_of = use_mut_ref(|| view.typed.origin());
    // A key that was just taken out must be said before anything is sent without it.
    let taken_out = use_mut_ref(|| false);
    let close = {
        let page = page.clone();
        Callback::from(move |()| page.dispatch.dispatch(Action::OpenSettings(false)))
    };
    let onclose = close.reform(|_: Event| ());
    if !open {
        return html! { <dialog ref={node} class="settings" {onclose} /> };
    }

    let forget_key = {
        let (typed, key_of, fault, taken_out) = (typed.clone(), key_of.clone(), fault.clone(), taken_out.clone());
        move || {
            // An address that is none has no origin yet, and says nothing about the key.
            let Some(origin) = typed.origin() else { return };
            let before = key_of.replace(Some(origin.clone()));
            if before.is_some_and(|before| before != origin) && !typed.key.0.is_empty() {
                *taken_out.borrow_mut() = true;
                typed.set(Endpoint { key: Key::default(), ..(*typed).clone() });
                fault.set(Some(Fault::Settings { field: "key".into(), rule: "other_host".into() }));
            }
        }
    };
    let set = |change: fn(&mut Endpoint, String)| {
        let (typed, fault) = (typed.clone(), fault.clone());
        Callback::from(move |event: InputEvent| {
            let mut next = (*typed).clone();
            change(&mut next, event.target_unchecked_into::<web_sys::HtmlInputElement>().value());
            typed.set(next);
            fault.set(None);
        })
    };
    let set_key = {
        let set = set(|endpoint, value| endpoint.key = Key(value));
        let (typed, key_of, taken_out) = (typed.clone(), key_of.clone(), taken_out.clone());
        move |event: InputEvent| {
            *key_of.borrow_mut() = typed.origin();
            *taken_out.borrow_mut() = false;
            set.emit(event);
        }
    };
    let set_auth = {
        let typed = typed.clone();
        move |event: Event| {
            let place =
                event.target_unchecked_into::<web_sys::HtmlSelectElement>().selected_index().clamp(0, 2) as usize;
            typed.set(Endpoint { auth: AUTHS[place], ..(*typed).clone() });
        }
    };
    let set_vendor = {
        let typed = typed.clone();
        move |event: Event| {
            let checked = event.target_unchecked_into::<web_sys::HtmlInputElement>().checked();
            typed.set(Endpoint { vendor_headers: checked, ..(*typed).clone() });
        }
    };
    let onsubmit = {
        let (page, typed, fault, forget_key) = (page.clone(), typed.clone(), fault.clone(), forget_key.clone());
        let taken_out = taken_out.clone();
        move |event: SubmitEvent| {
            event.prevent_default();
            forget_key();
            let wrong = match taken_out.replace(false) {
                true => "key".to_string(),
                false => match typed.prepare() {
                    Ok(prepared) => {
                        page.ports.use_model.emit(Source::Endpoint(prepared.clone()));
                        return page.dispatch.dispatch(Action::UseEndpoint((*typed).clone(), prepared, held));
                    }
                    Err(wrong) => {
                        let field = field_of(&wrong).to_string();
                        fault.set(Some(wrong));
                        field
                    }
                },
            };
            let form = event.target_dyn_into::<web_sys::Element>();
            let field = form.and_then(|form| form.query_selector(&format!("[name={wrong}]")).ok().flatten());
            if let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlElement>().ok()) {
                field.focus().ok();
            }
        }
    };
    let cancel = {
        let (typed, fault, before) = (typed.clone(), fault.clone(), view.typed.clone());
        move |_| {
            *key_of.borrow_mut() = before.origin();
            *taken_out.borrow_mut() = false;
            typed.set(before.clone());
            fault.set(None);
            close.emit(());
        }
    };
    let scripted = {
        let (page, scenario) = (page.clone(), view.scenario().clone());
        move |_| {
            page.ports.use_model.emit(Source::Scripted(scenario.clone()));
            page.dispatch.dispatch(Action::UseScripted(held));
            page.dispatch.dispatch(Action::OpenSettings(false));
        }
    };
    let wrong = (*fault).as_ref().map(|fault| (field_of(fault), (text.fault)(fault, false)));
    let is_wrong = |field: &str| wrong.as_ref().is_some_and(|(of, _)| *of == field);
    let invalid = |field: &str| is_wrong(field).then_some("true");
    let described = |field: &str, hint| if is_wrong(field) { Some("settings-fault") } else { hint };
    // What is wrong stands at its field, in place of what there is to know about that.
    let below = |field: &str, hint: Html| match &wrong {
        Some((of, (what, advice))) if *of == field => {
            html! { <p id="settings-fault" class="fault" role="alert">{ what }{ " " }{ advice }</p> }
        }
        _ => hint,
    };
    let final_url = match anthropic::url(&typed.base_url) {
        Ok(url) => html! { <>{ text.final_url }{ " " }<code>{ url }</code></> },
        Err(fault) => (text.fault)(&fault, false).0.into(),
    };
    html! {
        <dialog ref={node} class="settings" aria-labelledby="settings-title" {onclose}>
            <h2 id="settings-title">{ text.settings_title }</h2>
            <form {onsubmit} novalidate=true>
                <p class="hint">{ text.settings_intro }</p>
                <label for="base-url">{ text.base_url }</label>
                <input id="base-url" name="base_url" type="url" inputmode="url" autocomplete="off" spellcheck="false" value={typed.base_url.clone()}
                    aria-invalid={invalid("base_url")} aria-describedby={described("base_url", Some("final-url"))}
                    oninput={set(|endpoint, value| endpoint.base_url = value)} onchange={ let forget_key = forget_key.clone(); move |_: Event| { forget_key(); } } />
                { below("base_url", html! { <p id="final-url" class="hint">{ final_url }</p> }) }
                <label for="model-name">{ text.model_name }</label>
                <input id="model-name" name="model" autocomplete="off" spellcheck="false" value={typed.model.clone()}
                    aria-invalid={invalid("model")} aria-describedby={described("model", None)} oninput={set(|endpoint, value| endpoint.model = value)} />
                { below("model", html! {}) }
                <label for="key">{ text.key }</label>
                <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" value={typed.key.0.clone()}
                    aria-invalid={invalid("key")} aria-describedby={described("key", Some("key-hint"))} oninput={set_key} />
                { below("key", html! { <p id="key-hint" class="hint">{ text.key_hint }</p> }) }
                <label for="max-tokens">{ text.max_tokens }</label>
                <input id="max-tokens" name="max_tokens" inputmode="numeric" autocomplete="off" placeholder={text.lesson_default} value={typed.max_tokens.clone()}
                    aria-invalid={invalid("max_tokens")} aria-describedby={described("max_tokens", None)} oninput={set(|endpoint, value| endpoint.max_tokens = value)} />
                { below("max_tokens", html! {}) }
                <label for="auth">{ text.auth }</label>
                <select id="auth" onchange={set_auth}>
                    { for AUTHS.iter().zip(["x-api-key", "Authorization: Bearer", text.no_auth]).map(|(auth, name)| html! {
                        <option key={name} selected={*auth == typed.auth}>{ name }</option>
                    }) }
                </select>
                <label class="check"><input type="checkbox" checked={typed.vendor_headers} onchange={set_vendor} /><span>{ text.vendor_headers }</span></label>
                <p class="hint">{ text.vendor_headers_hint }</p>
                <div class="answers">
                    <button type="button" onclick={cancel}>{ text.cancel }</button>
                    if view.endpoint.is_some() { <button type="button" onclick={scripted}>{ text.back_to_scripted }</button> }
                    <button type="submit" class="primary">{ text.use_endpoint }</button>
                </div>
            </form>
        </dialog>
    }
}

const AUTHS: [Auth; 3] = [Auth::XApiKey, Auth::Bearer, Auth::None];

/// The field that a fault is about, by its name in the form.
fn field_of(fault: &Fault) -> &str {
    match fault {
        Fault::Settings { field, .. } => field,
        _ => "",
    }
}
