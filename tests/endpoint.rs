//! A live endpoint's settings: what is typed is cleaned or refused with a word, and a key never shows itself.

use playground::fault::Fault;
use playground::runtime::endpoint::{Endpoint, Key};
use playground::wire::anthropic::Auth;

fn typed(change: impl FnOnce(&mut Endpoint)) -> Endpoint {
    let mut endpoint = Endpoint { key: Key("sk-test".into()), ..Endpoint::default() };
    change(&mut endpoint);
    endpoint
}

#[test]
fn what_was_typed_is_cleaned_before_it_is_used() {
    let prepared = typed(|endpoint| {
        endpoint.base_url = " localhost:8080/v1/ ".into();
        endpoint.model = " some-model\u{200B} ".into();
        endpoint.key = Key(" 'sk-test'\n".into());
        endpoint.max_tokens = " 4096 ".into();
    })
    .prepare()
    .expect("settings that can be used");
    assert_eq!(prepared.url, "http://localhost:8080/v1/messages");
    assert_eq!((prepared.model.as_str(), prepared.key.0.as_str()), ("some-model", "sk-test"));
    assert_eq!(prepared.max_tokens, Some(4096));
}

#[test]
fn what_cannot_be_used_is_refused_with_the_field_and_the_rule() {
    type Change = fn(&mut Endpoint);
    let cases: [(Change, &str, &str); 10] = [
        (|endpoint| endpoint.model = "  ".into(), "model", "missing"),
        (|endpoint| endpoint.max_tokens = "many".into(), "max_tokens", "not_a_number"),
        (|endpoint| endpoint.max_tokens = "0".into(), "max_tokens", "not_a_number"),
        (|endpoint| endpoint.max_tokens = "99999999999".into(), "max_tokens", "too_large"),
        (|endpoint| endpoint.model = "some\u{200B}model".into(), "model", "zero_width"),
        (|endpoint| endpoint.key = Key("sk\u{200B}test".into()), "key", "zero_width"),
        (|endpoint| endpoint.key = Key("sk test".into()), "key", "space"),
        (|endpoint| endpoint.key = Key("ｓｋ".into()), "key", "non_ascii"),
        (|endpoint| endpoint.base_url = "".into(), "base_url", "empty"),
        (|endpoint| endpoint.base_url = "ftp://host".into(), "base_url", "scheme"),
    ];
    for (change, field, rule) in cases {
        let expected = Fault::Settings { field: field.into(), rule: rule.into() };
        assert_eq!(typed(change).prepare(), Err(expected), "{field} {rule}");
    }
}

#[test]
fn without_a_key_none_is_sent_and_a_bad_one_does_not_matter() {
    let prepared = typed(|endpoint| {
        endpoint.auth = Auth::None;
        endpoint.key = Key("not a key".into());
    });
    let headers = prepared.prepare().expect("settings that can be used").headers();
    assert!(headers.iter().all(|(name, _)| !matches!(*name, "x-api-key" | "authorization")), "{headers:?}");
}

#[test]
fn a_key_does_not_show_itself() {
    let endpoint = typed(|_| {});
    let shown = format!("{endpoint:?} {:?}", endpoint.prepare().expect("settings that can be used"));
    assert!(!shown.contains("sk-test"), "{shown}");
    assert!(shown.contains("Key(hidden)"));
}

#[test]
fn of_several_wrong_fields_the_first_one_is_named() {
    let all = typed(|endpoint| {
        *endpoint = Endpoint { base_url: "".into(), model: "".into(), max_tokens: "x".into(), ..Endpoint::default() };
    });
    let expected = Fault::Settings { field: "base_url".into(), rule: "empty".into() };
    assert_eq!(all.prepare(), Err(expected));
}

#[test]
fn where_a_request_goes_can_be_shown_and_logged_without_the_key() {
    for (auth, secret) in
        [(Auth::XApiKey, Some("x-api-key")), (Auth::Bearer, Some("authorization")), (Auth::None, None)]
    {
        let address = typed(|endpoint| endpoint.auth = auth).prepare().expect("settings that can be used").address();
        assert_eq!(address.url, "https://api.anthropic.com/v1/messages");
        let logged = serde_json::to_string(&address).expect("JSON");
        assert!(!format!("{address:?} {logged}").contains("sk-test"), "{address:?}");
        let hidden: Vec<_> =
            address.headers.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect();
        assert_eq!(hidden, secret.into_iter().collect::<Vec<_>>());
        assert!(address.headers.contains(&("anthropic-version".into(), Some("2023-06-01".into()))));
    }
}

#[test]
fn a_key_belongs_to_one_origin() {
    let origin = |base: &str| typed(|endpoint| endpoint.base_url = base.into()).origin();
    assert_eq!(origin("https://a.example/anthropic"), Some("https://a.example".into()));
    assert_eq!(origin("a.example/v1"), origin("https://a.example"));
    assert_ne!(origin("a.example:8443"), origin("a.example"));
    assert_ne!(origin("http://a.example"), origin("https://a.example"));
    assert_eq!(origin("not a url"), None);
}
