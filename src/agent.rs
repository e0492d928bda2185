//! The loop of the lesson as a state machine: events in, effects and steps out. No clock, no I/O, no async, no page.
//!
//! What each event does in each phase; "–" means that it is ignored, as is every event that carries the id of another
//! request or call than the one awaited:
//!
//! | event | Idle | AwaitingModel | RunningTools | AwaitingPermission | Stopped |
//! |---|---|---|---|---|---|
//! | PromptSubmitted | turn begins | – | – | – | turn begins |
//! | ModelEmitted | – | draft grows; complete: round or end | – | – | – |
//! | ModelFailed | – | Stopped | – | – | – |
//! | ToolFinished | – | – | result; next call, or round ends | – | – |
//! | PermissionAnswered | – | – | – | next question, call, or refusal | – |
//! | Cancelled | – | Idle, request aborted | Idle, open calls answered | Idle, open calls answered | – |
//! | Retried | – | – | – | – | same request again |
//! | RemindersMoved | history changes | history changes | – | – | history changes |
//! | ModelChosen | from the next request that is sent on, in every phase |||||
//! | RulesChanged | from the next round on, in every phase |||||
//! | Typed, Edited | the files change, in every phase |||||
//!
//! Every event leaves a history in which each call of a reply is answered once, in the message right after it; unless
//! the lesson goes by the stop reason, and a reply with calls gave another.

mod chain;
pub mod event;
mod hooks;
mod reminder;
mod repair;
mod request;

pub use event::{CallKey, Effect, Ending, Event, Moved, Outcome, Question, ReminderPlace, RequestId, Step};
pub use reminder::Counter;

use crate::fault::Fault;
use crate::lesson::rules::Rules;
use crate::lesson::{Hook, HookPoint, Lesson, StopRule};
use crate::message::{Block, Content, Message, Role, ToolCall, ToolSpec};
use crate::tools::ToolRun;
use crate::vfs::{AbsPath, FsChange};
use crate::wire::draft::Draft;
use crate::wire::{Address, ModelEvent};
use crate::workspace::{Change, Workspace};
use chain::{Gate, Told};
use rpds::Vector;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a call gets for a result when the turn ends before it ran, by Stop or by a crash. The page's words: the lesson's
/// program has no Stop, and without a result the next request would be refused.
pub const NOT_RUN: &str = "(not run: the turn was stopped)";

/// A run of a lesson: its rules, its history, its workspace and where in the loop it is. A clone costs O(1).
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// The rules of this round.
    pub lesson: Rc<Lesson>,
    /// The rules of the next one, and how they came about.
    pub rules: Rc<Rules>,
    /// The working directory.
    pub workdir: AbsPath,
    /// The messages of the next request, all that is settled.
    pub transcript: Vector<Rc<Message>>,
    /// The files and the plan.
    pub workspace: Workspace,
    /// The rounds without a plan call.
    pub counter: Counter,
    /// Where in the loop it is.
    pub phase: Phase,
    /// The number of the turn, from 1; 0 before the first prompt.
    pub turn: u32,
    /// The number of the last request; 0 before the first.
    pub last_request: RequestId,
    system: Rc<str>,
    /// The reminder, while it stands in the system prompt.
    system_note: Option<Rc<str>>,
    tools: Rc<[ToolSpec]>,
    model: Rc<str>,
    max_tokens: Option<u32>,
    address: Option<Rc<Address>>,
    /// Tool results of the whole session, for the Stop hook's summary.
    results: usize,
    /// How often each hook, by its name, has answered.
    answered: Rc<BTreeMap<Rc<str>, u32>>,
}

/// Where in the loop a session is.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// Waiting for a prompt.
    Idle,
    /// A request is under way.
    AwaitingModel {
        /// Its number.
        request: RequestId,
        /// What came of the reply so far.
        draft: Draft,
    },
    /// A call is being run.
    RunningTools(Rc<Round>),
    /// The reader is asked whether a call may run.
    AwaitingPermission {
        /// The round.
        round: Rc<Round>,
        /// The questions still open, the one asked now first.
        questions: Rc<[Rc<Question>]>,
        /// The hook that asks.
        hook: Rc<Hook>,
    },
    /// The turn ended without an answer; it can be retried.
    Stopped {
        /// Why.
        fault: Rc<Fault>,
    },
}

/// The calls of one reply, and the results so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The request whose reply holds the calls.
    pub request: RequestId,
    /// The calls, in the reply's order; each is run after the one before.
    pub calls: Vec<Rc<ToolCall>>,
    /// The blocks of the user message that is being built: a result for each call so far, and the reminder.
    pub results: Vec<Block>,
    /// The place of the last call that set the counter back.
    pub plan_call: Option<usize>,
    /// The reminder, where it is a message of its own behind the results.
    pub reminder: Option<Block>,
}

impl Phase {
    fn round(&self) -> Option<&Round> {
        match self {
            Self::RunningTools(round) | Self::AwaitingPermission { round, .. } => Some(round),
            _ => None,
        }
    }
}

/// What an event led to, in order.
#[derive(Debug, Default)]
pub struct Outbox {
    /// What the session wishes for.
    pub effects: Vec<Effect>,
    /// What was reached, each with the session at that moment.
    pub steps: Vec<(Step, Session)>,
}

impl Session {
    /// A session of a lesson as it is taught, before its first prompt.
    pub fn new(lesson: Rc<Lesson>, workdir: AbsPath, workspace: Workspace) -> Self {
        Self::with_rules(Rules::unchanged(lesson), workdir, workspace)
    }

    /// A session before its first prompt.
    pub fn with_rules(rules: Rules, workdir: AbsPath, workspace: Workspace) -> Self {
        let mut session = Self {
            system: "".into(),
            system_note: None,
            tools: Rc::new([]),
            answered: Rc::default(),
            lesson: rules.lesson.clone(),
            rules: Rc::new(rules),
            workdir,
            transcript: Vector::new(),
            workspace,
            counter: Counter::default(),
            phase: Phase::Idle,
            turn: 0,
            last_request: 0,
            model: "".into(),
            max_tokens: None,
            address: None,
            results: 0,
        };
        session.adopt();
        session
    }

    /// Goes by the rules that were chosen last.
    fn adopt(&mut self) {
        self.lesson = self.rules.lesson.clone();
        let lesson = &self.lesson;
        self.system = lesson.system.replace("{workdir}", self.workdir.as_str()).into();
        self.tools = lesson.tools.iter().map(|tool| tool.spec.clone()).collect();
    }

    fn adopt_new(&mut self) {
        if !Rc::ptr_eq(&self.lesson, &self.rules.lesson) {
            self.adopt();
        }
    }

    /// Whether a prompt would be taken.
    pub fn takes_prompt(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Stopped { .. })
    }

    /// Takes note of something that happened.
    pub fn apply(&mut self, event: &Event) -> Outbox {
        let mut out = Outbox::default();
        match event {
            Event::ModelChosen { model, max_tokens, address, .. } => {
                self.model = model.as_str().into();
                self.max_tokens = *max_tokens;
                self.address = address.clone();
            }
            Event::RulesChanged { changes, held } => {
                if let Ok(rules) = self.rules.with(changes.clone()) {
                    let places = rules.changes.differ(&self.rules.changes);
                    self.rules = Rc::new(rules);
                    let before_its_round = *held && matches!(self.phase, Phase::AwaitingModel { .. });
                    if before_its_round || self.takes_prompt() {
                        self.adopt_new();
                    }
                    self.step(Step::RulesChanged { places }, &mut out);
                }
            }
            Event::PromptSubmitted { text } => {
                if self.takes_prompt() {
                    self.begin_turn(text, &mut out);
                }
            }
            Event::ModelEmitted { request, events } => {
                for event in events {
                    self.model_emitted(*request, event, &mut out);
                }
            }
            Event::ModelFailed { request, fault } => {
                if self.awaits(*request) {
                    self.fail(fault.clone(), &mut out);
                }
            }
            Event::ToolFinished { call, run } => {
                if let Phase::RunningTools(round) = &self.phase
                    && round.key() == *call
                {
                    let round = (**round).clone();
                    self.tool_finished(round, run, &mut out);
                }
            }
            Event::PermissionAnswered { call, allowed } => {
                if let Phase::AwaitingPermission { round, questions, hook } = &self.phase
                    && round.key() == *call
                {
                    let (round, questions, hook) = ((**round).clone(), questions.clone(), hook.clone());
                    self.permission_answered(round, &questions, hook, *allowed, &mut out);
                }
            }
            Event::Typed { command, run } => {
                let changes = fs_changes(&run.changes);
                if self.workspace.apply(&run.changes).is_ok() {
                    let (command, output) = (command.as_str().into(), run.output.as_str().into());
                    self.step(Step::Typed { command, output, changes }, &mut out);
                }
            }
            Event::Edited { changes } => {
                let files: Vec<Change> = changes.iter().cloned().map(Change::Fs).collect();
                if self.workspace.apply(&files).is_ok() {
                    self.step(Step::Edited { changes: changes.as_slice().into() }, &mut out);
                }
            }
            Event::Cancelled => self.cancel(&mut out),
            Event::Retried => {
                if matches!(self.phase, Phase::Stopped { .. }) {
                    self.call_model(&mut out);
                }
            }
            Event::RemindersMoved => self.move_reminders(&mut out),
        }
        out
    }

    fn step(&self, step: Step, out: &mut Outbox) {
        out.steps.push((step, self.clone()));
    }

    fn push(&mut self, message: Message) {
        self.transcript.push_back_mut(Rc::new(message));
    }

    fn awaits(&self, id: RequestId) -> bool {
        matches!(self.phase, Phase::AwaitingModel { request, .. } if request == id)
    }

    fn begin_turn(&mut self, text: &str, out: &mut Outbox) {
        self.turn += 1;
        self.phase = Phase::Idle;
        self.adopt_new();
        if let Some(rules) = &self.lesson.reminder {
            self.counter.prompt(rules);
        }
        let added = self.run_hooks(HookPoint::UserPromptSubmit, None, out).added;
        self.push(Message::prompt_with(text, &added));
        self.step(Step::Prompt { text: text.into() }, out);
        self.call_model(out);
    }

    fn call_model(&mut self, out: &mut Outbox) {
        self.adopt_new();
        self.last_request += 1;
        let request = self.last_request;
        self.phase = Phase::AwaitingModel { request, draft: Draft::new() };
        self.step(Step::Request { request, messages: self.transcript.len() }, out);
        out.effects.push(Effect::CallModel { request });
    }

    fn model_emitted(&mut self, id: RequestId, event: &ModelEvent, out: &mut Outbox) {
        let Phase::AwaitingModel { request, draft } = &mut self.phase else { return };
        if *request != id {
            return;
        }
        let read = match event {
            ModelEvent::Failed(fault) => Err(fault.clone()),
            event => draft.apply(event),
        };
        let reply = read.and_then(|()| if draft.is_finished() { draft.reply().map(Some) } else { Ok(None) });
        match reply {
            Ok(None) => {}
            Ok(Some(reply)) => {
                let calls: Vec<_> = reply
                    .blocks
                    .iter()
                    .filter_map(|block| match block {
                        Block::ToolUse(call) => Some(Rc::new(call.clone())),
                        _ => None,
                    })
                    .collect();
                self.push(Message { role: Role::Assistant, content: Content::Blocks(reply.blocks) });
                self.system_note = None;
                let round = Round { request: id, calls, results: Vec::new(), plan_call: None, reminder: None };
                self.phase = Phase::RunningTools(Rc::new(round.clone()));
                let is_over = match self.lesson.stop {
                    StopRule::NoCall => round.calls.is_empty(),
                    StopRule::StopReason => reply.stop_reason.as_deref() != Some("tool_use"),
                };
                let stop_reason = reply.stop_reason.map(Rc::from);
                self.step(Step::Reply { request: id, stop_reason, usage: reply.usage, calls: round.calls.len() }, out);
                match is_over {
                    true => self.stop(out),
                    false => self.next_call(round, out),
                }
            }
            Err(fault) => {
                out.effects.push(Effect::AbortModel { request: id });
                self.fail(fault, out);
            }
        }
    }

    /// The loop has come to its end: the Stop hooks decide whether the turn is over.
    fn stop(&mut self, out: &mut Outbox) {
        match self.run_hooks(HookPoint::Stop, None, out).answer {
            Some(answer) if !answer.is_empty() => {
                self.push(Message::prompt(&*answer));
                self.call_model(out);
            }
            _ => {
                self.phase = Phase::Idle;
                self.step(Step::TurnEnded { ending: Ending::Answered, partial: None }, out);
            }
        }
    }

    /// Goes on with the first call that has no result, or ends the round.
    fn next_call(&mut self, mut round: Round, out: &mut Outbox) {
        loop {
            self.phase = Phase::RunningTools(Rc::new(round.clone()));
            let Some(call) = round.call().cloned() else { return self.end_round(round, out) };
            let gate = self.pre_tool_use(0, &call, out);
            match self.pass(gate, round, call, out) {
                Some(blocked) => round = blocked,
                None => return,
            }
        }
    }

    /// Does with a call what its gate says. Returns the round where the call has its result already.
    fn pass(&mut self, gate: Gate, round: Round, call: Rc<ToolCall>, out: &mut Outbox) -> Option<Round> {
        match gate {
            Gate::Open => {
                let key = round.key();
                self.phase = Phase::RunningTools(Rc::new(round));
                self.step(Step::ToolCalled { call: call.clone() }, out);
                out.effects.push(Effect::RunTool { key, call });
            }
            Gate::Blocked(text) => {
                return Some(self.returned(round, &call, text, Rc::new([]), Outcome::Blocked, out));
            }
            Gate::Asking { questions, hook } => {
                let question = questions[0].clone();
                self.phase = Phase::AwaitingPermission { round: Rc::new(round), questions, hook };
                self.step(Step::Asked { call, question }, out);
            }
            Gate::Raised(exception) => {
                self.close_round(round, out);
                self.fail(Fault::Crashed { exception }, out);
            }
        }
        None
    }

    fn permission_answered(
        &mut self,
        round: Round,
        questions: &[Rc<Question>],
        hook: Rc<Hook>,
        allowed: bool,
        out: &mut Outbox,
    ) {
        let call = round.calls[round.results.len()].clone();
        self.phase = Phase::RunningTools(Rc::new(round.clone()));
        let gate = match (allowed, questions) {
            (false, _) => {
                let refused: Rc<str> = hook.refusal().unwrap_or_default().into();
                self.hook_ran(&hook, Some(&call), Told { answer: Some(refused.clone()), ..Told::default() }, out);
                Gate::Blocked(refused)
            }
            (true, [_, open @ ..]) if !open.is_empty() => Gate::Asking { questions: open.into(), hook },
            (true, _) => {
                self.hook_ran(&hook, Some(&call), Told::default(), out);
                self.pre_tool_use(self.lesson.behind_hook(&hook.name), &call, out)
            }
        };
        if let Some(round) = self.pass(gate, round, call, out) {
            self.next_call(round, out);
        }
    }

    fn tool_finished(&mut self, mut round: Round, run: &ToolRun, out: &mut Outbox) {
        let call = round.calls[round.results.len()].clone();
        let before = self.workspace.plan.clone();
        let applied = self.workspace.apply(&run.changes);
        if let Some(exception) = run.crash.clone().or(applied.err()) {
            self.close_round(round, out);
            return self.fail(Fault::Crashed { exception }, out);
        }
        let after = self.workspace.plan.clone();
        let replaced = run.changes.iter().any(|change| matches!(change, Change::Plan(_)));
        if self.lesson.is_plan_tool(&call.name) && self.resets_counter(replaced) {
            round.plan_call = Some(round.results.len());
        }
        if replaced {
            self.step(Step::PlanReplaced { call: call.clone(), before, after }, out);
        }
        if let Some(error) = &run.plan_error {
            self.step(Step::PlanRejected { call: call.clone(), error: error.as_str().into() }, out);
        }
        let (output, changes) = (run.output.as_str().into(), fs_changes(&run.changes));
        let round = self.returned(round, &call, output, changes, Outcome::Ran, out);
        self.run_hooks(HookPoint::PostToolUse, Some((&call, &run.output)), out);
        self.next_call(round, out);
    }

    /// Adds a call's result to the round.
    fn returned(
        &mut self,
        mut round: Round,
        call: &Rc<ToolCall>,
        output: Rc<str>,
        changes: Rc<[FsChange]>,
        outcome: Outcome,
        out: &mut Outbox,
    ) -> Round {
        round.results.push(Block::ToolResult { tool_use_id: call.id.clone(), content: output.to_string() });
        self.results += 1;
        self.phase = Phase::RunningTools(Rc::new(round.clone()));
        self.step(Step::ToolReturned { call: call.clone(), output, changes, outcome }, out);
        round
    }

    /// Every call has its result: the counter is set, the reminder added where due, and the message goes out.
    fn end_round(&mut self, mut round: Round, out: &mut Outbox) {
        let calls = round.results.len() - round.plan_call.map_or(0, |place| place + 1);
        self.count(&round, calls, out);
        self.remind(&mut round, out);
        self.push(Message::results(round.results));
        if let Some(reminder) = round.reminder {
            self.push(Message::results(vec![reminder]));
        }
        self.call_model(out);
    }

    /// Answers the calls that have no result, so that the history stays valid, and stores the message. A round that was
    /// broken off is no idle one, but a plan call that ran in it has reset the counter.
    fn close_round(&mut self, mut round: Round, out: &mut Outbox) {
        while let Some(call) = round.calls.get(round.results.len()).cloned() {
            round = self.returned(round, &call, NOT_RUN.into(), Rc::new([]), Outcome::NotRun, out);
        }
        if round.plan_call.is_some() {
            self.count(&round, 0, out);
        }
        self.push(Message::results(round.results));
    }

    fn cancel(&mut self, out: &mut Outbox) {
        let partial = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::AwaitingModel { request, draft } => {
                out.effects.push(Effect::AbortModel { request });
                Some(draft)
            }
            Phase::RunningTools(round) | Phase::AwaitingPermission { round, .. } => {
                self.close_round((*round).clone(), out);
                None
            }
            phase @ (Phase::Idle | Phase::Stopped { .. }) => {
                self.phase = phase;
                return;
            }
        };
        self.phase = Phase::Idle;
        self.step(Step::TurnEnded { ending: Ending::Stopped, partial }, out);
    }

    fn fail(&mut self, fault: Fault, out: &mut Outbox) {
        let fault = Rc::new(fault);
        let partial = match std::mem::replace(&mut self.phase, Phase::Stopped { fault: fault.clone() }) {
            Phase::AwaitingModel { draft, .. } => Some(draft),
            _ => None,
        };
        self.step(Step::Failed { fault, partial }, out);
    }
}

/// Those of the changes that are to files.
fn fs_changes(changes: &[Change]) -> Rc<[FsChange]> {
    let files = changes.iter().filter_map(|change| match change {
        Change::Fs(change) => Some(change.clone()),
        Change::Plan(_) => None,
    });
    files.collect()
}

impl Round {
    /// The call that has no result yet, or the one after the last.
    pub fn key(&self) -> CallKey {
        CallKey { request: self.request, index: self.results.len() }
    }

    /// The call that is run or asked about now.
    pub fn call(&self) -> Option<&Rc<ToolCall>> {
        self.calls.get(self.results.len())
    }
}
