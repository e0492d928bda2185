//! Requests that the API would refuse: the scripted model in strict mode, and the question before one goes to a live endpoint.

use super::page::{Endpoint, HandClock, Page, Shared};
use super::support::{call, lesson, reply, session};
use super::{done, fault, glob_call, is_request, other_model};
use playground::agent::{Phase, ReminderPlace, Session, Step};
use playground::fault::Fault;
use playground::lesson::Placement;
use playground::message::{Block, Reply};
use playground::runtime::checked::{Asking, refuse};
use playground::runtime::{Chunks, Command, Transport};
use playground::timeline::Timeline;
use playground::wire::ModelRequest;
use playground::wire::checker::{Place, Rule};
use serde_json::json;
use std::rc::Rc;

/// A session of a lesson that puts the reminder before the results.
fn before_results() -> Session {
    let mut lesson = lesson("s05");
    lesson.reminder.as_mut().expect("a reminder").placement = Placement::BeforeResults;
    session(lesson)
}

fn page(transport: impl FnOnce(Shared) -> Rc<dyn Transport>) -> (Page, Rc<Endpoint>) {
    let endpoint = Rc::new(Endpoint::default());
    let page = Page::new(before_results(), transport(Shared(endpoint.clone())), HandClock::default());
    (page, endpoint)
}

/// Three rounds without a plan: the request after them carries the reminder in the wrong place.
fn play_to_the_reminder(page: &mut Page, endpoint: &Endpoint) {
    page.submit("Go");
    for id in ["a", "b", "c"] {
        endpoint.answers(&reply(vec![call(id, "glob", json!({"pattern": "*"}))], "tool_use"));
        page.settle();
    }
    assert_eq!(
        page.count(|step| matches!(step, Step::ReminderAdded { place: ReminderPlace::Block { block: 0, .. }, .. })),
        1
    );
}

/// An endpoint that is as strict as the real API.
struct Strict(Shared);

impl Transport for Strict {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        refuse(request).unwrap_or_else(|| self.0.open(request, body))
    }
}

fn strict() -> (Page, Rc<Endpoint>) {
    page(|endpoint| Rc::new(Strict(endpoint)))
}

fn asking() -> (Page, Rc<Endpoint>) {
    page(|endpoint| Rc::new(Asking(endpoint)))
}

#[test]
fn a_strict_model_answers_400_in_the_apis_words() {
    let (mut page, endpoint) = strict();
    play_to_the_reminder(&mut page, &endpoint);
    let Some(Fault::Api { status, kind, message, .. }) = fault(&page) else { panic!("it refuses") };
    assert_eq!((status, kind.as_str(), endpoint.opened()), (400, "invalid_request_error", 3));
    assert!(
        message.starts_with("messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: c.")
    );
}

#[test]
fn a_refused_list_is_refused_again_until_the_reminder_is_moved_and_then_the_run_goes_on() {
    let (mut page, endpoint) = strict();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::Retry);
    assert!(fault(&page).is_some(), "the list is the same");
    endpoint.answers(&done());
    page.send(Command::MoveReminders);
    page.settle();
    assert_eq!((page.live().phase, endpoint.opened()), (Phase::Idle, 4));
    let sent = endpoint.requests.borrow()[3].clone();
    let kinds: Vec<&str> = sent.messages[6].blocks().iter().map(Block::kind).collect();
    assert_eq!(kinds, ["tool_result", "text"]);
    assert_eq!(page.count(|step| matches!(step, Step::RemindersMoved { .. })), 1);
    let read = Timeline::from_jsonl(&page.shown().timeline.to_jsonl()).expect("our own recording");
    assert!(read.stops().iter().eq(page.shown().timeline.stops().iter()));
}

#[test]
fn a_live_endpoint_is_not_sent_what_it_would_refuse_and_the_page_says_why() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    let shown = page.shown();
    let found = shown.objections.clone().expect("it asks");
    assert_eq!((found.len(), found[0].rule, found[0].place), (1, Rule::ResultsFirst, Place::Block(6, 0)));
    assert_eq!((endpoint.opened(), shown.busy, shown.waiting), (3, false, true));
    for command in [Command::Run, Command::Step, Command::Retry, Command::Submit("More".into())] {
        page.send(command);
        page.settle();
        assert_eq!((endpoint.opened(), page.shown().objections.is_some()), (3, true), "only a word on it leads on");
    }
}

#[test]
fn what_the_api_accepts_goes_out_unasked() {
    let (mut page, endpoint) = Page::by_hand();
    page.send(Command::UseModel {
        model: "live".into(),
        max_tokens: None,
        address: None,
        transport: Rc::new(Asking(Shared(endpoint.clone()))),
    });
    play_to_a_reminder_behind_the_results(&mut page, &endpoint);
    assert_eq!((page.live().phase, page.shown().objections.is_some()), (Phase::Idle, false));
}

/// The lesson's own place, which the API only advises against.
fn play_to_a_reminder_behind_the_results(page: &mut Page, endpoint: &Endpoint) {
    page.submit("Go");
    let rounds = ["a", "b", "c"].map(|id| reply(vec![call(id, "glob", json!({"pattern": "*"}))], "tool_use"));
    for answer in rounds.iter().chain([&done()]) {
        endpoint.answers(answer);
        page.settle();
    }
    assert_eq!(
        page.count(|step| matches!(step, Step::ReminderAdded { place: ReminderPlace::Block { block: 1, .. }, .. })),
        1
    );
}

#[test]
fn sent_anyway_it_goes_out_as_it_is() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::SendAnyway);
    assert_eq!((endpoint.opened(), page.shown().objections.is_none(), page.shown().busy), (4, true, true));
    assert_eq!(endpoint.requests.borrow()[3].messages, page.live().transcript);
    assert_eq!(page.live().transcript[6].blocks()[0].kind(), "text");
    // The next request carries it, too, and is asked about again.
    endpoint.answers(&reply(vec![call("d", "glob", json!({"pattern": "*"}))], "tool_use"));
    page.settle();
    assert_eq!((endpoint.opened(), page.shown().objections.is_some()), (4, true));
}

#[test]
fn with_the_reminder_moved_it_goes_out_at_once() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::MoveReminders);
    assert_eq!((endpoint.opened(), page.shown().objections.is_none()), (4, true));
    let sent = endpoint.requests.borrow()[3].clone();
    assert_eq!(sent.messages[6].blocks()[0].kind(), "tool_result");
    let timeline = page.shown().timeline;
    let shown = timeline.stops().iter().rfind(|stop| is_request(&stop.step)).map(|stop| stop.after.request());
    assert_eq!(shown, Some(sent), "the page shows what was sent");
}

#[test]
fn an_answer_to_the_question_is_a_step_where_the_run_is_held() {
    for command in [|| Command::SendAnyway, || Command::MoveReminders] {
        let (mut page, endpoint) = asking();
        play_to_the_reminder(&mut page, &endpoint);
        page.send(Command::Pause);
        page.send(command());
        assert_eq!(endpoint.opened(), 4);
        endpoint.answers(&glob_call());
        page.settle();
        assert!(page.shown().holding && page.shown().waiting, "and the run is held again");
    }
}

#[test]
fn stop_instead_of_an_answer_ends_the_turn_and_nothing_is_sent() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::Stop);
    page.settle();
    let shown = page.shown();
    assert_eq!((page.live().phase, endpoint.opened(), shown.objections.is_some()), (Phase::Idle, 3, false));
}

#[test]
fn another_model_or_another_run_is_asked_for_its_own_word() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    let second = Rc::new(Endpoint::default());
    page.send(other_model(&second));
    assert_eq!((second.opened(), page.shown().objections.is_some()), (1, false), "this one has no objections");

    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::Open(Timeline::new(before_results())));
    page.submit("Go");
    assert_eq!((endpoint.opened(), page.shown().objections.is_some()), (4, false));
}

#[test]
fn an_empty_reply_makes_the_next_prompt_a_question() {
    let (mut page, endpoint) = asking();
    page.submit("Go");
    endpoint.answers(&Reply { blocks: vec![], ..done() });
    page.settle();
    page.submit("More");
    let found = page.shown().objections.expect("it asks");
    assert_eq!((found[0].rule, found[0].place), (Rule::ContentNotEmpty, Place::Message(1)));
}

#[test]
fn nothing_is_moved_while_a_request_is_under_way() {
    let (mut page, endpoint) = asking();
    play_to_the_reminder(&mut page, &endpoint);
    page.send(Command::SendAnyway);
    page.send(Command::MoveReminders);
    assert_eq!(page.count(|step| matches!(step, Step::RemindersMoved { .. })), 0);
    assert_eq!(endpoint.opened(), 4);
}
