//! The plan that the lesson calls "todos": parsed from a model's call, replaced whole or not at all, rendered for the model.
//!
//! Rules and texts are the lesson's data ([`PlanRules`]); this file knows their order. Knows nothing of the loop.

use crate::data::{record, words};
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
    /// The model's own name for it, in a lesson whose items have one; any text, and not only once in a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: Status,
    /// What the model is doing while the item is in progress ("Writing the tests"), in a lesson whose items say so; never
    /// empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_form: Option<String>,
}

/// The whole list. It exists only valid: [`Plan::parse`] is the one way to make another than the empty one from a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The items, in the model's order.
    pub items: Vec<PlanItem>,
}

/// What a lesson asks of a plan update, and the words in which it refuses one. In texts about an item `{label}` is what
/// [`Label`] says, `{status}` the status as compared; in the rendering `{mark}` is the status's mark, `{id}`, `{content}`
/// and `{form}` (the active form) are the item's, `{done}` and `{total}` counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanRules {
    /// The tool that replaces the plan.
    pub tool: String,
    /// The argument that carries the list.
    pub argument: String,
    /// The names of an item's fields.
    pub fields: ItemFields,
    /// The longest list accepted; any, where there is none.
    pub max_items: Option<usize>,
    /// Whether a string is read as a list: as JSON, else as a Python literal.
    pub accepts_strings: bool,
    /// A string that is neither.
    pub not_parsable: String,
    /// Not a list. Where there is none, nothing is checked: Python takes the value for a list as far as it will go.
    pub not_a_list: Option<String>,
    /// Longer than `max_items`.
    pub too_many: String,
    /// An item that is no object. Where there is none, nothing is checked, and Python raises its own exception.
    pub not_an_object: Option<String>,
    /// An item whose content is missing or blank; such a one is taken, where there is none.
    pub no_content: Option<String>,
    /// An item whose status is none of the three.
    pub bad_status: String,
    /// More than one item in progress.
    pub two_in_progress: String,
    /// What `{label}` is.
    pub label: Label,
    /// The rendering of an empty plan.
    pub empty: String,
    /// The rendering of an item.
    pub line: String,
    /// The rendering of the item in progress, if it has an active form.
    pub active_line: Option<String>,
    /// The last line of a plan that is not empty, behind an empty one; neither, where there is none.
    pub progress: Option<String>,
}

record!(PlanRules {
    tool,
    argument,
    fields,
    max_items,
    accepts_strings,
    not_parsable,
    not_a_list,
    too_many,
    not_an_object,
    no_content,
    bad_status,
    two_in_progress,
    label,
    empty,
    line,
    active_line,
    progress
});

/// The names of an item's fields beside `status`, which all lessons call so. Any other field is dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemFields {
    /// What is to be done.
    pub content: String,
    /// The item's name, where it has one.
    pub id: Option<String>,
    /// The active form, where it has one.
    pub active_form: Option<String>,
}

record!(ItemFields { content, id, active_form });

/// What an item is called in a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// Its place, from 0.
    Index,
    /// Its id; its place, from 1, where it has none.
    Id,
}

words!(Label { "index" => Index, "id" => Id });

impl Plan {
    /// Reads the value of the list argument. `Err` is the text of the exception that the lesson's program raises; the
    /// caller keeps the old plan. Checks run in the program's order: list, length, then each item (object, content,
    /// status), and the one item in progress last.
    pub fn parse(rules: &PlanRules, value: &Json) -> Result<Self, String> {
        let values = Self::values(rules, value)?;
        Self::length(rules, values.len())?;
        let read = |(i, value)| PlanItem::read(rules, i, value).map_err(|refusal| refusal.text);
        let items = values.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        Self::one_in_progress(rules, &items)?;
        Ok(Self { items })
    }

    /// The first check: what Python takes for the items of the list argument. `Err` as in [`Plan::parse`].
    pub fn values(rules: &PlanRules, value: &Json) -> Result<Vec<Value>, String> {
        let value = match value {
            Json::String(text) if rules.accepts_strings => parse_string(rules, text)?,
            other => Value::from(other),
        };
        elements(rules, value)
    }

    /// The second: how many items there are.
    pub fn length(rules: &PlanRules, items: usize) -> Result<(), String> {
        match rules.max_items {
            Some(most) if items > most => Err(rules.too_many.clone()),
            _ => Ok(()),
        }
    }

    /// The last: how many are in progress.
    pub fn one_in_progress<'a>(rules: &PlanRules, items: impl IntoIterator<Item = &'a PlanItem>) -> Result<(), String> {
        match items.into_iter().filter(|item| item.status == Status::InProgress).count() {
            0 | 1 => Ok(()),
            _ => Err(rules.two_in_progress.clone()),
        }
    }

    /// The plan as the model reads it: one line per item, an empty line, the progress.
    pub fn render(&self, rules: &PlanRules) -> String {
        if self.items.is_empty() {
            return rules.empty.clone();
        }
        let mut lines: Vec<String> = self.items.iter().map(|item| item.render(rules)).collect();
        if let Some(progress) = &rules.progress {
            let (done, total) = (self.done().to_string(), self.items.len().to_string());
            lines.push(String::new());
            lines.push(fill(progress, &[("{done}", &done), ("{total}", &total)]));
        }
        lines.join("\n")
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

/// What Python takes for the items of a value.
fn elements(rules: &PlanRules, value: Value) -> Result<Vec<Value>, String> {
    if let (Some(refusal), false) = (&rules.not_a_list, matches!(value, Value::List(_))) {
        return Err(refusal.clone());
    }
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => Ok(items),
        Value::Dict(pairs) => Ok(pairs.into_iter().map(|(key, _)| key).collect()),
        Value::Str(text) => Ok(text.chars().map(|character| Value::Str(character.into())).collect()),
        Value::Bytes(bytes) => Ok(bytes.into_iter().map(|byte| Value::Int(i64::from(byte).into())).collect()),
        // Whichever comes first in the program: the length, or the loop.
        other if rules.max_items.is_some() => Err(format!("object of type '{}' has no len()", other.type_name())),
        other => Err(format!("'{}' object is not iterable", other.type_name())),
    }
}

/// Why an item was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The check that it did not pass.
    pub check: ItemCheck,
    /// The exception's text.
    pub text: String,
}

/// What is checked of an item, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemCheck {
    /// It is an object.
    Object,
    /// Its content is more than white space.
    Content,
    /// Its status is one of the three.
    Status,
}

impl PlanItem {
    /// Reads an item, which stands at a place from 0.
    pub fn read(rules: &PlanRules, i: usize, value: &Value) -> Result<Self, Refusal> {
        let refused = |check, text| Refusal { check, text };
        let fields = &rules.fields;
        let text = |field: &str| value.get(field).map(Value::str);
        // An item without an id is called by its place, and keeps that for its id.
        let id = fields.id.as_ref().map(|field| text(field).unwrap_or_else(|| (i + 1).to_string()));
        let label = match (rules.label, &id) {
            (Label::Index, _) => i.to_string(),
            (Label::Id, Some(id)) => id.clone(),
            (Label::Id, None) => (i + 1).to_string(),
        };
        if !matches!(value, Value::Dict(_)) {
            let text = match &rules.not_an_object {
                Some(refusal) => fill(refusal, &[("{label}", &label)]),
                None => format!("'{}' object has no attribute 'get'", value.type_name()),
            };
            return Err(refused(ItemCheck::Object, text));
        }
        let content = text(&fields.content).unwrap_or_default();
        let content = python::strip(&content);
        if let (Some(refusal), true) = (&rules.no_content, content.is_empty()) {
            return Err(refused(ItemCheck::Content, fill(refusal, &[("{label}", &label)])));
        }
        // A missing status is `pending`; a null one is the word "none", which is refused.
        let word = text("status").map_or_else(|| Status::Pending.word().to_string(), |status| python::lower(&status));
        let Some(status) = Status::from_word(&word) else {
            let text = fill(&rules.bad_status, &[("{label}", &label), ("{status}", &word)]);
            return Err(refused(ItemCheck::Status, text));
        };
        let form = fields.active_form.as_ref().and_then(|field| text(field));
        let active_form = form.map(|form| python::strip(&form).to_string()).filter(|form| !form.is_empty());
        Ok(Self { id, content: content.to_string(), status, active_form })
    }

    fn render(&self, rules: &PlanRules) -> String {
        let id = self.id.as_deref().unwrap_or_default();
        let values = [("{mark}", self.status.mark()), ("{id}", id), ("{content}", &self.content)];
        match (&self.active_form, &rules.active_line) {
            (Some(form), Some(line)) if self.status == Status::InProgress => {
                let [mark, id, content] = values;
                fill(line, &[mark, id, content, ("{form}", form)])
            }
            _ => fill(&rules.line, &values),
        }
    }
}

/// A text with its places filled in. What is filled in stays as it is, though a model may have written braces of its own.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(brace) = rest.find('{') {
        filled.push_str(&rest[..brace]);
        rest = &rest[brace..];
        let (place, value) = values.iter().find(|(place, _)| rest.starts_with(place)).unwrap_or(&("{", "{"));
        filled.push_str(value);
        rest = &rest[place.len()..];
    }
    filled + rest
}
