//! The settings dialog: the live endpoint. The key stays in memory; nothing here is stored.

use super::checks::words as checks;
use super::shared::{Extra, button};
use super::state::{Action, Source, View, use_page};
use crate::fault::Fault;
use crate::runtime::Snapshot;
use crate::runtime::endpoint::{Endpoint, Key};
use crate::wire::anthropic::{self, Auth};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

pub(super) fn settings(view: &Rc<View>, _: &Rc<Snapshot>) -> Html {
    html! { <Settings view={view.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    view: Rc<View>,
}

/// What was typed stays here while the dialog is closed: Escape is no Cancel.
#[component]
fn Settings(props: &Props) -> Html {
    let page = use_page();
    let (text, view) = (page.text, &props.view);
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
        Callback::from(move |event: InputEvent| {
            *key_of.borrow_mut() = typed.origin();
            *taken_out.borrow_mut() = false;
            set.emit(event);
        })
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
    let words = checks::of(view.language);
    let set_strict = {
        let page = page.clone();
        move |event: Event| {
            let strict = event.target_unchecked_into::<web_sys::HtmlInputElement>().checked();
            page.ports.set_strict.emit(strict);
            page.dispatch.dispatch(Action::SetStrict(strict));
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
                        return page.dispatch.dispatch(Action::UseEndpoint((*typed).clone(), prepared));
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
        Callback::from(move |_| {
            *key_of.borrow_mut() = before.origin();
            *taken_out.borrow_mut() = false;
            typed.set(before.clone());
            fault.set(None);
            close.emit(());
        })
    };
    let scripted = {
        let (page, scenario) = (page.clone(), view.script.clone());
        Callback::from(move |_| {
            page.ports.use_model.emit(Source::Scripted(scenario.clone()));
            page.dispatch.dispatch(Action::UseScripted);
            page.dispatch.dispatch(Action::OpenSettings(false));
        })
    };
    let wrong = (*fault).as_ref().map(|fault| (field_of(fault), (text.fault)(fault, false)));
    // What is wrong stands at its field, in place of what there is to know about that.
    let field = |id: &'static str,
                 name: &'static str,
                 kind: &'static str,
                 label: &'static str,
                 value: &str,
                 hint: Html,
                 oninput| {
        let wrong = wrong.as_ref().filter(|(of, _)| *of == name);
        let (class, hint) = match wrong {
            Some((_, (what, advice))) => ("fault", html! { <span role="alert">{ what }{ " " }{ advice }</span> }),
            None => ("hint", hint),
        };
        let tokens = name == "max_tokens";
        let described = format!("{id}-hint");
        html! {
            <>
                <label for={id}>{ label }</label>
                <input {id} {name} type={kind} autocomplete="off" spellcheck="false" value={value.to_string()} aria-invalid={wrong.map(|_| "true")}
                    aria-describedby={described.clone()} placeholder={tokens.then_some(text.lesson_default)} inputmode={tokens.then_some("numeric")} {oninput}
                    onchange={ let forget_key = forget_key.clone(); move |_: Event| forget_key() } />
                <p id={described} {class}>{ hint }</p>
            </>
        }
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
                { field("base-url", "base_url", "url", text.base_url, &typed.base_url, final_url, set(|endpoint, value| endpoint.base_url = value)) }
                { field("model-name", "model", "text", text.model_name, &typed.model, html! {}, set(|endpoint, value| endpoint.model = value)) }
                { field("key", "key", "password", text.key, &typed.key.0, text.key_hint.into(), set_key) }
                { field("max-tokens", "max_tokens", "text", text.max_tokens, &typed.max_tokens, html! {}, set(|endpoint, value| endpoint.max_tokens = value)) }
                <label for="auth">{ text.auth }</label>
                <select id="auth" onchange={set_auth}>
                    { for AUTHS.iter().zip(["x-api-key", "Authorization: Bearer", text.no_auth]).map(|(auth, name)| html! {
                        <option key={name} selected={*auth == typed.auth}>{ name }</option>
                    }) }
                </select>
                <label class="check"><input type="checkbox" checked={typed.vendor_headers} onchange={set_vendor} /><span>{ text.vendor_headers }</span></label>
                <p class="hint">{ text.vendor_headers_hint }</p>
                <div class="answers">
                    { button("", text.cancel.into(), Extra::default(), cancel) }
                    if view.endpoint.is_some() { { button("", text.back_to_scripted.into(), Extra::default(), scripted) } }
                    <button type="submit" class="primary">{ text.use_endpoint }</button>
                </div>
            </form>
            <label class="check"><input type="checkbox" checked={view.strict} onchange={set_strict} /><span>{ words.strict }</span></label>
            <p class="hint">{ words.strict_hint }</p>
            <p class="hint"><a href="./notices.html" target="_blank" rel="noopener">{ text.licences }</a></p>
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
