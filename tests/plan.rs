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
    let rules = PlanRules { accepts_strings: false, max_items: Some(1), ..rules() };
    assert_eq!(Plan::parse(&rules, &json!("[]")), Err("todos must be a list".into()));
    assert_eq!(Plan::parse(&rules, &json!([1, 2])), Err("Max 20 todos allowed".into()), "the words are data too");
}

/// What the model reads after an update in another lesson.
fn said_in(id: &str, items: &Json) -> String {
    let rules = lesson(id).plan.expect("a plan");
    Plan::parse(&rules, items).map_or_else(|error| format!("Error: {error}"), |plan| plan.render(&rules))
}

#[test]
fn an_items_id_is_shown_and_names_it_in_a_refusal() {
    for (items, shown) in [
        (json!([{"id": "1", "text": "a", "status": "in_progress"}]), "[>] #1: a\n\n(0/1 completed)"),
        (json!([{"id": 7, "text": "a"}, {"id": 7, "text": "b"}]), "[ ] #7: a\n[ ] #7: b\n\n(0/2 completed)"),
        (json!([{"text": "a"}, {"text": "b"}]), "[ ] #1: a\n[ ] #2: b\n\n(0/2 completed)"),
        (json!([{"id": null, "text": "a"}]), "[ ] #None: a\n\n(0/1 completed)"),
        (json!([{"id": "", "text": "a"}]), "[ ] #: a\n\n(0/1 completed)"),
        (json!([{"id": " x ", "text": " a "}]), "[ ] # x : a\n\n(0/1 completed)"),
        (json!([{"id": "{content}", "text": "{mark}{id}"}]), "[ ] #{content}: {mark}{id}\n\n(0/1 completed)"),
        (json!([]), "No todos."),
        (json!([{"id": "x", "text": " "}]), "Error: Item x: text required"),
        (json!([{"text": "a"}, {"content": "b"}]), "Error: Item 2: text required"),
        (json!([{"id": "{status}", "text": "a", "status": "DONE"}]), "Error: Item {status}: invalid status 'done'"),
        (
            json!([{"text": "a", "status": "in_progress"}, {"text": "b", "status": "in_progress"}]),
            "Error: Only one task can be in_progress at a time",
        ),
    ] {
        assert_eq!(said_in("s03-todo", &items), shown, "{items}");
    }
}

#[test]
fn an_items_active_form_is_shown_while_it_is_in_progress() {
    let item = |status: &str, form: Json| json!([{"content": "a", "status": status, "activeForm": form}]);
    for (items, shown) in [
        (item("in_progress", " Doing a ".into()), "[>] a (Doing a)\n\n(0/1 completed)"),
        (item("pending", "Doing a".into()), "[ ] a\n\n(0/1 completed)"),
        (item("completed", "Doing a".into()), "[x] a\n\n(1/1 completed)"),
        (item("in_progress", " ".into()), "[>] a\n\n(0/1 completed)"),
        (item("in_progress", Json::Null), "[>] a (None)\n\n(0/1 completed)"),
        (item("in_progress", 5.into()), "[>] a (5)\n\n(0/1 completed)"),
        (json!([{"content": "a", "status": "in_progress"}]), "[>] a\n\n(0/1 completed)"),
        (json!([]), "No session plan yet."),
        (json!([{"content": "a"}, {"content": ""}]), "Error: Item 1: content required"),
        (json!([{"content": "a", "status": "done"}]), "Error: Item 0: invalid status 'done'"),
        (json!(vec![json!({"content": "a"}); 13]), "Error: Keep the session plan short (max 12 items)"),
    ] {
        assert_eq!(said_in("s03-plan", &items), shown, "{items}");
    }
}

#[test]
fn where_no_list_is_asked_for_python_takes_the_value_as_far_as_it_goes() {
    let (no_len, no_get) = ("has no len()", "object has no attribute 'get'");
    for (items, why) in [
        (json!(5), format!("Error: object of type 'int' {no_len}")),
        (json!(1.5), format!("Error: object of type 'float' {no_len}")),
        (json!(true), format!("Error: object of type 'bool' {no_len}")),
        (json!(null), format!("Error: object of type 'NoneType' {no_len}")),
        (json!("[]"), format!("Error: 'str' {no_get}")),
        (json!("x".repeat(21)), "Error: Max 20 todos allowed".to_string()),
        (json!("计".repeat(20)), format!("Error: 'str' {no_get}")),
        (json!(""), "No todos.".to_string()),
        (json!({}), "No todos.".to_string()),
        (json!({"text": "a"}), format!("Error: 'str' {no_get}")),
        (json!(["a"]), format!("Error: 'str' {no_get}")),
        (json!([null]), format!("Error: 'NoneType' {no_get}")),
        (json!([["a"]]), format!("Error: 'list' {no_get}")),
    ] {
        assert_eq!(said_in("s03-todo", &items), why, "{items}");
    }
}

#[test]
fn what_a_lesson_does_not_check_is_taken() {
    let lesson = lesson("s03-plan");
    let page = lesson.alternatives[0].patch.apply(&lesson).expect("a lesson").plan.expect("a plan");
    let shown = |items: Json| {
        Plan::parse(&page, &items).map_or_else(|error| format!("Error: {error}"), |plan| plan.render(&page))
    };
    assert_eq!(shown(json!([{"content": "a", "status": "completed"}, {}])), "[x] a\n[ ] ");
    assert_eq!(shown(json!(vec![json!({"content": "a"}); 13])), ["[ ] a"; 13].join("\n"));
    // Without a length to look at, the loop is the first to find that it is no list.
    assert_eq!(shown(json!(5)), "Error: 'int' object is not iterable");
}

#[test]
fn a_plan_in_an_older_log_is_read_and_one_without_ids_is_written_as_before() {
    let old = json!({"items": [{"content": "a", "status": "pending"}]});
    let plan: Plan = serde_json::from_value(old.clone()).expect("a plan");
    assert_eq!((&plan.items[0].id, &plan.items[0].active_form), (&None, &None));
    assert_eq!(serde_json::to_value(&plan).expect("JSON"), old);
    let new = json!({"items": [{"id": "1", "content": "a", "status": "in_progress", "active_form": "Doing a"}]});
    let plan: Plan = serde_json::from_value(new.clone()).expect("a plan");
    assert_eq!(serde_json::to_value(&plan).expect("JSON"), new);
}
