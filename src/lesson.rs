//! A lesson: the rules of a teaching program, as data. What the programs disagree on is a field here, never a branch
//! on a lesson's name. The JSON files stand in `lesson/`; `{workdir}` in a text is the working directory.

use crate::data::{self, FromJson, Record, record, words};
use crate::language::Bilingual;
use crate::message::Json;
use crate::plan::PlanRules;
use crate::tools::{Guard, Texts, Tool, Toolbox};
use serde::Serialize;

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

record!(Lesson {
    id,
    title,
    summary,
    predecessor,
    system,
    max_tokens,
    tools,
    guard,
    plan,
    reminder,
    hooks,
    texts,
    prompts
});

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

/// One of the four places in the loop where hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum HookPoint {
    /// Before a prompt is stored; answers are ignored.
    UserPromptSubmit,
    /// Before a call; an answer blocks it.
    PreToolUse,
    /// After a call that ran; answers are ignored.
    PostToolUse,
    /// When a reply has no call; an answer goes to the model and the loop goes on.
    Stop,
}

words!(HookPoint {
    "UserPromptSubmit" => UserPromptSubmit,
    "PreToolUse" => PreToolUse,
    "PostToolUse" => PostToolUse,
    "Stop" => Stop,
});

/// A registered hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hook {
    /// Its name for readers.
    pub name: String,
    /// Where it runs.
    pub point: HookPoint,
    /// What it does.
    pub rule: HookRule,
}

record!(Hook { name, point, rule });

/// What a hook does. The first hook of a point that answers ends the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HookRule {
    /// Refuses some shell commands, asks the reader about others and about paths outside the working directory.
    Permission(Box<PermissionRules>),
    /// Prints a line; never answers. `{workdir}`, `{call}` (the call in short), `{tool}`, `{chars}` and `{results}`
    /// (tool results of the session) are filled in.
    Print {
        /// The line.
        line: String,
        /// Only for outputs of more than this many characters (PostToolUse).
        over_chars: Option<usize>,
    },
    /// Answers with a text. An empty one ends the chain and does nothing else.
    Answer {
        /// The answer.
        text: String,
        /// Only for calls of this tool.
        tool: Option<String>,
        /// Only the first time.
        once: bool,
    },
}

impl FromJson for HookRule {
    /// One field, whose name says which rule it is.
    fn from_json(json: Json) -> Result<Self, String> {
        let mut rule = Record::open(json)?;
        let value = if let Some(permission) = rule.take("permission")? {
            Self::Permission(Box::new(permission))
        } else if let Some(print) = rule.take("print")? {
            let mut print = Record::open(print)?;
            let value = Self::Print { line: print.take("line")?, over_chars: print.take("over_chars")? };
            print.close()?;
            value
        } else {
            let mut answer = Record::open(rule.take("answer")?)?;
            let once: Option<bool> = answer.take("once")?;
            let (text, tool) = (answer.take("text")?, answer.take("tool")?);
            answer.close()?;
            Self::Answer { text, tool, once: once.unwrap_or(false) }
        };
        rule.close()?;
        Ok(value)
    }
}

/// The lesson's permission hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PermissionRules {
    /// The tool whose `command` is looked at.
    pub command_tool: String,
    /// A command that contains one of these is refused.
    pub deny: Vec<String>,
    /// The refusal.
    pub denied: String,
    /// A command that contains one of these is asked about, once for each.
    pub ask: Vec<String>,
    /// The question's heading.
    pub ask_heading: String,
    /// The tools whose `path` is looked at.
    pub path_tools: Vec<String>,
    /// The heading of the question about a path outside the working directory.
    pub outside_heading: String,
    /// The answer where the reader says no.
    pub refused: String,
}

record!(PermissionRules { command_tool, deny, denied, ask, ask_heading, path_tools, outside_heading, refused });

impl Hook {
    /// What a call gets for a result when the reader, asked by this hook, says no.
    pub fn refusal(&self) -> Option<&str> {
        match &self.rule {
            HookRule::Permission(rules) => Some(&rules.refused),
            HookRule::Print { .. } | HookRule::Answer { .. } => None,
        }
    }
}

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

    /// Whether a call replaces the plan.
    pub fn is_plan_tool(&self, name: &str) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.tool == name)
    }
}
