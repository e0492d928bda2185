//! The virtual file system, the file tools, glob and the binding of arguments, over their public API.
//!
//! Tables say what a model reads; properties say what holds for any tree; the last part runs the same cases through the
//! `python3` on PATH and compares, and says so where there is none.

use playground::agent::Phase;
use playground::message::Json;
use playground::tools::arguments::{Binding, Parameter, Signature};
use playground::tools::files::{FileAnswer, FileTexts, edit_file, read_file, write_file};
use playground::tools::glob::{GlobTexts, glob};
use playground::vfs::{AbsPath, FsChange, FsError, Last, Node, Vfs};
use serde_json::json;

#[path = "tools/arguments.rs"]
mod arguments;
#[path = "tools/files.rs"]
mod files;
#[path = "tools/glob.rs"]
mod glob;
#[path = "tools/links.rs"]
mod links;
#[path = "tools/properties.rs"]
mod properties;
#[path = "tools/python.rs"]
mod python;
#[path = "tools/python_links.rs"]
mod python_links;
#[path = "tools/scripts.rs"]
mod scripts;
mod support;
#[path = "tools/vfs.rs"]
mod vfs;

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).expect("an absolute path")
}

fn workdir() -> AbsPath {
    path("/home/reader/proj")
}

/// A tree with these files and, where a name ends in `/`, directories; `name -> target` is a link. Names are relative to
/// `base`.
fn tree_at(base: &AbsPath, entries: &[(&str, &[u8])]) -> Vfs {
    let mut vfs = Vfs::new();
    vfs.make_dirs(base).expect("a fresh tree");
    for (name, bytes) in entries {
        let (name, target) = name.split_once(" -> ").map_or((*name, None), |(name, target)| (name, Some(target)));
        let at = base.join(name);
        if let (true, None) = (name.ends_with('/'), target) {
            vfs.make_dirs(&at).expect("a directory");
            continue;
        }
        vfs.make_dirs(&at.parent().expect("not the root")).expect("the directories above a file");
        match target {
            Some(target) => vfs.make_link(&at, target).expect("a link"),
            None => vfs.write(&at, *bytes).expect("a file"),
        }
    }
    vfs
}

fn tree(entries: &[(&str, &[u8])]) -> Vfs {
    tree_at(&workdir(), entries)
}

fn texts() -> FileTexts {
    FileTexts {
        more_lines: "... ({n} more lines)".into(),
        wrote: "Wrote {n} bytes to {path}".into(),
        edited: "Edited {path}".into(),
        text_not_found: "text not found in {path}".into(),
        outside: None,
        max_chars: None,
    }
}

fn glob_texts() -> GlobTexts {
    let omitted = "... (more matches omitted; narrow the pattern)".into();
    GlobTexts { none: "(no matches)".into(), recursive: true, limit: Some(200), omitted }
}

/// The output as the model reads it: errors get the prefix that the loop gives them.
fn said<T>(outcome: Result<T, String>, output: impl FnOnce(T) -> String) -> String {
    outcome.map_or_else(|exception| format!("Error: {exception}"), output)
}

fn read(vfs: &Vfs, name: impl Into<Json>, limit: Option<Json>) -> String {
    said(read_file(vfs, &workdir(), &name.into(), limit.as_ref(), &texts()), |answer| answer.output)
}

/// Applies what a tool did and answers with its output.
fn apply(vfs: &mut Vfs, outcome: Result<FileAnswer, String>) -> String {
    said(outcome, |answer| {
        vfs.apply(&answer.changes).expect("changes that fit the tree they were made for");
        answer.output
    })
}

fn write(vfs: &mut Vfs, name: impl Into<Json>, content: impl Into<Json>) -> String {
    let outcome = write_file(vfs, &workdir(), &name.into(), &content.into(), &texts());
    apply(vfs, outcome)
}

fn edit(vfs: &mut Vfs, name: impl Into<Json>, old: impl Into<Json>, new: impl Into<Json>) -> String {
    let outcome = edit_file(vfs, &workdir(), &name.into(), &old.into(), &new.into(), &texts());
    apply(vfs, outcome)
}

fn content(vfs: &Vfs, name: &str) -> String {
    String::from_utf8_lossy(&vfs.read(&workdir().join(name)).expect("a file")).into_owned()
}

fn find(vfs: &Vfs, pattern: impl Into<Json>) -> String {
    said(glob(vfs, &workdir(), &pattern.into(), &glob_texts()), |matches| matches)
}
