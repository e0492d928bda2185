//! The hooks: what they refuse, ask, print and answer, and what becomes of a call then.

use super::*;
use playground::agent::Question;
use playground::lesson::{Hook, HookPoint, HookRule, Lesson};

fn bash(command: impl Into<Json>) -> (&'static str, Json) {
    let command: Json = command.into();
    ("bash", json!({"command": command}))
}

fn with_answer(point: HookPoint, place: usize, text: &str, once: bool) -> Lesson {
    let mut lesson = lesson("s05");
    let rule = HookRule::Answer { text: text.into(), tool: None, once };
    lesson.hooks.insert(place, Hook { name: "added".into(), point, rule });
    lesson
}

/// What is asked now.
fn question(play: &Play) -> Option<Question> {
    match &play.session().phase {
        Phase::AwaitingPermission { questions, .. } => questions.first().map(|question| (**question).clone()),
        _ => None,
    }
}

fn asked(heading: &str, about: &str) -> Option<Question> {
    Some(Question { heading: heading.into(), about: about.into() })
}

#[test]
fn a_command_on_the_deny_list_is_refused_without_a_question() {
    for command in ["sudo ls", "echo sudoku", "rm -rf /tmp/x", "shutdown now", "reboot", "mkfs.ext4 x", "dd if=a of=b"]
    {
        let mut play = begun();
        play.calls(&[bash(command)]);
        assert_eq!(play.last_message(), ["Permission denied by deny list"], "{command}");
        assert_eq!(question(&play), None);
        assert!(!play.printed().iter().any(|line| line.contains("[HOOK] bash")), "the log hook comes after it");
        assert!(!play.steps().any(|step| matches!(step, Step::ToolCalled { .. })));
    }
}

#[test]
fn a_command_with_two_keywords_asks_twice_and_one_no_refuses_it() {
    let heading = "Potentially destructive command";
    for (answers, allowed) in [(&[true, true][..], true), (&[true, false], false), (&[false], false)] {
        let mut play = begun();
        play.calls(&[bash("rm a.txt; chmod 777 ."), read("a.txt")]);
        for (answer, about) in answers.iter().zip(["rm ", "chmod 777"]) {
            assert_eq!(question(&play), asked(heading, about));
            play.answers(*answer);
        }
        assert_eq!(question(&play), None);
        let result = &play.last_message()[0];
        assert_eq!(result == "Permission denied by user", !allowed, "{result}");
        let read = &play.last_message()[1];
        assert_eq!(
            read == "alpha",
            !allowed,
            "the other call runs either way, and finds what the command left: {read}"
        );
        assert_eq!(check_session(play.session()), Ok(()));
    }
}

#[test]
fn a_path_outside_the_workspace_is_asked_about_and_then_really_used() {
    let outside = ("write_file", json!({"path": "../tmp/x.txt", "content": "x"}));
    for (allowed, result) in [(true, "Wrote 1 bytes to ../tmp/x.txt"), (false, "Permission denied by user")] {
        let mut play = begun();
        play.calls(std::slice::from_ref(&outside));
        assert_eq!(question(&play), asked("Access outside workspace", "/tmp/x.txt"));
        play.answers(allowed);
        assert_eq!(play.last_message(), [result]);
        assert_eq!(play.session().workspace.vfs.is_file(&support::path("/tmp/x.txt")), allowed);
    }
    // A sibling whose name begins the same is outside; other spellings of the workspace are not.
    for (path, asks) in
        [("/workspace2/x", true), ("/workspace/../workspace/x", false), ("a//b/./c", false), ("", false)]
    {
        let mut play = begun();
        play.calls(&[read(path)]);
        assert_eq!(question(&play).is_some(), asks, "{path}");
    }
    // The hook looks at three tools only.
    let mut play = begun();
    play.calls(&[("glob", json!({"pattern": "../*"})), ("todo_write", json!({"todos": []}))]);
    assert_eq!(question(&play), None);
}

#[test]
fn the_log_shows_each_call_in_short_and_the_summary_counts_all_results() {
    let mut play = begun();
    play.calls(&[("write_file", json!({"path": "b.txt", "content": "it's\n{tool} {results}"})), read("b.txt")]);
    play.calls(&[
        bash("sudo ls"),
        ("nope", json!({"a": 1, "b": [true, null], "c": 3})),
        ("glob", json!({"pattern": "x".repeat(99)})),
    ]);
    play.says("Done.");
    play.prompt("More");
    play.says("Done.");
    assert_eq!(
        play.printed(),
        [
            "[HOOK] UserPromptSubmit: working in /workspace",
            r#"[HOOK] write_file(['b.txt', "it's\n{tool} {results}"])"#,
            "[HOOK] read_file(['b.txt'])",
            "[HOOK] nope([1, [True, None]])",
            &format!("[HOOK] glob(['{})", "x".repeat(58)),
            "[HOOK] Stop: session used 5 tool calls",
            "[HOOK] UserPromptSubmit: working in /workspace",
            "[HOOK] Stop: session used 5 tool calls",
        ]
    );
}

#[test]
fn a_large_output_is_noticed_in_characters_and_still_sent_whole() {
    for (chars, noticed) in [(100_000, false), (100_001, true)] {
        let mut play = begun();
        play.calls(&[("write_file", json!({"path": "b.txt", "content": "é".repeat(chars)})), read("b.txt")]);
        let line = format!("[HOOK] Large output from read_file: {chars} chars");
        assert_eq!(play.printed().contains(&line), noticed);
        assert_eq!(play.last_message()[1].chars().count(), chars);
    }
}

#[test]
fn a_stop_hook_that_answers_sends_the_model_on() {
    let mut play = Play::begun(with_answer(HookPoint::Stop, 0, "Please check the plan again.", true));
    play.idles();
    let idle = play.session().counter.idle();
    play.says("Done.");
    assert_eq!(play.last_message(), ["Please check the plan again."]);
    assert_eq!((phase_of(play.session()), play.session().counter.idle()), ("Model", idle), "not a round");
    assert!(!play.printed().concat().contains("Stop:"), "the first answer ends the chain");
    play.says("Checked.");
    assert_eq!(phase_of(play.session()), "Idle");
    assert!(play.printed().concat().contains("Stop: session used 1 tool calls"));
}

#[test]
fn an_empty_answer_ends_the_chain_and_does_nothing_else() {
    let mut play = Play::begun(with_answer(HookPoint::PreToolUse, 0, "", false));
    play.calls(&[("write_file", json!({"path": "/tmp/x.txt", "content": "x"}))]);
    assert_eq!(play.last_message(), ["Wrote 1 bytes to /tmp/x.txt"], "nobody was asked");
    assert_eq!(play.printed().len(), 1, "and nothing was logged");

    let mut play = Play::begun(with_answer(HookPoint::Stop, 0, "", false));
    play.says("Done.");
    assert_eq!(phase_of(play.session()), "Idle");
}

#[test]
fn answers_of_the_other_points_are_ignored() {
    for point in [HookPoint::UserPromptSubmit, HookPoint::PostToolUse] {
        let mut play = Play::begun(with_answer(point, 0, "something else", false));
        assert_eq!(play.last_message(), ["Go"]);
        play.idles();
        assert_eq!(play.last_message(), ["alpha"]);
    }
}

#[test]
fn a_blocked_call_is_not_run_and_the_next_ones_are() {
    let mut play = Play::begun(with_answer(HookPoint::PreToolUse, 0, "Not now.", true));
    play.calls(&[("write_file", json!({"path": "b.txt", "content": "x"})), read("a.txt")]);
    assert_eq!(play.last_message(), ["Not now.", "alpha"]);
    let outcomes = play.steps().filter_map(|step| match step {
        Step::ToolReturned { outcome, changes, .. } => Some((*outcome, changes.len())),
        _ => None,
    });
    assert_eq!(outcomes.collect::<Vec<_>>(), [(Outcome::Blocked, 0), (Outcome::Ran, 0)]);
}

#[test]
fn an_exception_in_a_hook_ends_the_program_and_the_history_stays_valid() {
    let path = "TypeError: unsupported operand type(s) for /: 'PosixPath' and";
    for (bad, exception) in [
        (("read_file", json!({"path": 5})), format!("{path} 'int'")),
        (("write_file", json!({"path": null, "content": ""})), format!("{path} 'NoneType'")),
        (bash(5), "TypeError: argument of type 'int' is not iterable".into()),
        (("bash", json!("ls")), "AttributeError: 'str' object has no attribute 'get'".into()),
    ] {
        let mut play = begun();
        play.calls(&[read("a.txt"), bad, read("a.txt")]);
        assert!(
            matches!(&play.session().phase, Phase::Stopped { fault } if **fault == Fault::Crashed { exception: exception.clone() }),
            "{exception}"
        );
        assert_eq!(play.last_message(), ["alpha", NOT_RUN, NOT_RUN]);
        assert_eq!(check_session(play.session()), Ok(()));
        play.prompt("Go on");
        play.says("Done.");
        assert_eq!(check_session(play.session()), Ok(()));
    }
}
