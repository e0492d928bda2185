//! The counter of rounds without a plan call, and the reminder.

use super::*;
use playground::agent::{ReminderPlace, RequestId};
use playground::lesson::{Counts, Hook, HookPoint, HookRule, Lesson, Placement, ReminderRules, ResetBy, Scope};
use playground::wire::ModelRequest;

fn with_rules(change: impl FnOnce(&mut ReminderRules)) -> Lesson {
    let mut lesson = lesson("s05");
    change(lesson.reminder.as_mut().expect("a reminder"));
    lesson
}

fn with_hook(point: HookPoint, tool: Option<&str>) -> Lesson {
    let mut lesson = lesson("s05");
    let rule = HookRule::Answer { text: "No.".into(), tool: tool.map(str::to_string), once: true, until: None };
    lesson.hooks.push(Hook { name: "added".into(), point, rule, off: false });
    lesson
}

/// Where a request carries a reminder in what is new in it.
fn places(request: &ModelRequest, text: &str) -> Vec<String> {
    let in_system = request.system.as_deref().is_some_and(|system| system.ends_with(&format!("\n\n{text}")));
    let mut places: Vec<String> = in_system.then(|| "the end of the system prompt".to_string()).into_iter().collect();
    let mut tail: Vec<_> = request.messages.iter().rev().take_while(|message| message.role == Role::User).collect();
    tail.reverse();
    for (i, message) in tail.iter().enumerate() {
        let blocks = message.blocks();
        for (j, block) in blocks.iter().enumerate() {
            let place = match (i, j) {
                (1, 0) if tail.len() == 2 && blocks.len() == 1 => "a message of its own",
                (0, 0) => "the first block",
                (0, _) if j + 1 == blocks.len() => "the last block",
                _ => "somewhere else",
            };
            match block {
                Block::Text { text: said, .. } if said == text => places.push(place.to_string()),
                Block::ToolResult { content, .. } if content.ends_with(&format!("\n{text}")) => {
                    let is_last = (i, j + 1) == (0, blocks.len());
                    places.push(if is_last { "the end of the last result" } else { "another result" }.to_string());
                }
                _ => {}
            }
        }
    }
    places
}

/// Plays a run, a letter for each thing that happens, and returns in which rounds, from 1, the reminder came.
fn reminded(lesson: Lesson, letters: &str) -> Vec<usize> {
    let rules = lesson.reminder.clone().expect("a reminder");
    let mut play = Play::begun(lesson);
    let (mut round, mut reminded) = (0, Vec::new());
    for letter in letters.chars() {
        let ls = json!({"pattern": "*"});
        match letter {
            // Rounds without a plan call: a read, three calls in one, a failure, an unknown tool, a refusal.
            'i' => play.idles(),
            's' => play.calls(&[read("a.txt"), ("glob", ls), read("a.txt")]),
            'f' => play.calls(&[read("none.txt")]),
            'u' => play.calls(&[("nope", json!({}))]),
            'd' => play.calls(&[("bash", json!({"command": "sudo ls"}))]),
            // Rounds with one: alone, first, last, cleared, refused, without its argument, unreadable.
            'p' => play.plans(&["pending A"]),
            'm' => play.calls(&[("todo_write", todos(&["pending A"])), read("a.txt")]),
            'w' => play.calls(&[read("a.txt"), ("todo_write", todos(&["pending A"]))]),
            'e' => play.plans(&[]),
            'r' => play.plans(&["doing A"]),
            'a' => play.calls(&[("todo_write", json!({}))]),
            'n' => play.calls(&[("todo_write", json!({"todos": "["}))]),
            // No round at all: the model only says something; the reader asks again.
            't' => play.says("Hm."),
            '|' => {
                play.says("Done.");
                play.prompt("More");
            }
            _ => panic!("no thing is called {letter}"),
        }
        if !matches!(letter, 't' | '|') {
            round += 1;
            let expected = match rules.placement {
                Placement::AfterResults => "the last block",
                Placement::BeforeResults => "the first block",
                Placement::OwnMessage => "a message of its own",
                Placement::InLastResult => "the end of the last result",
                Placement::System => "the end of the system prompt",
            };
            match places(play.requests.last().expect("a request"), &rules.text).as_slice() {
                [] => {}
                [place] if place == expected => reminded.push(round),
                places => panic!("the reminder stands at {places:?}"),
            }
        }
    }
    reminded
}

#[test]
fn the_reminder_comes_last_in_the_results_of_every_third_round_without_a_plan_call() {
    for (rounds, expected) in [
        ("ii", vec![]),
        ("iii", vec![3]),
        ("iiiiiiiii", vec![3, 6, 9]),
        ("piiiiii", vec![4, 7]),
        ("iipiii", vec![6]),
        ("iip", vec![]),
        // Several calls are one round.
        ("sss", vec![3]),
        ("ssiiss", vec![3, 6]),
        // Failures, unknown tools and refusals are rounds like others.
        ("fud", vec![3]),
        ("ddd", vec![3]),
        // A plan call counts wherever it stands in the round, and even if it was refused.
        ("iim", vec![]),
        ("iiw", vec![]),
        ("iiriii", vec![6]),
        ("iiaiii", vec![6]),
        ("iiniii", vec![6]),
        ("iieiii", vec![6]),
        // A new prompt starts the counter again.
        ("ii|i", vec![]),
        ("ii|iii", vec![5]),
        ("iii|iii", vec![3, 6]),
    ] {
        assert_eq!(reminded(lesson("s05"), rounds), expected, "{rounds}");
    }
}

#[test]
fn rules_decide_when_the_reminder_comes() {
    type Row = (&'static str, fn(&mut ReminderRules), &'static str, Vec<usize>);
    let rows: [Row; 20] = [
        ("every round", |rules| rules.threshold = 1, "ipi", vec![1, 3]),
        ("every fifth", |rules| rules.threshold = 5, "iiiiiiiiii", vec![5, 10]),
        ("again and again", |rules| rules.resets = false, "iiiii", vec![3, 4, 5]),
        ("again until the plan", |rules| rules.resets = false, "iiiipiii", vec![3, 4, 8]),
        ("over prompts", |rules| rules.scope = Scope::Session, "ii|i", vec![3]),
        ("over prompts, from 0", |rules| rules.scope = Scope::Session, "iii|iii", vec![3, 6]),
        ("only with a plan", |rules| rules.needs_plan = true, "iiii", vec![]),
        ("only with a plan", |rules| rules.needs_plan = true, "piii", vec![4]),
        ("only with a plan, not a cleared one", |rules| rules.needs_plan = true, "peiii", vec![]),
        ("only with a plan, a refused one is none", |rules| rules.needs_plan = true, "riii", vec![]),
        ("before the results", |rules| rules.placement = Placement::BeforeResults, "iisiii", vec![3, 6]),
        ("a message of its own", |rules| rules.placement = Placement::OwnMessage, "iisiii", vec![3, 6]),
        ("in the last result", |rules| rules.placement = Placement::InLastResult, "iisiii", vec![3, 6]),
        ("in the system prompt", |rules| rules.placement = Placement::System, "iisiii", vec![3, 6]),
        ("only an update sets it back", |rules| rules.reset_by = ResetBy::Update, "iiriipiii", vec![3, 9]),
        ("a cleared list is an update", |rules| rules.reset_by = ResetBy::Update, "iieiii", vec![6]),
        ("each call counts", |rules| rules.counts = Counts::Calls, "isi", vec![2]),
        ("each call behind the plan call counts", |rules| rules.counts = Counts::Calls, "iimiw", vec![]),
        ("each call behind the plan call counts", |rules| rules.counts = Counts::Calls, "iimii", vec![5]),
        ("only while there is a plan", |rules| rules.counts_without_plan = false, "iiipiii", vec![7]),
    ];
    for (name, change, rounds, expected) in rows {
        assert_eq!(reminded(with_rules(change), rounds), expected, "{name}: {rounds}");
    }
}

#[test]
fn a_plan_call_that_a_hook_blocks_does_not_reset_the_counter() {
    let blocks_first = || with_hook(HookPoint::PreToolUse, Some("todo_write"));
    assert_eq!(reminded(blocks_first(), "iip"), [3]);
    assert_eq!(reminded(blocks_first(), "iippiii"), [3, 7]);
}

#[test]
fn text_alone_is_no_round_even_where_the_turn_goes_on() {
    assert_eq!(reminded(with_hook(HookPoint::Stop, None), "iiti"), [3]);
}

#[test]
fn a_lesson_without_a_plan_never_reminds() {
    let mut play = Play::begun(lesson("s04"));
    for _ in 0..7 {
        play.idles();
        assert_eq!(play.last_message(), ["alpha"]);
    }
    assert!(!play.steps().any(|step| matches!(step, Step::Counted { .. } | Step::ReminderAdded { .. })));
}

#[test]
fn the_plan_outlives_the_prompt() {
    let mut play = begun();
    play.plans(&["in_progress A"]);
    play.idles();
    play.says("Done.");
    assert_eq!(play.session().counter.idle(), 1);
    play.prompt("More");
    assert_eq!((play.session().counter.idle(), play.plan()), (0, vec!["in_progress A".to_string()]));
}

#[test]
fn the_reminder_names_its_place_and_the_rounds_that_led_to_it() {
    let mut play = begun();
    play.plans(&["in_progress A"]);
    play.idles();
    play.calls(&[read("a.txt"), read("a.txt")]);
    play.calls(&[read("a.txt"), read("a.txt")]);
    let found = play.timeline.stops().iter().find_map(|stop| match &stop.step {
        Step::ReminderAdded { place: ReminderPlace::Block { message, block }, rounds, .. } => {
            Some((stop, *message, *block, rounds.to_vec()))
        }
        _ => None,
    });
    let (stop, message, block, rounds) = found.expect("a reminder");
    assert_eq!(rounds, [2, 3, 4] as [RequestId; 3]);
    let text = Block::text("<reminder>Update your todos.</reminder>");
    assert_eq!(play.requests.last().expect("a request").messages[message].blocks()[block], text);
    // At the stop itself the message is still being built.
    let (messages, unfinished) = stop.after.messages();
    assert_eq!((messages.len() - 1, unfinished, &messages[message].blocks()[block]), (message, true, &text));
    let counted: Vec<u32> = play
        .steps()
        .filter_map(|step| match step {
            Step::Counted { idle, .. } => Some(*idle),
            _ => None,
        })
        .collect();
    assert_eq!((counted, play.session().counter.idle()), (vec![0, 1, 2, 3], 0));
}

#[test]
fn the_reminders_step_says_where_it_stands_and_the_list_shows_it_there_at_once() {
    for (placement, place, messages) in [
        (Placement::AfterResults, Some((6, 1)), 7),
        (Placement::BeforeResults, Some((6, 0)), 7),
        (Placement::OwnMessage, Some((7, 0)), 8),
        (Placement::InLastResult, Some((6, 0)), 7),
        (Placement::System, None, 7),
    ] {
        let mut play = Play::begun(with_rules(|rules| rules.placement = placement));
        (0..3).for_each(|_| play.idles());
        let stops = play.timeline.stops();
        let at = stops.iter().position(|stop| matches!(stop.step, Step::ReminderAdded { .. })).expect("a reminder");
        let Step::ReminderAdded { place: told, idle, .. } = &stops[at].step else { panic!("just found") };
        let expected = place.map_or(ReminderPlace::System, |(message, block)| ReminderPlace::Block { message, block });
        assert_eq!((*told, *idle), (expected, 3), "{placement:?}");
        let (list, _) = stops[at].after.messages();
        assert_eq!(list.len(), messages, "{placement:?}");
        assert_eq!(list, play.requests.last().expect("a request").messages, "{placement:?}");
        if let Some((message, block)) = place {
            let carries = |block: &Block| block.to_json().to_string().contains("<reminder>");
            assert!(carries(&list[message].blocks()[block]), "{placement:?}");
        }
        assert_eq!(check_history(&list), Ok(()), "{placement:?}");
    }
}

#[test]
fn a_reminder_in_the_system_prompt_stays_until_the_model_has_answered_and_leaves_no_trace() {
    let mut play = Play::begun(with_rules(|rules| rules.placement = Placement::System));
    let system = play.session().request().system;
    (0..3).for_each(|_| play.idles());
    let reminded = play.session().request().system;
    assert_ne!(reminded, system);
    play.event(Event::ModelFailed { request: play.session().last_request, fault: Fault::CutStream });
    play.event(Event::Retried);
    assert_eq!(play.session().request().system, reminded, "the same request again");
    play.idles();
    assert_eq!(play.session().request().system, system);
    assert!(play.session().transcript.iter().all(|message| !said(message).join("").contains("<reminder>")));
}

#[test]
fn where_the_counter_outlives_prompts_a_plan_call_before_stop_still_resets_it() {
    let mut play = Play::begun(with_rules(|rules| rules.scope = Scope::Session));
    play.idles();
    play.idles();
    let plan = call("a", "todo_write", todos(&["pending A"]));
    play.hears(&reply(vec![plan, call("b", "glob", json!({"pattern": "*"}))], "tool_use"));
    play.run_tool();
    play.cancel();
    play.prompt("More");
    play.idles();
    assert_eq!(play.last_message(), ["alpha"], "no reminder right after an update");
    // A round that was broken off without one counts for nothing.
    play.hears(&reply(vec![call("c", "glob", json!({"pattern": "*"}))], "tool_use"));
    play.cancel();
    assert_eq!(play.session().counter.idle(), 1);
}

/// What the rules say, in the fewest words: which rounds, from 1, carry the reminder.
fn expected(rules: &ReminderRules, letters: &str) -> Vec<usize> {
    let (mut idle, mut has_plan, mut round, mut reminded) = (0, false, 0, Vec::new());
    for letter in letters.chars() {
        match letter {
            '|' if rules.scope == Scope::Prompt => idle = 0,
            '|' => {}
            _ => {
                round += 1;
                has_plan = if "pmw".contains(letter) { true } else { has_plan && letter != 'e' };
                let resetting = if rules.reset_by == ResetBy::AnyCall { "pmweran" } else { "pmwe" };
                let is_reset = resetting.contains(letter);
                idle = if is_reset { 0 } else { idle };
                if has_plan || rules.counts_without_plan {
                    idle += match (rules.counts, letter) {
                        (Counts::Rounds, _) => u32::from(!is_reset),
                        (Counts::Calls, 's') => 3,
                        (Counts::Calls, 'm') => 1,
                        (Counts::Calls, _) => u32::from(!is_reset),
                    };
                }
                if idle >= rules.threshold && (has_plan || !rules.needs_plan) {
                    reminded.push(round);
                    idle = if rules.resets { 0 } else { idle };
                }
            }
        }
    }
    reminded
}

proptest! {
    #[test]
    fn the_reminder_comes_when_its_rules_say_so(
        letters in "[isfudpmweran|]{0,20}",
        threshold in 1..5_u32,
        placement in prop_oneof![
            Just(Placement::AfterResults), Just(Placement::BeforeResults), Just(Placement::OwnMessage),
            Just(Placement::InLastResult), Just(Placement::System),
        ],
        (resets, needs_plan, session) in any::<(bool, bool, bool)>(),
        (calls, update, counts_without_plan) in any::<(bool, bool, bool)>(),
    ) {
        let lesson = with_rules(|rules| {
            rules.threshold = threshold;
            rules.placement = placement;
            rules.counts = if calls { Counts::Calls } else { Counts::Rounds };
            rules.reset_by = if update { ResetBy::Update } else { ResetBy::AnyCall };
            rules.counts_without_plan = counts_without_plan;
            rules.resets = resets;
            rules.needs_plan = needs_plan;
            rules.scope = if session { Scope::Session } else { Scope::Prompt };
        });
        let expected = expected(lesson.reminder.as_ref().expect("a reminder"), &letters);
        prop_assert_eq!(reminded(lesson, &letters), expected);
    }
}
