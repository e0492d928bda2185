//! Runs that hold by themselves: at what the reader wants to see, and at the next round.

use super::page::Page;
use super::support::{lesson, scenario, script};
use playground::agent::{Outcome, Phase, Step};
use playground::language::Language;
use playground::runtime::Command;
use playground::runtime::breaks::Break;
use playground::runtime::scripted::{Scripted, Speed};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A page on which a scenario of S05 is about to be played, at once.
fn page(id: &str, at: impl IntoIterator<Item = Break>) -> Page {
    let scenario = Rc::new(scenario(id));
    let clock = Rc::new(super::HandClock::default());
    let model = Rc::new(Scripted::new(scenario.clone(), Rc::new(Cell::new(Speed::Instant)), clock.clone()));
    let mut page = Page::with(script::start(&scenario, lesson("s05")), model, clock.clone(), clock.now.clone());
    page.send(Command::HoldAt(BTreeSet::from_iter(at)));
    page
}

fn begun(id: &str, at: impl IntoIterator<Item = Break>) -> Page {
    let mut page = page(id, at);
    page.submit(scenario(id).turns[0].prompt.get(Language::En));
    page
}

/// The step at which the run is held.
fn held_at(page: &Page) -> Step {
    let shown = page.shown();
    assert!(shown.holding && shown.waiting && !shown.busy, "it waits");
    shown.timeline.stops()[shown.held_at.expect("it was held")].step.clone()
}

#[test]
fn a_run_is_held_once_the_reminder_is_added_and_the_request_that_carries_it_waits() {
    let mut page = begun("forgetful", [Break::Reminder]);
    assert!(matches!(held_at(&page), Step::ReminderAdded { .. }));
    assert_eq!(page.count(|step| matches!(step, Step::Reply { .. })), 4);
    assert_eq!(page.live().transcript.len(), 9, "with the reminder in it");
    page.send(Command::Run);
    assert_eq!((page.live().phase, page.shown().held_at), (Phase::Idle, None), "there is one reminder only");
}

#[test]
fn each_thing_that_a_run_can_be_held_at_holds_it_there() {
    type Is = fn(&Step) -> bool;
    let cases: [(&str, Break, Is); 5] = [
        ("forgetful", Break::Plan, |step| matches!(step, Step::PlanReplaced { .. })),
        ("gates", Break::Rejected, |step| matches!(step, Step::PlanRejected { .. })),
        ("blocked", Break::Blocked, |step| matches!(step, Step::ToolReturned { outcome: Outcome::Blocked, .. })),
        (
            "twenty-one",
            Break::Error,
            |step| matches!(step, Step::ToolReturned { output, .. } if output.starts_with("Error: Max")),
        ),
        (
            "forgetful",
            Break::Tool("edit_file".into()),
            |step| matches!(step, Step::ToolCalled { call } if call.name == "edit_file"),
        ),
    ];
    for (id, at, is) in cases {
        let page = begun(id, [at.clone()]);
        assert!(is(&held_at(&page)), "{at:?}: {:?}", held_at(&page));
    }
}

#[test]
fn a_run_held_before_a_tool_has_not_run_it() {
    let mut page = begun("forgetful", [Break::Tool("edit_file".into())]);
    let text = |page: &Page| {
        let bytes = page.live().workspace.vfs.read(&super::workdir().join("greeting.py")).expect("the file");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    assert!(!text(&page).contains("Return a greeting"));
    page.send(Command::Step);
    assert!(text(&page).contains("Return a greeting"));
}

#[test]
fn step_round_goes_from_request_to_request_and_to_the_turns_end() {
    let mut page = page("forgetful", []);
    page.send(Command::StepRound);
    page.submit(scenario("forgetful").turns[0].prompt.get(Language::En));
    let mut rounds = 0;
    while page.live().phase != Phase::Idle {
        rounds += 1;
        let Step::Request { request, .. } = held_at(&page) else { panic!("not at a request") };
        assert_eq!(request, rounds);
        page.send(Command::StepRound);
    }
    assert_eq!(rounds, page.live().last_request);
    // It was for that turn: the next one is held at its first request no more than any other.
    page.send(Command::Run);
    page.submit("Something else");
    assert_eq!(page.live().phase, Phase::Idle);
}

#[test]
fn what_a_run_is_held_at_can_be_taken_back_in_the_middle() {
    let mut page = begun("forgetful", [Break::Plan]);
    page.send(Command::HoldAt(BTreeSet::new()));
    assert!(page.shown().holding, "it stays where it is");
    page.send(Command::Run);
    assert_eq!(page.live().phase, Phase::Idle);
}
