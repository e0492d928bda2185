//! The inspector: the message list, the request as sent, the files; all at the cursor.

use super::later::{NotThere, Parts};
use super::messages::Messages;
use super::state::{Action, ContextValue, Tab, View};
use crate::runtime::Snapshot;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

pub(super) fn inspector(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let tabs = [
        (Tab::Messages, text.messages),
        (Tab::Request, text.request),
        (Tab::Files, text.files),
        (Tab::Terminal, text.terminal),
    ];
    let onkeydown = {
        let (page, now) = (page.clone(), view.tab);
        move |event: KeyboardEvent| {
            let place = tabs.iter().position(|(tab, _)| *tab == now).unwrap_or(0);
            let next = match event.key().as_str() {
                "ArrowRight" => (place + 1) % tabs.len(),
                "ArrowLeft" => (place + tabs.len() - 1) % tabs.len(),
                "Home" => 0,
                "End" => tabs.len() - 1,
                _ => return,
            };
            event.prevent_default();
            page.dispatch.dispatch(Action::ShowTab(tabs[next].0));
            // The focus goes with the selection, as the tab pattern asks.
            // Yew's handlers sit at the page's root, so the list is found from the tab that has the focus.
            let list = event.target_dyn_into::<web_sys::Element>().and_then(|tab| tab.parent_element());
            let button = list.and_then(|list| list.children().item(next as u32));
            if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
                button.focus().ok();
            }
        }
    };
    html! {
        <>
            <header class="pane-head">
                <h2>{ text.inspector }</h2>
                <div class="tabs" role="tablist" aria-label={text.inspector} {onkeydown}>
                    { for tabs.iter().map(|(tab, title)| {
                        let (tab, selected) = (*tab, *tab == view.tab);
                        let onclick = page.press(Action::ShowTab(tab));
                        html! {
                            <button key={*title} type="button" role="tab" id={format!("tab-{tab:?}")} aria-selected={selected.to_string()}
                                aria-controls="inspector-panel" tabindex={if selected { "0" } else { "-1" }} {onclick}>{ *title }</button>
                        }
                    }) }
                </div>
            </header>
            <div class="inspector-scroll" role="tabpanel" id="inspector-panel" aria-labelledby={format!("tab-{:?}", view.tab)} tabindex="0">
                { match view.tab {
                    Tab::Messages => html! { <Messages snapshot={snapshot.clone()} cursor={view.cursor} reveal={view.reveal} /> },
                    Tab::Request => later(page, |parts| (parts.request)(view, snapshot)),
                    Tab::Files => later(page, |parts| (parts.files)(view, snapshot)),
                    Tab::Terminal => later(page, |parts| (parts.terminal)(view, snapshot)),
                } }
            </div>
        </>
    }
}

/// A part that loads when it is first shown, or what is to be said of it instead.
fn later(page: &ContextValue, draw: impl FnOnce(&Parts) -> Html) -> Html {
    match &page.parts {
        Some(Ok(parts)) => draw(parts),
        Some(Err(NotThere)) => html! { <p class="fault" role="alert">{ page.text.part_not_loaded }</p> },
        None => html! { <p class="hint">{ page.text.part_loads }</p> },
    }
}
