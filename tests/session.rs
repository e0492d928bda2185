//! The loop of the lesson: what each event does in each phase, when the reminder comes, what hooks do, and that no
//! event ever leaves a history that an endpoint would refuse.

mod support;

#[path = "session/ends.rs"]
mod ends;
#[path = "session/hooks.rs"]
mod hooks;
#[path = "session/plan.rs"]
mod plan;
#[path = "session/reminder.rs"]
mod reminder;
#[path = "session/repair.rs"]
mod repair;
#[path = "session/rules.rs"]
mod rules;

use playground::agent::{CallKey, Ending, Event, NOT_RUN, Outcome, Phase, Session, Step};
use playground::fault::Fault;
use playground::message::{Block, Content, Json, Role};
use playground::tools::ToolRun;
use playground::wire::ModelEvent;
use proptest::prelude::*;
use serde_json::json;
use support::{Play, call, check_history, check_session, chosen, lesson, reply, said, session, streamed, todos};

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
        play.event(chosen("other", Some(7)));
        assert_eq!((phase_of(play.session()), play.requests.len()), (phase, sent));
        let request = play.session().request();
        assert_eq!((&*request.model, request.max_tokens), ("other", 7), "{phase}");
    }
    let mut play = in_phase("Idle");
    play.event(chosen("other", None));
    assert_eq!(play.session().request().max_tokens, 8000, "the lesson's own");
}

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
fn where_the_stop_reason_decides_calls_under_another_one_are_neither_run_nor_answered() {
    let calls = || vec![call("1", "write_file", json!({"path": "b.txt", "content": "x"}))];
    for stop_reason in ["end_turn", "max_tokens", "pause_turn", "stop_sequence"] {
        let mut play = Play::begun(lesson("s03-todo"));
        play.hears(&reply(calls(), stop_reason));
        assert!(!play.run_tool(), "nothing waits to be run");
        assert_eq!((phase_of(play.session()), play.session().transcript.len()), ("Idle", 2), "{stop_reason}");
        let answered = |step: &Step| matches!(step, Step::TurnEnded { ending: Ending::Answered, .. });
        assert!(play.steps().last().is_some_and(answered));
        play.prompt("More");
        assert!(
            check_history(&play.requests.last().expect("a request").messages).is_err(),
            "the real API would refuse"
        );
    }
    let mut play = Play::begun(lesson("s03-todo"));
    play.hears(&reply(calls(), "tool_use"));
    play.run_tools();
    assert_eq!(play.last_message(), ["Wrote 1 bytes"]);
}

#[test]
fn where_the_stop_reason_decides_a_reply_without_a_call_may_lead_to_a_round_of_none() {
    let mut play = Play::begun(lesson("s03-todo"));
    for round in 1..=3 {
        assert_eq!(phase_of(play.session()), "Model");
        play.hears(&reply(vec![Block::text("Hm.")], "tool_use"));
        let message = play.session().transcript.last().expect("a message");
        let reminder = Block::text("<reminder>Update your todos.</reminder>");
        let expected = if round < 3 { vec![] } else { vec![reminder] };
        assert_eq!((message.role, &message.content), (Role::User, &Content::Blocks(expected)), "{round}");
    }
    assert_eq!(play.session().counter.idle(), 3, "and the reminder didn't set it back");
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
        id in prop_oneof!["s05", "s04", "s03-todo", "s03-plan"],
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
