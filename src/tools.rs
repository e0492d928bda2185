//! The tools: a pure function from a lesson, a workspace and a call to an output and the changes to the workspace.
//!
//! Owns the path from a call to its handler: unknown tool, arguments, the text of an exception. What goes wrong inside a
//! tool is told to the model, never to the caller. Knows nothing of hooks, rounds or requests.

pub mod arguments;
mod bash;
pub mod files;
pub mod glob;

use crate::lesson::Lesson;
use crate::message::{Json, ToolCall};
use crate::plan::Plan;
use crate::vfs::AbsPath;
use crate::workspace::{Change, Workspace};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The code behind a tool. Which tool has which, and under what name, is the lesson's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handler {
    /// Runs a shell command.
    Bash,
    /// Reads a file.
    ReadFile,
    /// Writes a file.
    WriteFile,
    /// Replaces a text in a file.
    EditFile,
    /// Finds files by a pattern.
    Glob,
    /// Replaces the plan.
    Plan,
}

/// The texts in which a lesson's tools answer. `{name}` is the tool, `{text}` an exception's text, `{path}` the path as
/// the model wrote it, `{n}` a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// A call of a tool that the lesson does not have.
    pub unknown_tool: String,
    /// A handler that failed.
    pub error: String,
    /// What the file tools say.
    pub files: files::FileTexts,
    /// What glob says.
    pub glob: glob::GlobTexts,
}

/// What a tool did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRun {
    /// The result as the model reads it.
    pub output: String,
    /// The changes to the workspace, to be applied whole or not at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// For a plan update that was refused: the reason, without the lesson's prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_error: Option<String>,
}

/// Runs a call against a workspace, which stays as it is.
pub fn run(lesson: &Lesson, workdir: &AbsPath, workspace: &Workspace, call: &ToolCall) -> ToolRun {
    let Some(tool) = lesson.tool(&call.name) else {
        return ToolRun { output: lesson.texts.unknown_tool.replace("{name}", &call.name), ..ToolRun::default() };
    };
    answer(lesson, workdir, workspace, tool, &call.input).unwrap_or_else(|exception| ToolRun {
        output: lesson.texts.error.replace("{text}", &exception),
        plan_error: (tool.handler == Handler::Plan).then_some(exception),
        ..ToolRun::default()
    })
}

/// What the handler returns, or the text of the exception that it raises.
fn answer(
    lesson: &Lesson,
    workdir: &AbsPath,
    workspace: &Workspace,
    tool: &crate::lesson::Tool,
    input: &Json,
) -> Result<ToolRun, String> {
    let arguments = tool.signature.bind(input)?;
    let vfs = &workspace.vfs;
    let (files, globbing) = (&lesson.texts.files, &lesson.texts.glob);
    let answer = match tool.handler {
        Handler::Bash => return bash::run(arguments.required("command")).map(said),
        Handler::ReadFile => {
            files::read_file(vfs, workdir, arguments.required("path"), arguments.optional("limit"), files)?
        }
        Handler::WriteFile => {
            files::write_file(vfs, workdir, arguments.required("path"), arguments.required("content"), files)?
        }
        Handler::EditFile => files::edit_file(
            vfs,
            workdir,
            arguments.required("path"),
            arguments.required("old_text"),
            arguments.required("new_text"),
            files,
        )?,
        Handler::Glob => return glob::glob(vfs, workdir, arguments.required("pattern"), globbing).map(said),
        Handler::Plan => {
            // A lesson without plan rules has no tool with this handler; `tests/lessons.rs` holds the data to that.
            let Some(rules) = &lesson.plan else { return Err("this lesson has no plan".into()) };
            let plan = Plan::parse(rules, arguments.required(&rules.argument))?;
            let output = plan.render(rules);
            return Ok(ToolRun { output, changes: vec![Change::Plan(Rc::new(plan))], plan_error: None });
        }
    };
    let changes = answer.changes.into_iter().map(Change::Fs).collect();
    Ok(ToolRun { output: answer.output, changes, plan_error: None })
}

fn said(output: String) -> ToolRun {
    ToolRun { output, ..ToolRun::default() }
}
