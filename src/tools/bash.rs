//! The shell tool: what a command is given, and what of its end the model reads.
//!
//! Pure values. Where commands really run is behind the port in `runtime/shell.rs`; whatever runs them gets a `Job` and
//! answers with how it ended. A command that did not come to its end has changed nothing.

use super::files::undecodable;
use crate::data::{self, FromJson, Record, record, words};
use crate::message::Json;
use crate::python::{Exception, Value, contains, strip};
use crate::vfs::{AbsPath, FsChange, Vfs, content};
use serde::Serialize;
use std::rc::Rc;

/// What the tool goes by, and says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BashRules {
    /// Which commands are refused; any may run, where there is none.
    pub danger: Option<Danger>,
    /// How long a command may run, in seconds.
    pub seconds: usize,
    /// It ran longer; `{n}` is the number of seconds.
    pub timeout: String,
    /// It wrote nothing, or only white space.
    pub no_output: String,
    /// How many characters of the output the model reads.
    pub max_chars: usize,
    /// What becomes of output that is not UTF-8.
    pub undecodable: Undecodable,
}

record!(BashRules { danger, seconds, timeout, no_output, max_chars, undecodable });

/// Commands that the tool refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Danger {
    /// A command that contains one of these.
    pub words: Vec<String>,
    /// The refusal.
    pub refusal: String,
}

record!(Danger { words, refusal });

/// What becomes of output that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Undecodable {
    /// The tool fails with Python's error.
    Error,
    /// Each wrong sequence is replaced by U+FFFD.
    Replace,
}

words!(Undecodable { "error" => Error, "replace" => Replace });

/// A command, with all that it can see. It is run by `/bin/sh -c` in the working directory; neither the directory that
/// it changes to nor its variables outlive it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The command.
    pub command: String,
    /// Where it starts.
    pub workdir: AbsPath,
    /// All files.
    pub files: Vfs,
    /// How long it may run, in seconds.
    pub seconds: usize,
}

/// A command that came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// What it wrote to standard output.
    #[serde(serialize_with = "content::serialize")]
    pub stdout: Rc<[u8]>,
    /// What it wrote to standard error.
    #[serde(serialize_with = "content::serialize")]
    pub stderr: Rc<[u8]>,
    /// Its exit status.
    pub code: i32,
    /// What it changed, to be applied whole.
    pub changes: Vec<FsChange>,
}

impl FromJson for Ran {
    fn from_json(json: Json) -> Result<Self, String> {
        let mut ran = Record::open(json)?;
        let (stdout, stderr) = (content::read(ran.take("stdout")?)?, content::read(ran.take("stderr")?)?);
        let (code, changes) = (ran.take("code")?, ran.take("changes")?);
        ran.close()?;
        Ok(Self { stdout, stderr, code, changes })
    }
}

/// Why a command did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Broken {
    /// It ran longer than it may.
    TimedOut,
    /// The sandbox's own limits ended it, or the sandbox itself did; in English, for the model.
    Failed(String),
}

impl FromJson for Broken {
    fn from_json(json: Json) -> Result<Self, String> {
        match data::tagged(json)? {
            (kind, Json::Null) if kind == "TimedOut" => Ok(Self::TimedOut),
            (kind, why) if kind == "Failed" => String::from_json(why).map(Self::Failed),
            (kind, _) => data::no_choice(&kind, "TimedOut, Failed"),
        }
    }
}

/// The job that a command, the model's or the reader's, asks for. `Err` where it is no text that a shell can be given.
pub fn job(rules: &BashRules, workdir: &AbsPath, files: &Vfs, command: &Json) -> Result<Job, Exception> {
    match command {
        Json::String(command) if command.contains('\0') => Err(Exception("ValueError", "embedded null byte".into())),
        Json::String(command) => {
            Ok(Job { command: command.clone(), workdir: workdir.clone(), files: files.clone(), seconds: rules.seconds })
        }
        other => {
            let kind = Value::from(other).type_name();
            Err(Exception("TypeError", format!("expected str, bytes or os.PathLike object, not {kind}")))
        }
    }
}

/// What the model reads in place of the output, where its command is refused. `Err` where no words can be looked for.
pub(super) fn refusal<'a>(rules: &'a BashRules, command: &Json) -> Result<Option<&'a str>, Exception> {
    let Some(danger) = &rules.danger else { return Ok(None) };
    for word in &danger.words {
        if contains(command, word)? {
            return Ok(Some(&danger.refusal));
        }
    }
    Ok(None)
}

/// What the model reads of the output.
pub(super) fn read(rules: &BashRules, ran: &Ran) -> Result<String, Exception> {
    let text = decode(rules, &ran.stdout)? + &decode(rules, &ran.stderr)?;
    Ok(match strip(&text) {
        "" => rules.no_output.clone(),
        text => text.chars().take(rules.max_chars).collect(),
    })
}

/// A stream as Python's text mode reads it: every line end is `\n`.
fn decode(rules: &BashRules, bytes: &[u8]) -> Result<String, Exception> {
    let text = match (std::str::from_utf8(bytes), rules.undecodable) {
        (Ok(text), _) => text.to_string(),
        (Err(error), Undecodable::Error) => return Err(Exception("UnicodeDecodeError", undecodable(bytes, error))),
        (Err(_), Undecodable::Replace) => String::from_utf8_lossy(bytes).into_owned(),
    };
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
