//! The checker: each rule of the API, broken and kept, and what the API says of it.

use std::rc::Rc;

use playground::fault::Fault;
use playground::message::{Block, Content, Fields, Json, Message, Role, ToolCall, ToolSpec};
use playground::wire::ModelRequest;
use playground::wire::checker::{Finding, Place, Rule, check, refusal};
use serde_json::json;

/// A request with one tool. Messages that begin with `calls` or `says` are the model's.
fn request(messages: Vec<Message>) -> ModelRequest {
    let tools = [ToolSpec { name: "glob".into(), description: String::new(), input_schema: json!({"type": "object"}) }];
    ModelRequest {
        model: "m".into(),
        max_tokens: 1,
        system: None,
        messages: messages.into_iter().map(Rc::new).collect(),
        tools: Rc::new(tools),
    }
}

fn model(blocks: Vec<Block>) -> Message {
    Message { role: Role::Assistant, content: Content::Blocks(blocks) }
}

fn named(id: &str, name: &str) -> Block {
    Block::ToolUse(ToolCall { id: id.into(), name: name.into(), input: json!({}), extra: Fields::new() })
}

fn call(id: &str) -> Block {
    named(id, "glob")
}

fn result(id: &str) -> Block {
    Block::ToolResult { tool_use_id: id.into(), content: "out".into() }
}

fn text(text: &str) -> Block {
    Block::text(text)
}

fn thinking() -> Block {
    let fields: Json = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    Block::from_json(fields.as_object().expect("an object").clone())
}

/// A prompt, and what comes after it.
fn after_prompt(rest: impl IntoIterator<Item = Message>) -> Vec<Message> {
    std::iter::once(Message::prompt("Go")).chain(rest).collect()
}

/// One round: these blocks of the model's, and the user message that follows.
fn round(calls: Vec<Block>, answer: Vec<Block>) -> Vec<Message> {
    after_prompt([model(calls), Message::results(answer)])
}

fn unanswered(message: usize, ids: &str) -> String {
    format!(
        "messages.{message}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each \
         `tool_use` block must have a corresponding `tool_result` block in the next message."
    )
}

/// A rule: a list that breaks it, where and concerning what, the API's words (none where it accepts), and a list that is
/// as like as can be and breaks no rule.
struct Row {
    rule: Rule,
    broken: Vec<Message>,
    found: Vec<(Place, &'static str)>,
    words: Option<String>,
    held: Vec<Message>,
}

fn rows() -> Vec<Row> {
    let row = |rule, broken, found: &[(Place, &'static str)], words: &str, held| Row {
        rule,
        broken,
        found: found.to_vec(),
        words: Some(words.to_string()),
        held,
    };
    vec![
        row(
            Rule::Answered,
            round(vec![call("a"), call("b"), call("c")], vec![result("b")]),
            &[(Place::Block(1, 0), "a"), (Place::Block(1, 2), "c")],
            &unanswered(1, "a, c"),
            round(vec![call("a"), call("b")], vec![result("b"), result("a")]),
        ),
        row(
            Rule::ResultOfCall,
            round(vec![call("a")], vec![result("a"), result("x")]),
            &[(Place::Block(2, 1), "x")],
            "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: x. Each `tool_result` block must \
             have a corresponding `tool_use` block in the previous message.",
            round(vec![call("a"), call("x")], vec![result("a"), result("x")]),
        ),
        row(
            Rule::AnsweredOnce,
            round(vec![call("a")], vec![result("a"), result("a")]),
            &[(Place::Block(2, 1), "a")],
            "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
            round(vec![call("a")], vec![result("a")]),
        ),
        row(
            Rule::ResultsFirst,
            round(vec![call("a"), call("b")], vec![text("<reminder>"), result("a"), result("b")]),
            &[(Place::Block(2, 0), "a, b")],
            &unanswered(1, "a, b"),
            round(vec![call("a"), call("b")], vec![result("a"), result("b")]),
        ),
        Row {
            rule: Rule::NoTextBehindResults,
            broken: round(vec![call("a")], vec![result("a"), text("<reminder>")]),
            found: vec![(Place::Block(2, 1), "")],
            words: None,
            held: round(vec![call("a")], vec![result("a")]),
        },
        row(
            Rule::TextNotEmpty,
            after_prompt([model(vec![text("")]), Message::prompt("More")]),
            &[(Place::Block(1, 0), "")],
            "messages: text content blocks must be non-empty",
            after_prompt([model(vec![text("Done")]), Message::prompt("More")]),
        ),
        row(
            Rule::ContentNotEmpty,
            after_prompt([model(vec![]), Message::prompt("More")]),
            &[(Place::Message(1), "")],
            "messages.1: all messages must have non-empty content except for the optional final assistant message",
            after_prompt([model(vec![])]),
        ),
        row(
            Rule::CallsLast,
            round(vec![call("a"), text("and now"), call("b")], vec![result("a"), result("b")]),
            &[(Place::Block(1, 1), "text")],
            "messages.1.content.1: unexpected `text` block after `tool_use` blocks",
            round(vec![thinking(), text("and now"), call("a"), call("b")], vec![result("a"), result("b")]),
        ),
        row(
            Rule::ToolName,
            round(vec![named("a", "glob it")], vec![result("a")]),
            &[(Place::Block(1, 0), "glob it")],
            "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
            // The API doesn't mind a call of a tool that is not on offer.
            round(vec![named("a", "Glob_it-2")], vec![result("a")]),
        ),
        row(
            Rule::CallId,
            round(vec![call("functions.glob:0")], vec![result("functions.glob:0")]),
            &[(Place::Block(1, 0), "functions.glob:0")],
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            round(vec![call("toolu_01-A")], vec![result("toolu_01-A")]),
        ),
        row(
            Rule::CallIdOnce,
            [round(vec![call("a")], vec![result("a")]), round(vec![call("a")], vec![result("a")]).split_off(1)]
                .concat(),
            &[(Place::Block(3, 0), "a")],
            "messages.3.content.0: `tool_use` ids must be unique",
            [round(vec![call("a")], vec![result("a")]), round(vec![call("b")], vec![result("b")]).split_off(1)]
                .concat(),
        ),
        row(
            Rule::BodySize,
            vec![Message::prompt("x".repeat((32 << 20) + 1))],
            &[(Place::Request, "33 MB")],
            "Request exceeds the maximum size",
            vec![Message::prompt("x".repeat(32 << 20))],
        ),
    ]
}

#[test]
fn each_rule_is_found_where_it_is_broken_and_only_there() {
    let mut rules = Vec::new();
    for Row { rule, broken, found, words, held } in rows() {
        let told = check(&request(broken));
        let expected = found.into_iter().map(|(place, about)| Finding { rule, place, about: about.into() });
        assert_eq!(told, expected.collect::<Vec<_>>(), "{rule:?}");
        assert_eq!(rule.refuses(), words.is_some(), "{rule:?}");
        let said = refusal(&told).map(|fault| match fault {
            Fault::Api { message, .. } => message,
            fault => panic!("{fault:?}"),
        });
        assert_eq!(said, words, "{rule:?}");
        assert_eq!(check(&request(held)), [], "{rule:?}");
        rules.push(rule);
    }
    // The rules about tools on offer are about no message.
    let without_tools = |messages| ModelRequest { tools: Rc::new([]), ..request(messages) };
    let lists = [round(vec![call("a")], vec![result("a")]), vec![Message::prompt("Go")]];
    let told = lists.map(|messages| check(&without_tools(messages)));
    assert_eq!(told[0], [Finding { rule: Rule::ToolsDefined, place: Place::Request, about: String::new() }]);
    assert_eq!(told[1], [], "a request without any need not tell of tools");
    rules.push(Rule::ToolsDefined);
    assert!(Rule::ALL.iter().all(|rule| rules.contains(rule)), "a rule without a row");
}

#[test]
fn a_tool_on_offer_is_named_in_letters_that_the_api_takes() {
    for (name, fine) in [("a".repeat(64), true), ("a".repeat(65), false), ("".into(), false), ("写".into(), false)] {
        let tool = ToolSpec { name: name.clone(), description: String::new(), input_schema: json!({}) };
        let request = ModelRequest { tools: Rc::new([tool]), ..request(vec![Message::prompt("Go")]) };
        let found = check(&request);
        assert_eq!(found.is_empty(), fine, "{name}");
        if !fine {
            assert_eq!((found[0].rule, found[0].place, &found[0].about), (Rule::ToolName, Place::Tool(0), &name));
        }
    }
}

#[test]
fn user_messages_that_follow_each_other_are_one_to_the_api() {
    let stopped = after_prompt([model(vec![call("a")]), Message::results(vec![result("a")]), Message::prompt("More")]);
    let rules = |messages| check(&request(messages)).iter().map(|found| (found.rule, found.place)).collect::<Vec<_>>();
    assert_eq!(rules(stopped), [(Rule::NoTextBehindResults, Place::Message(3))]);
    let own =
        after_prompt([model(vec![call("a")]), Message::prompt("<reminder>"), Message::results(vec![result("a")])]);
    assert_eq!(rules(own), [(Rule::ResultsFirst, Place::Message(2))]);
    assert_eq!(rules(vec![Message::prompt("One"), Message::prompt("Two")]), []);
}

#[test]
fn calls_that_the_list_ends_with_or_a_prompt_follows_are_open() {
    let open = after_prompt([model(vec![call("a")])]);
    let then_prompt = after_prompt([model(vec![call("a")]), Message::prompt("More")]);
    for list in [open, then_prompt] {
        let found = check(&request(list));
        assert_eq!(found, [Finding { rule: Rule::Answered, place: Place::Block(1, 0), about: "a".into() }]);
    }
}

#[test]
fn a_body_that_is_too_large_is_refused_with_413_and_all_else_with_400() {
    for Row { rule, broken, .. } in rows().into_iter().filter(|row| row.rule.refuses()) {
        let Some(Fault::Api { status, kind, .. }) = refusal(&check(&request(broken))) else { panic!("{rule:?}") };
        let expected = match rule {
            Rule::BodySize => (413, "request_too_large"),
            _ => (400, "invalid_request_error"),
        };
        assert_eq!((status, kind.as_str()), expected, "{rule:?}");
    }
}

#[test]
fn the_first_rule_that_refuses_is_the_one_that_the_api_tells() {
    let list = [
        round(vec![call("a")], vec![result("a"), text("<reminder>")]),
        round(vec![call("b")], vec![text("<reminder>"), result("b")]).split_off(1),
        vec![model(vec![text("")])],
    ];
    let found = check(&request(list.concat()));
    let rules: Vec<Rule> = found.iter().map(|found| found.rule).collect();
    assert_eq!(rules, [Rule::NoTextBehindResults, Rule::ResultsFirst, Rule::TextNotEmpty]);
    assert!(matches!(refusal(&found), Some(Fault::Api { message, .. }) if message == unanswered(3, "b")));
    assert_eq!(refusal(&found[..1]), None, "what is only advised against is accepted");
}

/// `cargo test --release --test wire -- --ignored --nocapture a_long_list`
#[test]
#[ignore = "a measurement"]
fn a_long_list_is_checked_in_a_moment() {
    let mut messages = vec![Message::prompt("Go")];
    for i in 0..1000 {
        messages.push(model(vec![text("Next"), call(&format!("toolu_{i}"))]));
        messages.push(Message::results(vec![result(&format!("toolu_{i}"))]));
    }
    let request = request(messages);
    let start = std::time::Instant::now();
    let found: usize = (0..100).map(|_| check(&request).len()).sum();
    println!("{found} found, {:?} each", start.elapsed() / 100);
}
