//! The rules of the HTML standard for event streams, on bytes.

use playground::wire::sse::{Decoder, Frame};
use proptest::prelude::*;

use crate::cut;

fn frames(stream: &[u8]) -> Vec<(String, String)> {
    let pair = |frame: Frame| (frame.event, frame.data);
    let whole: Vec<_> = Decoder::new().push(stream).into_iter().map(pair).collect();
    let mut decoder = Decoder::new();
    let byte_by_byte: Vec<_> = cut(stream, &[1]).flat_map(|piece| decoder.push(piece)).map(pair).collect();
    assert_eq!(byte_by_byte, whole, "cutting changed {:?}", String::from_utf8_lossy(stream));
    whole
}

#[track_caller]
fn reads(stream: impl AsRef<[u8]>, expected: &[(&str, &str)]) {
    let got = frames(stream.as_ref());
    let got: Vec<_> = got.iter().map(|(event, data)| (event.as_str(), data.as_str())).collect();
    assert_eq!(got, expected);
}

#[test]
fn the_examples_of_the_standard_read_as_it_says() {
    reads("data: YHOO\ndata: +2\ndata: 10\n\n", &[("", "YHOO\n+2\n10")]);
    reads(
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        &[("", "first event"), ("", "second event"), ("", " third event")],
    );
    reads("data\n\ndata\ndata\n\ndata:", &[("", ""), ("", "\n")]);
    reads("data:test\n\ndata: test\n\n", &[("", "test"), ("", "test")]);
    reads("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n", &[("add", "73857293"), ("remove", "2153")]);
}

#[test]
fn lines_end_with_lf_cr_or_both() {
    reads("data: a\ndata: b\n\n", &[("", "a\nb")]);
    reads("data: a\rdata: b\r\r", &[("", "a\nb")]);
    reads("data: a\r\ndata: b\r\n\r\n", &[("", "a\nb")]);
    reads("data: a\r\n\rdata: b\n\r\n", &[("", "a"), ("", "b")]);
}

#[test]
fn cr_and_lf_in_two_chunks_are_one_line_end() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.push(b"data: a\r"), []);
    assert_eq!(decoder.push(b""), []);
    assert_eq!(decoder.push(b"\ndata: b\r"), [], "the line feed ended an empty line of its own");
    assert_eq!(decoder.push(b"\n\r"), [Frame { event: String::new(), data: "a\nb".into() }]);
    assert_eq!(decoder.push(b"\ndata: c\r\r"), [Frame { event: String::new(), data: "c".into() }]);
}

#[test]
fn only_line_ends_of_the_standard_end_lines() {
    reads("data: a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\0g\n\n", &[("", "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\0g")]);
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_and_nowhere_else() {
    reads("\u{FEFF}data: a\n\n", &[("", "a")]);
    reads("\u{FEFF}\u{FEFF}data: a\n\n", &[]);
    reads("\n\u{FEFF}data: a\n\ndata: \u{FEFF}\n\n", &[("", "\u{FEFF}")]);
}

#[test]
fn bytes_that_are_no_text_are_shown_as_such() {
    reads(b"data: a\xE4\xBDb\xFF\n\ndata: \xE4\xBD\n\n", &[("", "a\u{FFFD}b\u{FFFD}"), ("", "\u{FFFD}")]);
}

#[test]
fn an_event_without_data_or_without_its_blank_line_does_not_happen() {
    reads("event: ping\n\ndata: a\n\nevent: lost\ndata: b\n", &[("", "a")]);
}

#[test]
fn fields_are_named_exactly_and_the_last_name_counts() {
    reads("Data: a\n data: b\ndata : c\ndatax: d\n\n", &[]);
    reads("event: a\nevent: b\nevent\ndata::x\n\n", &[("", ":x")]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_reads_the_same_wherever_it_is_cut(
        words in prop::collection::vec(
            prop::sample::select(vec![
                &b"data"[..], b"event", b":", b" ", b"\r", b"\n", b"\r\n", b"\n\n", b"x", b"\xEF\xBB\xBF", b"\xE4", b"\xBD",
                b"\xA0", b"\xF0\x9F\x98\x80", b"\xFF", b"\xE2\x80\xA8",
            ]),
            0..60,
        ),
        lengths in prop::collection::vec(1..9_usize, 1..6),
    ) {
        let stream = words.concat();
        let mut decoder = Decoder::new();
        let cut: Vec<_> = cut(&stream, &lengths).flat_map(|piece| decoder.push(piece)).collect();
        prop_assert_eq!(cut, Decoder::new().push(&stream));
    }
}
