//! The rules panel's data: every rule of every lesson has words, and what a reader types becomes a value.

mod support;

use playground::lesson::Lesson;
use playground::lesson::described::{self, Described, Kind};
use playground::lesson::rules::{Rules, at, to_json};
use playground::message::Json;
use serde_json::json;
use std::rc::Rc;
use support::lesson;

fn all() -> Vec<Described> {
    described::all().expect("the descriptions can be read")
}

/// The places of a lesson at which something other than a part stands, and empty parts.
fn leaves(json: &Json, place: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| leaves(value, &format!("{place}/{name}"), found));
        }
        Json::Array(items) if items.iter().any(Json::is_object) => {
            items.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{place}/{i}"), found));
        }
        _ => found.push(place.into()),
    }
}

/// What of a lesson is no rule: its names, what it suggests, how the page shows it, and which code runs.
const NO_RULES: [&str; 8] = ["id", "title", "summary", "predecessor", "prompts", "alternatives", "console", "handler"];

#[test]
fn every_rule_of_every_lesson_stands_in_the_panel() {
    let described = all();
    for lesson in Lesson::all().expect("the lessons") {
        let mut places = Vec::new();
        leaves(&to_json(&lesson), "", &mut places);
        assert!(places.len() > 50, "{}", lesson.id);
        for place in places {
            let first = place.split('/').nth(1).unwrap_or_default();
            if NO_RULES.contains(&first) || (first == "tools" && place.ends_with("/handler")) {
                continue;
            }
            // A part that a lesson does without is described by what would be in it.
            let part = format!("{place}/");
            let stands = |described: &Described| described.covers(&place) || described.place.starts_with(&part);
            assert!(described.iter().any(stands), "{}: {place}", lesson.id);
        }
    }
}

#[test]
fn every_row_of_the_panel_is_a_rule_of_some_lesson_or_of_a_hook_that_can_be_added() {
    let mut lessons: Vec<Json> = Lesson::all().expect("the lessons").iter().map(to_json).collect();
    let answer = json!({"answer": {"text": "x", "tool": null, "once": false, "until": null}});
    let rules = [answer, json!({"inject": {"text": "x"}})];
    lessons.push(json!({"hooks": rules.map(|rule| json!({"name": "x", "point": "Stop", "rule": rule}))}));
    for described in all() {
        assert!(lessons.iter().any(|lesson| !described.places(lesson).is_empty()), "{}", described.place);
    }
}

#[test]
fn a_choice_has_a_name_for_every_value_that_a_lesson_can_have_there() {
    for described in all() {
        assert_eq!(described.kind == Kind::Choice, described.choices.is_some(), "{}", described.place);
        for lesson in Lesson::all().expect("the lessons") {
            let json = to_json(&lesson);
            for place in described.places(&json) {
                let value = at(&json, &place).expect("it is there");
                let Some(choices) = &described.choices else { continue };
                assert!(choices.iter().any(|choice| choice.value == *value), "{}: {place}: {value}", lesson.id);
                // And the lesson takes every one of them.
                let rules = Rules::unchanged(Rc::new(lesson.clone()));
                for choice in choices {
                    rules.with(rules.set(&place, choice.value.clone())).expect("a possibility is possible");
                }
            }
        }
    }
}

#[test]
fn what_a_rule_holds_is_shown_as_text_that_stands_for_the_same() {
    for lesson in Lesson::all().expect("the lessons") {
        let json = to_json(&lesson);
        for described in all() {
            let typed = !matches!(described.kind, Kind::Switch | Kind::Choice | Kind::Part | Kind::Hooks);
            for place in described.places(&json).into_iter().filter(|_| typed) {
                let value = at(&json, &place).expect("it is there");
                if !value.is_null() {
                    assert_eq!(described.parse(&described.text(value)).as_ref(), Some(value), "{}: {place}", lesson.id);
                }
            }
        }
    }
}

#[test]
fn what_is_typed_for_a_rule_and_is_none_is_told_apart() {
    let described = all();
    let of = |place: &str| described.iter().find(|described| described.place == place).expect("a row");
    let threshold = of("/reminder/threshold");
    assert_eq!(threshold.parse(" 5 "), Some(json!(5)));
    for typed in ["", "0", "-1", "3.5", "three", "99999999999"] {
        assert_eq!(threshold.parse(typed), None, "{typed:?}");
    }
    assert_eq!(of("/tools/*/spec").parse("{\"name\": "), None);
    assert_eq!(of("/hooks/*/rule/permission/deny").parse("rm \n\nsudo\n"), Some(json!(["rm ", "sudo"])));
    assert_eq!(of("/system").parse(""), Some(json!("")), "an empty text is a text");
}

#[test]
fn a_field_of_a_hook_changes_the_list_of_hooks_as_a_whole_and_back_again() {
    let rules = Rules::unchanged(Rc::new(lesson("s05")));
    let place = "/hooks/0/rule/print/line";
    let changed = rules.with(rules.set(place, "Hello".into())).expect("a line");
    assert_eq!(changed.changes.iter().map(|(place, _)| place).collect::<Vec<_>>(), ["/hooks"]);
    assert_eq!(to_json(&changed.lesson).pointer(place), Some(&json!("Hello")));
    let own = to_json(&rules.base).pointer(place).cloned().expect("its own line");
    assert!(changed.set(place, own).is_empty());
    let off = rules.with(rules.set("/hooks/0/off", true.into())).expect("a hook can be off");
    assert!(off.lesson.hooks[0].off);
    assert!(off.set("/hooks/0/off", false.into()).is_empty(), "switched on again it is what it was");
}

#[test]
fn a_lesson_told_in_another_way_is_one_that_a_run_can_go_by() {
    let with: Vec<Lesson> =
        Lesson::all().expect("the lessons").into_iter().filter(|lesson| !lesson.alternatives.is_empty()).collect();
    assert!(!with.is_empty());
    for lesson in with {
        let rules = Rules::unchanged(Rc::new(lesson));
        for alternative in &rules.base.alternatives {
            let changed = rules.with(alternative.patch.clone()).expect("it can be");
            assert_ne!(changed.lesson, rules.base, "{}", alternative.id);
        }
    }
}
