//! The loop of the lesson: what each event does in each phase, when the reminder comes, what hooks do, and that no
//! event ever leaves a history that an endpoint would refuse.

mod support;

#[path = "session/hooks.rs"]
mod hooks;
#[path = "session/reminder.rs"]
mod reminder;

use playground::agent::{CallKey, Ending, Event, NOT_RUN, Outcome, Phase, Session, Step};
use playground::fault::Fault;
use playground::message::{Block, Content, Json, Role};
use playground::tools::ToolRun;
use playground::wire::ModelEvent;
use proptest::prelude::*;
use serde_json::json;
use support::{Play, call, check_history, check_session, lesson, reply, session, streamed, todos};

fn begun() -> Play {
    Play::begun(lesson("s05"))
}

fn read(path: &str) -> (&'static str, Json) {
    ("read_file", json!({"path": path}))
}

/// A run in each of the five phases.
fn in_phase(phase: &str) -> Play {
    let mut play = match phase {
        "Idle" => return Play::new(session(lesson("s05"))),
        _ => begun(),
    };
    match phase {
        "Model" => {}
        "Tools" => play.hears(&reply(vec![call("1", "read_file", json!({"path": "a.txt"}))], "tool_use")),
        "Permission" => play.calls(&[("bash", json!({"command": "rm a.txt"}))]),
        "Stopped" => play.event(Event::ModelFailed { request: 1, fault: Fault::CutStream }),
        _ => panic!("no phase is called {phase}"),
    }
    play
}

fn phase_of(session: &Session) -> &'static str {
    match session.phase {
        Phase::Idle => "Idle",
        Phase::AwaitingModel { .. } => "Model",
        Phase::RunningTools(_) => "Tools",
        Phase::AwaitingPermission { .. } => "Permission",
        Phase::Stopped { .. } => "Stopped",
    }
}

#[test]
fn every_event_in_every_phase_does_what_the_table_says() {
    let now = |session: &Session| (session.last_request, CallKey { request: session.last_request, index: 0 });
    let other = |session: &Session| (session.last_request + 1, CallKey { request: session.last_request, index: 1 });
    let event = |name: &str, (request, key): (u32, CallKey)| match name {
        "prompt" => Event::PromptSubmitted { text: "More".into() },
        "piece" => Event::ModelEmitted { request, events: streamed(&reply(vec![], "end_turn"))[..1].to_vec() },
        "reply" => Event::ModelEmitted { request, events: streamed(&reply(vec![Block::text("Done.")], "end_turn")) },
        "calls" => Event::ModelEmitted {
            request,
            events: streamed(&reply(vec![call("1", "glob", json!({"pattern": "*"}))], "tool_use")),
        },
        "error" => Event::ModelEmitted { request, events: vec![ModelEvent::Failed(Fault::CutStream)] },
        "failed" => Event::ModelFailed { request, fault: Fault::CutStream },
        "result" => Event::ToolFinished { call: key, run: ToolRun { output: "ok".into(), ..ToolRun::default() } },
        "yes" => Event::PermissionAnswered { call: key, allowed: true },
        "no" => Event::PermissionAnswered { call: key, allowed: false },
        "stop" => Event::Cancelled,
        "retry" => Event::Retried,
        _ => panic!("no event is called {name}"),
    };
    // Where the event leads; "–" is nothing at all.
    let phases = ["Idle", "Model", "Tools", "Permission", "Stopped"];
    let table = [
        ("prompt", ["Model", "–", "–", "–", "Model"]),
        ("piece", ["–", "Model", "–", "–", "–"]),
        ("reply", ["–", "Idle", "–", "–", "–"]),
        ("calls", ["–", "Tools", "–", "–", "–"]),
        ("error", ["–", "Stopped", "–", "–", "–"]),
        ("failed", ["–", "Stopped", "–", "–", "–"]),
        ("result", ["–", "–", "Model", "–", "–"]),
        ("yes", ["–", "–", "–", "Tools", "–"]),
        ("no", ["–", "–", "–", "Model", "–"]),
        ("stop", ["–", "Idle", "Idle", "Idle", "–"]),
        ("retry", ["–", "–", "–", "–", "Model"]),
    ];
    for (name, row) in table {
        for (phase, leads_to) in phases.into_iter().zip(row) {
            let mut session = in_phase(phase).session().clone();
            let before = session.clone();
            let out = session.apply(&event(name, now(&before)));
            let nothing = out.effects.is_empty() && out.steps.is_empty() && session == before;
            assert_eq!(nothing, leads_to == "–", "{name} in {phase}");
            assert_eq!(phase_of(&session), if nothing { phase } else { leads_to }, "{name} in {phase}");

            if !matches!(name, "prompt" | "stop" | "retry") {
                let mut session = before.clone();
                let out = session.apply(&event(name, other(&before)));
                assert!(
                    out.effects.is_empty() && out.steps.is_empty() && session == before,
                    "another {name} in {phase}"
                );
            }
        }
    }
}

#[test]
fn a_chosen_model_is_named_from_the_next_request_on_in_every_phase() {
    for phase in ["Idle", "Model", "Tools", "Permission", "Stopped"] {
        let mut play = in_phase(phase);
        let sent = play.requests.len();
        play.event(Event::ModelChosen { model: "other".into(), max_tokens: Some(7) });
        assert_eq!((phase_of(play.session()), play.requests.len()), (phase, sent));
        let request = play.session().request();
        assert_eq!((&*request.model, request.max_tokens), ("other", 7), "{phase}");
    }
    let mut play = in_phase("Idle");
    play.event(Event::ModelChosen { model: "other".into(), max_tokens: None });
    assert_eq!(play.session().request().max_tokens, 8000, "the lesson's own");
}

// --- The plan -------------------------------------------------------------------------------------------------------

#[test]
fn a_plan_update_replaces_the_whole_list_and_a_refused_one_changes_nothing() {
    let mut play = begun();
    play.plans(&["completed A", "pending B"]);
    assert_eq!(play.last_message(), ["[x] A\n[ ] B\n\n(1/2 completed)"]);
    play.plans(&["in_progress B"]);
    assert_eq!(play.plan(), ["in_progress B"], "A was not sent again, so it is gone");
    for (refused, why) in [
        (todos(&["in_progress A", "in_progress B"]), "Error: Only one todo can be in_progress at a time"),
        (todos(&["pending A", "doing B"]), "Error: todos[1] has invalid status 'doing'"),
        (json!({}), "Error: run_todo_write() missing 1 required positional argument: 'todos'"),
        (json!({"todos": [], "mode": 1}), "Error: run_todo_write() got an unexpected keyword argument 'mode'"),
        (json!({"todos": vec![json!({"content": "x"}); 21]}), "Error: Max 20 todos allowed"),
    ] {
        play.calls(&[("todo_write", refused)]);
        assert_eq!(play.last_message(), [why]);
        assert_eq!(play.plan(), ["in_progress B"]);
    }
    play.plans(&[]);
    assert_eq!((play.last_message(), play.plan()), (vec!["No todos.".to_string()], vec![]));
}

#[test]
fn the_steps_say_which_call_changed_the_plan_and_which_was_refused() {
    let mut play = begun();
    play.calls(&[
        ("todo_write", todos(&["pending A"])),
        ("todo_write", todos(&["doing A"])),
        ("todo_write", todos(&["completed A"])),
    ]);
    let told: Vec<String> = play
        .steps()
        .filter_map(|step| match step {
            Step::PlanReplaced { call, before, after } => {
                Some(format!("{}: {} items, then {}", call.id, before.items.len(), after.items.len()))
            }
            Step::PlanRejected { call, error } => Some(format!("{}: {error}", call.id)),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["1.0: 0 items, then 1", "1.1: todos[0] has invalid status 'doing'", "1.2: 1 items, then 1"]);
}

#[test]
fn of_several_updates_in_one_reply_the_last_one_stands_and_all_are_answered_in_order() {
    let mut play = begun();
    play.calls(&[("todo_write", todos(&["in_progress A"])), ("todo_write", todos(&["in_progress B"]))]);
    assert_eq!(play.last_message(), ["[>] A\n\n(0/1 completed)", "[>] B\n\n(0/1 completed)"]);
    assert_eq!(play.plan(), ["in_progress B"]);
    let six: Vec<_> =
        ["A", "B", "C", "D", "E", "F"].map(|name| ("todo_write", todos(&[&format!("pending {name}")]))).into();
    play.calls(&six);
    assert_eq!(play.plan(), ["pending F"]);
    assert_eq!(play.steps().filter(|step| matches!(step, Step::PlanReplaced { .. })).count(), 8);
    assert_eq!(play.steps().filter(|step| matches!(step, Step::Counted { .. })).count(), 2, "one round each");
}

/// Whatever a model may send as a plan, biased towards what looks like one.
fn plan_input() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "[ a-z\\u{3000}\\u{200b}\\[\\]'{}:,\"]{0,8}".prop_map(Json::from),
        prop_oneof!["pending", "in_progress", "COMPLETED", "doing"].prop_map(Json::from),
    ];
    let item = prop_oneof![
        4 => (leaf.clone(), leaf.clone()).prop_map(|(content, status)| json!({"content": content, "status": status})),
        4 => ("[a-c]{1,3}", prop_oneof!["pending", "in_progress", "completed"])
            .prop_map(|(content, status)| json!({"content": content, "status": status})),
        1 => leaf.clone(),
    ];
    let list = proptest::collection::vec(item, 0..23).prop_map(Json::from);
    prop_oneof![
        6 => list.clone(),
        2 => list.prop_map(|list| list.to_string().into()),
        1 => leaf,
    ]
    .prop_map(|value| json!({"todos": value}))
}

proptest! {
    #[test]
    fn any_update_either_replaces_the_list_by_what_it_says_or_changes_nothing(
        first in plan_input(),
        second in plan_input(),
    ) {
        let mut play = begun();
        play.calls(&[("todo_write", first)]);
        let before = play.session().workspace.plan.clone();
        play.calls(&[("todo_write", second)]);
        let (after, said) = (&play.session().workspace.plan, play.last_message().concat());
        if said.starts_with("Error: ") {
            prop_assert_eq!(&before, after);
        } else {
            let rules = play.session().lesson.plan.as_ref().expect("a plan");
            prop_assert_eq!(after.render(rules), said);
            prop_assert!(after.items.len() <= 20);
            prop_assert!(after.items.iter().all(|item| !item.content.trim().is_empty()));
            prop_assert!(play.plan().iter().filter(|item| item.starts_with("in_progress")).count() <= 1);
        }
        prop_assert_eq!(check_session(play.session()), Ok(()));
    }
}

// --- Calls and their results ----------------------------------------------------------------------------------------

#[test]
fn calls_of_one_reply_run_one_after_the_other_each_on_what_the_last_one_left() {
    let mut play = begun();
    play.calls(&[
        ("write_file", json!({"path": "b.txt", "content": "one"})),
        ("edit_file", json!({"path": "b.txt", "old_text": "one", "new_text": "two"})),
        read("b.txt"),
    ]);
    assert_eq!(play.last_message(), ["Wrote 3 bytes to b.txt", "Edited b.txt", "two"]);
}

#[test]
fn what_goes_wrong_in_a_call_is_told_to_the_model() {
    for (name, input, answer) in [
        ("Bash", json!({}), "Unknown: Bash"),
        ("read_file", json!({"file": "a"}), "Error: run_read() got an unexpected keyword argument 'file'"),
        ("read_file", json!({}), "Error: run_read() missing 1 required positional argument: 'path'"),
        ("glob", json!([]), "Error: __main__.run_glob() argument after ** must be a mapping, not list"),
        ("read_file", json!({"path": "no.txt"}), "Error: [Errno 2] No such file or directory: '/workspace/no.txt'"),
        ("write_file", json!({"path": "b.txt", "content": 5}), "Error: data must be str, not int"),
    ] {
        let mut play = begun();
        play.calls(&[(name, input)]);
        assert_eq!(play.last_message(), [answer]);
        assert_eq!(phase_of(play.session()), "Model", "the loop goes on");
    }
}

#[test]
fn in_the_lesson_whose_functions_guard_themselves_a_call_that_does_not_fit_ends_the_program() {
    let mut play = Play::begun(lesson("s04"));
    play.calls(&[read("a.txt"), ("write_file", json!({"path": "b.txt"})), read("a.txt")]);
    let exception = "TypeError: run_write() missing 1 required positional argument: 'content'".to_string();
    assert!(matches!(&play.session().phase, Phase::Stopped { fault } if **fault == Fault::Crashed { exception }));
    assert_eq!(play.last_message(), ["alpha", NOT_RUN, NOT_RUN]);
    assert_eq!(check_session(play.session()), Ok(()));
    play.event(Event::Retried);
    assert_eq!(phase_of(play.session()), "Model");
}

#[test]
fn an_empty_file_gives_an_empty_result() {
    let mut play = begun();
    play.calls(&[("write_file", json!({"path": "b.txt", "content": ""})), read("b.txt")]);
    assert_eq!(play.last_message(), ["Wrote 0 bytes to b.txt", ""]);
}

#[test]
fn two_calls_with_the_same_id_are_both_run_and_both_answered() {
    let mut play = begun();
    let write = |name| call("same", "write_file", json!({"path": name, "content": "x"}));
    play.hears(&reply(vec![write("b.txt"), write("c.txt")], "tool_use"));
    play.run_tools();
    assert_eq!(play.last_message(), ["Wrote 1 bytes to b.txt", "Wrote 1 bytes to c.txt"]);
    assert_eq!(check_session(play.session()), Ok(()));
}

#[test]
fn a_call_whose_arguments_were_cut_off_is_never_run() {
    let block = json!({"type": "tool_use", "id": "1", "name": "write_file", "input": {}});
    let cut = |json: Option<&str>| {
        let mut events = streamed(&reply(vec![], "max_tokens"));
        let end = events.split_off(1);
        events.push(ModelEvent::BlockStarted { index: 0, block: block.as_object().cloned().unwrap_or_default() });
        events.extend(json.map(|json| ModelEvent::InputDelta { index: 0, json: json.into() }));
        events.push(ModelEvent::BlockStopped { index: 0 });
        events.extend(end);
        events
    };
    for json in [Some(r#"{"path":"a.txt","cont"#), Some("{"), None] {
        let mut play = begun();
        play.emits(cut(json));
        let fault = Fault::CutCall { tool: "write_file".into(), stop_reason: Some("max_tokens".into()) };
        assert!(matches!(&play.session().phase, Phase::Stopped { fault: told } if **told == fault), "{json:?}");
        assert!(!play.run_tool(), "nothing waits to be run");
        assert_eq!(play.session().transcript.len(), 1, "the half reply is not in the history");
        assert!(
            play.steps()
                .any(|step| matches!(step, Step::Failed { partial: Some(draft), .. } if draft.blocks().len() == 1))
        );
    }
}

#[test]
fn a_complete_call_runs_whatever_the_stop_reason_says_and_text_alone_ends_the_turn() {
    for stop_reason in ["tool_use", "end_turn", "max_tokens", "pause_turn", "stop_sequence"] {
        let mut play = begun();
        play.hears(&reply(vec![call("1", "glob", json!({"pattern": "*"}))], stop_reason));
        play.run_tools();
        assert_eq!((phase_of(play.session()), play.last_message()), ("Model", vec!["a.txt".to_string()]));
        play.hears(&reply(vec![], stop_reason));
        assert_eq!((phase_of(play.session()), check_session(play.session())), ("Idle", Ok(())), "{stop_reason}");
    }
}

#[test]
fn a_reply_goes_back_as_it_came_with_thinking_and_unknown_blocks_in_place() {
    let blocks = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": "", "citations": null},
        {"type": "brand_new", "payload": {"a": [1, 1.0, null]}},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "tool_use", "id": "1", "name": "glob", "input": {"pattern": "*"}, "caller": {"type": "direct"}},
    ]);
    let mut play = begun();
    play.hears(&reply(serde_json::from_value(blocks.clone()).expect("blocks"), "tool_use"));
    play.run_tools();
    let sent = play.requests.last().expect("a request");
    assert_eq!(
        serde_json::to_value(&*sent.messages[1]).expect("JSON"),
        json!({"role": "assistant", "content": blocks})
    );
}

#[test]
fn a_reply_without_any_block_is_kept_and_the_next_prompt_follows_it() {
    let mut play = begun();
    play.hears(&reply(vec![], "end_turn"));
    play.prompt("More");
    let roles: Vec<Role> = play.session().transcript.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert_eq!(play.session().transcript[1].content, Content::Blocks(vec![]));
}

// --- Faults, Retry, Stop --------------------------------------------------------------------------------------------

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

#[test]
fn a_reply_with_hundreds_of_blocked_calls_is_answered() {
    let mut play = begun();
    let blocked = ("bash", json!({"command": "sudo ls"}));
    play.calls(&vec![blocked; 600]);
    assert_eq!(play.last_message(), vec!["Permission denied by deny list"; 600]);
}

proptest! {
    #[test]
    fn whatever_happens_no_history_is_ever_sent_that_an_endpoint_would_refuse(
        moves in support::random::moves(),
        id in prop_oneof!["s05", "s04"],
    ) {
        let mut play = support::random::play(lesson(&id), &moves);
        for stop in play.timeline.stops() {
            prop_assert_eq!(check_session(&stop.after), Ok(()));
        }
        for request in &play.requests {
            prop_assert_eq!(check_history(&request.messages), Ok(()));
        }
        // And from wherever this ended, the reader can go on.
        play.cancel();
        play.prompt("Go on");
        prop_assert_eq!(phase_of(play.session()), "Model");
        play.says("Done.");
        prop_assert_eq!(check_session(play.session()), Ok(()));
    }
}
