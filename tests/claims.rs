//! What the lesson claims of its loop, each claim shown by a scenario and read off its run as it is saved.

mod support;

use playground::agent::{Outcome, Step};
use playground::language::Language;
use playground::message::{Block, Role, ToolCall};
use playground::plan::Plan;
use playground::timeline::{Stop, Timeline};
use std::rc::Rc;
use support::{lesson, said, scenario, script};

const REMINDER: &str = "<reminder>Update your todos.</reminder>";

/// A scenario's run under S05, saved and opened again.
fn recorded(id: &str) -> Timeline {
    let play = script::play(&scenario(id), lesson("s05"), Language::En, true);
    Timeline::from_jsonl(&play.timeline.to_jsonl()).expect("a run that was saved can be opened")
}

fn stops(run: &Timeline) -> impl Iterator<Item = &Stop> {
    run.stops().iter().map(Rc::as_ref)
}

/// The plan, each item as `"status content"`.
fn items(plan: &Plan) -> Vec<String> {
    plan.items.iter().map(|item| format!("{} {}", item.status.word(), item.content)).collect()
}

/// The updates that replaced the plan: it before and after.
fn updates(run: &Timeline) -> Vec<[Vec<String>; 2]> {
    let update = |stop: &Stop| match &stop.step {
        Step::PlanReplaced { before, after, .. } => Some([items(before), items(after)]),
        _ => None,
    };
    stops(run).filter_map(update).collect()
}

/// Each counted round: the counter behind it, and whether a plan call set it back.
fn counted(run: &Timeline) -> Vec<(u32, bool)> {
    let count = |stop: &Stop| match stop.step {
        Step::Counted { idle, used_plan } => Some((idle, used_plan)),
        _ => None,
    };
    stops(run).filter_map(count).collect()
}

/// How many calls each reply holds.
fn calls(run: &Timeline) -> Vec<usize> {
    let held = |stop: &Stop| match stop.step {
        Step::Reply { calls, .. } => Some(calls),
        _ => None,
    };
    stops(run).filter_map(held).collect()
}

#[test]
fn an_update_replaces_the_whole_list_and_what_it_leaves_out_is_gone() {
    let updates = updates(&recorded("gates"));
    assert_eq!(
        updates[1],
        [
            vec!["in_progress Draft the outline", "pending Write the text", "pending Check the links"],
            vec!["completed Draft the outline", "in_progress Write the text"],
        ]
    );
}

#[test]
fn a_failed_update_keeps_the_old_plan_and_still_resets_the_counter() {
    let run = recorded("as-string");
    let stops: Vec<&Stop> = stops(&run).collect();
    let at = stops.iter().position(|stop| matches!(stop.step, Step::PlanRejected { .. })).expect("a refused update");
    assert_eq!(stops[at].after.counter.idle(), 1, "the round before was idle");
    let kept = ["completed Read trip.md", "in_progress Write packing.md"];
    assert_eq!(items(&stops[at - 1].after.workspace.plan), kept);
    let counted = stops[at..].iter().find(|stop| matches!(stop.step, Step::Counted { .. })).expect("its round");
    assert!(matches!(counted.step, Step::Counted { idle: 0, used_plan: true }), "{:?}", counted.step);
    assert_eq!(items(&counted.after.workspace.plan), kept);
}

#[test]
fn a_blocked_update_does_not_count_as_one() {
    let run = recorded("blocked");
    let blocked = |step: &Step| matches!(step, Step::ToolReturned { call, outcome: Outcome::Blocked, .. } if call.name == "todo_write");
    let stops: Vec<&Stop> = stops(&run).collect();
    let at = stops.iter().position(|stop| blocked(&stop.step)).expect("a blocked update");
    assert!(stops[at].after.workspace.plan.items.is_empty(), "it changed nothing");
    assert_eq!(counted(&run)[..3], [(1, false), (2, false), (3, false)], "its round is an idle one");
    let reminded = stops.iter().find(|stop| matches!(stop.step, Step::ReminderAdded { .. })).expect("a reminder");
    assert_eq!(reminded.round, stops[at].round + 2, "in the third round, the blocked one being the first");
}

#[test]
fn several_calls_in_one_reply_are_one_round() {
    let run = recorded("one-round");
    assert_eq!(calls(&run)[..3], [1, 3, 2]);
    assert_eq!(counted(&run)[..3], [(0, true), (1, false), (2, false)], "three reads and two reads are two rounds");
}

#[test]
fn a_reply_without_a_call_does_not_count() {
    let run = recorded("backwards");
    assert_eq!(calls(&run)[..5], [1, 1, 1, 1, 0]);
    let first_turn: Vec<&Stop> = stops(&run).filter(|stop| stop.turn == 1).collect();
    let rounds = first_turn.iter().filter(|stop| matches!(stop.step, Step::Counted { .. })).count();
    assert_eq!(rounds, 4, "five replies, four of them with calls");
    assert_eq!(first_turn.last().expect("the turn's end").after.counter.idle(), 1, "as the read left it");
}

#[test]
fn the_third_idle_round_carries_the_reminder_in_the_message_of_its_results() {
    let run = recorded("forgetful");
    assert_eq!(counted(&run)[..4], [(0, true), (1, false), (2, false), (3, false)]);
    let messages: Vec<_> = run.live().transcript.iter().collect();
    let carrying: Vec<usize> = (0..messages.len()).filter(|&i| said(messages[i]).contains(&REMINDER.into())).collect();
    assert_eq!(carrying, [8]);
    assert_eq!(messages[8].role, Role::User);
    let [Block::ToolResult { .. }, Block::Text { text, .. }] = messages[8].blocks() else {
        panic!("{:?}", messages[8]);
    };
    assert_eq!(text, REMINDER);
}

#[test]
fn a_new_prompt_starts_the_counter_again_and_keeps_the_plan() {
    let run = recorded("one-round");
    let prompt = |stop: &&Stop| stop.turn == 2 && matches!(stop.step, Step::Prompt { .. });
    let (before, asked) = (stops(&run).filter(|stop| stop.turn == 1).last(), stops(&run).find(prompt));
    let (before, asked) = (&before.expect("a first turn").after, &asked.expect("a second prompt").after);
    assert_eq!((before.counter.idle(), asked.counter.idle()), (2, 0));
    assert_eq!(items(&before.workspace.plan), ["in_progress Read the files", "pending Report"]);
    assert_eq!(items(&asked.workspace.plan), items(&before.workspace.plan));
}

#[test]
fn the_list_is_not_put_into_the_system_prompt_again() {
    let run = recorded("forgetful");
    let asked = stops(&run).filter(|stop| matches!(stop.step, Step::Request { .. }));
    let systems: Vec<_> = asked.map(|stop| stop.after.request().system.expect("a system prompt")).collect();
    assert!(systems.len() > 8);
    for system in &systems {
        assert_eq!(*system, systems[0], "the same in every request");
    }
    for item in &run.live().workspace.plan.items {
        assert!(!systems[0].contains(&*item.content), "{}", item.content);
    }
}

#[test]
fn an_empty_list_is_allowed() {
    let run = recorded("backwards");
    let [before, after] = updates(&run).pop().expect("an update");
    assert_eq!((before.len(), after.len()), (2, 0));
    let output = stops(&run).filter_map(|stop| match &stop.step {
        Step::ToolReturned { call, output, .. } if is_plan(call) => Some(output.clone()),
        _ => None,
    });
    assert_eq!(output.last().as_deref(), Some("No todos."));
}

fn is_plan(call: &ToolCall) -> bool {
    call.name == "todo_write"
}

#[test]
fn no_order_of_statuses_is_enforced() {
    let first: Vec<String> =
        updates(&recorded("backwards")).into_iter().filter_map(|[_, after]| after.first().cloned()).collect();
    assert_eq!(first, ["pending Write the draft", "completed Write the draft", "pending Write the draft"]);
}

#[test]
fn the_lesson_does_not_keep_the_plan_anywhere_beyond_the_run() {
    let run = recorded("backwards");
    assert!(!updates(&run).is_empty());
    let written = run.start().workspace.vfs.diff(&run.live().workspace.vfs);
    assert!(written.is_empty(), "a plan leaves no file: {written:?}");
    let again = Timeline::new(run.start().clone());
    assert!(again.live().workspace.plan.items.is_empty(), "the program started again knows of no plan");
    assert_eq!(again.live().counter.idle(), 0);
}
