//! The tools `read_file`, `write_file` and `edit_file`, with what Python does around them: paths, text files, slices.
//!
//! Each is a pure function of a tree: it answers with an output and changes, or with the text of the exception that the
//! Python program would raise. A tool that fails changes nothing. Whether a path may lead out of the
//! working directory is the lesson's: the tool refuses it, or leaves that to a hook.

use crate::data::record;
use crate::message::Json;
use crate::python::{self, Value};
use crate::vfs::{AbsPath, FsChange, Vfs};
use serde::Serialize;
use std::str::Utf8Error;

/// What the tools say. `{path}` is the path as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileTexts {
    /// The last line of a file that was cut; `{n}` is the number of lines left out.
    pub more_lines: String,
    /// A file was written; `{n}` is the number of its characters.
    pub wrote: String,
    /// A text was replaced.
    pub edited: String,
    /// The text to replace is not there.
    pub text_not_found: String,
    /// The path leads out of the working directory; where there is none, it may.
    pub outside: Option<String>,
    /// How many characters of a file the model reads; all, where there is none.
    pub max_chars: Option<usize>,
}

record!(FileTexts { more_lines, wrote, edited, text_not_found, outside, max_chars });

/// What a file tool did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAnswer {
    /// The output.
    pub output: String,
    /// The changes to the tree.
    pub changes: Vec<FsChange>,
}

/// Reads a text file, or its first `limit` lines.
pub fn read_file(
    vfs: &Vfs,
    workdir: &AbsPath,
    path: &Json,
    limit: Option<&Json>,
    texts: &FileTexts,
) -> Result<FileAnswer, String> {
    let (file, _) = resolve(vfs, workdir, path, texts)?;
    let text = read_text(vfs, &file)?;
    let mut lines = python::splitlines(&text);
    let last_line;
    if let Some(cut) = Cut::of(limit.unwrap_or(&Json::Null), lines.len())? {
        lines.truncate(cut.kept);
        last_line = texts.more_lines.replace("{n}", &cut.more.to_string());
        lines.push(&last_line);
    }
    let mut output = lines.join("\n");
    if let Some((cut, _)) = texts.max_chars.and_then(|most| output.char_indices().nth(most)) {
        output.truncate(cut);
    }
    Ok(FileAnswer { output, changes: Vec::new() })
}

/// Writes a text file, and makes the directories that it needs.
pub fn write_file(
    vfs: &Vfs,
    workdir: &AbsPath,
    path: &Json,
    content: &Json,
    texts: &FileTexts,
) -> Result<FileAnswer, String> {
    let (file, path) = resolve(vfs, workdir, path, texts)?;
    let mut next = vfs.clone();
    next.make_dirs(&file.parent().unwrap_or_else(AbsPath::root)).map_err(|error| error.to_string())?;
    let Json::String(content) = content else {
        return Err(format!("data must be str, not {}", Value::from(content).type_name()));
    };
    let output = texts.wrote.replace("{n}", &content.chars().count().to_string());
    written(vfs, next, &file, content, output.replace("{path}", path))
}

/// Replaces the first occurrence of a text in a text file. The whole file is written anew, with `\n` at its line ends.
pub fn edit_file(
    vfs: &Vfs,
    workdir: &AbsPath,
    path: &Json,
    old_text: &Json,
    new_text: &Json,
    texts: &FileTexts,
) -> Result<FileAnswer, String> {
    let (file, path) = resolve(vfs, workdir, path, texts)?;
    let text = read_text(vfs, &file)?;
    let Json::String(old) = old_text else {
        let kind = Value::from(old_text).type_name();
        return Err(format!("'in <string>' requires string as left operand, not {kind}"));
    };
    if !text.contains(old) {
        return Err(texts.text_not_found.replace("{path}", path));
    }
    let Json::String(new) = new_text else {
        // The one sentence here that CPython words itself, and there it calls None by its name.
        let kind = if new_text.is_null() { "None" } else { Value::from(new_text).type_name() };
        return Err(format!("replace() argument 2 must be str, not {kind}"));
    };
    written(vfs, vfs.clone(), &file, &text.replacen(old, new, 1), texts.edited.replace("{path}", path))
}

/// The file that `(workdir / path).resolve()` names, and the path as it was given.
fn resolve<'a>(vfs: &Vfs, workdir: &AbsPath, path: &'a Json, texts: &FileTexts) -> Result<(AbsPath, &'a str), String> {
    match path {
        Json::String(path) if path.contains('\0') => Err("embedded null byte".to_string()),
        Json::String(path) => {
            let file = vfs.resolve(workdir, path).map_err(|error| error.to_string())?;
            match &texts.outside {
                Some(refusal) if !workdir.contains(&file) => Err(refusal.replace("{path}", path)),
                _ => Ok((file, path)),
            }
        }
        other => {
            Err(format!("unsupported operand type(s) for /: 'PosixPath' and '{}'", Value::from(other).type_name()))
        }
    }
}

/// A file as Python's text mode reads it: UTF-8, and every line end is `\n`.
fn read_text(vfs: &Vfs, file: &AbsPath) -> Result<String, String> {
    let bytes = vfs.read(file).map_err(|error| error.python(file))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| undecodable(&bytes, error))?;
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Writes `content` into `next`, which grew out of `vfs`, and answers with all that differs between the two.
fn written(vfs: &Vfs, mut next: Vfs, file: &AbsPath, content: &str, output: String) -> Result<FileAnswer, String> {
    next.write(file, content.as_bytes()).map_err(|error| error.python(file))?;
    Ok(FileAnswer { output, changes: vfs.diff(&next) })
}

/// The text of CPython's `UnicodeDecodeError`. Both languages blame the same bytes; only the words are missing here.
pub(super) fn undecodable(bytes: &[u8], error: Utf8Error) -> String {
    let start = error.valid_up_to();
    let wrong = &bytes[start..error.error_len().map_or(bytes.len(), |length| start + length)];
    let reason = match (error.error_len(), wrong) {
        (None, _) => "unexpected end of data",
        (Some(_), [0xc2..=0xf4, ..]) => "invalid continuation byte",
        (Some(_), _) => "invalid start byte",
    };
    let place = match wrong {
        [byte] => format!("byte {byte:#04x} in position {start}"),
        _ => format!("bytes in position {start}-{}", start + wrong.len() - 1),
    };
    format!("'utf-8' codec can't decode {place}: {reason}")
}

/// What `if limit and limit < len(lines): lines[:limit]` makes of a limit. A number that is negative counts from the
/// end, so the last line then speaks of more lines than the file has.
struct Cut {
    kept: usize,
    more: i128,
}

impl Cut {
    fn of(limit: &Json, lines: usize) -> Result<Option<Self>, String> {
        let value = Value::from(limit);
        if !value.truthy() {
            return Ok(None);
        }
        let limit = match limit {
            Json::Bool(truth) => i128::from(*truth),
            Json::Number(number) => match (number.as_i128(), number.as_f64()) {
                (Some(integer), _) => integer,
                (None, Some(float)) if float < lines as f64 => {
                    return Err("slice indices must be integers or None or have an __index__ method".to_string());
                }
                (None, _) => return Ok(None),
            },
            _ => return Err(format!("'<' not supported between instances of '{}' and 'int'", value.type_name())),
        };
        let lines = lines as i128;
        if limit >= lines {
            return Ok(None);
        }
        let kept = if limit < 0 { lines + limit } else { limit };
        Ok(Some(Self { kept: usize::try_from(kept).unwrap_or(0), more: lines - limit }))
    }
}
