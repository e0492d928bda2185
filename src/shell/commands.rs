//! The commands that are ours: those that the shell lacks or that would not tell the truth here.

use super::python::{Command, Python};
use bashkit::{BashBuilder, Builtin, BuiltinContext, ExecResult, async_trait};
use std::sync::Arc;

/// Adds them.
pub(super) fn register(mut builder: BashBuilder, python: Option<Arc<dyn Python>>) -> BashBuilder {
    for (name, status, says) in REFUSED {
        builder = builder.builtin(*name, Box::new(Refusal { status: *status, says }));
    }
    let Some(python) = python else { return builder };
    let commands: [(&str, &'static str, &'static [&'static str]); 6] = [
        ("python3", "python3", &[]),
        ("python", "python3", &[]),
        ("pytest", "python3", &["-m", "pytest"]),
        ("py.test", "python3", &["-m", "pytest"]),
        ("pip", "pip", &[]),
        ("pip3", "pip", &[]),
    ];
    for (name, program, first) in commands {
        builder = builder.builtin(name, Box::new(Command { program, first, python: python.clone() }));
    }
    builder
}

/// Commands that cannot work here, with the exit status and the sentence that they end with.
const REFUSED: &[(&str, i32, &str)] = &[
    ("curl", 6, "curl: (6) there is no network in this sandbox: a command can only use the workspace's files\n"),
    ("wget", 4, "wget: there is no network in this sandbox: a command can only use the workspace's files\n"),
    ("git", 128, "git: this sandbox has no git: there is no repository, no history and no remote here\n"),
];

struct Refusal {
    status: i32,
    says: &'static str,
}

#[async_trait]
impl Builtin for Refusal {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::err(self.says, self.status))
    }
}
