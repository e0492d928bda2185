//! The port to a shell: where commands really run. `platform` gives one in a worker, tests run the same engine natively.

use crate::data::{self, FromJson, record, words};
use crate::message::Json;
use crate::tools::bash::{Broken, Job, Ran};
use crate::vfs::{AbsPath, FsChange};
use futures_core::stream::LocalBoxStream;
use serde::{Deserialize, Serialize};

/// Something that a shell tells of a command.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Report {
    /// A part that the command needs is on its way. This does not count as the command's time.
    Loading(Loading),
    /// More output, as it came: standard output and standard error in one, for a reader to look at.
    Output(String),
    /// The end; the last report.
    Ended(Result<Ran, Broken>),
}

impl FromJson for Report {
    fn from_json(json: Json) -> Result<Self, String> {
        let (kind, of) = data::tagged(json)?;
        match &*kind {
            "Loading" => Loading::from_json(of).map(Self::Loading),
            "Output" => String::from_json(of).map(Self::Output),
            "Ended" => match data::tagged(of)? {
                (kind, ran) if kind == "Ok" => Ran::from_json(ran).map(|ran| Self::Ended(Ok(ran))),
                (_, broken) => Broken::from_json(broken).map(|broken| Self::Ended(Err(broken))),
            },
            other => data::no_choice(other, "Loading, Output, Ended"),
        }
    }
}

/// How far a part has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Loading {
    /// Which.
    pub part: Part,
    /// Bytes so far.
    pub loaded: u32,
    /// Bytes in all; 0 where nobody knows.
    pub total: u32,
    /// Whether it is there now.
    pub done: bool,
}

record!(Loading { part, loaded, total, done });

/// The parts that load when they are first used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Part {
    /// The shell itself.
    Shell,
    /// The Python interpreter.
    Python,
}

words!(Part { "Shell" => Shell, "Python" => Python });

/// What a shell tells, in order. Dropping it kills the command, which then has changed nothing.
pub type Reports = LocalBoxStream<'static, Report>;

/// The port.
pub trait Shell {
    /// Runs a command. Commands are given one after the other.
    fn run(&self, job: Job) -> Reports;
}

/// A job on its way to a shell that still has the files of the job before: only what has changed since is sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Errand {
    /// The command.
    pub command: String,
    /// Where it starts.
    pub workdir: AbsPath,
    /// How long it may run, in seconds.
    pub seconds: usize,
    /// What makes the files out of those that the shell has: at first none, then what the last command left.
    pub since: Vec<FsChange>,
}

/// What there is to see of a command that is running.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Running {
    /// What it waits for.
    pub loading: Option<Loading>,
    /// The last of its output so far.
    pub output: String,
}

/// How much output is shown of a command that is running, in bytes.
const SHOWN: usize = 4000;

impl Running {
    /// Takes a report in.
    pub(super) fn take(&mut self, report: &Report) {
        match report {
            Report::Loading(loading) => self.loading = Some(*loading).filter(|loading| !loading.done),
            Report::Output(text) => {
                self.loading = None;
                self.output.push_str(text);
                if self.output.len() > 2 * SHOWN {
                    let start = (self.output.len() - SHOWN..).find(|&at| self.output.is_char_boundary(at));
                    self.output.drain(..start.unwrap_or(0));
                }
            }
            Report::Ended(_) => {}
        }
    }
}
