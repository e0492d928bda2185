//! Two runs side by side: which rounds belong together, and where they part.

mod support;

use playground::agent::Session;
use playground::compare::{Aspect, Comparison, compare};
use playground::language::Language;
use playground::lesson::rules::{Changes, Rules};
use playground::message::Json;
use playground::workspace::Workspace;
use serde_json::json;
use std::rc::Rc;
use support::{Play, lesson, scenario, script, workdir};

/// The forgetful model's run under a lesson with changes.
fn run(id: &str, place: Option<(&str, Json)>) -> Play {
    let base = lesson(id);
    let mut changes = Changes::default();
    if let Some((place, value)) = place {
        changes.set(&base, place, value);
    }
    let rules = Rules::unchanged(Rc::new(base)).with(changes).expect("rules");
    let scenario = scenario("forgetful");
    let workspace = Workspace { vfs: scenario.vfs(&workdir()), ..Workspace::default() };
    let mut play = Play::new(Session::with_rules(rules, workdir(), workspace));
    for turn in &scenario.turns {
        play.prompt(turn.prompt.get(Language::En));
        script::finish(&mut play, &scenario, true);
    }
    play
}

/// The aspects in which two runs part, each with the number of the round, from 1.
fn partings(comparison: &Comparison) -> Vec<(usize, Aspect)> {
    comparison.partings.iter().map(|parting| (parting.round + 1, parting.aspect)).collect()
}

fn compared(left: &Play, right: &Play) -> Comparison {
    compare(&left.timeline, &right.timeline)
}

#[test]
fn a_run_does_not_part_from_itself() {
    let play = run("s05", None);
    let comparison = compared(&play, &run("s05", None));
    assert_eq!(comparison.partings, []);
    assert_eq!(comparison.rounds.len() as u32, play.session().last_request);
    for [left, right] in comparison.rounds {
        assert!(left.is_some() && left == right);
    }
}

#[test]
fn reminders_before_and_behind_the_results_part_at_the_message_that_carries_the_first_one() {
    let (append, index_0) = (run("s05", None), run("s05", Some(("/reminder/placement", json!("before_results")))));
    let comparison = compared(&append, &index_0);
    let reminded = append.timeline.stops().iter().find_map(|stop| match stop.step {
        playground::agent::Step::ReminderAdded { .. } => Some((stop.round, stop.after.transcript.len())),
        _ => None,
    });
    let (round, place) = reminded.expect("a reminder");
    // The round after it sends it.
    assert_eq!(partings(&comparison)[0], (round as usize + 1, Aspect::Messages { place }));
}

#[test]
fn a_reminder_that_is_off_parts_the_counters_before_the_messages() {
    let comparison = compared(&run("s05", None), &run("s05", Some(("/reminder", Json::Null))));
    let partings = partings(&comparison);
    assert_eq!(partings[0], (1, Aspect::Counter), "the one has a counter and the other none");
    assert!(partings.iter().any(|(round, aspect)| *round > 3 && matches!(aspect, Aspect::Messages { .. })));
}

#[test]
fn two_lessons_part_in_what_they_tell_the_model_from_the_first_request_on() {
    let comparison = compared(&run("s04", None), &run("s05", None));
    let partings = partings(&comparison);
    assert_eq!(&partings[..2], [(1, Aspect::System), (1, Aspect::Tools)]);
    assert!(partings.contains(&(1, Aspect::Plan)), "the first round of the one writes a plan: {partings:?}");
    assert!(partings.contains(&(2, Aspect::Messages { place: 1 })), "{partings:?}");
}

#[test]
fn rounds_that_only_one_run_has_stand_alone() {
    let (short, long) = (run("s05", Some(("/reminder", Json::Null))), run("s05", None));
    let comparison = compared(&short, &long);
    let counts = (short.session().last_request, long.session().last_request);
    assert_ne!(counts.0, counts.1);
    let alone = comparison.rounds.iter().filter(|sides| sides.iter().any(Option::is_none)).count() as u32;
    assert_eq!(alone, counts.0.abs_diff(counts.1));
    assert!(comparison.partings.iter().any(|parting| parting.aspect == Aspect::Length));
}
