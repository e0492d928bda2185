//! The driver: what the buttons do, with a clock and an endpoint that the tests hold in their hands.

mod support;

#[path = "driver/breaks.rs"]
mod breaks;
#[path = "driver/checked.rs"]
mod checked;
#[path = "driver/commands.rs"]
mod commands;
#[path = "driver/page.rs"]
mod page;

use page::{Endpoint, HandClock, Page, Shared};
use playground::agent::{Phase, Session, Step};
use playground::fault::Fault;
use playground::language::Language;
use playground::lesson::rules::Changes;
use playground::message::{Block, Reply};
use playground::runtime::Command;
use playground::runtime::scripted::{Scripted, Speed};
use playground::scenario::Scenario;
use playground::timeline::Timeline;
use playground::vfs::FsChange;
use playground::wire::anthropic::{self, Encoder};
use playground::workspace::Workspace;
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;
use support::{address, call, check_history, check_session, lesson, reply, session, todos, workdir};

fn glob_call() -> Reply {
    reply(vec![call("1", "glob", json!({"pattern": "*"}))], "tool_use")
}

fn done() -> Reply {
    reply(vec![Block::text("Done.")], "end_turn")
}

fn is_request(step: &Step) -> bool {
    matches!(step, Step::Request { .. })
}

fn is_result(step: &Step) -> bool {
    matches!(step, Step::ToolReturned { .. })
}

// --- A whole run ----------------------------------------------------------------------------------------------------

fn forgetful() -> Rc<Scenario> {
    Rc::new(Scenario::first().expect("the first visit's scenario"))
}

/// A page on which the scripted model plays the forgetful scenario.
fn scripted(speed: Speed, draws: bool) -> (Page, Rc<Cell<Speed>>) {
    let scenario = forgetful();
    let clock = Rc::new(HandClock { draws, ..HandClock::default() });
    let speed = Rc::new(Cell::new(speed));
    let workspace = Workspace { vfs: scenario.vfs(&workdir()), ..Workspace::default() };
    let start = Session::new(Rc::new(lesson("s05")), workdir(), workspace);
    let model = Rc::new(Scripted::new(scenario.clone(), speed.clone(), clock.clone()));
    let mut page = Page::with(start, model, clock.clone(), clock.now.clone());
    page.submit(scenario.turns[0].prompt.get(Language::En));
    (page, speed)
}

#[test]
fn the_first_visits_scenario_runs_to_its_end_at_every_speed_and_comes_to_the_same() {
    let mut runs = Vec::new();
    for speed in Speed::ALL {
        let (mut page, _) = scripted(speed, false);
        let mut passed = 0;
        while page.live().phase != Phase::Idle {
            page.pass(20.0);
            passed += 20;
            assert!(passed < 600_000, "it ends");
        }
        assert_eq!(passed == 0, speed == Speed::Instant, "at once means at once");
        assert_eq!(check_session(&page.live()), Ok(()));
        runs.push((page.live().transcript, page.live().workspace));
        assert_eq!(page.count(|step| matches!(step, Step::ReminderAdded { .. })), 1);
    }
    assert!(runs.iter().all(|run| *run == runs[0]));
}

#[test]
fn a_slow_reply_grows_before_the_readers_eyes_and_the_speed_can_be_changed_meanwhile() {
    let (mut page, speed) = scripted(Speed::Slow, false);
    let drafted = |page: &Page| match page.live().phase {
        Phase::AwaitingModel { draft, .. } => draft.blocks().map(|block| block.content.len()).sum(),
        _ => 0,
    };
    page.pass(1199.0);
    assert_eq!(drafted(&page), 0);
    let mut before = 0;
    for _ in 0..20 {
        page.pass(60.0);
        assert!(drafted(&page) >= before);
        before = drafted(&page);
    }
    assert!(before > 0);
    speed.set(Speed::Instant);
    page.pass(60.0);
    assert_eq!(page.live().phase, Phase::Idle);
}

#[test]
fn every_snapshot_is_newer_than_the_one_before_and_an_equal_one_is_the_same() {
    let (page, _) = scripted(Speed::Instant, false);
    let seen = page.seen.borrow();
    assert!(seen.windows(2).all(|pair| pair[0].revision < pair[1].revision && pair[0] != pair[1]));
    assert!(seen[0].clone() == seen[0]);
}

#[test]
fn events_carry_the_clocks_time_to_the_microsecond() {
    let (mut page, _endpoint) = Page::by_hand();
    page.now.set(0.123_456_789);
    page.submit("Go");
    assert_eq!(page.shown().timeline.log()[0].at, 0.123);
}

#[test]
fn the_body_that_is_sent_is_the_request_with_the_history_so_far() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.answers(&glob_call());
    page.settle();
    let bodies: Vec<serde_json::Value> =
        endpoint.bodies.borrow().iter().map(|body| serde_json::from_str(body).expect("JSON")).collect();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[1]["stream"], true);
    assert_eq!(bodies[1]["messages"][0], json!({"role": "user", "content": "Go"}));
    assert_eq!(bodies[1]["messages"][2]["content"][0]["content"], "a.txt");
    assert_eq!(bodies[0]["messages"][0], bodies[1]["messages"][0]);
}

// --- Pause and Step -------------------------------------------------------------------------------------------------

#[test]
fn pause_holds_after_the_effect_in_flight_and_run_goes_on() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    page.send(Command::Pause);
    endpoint.answers(&glob_call());
    page.settle();
    // The reply came to its end; the call that it asks for waits.
    assert_eq!((page.count(|step| matches!(step, Step::Reply { .. })), page.count(is_result)), (1, 0));
    let shown = page.shown();
    assert_eq!((shown.holding, shown.busy, shown.waiting), (true, false, true));
    page.settle();
    assert_eq!(page.count(is_result), 0);
    page.send(Command::Run);
    assert_eq!((page.count(is_result), endpoint.opened()), (1, 2));
    let shown = page.shown();
    assert_eq!((shown.holding, shown.busy, shown.waiting), (false, true, false));
}

#[test]
fn step_performs_one_effect_at_a_time() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Pause);
    page.submit("Go");
    assert_eq!((endpoint.opened(), page.count(is_request)), (0, 1));
    page.send(Command::Step);
    assert_eq!(endpoint.opened(), 1);
    endpoint.answers(&glob_call());
    page.settle();
    assert_eq!(page.count(is_result), 0);
    page.send(Command::Step);
    assert_eq!((page.count(is_result), endpoint.opened()), (1, 1));
    page.send(Command::Step);
    assert_eq!(endpoint.opened(), 2);
    assert!(page.shown().holding);
}

#[test]
fn step_pressed_again_while_a_request_is_in_flight_asks_for_no_second_one() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Pause);
    page.submit("Go");
    for _ in 0..3 {
        page.send(Command::Step);
    }
    assert_eq!(endpoint.opened(), 1);
    endpoint.answers(&glob_call());
    page.settle();
    assert_eq!((endpoint.opened(), page.count(is_result)), (1, 0), "none of the presses was saved up");
}

#[test]
fn two_presses_before_the_page_is_drawn_are_one_step() {
    let endpoint = Rc::new(Endpoint::default());
    let clock = HandClock { draws: true, ..HandClock::default() };
    let mut page = Page::new(session(lesson("s05")), Rc::new(Shared(endpoint.clone())), clock);
    page.send(Command::Pause);
    page.submit("Go");
    endpoint.answers(&glob_call());
    for _ in 0..2 {
        page.commands.borrow_mut().push_back(Command::Step);
    }
    for _ in 0..9 {
        page.settle();
    }
    assert_eq!((endpoint.opened(), page.count(is_result)), (1, 0));
}

#[test]
fn step_with_nothing_to_do_only_holds() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Step);
    page.submit("Go");
    assert_eq!((endpoint.opened(), page.shown().holding), (0, true));
}

// --- Stop -----------------------------------------------------------------------------------------------------------

#[test]
fn stop_in_the_middle_of_a_stream_gives_the_answer_up_and_a_new_prompt_works() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.head(200);
    endpoint.bytes(&anthropic::frames(&done(), "msg_1", "hand", 2)[..3].concat());
    page.settle();
    assert!(matches!(&page.live().phase, Phase::AwaitingModel { draft, .. } if draft.blocks().len() == 1));
    page.send(Command::Stop);
    assert_eq!((endpoint.aborted.get(), page.shown().busy), (1, false));
    assert_eq!((page.live().phase, check_session(&page.live())), (Phase::Idle, Ok(())));
    page.submit("More");
    endpoint.answers(&done());
    page.settle();
    assert_eq!((page.live().phase, endpoint.opened()), (Phase::Idle, 2));
    assert_eq!(check_session(&page.live()), Ok(()));
}

#[test]
fn stop_while_a_call_is_held_back_answers_it_and_nothing_of_it_is_run_later() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    page.send(Command::Pause);
    let write = call("1", "write_file", json!({"path": "b.txt", "content": "x"}));
    endpoint.answers(&reply(vec![write], "tool_use"));
    page.settle();
    page.send(Command::Stop);
    page.send(Command::Run);
    assert!(!page.live().workspace.vfs.is_file(&workdir().join("b.txt")));
    assert_eq!((page.live().phase, endpoint.opened(), check_session(&page.live())), (Phase::Idle, 1, Ok(())));
}

#[test]
fn stop_before_the_request_was_sent_sends_nothing() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::Pause);
    page.submit("Go");
    page.send(Command::Stop);
    page.send(Command::Run);
    assert_eq!((page.live().phase, endpoint.opened()), (Phase::Idle, 0));
}

#[test]
fn stop_is_obeyed_in_the_middle_of_a_run_that_never_waits() {
    let (mut page, _) = scripted(Speed::Instant, true);
    // Each time the page is drawn, one effect was performed.
    page.settle();
    page.settle();
    page.settle();
    let before = page.shown().timeline.log().len();
    page.send(Command::Stop);
    assert_eq!(page.live().phase, Phase::Idle);
    assert!(page.shown().timeline.log().len() <= before + 2);
    assert_eq!(check_session(&page.live()), Ok(()));
}

#[test]
fn pause_is_obeyed_in_the_middle_of_a_run_that_never_waits() {
    let (mut page, _) = scripted(Speed::Instant, true);
    page.settle();
    page.send(Command::Pause);
    let (before, held) = (page.shown().timeline.log().len(), page.shown());
    assert!(held.holding && held.waiting);
    for _ in 0..5 {
        page.settle();
    }
    assert_eq!(page.shown().timeline.log().len(), before);
}

// --- Another run, another model -------------------------------------------------------------------------------------

#[test]
fn open_replaces_the_run_and_gives_up_what_was_under_way() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.head(200);
    page.settle();
    page.send(Command::Pause);
    page.send(Command::Open(Timeline::new(session(lesson("s04")))));
    assert_eq!((endpoint.aborted.get(), page.shown().timeline.log().len()), (1, 0));
    assert_eq!(page.live().lesson.id, "s04");
    let shown = page.shown();
    assert_eq!((shown.holding, shown.busy, shown.waiting), (false, false, false));
    page.submit("New");
    endpoint.answers(&done());
    page.settle();
    assert_eq!(page.live().transcript.len(), 2);
    assert_eq!(endpoint.requests.borrow()[1].tools.len(), 5, "the other lesson's tools");
}

/// Chooses a live endpoint.
fn other_model(endpoint: &Rc<Endpoint>) -> Command {
    Command::UseModel {
        model: "other".into(),
        max_tokens: Some(99),
        address: Some(Rc::new(address())),
        transport: Rc::new(Shared(endpoint.clone())),
    }
}

/// Of each request, the model and the URL that the page says it went to.
fn shown_as_asked(page: &Page) -> Vec<(String, Option<String>)> {
    let timeline = page.shown().timeline;
    let requests = timeline.stops().iter().filter(|stop| is_request(&stop.step)).map(|stop| &stop.after);
    requests.map(|after| owned((&after.request().model, after.address().map(|to| to.url.as_str())))).collect()
}

fn owned((model, url): (&str, Option<&str>)) -> (String, Option<String>) {
    (model.into(), url.map(String::from))
}

#[test]
fn another_model_is_asked_from_the_next_request_on() {
    let (mut page, first) = Page::by_hand();
    let second = Rc::new(Endpoint::default());
    page.submit("Go");
    page.send(other_model(&second));
    assert_eq!((first.opened(), second.opened(), first.aborted.get()), (1, 0, 0));
    first.answers(&glob_call());
    page.settle();
    let sent = second.requests.borrow()[0].clone();
    assert_eq!((&*sent.model, sent.max_tokens, check_history(&sent.messages)), ("other", 99, Ok(())));
    assert_eq!(shown_as_asked(&page), [("", None), ("other", Some(address().url.as_str()))].map(owned));
}

#[test]
fn a_request_that_is_held_back_names_the_model_that_is_chosen_meanwhile_and_goes_there() {
    let (mut page, first) = Page::by_hand();
    let second = Rc::new(Endpoint::default());
    page.submit("Go");
    page.send(Command::Pause);
    first.answers(&glob_call());
    page.settle();
    page.send(Command::Step);
    assert_eq!((page.count(is_request), page.shown().waiting), (2, true));
    // The reader may do this and that before it is sent, and change the model more than once.
    page.send(Command::Edit(vec![FsChange::Remove { path: workdir().join("a.txt") }]));
    page.send(Command::UseModel {
        model: "never asked".into(),
        max_tokens: None,
        address: None,
        transport: Rc::new(Shared(first.clone())),
    });
    page.send(other_model(&second));
    page.send(Command::Step);
    assert_eq!((first.opened(), second.opened()), (1, 1));
    let sent = second.requests.borrow()[0].clone();
    assert_eq!((&*sent.model, sent.max_tokens, check_history(&sent.messages)), ("other", 99, Ok(())));
    assert_eq!(second.bodies.borrow()[0], Encoder::new().body(&sent, true), "though parts of it were written before");
    let timeline = page.shown().timeline;
    let shown = timeline.stops().iter().rfind(|stop| is_request(&stop.step)).map(|stop| stop.after.request());
    assert_eq!(shown, Some(sent));
    // In mid-flight, the next choice is for the next request.
    page.send(Command::UseModel {
        model: "later".into(),
        max_tokens: None,
        address: None,
        transport: Rc::new(Shared(first.clone())),
    });
    let expected = [("", None), ("other", Some(address().url.as_str()))].map(owned);
    assert_eq!(shown_as_asked(&page), expected);
    // And the log tells all of it.
    let read = Timeline::from_jsonl(&page.shown().timeline.to_jsonl()).expect("our own recording");
    assert!(read.stops().iter().eq(page.shown().timeline.stops().iter()));
}

#[test]
fn a_request_that_is_held_back_goes_by_the_rules_that_are_changed_meanwhile_and_one_under_way_does_not() {
    let (mut page, endpoint) = Page::by_hand();
    let rules = |system: &str| {
        let mut changes = Changes::default();
        changes.set(&lesson("s05"), "/system", system.into());
        Command::ChangeRules(changes)
    };
    let systems = |endpoint: &Endpoint| {
        let requests = endpoint.requests.borrow();
        requests.iter().map(|request| request.system.as_deref().unwrap_or_default().to_string()).collect::<Vec<_>>()
    };
    page.submit("Go");
    let first = systems(&endpoint);
    page.send(rules("Too late."));
    page.send(Command::Pause);
    endpoint.answers(&glob_call());
    page.settle();
    page.send(Command::Step);
    assert!(page.shown().waiting, "the second request is held back");
    page.send(rules("In time."));
    page.send(Command::Step);
    assert_eq!(systems(&endpoint), [first[0].clone(), "In time.".into()]);
    assert!(endpoint.bodies.borrow()[1].contains("In time."));
    let before = page.shown().timeline.log().len();
    let mut impossible = Changes::default();
    impossible.set(&lesson("s05"), "/reminder/threshold", 0.into());
    page.send(Command::ChangeRules(impossible));
    assert_eq!(page.shown().timeline.log().len(), before, "what no run can go by is not logged");
    let read = Timeline::from_jsonl(&page.shown().timeline.to_jsonl()).expect("our own recording");
    assert!(read.stops().iter().eq(page.shown().timeline.stops().iter()));
}

// --- Faults ---------------------------------------------------------------------------------------------------------

/// What ended the turn.
fn fault(page: &Page) -> Option<Fault> {
    match page.live().phase {
        Phase::Stopped { fault } => Some((*fault).clone()),
        _ => None,
    }
}

#[test]
fn after_a_fault_retry_asks_the_same_again() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.ends(Some(Fault::Unreachable { url: "http://localhost/v1/messages".into(), message: "no".into() }));
    page.settle();
    assert!(matches!(fault(&page), Some(Fault::Unreachable { .. })));
    assert!(!page.shown().busy);
    page.send(Command::Retry);
    endpoint.answers(&done());
    page.settle();
    assert_eq!(page.live().phase, Phase::Idle);
    let bodies = endpoint.bodies.borrow();
    assert_eq!((bodies.len(), &bodies[0]), (2, &bodies[1]));
}

#[test]
fn whatever_an_answer_is_instead_of_a_reply_ends_the_turn_once_and_leaves_nothing_in_flight() {
    let half = anthropic::frames(&done(), "msg_1", "hand", 9)[..3].concat();
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"later"}}"#;
    let in_stream = format!("{half}event: error\ndata: {error}\n\n");
    type Case<'a> = (&'static str, Option<u16>, &'a str, fn(&Fault) -> bool);
    let cases: [Case; 6] = [
        ("no answer at all", None, "", |fault| *fault == Fault::CutStream),
        ("nothing behind the head", Some(200), "", |fault| *fault == Fault::CutStream),
        ("half a reply", Some(200), &half, |fault| *fault == Fault::CutStream),
        ("an error", Some(529), error, |fault| matches!(fault, Fault::Api { status: 529, .. })),
        ("an error in the stream", Some(200), &in_stream, |fault| matches!(fault, Fault::Api { status: 200, .. })),
        ("a page", Some(200), "<html>", |fault| matches!(fault, Fault::NotAStream { .. })),
    ];
    for (name, head, body, expected) in cases {
        let (mut page, endpoint) = Page::by_hand();
        page.submit("Go");
        if let Some(status) = head {
            endpoint.head(status);
            endpoint.bytes(body);
        }
        endpoint.ends(None);
        page.settle();
        assert!(fault(&page).is_some_and(|fault| expected(&fault)), "{name}: {:?}", page.live().phase);
        assert!(!page.shown().busy, "{name}");
        assert_eq!(page.count(|step| matches!(step, Step::Failed { .. })), 1, "{name}");
        assert_eq!(page.live().transcript.len(), 1, "{name}: nothing of it is in the history");
        page.send(Command::Retry);
        endpoint.answers(&done());
        page.settle();
        assert_eq!(page.live().phase, Phase::Idle, "{name}");
    }
}

#[test]
fn a_reply_is_complete_before_its_body_is_and_the_rest_is_not_waited_for() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    endpoint.head(200);
    endpoint.bytes(&anthropic::frames(&done(), "msg_1", "hand", 9).concat());
    page.settle();
    assert_eq!((page.live().phase, page.shown().busy, endpoint.aborted.get()), (Phase::Idle, false, 1));
}

// --- Permission -----------------------------------------------------------------------------------------------------

#[test]
fn a_question_waits_for_its_answer_and_nothing_else_happens_until_then() {
    for allowed in [true, false] {
        let (mut page, endpoint) = Page::by_hand();
        page.submit("Go");
        let blocks = vec![
            call("1", "todo_write", todos(&["in_progress A"])),
            call("2", "write_file", json!({"path": "/tmp/x.txt", "content": "x"})),
        ];
        endpoint.answers(&reply(blocks, "tool_use"));
        page.settle();
        let Phase::AwaitingPermission { round, .. } = page.live().phase else { panic!("the reader is asked") };
        let shown = page.shown();
        assert_eq!((shown.busy, shown.waiting, endpoint.opened()), (false, false, 1));
        page.pass(1e6);
        assert_eq!(endpoint.opened(), 1);
        page.send(Command::Answer { call: round.key(), allowed });
        assert_eq!(endpoint.opened(), 2);
        assert_eq!(page.live().workspace.vfs.is_file(&support::path("/tmp/x.txt")), allowed);
        // The same button once more, too late.
        page.send(Command::Answer { call: round.key(), allowed: true });
        assert_eq!((endpoint.opened(), page.count(is_result)), (2, 2));
    }
}

#[test]
fn a_prompt_that_comes_while_a_turn_is_under_way_is_not_taken() {
    let (mut page, endpoint) = Page::by_hand();
    page.submit("Go");
    page.submit("And this");
    endpoint.answers(&done());
    page.settle();
    assert_eq!((endpoint.opened(), page.live().transcript.len(), page.live().turn), (1, 2, 1));
}
