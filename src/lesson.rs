//! A lesson: the rules of a teaching program, as data. What the programs disagree on is a field here, never a branch
//! on a lesson's name. The JSON files stand in `lesson/`; `{workdir}` in a text is the working directory.

use crate::data::{self, record, words};
use crate::language::Bilingual;
use crate::plan::PlanRules;
use crate::tools::{Guard, Texts, Tool, Toolbox};
use serde::Serialize;

mod hook;

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
    /// The system prompt.
    pub system: String,
    /// The `max_tokens` of every request.
    pub max_tokens: u32,
    /// The tools, in the order in which the model is told of them.
    pub tools: Vec<Tool>,
    /// Which exceptions of a tool become its result.
    pub guard: Guard,
    /// The plan tool's rules; none where the lesson has no plan.
    pub plan: Option<PlanRules>,
    /// The reminder's rules; none where the lesson has no counter.
    pub reminder: Option<ReminderRules>,
    /// The hooks, in the order in which they were registered.
    pub hooks: Vec<Hook>,
    /// The texts in which tools answer.
    pub texts: Texts,
    /// The prompts that the lesson suggests.
    pub prompts: Vec<Bilingual>,
}

record!(Lesson { id, title, summary, system, max_tokens, tools, guard, plan, reminder, hooks, texts, prompts });

/// When the reminder is added, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReminderRules {
    /// The block's text.
    pub text: String,
    /// How many rounds without a plan call it takes.
    pub threshold: u32,
    /// Where the block goes.
    pub placement: Placement,
    /// Whether the counter goes back to 0 when the reminder is added; otherwise it is added again every idle round.
    pub resets: bool,
    /// Whether a plan must exist.
    pub needs_plan: bool,
    /// How long the counter lives.
    pub scope: Scope,
}

record!(ReminderRules { text, threshold, placement, resets, needs_plan, scope });

/// Where the reminder goes in the user message that carries the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Behind all results.
    AfterResults,
    /// Before them. The real API refuses such a message.
    BeforeResults,
}

words!(Placement { "after_results" => AfterResults, "before_results" => BeforeResults });

/// How long the counter of rounds lives.
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
        [("s05", include_str!("lesson/s05.json")), ("s04", include_str!("lesson/s04.json"))]
            .into_iter()
            .map(|(name, text)| data::read(text).map_err(|error| format!("lesson {name}: {error}")))
            .collect()
    }

    /// The tools, as they run.
    pub fn toolbox(&self) -> Toolbox<'_> {
        Toolbox { tools: &self.tools, guard: self.guard, plan: self.plan.as_ref(), texts: &self.texts }
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
