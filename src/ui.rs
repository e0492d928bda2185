//! The page: a function of the last snapshot and of the reader's view of it. It draws and sends commands, nothing else.
//!
//! Knows yew and the element types that event handlers need; never `platform`.

mod board;
mod call;
mod checks;
mod compare;
mod composer;
mod controls;
mod drawing;
mod files;
mod gates;
mod icon;
mod inspector;
mod later;
mod messages;
mod permission;
mod request;
mod round;
mod rules;
mod scrubber;
mod settings;
mod shared;
mod state;
mod terminal;
mod text;
mod topbar;
mod transcript;

pub use state::{Catalogue, FilesRead, Play, Ports, ScenarioLoaded, Source, Theme};

use crate::language::Language;
use crate::runtime::Snapshot;
use crate::scenario::Scenario;
use crate::timeline::Timeline;
use controls::Status;
use state::{Action, BoardTab, Pane, Tab, View};
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

/// What the page is started with.
#[derive(Clone, PartialEq, Properties)]
pub struct AppProps {
    /// The ways out of the page.
    pub ports: Rc<Ports>,
    /// The lessons and scenarios.
    pub catalogue: Rc<Catalogue>,
    /// The scenario to start with, the first of the catalogue.
    pub first: Rc<Scenario>,
    /// The language to start in.
    pub language: Language,
    /// The theme to start in.
    pub theme: Theme,
    /// The run to start with.
    pub timeline: Timeline,
}

/// The whole page.
#[component]
pub fn App(props: &AppProps) -> Html {
    let view = {
        let props = props.clone();
        use_reducer(move || View::new(props.catalogue, props.first, props.language, props.theme))
    };
    let snapshot = {
        let timeline = props.timeline.clone();
        use_state(move || Rc::new(Snapshot::idle(timeline)))
    };
    {
        let (listen, snapshot) = (props.ports.listen.clone(), snapshot.setter());
        use_effect_with((), move |()| {
            listen.emit(Callback::from(move |new| snapshot.set(Rc::new(new))));
        });
    }
    let dispatch = view.dispatcher();
    let text = text::of(view.language);
    let state: Rc<View> = (*view).clone().into();
    // What is called from outside a drawing finds the view and the snapshot of that moment here.
    let now: controls::Now = use_mut_ref(|| None);
    let choose_scenario = {
        let (now, wanted) = (now.clone(), use_memo((), |()| Cell::new(0)));
        use_callback((), move |scenario, ()| controls::choose(&now, &wanted, scenario))
    };
    let parts = use_state(|| None);
    let (dispatcher, ports) = (dispatch.clone(), props.ports.clone());
    let page = state::ContextValue { dispatch: dispatcher, ports, text, parts: *parts, choose_scenario };
    let dialog = state.settings_open || state.comparing;
    let later_shown = dialog || state.checks || state.tab != Tab::Messages || state.board_tab != BoardTab::Board;
    {
        // Wanted again, it is asked for again: a file that did not arrive may do so then.
        let wanted = (dialog, state.checks, state.tab, state.board_tab);
        let (parts, dispatch) = (parts.clone(), dispatch.clone());
        use_effect_with(wanted, move |_| {
            if later_shown && !matches!(*parts, Some(Ok(_))) {
                parts.set(None);
                yew::platform::spawn_local(async move {
                    let loaded = later::load().await;
                    if loaded.is_err() {
                        dispatch.dispatch(Action::OpenSettings(false));
                        dispatch.dispatch(Action::Compare(false));
                    }
                    parts.set(Some(loaded));
                });
            }
        });
    }
    *now.borrow_mut() = Some((page.clone(), state.clone(), (*snapshot).clone()));
    let pane = |name: Pane| classes!("pane", name.class(), (state.pane == name).then_some("shown"));
    {
        // What needs an answer must be in sight, whichever tab of a narrow screen is open.
        let (dispatch, status) = (dispatch.clone(), Status::of(&snapshot));
        use_effect_with(status, move |status| {
            if matches!(status, Status::Asking | Status::Failed) {
                dispatch.dispatch(Action::ShowPane(Pane::Transcript));
                dispatch.dispatch(Action::Check);
            }
        });
    }
    {
        let step_key = props.ports.step_key.clone();
        use_effect_with((), move |()| {
            step_key.emit(Callback::from(move |()| {
                let now = now.borrow().clone();
                // Behind an open dialog nothing moves.
                if let Some((page, view, snapshot)) = now
                    && !view.settings_open
                    && !view.comparing
                {
                    controls::step(&page, &view, &snapshot);
                }
            }));
        });
    }

    html! {
        <ContextProvider<state::ContextValue> context={page.clone()}>
            <div class="app">
                { topbar::top_bar(&page, &state, &snapshot) }
                <main class="panes">
                    { board::strip(text, &snapshot, state.cursor) }
                    <nav class="pane-tabs" aria-label={text.panes}>
                        { for Pane::ALL.map(|pane| {
                            let pressed = shared::Extra { pressed: Some(state.pane == pane), ..shared::Extra::default() };
                            shared::button("", pane.title(text).into(), pressed, page.press(Action::ShowPane(pane)))
                        }) }
                    </nav>
                    <section class={pane(Pane::Transcript)} aria-label={text.transcript}>
                        <transcript::Transcript view={state.clone()} snapshot={(*snapshot).clone()} />
                        <permission::Permission snapshot={(*snapshot).clone()} shown={state.pane == Pane::Transcript} />
                        if let Some(Ok(parts)) = &*parts { { (parts.refused)(&state, &snapshot) } }
                        <composer::Composer view={state.clone()} snapshot={(*snapshot).clone()} />
                    </section>
                    <section class={pane(Pane::Board)} aria-label={text.board}>
                        { board::board(&page, &state, &snapshot) }
                    </section>
                    <section class={pane(Pane::Inspector)} aria-label={text.inspector}>
                        { inspector::inspector(&page, &state, &snapshot) }
                    </section>
                </main>
                <scrubber::Scrubber snapshot={(*snapshot).clone()} cursor={state.cursor} />
                // Asked for with the parts, so that it is there when they are drawn.
                if later_shown || parts.is_some() { <link rel="stylesheet" href="later.css" /> }
                if let Some(Ok(parts)) = &*parts { { (parts.settings)(&state, &snapshot) } { (parts.compare)(&state, &snapshot) } }
            </div>
        </ContextProvider<state::ContextValue>>
    }
}
