//! A page without a browser: a clock and an endpoint in a test's hands, and what is published.

use super::support::{lesson, session};
use futures_core::Stream;
use futures_core::future::LocalBoxFuture;
use playground::agent::{Session, Step};
use playground::fault::Fault;
use playground::message::Reply;
use playground::runtime::shell::{Report, Reports, Shell};
use playground::runtime::{Chunk, Chunks, Clock, Command, Driver, Snapshot, Transport};
use playground::timeline::Timeline;
use playground::tools::bash::{Job, Ran};
use playground::vfs::FsChange;
use playground::wire::answer::Head;
use playground::wire::{ModelRequest, anthropic};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Time that passes only when a test says so.
#[derive(Default)]
pub(super) struct HandClock {
    pub(super) now: Rc<Cell<f64>>,
    /// Between two effects the page draws: the driver comes back at the next poll.
    pub(super) draws: bool,
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

/// What is still to arrive; `None` is the end of a body.
type Pieces = RefCell<VecDeque<Option<Result<Chunk, Fault>>>>;

/// An endpoint that answers what a test hands it, piece by piece.
#[derive(Default)]
pub(super) struct Endpoint {
    pub(super) requests: RefCell<Vec<ModelRequest>>,
    pub(super) bodies: RefCell<Vec<String>>,
    pieces: Rc<Pieces>,
    /// How many answers were dropped before their end was read.
    pub(super) aborted: Rc<Cell<u32>>,
}

impl Endpoint {
    pub(super) fn head(&self, status: u16) {
        let head = Head { status, content_type: "text/event-stream".into(), ..Head::default() };
        self.pieces.borrow_mut().push_back(Some(Ok(Chunk::Head(head))));
    }

    pub(super) fn bytes(&self, text: &str) {
        self.pieces.borrow_mut().push_back(Some(Ok(Chunk::Bytes(text.as_bytes().to_vec()))));
    }

    /// The body ends, or the connection breaks.
    pub(super) fn ends(&self, with: Option<Fault>) {
        self.pieces.borrow_mut().push_back(with.map(Err));
    }

    pub(super) fn answers(&self, reply: &Reply) {
        self.head(200);
        self.bytes(&anthropic::frames(reply, "msg_1", "hand", 9).concat());
        self.ends(None);
    }

    pub(super) fn opened(&self) -> usize {
        self.requests.borrow().len()
    }
}

/// An answer on its way. It notes when it is dropped unread.
struct Answering {
    pieces: Rc<Pieces>,
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

/// A shell that tells what a test hands it. It keeps the jobs, and counts the commands that were killed.
#[derive(Default)]
pub(super) struct HandShell {
    pub(super) jobs: RefCell<Vec<Job>>,
    pub(super) reports: Rc<RefCell<VecDeque<Report>>>,
    pub(super) killed: Rc<Cell<u32>>,
}

impl HandShell {
    pub(super) fn tells(&self, report: Report) {
        self.reports.borrow_mut().push_back(report);
    }

    pub(super) fn ends(&self, stdout: &str, changes: Vec<FsChange>) {
        self.tells(Report::Ended(Ok(Ran { stdout: stdout.as_bytes().into(), stderr: [].into(), code: 0, changes })));
    }
}

impl Shell for HandShell {
    fn run(&self, job: Job) -> Reports {
        self.jobs.borrow_mut().push(job);
        let reports = self.reports.clone();
        let killed = Killed(self.killed.clone());
        Box::pin(futures_util::stream::poll_fn(move |_| match reports.borrow_mut().pop_front() {
            Some(report) => Poll::Ready(Some(report)),
            None => {
                let _ = &killed;
                Poll::Pending
            }
        }))
    }
}

/// Counts when a command's reports are no longer read.
struct Killed(Rc<Cell<u32>>);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A transport shared with the test.
pub(super) struct Shared(pub(super) Rc<Endpoint>);

impl Transport for Shared {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        self.0.open(request, body)
    }
}

/// A page without a page: it sends commands, lets the driver run as far as it gets, and sees what is published.
pub(super) struct Page {
    driver: Pin<Box<dyn Future<Output = ()>>>,
    pub(super) commands: Rc<RefCell<VecDeque<Command>>>,
    pub(super) seen: Rc<RefCell<Vec<Snapshot>>>,
    pub(super) now: Rc<Cell<f64>>,
    pub(super) shell: Rc<HandShell>,
}

impl Page {
    pub(super) fn new(start: Session, transport: Rc<dyn Transport>, clock: HandClock) -> Self {
        let now = clock.now.clone();
        Self::with(start, transport, Rc::new(clock), now)
    }

    pub(super) fn with(start: Session, transport: Rc<dyn Transport>, clock: Rc<dyn Clock>, now: Rc<Cell<f64>>) -> Self {
        let commands: Rc<RefCell<VecDeque<Command>>> = Rc::default();
        let seen: Rc<RefCell<Vec<Snapshot>>> = Rc::default();
        let (queue, published) = (commands.clone(), seen.clone());
        let stream = futures_util::stream::poll_fn(move |_| match queue.borrow_mut().pop_front() {
            Some(command) => Poll::Ready(Some(command)),
            None => Poll::Pending,
        });
        let shell = Rc::new(HandShell::default());
        let driver = Driver::new(Timeline::new(start), transport, shell.clone(), clock);
        let driver = driver.run(stream, move |snapshot| published.borrow_mut().push(snapshot));
        Self { driver: Box::pin(driver), commands, seen, now, shell }
    }

    /// A page with an endpoint by hand. Effects follow one another at once.
    pub(super) fn by_hand() -> (Self, Rc<Endpoint>) {
        let endpoint = Rc::new(Endpoint::default());
        (Self::new(session(lesson("s05")), Rc::new(Shared(endpoint.clone())), HandClock::default()), endpoint)
    }

    /// Lets the driver go on until it waits.
    pub(super) fn settle(&mut self) {
        let poll = self.driver.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(poll.is_pending(), "the driver runs as long as the page does");
    }

    pub(super) fn send(&mut self, command: Command) {
        self.commands.borrow_mut().push_back(command);
        self.settle();
    }

    pub(super) fn submit(&mut self, text: &str) {
        self.send(Command::Submit(text.into()));
    }

    pub(super) fn pass(&mut self, ms: f64) {
        self.now.set(self.now.get() + ms);
        self.settle();
    }

    pub(super) fn shown(&self) -> Snapshot {
        self.seen.borrow().last().expect("something was published").clone()
    }

    pub(super) fn live(&self) -> Session {
        self.shown().timeline.live().clone()
    }

    pub(super) fn count(&self, of: fn(&Step) -> bool) -> usize {
        self.shown().timeline.stops().iter().filter(|stop| of(&stop.step)).count()
    }
}
