//! Commands, the model's and the reader's: what is seen of them while they run, and how they end.

use super::page::{Endpoint, Page};
use super::support::{call, check_session, reply, workdir};
use super::{done, is_result};
use playground::agent::{Phase, Step};
use playground::runtime::Command;
use playground::runtime::shell::{Loading, Part, Report};
use playground::tools::bash::Broken;
use playground::vfs::FsChange;
use serde_json::json;
use std::rc::Rc;

/// A page on which the model has called bash, and the shell is at work.
fn with_command(command: &str) -> (Page, Rc<Endpoint>) {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.answers(&reply(vec![call("1", "bash", json!({"command": command}))], "tool_use"));
    page.settle();
    (page, endpoint)
}

fn written(name: &str, text: &str) -> FsChange {
    FsChange::Write { path: workdir().join(name), bytes: text.as_bytes().into(), mode: 0o644 }
}

#[test]
fn a_command_runs_in_the_shell_and_its_end_is_the_calls_result() {
    let (mut page, endpoint) = with_command("make");
    assert_eq!(page.shell.jobs.borrow()[0].command, "make");
    assert!(page.shown().busy && page.count(is_result) == 0);
    page.shell.ends(" done \n", vec![written("out.txt", "x")]);
    page.settle();
    let sent = endpoint.requests.borrow()[1].clone();
    assert_eq!(sent.messages[2].blocks()[0].to_json()["content"], "done");
    assert!(page.live().workspace.vfs.is_file(&workdir().join("out.txt")));
}

#[test]
fn what_a_command_loads_and_writes_is_shown_while_it_runs_and_not_logged() {
    let (mut page, _endpoint) = with_command("make");
    let events = page.shown().timeline.log().len();
    let loading = |done| Loading { part: Part::Python, loaded: 5, total: 9, done };
    page.shell.tells(Report::Loading(loading(false)));
    page.settle();
    assert_eq!(page.shown().running.and_then(|running| running.loading), Some(loading(false)));
    page.shell.tells(Report::Loading(loading(true)));
    page.shell.tells(Report::Output("half".into()));
    page.settle();
    let running = page.shown().running.expect("it runs");
    assert_eq!((running.loading, running.output.as_str()), (None, "half"));
    assert_eq!(page.shown().timeline.log().len(), events);
    page.shell.ends("", vec![]);
    page.settle();
    assert_eq!(page.shown().running, None);
}

#[test]
fn stop_kills_the_command_and_the_workspace_is_what_it_was() {
    let (mut page, endpoint) = with_command("sleep 999");
    page.send(Command::Stop);
    assert_eq!((page.shell.killed.get(), page.live().phase), (1, Phase::Idle));
    page.shell.ends("late", vec![written("out.txt", "x")]);
    page.settle();
    assert!(!page.live().workspace.vfs.is_file(&workdir().join("out.txt")));
    assert_eq!(check_session(&page.live()), Ok(()));
    page.shell.reports.borrow_mut().clear();
    page.submit("Again");
    endpoint.answers(&done());
    page.settle();
    assert_eq!(page.live().phase, Phase::Idle);
}

#[test]
fn a_command_past_its_time_gets_the_lessons_words_and_changes_nothing() {
    let (mut page, endpoint) = with_command("sleep 999");
    page.shell.tells(Report::Ended(Err(Broken::TimedOut)));
    page.settle();
    let sent = endpoint.requests.borrow()[1].clone();
    assert_eq!(sent.messages[2].blocks()[0].to_json()["content"], "Error: Timeout (120s)");
}

#[test]
fn a_sandbox_that_breaks_is_told_to_the_model_and_the_next_command_works() {
    let (mut page, endpoint) = with_command("make");
    page.shell.tells(Report::Ended(Err(Broken::Failed("the sandbox failed".into()))));
    endpoint.answers(&reply(vec![call("2", "bash", json!({"command": "ls"}))], "tool_use"));
    page.settle();
    assert_eq!(page.live().transcript[2].blocks()[0].to_json()["content"], "Error: the sandbox failed");
    page.shell.ends("a.txt\n", vec![]);
    page.settle();
    assert_eq!(page.live().transcript[4].blocks()[0].to_json()["content"], "a.txt");
}

#[test]
fn two_commands_of_one_reply_run_one_after_the_other_and_the_second_sees_what_the_first_left() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    let bash = |id, command: &str| call(id, "bash", json!({"command": command}));
    endpoint.answers(&reply(vec![bash("1", "one"), bash("2", "two")], "tool_use"));
    page.settle();
    assert_eq!(page.shell.jobs.borrow().len(), 1);
    page.shell.ends("1", vec![written("one.txt", "1")]);
    page.settle();
    assert!(page.shell.jobs.borrow()[1].files.is_file(&workdir().join("one.txt")));
    page.shell.ends("2", vec![]);
    page.settle();
    assert_eq!(endpoint.opened(), 2);
}

#[test]
fn the_readers_own_command_changes_the_files_and_no_message() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Type("touch mine.txt".into()));
    assert!(page.shown().busy);
    page.shell.ends("ok", vec![written("mine.txt", "")]);
    page.settle();
    let live = page.live();
    assert!(live.workspace.vfs.is_file(&workdir().join("mine.txt")) && live.transcript.is_empty());
    assert_eq!(page.count(|step| matches!(step, Step::Typed { output, .. } if &**output == "ok")), 1);
    assert_eq!(endpoint.opened(), 0);
}

#[test]
fn files_edited_by_hand_are_a_step_and_wait_for_no_command_in_flight() {
    let (mut page, _endpoint) = Page::by_hand();
    page.send(Command::Edit(vec![written("a.txt", "mine")]));
    assert_eq!(page.count(|step| matches!(step, Step::Edited { .. })), 1);
    let (mut page, _endpoint) = with_command("make");
    page.send(Command::Edit(vec![written("a.txt", "mine")]));
    assert_eq!(page.count(|step| matches!(step, Step::Edited { .. })), 0, "a command works on the files as they were");
}

#[test]
fn stop_ends_only_the_readers_command_and_keeps_what_it_wrote() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Pause);
    page.submit("Go");
    let held = page.live().phase.clone();
    page.send(Command::Type("echo begun; sleep 30".into()));
    page.shell.tells(Report::Output("begun\n".into()));
    page.settle();
    page.send(Command::Stop);
    assert_eq!((page.shell.killed.get(), page.live().phase.clone()), (1, held));
    assert_eq!(page.count(|step| matches!(step, Step::Typed { output, .. } if &**output == "begun\n^C")), 1);
    page.shell.reports.borrow_mut().clear();
    page.send(Command::Run);
    endpoint.answers(&done());
    page.settle();
    assert_eq!(page.live().phase, Phase::Idle);
}
