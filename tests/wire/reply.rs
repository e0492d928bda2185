//! How a reply grows out of events, and how long an endpoint asks us to wait.

use playground::fault::Fault;
use playground::message::{Block, Fields, Json, Reply, Usage};
use playground::wire::ModelEvent;
use playground::wire::answer::retry_after_ms;
use playground::wire::anthropic::frames;
use playground::wire::draft::{Draft, DraftBlock};
use proptest::prelude::*;
use serde_json::json;

use crate::{cut, events, fold, stream_head};

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// A block as an endpoint could send it, of known and unknown kinds, with fields too many, too few and of wrong types.
pub(crate) fn any_block() -> impl Strategy<Value = Block> {
    let kind =
        prop::sample::select(vec!["text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "new"]);
    let known =
        prop::sample::select(vec!["text", "id", "name", "input", "thinking", "signature", "citations", "extra"]);
    let text = any::<String>().prop_map(Json::from);
    let fields = prop::collection::vec((known, prop_oneof![3 => text, 1 => any_json()]), 0..8);
    let loose = (kind, fields).prop_map(|(kind, fields)| {
        let mut block = Fields::new();
        block.insert("type".into(), kind.into());
        block.extend(fields.into_iter().map(|(key, value)| (key.to_string(), value)));
        Block::from_json(block)
    });
    let call = ("[a-z]{1,5}", any::<String>(), any_json()).prop_map(|(id, name, input)| {
        let Json::Object(fields) = json!({"type": "tool_use", "id": id, "name": name, "input": input}) else {
            unreachable!()
        };
        Block::from_json(fields)
    });
    prop_oneof![2 => any::<String>().prop_map(Block::text), 2 => call, 3 => loose]
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let reason = prop_oneof![
        Just(None),
        prop::sample::select(vec!["end_turn", "max_tokens", "tool_use", "new"])
            .prop_map(|reason| Some(reason.to_string())),
    ];
    let count = any::<Option<u64>>;
    let usage = (count(), count(), count(), count()).prop_map(|(input, output, read, created)| Usage {
        input_tokens: input,
        output_tokens: output,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: created,
    });
    (prop::collection::vec(any_block(), 0..5), reason, usage).prop_map(|(blocks, stop_reason, usage)| Reply {
        blocks,
        stop_reason,
        usage,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scripted_reply_arrives_as_it_was_written(
        reply in any_reply(),
        piece in 0..12_usize,
        lengths in prop::collection::vec(1..50_usize, 1..5),
    ) {
        let stream = frames(&reply, "msg_1", "scripted", piece).concat();
        prop_assert_eq!(fold(&events(stream_head(), cut(stream.as_bytes(), &lengths))), Ok(reply));
    }

    #[test]
    fn a_stream_cut_anywhere_is_said_to_be_cut_and_nothing_of_it_runs(reply in any_reply(), at: prop::sample::Index) {
        let stream = frames(&reply, "msg_1", "scripted", 5).concat();
        let part = &stream.as_bytes()[..at.index(stream.len() - 1)];
        prop_assert_eq!(fold(&events(stream_head(), [part])), Err(Fault::CutStream));
    }

    #[test]
    fn events_in_any_order_are_a_reply_or_a_fault(order in prop::collection::vec((0..10_usize, 0..3_usize), 0..30)) {
        let mut draft = Draft::new();
        for (kind, index) in order {
            let before = draft.clone();
            if draft.apply(&event(kind, index)).is_err() {
                prop_assert_eq!(&draft, &before, "a refused event changed the draft");
            }
            prop_assert_eq!(draft.reply().is_ok() || matches!(draft.reply(), Err(Fault::CutCall { .. })), draft.is_finished());
        }
    }
}

fn event(kind: usize, index: usize) -> ModelEvent {
    let block = |block: Json| ModelEvent::BlockStarted { index, block: block.as_object().unwrap().clone() };
    match kind {
        0 => ModelEvent::Started { id: String::new(), model: String::new(), usage: Usage::default() },
        1 => block(json!({"type": "text", "text": ""})),
        2 => block(json!({"type": "tool_use", "id": "t", "name": "n", "input": {}})),
        3 => block(json!({"type": "thinking"})),
        4 => ModelEvent::TextDelta { index, text: "é".into() },
        5 => ModelEvent::InputDelta { index, json: "{".into() },
        6 => ModelEvent::SignatureDelta { index, signature: "s".into() },
        7 => ModelEvent::BlockStopped { index },
        8 => ModelEvent::CitationDelta { index, citation: Json::Null },
        _ => ModelEvent::Finished,
    }
}

/// A draft that all events of a scripted reply but the last `missing` have reached.
fn draft_of(blocks: Json, missing: usize) -> Draft {
    let blocks = serde_json::from_value(blocks).unwrap();
    let reply = Reply { blocks, stop_reason: None, usage: Usage::default() };
    let stream = frames(&reply, "msg_1", "scripted", 4).concat();
    let events = events(stream_head(), [stream.as_bytes()]);
    let mut draft = Draft::new();
    events[..events.len() - missing].iter().for_each(|event| draft.apply(event).unwrap());
    draft
}

#[test]
fn a_reply_is_shown_while_it_is_written() {
    let blocks = json!([
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "好的"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}},
    ]);
    let shown = |index, kind, name, content: &'static str, done| DraftBlock {
        index,
        kind,
        name,
        content: content.into(),
        done,
    };
    let first = [
        shown(0, "thinking", None, "hm", true),
        shown(1, "text", None, "好的", true),
        shown(2, "redacted_thinking", None, "", true),
    ];
    // Missing: three more pieces of the arguments, the block's stop, the message's delta and its stop.
    let draft = draft_of(blocks.clone(), 6);
    assert_eq!(
        draft.blocks().collect::<Vec<_>>(),
        [&first[..], &[shown(3, "tool_use", Some("bash"), r#"{"co"#, false)]].concat()
    );
    assert_eq!(draft.reply(), Err(Fault::CutStream));

    let draft = draft_of(blocks, 0);
    assert_eq!(draft.blocks().last(), Some(shown(3, "tool_use", Some("bash"), r#"{"command":"ls"}"#, true)));
    assert!(draft.is_finished());
}

#[test]
fn arguments_given_at_once_are_shown_when_the_block_is_done() {
    let mut draft = Draft::new();
    draft.apply(&event(0, 0)).unwrap();
    let block = json!({"type": "tool_use", "id": "t", "name": "n", "input": {"a": 1}}).as_object().unwrap().clone();
    draft.apply(&ModelEvent::BlockStarted { index: 0, block }).unwrap();
    assert_eq!(draft.blocks().next().unwrap().content, "");
    draft.apply(&event(7, 0)).unwrap();
    assert_eq!(draft.blocks().next().unwrap().content, r#"{"a":1}"#);
}

#[test]
fn a_snapshot_of_a_draft_stays_as_it_was() {
    let mut draft = draft_of(json!([{"type": "text", "text": "first"}, {"type": "text", "text": "second"}]), 4);
    let snapshot = draft.clone();
    draft.apply(&ModelEvent::TextDelta { index: 1, text: "!".into() }).unwrap();
    assert_eq!(snapshot.blocks().last().unwrap().content, "seco");
    assert_eq!(draft.blocks().last().unwrap().content, "seco!");
}

#[test]
fn a_failure_passes_through_the_draft() {
    let fault = Fault::CutStream;
    assert_eq!(Draft::new().apply(&ModelEvent::Failed(fault.clone())), Err(fault));
}

#[test]
fn an_event_after_the_end_is_refused() {
    let mut draft = draft_of(json!([]), 0);
    assert_eq!(draft.apply(&ModelEvent::Finished), Err(Fault::BadEvent { start: "message_stop".into() }));
    assert!(draft.reply().is_ok());
}

#[test]
fn an_event_out_of_place_is_called_by_the_apis_own_name() {
    let mut draft = Draft::new();
    for (kind, name) in [
        (1, "content_block_start (index 2)"),
        (4, "content_block_delta (index 2)"),
        (7, "content_block_stop (index 2)"),
        (9, "message_stop"),
    ] {
        assert_eq!(draft.apply(&event(kind, 2)), Err(Fault::BadEvent { start: name.into() }));
    }
}

#[test]
fn a_reply_that_ends_inside_a_block_was_cut_off() {
    let mut draft = Draft::new();
    for kind in [0, 1] {
        draft.apply(&event(kind, 0)).unwrap();
    }
    assert_eq!(draft.apply(&ModelEvent::Finished), Err(Fault::CutStream));
    assert!(!draft.is_finished());
}

#[test]
fn the_wait_is_the_one_that_the_endpoint_asks_for() {
    // Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
    const NOW: f64 = 784_111_777_000.0;
    for (ms, after, wait) in [
        (None, None, None),
        (Some("1500"), None, Some(1500)),
        (Some("1500.2"), Some("9"), Some(1501)),
        (Some("soon"), Some("9"), Some(9000)),
        (Some(""), Some(" 9 "), Some(9000)),
        (None, Some("0"), Some(0)),
        (None, Some("1.5"), Some(1500)),
        (None, Some("-1"), None),
        (None, Some("NaN"), None),
        (None, Some("inf"), None),
        (None, Some("1e999"), None),
        (None, Some("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0)),
        (None, Some("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30_000)),
        (None, Some("Mon, 07 Nov 1994 08:49:37 GMT"), Some(86_400_000)),
        (None, Some("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0)),
        (None, Some("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0)),
        (None, Some("Sun, 06 Nov 1994 08:49:37 CET"), None),
        (None, Some("Sun, 06 Nov 1994 08:49:37"), None),
        (None, Some("Sun, 06 Nov 1994 08:49:37:01 GMT"), None),
        (None, Some("Sun, 06 Nov 1994 25:49:37 GMT"), None),
        (None, Some("Sun, 99 Nov 1994 08:49:37 GMT"), None),
        (None, Some("Sun, 06 ovD 1994 08:49:37 GMT"), None),
        (None, Some("Sun, 06 Nov 99999999999999999999 08:49:37 GMT"), None),
        (None, Some("Sun, +6 Nov 1994 08:49:37 GMT"), None),
        (None, Some("tomorrow"), None),
    ] {
        assert_eq!(retry_after_ms(ms, after, NOW), wait, "{ms:?} {after:?}");
    }
    // A leap day, the day after it, and the turn of a year, against `date -u -d … +%s`.
    for (date, seconds) in [
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Tue, 31 Dec 2024 23:59:59 GMT", 1_735_689_599),
        ("Wed, 01 Jan 2025 00:00:00 GMT", 1_735_689_600),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] {
        assert_eq!(retry_after_ms(None, Some(date), 0.0), Some(seconds * 1000), "{date}");
    }
}
