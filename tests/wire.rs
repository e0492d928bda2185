//! The wire: what a model's answer becomes, whatever comes and however it is cut; and what is sent.
//!
//! `wire/*.sse` are streams and `wire/*.body` other answers; the JSON beside each says what must come of it: a `reply`
//! or a `fault`, and the `head` of the answer where it is not that of any stream.

use std::collections::BTreeMap;
use std::path::Path;

use playground::fault::Fault;
use playground::message::{Json, Reply};
use playground::wire::ModelEvent;
use playground::wire::answer::{Answer, Head};
use playground::wire::draft::Draft;
use proptest::prelude::*;

#[path = "wire/checker.rs"]
mod checker;
#[path = "wire/reply.rs"]
mod reply;
#[path = "wire/request.rs"]
mod request;
#[path = "wire/sse.rs"]
mod sse;

/// A recorded answer and what must come of it.
struct Vector {
    name: String,
    /// The body; of a stream with each of the three line ends of the standard.
    bodies: Vec<Vec<u8>>,
    head: Head,
    outcome: Json,
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let files: BTreeMap<_, _> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_string(), path))
        .collect();
    let mut vectors = Vec::new();
    for (name, path) in &files {
        let Some((stem, kind @ ("sse" | "body"))) = name.rsplit_once('.') else { continue };
        let expected = std::fs::read_to_string(&files[&format!("{stem}.json")]).unwrap();
        let mut outcome: Json = serde_json::from_str(&expected).unwrap();
        let head = outcome.as_object_mut().unwrap().remove("head").map_or_else(stream_head, |head| Head {
            status: head["status"].as_u64().unwrap() as u16,
            content_type: head["content_type"].as_str().unwrap().to_string(),
            request_id: head["request_id"].as_str().map(str::to_string),
            retry_after_ms: head["retry_after_ms"].as_u64(),
        });
        let body = std::fs::read_to_string(path).unwrap();
        let bodies = match kind {
            "sse" => vec![body.clone().into(), body.replace('\n', "\r\n").into(), body.replace('\n', "\r").into()],
            _ => vec![body.into()],
        };
        vectors.push(Vector { name: stem.to_string(), bodies, head, outcome });
    }
    assert!(vectors.len() > 30, "the vectors are gone");
    vectors
}

fn stream_head() -> Head {
    Head { status: 200, content_type: "text/event-stream; charset=utf-8".into(), ..Head::default() }
}

/// All events of an answer that comes in these pieces. Checks what every answer promises: it ends, once.
fn events<'a>(head: Head, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelEvent> {
    let mut answer = Answer::new(head);
    let mut events: Vec<_> = pieces.into_iter().flat_map(|piece| answer.push(piece)).collect();
    events.extend(answer.finish());
    assert_eq!(answer.push(b"event: message_stop\ndata: {}\n\n"), [], "an event after the last one");
    assert_eq!(answer.finish(), [], "a second end");
    let last = events.iter().position(ModelEvent::is_last);
    assert_eq!(last, Some(events.len() - 1), "the last event, once, at the end: {events:?}");
    events
}

/// What comes of these events.
fn fold(events: &[ModelEvent]) -> Result<Reply, Fault> {
    let mut draft = Draft::new();
    events.iter().try_for_each(|event| draft.apply(event))?;
    draft.reply()
}

fn outcome(events: &[ModelEvent]) -> Json {
    match fold(events) {
        Ok(reply) => serde_json::json!({"reply": reply}),
        Err(fault) => serde_json::json!({"fault": fault}),
    }
}

/// Cuts bytes into pieces of the given lengths, over and over.
fn cut<'a>(mut bytes: &'a [u8], lengths: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut lengths = lengths.iter().cycle();
    std::iter::from_fn(move || {
        let length = (*lengths.next()?).min(bytes.len());
        let (piece, rest) = bytes.split_at(length);
        let some = !bytes.is_empty();
        bytes = rest;
        some.then_some(piece)
    })
}

#[test]
fn each_recorded_answer_gives_its_reply_or_its_fault() {
    for Vector { name, bodies, head, outcome: expected } in vectors() {
        for body in bodies {
            let got = outcome(&events(head.clone(), [body.as_slice()]));
            assert_eq!(got, expected, "{name}\n{got:#}");
        }
    }
}

#[test]
fn an_answer_that_comes_byte_by_byte_reads_the_same() {
    for Vector { name, bodies, head, outcome: expected } in vectors() {
        for body in bodies {
            assert_eq!(outcome(&events(head.clone(), cut(&body, &[1]))), expected, "{name}");
        }
    }
}

#[test]
fn what_was_recorded_of_a_stream_reads_back() {
    for Vector { name, bodies, head, .. } in vectors() {
        for event in events(head, [bodies[0].as_slice()]) {
            let line = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<ModelEvent>(&line).unwrap(), event, "{name}: {line}");
        }
    }
}

#[test]
fn of_a_huge_error_page_only_the_start_is_quoted() {
    let page = "页".repeat(1_000_000);
    let head = Head { status: 500, ..Head::default() };
    let [ModelEvent::Failed(Fault::Api { message, .. })] = &events(head, cut(page.as_bytes(), &[1000]))[..] else {
        panic!("no error")
    };
    assert_eq!(*message, "页".repeat(300));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_answer_reads_the_same_wherever_it_is_cut(lengths in prop::collection::vec(1..200_usize, 1..8)) {
        for Vector { name, bodies, head, outcome: expected } in vectors() {
            for body in bodies {
                prop_assert_eq!(outcome(&events(head.clone(), cut(&body, &lengths))), expected.clone(), "{}", name);
            }
        }
    }

    #[test]
    fn a_mangled_answer_is_a_reply_or_a_fault_and_never_a_panic(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..40_usize, prop::collection::vec(any::<u8>(), 0..4)), 1..5),
        lengths in prop::collection::vec(1..200_usize, 1..4),
        status in prop_oneof![Just(200_u16), any::<u16>()],
    ) {
        let vectors = vectors();
        let mut body = which.get(&vectors).bodies[0].clone();
        for (at, length, bytes) in edits {
            let start = at.index(body.len() + 1);
            let end = (start + length).min(body.len());
            body.splice(start..end, bytes);
        }
        outcome(&events(Head { status, ..stream_head() }, cut(&body, &lengths)));
    }

    #[test]
    fn random_bytes_are_a_fault_and_never_a_panic(body in prop::collection::vec(any::<u8>(), 0..2000), status: u16) {
        let events = events(Head { status, ..Head::default() }, cut(&body, &[7]));
        prop_assert!(fold(&events).is_err());
    }
}
