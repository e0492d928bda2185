//! The commands that are ours: those that the shell lacks or that would not tell the truth here.

mod cut;
mod date;
mod diff;
mod entry;
mod ls;
mod mkdir;
mod options;
mod rewrites;
mod seq;
pub(super) mod words;
mod yes;

use super::python::{Command, Python};
use bashkit::{BashBuilder, Builtin, BuiltinContext, CommandResolver, ExecResult, async_trait};
use std::sync::Arc;

/// Adds them.
pub(super) fn register(mut builder: BashBuilder, python: Option<Arc<dyn Python>>) -> BashBuilder {
    for (name, status, says) in REFUSED {
        builder = builder.builtin(*name, Box::new(Refusal { status: *status, says }));
    }
    builder = builder
        .builtin("cut", Box::new(cut::Cut))
        .builtin("diff", Box::new(diff::Diff))
        .builtin("ls", Box::new(ls::Ls))
        .builtin("mkdir", Box::new(mkdir::Mkdir))
        .command("seq", seq::Seq)
        .command("yes", yes::Yes)
        .command_resolver(Arc::new(Absent))
        .before_tool(Box::new(rewrites::rewrite));
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

/// Commands that are not here, with what to know where one is tried all the same.
const ABSENT: &[(&str, &str)] = &[
    ("jq", "jq: not built into this sandbox; use python3 -c 'import json…'\n"),
    ("ssh", "ssh: not in this sandbox: there is no network here\n"),
    ("scp", "scp: not in this sandbox: there is no network here\n"),
    ("apt", "apt: not in this sandbox: no packages can be installed here\n"),
    ("apt-get", "apt-get: not in this sandbox: no packages can be installed here\n"),
    ("npm", "npm: not in this sandbox: no Node.js runs here, and no packages can be installed\n"),
    ("npx", "npx: not in this sandbox: no Node.js runs here, and no packages can be installed\n"),
    ("node", "node: not in this sandbox: only shell commands and python3 run here\n"),
    ("docker", "docker: not in this sandbox: no containers run here\n"),
];

/// Answers for the commands that are not here. No builtins, so that `command -v` and `which` do not find them.
struct Absent;

impl CommandResolver for Absent {
    fn resolve(&self, name: &str) -> Option<Arc<dyn Builtin>> {
        let (_, says) = ABSENT.iter().find(|(absent, _)| *absent == name)?;
        Some(Arc::new(Refusal { status: 127, says }))
    }
}

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
