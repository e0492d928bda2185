//! What is sent: bodies, headers, the address and the key.

use std::rc::Rc;

use playground::fault::Fault;
use playground::message::{Block, Content, Json, Message, Role, ToolSpec};
use playground::wire::ModelRequest;
use playground::wire::anthropic::{Auth, Encoder, clean_key, headers, url};
use proptest::prelude::*;
use serde_json::json;

use crate::reply::any_block;

fn request(messages: impl IntoIterator<Item = Message>) -> ModelRequest {
    ModelRequest {
        model: "claude-test".into(),
        max_tokens: 8000,
        system: None,
        messages: messages.into_iter().map(Rc::new).collect(),
        tools: Rc::new([]),
    }
}

/// The same body, written at once by serde_json.
fn afresh(request: &ModelRequest, stream: bool) -> String {
    let mut body = json!({"model": request.model, "max_tokens": request.max_tokens});
    if let Some(system) = &request.system {
        body["system"] = json!(system);
    }
    body["messages"] = request.messages.iter().map(|message| json!(message)).collect();
    if !request.tools.is_empty() {
        body["tools"] = json!(request.tools);
    }
    if stream {
        body["stream"] = true.into();
    }
    body.to_string()
}

#[test]
fn a_request_reads_as_in_the_documentation() {
    let mut request = request([Message::prompt("写报告 ★")]);
    assert_eq!(
        Encoder::new().body(&request, false),
        r#"{"model":"claude-test","max_tokens":8000,"messages":[{"role":"user","content":"写报告 ★"}]}"#
    );
    request.system = Some("Be \"brief\".".into());
    let schema = json!({"type": "object", "properties": {}});
    request.tools =
        Rc::new([ToolSpec { name: "now".into(), description: "Tell the time.".into(), input_schema: schema }]);
    assert_eq!(
        Encoder::new().body(&request, true),
        concat!(
            r#"{"model":"claude-test","max_tokens":8000,"system":"Be \"brief\".","#,
            r#""messages":[{"role":"user","content":"写报告 ★"}],"#,
            r#""tools":[{"name":"now","description":"Tell the time.","input_schema":{"type":"object","properties":{}}}],"#,
            r#""stream":true}"#
        )
    );
}

#[test]
fn what_a_model_sent_goes_back_as_it_came() {
    let blocks = r#"[{"type":"thinking","thinking":"hm","signature":"sig=="},{"type":"text","text":"","citations":null},{"type":"tool_use","id":"t1","name":"now","input":{},"caller":null},{"type":"hologram","depth":null,"z":1,"a":[]}]"#;
    let blocks: Vec<Block> = serde_json::from_str(blocks).unwrap();
    let written = serde_json::to_string(&blocks).unwrap();
    let body =
        Encoder::new().body(&request([Message { role: Role::Assistant, content: Content::Blocks(blocks) }]), true);
    assert!(body.contains(&written), "{body}");
    for kept in [r#""citations":null"#, r#""caller":null"#, r#"{"type":"hologram","depth":null,"z":1,"a":[]}"#] {
        assert!(body.contains(kept), "{kept} is lost in {body}");
    }
}

/// One step in the life of a history.
#[derive(Debug, Clone)]
enum Step {
    Say(Message),
    GoBack(usize),
    Edit(usize, Message),
    OtherTools(bool),
    OtherSystem(Option<String>),
}

fn any_message() -> impl Strategy<Value = Message> {
    let text = any::<String>().prop_map(Content::Text);
    let blocks = prop::collection::vec(any_block(), 0..4).prop_map(Content::Blocks);
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    (role, prop_oneof![text, blocks]).prop_map(|(role, content)| Message { role, content })
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any_message().prop_map(Step::Say),
        1 => (0..4_usize).prop_map(Step::GoBack),
        1 => (0..8_usize, any_message()).prop_map(|(place, message)| Step::Edit(place, message)),
        1 => any::<bool>().prop_map(Step::OtherTools),
        1 => any::<Option<String>>().prop_map(Step::OtherSystem),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_history_that_grows_is_sent_as_if_written_afresh(steps in prop::collection::vec(any_step(), 1..20), stream: bool) {
        let mut encoder = Encoder::new();
        let mut request = request([]);
        for step in steps {
            match step {
                Step::Say(message) => request.messages.push_back_mut(Rc::new(message)),
                Step::GoBack(messages) => {
                    let left = request.messages.len().saturating_sub(messages);
                    request.messages = request.messages.iter().take(left).cloned().collect();
                }
                Step::Edit(place, message) => {
                    request.messages.set_mut(place, Rc::new(message));
                }
                Step::OtherTools(any) => {
                    let spec = ToolSpec { name: "t".into(), description: "é".into(), input_schema: Json::Null };
                    request.tools = if any { Rc::new([spec]) } else { Rc::new([]) };
                }
                Step::OtherSystem(system) => request.system = system.map(Into::into),
            }
            prop_assert_eq!(encoder.body(&request, stream), afresh(&request, stream));
        }
    }
}

#[test]
fn the_headers_are_those_that_the_endpoint_wants() {
    let names = |key, auth, browser| {
        let headers = headers(key, auth, browser);
        headers.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
    };
    let json = "content-type: application/json";
    let vendor = ["anthropic-version: 2023-06-01", "anthropic-dangerous-direct-browser-access: true"];
    assert_eq!(names("k", Auth::XApiKey, true), [json, "x-api-key: k", vendor[0], vendor[1]]);
    assert_eq!(names("k", Auth::Bearer, false), [json, "authorization: Bearer k"]);
    assert_eq!(names("k", Auth::None, false), [json]);
    assert_eq!(names("", Auth::Bearer, false), [json], "an empty key is no header");
    assert_eq!(names("", Auth::XApiKey, true), [json, vendor[0], vendor[1]]);
}

#[test]
fn an_address_typed_in_any_way_becomes_the_right_one() {
    for (typed, right) in [
        ("api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("host", "https://host/v1/messages"),
        ("host/", "https://host/v1/messages"),
        ("host//", "https://host/v1/messages"),
        ("host/v1", "https://host/v1/messages"),
        ("host/v1/", "https://host/v1/messages"),
        ("host/v1/messages", "https://host/v1/messages"),
        ("host/v1/messages/", "https://host/v1/messages"),
        ("  host/v1 \n", "https://host/v1/messages"),
        ("\u{FEFF}host\u{200B}", "https://host/v1/messages"),
        ("host/anthropic", "https://host/anthropic/v1/messages"),
        ("https://api.z.ai/api/anthropic/v1", "https://api.z.ai/api/anthropic/v1/messages"),
        ("host/messages", "https://host/messages/v1/messages"),
        ("host/av1", "https://host/av1/v1/messages"),
        ("v1", "https://v1/v1/messages"),
        ("HTTPS://Host.Example/Path", "https://host.example/Path/v1/messages"),
        ("http://lan-box:8080", "http://lan-box:8080/v1/messages"),
        ("localhost:11434", "http://localhost:11434/v1/messages"),
        ("LOCALHOST", "http://localhost/v1/messages"),
        ("llm.localhost", "http://llm.localhost/v1/messages"),
        ("https://localhost:8443", "https://localhost:8443/v1/messages"),
        ("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/messages"),
        ("127.example.com", "https://127.example.com/v1/messages"),
        ("[::1]:1234", "http://[::1]:1234/v1/messages"),
        ("[2001:db8::1]", "https://[2001:db8::1]/v1/messages"),
        ("模型.example", "https://模型.example/v1/messages"),
    ] {
        let got = url(typed);
        assert_eq!(got.as_deref(), Ok(right), "{typed:?}");
        assert_eq!(url(right).as_deref(), Ok(right), "the URL shown, pasted back");
    }
}

#[test]
fn an_address_that_cannot_be_right_is_refused_with_the_rule() {
    for (typed, rule) in [
        ("", "empty"),
        (" \u{FEFF}\n", "empty"),
        ("my host", "space"),
        ("host/a\tb", "space"),
        ("ho\u{200B}st", "zero_width"),
        ("ho\nst", "line_break"),
        ("ho\u{1}st", "control"),
        ("ftp://host", "scheme"),
        ("file:///etc", "scheme"),
        ("host/to/http://other", "scheme"),
        ("https://me:secret@host", "userinfo"),
        ("secret@host", "userinfo"),
        ("host/v1/messages?beta=true", "query"),
        ("host#top", "query"),
        ("https://", "host"),
        ("https:///v1", "host"),
        ("/v1/messages", "host"),
        (":8080", "host"),
        ("\\\\host", "host"),
        ("<host>", "host"),
        ("[::1", "host"),
        ("[hello]", "host"),
        ("::1", "host"),
        ("host:80:80", "port"),
        ("host:99999", "port"),
        ("https://host:", "port"),
        ("https://host:+80", "port"),
        ("host:", "colon"),
        ("host:+80", "colon"),
        ("https:/host", "colon"),
        ("javascript:alert", "colon"),
        ("javascript:", "colon"),
        ("[::1]x", "colon"),
    ] {
        let fault = Fault::Settings { field: "base_url".into(), rule: rule.into() };
        assert_eq!(url(typed), Err(fault), "{typed:?}");
    }
}

#[test]
fn a_key_pasted_with_its_surroundings_is_cleaned() {
    for typed in [
        "sk-ant-1_2",
        " sk-ant-1_2\r\n",
        "\"sk-ant-1_2\"",
        "'sk-ant-1_2' ",
        "`sk-ant-1_2`",
        "“sk-ant-1_2”",
        "\u{FEFF}sk-ant-1_2\u{200B}",
        "\u{3000}\"\u{200D}sk-ant-1_2\"\u{2060}",
    ] {
        assert_eq!(clean_key(typed).as_deref(), Ok("sk-ant-1_2"), "{typed:?}");
    }
    assert_eq!(clean_key(" \n").as_deref(), Ok(""), "no key is no fault: some endpoints want none");
}

#[test]
fn a_key_that_no_header_can_carry_is_refused_without_repeating_it() {
    for (typed, rule) in [
        ("sk-ant\n-secret", "line_break"),
        ("sk-ant\r\n-secret", "line_break"),
        ("sk-ant -secret", "space"),
        ("sk-ant\t-secret", "space"),
        ("sk-ant\u{3000}-secret", "space"),
        ("sk-ant\0-secret", "control"),
        ("sk-ant\u{7f}-secret", "control"),
        ("sk-ant\u{200B}-secret", "zero_width"),
        ("sk-ant\u{2060}-secret", "zero_width"),
        ("ｓｋ-ant-secret", "non_ascii"),
        ("sk-ant-…secret", "non_ascii"),
    ] {
        let fault = clean_key(typed).unwrap_err();
        assert_eq!(fault, Fault::Settings { field: "key".into(), rule: rule.into() }, "{typed:?}");
        assert!(!format!("{fault:?}").contains("secret"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_typed_is_taken_or_refused_and_never_a_panic(typed in "[ -~é\u{200B}【\n]{0,20}") {
        if let Ok(right) = url(&typed) {
            prop_assert_eq!(url(&right), Ok(right.clone()), "a right URL stays as it is");
        }
        if let Ok(key) = clean_key(&typed) {
            prop_assert!(key.bytes().all(|byte| byte.is_ascii_graphic()), "{:?}", key);
        }
    }
}
