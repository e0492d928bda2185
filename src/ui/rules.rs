//! The rules panel: every rule of the lesson in words, to be changed. What is changed here is data for the session; which
//! rules there are, and what they are called, is data of the lesson's.

mod field;
mod hooks;
mod words;

use super::shared::{Extra, button};
use super::state::{Action, View, use_page};
use crate::language::Language;
use crate::lesson::described::{self, Described, Group, Kind};
use crate::lesson::rules::{Rules, at, to_json};
use crate::message::Json;
use crate::runtime::{Command, Snapshot};
use field::Field;
use std::rc::Rc;
use words::Words;
use yew::prelude::*;

pub(super) fn rules(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let live = snapshot.timeline.live();
    let pending = !Rc::ptr_eq(&live.lesson, &live.rules.lesson);
    let past = !snapshot.timeline.is_at_end(view.cursor);
    html! { <Panel rules={live.rules.clone()} language={view.language} {pending} {past} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    rules: Rc<Rules>,
    language: Language,
    /// Whether they hold only from the next round on.
    pending: bool,
    /// Whether the cursor shows an earlier moment.
    past: bool,
}

#[component]
fn Panel(props: &Props) -> Html {
    let page = use_page();
    let words = words::of(props.language);
    let rules = &props.rules;
    let described =
        use_memo((), |()| described::all().unwrap_or_default().into_iter().map(Rc::new).collect::<Vec<_>>());
    let base = use_memo(rules.clone(), |rules| to_json(&rules.base));
    let now = use_memo(rules.clone(), |rules| to_json(&rules.lesson));
    let send = {
        let ports = page.ports.clone();
        move |changes| ports.send.emit(Command::ChangeRules(changes))
    };
    let set = use_callback(rules.clone(), {
        let send = send.clone();
        move |(place, value): (String, Json), rules: &Rc<Rules>| send(rules.set(&place, value))
    });
    let reset = use_callback(rules.clone(), {
        let send = send.clone();
        move |place: String, rules: &Rc<Rules>| {
            let mut changes = rules.changes.clone();
            changes.reset(&place);
            send(changes);
        }
    });
    let check = use_callback(rules.clone(), |(place, value): (String, Json), rules: &Rc<Rules>| {
        rules.with(rules.set(&place, value)).err()
    });
    // What is typed and cannot stand goes with it.
    let resets = use_state(|| 0u32);
    let reset_all = {
        let (reset, resets) = (reset.clone(), resets.clone());
        Callback::from(move |_: MouseEvent| {
            resets.set(*resets + 1);
            reset.emit(String::new());
        })
    };
    let count = rules.changes.iter().len();
    let field = |described: &Rc<Described>, place: String| {
        let Some(value) = at(&now, &place).cloned() else { return html! {} };
        let own = at(&base, &place).cloned();
        let name = name_of(described, &now, &place, props.language);
        html! {
            <Field key={format!("{place} {}", *resets)} described={described.clone()} place={place.clone()} {value} {own} {name} language={props.language}
                set={set.clone()} reset={reset.clone()} check={check.clone()} />
        }
    };
    let hooks = || hooks::hooks(&now, &base, &described, words, &set, &field);
    html! {
        <div class="rules">
            <p class="hint">{ words.intro }</p>
            <div class="rules-now" role="status">
                <b>{ (page.text.rules_changed)(count) }</b>
                if props.pending { <span class="badge">{ words.pending }</span> }
                { button("", words.compare.into(), Extra::default(), page.press(Action::Compare(true))) }
                { button("quiet", words.reset_all.into(), Extra { disabled: count == 0, ..Extra::default() }, reset_all) }
            </div>
            if props.past { <p class="hint">{ words.past }</p> }
            { for rules.base.alternatives.iter().map(|alternative| {
                let (rules, send) = (rules.clone(), send.clone());
                let holds = alternative.patch.iter().all(|(place, value)| at(&now, place) == Some(value));
                let patch = alternative.patch.clone();
                let onclick = Callback::from(move |_: MouseEvent| {
                    let mut changes = rules.changes.clone();
                    for (place, value) in patch.iter() {
                        match holds {
                            true => changes.reset(place),
                            false => changes.set(&rules.base, place, value.clone()),
                        }
                    }
                    send(changes);
                });
                let pressed = Extra { pressed: Some(holds), ..Extra::default() };
                html! {
                    <section key={alternative.id.clone()} class="alternative">
                        { button("", alternative.title.get(props.language).into(), pressed, onclick) }
                        <p class="hint">{ alternative.note.get(props.language).to_string() }</p>
                    </section>
                }
            }) }
            { for Group::ALL.into_iter().zip(words.groups).map(|(group, title)| group_of(group, title, &described, &now, rules, words, &field, &hooks)) }
        </div>
    }
}

/// The rules of a group, under a heading that tells how many of them are changed.
#[expect(clippy::too_many_arguments, reason = "it is a part of the panel's drawing, with what that has at hand")]
fn group_of(
    group: Group,
    title: &'static str,
    described: &[Rc<Described>],
    now: &Json,
    rules: &Rules,
    words: &'static Words,
    field: &impl Fn(&Rc<Described>, String) -> Html,
    hooks: &impl Fn() -> Html,
) -> Html {
    let own = described.iter().filter(|described| described.group == group);
    let places: Vec<(&Rc<Described>, String)> = own
        .filter(|described| !described.place.starts_with("/hooks/"))
        .flat_map(|described| described.places(now).into_iter().map(move |place| (described, place)))
        .collect();
    let changed = rules
        .changes
        .iter()
        .filter(|(changed, _)| described.iter().any(|described| described.group == group && described.covers(changed)));
    let changed = changed.count();
    let open = group == Group::Counter || changed > 0;
    html! {
        <details key={title} class="rule-group" {open}>
            <summary>
                <h3>{ title }</h3>
                if changed > 0 { <span class="badge">{ (words.changed)(changed) }</span> }
            </summary>
            if places.is_empty() { <p class="hint">{ words.none_here }</p> }
            { for places.into_iter().map(|(described, place)| match described.kind {
                Kind::Hooks => hooks(),
                _ => field(described, place),
            }) }
        </details>
    }
}

/// What a rule is called at a place: in one for each tool, with the tool's name.
fn name_of(described: &Described, now: &Json, place: &str, language: Language) -> String {
    let name = described.name.get(language);
    let tool = place.rsplit_once('/').and_then(|(item, _)| now.pointer(&format!("{item}/spec/name")));
    name.replace("{}", tool.and_then(Json::as_str).unwrap_or_default())
}
