//! What ends a turn early: faults, Stop, a result that does not fit; and how the reader goes on.

use super::*;

#[test]
fn retry_sends_the_same_list_and_counts_nothing_twice() {
    let mut play = begun();
    play.idles();
    let counter = play.session().counter.clone();
    play.emits(streamed(&reply(vec![Block::text("half a")], "end_turn"))[..3].to_vec());
    play.event(Event::ModelFailed { request: 2, fault: Fault::CutStream });
    play.event(Event::Retried);
    assert_eq!(play.requests[1].messages, play.requests[2].messages);
    assert_eq!((play.session().last_request, &play.session().counter), (3, &counter));
    // What is left of the first attempt comes too late.
    play.event(Event::ModelEmitted { request: 2, events: streamed(&reply(vec![Block::text("late")], "end_turn")) });
    play.says("Done.");
    assert_eq!((phase_of(play.session()), play.last_message()), ("Idle", vec!["Done.".to_string()]));
}

#[test]
fn after_a_fault_a_new_prompt_may_be_sent_instead() {
    let mut play = in_phase("Stopped");
    play.prompt("Something else");
    assert_eq!(play.session().turn, 2);
    assert_eq!(play.requests.last().expect("a request").messages.len(), 2);
    play.says("Done.");
    assert_eq!(check_session(play.session()), Ok(()));
}

#[test]
fn a_reply_that_fits_no_place_ends_the_turn_and_gives_the_request_up() {
    let mut play = begun();
    play.emits(vec![ModelEvent::BlockStopped { index: 0 }]);
    assert_eq!((phase_of(play.session()), play.aborted.clone()), ("Stopped", vec![1]));
}

#[test]
fn stop_in_every_phase_leaves_a_valid_history_and_a_new_prompt_works() {
    for phase in ["Model", "Tools", "Permission"] {
        let mut play = in_phase(phase);
        play.cancel();
        assert_eq!((phase_of(play.session()), check_session(play.session())), ("Idle", Ok(())), "{phase}");
        assert_eq!(play.aborted, if phase == "Model" { vec![1] } else { vec![] }, "{phase}");
        let last = play.timeline.stops().last().expect("a stop");
        assert!(matches!(last.step, Step::TurnEnded { ending: Ending::Stopped, .. }), "{phase}");
        play.prompt("Go on");
        let sent = play.requests.last().expect("a request");
        assert_eq!(check_history(&sent.messages), Ok(()), "{phase}");
        play.idles();
        play.says("Done.");
        assert_eq!((phase_of(play.session()), check_session(play.session())), ("Idle", Ok(())), "{phase}");
    }
}

#[test]
fn stop_between_two_calls_keeps_the_first_result_and_says_that_the_second_was_not_run() {
    let mut play = begun();
    let write = |name| ("write_file", json!({"path": name, "content": "x"}));
    let blocks = [write("b.txt"), write("c.txt"), write("d.txt")];
    let blocks = blocks.into_iter().enumerate().map(|(i, (name, input))| call(&i.to_string(), name, input));
    play.hears(&reply(blocks.collect(), "tool_use"));
    play.run_tool();
    play.cancel();
    assert_eq!(play.last_message(), ["Wrote 1 bytes to b.txt", NOT_RUN, NOT_RUN]);
    let exists = |name: &str| play.session().workspace.vfs.is_file(&support::workdir().join(name));
    assert_eq!([exists("b.txt"), exists("c.txt"), exists("d.txt")], [true, false, false]);
    let outcomes: Vec<Outcome> = play
        .steps()
        .filter_map(|step| match step {
            Step::ToolReturned { outcome, .. } => Some(*outcome),
            _ => None,
        })
        .collect();
    assert_eq!(outcomes, [Outcome::Ran, Outcome::NotRun, Outcome::NotRun]);
}

#[test]
fn what_was_written_before_stop_is_shown_but_not_sent() {
    let mut play = begun();
    play.emits(streamed(&reply(vec![Block::text("half a")], "end_turn"))[..3].to_vec());
    play.cancel();
    assert_eq!(play.session().transcript.len(), 1);
    let Some(Step::TurnEnded { partial: Some(draft), .. }) = play.steps().last() else { panic!("the turn ended") };
    assert_eq!(draft.blocks().map(|block| block.content.to_string()).collect::<Vec<_>>(), ["half a"]);
}

#[test]
fn a_result_for_another_workspace_ends_the_turn_and_changes_nothing() {
    use playground::vfs::FsChange;
    use playground::workspace::Change;
    let mut play = in_phase("Tools");
    let before = play.session().workspace.clone();
    let write = FsChange::Write { path: support::path("/workspace/b.txt"), bytes: [].into(), mode: 0o644 };
    let changes = vec![Change::Fs(write), Change::Fs(FsChange::Remove { path: support::path("/nowhere") })];
    let call = CallKey { request: 1, index: 0 };
    play.event(Event::ToolFinished { call, run: ToolRun { changes, ..ToolRun::default() } });
    assert_eq!((phase_of(play.session()), check_session(play.session())), ("Stopped", Ok(())));
    assert_eq!(play.session().workspace, before, "all of its changes or none");
}
