//! The two gates of a plan call: the tool's JSON Schema, of which the model is told, and the handler, which runs. Both look at
//! the same input, and neither knows of the other.
//!
//! What is asked comes in five rows, and each gate says of each what it thinks. The lesson's program stops at the first refusal;
//! here every check is made that can be.

pub mod schema;

use crate::lesson::Lesson;
use crate::message::{Fields, Json, ToolCall};
use crate::plan::{ItemCheck, Plan, PlanItem, PlanRules};
use crate::python::Value;
use crate::tools::{self, Handler, Started};
use crate::vfs::AbsPath;
use crate::workspace::Workspace;
use schema::{Verdict, Violation};

/// What is asked of a plan call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The arguments, a list, and objects in it.
    Shape,
    /// How many items.
    Length,
    /// What an item says.
    Content,
    /// How far an item is.
    Status,
    /// How many are in progress.
    OneInProgress,
}

impl Row {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Shape, Self::Length, Self::Content, Self::Status, Self::OneInProgress];
}

/// What a gate has against an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// A keyword of the schema.
    Schema(Violation),
    /// The text of the program's exception.
    Handler(String),
}

/// What a gate says of a row, or of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opinion {
    /// It asks, and is content.
    Passes,
    /// It asks, and refuses.
    Refuses(Vec<Complaint>),
    /// It doesn't ask.
    Silent,
    /// What it would look at is out of its sight.
    Blind,
}

impl Opinion {
    fn of(complaints: Vec<Complaint>) -> Self {
        if complaints.is_empty() { Self::Passes } else { Self::Refuses(complaints) }
    }
}

/// An item, and what the gates say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The item, as JSON, or as Python prints it where the list came as a string.
    pub shown: String,
    /// The schema on it alone.
    pub schema: Opinion,
    /// The handler on it alone.
    pub handler: Opinion,
}

/// What both gates say of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// The schema's whole verdict.
    pub schema: Verdict,
    /// What the model reads, and whether the plan was replaced.
    pub handler: (String, bool),
    /// Of each row the schema's opinion and the handler's, in the order of [`Row::ALL`].
    pub rows: [(Opinion, Opinion); 5],
    /// The items, as far as either gate sees any.
    pub items: Vec<Item>,
}

/// Holds an input against both gates of a lesson; none where the lesson has no plan tool.
pub fn examine(lesson: &Lesson, input: &Json) -> Option<Gates> {
    let rules = lesson.plan.as_ref()?;
    let tool = lesson.tools.iter().find(|tool| tool.handler == Handler::Plan)?;
    let spec = &tool.spec;
    let verdict = schema::validate(&spec.input_schema, input);
    let program = Program::look(lesson, rules, input);
    let listed = input.get(&rules.argument).and_then(Json::as_array);
    let items = items(rules, listed, &verdict, &program);
    let rows =
        Row::ALL.map(|row| (asked(rules, &spec.input_schema, row, listed.is_some(), &verdict), program.on(rules, row)));
    Some(Gates { handler: run(lesson, &spec.name, input), schema: verdict, rows, items })
}

/// The real call, in an empty workspace.
fn run(lesson: &Lesson, tool: &str, input: &Json) -> (String, bool) {
    let call = ToolCall { id: String::new(), name: tool.into(), input: input.clone(), extra: Fields::new() };
    match tools::start(lesson.toolbox(), &AbsPath::root(), &Workspace::default(), &call) {
        Started::Finished(run) => (run.crash.unwrap_or(run.output), !run.changes.is_empty()),
        // No plan tool is a shell command.
        Started::Command(_) => (String::new(), false),
    }
}

/// What the handler's checks say, each on its own.
struct Program {
    /// The arguments and the list, or why there is none.
    values: Result<Vec<Value>, String>,
    length: Result<(), String>,
    items: Vec<Result<PlanItem, (ItemCheck, String)>>,
    one: Result<(), String>,
}

impl Program {
    fn look(lesson: &Lesson, rules: &PlanRules, input: &Json) -> Self {
        let tool = lesson.tools.iter().find(|tool| tool.handler == Handler::Plan);
        let values = match tool.map(|tool| tool.signature.bind(lesson.binding, input)) {
            Some(Ok(arguments)) => Plan::values(rules, arguments.required(&rules.argument)),
            Some(Err(exception)) => Err(exception.1),
            None => Ok(Vec::new()),
        };
        let seen = values.as_deref().unwrap_or_default();
        let items: Vec<_> = seen
            .iter()
            .enumerate()
            .map(|(i, value)| PlanItem::read(rules, i, value).map_err(|refusal| (refusal.check, refusal.text)))
            .collect();
        let length = Plan::length(rules, seen.len());
        let one = Plan::one_in_progress(rules, items.iter().flatten());
        Self { length, one, items, values }
    }

    fn on(&self, rules: &PlanRules, row: Row) -> Opinion {
        let said = |result: &Result<(), String>| match result {
            Ok(()) => Opinion::Passes,
            Err(text) => Opinion::Refuses(vec![Complaint::Handler(text.clone())]),
        };
        let of_items = |check: ItemCheck| {
            let refused = self.items.iter().filter_map(|item| item.as_ref().err()).filter(|(at, _)| *at == check);
            refused.map(|(_, text)| Complaint::Handler(text.clone())).collect::<Vec<_>>()
        };
        if let Err(text) = &self.values {
            return match row {
                Row::Shape => said(&Err(text.clone())),
                _ => Opinion::Blind,
            };
        }
        match row {
            Row::Shape => Opinion::of(of_items(ItemCheck::Object)),
            Row::Length if rules.max_items.is_none() => Opinion::Silent,
            Row::Length => said(&self.length),
            Row::Content if rules.no_content.is_none() => Opinion::Silent,
            Row::Content => Opinion::of(of_items(ItemCheck::Content)),
            Row::Status => Opinion::of(of_items(ItemCheck::Status)),
            Row::OneInProgress => said(&self.one),
        }
    }
}

/// What the schema says of a row: the violations that belong to it, if it asks at all.
fn asked(rules: &PlanRules, schema: &Json, row: Row, listed: bool, verdict: &Verdict) -> Opinion {
    let list = &schema["properties"][&rules.argument];
    let item = &list["items"]["properties"];
    let asks = match row {
        Row::Shape => true,
        Row::Length => list.get("maxItems").is_some(),
        Row::Content => item.get(&rules.fields.content).is_some(),
        Row::Status => item.get("status").is_some(),
        // No keyword compares items with each other in this way.
        Row::OneInProgress => return Opinion::Silent,
    };
    let found = verdict.violations.iter().filter(|violation| row_of(rules, violation) == row);
    let found: Vec<_> = found.map(|violation| Complaint::Schema(violation.clone())).collect();
    match asks {
        _ if !found.is_empty() => Opinion::Refuses(found),
        false => Opinion::Silent,
        true if row != Row::Shape && !listed => Opinion::Blind,
        true => Opinion::Passes,
    }
}

/// The row that a violation belongs to, by where it is and what was asked there.
fn row_of(rules: &PlanRules, violation: &Violation) -> Row {
    let path: Vec<&str> = violation.path.iter().map(String::as_str).collect();
    let missing = violation.wanted.as_str().filter(|_| violation.keyword == "required");
    let field = match path.as_slice() {
        [argument] if *argument == rules.argument && violation.keyword.ends_with("Items") => return Row::Length,
        [argument, _, rest @ ..] if *argument == rules.argument => rest.first().copied().or(missing),
        _ => None,
    };
    match field {
        Some("status") => Row::Status,
        Some(field) if field == rules.fields.content => Row::Content,
        _ => Row::Shape,
    }
}

fn items(rules: &PlanRules, listed: Option<&Vec<Json>>, verdict: &Verdict, program: &Program) -> Vec<Item> {
    let values = program.values.as_deref().unwrap_or_default();
    let count = listed.map_or(values.len(), Vec::len);
    (0..count)
        .map(|i| {
            let of_item = |violation: &&Violation| {
                violation.path.len() > 1 && violation.path[0] == rules.argument && violation.path[1] == i.to_string()
            };
            let found =
                verdict.violations.iter().filter(of_item).map(|found| Complaint::Schema(found.clone())).collect();
            Item {
                shown: match listed {
                    Some(listed) => listed[i].to_string(),
                    None => values[i].repr(),
                },
                schema: if listed.is_some() { Opinion::of(found) } else { Opinion::Blind },
                handler: match program.items.get(i) {
                    Some(Ok(_)) => Opinion::Passes,
                    Some(Err((_, text))) => Opinion::Refuses(vec![Complaint::Handler(text.clone())]),
                    None => Opinion::Blind,
                },
            }
        })
        .collect()
}
