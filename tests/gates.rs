//! The two gates: what a tool's schema and its handler say of the same input.

mod support;

use playground::gates::schema::validate;
use playground::gates::{Complaint, Gates, Opinion, examine};
use playground::lesson::Lesson;
use playground::message::Json;
use serde_json::json;
use support::lesson;

/// What a gate says of the five rows, a letter for each: `+` passes, `-` refuses, `.` doesn't ask, `?` can't see.
fn letters<'a>(opinions: impl Iterator<Item = &'a Opinion>) -> String {
    let letter = |opinion: &Opinion| match opinion {
        Opinion::Passes => '+',
        Opinion::Refuses(_) => '-',
        Opinion::Silent => '.',
        Opinion::Blind => '?',
    };
    opinions.map(letter).collect()
}

fn schema_rows(gates: &Gates) -> String {
    letters(gates.rows.iter().map(|(schema, _)| schema))
}

fn handler_rows(gates: &Gates) -> String {
    letters(gates.rows.iter().map(|(_, handler)| handler))
}

fn gates(lesson: &Lesson, input: &Json) -> Gates {
    examine(lesson, input).expect("a lesson with a plan")
}

fn item(content: Json, status: &str) -> Json {
    json!({"content": content, "status": status})
}

fn list(items: &[Json]) -> Json {
    json!({"todos": items})
}

/// (what, input, the schema's rows, the handler's rows, what the model reads)
fn table() -> Vec<(&'static str, Json, &'static str, &'static str, &'static str)> {
    let a = || item("a".into(), "pending");
    vec![
        (
            "a valid list",
            list(&[a(), item("b".into(), "in_progress")]),
            "++++.",
            "+++++",
            "[ ] a\n[>] b\n\n(0/2 completed)",
        ),
        ("an empty list", list(&[]), "++++.", "+++++", "No todos."),
        (
            "a list as a JSON string",
            json!({"todos": r#"[{"content":"写报告","status":"pending"}]"#}),
            "-???.",
            "+++++",
            "[ ] 写报告\n\n(0/1 completed)",
        ),
        (
            "a list as a Python literal",
            json!({"todos": "[{'content': 'a', 'status': 'pending'}]"}),
            "-???.",
            "+++++",
            "[ ] a\n\n(0/1 completed)",
        ),
        (
            "a string that is no list",
            json!({"todos": "abc"}),
            "-???.",
            "-????",
            "Error: todos must be a list or JSON array string",
        ),
        ("one object", json!({"todos": a()}), "-???.", "-????", "Error: todos must be a list"),
        ("null", json!({"todos": null}), "-???.", "-????", "Error: todos must be a list"),
        (
            "no argument",
            json!({}),
            "-???.",
            "-????",
            "Error: run_todo_write() missing 1 required positional argument: 'todos'",
        ),
        (
            "an argument too many",
            json!({"todos": [a()], "merge": true}),
            "++++.",
            "-????",
            "Error: run_todo_write() got an unexpected keyword argument 'merge'",
        ),
        (
            "arguments that are no object",
            json!([a()]),
            "-???.",
            "-????",
            "Error: __main__.run_todo_write() argument after ** must be a mapping, not list",
        ),
        ("21 items", list(&vec![a(); 21]), "+-++.", "+-+++", "Error: Max 20 todos allowed"),
        (
            "empty content",
            list(&[a(), item("".into(), "pending")]),
            "++-+.",
            "++-++",
            "Error: todos[1] requires content",
        ),
        (
            "blank content",
            list(&[item("  \u{3000}".into(), "pending")]),
            "++++.",
            "++-++",
            "Error: todos[0] requires content",
        ),
        (
            "content missing",
            list(&[json!({"status": "pending"})]),
            "++-+.",
            "++-++",
            "Error: todos[0] requires content",
        ),
        ("a number for content", list(&[item(7.into(), "pending")]), "++-+.", "+++++", "[ ] 7\n\n(0/1 completed)"),
        ("null for content", list(&[item(Json::Null, "pending")]), "++-+.", "+++++", "[ ] None\n\n(0/1 completed)"),
        (
            "a wrong status",
            list(&[item("a".into(), "doing")]),
            "+++-.",
            "+++-+",
            "Error: todos[0] has invalid status 'doing'",
        ),
        ("an upper-case status", list(&[item("a".into(), "PENDING")]), "+++-.", "+++++", "[ ] a\n\n(0/1 completed)"),
        ("status missing", list(&[json!({"content": "a"})]), "+++-.", "+++++", "[ ] a\n\n(0/1 completed)"),
        (
            "two in progress",
            list(&[item("a".into(), "in_progress"), item("b".into(), "in_progress")]),
            "++++.",
            "++++-",
            "Error: Only one todo can be in_progress at a time",
        ),
        ("a null item", list(&[a(), Json::Null]), "-+++.", "-++++", "Error: todos[1] must be an object"),
        ("a string for an item", list(&["a".into()]), "-+++.", "-++++", "Error: todos[0] must be an object"),
        (
            "a field that no one asked for",
            list(&[json!({"content": "a", "status": "pending", "priority": 1})]),
            "++++.",
            "+++++",
            "[ ] a\n\n(0/1 completed)",
        ),
        // The program stops at the first refusal; the page shows what else it would have had to say.
        (
            "everything at once",
            list(&[item("".into(), "pending"), item("b".into(), "later"), Json::Null]),
            "-+--.",
            "-+--+",
            "Error: todos[0] requires content",
        ),
    ]
}

#[test]
fn each_gate_says_its_own_of_the_same_input() {
    let lesson = lesson("s05");
    for (what, input, schema, handler, read) in table() {
        let gates = gates(&lesson, &input);
        assert_eq!((schema_rows(&gates).as_str(), handler_rows(&gates).as_str()), (schema, handler), "{what}");
        assert_eq!((gates.handler.0.as_str(), gates.handler.1), (read, !read.starts_with("Error")), "{what}");
        assert_eq!(
            gates.handler.1,
            !handler.contains('-'),
            "{what}: the plan changes where the handler refuses nothing"
        );
        assert_eq!(gates.schema.violations.is_empty(), !schema.contains('-'), "{what}: each violation is in a row");
        assert!(gates.schema.unknown.is_empty(), "{what}");
    }
}

#[test]
fn each_item_is_judged_on_its_own() {
    let input = list(&[item("a".into(), "pending"), item(" ".into(), "DONE"), Json::Null, item(7.into(), "PENDING")]);
    let gates = gates(&lesson("s05"), &input);
    let shown: Vec<&str> = gates.items.iter().map(|item| item.shown.as_str()).collect();
    assert_eq!(shown[0], r#"{"content":"a","status":"pending"}"#);
    assert_eq!(shown[2], "null");
    assert_eq!(letters(gates.items.iter().map(|item| &item.schema)), "+---");
    assert_eq!(letters(gates.items.iter().map(|item| &item.handler)), "+--+");
    let Opinion::Refuses(found) = &gates.items[3].schema else { panic!("it refuses") };
    let keywords: Vec<_> = found
        .iter()
        .map(|complaint| match complaint {
            Complaint::Schema(found) => (found.path.join("/"), found.keyword.as_str()),
            Complaint::Handler(text) => panic!("{text}"),
        })
        .collect();
    assert_eq!(keywords, [("todos/3/content".into(), "type"), ("todos/3/status".into(), "enum")]);
}

#[test]
fn the_items_of_a_string_are_seen_by_the_handler_alone() {
    let gates = gates(&lesson("s05"), &json!({"todos": "[{'content': 'a', 'status': 'later'}, None]"}));
    let shown: Vec<&str> = gates.items.iter().map(|item| item.shown.as_str()).collect();
    assert_eq!(shown, ["{'content': 'a', 'status': 'later'}", "None"]);
    assert_eq!(letters(gates.items.iter().map(|item| &item.schema)), "??");
    assert_eq!(letters(gates.items.iter().map(|item| &item.handler)), "--");
}

#[test]
fn a_lesson_that_does_not_ask_says_nothing_and_one_without_a_plan_has_no_gates() {
    // Its schema has no maxItems, its handler takes 12; neither asks for a length of the content but the handler.
    let plan = lesson("s03-plan");
    let thirteen = json!({"items": vec![item("a".into(), "pending"); 13]});
    let gates = gates(&plan, &thirteen);
    assert_eq!((schema_rows(&gates).as_str(), handler_rows(&gates).as_str()), ("+.++.", "+-+++"));
    assert_eq!(gates.handler.0, "Error: Keep the session plan short (max 12 items)");
    assert_eq!(examine(&lesson("s04"), &json!({"todos": []})), None);
}

#[test]
fn the_gates_go_by_the_rules_as_they_are() {
    let mut changed = lesson("s05");
    let plan = changed.plan.as_mut().expect("a plan");
    (plan.max_items, plan.no_content) = (None, None);
    let schema = &mut changed.tools[5].spec.input_schema;
    schema["additionalProperties"] = false.into();
    schema["properties"]["todos"]["contains"] = json!({"type": "object"});
    let input = json!({"todos": vec![item("".into(), "pending"); 21], "merge": 1});
    let gates = gates(&changed, &input);
    assert_eq!((schema_rows(&gates).as_str(), handler_rows(&gates).as_str()), ("---+.", "-????"));
    assert_eq!(gates.schema.unknown, ["contains"], "what is not judged is named");
    let gates = self::gates(&changed, &json!({"todos": vec![item("".into(), "pending"); 21]}));
    assert_eq!((schema_rows(&gates).as_str(), handler_rows(&gates).as_str()), ("+--+.", "+..++"));
}

#[test]
fn a_value_is_valid_where_a_kept_library_says_so_and_breaks_the_same_keywords_at_the_same_places() {
    // Recorded from the crate jsonschema 0.61.2, on schemas and values made at random.
    let file = std::env::var("SCHEMA_VERDICTS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gates/schema.json").into());
    let cases: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(file).expect("the verdicts")).expect("JSON");
    assert!(cases.len() >= 200, "the verdicts are gone");
    for case in cases {
        let verdict = validate(&case["schema"], &case["value"]);
        let place = |path: &[String]| path.iter().map(|name| format!("/{name}")).collect::<String>();
        let found = verdict.violations.iter().map(|found| format!("{} {}", place(&found.path), found.keyword));
        let found: std::collections::BTreeSet<String> = found.collect();
        assert_eq!(json!(found), case["errors"], "{case}");
        assert!(verdict.unknown.is_empty(), "{case}");
    }
}
