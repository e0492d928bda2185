//! The plan that the lesson calls "todos": parsed from a model's call, replaced whole or not at all, rendered for the model.
//!
//! Rules and texts are the lesson's data ([`PlanRules`]); this file knows their order. Knows nothing of the loop.

use crate::data::record;
use crate::message::Json;
use crate::python::{self, JsonError, LiteralError, Value};
use serde::{Deserialize, Serialize};

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// To do.
    Pending,
    /// Being done; at most one item may be.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    /// The three, in the order in which an item usually passes through them. No rule enforces that order.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Completed];

    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }

    /// The mark that the model reads in a rendered plan.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Pending => "[ ]",
            Self::InProgress => "[>]",
            Self::Completed => "[x]",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// One line of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanItem {
    /// What is to be done; never empty.
    pub content: String,
    /// How far it is.
    pub status: Status,
}

/// The whole list. It exists only valid: [`Plan::parse`] is the one way to make another than the empty one from a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The items, in the model's order.
    pub items: Vec<PlanItem>,
}

/// What a lesson asks of a plan update, and the words in which it refuses one. `{i}` is the item's place from 0,
/// `{status}` the status as compared, `{done}` and `{total}` counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanRules {
    /// The tool that replaces the plan.
    pub tool: String,
    /// The argument that carries the list.
    pub argument: String,
    /// The longest list accepted.
    pub max_items: usize,
    /// Whether a string is read as a list: as JSON, else as a Python literal.
    pub accepts_strings: bool,
    /// A string that is neither.
    pub not_parsable: String,
    /// Not a list.
    pub not_a_list: String,
    /// Longer than `max_items`.
    pub too_many: String,
    /// An item that is no object.
    pub not_an_object: String,
    /// An item whose content is missing or blank.
    pub no_content: String,
    /// An item whose status is none of the three.
    pub bad_status: String,
    /// More than one item in progress.
    pub two_in_progress: String,
    /// The rendering of an empty plan.
    pub empty: String,
    /// The last line of any other rendering.
    pub progress: String,
}

record!(PlanRules {
    tool,
    argument,
    max_items,
    accepts_strings,
    not_parsable,
    not_a_list,
    too_many,
    not_an_object,
    no_content,
    bad_status,
    two_in_progress,
    empty,
    progress
});

impl Plan {
    /// Reads the value of the list argument. `Err` is the text of the exception that the lesson's program raises; the
    /// caller keeps the old plan. Checks run in the program's order: list, length, then each item (object, content,
    /// status), and the one item in progress last.
    pub fn parse(rules: &PlanRules, value: &Json) -> Result<Self, String> {
        let value = match value {
            Json::String(text) if rules.accepts_strings => parse_string(rules, text)?,
            other => Value::from(other),
        };
        let Value::List(values) = value else { return Err(rules.not_a_list.clone()) };
        if values.len() > rules.max_items {
            return Err(rules.too_many.clone());
        }
        let items = values.iter().enumerate().map(|(i, value)| item(rules, i, value)).collect::<Result<Vec<_>, _>>()?;
        if items.iter().filter(|item| item.status == Status::InProgress).count() > 1 {
            return Err(rules.two_in_progress.clone());
        }
        Ok(Self { items })
    }

    /// The plan as the model reads it: one line per item, an empty line, the progress.
    pub fn render(&self, rules: &PlanRules) -> String {
        if self.items.is_empty() {
            return rules.empty.clone();
        }
        let mut lines: String =
            self.items.iter().map(|item| format!("{} {}\n", item.status.mark(), item.content)).collect();
        let progress = rules.progress.replace("{done}", &self.done().to_string());
        lines.push('\n');
        lines.push_str(&progress.replace("{total}", &self.items.len().to_string()));
        lines
    }

    /// How many items are completed.
    pub fn done(&self) -> usize {
        self.items.iter().filter(|item| item.status == Status::Completed).count()
    }
}

/// `json.loads`, and where that is a syntax error `ast.literal_eval`, as the lesson's handler does. Exceptions that the
/// handler does not turn into its own text reach the model with theirs.
fn parse_string(rules: &PlanRules, text: &str) -> Result<Value, String> {
    match python::json_loads(text) {
        Ok(value) => return Ok(value),
        Err(JsonError::Invalid) => {}
        Err(error) => return Err(error.to_string()),
    }
    python::literal_eval(text).map_err(|error| match error {
        LiteralError::Invalid => rules.not_parsable.clone(),
        error => error.to_string(),
    })
}

fn item(rules: &PlanRules, i: usize, value: &Value) -> Result<PlanItem, String> {
    let say = |text: &str| text.replace("{i}", &i.to_string());
    if !matches!(value, Value::Dict(_)) {
        return Err(say(&rules.not_an_object));
    }
    let content = value.get("content").map(Value::str).unwrap_or_default();
    let content = python::strip(&content);
    if content.is_empty() {
        return Err(say(&rules.no_content));
    }
    // A missing status is `pending`; a null one is the word "none", which is refused.
    let word =
        value.get("status").map_or_else(|| Status::Pending.word().to_string(), |status| python::lower(&status.str()));
    let status = Status::from_word(&word).ok_or_else(|| say(&rules.bad_status).replace("{status}", &word))?;
    Ok(PlanItem { content: content.to_string(), status })
}
