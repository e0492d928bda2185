//! Rules that are changed in the middle of a run: from when they hold, and that taking a change back leaves no trace.

use super::support::{Play, chosen, lesson, reply, session};
use playground::agent::{Event, Step};
use playground::data::FromJson;
use playground::lesson::rules::{Changes, Rules, to_json};
use playground::message::{Block, Json};
use playground::wire::anthropic::Encoder;
use serde_json::json;
use std::rc::Rc;

fn changes(json: Json) -> Changes {
    Changes::from_json(json).expect("an object")
}

fn change(play: &mut Play, json: Json) {
    play.event(Event::RulesChanged { changes: changes(json), held: false });
}

fn reminders(play: &Play) -> Vec<u32> {
    let stops = play.timeline.stops().iter();
    stops.filter(|stop| matches!(stop.step, Step::ReminderAdded { .. })).map(|stop| stop.round).collect()
}

#[test]
fn a_rule_that_is_changed_while_a_round_runs_holds_from_the_next_round_on() {
    let mut play = Play::begun(lesson("s05"));
    let system = play.session().request().system;
    change(&mut play, json!({"/system": "Act.", "/reminder/threshold": 2}));
    assert_eq!(play.session().request().system, system, "the request under way is what it was");
    play.idles();
    assert_eq!(play.requests[1].system.as_deref(), Some("Act."));
    play.idles();
    assert_eq!(reminders(&play), [2], "after two rounds");
}

#[test]
fn between_two_turns_a_changed_rule_holds_at_once() {
    let mut play = Play::new(session(lesson("s05")));
    change(&mut play, json!({"/reminder/threshold": 1}));
    assert_eq!(play.session().lesson.reminder.as_ref().map(|rules| rules.threshold), Some(1));
    play.prompt("Go");
    play.idles();
    assert_eq!(reminders(&play), [1]);
}

#[test]
fn a_request_that_was_held_back_goes_by_the_rules_that_were_changed_meanwhile() {
    let mut play = Play::begun(lesson("s05"));
    let held = Event::RulesChanged { changes: changes(json!({"/system": "Act."})), held: true };
    play.event(held);
    let request = play.timeline.stops().iter().find(|stop| matches!(stop.step, Step::Request { .. }));
    let request = request.expect("a request").after.request();
    assert_eq!(request.system.as_deref(), Some("Act."));
    assert_eq!(play.session().request().system.as_deref(), Some("Act."));
}

#[test]
fn what_was_changed_is_a_step_that_names_the_places() {
    let mut play = Play::begun(lesson("s05"));
    change(&mut play, json!({"/reminder/threshold": 5, "/system": "Act."}));
    change(&mut play, json!({"/reminder/threshold": 5, "/max_tokens": 9}));
    let named = |step: &Step| match step {
        Step::RulesChanged { places } => Some(places.iter().map(|place| place.to_string()).collect::<Vec<_>>()),
        _ => None,
    };
    let named: Vec<_> = play.steps().filter_map(named).collect();
    assert_eq!(named, [vec!["/reminder/threshold", "/system"], vec!["/max_tokens", "/system"]]);
}

/// The bodies of the requests that a run of three rounds and an answer makes.
fn bodies(play: &mut Play) -> Vec<String> {
    play.event(chosen("model", None));
    let from = play.requests.len();
    play.prompt("Go");
    play.plans(&["pending A"]);
    play.idles();
    play.idles();
    play.says("Done.");
    play.requests[from..].iter().map(|request| Encoder::new().body(request, true)).collect()
}

#[test]
fn a_change_that_is_taken_back_leaves_the_requests_as_they_were_to_the_last_byte() {
    for pointer in ["/system", "/reminder", "/hooks", "/tools/0/spec/description", "/plan/max_items", "/max_tokens"] {
        let base = lesson("s05");
        let original = bodies(&mut Play::new(session(base.clone())));
        let value = match pointer {
            "/reminder" => Json::Null,
            "/hooks" => json!([]),
            "/plan/max_items" | "/max_tokens" => json!(7),
            _ => json!("other"),
        };
        let mut play = Play::new(session(base.clone()));
        let mut changed = Changes::default();
        changed.set(&base, pointer, value);
        play.event(Event::RulesChanged { changes: changed.clone(), held: false });
        assert_ne!(*play.session().lesson, base, "{pointer} is changed");
        changed.set(&base, pointer, to_json(&base).pointer(pointer).expect("its own value").clone());
        assert!(changed.is_empty(), "{pointer}: the lesson's own value is no change");
        play.event(Event::RulesChanged { changes: changed, held: false });
        assert_eq!(bodies(&mut play), original, "{pointer}");
    }
}

#[test]
fn what_cannot_stand_in_a_lesson_is_refused_and_says_where() {
    let rules = Rules::unchanged(Rc::new(lesson("s05")));
    for (change, said) in [
        (json!({"/reminder/threshold": 0}), "reminder: threshold: must be 1 or more"),
        (json!({"/reminder/threshold": "3"}), "reminder: threshold: is no whole number of this size"),
        (json!({"/reminder/placement": "middle"}), "reminder: placement: is none of"),
        (json!({"/nothing/here": 1}), "/nothing/here is no place in the lesson"),
        (json!({"/nothing": 1}), "nothing: is no field here"),
        (json!({"/hooks/9": {}}), "/hooks/9 is no place in the lesson"),
        (json!({"/hooks/-": {"name": "log", "point": "Stop", "rule": {"answer": {"text": "x"}}}}), "there twice"),
    ] {
        let error = rules.with(changes(change.clone())).expect_err("it cannot be");
        assert!(error.contains(said), "{change}: {error}");
        let mut play = Play::new(session(lesson("s05")));
        let before = play.session().clone();
        play.event(Event::RulesChanged { changes: changes(change), held: false });
        assert!(*play.session() == before, "an event that cannot be is ignored");
    }
}

#[test]
fn a_hook_can_be_added_behind_the_others() {
    let mut play = Play::new(session(lesson("s05")));
    let hook = json!({"name": "feedback", "point": "Stop", "rule": {"answer": {"text": "Check again.", "once": true}}});
    change(&mut play, json!({"/hooks/-": hook}));
    play.prompt("Go");
    play.says("Done.");
    assert_eq!(play.last_message(), ["Check again."]);
    play.hears(&reply(vec![Block::text("Now it is.")], "end_turn"));
    assert!(play.session().takes_prompt(), "once is once");
}

#[test]
fn a_change_within_what_was_changed_as_a_whole_replaces_it() {
    let base = lesson("s05");
    let mut changed = Changes::default();
    changed.set(&base, "/reminder/threshold", json!(5));
    changed.set(&base, "/reminder/text", json!("x"));
    assert!(changed.touch("/reminder") && !changed.touch("/rem"));
    changed.set(&base, "/reminder", Json::Null);
    assert_eq!(changed.iter().collect::<Vec<_>>(), [("/reminder", &Json::Null)]);
    changed.reset("/reminder");
    assert!(changed.is_empty());
}
