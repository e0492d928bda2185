//! The top bar: lesson, scenario, model, the run's controls, language, theme, settings.

use super::controls::{Status, begin, retry, script_over, start_over, step};
use super::icon::{self, worded};
use super::shared::{Extra, button, choice};
use super::state::{Action, BoardTab, ContextValue, Source, Tab, Theme, View};
use crate::language::Language;
use crate::runtime::scripted::Speed;
use crate::runtime::{Command, Snapshot};
use crate::timeline::Cursor;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn top_bar(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let set_lesson = {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        Callback::from(move |lesson| start_over(&page, &view, &snapshot, lesson, view.scenario, &view.script))
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
        Callback::from(move |chosen: usize| {
            let theme = Theme::ALL[chosen.min(2)];
            page.ports.set_theme.emit(theme);
            page.dispatch.dispatch(Action::SetTheme(theme));
        })
    };
    let lessons = view.catalogue.lessons.iter().map(|lesson| lesson.title.get(view.language)).collect();
    let scenarios = view.catalogue.scenarios.iter().map(|scenario| scenario.title.get(view.language)).collect();
    let theme = Theme::ALL.iter().position(|theme| *theme == view.theme).unwrap_or(0);
    let settings = page.press(Action::OpenSettings(true));
    let changed = snapshot.timeline.live().rules.changes.iter().len();
    html! {
        <header class="topbar">
            <h1>{ text.title }</h1>
            <div class="choices">
                <div class="lesson-choice">
                    { choice("choice", text.lesson, lessons, view.lesson, set_lesson) }
                    if changed > 0 { { changed_rules(page, changed) } }
                </div>
                { choice("choice", text.scenario, scenarios, view.loading.unwrap_or(view.scenario), page.choose_scenario.clone()) }
                { model_choice(page, view) }
            </div>
            { controls(page, view, snapshot) }
            <div class="preferences">
                <button type="button" class="quiet" lang={text.other_language_tag} onclick={set_language}>{ text.other_language }</button>
                { choice("choice theme", text.theme, text.themes.into(), theme, set_theme) }
                { button("quiet", worded(icon::SETTINGS, text.settings), Extra::default(), settings) }
            </div>
            if view.tab == Tab::Messages && view.board_tab == BoardTab::Board && matches!(page.parts, Some(Err(_))) {
                <p class="notice" role="alert">{ text.part_not_loaded }</p>
            }
            if let Some((scenario, why)) = &view.not_loaded {
                <p class="notice" role="alert">
                    { (text.not_loaded)(view.catalogue.scenarios[*scenario].title.get(view.language), why) }
                </p>
            }
        </header>
    }
}

/// How many rules are changed, in short, and the way to them.
fn changed_rules(page: &ContextValue, count: usize) -> Html {
    let words = (page.text.rules_changed)(count);
    let onclick = page.press(Action::ShowBoardTab(BoardTab::Rules));
    html! { <button type="button" class="changed-rules" title={words.clone()} aria-label={words} {onclick}>{ "±" }{ count }</button> }
}

/// Scripted or endpoint, and how fast the scripted model types.
fn model_choice(page: &ContextValue, view: &Rc<View>) -> Html {
    let text = page.text;
    let live = view.endpoint.is_some();
    let scripted = {
        let (page, scenario) = (page.clone(), view.script.clone());
        Callback::from(move |_| {
            page.ports.use_model.emit(Source::Scripted(scenario.clone()));
            page.dispatch.dispatch(Action::UseScripted);
        })
    };
    let set_speed = {
        let page = page.clone();
        Callback::from(move |chosen: usize| {
            let speed = Speed::ALL[chosen.min(2)];
            page.ports.set_speed.emit(speed);
            page.dispatch.dispatch(Action::SetSpeed(speed));
        })
    };
    let speed = Speed::ALL.iter().position(|speed| *speed == view.speed).unwrap_or(0);
    let side = |pressed, title, label: String, onclick| {
        let extra = Extra { pressed: Some(pressed), title: Some(title), ..Extra::default() };
        button("", html! { <span>{ label }</span> }, extra, onclick)
    };
    let model = view.endpoint.as_ref().map_or(text.endpoint, |endpoint| &endpoint.model).to_string();
    html! {
        <>
            <div class="segmented" role="group" aria-label={text.model}>
                { side(!live, text.scripted_hint, text.scripted.into(), scripted) }
                { side(live, text.endpoint_hint, model, page.press(Action::OpenSettings(true))) }
            </div>
            if !live { { choice("choice", text.speed, text.speeds.into(), speed, set_speed) } }
        </>
    }
}

/// Run or Pause, Step, Stop. What Run means follows from where the run is.
fn controls(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let status = Status::of(snapshot);
    let main = {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        Callback::from(move |event: MouseEvent| match status {
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
        })
    };
    let stepped = {
        let (page, view, snapshot) = (page.clone(), view.clone(), snapshot.clone());
        Callback::from(move |_| step(&page, &view, &snapshot))
    };
    let stop = {
        let page = page.clone();
        Callback::from(move |_| {
            page.ports.send.emit(Command::Stop);
            page.go(Cursor::Live);
        })
    };
    let at_end = snapshot.timeline.is_at_end(view.cursor);
    let again = script_over(view, snapshot);
    let empty = view.prompt.trim().is_empty() && !again;
    let nothing_to_send = status == Status::Idle && (empty || view.loading.is_some());
    let asking = status == Status::Asking;
    let grey = |disabled| Extra { disabled, ..Extra::default() };
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
            { button("primary", worded(path, label), grey(nothing_to_send || asking), main) }
            { button("", worded(icon::STEP, text.step), Extra { title: Some(text.step_hint), ..grey(at_end && (nothing_to_send || asking)) }, stepped) }
            { button("", worded(icon::STOP, text.stop), grey(matches!(status, Status::Idle | Status::Failed)), stop) }
        </div>
    }
}
