//! The inspector: the message list, the request as sent, the files; all at the cursor.

use super::later::part;
use super::messages::Messages;
use super::shared::tabs;
use super::state::{Action, ContextValue, Tab, View};
use crate::runtime::Snapshot;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn inspector(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let titles = [
        (Tab::Messages, text.messages),
        (Tab::Request, text.request),
        (Tab::Files, text.files),
        (Tab::Terminal, text.terminal),
        (Tab::Gates, text.gates),
    ];
    let place = titles.iter().position(|(tab, _)| *tab == view.tab).unwrap_or(0);
    let choose = page.dispatch.clone();
    let choose = Callback::from(move |place: usize| choose.dispatch(Action::ShowTab(titles[place].0)));
    html! {
        <>
            <header class="pane-head">
                <h2>{ text.inspector }</h2>
                { tabs(text.inspector, "inspector-panel", &titles.map(|(_, title)| title), place, choose) }
            </header>
            <div class="inspector-scroll" role="tabpanel" id="inspector-panel" aria-labelledby={format!("inspector-panel-{place}")} tabindex="0">
                { match view.tab {
                    Tab::Messages => html! {
                        <Messages snapshot={snapshot.clone()} cursor={view.cursor} reveal={view.reveal} language={view.language}
                            parts={page.parts.and_then(Result::ok)} />
                    },
                    Tab::Request => part(page, |parts| (parts.request)(view, snapshot)),
                    Tab::Files => part(page, |parts| (parts.files)(view, snapshot)),
                    Tab::Terminal => part(page, |parts| (parts.terminal)(view, snapshot)),
                    Tab::Gates => part(page, |parts| (parts.gates)(view, snapshot)),
                } }
            </div>
        </>
    }
}
