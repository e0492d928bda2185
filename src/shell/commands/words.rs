//! What bashkit's commands complain about, in GNU's words, where the complaint is the same and only the words are not.

use std::borrow::Cow;

/// Complaints that quote with ‘’ in GNU's, by their beginnings.
const CURLY: &[&str] = &[
    "chmod: invalid mode: '",
    "comm: missing operand after '",
    "date: invalid date '",
    "env: '",
    "find: '",
    "head: invalid number of lines: '",
    "mktemp: failed to create directory via template '",
    "sleep: invalid time interval '",
    "tail: invalid number of lines: '",
];

/// Ends that are no words for a user.
const INNER: &[&str] =
    &[": io error: not found", ": io error: file not found", ": io error: parent directory not found"];

/// A line of standard error as GNU would put it.
pub(in crate::shell) fn gnu(line: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(line).ok().and_then(reworded) {
        Some(line) => line.into_bytes().into(),
        None => line.into(),
    }
}

fn reworded(line: &str) -> Option<String> {
    const MISSING: &str = ": No such file or directory\n";
    if let Some(begin) = CURLY.iter().find(|begin| line.starts_with(**begin)) {
        let (said, behind) = line[begin.len()..].rsplit_once('\'')?;
        return Some(format!("{}‘{said}’{behind}", &line[..begin.len() - 1]));
    }
    if let Some(said) = INNER.iter().find_map(|end| line.trim_end_matches('\n').strip_suffix(end)) {
        return Some(match said.strip_prefix("mv: cannot move ") {
            Some(moved) if line.ends_with(": io error: not found\n") => format!("mv: cannot stat {moved}{MISSING}"),
            _ => format!("{said}{MISSING}"),
        });
    }
    let (command, file) = line.strip_suffix(MISSING)?.split_once(": ")?;
    let opens = matches!(command, "head" | "tail") && !file.starts_with("cannot open ");
    opens.then(|| format!("{command}: cannot open '{file}' for reading{MISSING}"))
}
