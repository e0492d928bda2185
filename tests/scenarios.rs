//! The scenarios: each plays to its end under every lesson, in both languages, and shows what it promises.

mod support;

use playground::agent::Step;
use playground::language::Language;
use playground::lesson::{HookPoint, HookRule, Lesson, Placement};
use playground::message::{Block, Role};
use playground::plan::Status;
use playground::scenario::{Listed, Scenario, ScriptedCall};
use playground::wire::checker::{check, refusal};
use serde_json::json;
use std::path::Path;
use support::script::{finish, play};
use support::shell::has_python;
use support::{Play, check_session, lesson, said, scenario, workdir};

const LANGUAGES: [Language; 2] = [Language::En, Language::Zh];
const REMINDER: &str = "<reminder>Update your todos.</reminder>";

fn scenarios() -> Vec<Scenario> {
    Scenario::list().expect("the list can be read").iter().map(|listed| scenario(&listed.id)).collect()
}

/// What the model wrote beside its calls, joined.
fn text(play: &Play) -> String {
    let replies = play.session().transcript.iter().filter(|message| message.role == Role::Assistant);
    replies.flat_map(|message| said(message)).collect::<Vec<_>>().join("\n")
}

/// All results of calls, in order.
fn results(play: &Play) -> Vec<String> {
    let blocks = play.session().transcript.iter().flat_map(|message| message.blocks());
    blocks
        .filter_map(|block| match block {
            Block::ToolResult { content, .. } => Some(content.clone()),
            _ => None,
        })
        .collect()
}

fn file(play: &Play, path: &str) -> Option<String> {
    let bytes = play.session().workspace.vfs.read(&workdir().join(path)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn every_file_is_a_scenario_that_is_offered_under_its_own_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenario");
    let files = std::fs::read_dir(&folder).expect("the scenarios' folder").count();
    let list = Scenario::list().expect("the list can be read");
    assert_eq!(files, list.len() + 1, "the list itself is one");
    for Listed { id, .. } in &list {
        let scenario = scenario(id);
        assert_eq!(scenario.id, *id);
        assert!(!scenario.turns.is_empty(), "{id}");
    }
    assert_eq!(Scenario::first().expect("it can be read"), scenario(&list[0].id), "the page has the first one in it");
}

#[test]
fn every_scenario_plays_to_its_end_under_every_lesson_in_both_languages_whatever_is_allowed() {
    for scenario in scenarios() {
        for lesson in Lesson::all().expect("every lesson can be read") {
            let mut asked = true;
            for (language, allowed) in LANGUAGES.into_iter().flat_map(|language| [(language, true), (language, false)])
            {
                // Where nothing was asked, another answer is no other way.
                if !allowed && !asked {
                    continue;
                }
                let name = format!("{} under {}, {language:?}, {allowed}", scenario.id, lesson.id);
                let play = play(&scenario, lesson.clone(), language, allowed);
                asked = play.steps().any(|step| matches!(step, Step::Asked { .. }));
                assert_eq!(check_session(play.session()), Ok(()), "{name}");
                // The real API takes all of it, but for a reminder before the results.
                let rules = play.session().lesson.reminder.as_ref();
                let index_0 = rules.is_some_and(|rules| rules.placement == Placement::BeforeResults);
                let reminded = play.steps().any(|step| matches!(step, Step::ReminderAdded { .. }));
                let refused = play.requests.iter().find_map(|request| refusal(&check(request)));
                assert_eq!(refused.is_some(), index_0 && reminded, "{name}: {refused:?}");
                let text = text(&play);
                assert!(!text.contains("(scripted model)") && !text.contains("（脚本模型）"), "{name}: off the script");
                let unknown = results(&play).into_iter().find(|result| result.starts_with("Unknown"));
                assert_eq!(unknown, None, "{name}: a call that the lesson does not have");
                assert_eq!(play.session().turn as usize, scenario.turns.len(), "{name}");
                assert!(scenario.prompt(scenario.turns.len()).is_none());
                let chinese = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                assert_eq!(chinese, language == Language::Zh, "{name}: the language of the prompt");
            }
        }
    }
}

#[test]
fn the_forgetful_model_is_reminded_in_the_third_idle_round_and_then_updates_its_plan() {
    for language in LANGUAGES {
        let play = play(&scenario("forgetful"), lesson("s05"), language, true);
        let messages: Vec<_> = play.session().transcript.iter().collect();
        let reminded: Vec<usize> =
            (0..messages.len()).filter(|&i| said(messages[i]).contains(&REMINDER.into())).collect();
        // Prompt, plan, and three rounds of two messages each: the ninth message.
        assert_eq!(reminded, [8], "once");
        assert_eq!(messages[8].blocks().last(), Some(&Block::text(REMINDER)), "behind the result");
        assert_eq!(messages[8].blocks().len(), 2);
        let next = messages[9].blocks().iter().find_map(|block| match block {
            Block::ToolUse(call) => Some(call.name.as_str()),
            _ => None,
        });
        assert_eq!(next, Some("todo_write"), "the model obeys");
        let counted: Vec<u32> = play
            .steps()
            .filter_map(|step| match step {
                Step::Counted { idle, .. } => Some(*idle),
                _ => None,
            })
            .collect();
        assert_eq!(counted, [0, 1, 2, 3, 0, 1, 0, 0]);
        assert_eq!(play.plan().iter().filter(|item| item.starts_with("completed")).count(), 4, "all done");
        assert!(file(&play, "greeting.py").is_some_and(|text| text.contains("\"\"\"Return a greeting")));
        assert!(file(&play, "notes.md").is_some_and(|text| text.contains("every page")));
        assert!(file(&play, "README.md").is_some());
        assert!(results(&play).iter().all(|result| !result.starts_with("Error")));
    }
}

#[test]
fn without_a_plan_tool_the_forgetful_model_does_the_same_work_and_is_never_reminded() {
    let play = play(&scenario("forgetful"), lesson("s04"), Language::En, true);
    assert!(
        play.requests
            .iter()
            .all(|request| request.messages.iter().all(|message| !said(message).contains(&REMINDER.into())))
    );
    assert!(file(&play, "README.md").is_some());
    assert!(play.plan().is_empty());
}

#[test]
fn the_forgetful_model_is_reminded_wherever_the_rules_put_the_reminder() {
    for lesson in Lesson::all().expect("every lesson can be read") {
        for placement in [
            Placement::AfterResults,
            Placement::BeforeResults,
            Placement::OwnMessage,
            Placement::InLastResult,
            Placement::System,
        ] {
            let mut lesson = lesson.clone();
            let Some(rules) = &mut lesson.reminder else { continue };
            rules.placement = placement;
            let play = play(&scenario("forgetful"), lesson, Language::En, true);
            assert_eq!(reminders(&play), 1);
            assert_eq!(counts(&play, Status::Completed), [0, 2, 3, 4], "{placement:?}: it updates when reminded");
            assert!(file(&play, "notes.md").is_some_and(|text| text.contains("every page")), "{placement:?}");
            assert!(play.last_message().join("").starts_with("Done: greeting.py has a docstring"), "{placement:?}");
        }
    }
}

#[test]
fn a_plan_is_written_as_each_lesson_takes_it() {
    for (id, first) in [
        ("s05", json!({"content": "Look at the files", "status": "in_progress"})),
        ("s03-todo", json!({"id": "1", "text": "Look at the files", "status": "in_progress"})),
        (
            "s03-plan",
            json!({"content": "Look at the files", "status": "in_progress", "activeForm": "Looking at the files"}),
        ),
    ] {
        let play = play(&scenario("forgetful"), lesson(id), Language::En, true);
        let call = play.steps().find_map(|step| match step {
            Step::ToolCalled { call } => Some(call),
            _ => None,
        });
        let call = call.expect("a call");
        let rules = play.session().lesson.plan.as_ref().expect("a plan");
        assert_eq!((&call.name, &call.input[&rules.argument][0]), (&rules.tool, &first), "{id}");
    }
}

#[test]
fn where_a_tool_refuses_a_path_outside_nothing_is_asked_and_the_copy_stays_inside() {
    for id in ["s03-todo", "s03-plan"] {
        let play = play(&scenario("permission"), lesson(id), Language::En, true);
        assert!(!play.steps().any(|step| matches!(step, Step::Asked { .. })));
        let results = results(&play);
        assert!(results.contains(&"Error: Path escapes workspace: /tmp/report.txt".to_string()), "{results:?}");
        assert!(results.contains(&"Error: Dangerous command blocked".to_string()), "{results:?}");
        assert_eq!((file(&play, "/tmp/report.txt"), file(&play, "shared/report.txt").is_some()), (None, true));
        assert_eq!(play.plan(), ["completed Read report.txt", "completed Copy the report"]);
    }
}

#[test]
fn permission_is_asked_for_the_path_outside_and_never_for_the_denied_command() {
    for (allowed, outside, inside) in [(true, true, false), (false, false, true)] {
        let play = play(&scenario("permission"), lesson("s05"), Language::En, allowed);
        let asked: Vec<&str> = play
            .steps()
            .filter_map(|step| match step {
                Step::Asked { question, .. } => Some(question.about.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(asked, ["/tmp/report.txt"]);
        assert_eq!(file(&play, "/tmp/report.txt").is_some(), outside);
        assert_eq!(file(&play, "shared/report.txt").is_some(), inside);
        let results = results(&play);
        assert_eq!(results.contains(&"Permission denied by user".to_string()), !allowed);
        assert!(results.contains(&"Permission denied by deny list".to_string()));
    }
}

#[test]
fn the_gates_show_each_refusal_and_what_gets_through() {
    for (language, outline, text, links) in [
        (Language::En, "Draft the outline", "Write the text", "Check the links"),
        (Language::Zh, "拟提纲", "写正文", "检查链接"),
    ] {
        let play = play(&scenario("gates"), lesson("s05"), language, true);
        assert_eq!(
            results(&play),
            [
                format!("[>] {outline}\n[ ] {text}\n[ ] {links}\n\n(0/3 completed)"),
                "Error: Only one todo can be in_progress at a time".to_string(),
                "Error: todos[1] has invalid status 'doing'".to_string(),
                format!("[x] {outline}\n[>] {text}\n\n(1/2 completed)"),
                "No todos.".to_string(),
            ]
        );
    }
}

#[test]
fn five_reads_are_two_rounds_and_a_new_prompt_starts_the_counter_again() {
    let scenario = scenario("one-round");
    let play = play(&scenario, lesson("s05"), Language::En, true);
    let at_ends: Vec<(u32, usize)> = play
        .timeline
        .stops()
        .iter()
        .filter(|stop| matches!(stop.step, Step::TurnEnded { .. }))
        .map(|stop| (stop.after.counter.idle(), stop.after.workspace.plan.items.len()))
        .collect();
    assert_eq!(at_ends, [(2, 2), (1, 2)]);
}

#[test]
fn twenty_one_items_are_refused_whole_and_six_are_taken() {
    for (id, refusal) in [
        ("s05", "Error: Max 20 todos allowed"),
        ("s03-todo", "Error: Max 20 todos allowed"),
        ("s03-plan", "Error: Keep the session plan short (max 12 items)"),
    ] {
        let play = play(&scenario("twenty-one"), lesson(id), Language::En, true);
        assert_eq!(results(&play)[0], refusal, "{id}");
        assert_eq!(counts(&play, Status::Pending), [5, 0], "{id}: the six are the first plan that stands");
        assert!(file(&play, "CHANGES.md").is_some_and(|text| text.contains("## 1.0")), "{id}");
    }
}

#[test]
fn a_list_in_a_string_is_read_as_json_then_as_python_and_a_markdown_list_is_refused() {
    let play = play(&scenario("as-string"), lesson("s05"), Language::En, true);
    let results = results(&play);
    assert_eq!(results[0], "[>] Read trip.md\n[ ] Write packing.md\n\n(0/2 completed)");
    assert_eq!(results[2], "[x] Read trip.md\n[>] Write packing.md\n\n(1/2 completed)");
    assert_eq!(results[4], "Error: todos must be a list or JSON array string");
    assert_eq!(play.plan(), ["completed Read trip.md", "completed Write packing.md"]);
}

#[test]
fn an_answer_with_an_open_item_is_sent_back_once_and_the_second_one_stands() {
    for language in LANGUAGES {
        let play = play(&scenario("sent-back"), lesson("s05"), language, true);
        let sent_back = play.steps().filter(|step| {
            matches!(step, Step::HookRan { point: HookPoint::Stop, answer: Some(answer), .. } if !answer.is_empty())
        });
        assert_eq!(sent_back.count(), 1);
        assert_eq!(counts(&play, Status::Completed), [0, 1, 2]);
        assert!(file(&play, "invitation.md").is_some());
    }
    let without = play(&scenario("sent-back"), lesson("s04"), Language::En, true);
    assert_eq!(file(&without, "invitation.md"), None, "no hook, so the first answer stands");
}

#[test]
fn without_a_plan_the_last_of_three_tasks_is_forgotten() {
    let forgets = |id| file(&play(&scenario("under-s04"), lesson(id), Language::En, true), "book.txt").is_none();
    assert!(forgets("s04"));
    assert!(!forgets("s05"));
}

#[test]
fn index_0_is_refused_by_the_strict_api_at_the_fifth_request_and_by_no_other_place() {
    let scenario = scenario("index-0");
    assert_eq!(scenario.strict, Some(true));
    let refused = |play: &Play| play.requests.iter().position(|request| refusal(&check(request)).is_some());
    let own = play(&scenario, lesson("s05"), Language::En, true);
    assert_eq!(refused(&own), Some(4), "the one that carries the reminder");
    let taught = Scenario { rules: None, ..scenario };
    let behind = play(&taught, lesson("s05"), Language::En, true);
    assert_eq!((reminders(&behind), refused(&behind)), (1, None));
}

/// How many items of a status each update of the plan has.
fn counts(play: &Play, status: Status) -> Vec<usize> {
    play.steps()
        .filter_map(|step| match step {
            Step::PlanReplaced { after, .. } => Some(after.items.iter().filter(|item| item.status == status).count()),
            _ => None,
        })
        .collect()
}

/// The results of `bash`, in order.
fn printed(play: &Play) -> Vec<String> {
    let blocks: Vec<&Block> = play.session().transcript.iter().flat_map(|message| message.blocks()).collect();
    let bash = |id: &str| {
        blocks.iter().any(|block| matches!(block, Block::ToolUse(call) if call.id == id && call.name == "bash"))
    };
    blocks
        .iter()
        .filter_map(|block| match block {
            Block::ToolResult { tool_use_id, content, .. } if bash(tool_use_id) => Some(content.clone()),
            _ => None,
        })
        .collect()
}

fn reminders(play: &Play) -> usize {
    play.steps().filter(|step| matches!(step, Step::ReminderAdded { .. })).count()
}

/// Plays a scenario under every lesson in both languages: nothing is asked or refused, and every call succeeds.
fn play_everywhere(id: &str) -> Vec<(Lesson, Play)> {
    let lessons = Lesson::all().expect("every lesson can be read");
    let ways = lessons.iter().flat_map(|lesson| LANGUAGES.map(|language| (lesson.clone(), language)));
    ways.map(|(lesson, language)| {
        let play = play(&scenario(id), lesson.clone(), language, false);
        assert!(!play.steps().any(|step| matches!(step, Step::Asked { .. })), "{id} under {}", lesson.id);
        for result in results(&play) {
            assert!(!result.starts_with("Error") && !result.starts_with("Permission"), "{id}: {result}");
        }
        (lesson, play)
    })
    .collect()
}

#[test]
fn the_calculator_takes_seven_steps_and_its_answer_says_what_the_program_really_printed() {
    if !has_python("unittest") {
        return;
    }
    for (lesson, play) in play_everywhere("calculator") {
        let printed = printed(&play);
        assert_eq!(printed.len(), 3, "{printed:?}");
        assert!(printed[0].contains("Ran 3 tests in ") && printed[0].ends_with("\n\nOK"), "{}", printed[0]);
        assert_eq!(printed[1..], ["2\n42", "error: cannot divide by zero\nexit code 1"]);
        let answer = play.last_message().join("");
        for part in ["6 / 3", "7 * 6", "42", "1 / 0", "error: cannot divide by zero"] {
            assert!(answer.contains(part), "{part}: {answer}");
        }
        if lesson.plan.is_some() {
            assert_eq!(counts(&play, Status::Completed), [0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(counts(&play, Status::InProgress), [1, 1, 1, 1, 1, 1, 1, 0]);
            assert_eq!(play.plan().len(), 7);
            assert_eq!(reminders(&play), 0);
        }
    }
}

#[test]
fn three_idle_rounds_of_real_commands_are_reminded_of_the_plan() {
    for (lesson, play) in play_everywhere("idle") {
        let printed = printed(&play);
        let lines: Vec<&str> = printed[0].lines().collect();
        assert!(lines[0].starts_with("total ") && lines[1].starts_with('d'), "{}", printed[0]);
        assert_eq!(lines.last(), Some(&"12 access.log"));
        assert_eq!(printed[1].lines().next(), Some("3:09:01:17 GET /cart 500"));
        assert_eq!(printed[1].lines().count(), 5);
        assert_eq!(printed[2], "4 /cart\n      1 /search");
        let report = "# Failed requests\n\n- /cart: 4\n- /search: 1\n";
        assert_eq!(file(&play, "report.md").as_deref(), Some(report));
        assert_eq!(printed[3], report.trim_end());
        if let Some(rules) = &lesson.reminder {
            assert_eq!(reminders(&play), 1);
            let messages: Vec<_> = play.session().transcript.iter().collect();
            let blocks = messages[8].blocks();
            let reminder = if rules.placement == Placement::BeforeResults { blocks.first() } else { blocks.last() };
            assert_eq!(reminder, Some(&Block::text(&*rules.text)), "in the third idle round");
            assert_eq!(counts(&play, Status::Completed), [0, 3, 4]);
        } else {
            assert_eq!(reminders(&play), 0);
        }
    }
}

#[test]
fn the_refactoring_ticks_off_its_three_steps_and_the_file_runs_as_before() {
    if !has_python("sys") {
        return;
    }
    for (lesson, play) in play_everywhere("refactor") {
        if lesson.plan.is_some() {
            assert_eq!(counts(&play, Status::Completed), [0, 1, 2, 3]);
        }
        let hello = file(&play, "s05_todo_write/example/hello.py").expect("the file");
        for part in ["-> str", "-> int", "\"\"\"", "if __name__ == \"__main__\":"] {
            assert!(hello.contains(part), "{part}");
        }
        let typed = "{'a': <class 'int'>, 'b': <class 'int'>, 'return': <class 'int'>} Return the sum of a and b.";
        assert_eq!(printed(&play), ["Hello, s05\n5", "Hello, s05\n5", typed]);
    }
}

#[test]
fn the_packages_first_run_of_its_tests_fails_for_real_and_the_second_one_passes() {
    if !has_python("pytest") {
        return;
    }
    for (lesson, play) in play_everywhere("package") {
        let printed = printed(&play);
        assert_eq!(printed.len(), 2, "{printed:?}");
        assert!(printed[0].contains("assert [('The', 1)] == [('the', 2)]"), "{}", printed[0]);
        assert!(printed[0].contains("1 failed, 2 passed"), "{}", printed[0]);
        assert!(printed[1].contains("3 passed") && !printed[1].contains("failed"), "{}", printed[1]);
        for path in ["textstats/__init__.py", "textstats/counts.py", "tests/test_counts.py"] {
            assert!(file(&play, path).is_some(), "{path}");
        }
        if lesson.plan.is_some() {
            assert_eq!(counts(&play, Status::Completed), [0, 1, 2, 3, 4, 5]);
            assert_eq!(reminders(&play), 0);
        }
    }
}

#[test]
fn where_a_command_is_refused_or_breaks_the_model_stops_and_claims_nothing() {
    let words = || ["python3", "ls"].map(String::from);
    let refuse = |lesson: &mut Lesson| {
        if let Some(danger) = &mut lesson.texts.bash.danger {
            danger.words.extend(words());
        }
        for hook in &mut lesson.hooks {
            if let HookRule::Permission(rules) = &mut hook.rule {
                rules.deny.extend(words());
            }
        }
    };
    let hurry = |lesson: &mut Lesson| lesson.texts.bash.seconds = 0;
    type Break<'a> = (&'a [&'a str], &'a dyn Fn(&mut Lesson), [&'a str; 2]);
    let breaks: [Break; 2] = [
        (
            &["Permission denied by deny list", "Error: Dangerous command blocked"],
            &refuse,
            ["I am not allowed to run this", "这条命令不让我运行"],
        ),
        (&["Error: Timeout (0s)"], &hurry, ["I stop here", "我先停在这里"]),
    ];
    for id in ["calculator", "idle", "refactor", "package"] {
        for (answers, change, words) in breaks {
            for (language, words) in LANGUAGES.into_iter().zip(words) {
                for mut lesson in Lesson::all().expect("every lesson can be read") {
                    change(&mut lesson);
                    let play = play(&scenario(id), lesson, language, true);
                    assert!(printed(&play).last().is_some_and(|result| answers.contains(&&**result)), "{id}");
                    let answer = play.last_message().join("");
                    assert!(answer.contains(words), "{id}: {answer}");
                    let plan = play.plan();
                    let open = plan.iter().filter(|item| !item.starts_with("completed")).count();
                    assert!(plan.is_empty() || open > 0, "{id}: {plan:?}");
                    assert_eq!(check_session(play.session()), Ok(()));
                }
            }
        }
    }
}

#[test]
fn a_program_that_gives_another_result_is_not_called_done() {
    if !has_python("unittest") {
        return;
    }
    let mut scenario = scenario("calculator");
    for call in scenario.turns[0].replies.iter_mut().flat_map(|reply| &mut reply.calls) {
        if let ScriptedCall::Tool { input, .. } = call
            && let Some(content) = input.get_mut("content")
        {
            *content = content.as_str().expect("a text").replace("return a * b", "return a + b").into();
        }
    }
    let play = play(&scenario, lesson("s05"), Language::En, true);
    assert!(printed(&play)[0].contains("AssertionError: 5 != 6"));
    assert!(play.last_message().join("").starts_with("A test fails"));
    assert_eq!(play.plan()[5], "in_progress Run the tests");
}

#[test]
fn a_thousand_rounds_are_a_thousand_requests_with_a_reminder_in_every_third_idle_one() {
    let play = play(&scenario("long"), lesson("s05"), Language::En, true);
    assert_eq!(play.requests.len(), 1000);
    let reminders = play.steps().filter(|step| matches!(step, Step::ReminderAdded { .. })).count();
    assert_eq!(reminders, 998 / 3);
}

#[test]
fn a_prompt_that_is_not_the_scenarios_and_one_behind_its_end_are_answered_honestly() {
    let scenario = scenario("forgetful");
    let mut play = play(&scenario, lesson("s05"), Language::Zh, true);
    play.prompt("Something else");
    // The last prompt of the script counts: its replies are all given.
    play.hears(&scenario.reply(&play.session().request()));
    assert!(text(&play).contains("脚本到此结束"));
    let mut other = Play::begun(lesson("s05"));
    other.hears(&scenario.reply(&other.session().request()));
    assert!(text(&other).contains("I only know this scenario's own prompts"));
    assert_eq!(check_session(other.session()), Ok(()));
}

#[test]
fn stop_in_the_middle_and_the_same_prompt_again_begins_the_script_again() {
    let scenario = scenario("forgetful");
    let mut play = Play::new(support::session(lesson("s05")));
    let prompt = scenario.turns[0].prompt.get(Language::En).to_string();
    play.prompt(&prompt);
    play.hears(&scenario.reply(&play.session().request()));
    play.cancel();
    play.prompt(&prompt);
    play.hears(&scenario.reply(&play.session().request()));
    play.run_tools();
    assert_eq!(play.plan().len(), 4, "the plan again, not the second reply");
    finish(&mut play, &scenario, true);
    assert_eq!(check_session(play.session()), Ok(()));
}
