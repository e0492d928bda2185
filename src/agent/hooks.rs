//! What a hook does when it runs: prints, answers, asks the reader, or fails as the lesson's program would.
//!
//! Pure: a hook sees the call and a few facts, and `agent.rs` decides what follows from its verdict.

mod command;

use super::event::Question;
use crate::lesson::{Hook, HookPoint, HookRule, PermissionRules};
use crate::message::{Json, ToolCall};
use crate::plan::Plan;
use crate::python::{Exception, Value, contains};
use crate::vfs::{AbsPath, Vfs};

/// What a hook may look at.
pub(super) struct Facts<'a> {
    pub(super) workdir: &'a AbsPath,
    pub(super) vfs: &'a Vfs,
    pub(super) plan: &'a Plan,
    /// PreToolUse and PostToolUse.
    pub(super) call: Option<&'a ToolCall>,
    /// PostToolUse: the length of the output in characters.
    pub(super) output_chars: usize,
    /// Tool results in the whole session.
    pub(super) results: usize,
    /// How often this hook has answered before.
    pub(super) answered: u32,
}

/// What came of it.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// It does not concern this call; nothing to show.
    Silent,
    /// It ran and has no objection.
    Passed { printed: Option<String> },
    /// It has no objection, and something to say to the model along with the prompt.
    Added { text: String },
    /// It answered, and may have printed why; the chain ends.
    Answered { text: String, printed: Option<String> },
    /// It wants to ask the reader these, one after the other; a no is answered with `refused`.
    Asks { questions: Vec<Question> },
    /// It raised an exception, which ends the lesson's program: hooks run outside the guard around tools.
    Raised { exception: String },
}

pub(super) fn run(hook: &Hook, facts: &Facts) -> Verdict {
    match &hook.rule {
        HookRule::Print { line, over_chars, .. } => {
            if over_chars.is_some_and(|limit| facts.output_chars <= limit) {
                return Verdict::Silent;
            }
            Verdict::Passed { printed: Some(fill(line, facts)) }
        }
        HookRule::Answer { text, tool, once, until } => {
            let concerns = match (tool, facts.call) {
                (Some(tool), Some(call)) => *tool == call.name,
                (Some(_), None) => false,
                (None, _) => true,
            };
            let over = *once && facts.answered > 0 || until.is_some_and(|condition| condition.holds(facts.plan));
            match concerns && !over {
                true => Verdict::Answered { text: text.clone(), printed: None },
                false => Verdict::Passed { printed: None },
            }
        }
        HookRule::Inject { text } if hook.point == HookPoint::UserPromptSubmit => Verdict::Added { text: text.clone() },
        // There is no prompt that it could go along with.
        HookRule::Inject { .. } => Verdict::Silent,
        HookRule::Permission(rules) => match facts.call {
            Some(call) => permission(rules, facts.workdir, facts.vfs, call),
            None => Verdict::Silent,
        },
    }
}

/// A call in short, as the lesson's log prints it: the name and the first two arguments as a Python list, cut.
fn in_short(call: &ToolCall) -> String {
    // An input that is no object would have made the lesson's hook raise; here it has no values to show.
    let values = call.input.as_object().into_iter().flat_map(|fields| fields.values()).take(2);
    let list = Value::List(values.map(Value::from).collect()).repr();
    format!("{}({})", call.name, list.chars().take(60).collect::<String>())
}

fn fill(line: &str, facts: &Facts) -> String {
    // What a model wrote comes last, since it may hold braces of its own.
    let line = line
        .replace("{workdir}", facts.workdir.as_str())
        .replace("{chars}", &facts.output_chars.to_string())
        .replace("{results}", &facts.results.to_string());
    match facts.call {
        Some(call) => line.replace("{tool}", &call.name).replace("{call}", &in_short(call)),
        None => line,
    }
}

fn permission(rules: &PermissionRules, workdir: &AbsPath, vfs: &Vfs, call: &ToolCall) -> Verdict {
    match decide(rules, workdir, vfs, call) {
        Err(exception) => Verdict::Raised { exception },
        Ok(Decision::Denied { word }) => {
            let printed = Some(rules.blocked.replace("{word}", &word));
            Verdict::Answered { text: rules.denied.clone(), printed }
        }
        Ok(Decision::Asks(questions)) if questions.is_empty() => Verdict::Passed { printed: None },
        Ok(Decision::Asks(questions)) => Verdict::Asks { questions },
    }
}

enum Decision {
    /// The call is refused unasked, for this word.
    Denied { word: String },
    /// What the reader must be asked; nothing where the call may run.
    Asks(Vec<Question>),
}

/// `Err` is an exception of the hook's own.
fn decide(rules: &PermissionRules, workdir: &AbsPath, vfs: &Vfs, call: &ToolCall) -> Result<Decision, String> {
    let argument = |name: &str| match &call.input {
        Json::Object(fields) => Ok(fields.get(name)),
        other => Err(format!("AttributeError: '{}' object has no attribute 'get'", Value::from(other).type_name())),
    };
    let mut questions = Vec::new();
    // A missing command is looked at as an empty one.
    if call.name == rules.command_tool
        && let Some(command) = argument("command")?
    {
        for word in &rules.deny {
            if contains(command, word).map_err(raised)? {
                return Ok(Decision::Denied { word: word.clone() });
            }
        }
        let mut reasons = reasons(rules, command)?;
        if !rules.ask_each {
            reasons.truncate(1);
        }
        questions.extend(reasons.into_iter().map(|about| Question { heading: rules.ask_heading.clone(), about }));
    }
    if rules.path_tools.contains(&call.name) {
        let path = match argument("path")? {
            None => "",
            Some(Json::String(path)) if path.contains('\0') => return Err("ValueError: embedded null byte".to_string()),
            Some(Json::String(path)) => path,
            Some(other) => {
                let kind = Value::from(other).type_name();
                return Err(format!("TypeError: unsupported operand type(s) for /: 'PosixPath' and '{kind}'"));
            }
        };
        let resolved = vfs.resolve(workdir, path).map_err(|error| format!("RuntimeError: {error}"))?;
        if !workdir.contains(&resolved) {
            questions.push(Question { heading: rules.outside_heading.clone(), about: resolved.as_str().to_string() });
        }
    }
    Ok(Decision::Asks(questions))
}

/// Why a command is asked about: the programs that it would start, then the words that it contains.
fn reasons(rules: &PermissionRules, command: &Json) -> Result<Vec<String>, String> {
    let mut reasons = Vec::new();
    if !rules.ask_programs.is_empty() {
        let Json::String(text) = command else {
            let kind = Value::from(command).type_name();
            return Err(format!("TypeError: expected string or bytes-like object, got '{kind}'"));
        };
        match command::programs(text) {
            Ok(started) => {
                let asked = |name: &&String| started.iter().any(|program| *program == name.to_lowercase());
                reasons.extend(rules.ask_programs.iter().filter(asked).cloned());
            }
            // What cannot be read may be anything.
            Err(command::Unreadable) => reasons.push(text.clone()),
        }
    }
    for word in &rules.ask {
        if contains(command, word).map_err(raised)? {
            reasons.push(word.clone());
        }
    }
    Ok(reasons)
}

/// An exception of Python's, as its last line.
fn raised(Exception(kind, text): Exception) -> String {
    format!("{kind}: {text}")
}
