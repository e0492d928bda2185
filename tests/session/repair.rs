//! A history that the API refuses, repaired at the reader's word.

use playground::agent::{Event, Moved, Phase, Step};
use playground::lesson::{Lesson, Placement};
use playground::message::Block;
use playground::timeline::Timeline;
use playground::wire::checker::{Rule, check};
use serde_json::json;

use crate::support::{Play, call, check_session, lesson, reply, streamed};

const REMINDER: &str = "<reminder>Update your todos.</reminder>";

/// The lesson with the reminder where the real API refuses it.
fn before_results() -> Lesson {
    let mut lesson = lesson("s05");
    lesson.reminder.as_mut().expect("a reminder").placement = Placement::BeforeResults;
    lesson
}

/// A run up to the request that carries the reminder.
fn reminded() -> Play {
    let mut play = Play::begun(before_results());
    for _ in 0..3 {
        play.idles();
    }
    play
}

fn refused(play: &Play) -> Vec<Rule> {
    let rules = check(&play.session().request()).into_iter().map(|finding| finding.rule);
    // The ids of these tests have dots, which the API doesn't take.
    rules.filter(|rule| rule.refuses() && *rule != Rule::CallId).collect()
}

fn moved(play: &Play) -> Vec<Moved> {
    let steps = play.steps().filter_map(|step| match step {
        Step::RemindersMoved { moved } => Some(moved.to_vec()),
        _ => None,
    });
    steps.flatten().collect()
}

#[test]
fn a_reminder_before_the_results_is_refused_until_it_is_moved_behind_them() {
    let mut play = reminded();
    assert_eq!(refused(&play), [Rule::ResultsFirst]);
    let before = play.session().transcript.clone();
    play.event(Event::RemindersMoved);
    assert_eq!(refused(&play), []);
    assert_eq!(moved(&play), [Moved { message: 6, from: 0, to: 1 }]);
    let after = &play.session().transcript;
    for (place, (before, after)) in before.iter().zip(after).enumerate() {
        match place {
            6 => assert_eq!(after.blocks(), [before.blocks()[1].clone(), Block::text(REMINDER)]),
            _ => assert_eq!(before, after, "messages[{place}] stays as it is"),
        }
    }
    // The request that waits is shown as it will be sent, and what came before it as it was.
    let at = |wanted: fn(&Step) -> bool| {
        let stops = play.timeline.stops();
        stops.iter().rfind(|stop| wanted(&stop.step)).expect("a stop").after.messages().0
    };
    assert_eq!(at(|step| matches!(step, Step::Request { .. })), *after);
    assert_eq!(at(|step| matches!(step, Step::ReminderAdded { .. }))[6], before[6]);
    assert_eq!(check_session(play.session()), Ok(()));
    let read = Timeline::from_jsonl(&play.timeline.to_jsonl()).expect("our own recording");
    assert!(read.stops().iter().eq(play.timeline.stops().iter()), "and a recording tells it");
}

#[test]
fn a_history_without_misplaced_reminders_stays_as_it_is() {
    let mut play = Play::begun(lesson("s05"));
    for _ in 0..3 {
        play.idles();
    }
    let before = play.session().clone();
    play.event(Event::RemindersMoved);
    assert_eq!((play.session(), moved(&play)), (&before, vec![]));
}

#[test]
fn reminders_in_several_messages_are_all_moved() {
    let mut play = reminded();
    for _ in 0..3 {
        play.idles();
    }
    play.event(Event::RemindersMoved);
    let places: Vec<usize> = moved(&play).iter().map(|moved| moved.message).collect();
    assert_eq!((places, refused(&play)), (vec![6, 12], vec![]));
    play.event(Event::RemindersMoved);
    assert_eq!(moved(&play).len(), 2, "once is enough");
}

#[test]
fn nothing_is_moved_while_a_round_is_under_way() {
    let mut play = reminded();
    let request = play.session().last_request;
    let calls = vec![call("a", "glob", json!({"pattern": "*"}))];
    play.event(Event::ModelEmitted { request, events: streamed(&reply(calls, "tool_use")) });
    assert!(matches!(play.session().phase, Phase::RunningTools(_)));
    let before = play.session().clone();
    play.event(Event::RemindersMoved);
    assert_eq!((play.session(), moved(&play)), (&before, vec![]));
}
