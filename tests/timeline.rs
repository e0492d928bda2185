//! The timeline: folding a prefix of the log gives the state of that moment, and a recording can be saved and read.

mod support;

use playground::agent::{Event, Session, Step};
use playground::timeline::{Cursor, Timeline};
use playground::vfs::Node;
use playground::workspace::Workspace;
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;
use support::random::{Move, moves};
use support::{Play, address, chosen, lesson, path, session, tree, workdir};

/// A short run with a plan, three idle rounds, a reminder and an answer.
fn reminded() -> Play {
    let mut play = Play::begun(lesson("s05"));
    play.plans(&["in_progress A"]);
    play.idles();
    play.idles();
    play.idles();
    play.says("Done.");
    play
}

/// The same run: the live session and every stop.
fn same(ours: &Timeline, theirs: &Timeline) -> Result<(), TestCaseError> {
    prop_assert!(ours.live() == theirs.live());
    prop_assert!(ours.stops().iter().eq(theirs.stops().iter()));
    prop_assert!(ours.log().iter().eq(theirs.log().iter()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn replaying_the_first_events_gives_the_state_of_that_moment(
        moves in moves(),
        id in prop_oneof!["s05", "s04"],
    ) {
        let mut kept = vec![Timeline::new(session(lesson(&id)))];
        for one in &moves {
            let mut next = kept[kept.len() - 1].clone();
            let event = support::random::event(one, next.live());
            next.record(next.log().len() as f64, event);
            kept.push(next);
        }
        let whole = &kept[kept.len() - 1];
        for (events, moment) in kept.iter().enumerate() {
            same(&whole.replay(events), moment)?;
        }
    }

    #[test]
    fn a_recording_that_was_saved_and_read_is_the_same_run(moves in moves()) {
        let play = support::random::play(lesson("s05"), &moves);
        let text = play.timeline.to_jsonl();
        let read = Timeline::from_jsonl(&text).expect("our own recording");
        same(&read, &play.timeline)?;
        prop_assert_eq!(read.to_jsonl(), text);
    }
}

#[test]
fn files_that_are_no_text_modes_and_times_survive_saving() {
    let mut vfs = tree(&workdir(), [("bin.dat", [0xff, 0, 0x80].as_slice()), ("é/ü.txt", "写\r\n".as_bytes())]);
    vfs.set_mode(&workdir().join("bin.dat"), 0o755).expect("the file is there");
    vfs.make_dirs(&path("/workspace/empty")).expect("a folder");
    let workspace = Workspace { vfs: vfs.clone(), ..Workspace::default() };
    let mut timeline = Timeline::new(Session::new(Rc::new(lesson("s05")), workdir(), workspace));
    timeline.record(0.125, Event::PromptSubmitted { text: "Line 1\nline 2\u{2028}\u{0}".into() });
    let read = Timeline::from_jsonl(&timeline.to_jsonl()).expect("our own recording");
    assert_eq!(read.start().workspace.vfs, vfs);
    assert!(matches!(vfs.node(&workdir().join("bin.dat")), Some(Node::File { mode: 0o755, .. })));
    assert_eq!(read.log(), timeline.log());
    assert_eq!((timeline.to_jsonl().lines().count(), read.log()[0].at), (2, 0.125));
}

#[test]
fn a_recording_says_where_requests_went_and_one_from_before_it_did_can_still_be_read() {
    let mut timeline = Timeline::new(session(lesson("s05")));
    timeline.record(0.5, chosen("scripted", None));
    timeline.record(1.5, Event::PromptSubmitted { text: "Go".into() });
    let live =
        Event::ModelChosen { model: "live".into(), max_tokens: Some(9), address: Some(Rc::new(address())), held: true };
    timeline.record(2.5, live);
    let text = timeline.to_jsonl();
    let lines: Vec<&str> = text.lines().collect();
    // What is not told is not written, so that this is also a line of an older recording.
    assert_eq!(lines[1], r#"{"at":0.5,"event":{"event":"model_chosen","model":"scripted","max_tokens":null}}"#);
    assert!(
        lines[3].ends_with(concat!(
            r#""max_tokens":9,"address":{"url":"https://api.example/v1/messages","#,
            r#""headers":[["x-api-key",null],["content-type","application/json"]]},"held":true}}"#
        )),
        "{}",
        lines[3]
    );
    let read = Timeline::from_jsonl(&text).expect("our own recording");
    let asked = |timeline: &Timeline| {
        let stop = timeline.stops().iter().rfind(|stop| matches!(stop.step, Step::Request { .. }));
        stop.map(|stop| (stop.after.request().model, stop.after.address().cloned()))
    };
    assert_eq!(asked(&read), Some(("live".into(), Some(address()))));
    assert_eq!(asked(&read.replay(2)), Some(("scripted".into(), None)), "until then it was the other's");
}

#[test]
fn a_line_that_is_damaged_is_named_by_its_number() {
    let good = reminded().timeline.to_jsonl();
    let lines: Vec<&str> = good.lines().collect();
    let with = |place: usize, line: &str| {
        let mut lines = lines.clone();
        lines[place] = line;
        lines.join("\n")
    };
    let newer = lines[0].replacen("\"recording\":2", "\"recording\":3", 1);
    let last = lines.len() - 1;
    for (text, line) in [
        (String::new(), 1),
        ("\n\n".to_string(), 1),
        (with(0, "{}"), 1),
        (with(0, &newer), 1),
        (with(0, "\u{feff}x"), 1),
        (with(3, "not JSON"), 4),
        (with(3, r#"{"at":1.0,"event":{"event":"unheard_of"}}"#), 4),
        (with(3, r#"{"event":{"event":"cancelled"}}"#), 4),
        // A file that was cut off in its last line.
        (with(last, &lines[last][..20]), last + 1),
        (lines[1..].join("\n"), 1),
    ] {
        let (place, why) = Timeline::from_jsonl(&text).expect_err("a damaged recording");
        assert_eq!(place, line, "{why}");
        assert!(!why.is_empty());
    }
}

#[test]
fn line_ends_of_other_systems_and_empty_lines_do_no_harm() {
    let play = reminded();
    let text = play.timeline.to_jsonl();
    for text in [text.replace('\n', "\r\n"), text.replace('\n', "\n\n"), text.trim_end().to_string()] {
        let read = Timeline::from_jsonl(&text).expect("a recording");
        assert_eq!(read.live(), play.session());
    }
}

#[test]
fn stops_are_grouped_by_turn_and_round() {
    let mut play = reminded();
    play.prompt("More");
    play.event(Event::Cancelled);
    play.prompt("Again");
    // Each group once, in order: a turn begins with its prompt (round 0), and each request opens a round.
    let mut groups: Vec<(u32, u32)> = play.timeline.stops().iter().map(|stop| (stop.turn, stop.round)).collect();
    groups.dedup();
    assert_eq!(groups, [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 0), (2, 6), (3, 0), (3, 7)]);
    for stop in play.timeline.stops() {
        match &stop.step {
            Step::Prompt { .. } => assert_eq!(stop.round, 0),
            Step::Request { request, .. } | Step::Reply { request, .. } => assert_eq!(stop.round, *request),
            Step::TurnEnded { .. } => assert_eq!(stop.round, stop.after.last_request),
            _ => {}
        }
    }
}

#[test]
fn a_retry_is_a_round_of_its_own() {
    let mut play = Play::begun(lesson("s05"));
    play.event(Event::ModelFailed { request: 1, fault: playground::fault::Fault::CutStream });
    play.event(Event::Retried);
    let last = play.timeline.stops().last().expect("a stop");
    assert_eq!((last.turn, last.round), (1, 2));
}

#[test]
fn the_cursor_shows_the_session_of_its_stop_and_the_past_does_not_disturb_the_run() {
    let play = reminded();
    let timeline = &play.timeline;
    assert_eq!(timeline.session(Cursor::Live), timeline.live());
    for (place, stop) in timeline.stops().iter().enumerate() {
        assert_eq!(timeline.session(Cursor::At(place)), &stop.after);
        assert_eq!(timeline.place(Cursor::At(place)), Some(place));
    }
    let last = timeline.stops().len() - 1;
    assert_eq!((timeline.place(Cursor::Live), timeline.place(Cursor::At(999))), (Some(last), Some(last)));
    assert_eq!(timeline.session(Cursor::At(999)), timeline.live(), "a stop that is not reached yet");
    let fresh = Timeline::new(session(lesson("s05")));
    assert_eq!((fresh.place(Cursor::Live), fresh.place(Cursor::At(0))), (None, None));
}

#[test]
fn a_session_of_the_past_goes_on_as_if_the_rest_had_not_happened() {
    let play = reminded();
    let at = play.timeline.stops().iter().position(|stop| matches!(stop.step, Step::ReminderAdded { .. }));
    let event = play.timeline.stops()[at.expect("a reminder")].event;
    let mut fork = play.timeline.replay(event);
    assert_eq!(fork.live().counter.idle(), 2);
    fork.record(0.0, Event::Cancelled);
    assert!(fork.live().takes_prompt());
    assert_eq!(play.session().transcript.len(), 10, "the run itself is as it was");
}

#[test]
fn a_thousand_rounds_share_what_they_have_in_common() {
    let mut play = Play::begun(lesson("s05"));
    play.calls(&[("write_file", json!({"path": "big.txt", "content": "x".repeat(1 << 20)}))]);
    for _ in 0..1000 {
        play.idles();
    }
    // A gigabyte, and no test that ends, if every stop had its own copy of the file and the messages.
    assert!(play.timeline.stops().len() > 5000);
    let stops: Vec<_> = play.timeline.stops().iter().collect();
    let file = |place: usize| match stops[place].after.workspace.vfs.node(&workdir().join("big.txt")) {
        Some(Node::File { bytes, .. }) => bytes.clone(),
        _ => panic!("the file is there"),
    };
    assert!(Rc::ptr_eq(&file(stops.len() / 2), &file(stops.len() - 1)));
    let message = |place: usize| stops[place].after.transcript[2].clone();
    assert!(Rc::ptr_eq(&message(stops.len() / 2), &message(stops.len() - 1)));
}

#[test]
fn a_moment_is_the_same_run_only_as_long_as_nothing_else_happened() {
    let play = reminded();
    let mut other = play.timeline.clone();
    assert!(other == play.timeline);
    other.record(0.0, Event::Cancelled);
    assert!(other != play.timeline);
    let moves = [Move::Forward(vec![0])];
    assert!(support::random::play(lesson("s05"), &moves).timeline != play.timeline);
}
