//! The list of hooks: on or off, their order, what each does, and new ones.

use super::words::Words;
use crate::lesson::described::Described;
use crate::message::Json;
use crate::ui::shared::{Extra, button};
use serde_json::json;
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn hooks(
    now: &Json,
    base: &Json,
    described: &[Rc<Described>],
    words: &'static Words,
    set: &Callback<(String, Json)>,
    field: &impl Fn(&Rc<Described>, String) -> Html,
) -> Html {
    let list = now["hooks"].as_array().cloned().unwrap_or_default();
    let put = {
        let set = set.clone();
        move |list: Vec<Json>| set.emit(("/hooks".into(), list.into()))
    };
    let rows = list.iter().enumerate().map(|(i, hook)| {
        let own = base["hooks"].as_array().and_then(|own| own.iter().find(|own| own["name"] == hook["name"]));
        let state = match own {
            None => Some(words.hook_new),
            Some(own) if own != hook => Some(words.is_changed),
            Some(_) => None,
        };
        let name = hook["name"].as_str().unwrap_or_default().to_string();
        let change = |change: fn(&mut Vec<Json>, usize)| {
            let (list, put) = (list.clone(), put.clone());
            Callback::from(move |_: MouseEvent| {
                let mut list = list.clone();
                change(&mut list, i);
                put(list);
            })
        };
        let switch = {
            let set = set.clone();
            move |event: Event| {
                let on = event.target_unchecked_into::<web_sys::HtmlInputElement>().checked();
                set.emit((format!("/hooks/{i}/off"), (!on).into()));
            }
        };
        let named = |what, disabled| Extra { name: Some(what), disabled, ..Extra::default() };
        let off = hook["off"] == true;
        let places = described
            .iter()
            .filter(|described| described.place.starts_with("/hooks/*/"))
            .map(|described| (described, described.place.replace('*', &i.to_string())))
            .filter(|(_, place)| now.pointer(place).is_some());
        html! {
            <li key={name.clone()} class={classes!("hook-rule", off.then_some("off"))} data-hook={name.clone()}>
                <div class="hook-head">
                    <label class="check"><input type="checkbox" checked={!off} onchange={switch} /><b>{ &name }</b></label>
                    <code>{ hook["point"].as_str().unwrap_or_default().to_string() }</code>
                    if let Some(state) = state { <span class="badge">{ state }</span> }
                    <span class="moves">
                        { button("quiet", "↑".into(), named(words.up, i == 0), change(|list, i| list.swap(i, i - 1))) }
                        { button("quiet", "↓".into(), named(words.down, i + 1 == list.len()), change(|list, i| list.swap(i, i + 1))) }
                        { button("quiet", "✕".into(), named(words.remove, false), change(|list, i| drop(list.remove(i)))) }
                    </span>
                </div>
                <details><summary>{ words.what_it_does }</summary>{ for places.map(|(described, place)| field(described, place)) }</details>
            </li>
        }
    });
    let add = {
        let (list, put) = (list.clone(), put.clone());
        Callback::from(move |event: Event| {
            let select = event.target_unchecked_into::<web_sys::HtmlSelectElement>();
            let chosen = select.selected_index();
            select.set_selected_index(0);
            if let Some(hook) = usize::try_from(chosen - 1).ok().and_then(|place| new_hook(place, &list)) {
                put(list.iter().cloned().chain([hook]).collect());
            }
        })
    };
    html! {
        <>
            <p class="hint">{ words.hooks_hint }</p>
            <ol class="hook-rules">{ for rows }</ol>
            <label class="add-hook">{ words.add_hook }{ " " }
                <select onchange={add}>
                    <option selected=true>{ words.choose }</option>
                    { for words.new_hooks.iter().map(|name| html! { <option key={*name}>{ *name }</option> }) }
                </select>
            </label>
        </>
    }
}

/// A new hook, of the kind at a place of `Words::new_hooks`, under a name that no other has.
fn new_hook(kind: usize, list: &[Json]) -> Option<Json> {
    let plan_tool = "todo_write";
    let (name, point, rule) = match kind {
        0 => (
            "block",
            "PreToolUse",
            json!({"answer": {"text": "Planning is not allowed", "tool": plan_tool, "once": false, "until": null}}),
        ),
        1 => (
            "feedback",
            "Stop",
            json!({"answer": {"text": "Please check the plan again.", "tool": null, "once": true, "until": null}}),
        ),
        2 => ("inject", "UserPromptSubmit", json!({"inject": {"text": "Answer briefly."}})),
        3 => (
            "print",
            "PostToolUse",
            json!({"print": {"line": "[HOOK] {call} returned {chars} chars", "over_chars": null}}),
        ),
        _ => return None,
    };
    let taken = |name: &str| list.iter().any(|hook| hook["name"] == name);
    let names = std::iter::once(name.to_string()).chain((2..).map(|n| format!("{name} {n}")));
    let name = names.into_iter().find(|name| !taken(name))?;
    Some(json!({"name": name, "point": point, "rule": rule}))
}
