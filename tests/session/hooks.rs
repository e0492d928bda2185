//! The hooks: what they refuse, ask, print and answer, and what becomes of a call then.

use super::*;
use playground::agent::Question;
use playground::lesson::{Hook, HookPoint, HookRule, Lesson, PermissionRules, PlanCondition};
use std::rc::Rc;

fn bash(command: impl Into<Json>) -> (&'static str, Json) {
    let command: Json = command.into();
    ("bash", json!({"command": command}))
}

fn with_answer(point: HookPoint, place: usize, text: &str, once: bool) -> Lesson {
    let mut lesson = lesson("s05");
    let rule = HookRule::Answer { text: text.into(), tool: None, once, until: None };
    lesson.hooks.insert(place, Hook { name: "added".into(), point, rule, off: false });
    lesson
}

/// The lesson's own permission hook.
fn permission(lesson: &mut Lesson) -> &mut PermissionRules {
    let rules = lesson.hooks.iter_mut().find_map(|hook| match &mut hook.rule {
        HookRule::Permission(rules) => Some(&mut **rules),
        _ => None,
    });
    rules.expect("a permission hook")
}

/// The lesson with the permission hook as it first was: words in the command's text, a question for each.
fn asking_by_words() -> Lesson {
    let mut lesson = lesson("s05");
    let rules = permission(&mut lesson);
    rules.ask.insert(0, "rm ".into());
    rules.ask_programs.clear();
    rules.ask_each = true;
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
fn sixty_commands_are_decided_as_the_programs_decide_them() {
    let decisions: Vec<Json> =
        serde_json::from_str(include_str!("permission_decisions.json")).expect("a list of decisions");
    assert_eq!(decisions.len(), 60);
    for (column, lesson) in [("substring", asking_by_words()), ("programs", lesson("s05"))] {
        for decision in &decisions {
            let mut play = Play::begun(lesson.clone());
            play.hears(&reply(vec![call("1", "bash", json!({"command": decision["command"]}))], "tool_use"));
            let decided = match phase_of(play.session()) {
                "Permission" => "ask",
                "Tools" => "allow",
                // The refusal is the call's result, and the next request is made.
                _ => "deny",
            };
            assert_eq!(decided, decision[column], "{column}: {}", decision["command"]);
        }
    }
}

#[test]
fn a_program_that_a_command_would_start_is_found_wherever_it_stands_and_named() {
    let deep = |depth: usize| format!("{}rm a{}", "$(".repeat(depth), ")".repeat(depth));
    let (shallow, deep) = (deep(20), deep(100_000));
    for (command, about) in [
        ("ls\nrm a", Some("rm")),
        ("'r'\"m\" a", Some("rm")),
        ("r\\m a", Some("rm")),
        ("r\\\nm a", Some("rm")),
        ("2>&1 rm a", Some("rm")),
        ("cat <a >rm", None),
        ("echo a >>rm; ls 2>rm", None),
        ("diff <(rm a) b", Some("rm")),
        ("echo $(date) rm", None),
        ("echo `date` rm", None),
        ("echo \"a $(rm a) b\"", Some("rm")),
        ("echo \"\\$(rm a)\"", None),
        ("echo `echo \\`rm a\\``", Some("rm")),
        ("echo $((rm + 1)) ${a#rm }", Some("rm")),
        ("ls # and then; rm a", None),
        ("ls a#b; rm a", Some("rm")),
        ("ls # don't", None),
        ("env -u A -i B=1 rm a", Some("rm")),
        ("env", None),
        ("command -p del a", Some("del")),
        ("command command rm a", Some("rm")),
        ("bash -o pipefail -c 'rm a' rm", Some("rm")),
        ("bash --norc rm", None),
        ("sh -c \"sh -c 'rm a'\"", Some("rm")),
        ("sh -c", None),
        ("/bin/sh -c 'rm a'", Some("rm")),
        ("clean() { rm a; }", Some("rm")),
        ("while ! rm a; do ls; done", Some("rm")),
        ("for rm in a; do ls; done", None),
        ("case $x in rm) ls;; *) rm a;; esac", Some("rm")),
        ("case $x in rm) ls;; esac", None),
        ("echo $(case $x in a) ls;; esac) rm", None),
        ("echo $(case $x in a) ls;; b) rm a;; esac)", Some("rm")),
        ("ls) && rm a", Some("rm")),
        ("rm a; del b", Some("rm")),
        ("echo \"open", Some("echo \"open")),
        ("echo `open", Some("echo `open")),
        ("echo $(open", Some("echo $(open")),
        ("echo open\\", Some("echo open\\")),
        ("chmod 777 \"open", Some("chmod 777 \"open")),
        (&shallow, Some("rm")),
        (&deep, Some(&deep)),
        ("rm a > /etc/b", Some("rm")),
        ("ls > /etc/b; chmod 777 c", Some("> /etc/")),
    ] {
        let mut play = begun();
        play.hears(&reply(vec![call("1", "bash", json!({"command": command}))], "tool_use"));
        let expected = about.and_then(|about| asked("Potentially destructive command", about));
        assert_eq!(question(&play), expected, "{}", command.chars().take(80).collect::<String>());
    }
}

#[test]
fn a_part_of_the_permission_hook_that_has_an_empty_list_is_off() {
    let mut none = lesson("s05");
    let rules = permission(&mut none);
    rules.deny.clear();
    rules.ask.clear();
    rules.ask_programs.clear();
    rules.path_tools.clear();
    let mut play = Play::begun(none);
    for call in [bash("sudo true"), bash("rm nothing"), bash("echo 'open"), read("/tmp/x")] {
        play.calls(&[call]);
        assert_eq!(question(&play), None);
        assert!(!play.last_message()[0].contains("denied"), "{:?}", play.last_message());
    }
}

#[test]
fn a_command_with_two_reasons_asks_twice_or_once_and_one_no_refuses_it() {
    let heading = "Potentially destructive command";
    for (answers, allowed) in [(&[true][..], true), (&[false], false)] {
        let mut play = begun();
        play.calls(&[bash("rm a.txt; chmod 777 ."), read("a.txt")]);
        assert_eq!(question(&play), asked(heading, "rm"));
        answers.iter().for_each(|answer| play.answers(*answer));
        assert_eq!(question(&play), None);
        assert_eq!(play.last_message()[0] == "Permission denied by user", !allowed);
    }
    for (answers, allowed) in [(&[true, true][..], true), (&[true, false], false), (&[false], false)] {
        let mut play = Play::begun(asking_by_words());
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
            "[blocked] 'sudo'",
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
        (bash(json!(["ls"])), "TypeError: expected string or bytes-like object, got 'list'".into()),
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

#[test]
fn a_hook_that_is_switched_off_does_not_run() {
    let mut lesson = with_answer(HookPoint::PreToolUse, 0, "Never.", false);
    for hook in lesson.hooks.iter_mut().filter(|hook| ["added", "permission", "context"].contains(&hook.name.as_str()))
    {
        hook.off = true;
    }
    let mut play = Play::begun(lesson);
    play.calls(&[("read_file", json!({"path": "/etc/none"}))]);
    assert_eq!(question(&play), None);
    assert_eq!(play.printed(), ["[HOOK] read_file(['/etc/none'])"]);
}

/// A lesson whose Stop hook sends the model on until the plan is so.
fn sent_on_until(condition: PlanCondition) -> Play {
    let mut lesson = with_answer(HookPoint::Stop, 0, "Look at the plan.", false);
    if let HookRule::Answer { until, .. } = &mut lesson.hooks[0].rule {
        *until = Some(condition);
    }
    Play::begun(lesson)
}

#[test]
fn a_stop_hook_can_send_the_model_on_until_a_plan_exists_or_is_done() {
    let mut play = sent_on_until(PlanCondition::PlanExists);
    for _ in 0..3 {
        play.says("Done.");
        assert_eq!(play.last_message(), ["Look at the plan."]);
    }
    play.plans(&["pending Look"]);
    play.says("Done.");
    assert_eq!(phase_of(play.session()), "Idle");

    let mut play = sent_on_until(PlanCondition::PlanDone);
    for open in [&["pending Look"][..], &["completed Look", "in_progress See"]] {
        play.plans(open);
        play.says("Done.");
        assert_eq!(play.last_message(), ["Look at the plan."], "{open:?}");
    }
    play.plans(&["completed Look", "completed See"]);
    play.says("Done.");
    assert_eq!(phase_of(play.session()), "Idle");
    // Where nothing is planned, nothing is open.
    let mut play = sent_on_until(PlanCondition::PlanDone);
    play.says("Done.");
    assert_eq!(phase_of(play.session()), "Idle");
}

#[test]
fn what_hooks_add_to_a_prompt_stands_behind_it_in_blocks_of_the_same_message() {
    let mut lesson = lesson("s05");
    for (place, text) in [(0, "It is Monday."), (2, "The tests are red.")] {
        let rule = HookRule::Inject { text: text.into() };
        let hook = Hook { name: text.into(), point: HookPoint::UserPromptSubmit, rule, off: false };
        lesson.hooks.insert(place, hook);
    }
    let mut play = Play::begun(lesson.clone());
    let sent = serde_json::to_value(&play.requests[0].messages[0]).expect("a message is JSON");
    let block = |text: &str| json!({"type": "text", "text": text});
    let blocks = [block("Go"), block("It is Monday."), block("The tests are red.")];
    assert_eq!(sent, json!({"role": "user", "content": blocks}));
    let added = play.steps().filter_map(|step| match step {
        Step::HookRan { added, .. } => Some(added.as_deref()),
        _ => None,
    });
    assert_eq!(added.collect::<Vec<_>>(), [Some("It is Monday."), None, Some("The tests are red.")]);
    // An answer ends the chain, and what was added before it stays.
    lesson.hooks[1].rule = HookRule::Answer { text: "rewritten".into(), tool: None, once: false, until: None };
    play = Play::begun(lesson.clone());
    assert_eq!(play.last_message(), ["Go", "It is Monday."]);
    // Elsewhere there is no prompt to go along with.
    lesson.hooks.iter_mut().for_each(|hook| hook.point = HookPoint::PreToolUse);
    play = Play::begun(lesson);
    play.idles();
    assert_eq!(play.requests[0].messages[0].content, Content::Text("Go".into()));
}

#[test]
fn how_often_a_hook_has_answered_is_kept_when_hooks_are_put_in_another_order_or_added_while_it_asks() {
    let mut play = Play::begun(with_answer(HookPoint::PreToolUse, 0, "Not now.", true));
    play.calls(&[read("a.txt")]);
    assert_eq!(play.last_message(), ["Not now."]);
    let mut session = play.session().clone();
    let mut lesson = (*session.lesson).clone();
    lesson.hooks.reverse();
    session.lesson = Rc::new(lesson);
    let mut play = Play::new(session);
    play.hears(&reply(vec![call("2", "bash", json!({"command": "rm a.txt"}))], "tool_use"));
    let mut session = play.session().clone();
    let mut lesson = (*session.lesson).clone();
    let rule = HookRule::Print { line: "new".into(), colour: None, over_chars: None };
    lesson.hooks.insert(0, Hook { name: "new".into(), point: HookPoint::PreToolUse, rule, off: false });
    session.lesson = Rc::new(lesson);
    let mut play = Play::new(session);
    play.answers(true);
    let ran = play.steps().filter_map(|step| match step {
        Step::HookRan { hook, answer, .. } => Some((hook.to_string(), answer.is_some())),
        _ => None,
    });
    // Reversed: log (before the question), then permission, then the one that has answered already.
    assert_eq!(ran.collect::<Vec<_>>(), [("permission".to_string(), false), ("added".to_string(), false)]);
}
