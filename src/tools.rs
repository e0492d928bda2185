//! The tools: a pure function from a toolbox, a workspace and a call to an output and the changes to the workspace.
//!
//! Owns the path from a call to its handler: unknown tool, arguments, the text of an exception. What goes wrong inside a
//! tool is told to the model, or ends the program where the toolbox says so. A shell command is run elsewhere, between
//! `start` and `finish`. Knows nothing of hooks, rounds or requests.

pub mod arguments;
pub mod bash;
pub mod files;
pub mod glob;

use crate::data::{record, words};
use crate::message::{ToolCall, ToolSpec};
use crate::plan::{Plan, PlanRules};
use crate::python::Exception;
use crate::vfs::AbsPath;
use crate::workspace::{Change, Workspace};
use arguments::{Arguments, Binding, Signature};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The code behind a tool. Which tool has which, and under what name, is the lesson's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

words!(Handler {
    "bash" => Bash,
    "read_file" => ReadFile,
    "write_file" => WriteFile,
    "edit_file" => EditFile,
    "glob" => Glob,
    "plan" => Plan,
});

/// A tool: what the model is told of it, and what runs. These are two things, and they need not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// What the model is told.
    pub spec: ToolSpec,
    /// What runs.
    pub handler: Handler,
    /// What its function takes.
    pub signature: Signature,
}

record!(Tool { spec, handler, signature });

/// Which exceptions become a call's result; any other ends the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// All that a call raises: the loop catches them.
    Loop,
    /// What a tool's function raises: it catches that itself. Arguments that do not fit it are not its own affair.
    Function,
}

words!(Guard { "loop" => Loop, "function" => Function });

/// A lesson's tools, and all that their answers go by.
#[derive(Debug, Clone, Copy)]
pub struct Toolbox<'a> {
    /// The tools.
    pub tools: &'a [Tool],
    /// How arguments are bound.
    pub binding: Binding,
    /// Which exceptions become results.
    pub guard: Guard,
    /// The plan's rules, where there is a plan.
    pub plan: Option<&'a PlanRules>,
    /// The texts.
    pub texts: &'a Texts,
}

/// The texts in which a lesson's tools answer. `{name}` is the tool, `{text}` an exception's text, `{path}` the path as
/// the model wrote it, `{n}` a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Texts {
    /// A call of a tool that the lesson does not have.
    pub unknown_tool: String,
    /// A handler that failed.
    pub error: String,
    /// What the file tools say.
    pub files: files::FileTexts,
    /// What glob says, in a lesson that has it.
    pub glob: Option<glob::GlobTexts>,
    /// What the shell tool goes by, and says.
    pub bash: bash::BashRules,
}

record!(Texts { unknown_tool, error, files, glob, bash });

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
    /// For a call that ended the program: the exception as Python prints it on its last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<String>,
    /// For a shell command that came to its end: its exit status. The lesson does not show it to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// What became of a call at once.
#[derive(Debug, Clone, PartialEq)]
pub enum Started {
    /// It has run.
    Finished(ToolRun),
    /// It is a command for the shell; `finish` makes a run of its end.
    Command(bash::Job),
}

/// Begins a call against a workspace, which stays as it is.
pub fn start(toolbox: Toolbox, workdir: &AbsPath, workspace: &Workspace, call: &ToolCall) -> Started {
    let texts = toolbox.texts;
    let Some(tool) = toolbox.tools.iter().find(|tool| tool.spec.name == call.name) else {
        return Started::Finished(said(texts.unknown_tool.replace("{name}", &call.name)));
    };
    let arguments = match tool.signature.bind(toolbox.binding, &call.input) {
        Ok(arguments) => arguments,
        Err(exception) => {
            let refused = tool.handler == Handler::Plan && toolbox.guard == Guard::Loop;
            let plan_error = refused.then(|| exception.1.clone());
            return Started::Finished(ToolRun { plan_error, ..raised(toolbox, exception) });
        }
    };
    let answer = answer(toolbox, workdir, workspace, tool.handler, arguments);
    answer.unwrap_or_else(|exception| {
        Started::Finished(ToolRun {
            output: texts.error.replace("{text}", &exception),
            plan_error: (tool.handler == Handler::Plan).then_some(exception),
            ..ToolRun::default()
        })
    })
}

/// Makes a run of a command's end.
pub fn finish(toolbox: Toolbox, ended: Result<bash::Ran, bash::Broken>) -> ToolRun {
    let rules = &toolbox.texts.bash;
    let ran = match ended {
        Ok(ran) => ran,
        Err(bash::Broken::TimedOut) => return said(rules.timeout.replace("{n}", &rules.seconds.to_string())),
        Err(bash::Broken::Failed(why)) => return said(toolbox.texts.error.replace("{text}", &why)),
    };
    let run = match bash::read(rules, &ran) {
        Ok(output) => said(output),
        // It has run all the same: only what it wrote cannot be read.
        Err(exception) => raised(toolbox, exception),
    };
    let changes = ran.changes.into_iter().map(Change::Fs).collect();
    ToolRun { changes, exit_code: Some(ran.code), ..run }
}

/// What follows from an exception that the tool's function does not catch itself.
fn raised(toolbox: Toolbox, Exception(kind, text): Exception) -> ToolRun {
    match toolbox.guard {
        Guard::Loop => said(toolbox.texts.error.replace("{text}", &text)),
        Guard::Function => ToolRun { crash: Some(format!("{kind}: {text}")), ..ToolRun::default() },
    }
}

/// What becomes of the call at once, or the text of the exception that the tool's function catches itself.
fn answer(
    toolbox: Toolbox,
    workdir: &AbsPath,
    workspace: &Workspace,
    handler: Handler,
    arguments: Arguments,
) -> Result<Started, String> {
    let vfs = &workspace.vfs;
    let files = &toolbox.texts.files;
    let answer = match handler {
        Handler::Bash => {
            let (rules, command) = (&toolbox.texts.bash, arguments.required("command"));
            let started = match bash::refusal(rules, command) {
                Ok(Some(refusal)) => Ok(Started::Finished(said(refusal.to_string()))),
                Ok(None) => bash::job(rules, workdir, vfs, command).map(Started::Command),
                Err(exception) => Err(exception),
            };
            return Ok(started.unwrap_or_else(|exception| Started::Finished(raised(toolbox, exception))));
        }
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
        Handler::Glob => {
            // As with the plan: no tool, no texts.
            let Some(texts) = &toolbox.texts.glob else { return Err("this lesson has no glob".into()) };
            let output = glob::glob(vfs, workdir, arguments.required("pattern"), texts)?;
            return Ok(Started::Finished(said(output)));
        }
        Handler::Plan => {
            // A lesson without plan rules has no tool with this handler; `tests/lessons.rs` holds the data to that.
            let Some(rules) = toolbox.plan else { return Err("this lesson has no plan".into()) };
            let plan = Plan::parse(rules, arguments.required(&rules.argument))?;
            let output = plan.render(rules);
            let changes = vec![Change::Plan(Rc::new(plan))];
            return Ok(Started::Finished(ToolRun { changes, ..said(output) }));
        }
    };
    let changes = answer.changes.into_iter().map(Change::Fs).collect();
    Ok(Started::Finished(ToolRun { changes, ..said(answer.output) }))
}

fn said(output: String) -> ToolRun {
    ToolRun { output, ..ToolRun::default() }
}
