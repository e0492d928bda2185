//! The hooks of a lesson, as data: where each runs and what it does.

use super::Colour;
use crate::data::{FromJson, Record, record, words};
use crate::message::Json;
use crate::plan::{Plan, Status};
use serde::Serialize;

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
    /// Its name for readers. No other hook of the lesson has it: how often a hook has answered is kept by its name.
    pub name: String,
    /// Where it runs.
    pub point: HookPoint,
    /// What it does.
    pub rule: HookRule,
    /// Whether it is switched off. May be left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

impl FromJson for Hook {
    fn from_json(json: Json) -> Result<Self, String> {
        let mut hook = Record::open(json)?;
        let off: Option<bool> = hook.take("off")?;
        let (name, point, rule) = (hook.take("name")?, hook.take("point")?, hook.take("rule")?);
        hook.close()?;
        Ok(Self { name, point, rule, off: off.unwrap_or(false) })
    }
}

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
        /// Its colour; none is the terminal's own.
        colour: Option<Colour>,
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
        /// Only until this is so. A model that never brings it about is sent on again and again.
        until: Option<PlanCondition>,
    },
    /// Gives the model a text along with the prompt (UserPromptSubmit): the prompt's message then has a block for the
    /// prompt and one for each such text, in the order of the hooks. The lesson's programs have no such hook.
    Inject {
        /// The text.
        text: String,
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
            let (line, colour, over_chars) = (print.take("line")?, print.take("colour")?, print.take("over_chars")?);
            print.close()?;
            Self::Print { line, colour, over_chars }
        } else if let Some(inject) = rule.take("inject")? {
            let mut inject = Record::open(inject)?;
            let value = Self::Inject { text: inject.take("text")? };
            inject.close()?;
            value
        } else {
            let mut answer = Record::open(rule.take("answer")?)?;
            let once: Option<bool> = answer.take("once")?;
            let (text, tool, until) = (answer.take("text")?, answer.take("tool")?, answer.take("until")?);
            answer.close()?;
            Self::Answer { text, tool, once: once.unwrap_or(false), until }
        };
        rule.close()?;
        Ok(value)
    }
}

/// Something that can be said of the plan as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanCondition {
    /// It has an item.
    PlanExists,
    /// It has no item that is still to be done or being done; an empty one has none.
    PlanDone,
}

words!(PlanCondition { "plan_exists" => PlanExists, "plan_done" => PlanDone });

impl PlanCondition {
    /// Whether it is so.
    pub fn holds(self, plan: &Plan) -> bool {
        match self {
            Self::PlanExists => !plan.items.is_empty(),
            Self::PlanDone => plan.items.iter().all(|item| item.status == Status::Completed),
        }
    }
}

/// The lesson's permission hook. An empty list switches its part off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PermissionRules {
    /// The tool whose `command` is looked at.
    pub command_tool: String,
    /// A command that contains one of these is refused.
    pub deny: Vec<String>,
    /// The refusal.
    pub denied: String,
    /// What is printed then; `{word}` is the one that was found.
    pub blocked: String,
    /// A command that contains one of these is asked about.
    pub ask: Vec<String>,
    /// A command that would start one of these programs is asked about, whatever else its text contains, and so is one
    /// whose quotes cannot be read. Capitals and the program's folder do not matter.
    pub ask_programs: Vec<String>,
    /// Whether there is a question for each reason to ask. Otherwise there is one for the command.
    pub ask_each: bool,
    /// The question's heading.
    pub ask_heading: String,
    /// The tools whose `path` is looked at.
    pub path_tools: Vec<String>,
    /// The heading of the question about a path outside the working directory.
    pub outside_heading: String,
    /// The answer where the reader says no.
    pub refused: String,
}

record!(PermissionRules {
    command_tool,
    deny,
    denied,
    blocked,
    ask,
    ask_programs,
    ask_each,
    ask_heading,
    path_tools,
    outside_heading,
    refused
});

impl Hook {
    /// What a call gets for a result when the reader, asked by this hook, says no.
    pub fn refusal(&self) -> Option<&str> {
        match &self.rule {
            HookRule::Permission(rules) => Some(&rules.refused),
            HookRule::Print { .. } | HookRule::Answer { .. } | HookRule::Inject { .. } => None,
        }
    }
}
