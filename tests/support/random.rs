//! Runs at random: whatever readers, models and endpoints do, in any order.

use super::{Play, address, call, path, reply, run_call, session, streamed, todos};
use playground::agent::{CallKey, Event, Phase, Session};
use playground::data::FromJson;
use playground::fault::Fault;
use playground::lesson::Lesson;
use playground::lesson::rules::Changes;
use playground::message::{Block, Json};
use playground::tools::ToolRun;
use playground::vfs::FsChange;
use playground::wire::ModelEvent;
use playground::workspace::Change;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;

/// What happens next. The numbers choose among the possibilities of the moment.
#[derive(Debug, Clone)]
pub(crate) enum Move {
    /// What the session waits for.
    Forward(Vec<u8>),
    /// Something that may fit the moment or not.
    Aside(u8),
}

pub(crate) fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        5 => vec(any::<u8>(), 1..4).prop_map(Move::Forward),
        1 => any::<u8>().prop_map(Move::Aside),
    ];
    vec(one, 0..60)
}

/// A run of these moves.
pub(crate) fn play(lesson: Lesson, moves: &[Move]) -> Play {
    let mut play = Play::new(session(lesson));
    for one in moves {
        play.event(event(one, play.session()));
    }
    play
}

/// The event that a move is at this moment.
pub(crate) fn event(one: &Move, session: &Session) -> Event {
    match one {
        Move::Forward(choices) => forward(choices, session),
        Move::Aside(choice) => aside(*choice, session),
    }
}

fn forward(choices: &[u8], session: &Session) -> Event {
    let choice = choices[0];
    match &session.phase {
        Phase::Idle => prompt(choice),
        Phase::Stopped { .. } => {
            if choice.is_multiple_of(2) {
                Event::Retried
            } else {
                prompt(choice)
            }
        }
        Phase::AwaitingModel { request, .. } => {
            let blocks: Vec<Block> =
                choices.iter().enumerate().map(|(i, choice)| block(&format!("{request}.{i}"), *choice)).collect();
            Event::ModelEmitted { request: *request, events: streamed(&reply(blocks, "tool_use")) }
        }
        Phase::RunningTools(round) => {
            let call = round.call().expect("a round that runs has a call to run");
            let run = match choice % 16 {
                // Changes against another workspace, and a file that is not text.
                0 => ToolRun {
                    changes: vec![Change::Fs(FsChange::Remove { path: path("/nowhere") })],
                    ..ToolRun::default()
                },
                1 => ToolRun { changes: vec![binary_file()], ..ToolRun::default() },
                _ => run_call(session, call),
            };
            Event::ToolFinished { call: round.key(), run }
        }
        Phase::AwaitingPermission { round, .. } => {
            Event::PermissionAnswered { call: round.key(), allowed: choice.is_multiple_of(2) }
        }
    }
}

fn aside(choice: u8, session: &Session) -> Event {
    // Now and then about the request that is awaited, otherwise about one that is not.
    let request = session.last_request.wrapping_sub(u32::from(choice / 16 % 3));
    let call = CallKey { request, index: usize::from(choice % 2) };
    match choice % 13 {
        0 => prompt(choice),
        9 => Event::Edited { changes: vec![FsChange::Remove { path: path("/workspace/a.txt") }] },
        10 => {
            let run = ToolRun { output: "typed".into(), changes: vec![binary_file()], ..ToolRun::default() };
            Event::Typed { command: "make".into(), run }
        }
        11 => Event::RulesChanged { changes: changes(choice / 12), held: choice.is_multiple_of(5) },
        1 => Event::Cancelled,
        2 => Event::Retried,
        12 => Event::RemindersMoved,
        3 => Event::ModelFailed { request, fault: Fault::CutStream },
        4 => Event::ModelEmitted { request, events: vec![started()] },
        5 => Event::ModelEmitted { request, events: vec![started(), ModelEvent::BlockStopped { index: 7 }] },
        6 => Event::ToolFinished { call, run: ToolRun { output: "late".into(), ..ToolRun::default() } },
        7 => Event::PermissionAnswered { call, allowed: true },
        _ => Event::ModelChosen {
            model: "another".into(),
            max_tokens: Some(u32::from(choice)),
            address: choice.is_multiple_of(2).then(|| Rc::new(address())),
            held: choice.is_multiple_of(3),
        },
    }
}

/// Changes that every lesson can take, and one that none can.
fn changes(choice: u8) -> Changes {
    let changes = match choice % 5 {
        0 => json!({}),
        1 => json!({"/system": "Act.", "/max_tokens": 9}),
        2 => json!({"/hooks": []}),
        3 => {
            json!({"/hooks/-": {"name": "again", "point": "Stop", "rule": {"answer": {"text": "Go on.", "once": true}}}})
        }
        _ => json!({"/nowhere/0": 1}),
    };
    Changes::from_json(changes).expect("an object")
}

fn started() -> ModelEvent {
    ModelEvent::Started { id: String::new(), model: String::new(), usage: Default::default() }
}

fn prompt(choice: u8) -> Event {
    let text = ["Go", "", "继续 😀", "{\"a\":\n1}"][usize::from(choice % 4)];
    Event::PromptSubmitted { text: text.into() }
}

fn binary_file() -> Change {
    Change::Fs(FsChange::Write {
        path: path("/workspace/bin.dat"),
        bytes: [0xff, 0, 0xfe].as_slice().into(),
        mode: 0o600,
    })
}

fn block(id: &str, choice: u8) -> Block {
    let (name, input): (&str, Json) = match choice % 16 {
        0..=2 => return Block::text("Done."),
        3 => {
            return Block::from_json(
                json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"})
                    .as_object()
                    .cloned()
                    .unwrap_or_default(),
            );
        }
        4 | 5 => ("read_file", json!({"path": "a.txt"})),
        6 => ("write_file", json!({"path": format!("sub/{choice}.txt"), "content": "é\r\n"})),
        7 => ("todo_write", todos(&["in_progress A", "pending B"])),
        8 => ("todo_write", todos(&[])),
        9 => ("todo_write", todos(&["in_progress A", "in_progress B"])),
        10 => ("Bash", json!({})),
        11 => ("bash", json!({"command": "sudo ls"})),
        12 => ("bash", json!({"command": "rm a.txt; chmod 777 ."})),
        13 => ("write_file", json!({"path": "/tmp/x.txt", "content": "x"})),
        14 => ("read_file", json!({"path": 5})),
        _ => ("edit_file", json!("not an object")),
    };
    call(id, name, input)
}
