//! The driver: it owns the timeline, performs effects through ports, and publishes what came of them.
//!
//! One task, one loop: take the next command or the next piece of an answer, record it, publish. Nothing else writes to
//! the timeline, so no lock or cell is held over an await. Knows no browser: `platform` gives the ports, tests give others.

pub mod breaks;
pub mod checked;
pub mod endpoint;
mod playout;
pub mod scripted;
pub mod shell;

use crate::agent::{CallKey, Effect, Event, Phase, RequestId};
use crate::fault::Fault;
use crate::lesson::rules::Changes;
use crate::timeline::Timeline;
use crate::tools::{self, Started, ToolRun, bash};
use crate::vfs::FsChange;
use crate::wire::answer::{Answer, Head};
use crate::wire::anthropic::Encoder;
use crate::wire::checker::Finding;
use crate::wire::{Address, ModelRequest};
use breaks::{Break, Breaks};
use futures_core::future::LocalBoxFuture;
use futures_core::stream::{LocalBoxStream, Stream};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use shell::{Report, Reports, Running, Shell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A piece of an HTTP answer.
#[derive(Debug, Clone)]
pub enum Chunk {
    /// Status and headers; the first piece.
    Head(Head),
    /// Bytes of the body, cut anywhere.
    Bytes(Vec<u8>),
    /// Nothing was sent, since the API would refuse it: what the checker found. The first and last piece.
    Objections(Rc<[Finding]>),
}

/// An answer as it arrives. It ends with the body, or with a fault. Dropping it gives the request up.
pub type Chunks = LocalBoxStream<'static, Result<Chunk, Fault>>;

/// The port to a model.
pub trait Transport {
    /// Sends a request. `body` is its exact text; `request` is the same as values.
    fn open(&self, request: &ModelRequest, body: String) -> Chunks;

    /// Sends a request to which it had objections, or would have: the reader wants it so.
    fn open_unchecked(&self, request: &ModelRequest, body: String) -> Chunks {
        self.open(request, body)
    }
}

/// The port to time and to the machine's other work.
pub trait Clock {
    /// Milliseconds since some fixed moment.
    fn now(&self) -> f64;
    /// Waits.
    fn sleep(&self, ms: u32) -> LocalBoxFuture<'static, ()>;
    /// Lets others run: rendering, input. Called between effects; it may return at once while little time has passed.
    fn breathe(&self) -> LocalBoxFuture<'static, ()>;
}

/// What the reader wants.
pub enum Command {
    /// Begin another run from this timeline.
    Open(Timeline),
    /// Ask this model from the next request on, which may be one that is held back.
    UseModel {
        /// Its name.
        model: String,
        /// The reader's `max_tokens`; the lesson's where there is none.
        max_tokens: Option<u32>,
        /// Where it is, for the log; none for the scripted model.
        address: Option<Rc<Address>>,
        /// How to reach it.
        transport: Rc<dyn Transport>,
    },
    /// Go by a lesson with these changes from the next round on, which may be one whose request is held back. Ignored
    /// where they cannot be made.
    ChangeRules(Changes),
    /// Send a prompt.
    Submit(String),
    /// Perform effects as they come.
    Run,
    /// Hold effects back, after the one in flight.
    Pause,
    /// Perform the next effect, then hold.
    Step,
    /// Perform effects up to the next request, which is held back.
    StepRound,
    /// Hold from now on at these things.
    HoldAt(BTreeSet<Break>),
    /// End the reader's command, where one is running; else the turn.
    Stop,
    /// Answer a permission question.
    Answer {
        /// The call asked about.
        call: CallKey,
        /// Whether it may run.
        allowed: bool,
    },
    /// Ask again after a fault.
    Retry,
    /// Send the request to which there are objections as it is.
    SendAnyway,
    /// Move the reminders behind the results in the whole history, and send the request that waits, or the one that failed
    /// again. Ignored while a request is under way.
    MoveReminders,
    /// Run a command of the reader's own. Ignored while a call is being run.
    Type(String),
    /// Change files by the reader's hand. Ignored while a command is running.
    Edit(Vec<FsChange>),
}

/// Whether effects are performed as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// They are.
    Run,
    /// They wait, but for so many.
    Hold(u32),
}

/// What is published after each change.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The run so far.
    pub timeline: Timeline,
    /// Whether effects are held back.
    pub holding: bool,
    /// Whether an effect is being performed.
    pub busy: bool,
    /// Whether an effect waits to be performed.
    pub waiting: bool,
    /// The command that is running, the model's or the reader's.
    pub running: Option<Rc<Running>>,
    /// Why the request that waits was not sent: the API would refuse it. It waits for the reader's word.
    pub objections: Option<Rc<[Finding]>>,
    /// The stop at which the run was held, by what the reader wants it to be held at.
    pub held_at: Option<usize>,
    /// Grows with every publication: two snapshots of one driver are equal where this is.
    pub revision: u64,
}

impl Snapshot {
    /// What there is to see before a driver has published anything.
    pub fn idle(timeline: Timeline) -> Self {
        Self {
            timeline,
            holding: false,
            busy: false,
            waiting: false,
            running: None,
            objections: None,
            held_at: None,
            revision: 0,
        }
    }
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.revision == other.revision
    }
}

/// The driver of one page.
pub struct Driver {
    timeline: Timeline,
    transport: Rc<dyn Transport>,
    shell: Rc<dyn Shell>,
    clock: Rc<dyn Clock>,
    encoder: Encoder,
    gate: Gate,
    breaks: Breaks,
    held_at: Option<usize>,
    queue: VecDeque<Effect>,
    inflight: Option<Inflight>,
    /// Why the first of the queue, a request, waits for the reader's word.
    objections: Option<Rc<[Finding]>>,
    /// Whether the next request goes out whatever is said against it.
    unchecked: bool,
    revision: u64,
}

/// What is under way: one thing at a time. Dropping it gives it up.
enum Inflight {
    Request { request: RequestId, chunks: Chunks, answer: Option<Answer> },
    Command { by: By, reports: Reports, running: Rc<Running> },
}

/// Whose command it is.
enum By {
    Model(CallKey),
    Reader(String),
}

enum Next {
    Command(Option<Command>),
    Chunk(Option<Result<Chunk, Fault>>),
    Report(Option<Report>),
}

impl Driver {
    /// A driver that has nothing to do yet.
    pub fn new(timeline: Timeline, transport: Rc<dyn Transport>, shell: Rc<dyn Shell>, clock: Rc<dyn Clock>) -> Self {
        Self {
            timeline,
            transport,
            shell,
            clock,
            encoder: Encoder::default(),
            gate: Gate::Run,
            breaks: Breaks::default(),
            held_at: None,
            queue: VecDeque::new(),
            inflight: None,
            objections: None,
            unchecked: false,
            revision: 0,
        }
    }

    /// Takes commands until there are no more, and publishes a snapshot after each change.
    pub async fn run(mut self, commands: impl Stream<Item = Command>, publish: impl Fn(Snapshot)) {
        futures_util::pin_mut!(commands);
        publish(self.snapshot());
        loop {
            // Commands first, so that Stop and Pause are obeyed in the middle of an instant run.
            if self.inflight.is_none() && self.may_perform() {
                self.clock.breathe().await;
                match futures_util::poll!(commands.next()) {
                    std::task::Poll::Ready(Some(command)) => self.obey(command),
                    std::task::Poll::Ready(None) => return,
                    std::task::Poll::Pending => self.perform_next(),
                }
                publish(self.snapshot());
                continue;
            }
            let next = match &mut self.inflight {
                None => Next::Command(commands.next().await),
                Some(Inflight::Request { chunks, .. }) => match select(commands.next(), chunks.next()).await {
                    Either::Left((command, _)) => Next::Command(command),
                    Either::Right((chunk, _)) => Next::Chunk(chunk),
                },
                Some(Inflight::Command { reports, .. }) => match select(commands.next(), reports.next()).await {
                    Either::Left((command, _)) => Next::Command(command),
                    Either::Right((report, _)) => Next::Report(report),
                },
            };
            match next {
                Next::Command(None) => return,
                Next::Command(Some(command)) => self.obey(command),
                Next::Chunk(chunk) => self.take(chunk),
                Next::Report(report) => self.hear(report),
            }
            publish(self.snapshot());
        }
    }

    fn snapshot(&mut self) -> Snapshot {
        self.revision += 1;
        Snapshot {
            timeline: self.timeline.clone(),
            holding: self.gate != Gate::Run,
            busy: self.inflight.is_some(),
            waiting: !self.queue.is_empty(),
            running: match &self.inflight {
                Some(Inflight::Command { running, .. }) => Some(running.clone()),
                _ => None,
            },
            objections: self.objections.clone(),
            held_at: self.held_at,
            revision: self.revision,
        }
    }

    fn may_perform(&self) -> bool {
        !self.queue.is_empty() && self.gate != Gate::Hold(0) && self.objections.is_none()
    }

    /// Whether a request waits to be sent.
    fn holds_request(&self) -> bool {
        self.queue.iter().any(|effect| matches!(effect, Effect::CallModel { .. }))
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Open(timeline) => {
                self.queue.clear();
                self.inflight = None;
                self.objections = None;
                self.encoder = Encoder::default();
                self.go_on(Gate::Run, false);
                self.timeline = timeline;
                // Effects are never run again, so a run that was left in the middle of a turn has nothing to wait for.
                if !self.timeline.live().takes_prompt() {
                    self.record(Event::Cancelled);
                }
            }
            Command::UseModel { model, max_tokens, address, transport } => {
                self.transport = transport;
                // Another endpoint has its own say.
                self.objections = None;
                let held = self.holds_request();
                self.record(Event::ModelChosen { model, max_tokens, address, held });
            }
            Command::ChangeRules(changes) => {
                if self.timeline.live().rules.with(changes.clone()).is_ok() {
                    let held = self.holds_request();
                    self.record(Event::RulesChanged { changes, held });
                }
            }
            Command::Submit(text) => self.record(Event::PromptSubmitted { text }),
            Command::Run => self.go_on(Gate::Run, false),
            Command::Pause => self.go_on(Gate::Hold(0), false),
            Command::Step => {
                // Pressed again while an effect is in flight, it does not ask for a second one.
                let steps = if self.inflight.is_none() && !self.queue.is_empty() { 1 } else { 0 };
                self.go_on(Gate::Hold(steps), false);
            }
            Command::StepRound => self.go_on(Gate::Run, true),
            Command::HoldAt(at) => self.breaks.at = at,
            Command::Stop => match self.inflight.take() {
                // Only the reader's command ends: a turn that is held goes on later. What it wrote so far is kept, with
                // the mark that a terminal sets there.
                Some(Inflight::Command { by: By::Reader(command), running, .. }) => {
                    let run = ToolRun { output: format!("{}^C", running.output), ..ToolRun::default() };
                    self.record(Event::Typed { command, run });
                }
                _ => {
                    self.queue.clear();
                    self.objections = None;
                    self.record(Event::Cancelled);
                }
            },
            Command::Answer { call, allowed } => self.record(Event::PermissionAnswered { call, allowed }),
            Command::Retry => self.record(Event::Retried),
            Command::SendAnyway => self.unchecked = self.overrule(),
            Command::MoveReminders => {
                if !matches!(self.inflight, Some(Inflight::Request { .. })) {
                    self.overrule();
                    self.record(Event::RemindersMoved);
                    if matches!(self.timeline.live().phase, Phase::Stopped { .. }) {
                        self.record(Event::Retried);
                    }
                }
            }
            Command::Type(command) => self.type_in(command),
            Command::Edit(changes) => {
                // A command works on the files as they were when it began, and its changes must still fit at its end.
                if !matches!(self.inflight, Some(Inflight::Command { .. })) {
                    self.record(Event::Edited { changes });
                }
            }
        }
    }

    /// Goes on, or holds, as the reader says; to the next request only, or as far as it gets.
    fn go_on(&mut self, gate: Gate, next_request: bool) {
        self.gate = gate;
        self.breaks.next_request = next_request;
        self.held_at = None;
    }

    /// Lets the request go on to which there are objections, if there is one: that is a step of its own where the run is
    /// held.
    fn overrule(&mut self) -> bool {
        let overruled = self.objections.take().is_some();
        if overruled && self.gate == Gate::Hold(0) {
            self.gate = Gate::Hold(1);
        }
        overruled
    }

    /// Runs the reader's command, unless something else is under way.
    fn type_in(&mut self, command: String) {
        if self.inflight.is_some() {
            return;
        }
        let session = self.timeline.live();
        let (rules, files) = (&session.lesson.texts.bash, &session.workspace.vfs);
        if let Ok(job) = bash::job(rules, &session.workdir, files, &command.as_str().into()) {
            self.begin(By::Reader(command), job);
        }
    }

    fn begin(&mut self, by: By, job: bash::Job) {
        let reports = self.shell.run(job);
        self.inflight = Some(Inflight::Command { by, reports, running: Rc::default() });
    }

    /// Logs an event and queues what the session wishes for. Giving a request up never waits.
    fn record(&mut self, event: Event) {
        let at = (self.clock.now() * 1000.0).round() / 1000.0;
        let known = self.timeline.stops().len();
        for effect in self.timeline.record(at, event) {
            match effect {
                Effect::AbortModel { request } => {
                    if matches!(self.inflight, Some(Inflight::Request { request: id, .. }) if id == request) {
                        self.inflight = None;
                    }
                }
                effect => self.queue.push_back(effect),
            }
        }
        // The turn may have ended, and then there is nothing to hold.
        let held = self.timeline.stops().iter().skip(known).position(|stop| self.breaks.hold(&stop.step));
        if let Some(held) = held.filter(|_| !self.timeline.live().takes_prompt()) {
            self.go_on(Gate::Hold(0), false);
            self.held_at = Some(known + held);
        }
    }

    fn perform_next(&mut self) {
        if let Gate::Hold(left) = &mut self.gate {
            *left = left.saturating_sub(1);
        }
        match self.queue.pop_front() {
            Some(Effect::CallModel { request }) => {
                let asked = self.timeline.live().request();
                let body = self.encoder.body(&asked, true);
                let chunks = match std::mem::take(&mut self.unchecked) {
                    true => self.transport.open_unchecked(&asked, body),
                    false => self.transport.open(&asked, body),
                };
                self.inflight = Some(Inflight::Request { request, chunks, answer: None });
            }
            Some(Effect::RunTool { key, call }) => {
                let session = self.timeline.live();
                match tools::start(session.lesson.toolbox(), &session.workdir, &session.workspace, &call) {
                    Started::Finished(run) => self.record(Event::ToolFinished { call: key, run }),
                    Started::Command(job) => self.begin(By::Model(key), job),
                }
            }
            Some(Effect::AbortModel { .. }) | None => {}
        }
    }

    fn give_up(&mut self, request: RequestId, fault: Fault) {
        self.inflight = None;
        self.record(Event::ModelFailed { request, fault });
    }

    /// Takes the next piece of the answer that is under way.
    fn take(&mut self, chunk: Option<Result<Chunk, Fault>>) {
        let Some(Inflight::Request { request, answer, .. }) = &mut self.inflight else { return };
        let request = *request;
        let events = match (chunk, answer) {
            (Some(Ok(Chunk::Head(head))), answer) => {
                *answer = Some(Answer::new(head));
                return;
            }
            (Some(Ok(Chunk::Objections(found))), _) => {
                self.inflight = None;
                self.objections = Some(found);
                self.queue.push_front(Effect::CallModel { request });
                return;
            }
            (Some(Ok(Chunk::Bytes(bytes))), Some(answer)) => answer.push(&bytes),
            (None, Some(answer)) => answer.finish(),
            (Some(Err(fault)), _) => return self.give_up(request, fault),
            (Some(Ok(Chunk::Bytes(_))) | None, None) => return self.give_up(request, Fault::CutStream),
        };
        if !events.is_empty() {
            self.record(Event::ModelEmitted { request, events });
        }
        // The reply may be complete before the body is: what is left of the body has nothing more to say.
        let awaited = matches!(&self.timeline.live().phase, Phase::AwaitingModel { request: id, .. } if *id == request);
        if !awaited {
            self.inflight = None;
        }
    }

    /// Takes the next report of the command that is running.
    fn hear(&mut self, report: Option<Report>) {
        let Some(Inflight::Command { running, .. }) = &mut self.inflight else { return };
        let ended = match report {
            Some(Report::Ended(ended)) => ended,
            Some(report) => return Rc::make_mut(running).take(&report),
            None => Err(bash::Broken::Failed("the sandbox ended without an answer".into())),
        };
        let Some(Inflight::Command { by, .. }) = self.inflight.take() else { return };
        let run = tools::finish(self.timeline.live().lesson.toolbox(), ended);
        self.record(match by {
            By::Model(call) => Event::ToolFinished { call, run },
            By::Reader(command) => Event::Typed { command, run },
        });
    }
}
