//! A lesson: the rules of a teaching program, as data. What the programs disagree on is a field here, never a branch
//! on a lesson's name. The JSON files stand in `lesson/`; `{workdir}` in a text is the working directory.

mod console;
pub mod described;
mod hook;
pub mod rules;

use crate::data::{self, record, words};
use crate::language::Bilingual;
use crate::plan::PlanRules;
use crate::tools::arguments::Binding;
use crate::tools::{Guard, Texts, Tool, Toolbox};
use rules::Changes;
use serde::Serialize;
use std::collections::BTreeSet;

pub use console::{AnswerForm, Colour, ConsoleRules};
pub use hook::{Hook, HookPoint, HookRule, PermissionRules, PlanCondition};

/// The rules of one teaching program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lesson {
    /// Its name in links and logs.
    pub id: String,
    /// Its name for readers.
    pub title: Bilingual,
    /// What it is about, in a sentence.
    pub summary: Bilingual,
    /// The lesson that it grew out of, by its id.
    pub predecessor: Option<String>,
    /// The system prompt.
    pub system: String,
    /// The `max_tokens` of every request.
    pub max_tokens: u32,
    /// When a turn is over.
    pub stop: StopRule,
    /// The tools, in the order in which the model is told of them.
    pub tools: Vec<Tool>,
    /// How a call's arguments reach the tool's function.
    pub binding: Binding,
    /// Which exceptions of a tool become its result.
    pub guard: Guard,
    /// The plan tool's rules; none where the lesson has no plan.
    pub plan: Option<PlanRules>,
    /// The reminder's rules; none where the lesson has no counter.
    pub reminder: Option<ReminderRules>,
    /// The hooks, in the order in which they were registered.
    pub hooks: Vec<Hook>,
    /// What the program prints.
    pub console: ConsoleRules,
    /// The texts in which tools answer.
    pub texts: Texts,
    /// The prompts that the lesson suggests.
    pub prompts: Vec<Bilingual>,
    /// Other ways in which the lesson is told.
    pub alternatives: Vec<Alternative>,
}

record!(Lesson {
    id,
    title,
    summary,
    predecessor,
    system,
    max_tokens,
    stop,
    tools,
    binding,
    guard,
    plan,
    reminder,
    hooks,
    console,
    texts,
    prompts,
    alternatives
});

/// When a turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopRule {
    /// The reply has no call, whatever its stop reason says.
    NoCall,
    /// The reply's stop reason is another than `tool_use`. Its calls, if it has any, are then neither run nor answered;
    /// and a reply with that reason but without a call leads to a round of no calls.
    StopReason,
}

words!(StopRule { "no_call" => NoCall, "stop_reason" => StopReason });

/// A set of rules that stand together for others of the lesson: its page, say, tells it otherwise than its program does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alternative {
    /// Its name within the lesson.
    pub id: String,
    /// Its name for readers.
    pub title: Bilingual,
    /// What differs, and why.
    pub note: Bilingual,
    /// The values that differ, each by its place in the lesson (a JSON pointer).
    pub patch: Changes,
}

record!(Alternative { id, title, note, patch });

/// When the reminder is added, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReminderRules {
    /// Its text.
    pub text: String,
    /// How far the counter must have come.
    pub threshold: u32,
    /// Where the text goes.
    pub placement: Placement,
    /// What the counter counts.
    pub counts: Counts,
    /// Whether it counts while there is no plan.
    pub counts_without_plan: bool,
    /// What sets it back to 0.
    pub reset_by: ResetBy,
    /// Whether it goes back to 0 when the reminder is added, too; otherwise the reminder is added again every idle round.
    pub resets: bool,
    /// Whether a plan must exist for a reminder.
    pub needs_plan: bool,
    /// How long the counter lives.
    pub scope: Scope,
}

record!(ReminderRules { text, threshold, placement, counts, counts_without_plan, reset_by, resets, needs_plan, scope });

/// Where the reminder goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Behind all results, in the user message that carries them.
    AfterResults,
    /// Before them, in that message. The real API refuses such a message.
    BeforeResults,
    /// Into a user message of its own, behind that message.
    OwnMessage,
    /// To the end of the last result's text, on a line of its own; behind the results, where there is none.
    InLastResult,
    /// To the end of the system prompt, as a paragraph of its own, until the model has answered.
    System,
}

words!(Placement {
    "after_results" => AfterResults,
    "before_results" => BeforeResults,
    "own_message" => OwnMessage,
    "in_last_result" => InLastResult,
    "system" => System,
});

/// What the counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// Rounds: however many calls one has, it counts once.
    Rounds,
    /// Calls: those of a round that come behind its last plan call, or all of them.
    Calls,
}

words!(Counts { "rounds" => Rounds, "calls" => Calls });

/// Which plan call sets the counter back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResetBy {
    /// Any that ran, even one that was refused.
    AnyCall,
    /// One that replaced the plan.
    Update,
}

words!(ResetBy { "any_call" => AnyCall, "update" => Update });

/// How long the counter lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// It starts at 0 with each prompt.
    Prompt,
    /// It goes on over prompts.
    Session,
}

words!(Scope { "prompt" => Prompt, "session" => Session });

impl Lesson {
    /// All lessons, the project's own one first. `Err` names the file that cannot be read; a test reads them all.
    pub fn all() -> Result<Vec<Self>, String> {
        let files = [
            ("s05", include_str!("lesson/s05.json")),
            ("s04", include_str!("lesson/s04.json")),
            ("s03-todo", include_str!("lesson/s03-todo.json")),
            ("s03-plan", include_str!("lesson/s03-plan.json")),
        ];
        let read = |(name, text)| data::read(text).map_err(|error| format!("lesson {name}: {error}"));
        files.into_iter().map(read).collect()
    }

    /// Whether a run can go by it. `Err` says what stands against that.
    pub fn check(&self) -> Result<(), String> {
        if self.reminder.as_ref().is_some_and(|reminder| reminder.threshold == 0) {
            return Err("reminder: threshold: must be 1 or more".into());
        }
        if self.plan.as_ref().is_some_and(|plan| plan.tool.is_empty() || plan.argument.is_empty()) {
            return Err("plan: the tool and its argument need a name".into());
        }
        let mut names = BTreeSet::new();
        match self.hooks.iter().find(|hook| hook.name.is_empty() || !names.insert(&hook.name)) {
            Some(hook) => Err(format!("hooks: the name \"{}\" is empty or there twice", hook.name)),
            None => Ok(()),
        }
    }

    /// The tools, as they run.
    pub fn toolbox(&self) -> Toolbox<'_> {
        Toolbox {
            tools: &self.tools,
            binding: self.binding,
            guard: self.guard,
            plan: self.plan.as_ref(),
            texts: &self.texts,
        }
    }

    /// The hooks of a point that are on, from a place on.
    pub fn hooks_at(&self, point: HookPoint, from: usize) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().skip(from).filter(move |hook| hook.point == point && !hook.off)
    }

    /// The place behind the hook of this name; the first place, where there is none.
    pub fn behind_hook(&self, name: &str) -> usize {
        self.hooks.iter().position(|hook| hook.name == name).map_or(0, |place| place + 1)
    }

    /// Whether a call replaces the plan.
    pub fn is_plan_tool(&self, name: &str) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.tool == name)
    }
}
