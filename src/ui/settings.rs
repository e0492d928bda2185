//! The settings dialog: the live endpoint. The key stays in memory; nothing here is stored.

use super::state::{Action, Source, View, use_page};
use crate::fault::Fault;
use crate::runtime::endpoint::{Endpoint, Key};
use crate::wire::anthropic::{self, Auth};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) view: Rc<View>,
}

#[component]
pub(super) fn Settings(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let open = props.view.settings_open;
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
    let onclose = {
        let page = page.clone();
        move |_: Event| page.dispatch.dispatch(Action::OpenSettings(false))
    };
    html! {
        <dialog ref={node} class="settings" aria-labelledby="settings-title" {onclose}>
            <h2 id="settings-title">{ text.settings_title }</h2>
            if open { <Form typed={props.view.typed.clone()} in_use={props.view.endpoint.is_some()} scenario={props.view.scenario().clone()} /> }
        </dialog>
    }
}

#[derive(Properties, PartialEq)]
struct FormProps {
    typed: Endpoint,
    in_use: bool,
    scenario: Rc<crate::scenario::Scenario>,
}

#[component]
fn Form(props: &FormProps) -> Html {
    let page = use_page();
    let text = page.text;
    let typed = {
        let typed = props.typed.clone();
        use_state(move || typed)
    };
    let fault = use_state(|| None::<Fault>);
    // The origin that the key was typed for: it is not sent to another.
    let key_of = {
        let origin = props.typed.origin();
        use_mut_ref(move || origin)
    };
    // A key that was just taken out must be said before anything is sent without it.
    let taken_out = use_mut_ref(|| false);
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
        move |event: SubmitEvent| {
            event.prevent_default();
            forget_key();
            if taken_out.replace(false) {
                return;
            }
            match typed.prepare() {
                Ok(prepared) => {
                    page.ports.use_model.emit(Source::Endpoint(prepared.clone()));
                    page.dispatch.dispatch(Action::UseEndpoint((*typed).clone(), prepared));
                }
                Err(wrong) => fault.set(Some(wrong)),
            }
        }
    };
    let cancel = {
        let page = page.clone();
        move |_| page.dispatch.dispatch(Action::OpenSettings(false))
    };
    let scripted = {
        let (page, scenario) = (page.clone(), props.scenario.clone());
        move |_| {
            page.ports.use_model.emit(Source::Scripted(scenario.clone()));
            page.dispatch.dispatch(Action::UseScripted);
            page.dispatch.dispatch(Action::OpenSettings(false));
        }
    };
    let wrong = (*fault).as_ref().map(|fault| (fault_field(fault), (text.fault)(fault)));
    let invalid = |field: &str| wrong.as_ref().is_some_and(|(of, _)| of == field).then_some("true");
    let url = anthropic::url(&typed.base_url);
    html! {
        <form {onsubmit} novalidate=true>
            <p class="hint">{ text.settings_intro }</p>
            <label for="base-url">{ text.base_url }</label>
            <input id="base-url" type="url" inputmode="url" autocomplete="off" spellcheck="false" value={typed.base_url.clone()}
                aria-invalid={invalid("base_url")} aria-describedby="final-url" oninput={set(|endpoint, value| endpoint.base_url = value)}
                onchange={ let forget_key = forget_key.clone(); move |_: Event| { forget_key(); } } />
            <p id="final-url" class="hint">
                { match &url {
                    Ok(url) => html! { <>{ text.final_url }{ " " }<code>{ url }</code></> },
                    Err(fault) => html! { { (text.fault)(fault).0 } },
                } }
            </p>
            <label for="model-name">{ text.model_name }</label>
            <input id="model-name" autocomplete="off" spellcheck="false" value={typed.model.clone()} aria-invalid={invalid("model")}
                oninput={set(|endpoint, value| endpoint.model = value)} />
            <label for="key">{ text.key }</label>
            <input id="key" type="password" autocomplete="off" spellcheck="false" value={typed.key.0.clone()} aria-invalid={invalid("key")}
                aria-describedby="key-hint" oninput={set_key} />
            <p id="key-hint" class="hint">{ text.key_hint }</p>
            <label for="max-tokens">{ text.max_tokens }</label>
            <input id="max-tokens" inputmode="numeric" autocomplete="off" placeholder={text.lesson_default} value={typed.max_tokens.clone()}
                aria-invalid={invalid("max_tokens")} oninput={set(|endpoint, value| endpoint.max_tokens = value)} />
            <label for="auth">{ text.auth }</label>
            <select id="auth" onchange={set_auth}>
                { for AUTHS.iter().zip(["x-api-key", "Authorization: Bearer", text.no_auth]).map(|(auth, name)| html! {
                    <option key={name} selected={*auth == typed.auth}>{ name }</option>
                }) }
            </select>
            <label class="check"><input type="checkbox" checked={typed.vendor_headers} onchange={set_vendor} /><span>{ text.vendor_headers }</span></label>
            <p class="hint">{ text.vendor_headers_hint }</p>
            if let Some((_, (what, advice))) = wrong { <p class="fault" role="alert">{ what }{ " " }{ advice }</p> }
            <div class="answers">
                <button type="button" onclick={cancel}>{ text.cancel }</button>
                if props.in_use { <button type="button" onclick={scripted}>{ text.back_to_scripted }</button> }
                <button type="submit" class="primary">{ text.use_endpoint }</button>
            </div>
        </form>
    }
}

const AUTHS: [Auth; 3] = [Auth::XApiKey, Auth::Bearer, Auth::None];

fn fault_field(fault: &Fault) -> String {
    match fault {
        Fault::Settings { field, .. } => field.clone(),
        _ => String::new(),
    }
}
