//! What goes into a session (events, facts in the past tense) and what comes out of it (effects, wishes; steps, the
//! stops of the scrubber). Only data: the rules are in `agent.rs`.

use crate::fault::Fault;
use crate::lesson::HookPoint;
use crate::lesson::rules::Changes;
use crate::message::{ToolCall, Usage};
use crate::plan::Plan;
use crate::tools::ToolRun;
use crate::vfs::FsChange;
use crate::wire::draft::Draft;
use crate::wire::{Address, ModelEvent};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The number of a request within a session, from 1.
pub type RequestId = u32;

/// Which call: the request whose reply holds it, and its place among the calls of that reply, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallKey {
    /// The request.
    pub request: RequestId,
    /// The place among the reply's calls.
    pub index: usize,
}

/// Something that happened. A log of these is a recording: folding it gives every state again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The reader chose the model that the next requests name and go to.
    ModelChosen {
        /// The model's name.
        model: String,
        /// `max_tokens` of the requests; the lesson's own where there is none.
        max_tokens: Option<u32>,
        /// Where the requests go; none for the scripted model, and in logs from before this was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<Rc<Address>>,
        /// Whether the request that is awaited was not sent yet: then it is the first to go there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        held: bool,
    },
    /// The reader changed the rules. They hold from the next round on.
    RulesChanged {
        /// All that differs from the lesson from then on.
        changes: Changes,
        /// Whether the request that is awaited was not sent yet: then its round is the next one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        held: bool,
    },
    /// The reader sent a prompt.
    PromptSubmitted {
        /// The prompt, as typed.
        text: String,
    },
    /// A piece of the answer to a request was decoded.
    ModelEmitted {
        /// The request.
        request: RequestId,
        /// What the piece held, in order.
        events: Vec<ModelEvent>,
    },
    /// A request got no answer, or one that is no reply.
    ModelFailed {
        /// The request.
        request: RequestId,
        /// Why.
        fault: Fault,
    },
    /// A tool ran to its end.
    ToolFinished {
        /// The call.
        call: CallKey,
        /// What it did.
        run: ToolRun,
    },
    /// The reader answered a permission question.
    PermissionAnswered {
        /// The call asked about.
        call: CallKey,
        /// Whether it may run.
        allowed: bool,
    },
    /// A command of the reader's own ran to its end.
    Typed {
        /// The command.
        command: String,
        /// What it did.
        run: ToolRun,
    },
    /// The reader changed files by hand.
    Edited {
        /// How.
        changes: Vec<FsChange>,
    },
    /// The reader stopped the turn.
    Cancelled,
    /// The reader asked for the failed request again.
    Retried,
    /// The reader had the reminders moved behind the results, in every message of the history. Where a request is awaited,
    /// it was not sent yet.
    RemindersMoved,
}

/// A wish of the session. Each is answered by events that carry its id, exactly one of them final.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send [`Session::request`](super::Session::request), as it is then: another model may be chosen before.
    CallModel {
        /// Its number.
        request: RequestId,
    },
    /// Run this call against the session's workspace.
    RunTool {
        /// Which.
        key: CallKey,
        /// The call.
        call: Rc<ToolCall>,
    },
    /// Give up the request that is under way.
    AbortModel {
        /// Its number.
        request: RequestId,
    },
}

/// A question of the permission hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its heading, in the lesson's words.
    pub heading: String,
    /// The part of the command, or the path, that it is about.
    pub about: String,
}

/// A stop of the scrubber: what was reached. The state at that moment is kept beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The prompt was stored.
    Prompt {
        /// As typed.
        text: Rc<str>,
    },
    /// A hook ran.
    HookRan {
        /// Where.
        point: HookPoint,
        /// Its name.
        hook: Rc<str>,
        /// The call that it looked at.
        call: Option<Rc<ToolCall>>,
        /// What it printed.
        printed: Option<Rc<str>>,
        /// What it gave the model along with the prompt.
        added: Option<Rc<str>>,
        /// What it answered. That ended the chain: the hooks of this point behind it did not run. An answer at
        /// PreToolUse blocked the call, unless it is empty.
        answer: Option<Rc<str>>,
    },
    /// A request was made.
    Request {
        /// Its number.
        request: RequestId,
        /// How many messages it carries.
        messages: usize,
    },
    /// The reply is complete; it is the last message.
    Reply {
        /// The request that it answers.
        request: RequestId,
        /// Why the model stopped, as it says.
        stop_reason: Option<Rc<str>>,
        /// Tokens, where told.
        usage: Usage,
        /// How many calls it holds.
        calls: usize,
    },
    /// The reader is asked for permission.
    Asked {
        /// The call.
        call: Rc<ToolCall>,
        /// The question.
        question: Rc<Question>,
    },
    /// A call is being run.
    ToolCalled {
        /// The call.
        call: Rc<ToolCall>,
    },
    /// The plan was replaced.
    PlanReplaced {
        /// The call that did it.
        call: Rc<ToolCall>,
        /// The plan before.
        before: Rc<Plan>,
        /// The plan now.
        after: Rc<Plan>,
    },
    /// A plan update was refused; the plan stays.
    PlanRejected {
        /// The call.
        call: Rc<ToolCall>,
        /// The exception's text.
        error: Rc<str>,
    },
    /// A call has its result: the tool's output, or the text that stands for it.
    ToolReturned {
        /// The call.
        call: Rc<ToolCall>,
        /// The result as the model reads it.
        output: Rc<str>,
        /// What changed in the files.
        changes: Rc<[FsChange]>,
        /// How the result came about.
        outcome: Outcome,
    },
    /// All calls of a round have their results, and the counter was set.
    Counted {
        /// The counter now.
        idle: u32,
        /// Whether this round had a plan call that set it back.
        used_plan: bool,
    },
    /// The reminder was added to what the next request carries.
    ReminderAdded {
        /// Where.
        place: ReminderPlace,
        /// How far the counter had come.
        idle: u32,
        /// The last rounds without a plan call that led here, by the number of their request.
        rounds: Rc<[RequestId]>,
    },
    /// The reader changed the rules.
    RulesChanged {
        /// The places in the lesson's file whose values are others than before.
        places: Rc<[Rc<str>]>,
    },
    /// Reminders were moved behind the results, by the reader.
    RemindersMoved {
        /// Which.
        moved: Rc<[Moved]>,
    },
    /// A command of the reader's own ran.
    Typed {
        /// The command.
        command: Rc<str>,
        /// What it wrote.
        output: Rc<str>,
        /// What changed in the files.
        changes: Rc<[FsChange]>,
    },
    /// The reader changed files by hand.
    Edited {
        /// How.
        changes: Rc<[FsChange]>,
    },
    /// The turn is over.
    TurnEnded {
        /// How.
        ending: Ending,
        /// What came of a reply that was stopped; it is not in the history.
        partial: Option<Draft>,
    },
    /// The turn ended without an answer.
    Failed {
        /// Why.
        fault: Rc<Fault>,
        /// What came of the reply; it is not in the history.
        partial: Option<Draft>,
    },
}

impl Step {
    /// Whether it is something that the reader did beside the loop, which stays where it was.
    pub fn is_aside(&self) -> bool {
        match self {
            Self::RulesChanged { .. } | Self::RemindersMoved { .. } | Self::Typed { .. } | Self::Edited { .. } => true,
            Self::Prompt { .. }
            | Self::HookRan { .. }
            | Self::Request { .. }
            | Self::Reply { .. }
            | Self::Asked { .. }
            | Self::ToolCalled { .. }
            | Self::PlanReplaced { .. }
            | Self::PlanRejected { .. }
            | Self::ToolReturned { .. }
            | Self::Counted { .. }
            | Self::ReminderAdded { .. }
            | Self::TurnEnded { .. }
            | Self::Failed { .. } => false,
        }
    }
}

/// Where a reminder stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReminderPlace {
    /// In the messages: it is this block, or the end of it.
    Block {
        /// The message's place.
        message: usize,
        /// The block's place in it.
        block: usize,
    },
    /// At the end of the system prompt of the next request.
    System,
}

/// A block that was moved within its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The place of the message.
    pub message: usize,
    /// The block's place before.
    pub from: usize,
    /// Its place now.
    pub to: usize,
}

/// How a call came to its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The tool ran.
    Ran,
    /// A hook blocked it.
    Blocked,
    /// The reader stopped the turn before it ran, or the program ended.
    NotRun,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The model answered without a call.
    Answered,
    /// The reader stopped it.
    Stopped,
}
