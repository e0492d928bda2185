//! One rule: its name, its value in a field that fits it, whether it is changed, and the way back.

use super::words;
use crate::language::Language;
use crate::lesson::described::{Described, Kind};
use crate::message::Json;
use crate::ui::shared::{Extra, button};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) described: Rc<Described>,
    pub(super) place: String,
    pub(super) value: Json,
    /// The lesson's own value; none where it has no such place.
    pub(super) own: Option<Json>,
    pub(super) name: String,
    pub(super) language: Language,
    pub(super) set: Callback<(String, Json)>,
    pub(super) reset: Callback<String>,
    /// Why a value cannot stand there, if it cannot.
    pub(super) check: Callback<(String, Json), Option<String>>,
}

#[component]
pub(super) fn Field(props: &Props) -> Html {
    let words = words::of(props.language);
    let Props { described, place, value, .. } = props;
    let typed = use_state(|| None::<String>);
    {
        let typed = typed.clone();
        use_effect_with(value.clone(), move |_| typed.set(None));
    }
    let id = format!("rule{}", place.replace('/', "-"));
    let in_list = place.starts_with("/hooks/");
    let changed = match &props.own {
        _ if in_list => false,
        // Whether it is there; what is in it has fields of its own.
        Some(own) if described.kind == Kind::Part => own.is_null() != value.is_null(),
        own => own.as_ref() != Some(value),
    };
    let set = {
        let (set, place) = (props.set.clone(), place.clone());
        move |value| set.emit((place.clone(), value))
    };
    // What stands in the field, and what is wrong with it.
    let shown = (*typed).clone().unwrap_or_else(|| described.text(value));
    let wrong = (*typed).as_ref().and_then(|typed| match described.parse(typed) {
        None if described.kind == Kind::Json => Some(words.no_json.to_string()),
        None => Some(words.no_count.to_string()),
        Some(value) => props.check.emit((place.clone(), value)).map(|why| (words.cannot)(&why)),
    });
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| typed.set(Some(value_of(&event))))
    };
    let onchange = {
        let (set, described, fine) = (set.clone(), described.clone(), wrong.is_none());
        Callback::from(move |event: Event| {
            if let Some(value) = described.parse(&value_of(&event)).filter(|_| fine) {
                set(value);
            }
        })
    };
    let none = matches!(described.kind, Kind::OptionalText | Kind::OptionalCount | Kind::Part) && value.is_null();
    let tick = |checked: bool, disabled: bool, label: &str, set: Box<dyn Fn(bool)>| {
        let onchange = move |event: Event| set(event.target_unchecked_into::<web_sys::HtmlInputElement>().checked());
        html! { <label class="check"><input type="checkbox" {checked} {disabled} {onchange} /><span>{ label.to_string() }</span></label> }
    };
    let optional = {
        // Switched on, it begins with the lesson's own value, or with the one that the description has for it.
        let own = props.own.clone().filter(|own| !own.is_null()).or_else(|| described.default.clone());
        let set = set.clone();
        move |label: &str| {
            let (own, set) = (own.clone(), set.clone());
            let disabled = none && own.is_none();
            tick(!none, disabled, label, Box::new(move |on| set(own.clone().filter(|_| on).unwrap_or_default())))
        }
    };
    let described_by = format!("{id}-hint");
    let text = |lines: bool| {
        let invalid = wrong.as_ref().map(|_| "true");
        let (id, class) = (id.clone(), (described.kind == Kind::Json).then_some("json"));
        let rows = shown.lines().count().clamp(2, 14).to_string();
        match lines {
            true => html! {
                <textarea {id} {class} {rows} spellcheck="false" aria-invalid={invalid} aria-describedby={described_by.clone()} value={shown.clone()}
                    oninput={oninput.clone()} onchange={onchange.clone()} />
            },
            false => html! {
                <input {id} type="text" autocomplete="off" spellcheck="false" aria-invalid={invalid} aria-describedby={described_by.clone()}
                    inputmode={matches!(described.kind, Kind::Count | Kind::OptionalCount).then_some("numeric")} value={shown.clone()}
                    oninput={oninput.clone()} onchange={onchange.clone()} />
            },
        }
    };
    // By what stands in the lesson, not by what is typed: the field must not become another in mid-word.
    let is_long = |value: &Json| value.as_str().is_some_and(|text| text.contains('\n') || text.chars().count() > 60);
    let long = is_long(value) || props.own.as_ref().is_some_and(is_long);
    let label = html! { <label for={id.clone()}>{ props.name.clone() }</label> };
    let control = match described.kind {
        Kind::Switch => {
            let set = set.clone();
            tick(value == true, false, &props.name, Box::new(move |on| set(on.into())))
        }
        Kind::Part => optional(&props.name),
        Kind::OptionalText | Kind::OptionalCount => html! {
            <>{ optional(&props.name) }if !none { <div class="value" role="group" aria-label={props.name.clone()}>{ text(long) }</div> }</>
        },
        Kind::Choice => html! { <>{ label }{ select(&id, described, value, props.language, set) }</> },
        Kind::Text | Kind::Count => html! { <>{ label }{ text(long) }</> },
        Kind::Lines | Kind::Json => html! { <>{ label }{ text(true) }</> },
        Kind::Hooks => html! {},
    };
    let faulty = wrong.is_some();
    let reset = {
        let (place, reset, typed, id) = (place.clone(), props.reset.clone(), typed.clone(), id.clone());
        Callback::from(move |_: MouseEvent| {
            typed.set(None);
            reset.emit(place.clone());
            // The button goes, and the focus with it.
            let field =
                web_sys::window().and_then(|window| window.document()).and_then(|page| page.get_element_by_id(&id));
            if let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlElement>().ok()) {
                field.focus().ok();
            }
        })
    };
    html! {
        <div class={classes!("rule-field", changed.then_some("changed"))}>
            { control }
            <p id={described_by} class={if wrong.is_some() { "fault" } else { "hint" }} role={wrong.as_ref().map(|_| "alert")}>
                { wrong.unwrap_or_else(|| described.hint.as_ref().map(|hint| hint.get(props.language).to_string()).unwrap_or_default()) }
            </p>
            if changed || faulty {
                <p class="was">
                    if changed { <span class="badge">{ words.is_changed }</span> }
                    if let Some(own) = &props.own { <span>{ words.was }{ " " }<code>{ spoken(described, own, props.language, words.nothing) }</code></span> }
                    { button("link", words.reset.into(), Extra::default(), reset) }
                </p>
            }
        </div>
    }
}

fn select(id: &str, described: &Described, value: &Json, language: Language, set: impl Fn(Json) + 'static) -> Html {
    let choices = described.choices.clone().unwrap_or_default();
    let chosen = choices.iter().position(|choice| choice.value == *value).unwrap_or(0);
    let values: Vec<Json> = choices.iter().map(|choice| choice.value.clone()).collect();
    let onchange = move |event: Event| {
        let place = event.target_unchecked_into::<web_sys::HtmlSelectElement>().selected_index().max(0) as usize;
        set(values.get(place).cloned().unwrap_or_default());
    };
    html! {
        <select id={id.to_string()} ~selectedIndex={chosen as u32} {onchange}>
            { for choices.iter().enumerate().map(|(i, choice)| html! {
                <option key={i} selected={i == chosen}>{ choice.name.get(language).to_string() }</option>
            }) }
        </select>
    }
}

/// A value in a line, for a reader.
fn spoken(described: &Described, value: &Json, language: Language, nothing: &str) -> String {
    let choice = described.choices.iter().flatten().find(|choice| choice.value == *value);
    let text = choice.map_or_else(|| described.text(value), |choice| choice.name.get(language).to_string());
    match value {
        Json::Null => nothing.to_string(),
        _ => crate::ui::shared::one_line(&text, 80),
    }
}

fn value_of(event: &Event) -> String {
    match event.target_dyn_into::<web_sys::HtmlTextAreaElement>() {
        Some(area) => area.value(),
        None => event.target_unchecked_into::<web_sys::HtmlInputElement>().value(),
    }
}
