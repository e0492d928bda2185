//! The top bar: lesson, scenario, model, the run's controls, language, theme, settings.

use super::icon::{self, icon};
use super::state::{
    Action, ContextValue, Source, Status, Theme, View, begin, held, retry, script_over, start_over, step,
};
use crate::language::Language;
use crate::runtime::scripted::Speed;
use crate::runtime::{Command, Snapshot};
use crate::timeline::Cursor;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn top_bar(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let pick = |change: fn(&View, usize) -> (usize, usize)| {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        Callback::from(move |event: Event| {
            let (lesson, scenario) = change(&view, chosen(&event));
            start_over(&page, &view, &snapshot, lesson, scenario);
        })
    };
    let set_language = {
        let (page, language) = (page.clone(), view.language);
        move |_| {
            let other = if language == Language::En { Language::Zh } else { Language::En };
            page.ports.set_language.emit((other, super::text::of(other).title));
            page.dispatch.dispatch(Action::SetLanguage(other));
        }
    };
    let set_theme = {
        let page = page.clone();
        move |event: Event| {
            let theme = Theme::ALL[chosen(&event).min(2)];
            page.ports.set_theme.emit(theme);
            page.dispatch.dispatch(Action::SetTheme(theme));
        }
    };
    let open_settings = {
        let page = page.clone();
        move |_| page.dispatch.dispatch(Action::OpenSettings(true))
    };
    html! {
        <header class="topbar">
            <h1>{ text.title }</h1>
            // These two can change by themselves, with a run that is brought back; once a reader has chosen, an option's attribute
            // has no say any more.
            <div class="choices">
                <label class="choice"><span>{ text.lesson }</span>
                    <select ~selectedIndex={view.lesson as u32} onchange={pick(|view, lesson| (lesson, view.scenario))}>
                        { options(view.catalogue.lessons.iter().map(|lesson| lesson.title.get(view.language)), view.lesson) }
                    </select>
                </label>
                <label class="choice"><span>{ text.scenario }</span>
                    <select ~selectedIndex={view.scenario as u32} onchange={pick(|view, scenario| (view.lesson, scenario))}>
                        { options(view.catalogue.scenarios.iter().map(|scenario| scenario.title.get(view.language)), view.scenario) }
                    </select>
                </label>
                { model_choice(page, view, snapshot) }
            </div>
            { controls(page, view, snapshot) }
            <div class="preferences">
                <button type="button" class="quiet" lang={text.other_language_tag} onclick={set_language}>{ text.other_language }</button>
                <label class="choice theme"><span>{ text.theme }</span>
                    <select onchange={set_theme}>
                        { options(text.themes.into_iter(), Theme::ALL.iter().position(|theme| *theme == view.theme).unwrap_or(0)) }
                    </select>
                </label>
                <button type="button" class="quiet" onclick={open_settings}>{ icon(icon::SETTINGS) }<span>{ text.settings }</span></button>
            </div>
        </header>
    }
}

/// The index that a select stands on.
fn chosen(event: &Event) -> usize {
    event.target_unchecked_into::<web_sys::HtmlSelectElement>().selected_index().max(0) as usize
}

fn options<'a>(names: impl Iterator<Item = &'a str>, selected: usize) -> Html {
    names
        .enumerate()
        .map(|(i, name)| html! { <option key={i} value={i.to_string()} selected={i == selected}>{ name.to_string() }</option> })
        .collect()
}

/// Scripted or endpoint, and how fast the scripted model types.
fn model_choice(page: &ContextValue, view: &Rc<View>, snapshot: &Snapshot) -> Html {
    let text = page.text;
    let live = view.endpoint.is_some();
    let scripted = {
        let (page, scenario, held) = (page.clone(), view.scenario().clone(), held(snapshot));
        move |_| {
            page.ports.use_model.emit(Source::Scripted(scenario.clone()));
            page.dispatch.dispatch(Action::UseScripted(held));
        }
    };
    let endpoint = {
        let page = page.clone();
        move |_| page.dispatch.dispatch(Action::OpenSettings(true))
    };
    let set_speed = {
        let page = page.clone();
        move |event: Event| {
            let speed = Speed::ALL[chosen(&event).min(2)];
            page.ports.set_speed.emit(speed);
            page.dispatch.dispatch(Action::SetSpeed(speed));
        }
    };
    let speed = Speed::ALL.iter().position(|speed| *speed == view.speed).unwrap_or(0);
    html! {
        <>
            <div class="segmented" role="group" aria-label={text.model}>
                <button type="button" aria-pressed={(!live).to_string()} onclick={scripted} title={text.scripted_hint}>{ text.scripted }</button>
                <button type="button" aria-pressed={live.to_string()} onclick={endpoint} title={text.endpoint_hint}>
                    <span>{ view.endpoint.as_ref().map_or(text.endpoint.to_string(), |endpoint| endpoint.model.clone()) }</span>
                </button>
            </div>
            if !live {
                <label class="choice"><span>{ text.speed }</span>
                    <select onchange={set_speed}>{ options(text.speeds.into_iter(), speed) }</select>
                </label>
            }
        </>
    }
}

/// Run or Pause, Step, Stop. What Run means follows from where the run is.
fn controls(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let status = Status::of(snapshot);
    let main = {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        move |event: MouseEvent| match status {
            // The second half of a double-click was meant for what the button did at the first: Run must not become Pause.
            _ if event.detail() > 1 => {}
            Status::Idle => begin(&page, &view, &snapshot, false),
            Status::Running => page.ports.send.emit(Command::Pause),
            Status::Asking => page.go(Cursor::Live),
            Status::Pausing | Status::Holding => {
                page.ports.send.emit(Command::Run);
                page.go(Cursor::Live);
            }
            Status::Failed => retry(&page),
        }
    };
    let stepped = {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        move |_| step(&page, &view, &snapshot)
    };
    let stop = {
        let page = page.clone();
        move |_| {
            page.ports.send.emit(Command::Stop);
            page.go(Cursor::Live);
        }
    };
    let stops = snapshot.timeline.stops().len();
    let at_end = snapshot.timeline.place(view.cursor).is_none_or(|place| place + 1 == stops);
    let again = script_over(view, snapshot);
    let nothing_to_send = status == Status::Idle && view.prompt.trim().is_empty() && !again;
    let (path, label) = match status {
        Status::Idle if again => (icon::RETRY, text.run_again),
        Status::Idle => (icon::RUN, text.run),
        Status::Running => (icon::PAUSE, text.pause),
        Status::Pausing => (icon::PAUSE, text.pausing),
        Status::Holding | Status::Asking => (icon::RUN, text.resume),
        Status::Failed => (icon::RETRY, text.retry),
    };
    html! {
        <div class="controls" role="group" aria-label={text.controls}>
            <button type="button" class="primary" onclick={main} disabled={nothing_to_send || status == Status::Asking}>{ icon(path) }<span>{ label }</span></button>
            <button type="button" onclick={stepped} disabled={at_end && (nothing_to_send || status == Status::Asking)} title={text.step_hint}>{ icon(icon::STEP) }<span>{ text.step }</span></button>
            <button type="button" onclick={stop} disabled={matches!(status, Status::Idle | Status::Failed)}>{ icon(icon::STOP) }<span>{ text.stop }</span></button>
        </div>
    }
}
