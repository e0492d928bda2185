//! The plan: what the lesson's plan tool takes, how it refuses the rest, and what the model reads then.
//!
//! How Python's own texts and literals are read is in `python.rs`; here is what the plan makes of them.

mod support;

use playground::message::Json;
use playground::plan::{Plan, PlanRules, Status};
use serde_json::json;
use support::lesson;

fn rules() -> PlanRules {
    lesson("s05").plan.expect("a plan")
}

/// What the model reads after an update: the rendered plan, or why it was refused.
fn said(todos: Json) -> String {
    Plan::parse(&rules(), &todos).map_or_else(|error| format!("Error: {error}"), |plan| plan.render(&rules()))
}

fn item(content: impl Into<Json>, status: impl Into<Json>) -> Json {
    let (content, status): (Json, Json) = (content.into(), status.into());
    json!({"content": content, "status": status})
}

/// The rendering of one pending item.
fn pending(content: &str) -> String {
    format!("[ ] {content}\n\n(0/1 completed)")
}

#[test]
fn a_plan_is_shown_line_by_line_with_what_is_done() {
    let plan = json!([item("A", "completed"), item("B", "in_progress"), item("C", "pending"), item("A", "completed")]);
    assert_eq!(said(plan), "[x] A\n[>] B\n[ ] C\n[x] A\n\n(2/4 completed)");
    assert_eq!(said(json!([])), "No todos.");
    let twenty = vec![item("x", "pending"); 20];
    assert!(said(json!(twenty)).ends_with("\n\n(0/20 completed)"));
}

#[test]
fn a_list_that_came_as_a_string_is_read() {
    for (text, shown) in [
        (r#"[{"content":"写报告","status":"pending"}]"#, pending("写报告")),
        ("[{'content':'a','status':'pending'}]", pending("a")),
        (" \n[{\"content\": \"a\"}]\n ", pending("a")),
        (r#"[{"content":"a","status":"pending",}]"#, pending("a")),
        ("[{'content': None, 'status': 'completed'}]", "[x] None\n\n(1/1 completed)".to_string()),
        ("[]", "No todos.".to_string()),
    ] {
        assert_eq!(said(text.into()), shown, "{text}");
    }
}

#[test]
fn what_is_no_list_is_refused_in_the_lessons_words() {
    for (todos, why) in [
        (json!(null), "todos must be a list"),
        (json!(5), "todos must be a list"),
        (json!({"content": "a", "status": "pending"}), "todos must be a list"),
        (json!("{}"), "todos must be a list"),
        (json!("5"), "todos must be a list"),
        (json!("NaN"), "todos must be a list"),
        (json!("null"), "todos must be a list"),
        (json!("None"), "todos must be a list"),
        (json!("({'content': 'a'},)"), "todos must be a list"),
        (json!(""), "todos must be a list or JSON array string"),
        (json!("abc"), "todos must be a list or JSON array string"),
        (json!("```json\n[]\n```"), "todos must be a list or JSON array string"),
        (json!("[__import__('os')]"), "todos must be a list or JSON array string"),
        (json!("{[]: 1}"), "unhashable type: 'list'"),
    ] {
        assert_eq!(said(todos.clone()), format!("Error: {why}"), "{todos}");
    }
}

#[test]
fn an_item_that_cannot_be_taken_is_named_by_its_place_from_zero() {
    for (todos, why) in [
        (json!([null]), "todos[0] must be an object"),
        (json!(["a"]), "todos[0] must be an object"),
        (json!([item("a", "pending"), 5]), "todos[1] must be an object"),
        (json!([{}]), "todos[0] requires content"),
        (json!([item("", "pending")]), "todos[0] requires content"),
        (json!([item(" \u{3000}\u{a0}\n", "pending")]), "todos[0] requires content"),
        (json!([item("a", "done")]), "todos[0] has invalid status 'done'"),
        (json!([item("a", "DONE")]), "todos[0] has invalid status 'done'"),
        (json!([item("a", " pending ")]), "todos[0] has invalid status ' pending '"),
        (json!([item("a", "")]), "todos[0] has invalid status ''"),
        (json!([item("a", 1)]), "todos[0] has invalid status '1'"),
        (json!([item("a", Json::Null)]), "todos[0] has invalid status 'none'"),
        (json!([item("a", "{i}")]), "todos[0] has invalid status '{i}'"),
        (json!([item("a", "in_progress"), item("b", "in_progress")]), "Only one todo can be in_progress at a time"),
        (json!(vec![item("a", "pending"); 21]), "Max 20 todos allowed"),
    ] {
        assert_eq!(said(todos.clone()), format!("Error: {why}"), "{todos}");
    }
}

#[test]
fn the_first_check_that_fails_speaks() {
    // Length, then item by item object, content and status, and one item in progress last.
    for (todos, why) in [
        (json!(vec![json!(null); 21]), "Max 20 todos allowed"),
        (json!([item("a", "bad"), item("", "pending")]), "todos[0] has invalid status 'bad'"),
        (json!([item("", "bad")]), "todos[0] requires content"),
        (json!([item("a", "in_progress"), item("b", "in_progress"), "c"]), "todos[2] must be an object"),
    ] {
        assert_eq!(said(todos.clone()), format!("Error: {why}"), "{todos}");
    }
}

#[test]
fn content_is_what_python_prints_trimmed_at_both_ends() {
    for (content, shown) in [
        (json!("  a b\u{3000}"), "a b"),
        (json!("a\nb"), "a\nb"),
        (json!("\u{200b}"), "\u{200b}"),
        (json!("[x] fake <script>"), "[x] fake <script>"),
        (json!("{done} of {total}"), "{done} of {total}"),
        (json!(null), "None"),
        (json!(true), "True"),
        (json!(1.5), "1.5"),
        (json!(-0.0), "-0.0"),
        (json!(["a", 1]), "['a', 1]"),
        (json!({"k": "v"}), "{'k': 'v'}"),
    ] {
        assert_eq!(said(json!([item(content, "pending")])), pending(shown));
    }
}

#[test]
fn a_status_may_be_missing_or_in_capitals_and_other_fields_are_dropped() {
    assert_eq!(said(json!([{"content": "a"}])), pending("a"));
    assert_eq!(said(json!([item("a", "In_Progress")])), "[>] a\n\n(0/1 completed)");
    let todos = json!([{"id": 7, "content": "a", "status": "completed", "activeForm": "Doing a"}]);
    let plan = Plan::parse(&rules(), &todos).expect("a plan");
    assert_eq!(serde_json::to_value(&plan).expect("JSON"), json!({"items": [item("a", "completed")]}));
    assert_eq!((plan.done(), plan.items[0].status), (1, Status::Completed));
}

#[test]
fn a_lesson_that_takes_no_strings_refuses_them_like_anything_else() {
    let rules = PlanRules { accepts_strings: false, max_items: 1, ..rules() };
    assert_eq!(Plan::parse(&rules, &json!("[]")), Err("todos must be a list".into()));
    assert_eq!(Plan::parse(&rules, &json!([1, 2])), Err("Max 20 todos allowed".into()), "the words are data too");
}
