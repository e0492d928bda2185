//! The driver: what the buttons do, with a clock and an endpoint that the tests hold in their hands.

mod support;

use futures_core::Stream;
use futures_core::future::LocalBoxFuture;
use playground::agent::{Phase, Session, Step};
use playground::fault::Fault;
use playground::language::Language;
use playground::message::{Block, Reply};
use playground::runtime::scripted::{Scripted, Speed};
use playground::runtime::{Chunk, Chunks, Clock, Command, Driver, Snapshot, Transport};
use playground::scenario::Scenario;
use playground::timeline::Timeline;
use playground::wire::answer::Head;
use playground::wire::{ModelRequest, anthropic};
use playground::workspace::Workspace;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use support::{call, check_history, check_session, lesson, reply, session, todos, workdir};

// --- The ports, in a test's hands -----------------------------------------------------------------------------------

/// Time that passes only when a test says so.
#[derive(Default)]
struct HandClock {
    now: Rc<Cell<f64>>,
    /// Between two effects the page draws: the driver comes back at the next poll.
    draws: bool,
}

impl Clock for HandClock {
    fn now(&self) -> f64 {
        self.now.get()
    }

    fn sleep(&self, ms: u32) -> LocalBoxFuture<'static, ()> {
        let (now, until) = (self.now.clone(), self.now.get() + f64::from(ms));
        Box::pin(poll_fn(move |_| if now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
    }

    fn breathe(&self) -> LocalBoxFuture<'static, ()> {
        let mut waits = self.draws;
        match waits {
            true => Box::pin(poll_fn(move |_| match std::mem::take(&mut waits) {
                true => Poll::Pending,
                false => Poll::Ready(()),
            })),
            false => Box::pin(ready(())),
        }
    }
}

/// An endpoint that answers what a test hands it, piece by piece.
#[derive(Default)]
struct Endpoint {
    requests: RefCell<Vec<ModelRequest>>,
    bodies: RefCell<Vec<String>>,
    pieces: Rc<RefCell<VecDeque<Option<Result<Chunk, Fault>>>>>,
    /// How many answers were dropped before their end was read.
    aborted: Rc<Cell<u32>>,
}

impl Endpoint {
    fn head(&self, status: u16) {
        let head = Head { status, content_type: "text/event-stream".into(), ..Head::default() };
        self.pieces.borrow_mut().push_back(Some(Ok(Chunk::Head(head))));
    }

    fn bytes(&self, text: &str) {
        self.pieces.borrow_mut().push_back(Some(Ok(Chunk::Bytes(text.as_bytes().to_vec()))));
    }

    /// The body ends, or the connection breaks.
    fn ends(&self, with: Option<Fault>) {
        self.pieces.borrow_mut().push_back(with.map(Err));
    }

    fn answers(&self, reply: &Reply) {
        self.head(200);
        self.bytes(&anthropic::frames(reply, "msg_1", "hand", 9).concat());
        self.ends(None);
    }

    fn opened(&self) -> usize {
        self.requests.borrow().len()
    }
}

/// An answer on its way. It notes when it is dropped unread.
struct Answering {
    pieces: Rc<RefCell<VecDeque<Option<Result<Chunk, Fault>>>>>,
    aborted: Rc<Cell<u32>>,
    ended: bool,
}

impl Stream for Answering {
    type Item = Result<Chunk, Fault>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context) -> Poll<Option<Self::Item>> {
        assert!(!self.ended, "an answer that has ended is not read again");
        let piece = self.pieces.borrow_mut().pop_front();
        match piece {
            Some(piece) => {
                self.ended = !matches!(piece, Some(Ok(_)));
                Poll::Ready(piece)
            }
            None => Poll::Pending,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        // What was left of this answer never arrives.
        let mut pieces = self.pieces.borrow_mut();
        let end = pieces.iter().position(|piece| !matches!(piece, Some(Ok(_))));
        match end {
            _ if self.ended => {}
            Some(end) => drop(pieces.drain(..=end)),
            None => {
                pieces.clear();
                self.aborted.set(self.aborted.get() + 1);
            }
        }
    }
}

impl Transport for Endpoint {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        self.requests.borrow_mut().push(request.clone());
        self.bodies.borrow_mut().push(body);
        Box::pin(Answering { pieces: self.pieces.clone(), aborted: self.aborted.clone(), ended: false })
    }
}

/// A transport shared with the test.
struct Shared(Rc<Endpoint>);

impl Transport for Shared {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        self.0.open(request, body)
    }
}

/// A page without a page: it sends commands, lets the driver run as far as it gets, and sees what is published.
struct Page {
    driver: Pin<Box<dyn Future<Output = ()>>>,
    commands: Rc<RefCell<VecDeque<Command>>>,
    seen: Rc<RefCell<Vec<Snapshot>>>,
    now: Rc<Cell<f64>>,
}

impl Page {
    fn new(start: Session, transport: Rc<dyn Transport>, clock: HandClock) -> Self {
        let now = clock.now.clone();
        Self::with(start, transport, Rc::new(clock), now)
    }

    fn with(start: Session, transport: Rc<dyn Transport>, clock: Rc<dyn Clock>, now: Rc<Cell<f64>>) -> Self {
        let commands: Rc<RefCell<VecDeque<Command>>> = Rc::default();
        let seen: Rc<RefCell<Vec<Snapshot>>> = Rc::default();
        let (queue, published) = (commands.clone(), seen.clone());
        let stream = futures_util::stream::poll_fn(move |_| match queue.borrow_mut().pop_front() {
            Some(command) => Poll::Ready(Some(command)),
            None => Poll::Pending,
        });
        let driver = Driver::new(Timeline::new(start), transport, clock);
        let driver = driver.run(stream, move |snapshot| published.borrow_mut().push(snapshot));
        Self { driver: Box::pin(driver), commands, seen, now }
    }

    /// A page with an endpoint by hand. Effects follow one another at once.
    fn by_hand() -> (Self, Rc<Endpoint>) {
        let endpoint = Rc::new(Endpoint::default());
        (Self::new(session(lesson("s05")), Rc::new(Shared(endpoint.clone())), HandClock::default()), endpoint)
    }

    /// Lets the driver go on until it waits.
    fn settle(&mut self) {
        let poll = self.driver.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(poll.is_pending(), "the driver runs as long as the page does");
    }

    fn send(&mut self, command: Command) {
        self.commands.borrow_mut().push_back(command);
        self.settle();
    }

    fn submit(&mut self, text: &str) {
        self.send(Command::Submit(text.into()));
    }

    fn pass(&mut self, ms: f64) {
        self.now.set(self.now.get() + ms);
        self.settle();
    }

    fn shown(&self) -> Snapshot {
        self.seen.borrow().last().expect("something was published").clone()
    }

    fn live(&self) -> Session {
        self.shown().timeline.live().clone()
    }

    fn count(&self, of: fn(&Step) -> bool) -> usize {
        self.shown().timeline.stops().iter().filter(|stop| of(&stop.step)).count()
    }
}

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
    let scenarios = Scenario::all().expect("every scenario can be read");
    Rc::new(scenarios.into_iter().find(|scenario| scenario.id == "forgetful").expect("the first visit's scenario"))
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
    page.now.set(1234.567_890_123);
    page.submit("Go");
    assert_eq!(page.shown().timeline.log()[0].at, 1234.568);
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

#[test]
fn another_model_is_asked_from_the_next_request_on() {
    let (mut page, first) = Page::by_hand();
    let second = Rc::new(Endpoint::default());
    page.submit("Go");
    let use_model = |endpoint: &Rc<Endpoint>| Command::UseModel {
        model: "other".into(),
        max_tokens: Some(99),
        transport: Rc::new(Shared(endpoint.clone())),
    };
    page.send(use_model(&second));
    assert_eq!((first.opened(), second.opened(), first.aborted.get()), (1, 0, 0));
    first.answers(&glob_call());
    page.settle();
    let sent = second.requests.borrow()[0].clone();
    assert_eq!((&*sent.model, sent.max_tokens, check_history(&sent.messages)), ("other", 99, Ok(())));
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
    let cases: [(&str, Option<u16>, &str, fn(&Fault) -> bool); 6] = [
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
