//! The shell against real bash: the same scripts over the same files must write the same and leave the same.
//!
//! `shell/cases.json` holds what bash answered; `SHELL_CASES=FILE` runs another file of that form. What the shell itself
//! says begins otherwise (`/bin/sh: 1:`, as in the lessons), which is not counted. `shell/exceptions.json` names the
//! cases that differ, each with the reason; one that differs no more must leave that list.

mod support;

use playground::tools::bash::{Broken, Job};
use playground::vfs::{AbsPath, Node, Vfs};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::ExitCode;

#[derive(Deserialize)]
struct Recorded {
    files: BTreeMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    script: String,
    stdout: String,
    stderr: String,
    exit: i32,
    changed_files: BTreeMap<String, Option<String>>,
}

fn main() -> ExitCode {
    let given = std::env::var_os("SHELL_CASES");
    let text = match &given {
        Some(file) => std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())),
        None => include_str!("shell/cases.json").to_string(),
    };
    let recorded: Recorded = serde_json::from_str(&text).expect("cases in the form of shell/cases.json");
    let exceptions: BTreeMap<String, String> =
        serde_json::from_str(include_str!("shell/exceptions.json")).expect("names and reasons");
    let (mut equal, mut surprises) = (0, 0);
    for case in &recorded.cases {
        let difference = compare(&recorded.files, case).err();
        equal += usize::from(difference.is_none());
        match (difference, exceptions.get(&case.name)) {
            (None, None) => {}
            (None, Some(_)) => {
                surprises += 1;
                println!("{}: equal, and still among the exceptions\n", case.name);
            }
            (Some(_), Some(reason)) => println!("{}: differs, as expected: {reason}\n", case.name),
            (Some(difference), None) => {
                surprises += 1;
                println!("{}: {difference}\n  script: {:?}\n", case.name, case.script);
            }
        }
    }
    println!("{equal} of {} equal", recorded.cases.len());
    // Another file's cases are only counted: its exceptions are not known here.
    if surprises == 0 || given.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// `Err` says the first difference.
fn compare(files: &BTreeMap<String, String>, case: &Case) -> Result<(), String> {
    let workdir = support::path("/home/user/proj");
    let vfs = support::tree(&workdir, files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
    let job = Job { command: case.script.clone(), workdir: workdir.clone(), files: vfs.clone(), seconds: 60 };
    let ran = support::shell::run(&job).map_err(|broken| match broken {
        Broken::TimedOut => "it ran out of time".to_string(),
        Broken::Failed(why) => why,
    })?;
    let mut after = vfs.clone();
    after.apply(&ran.changes).map_err(|error| format!("its changes do not fit: {error}"))?;
    same("stdout", &case.stdout, &String::from_utf8_lossy(&ran.stdout))?;
    same("exit status", &case.exit.to_string(), &ran.code.to_string())?;
    same_files(&case.changed_files, &changed(&workdir, &vfs, &after))?;
    same("stderr", &without_prefix(&case.stderr), &without_prefix(&String::from_utf8_lossy(&ran.stderr)))
}

fn same(what: &str, theirs: &str, ours: &str) -> Result<(), String> {
    match theirs == ours {
        true => Ok(()),
        false => Err(format!("{what}\n  bash: {theirs:?}\n  ours: {ours:?}")),
    }
}

fn same_files(
    theirs: &BTreeMap<String, Option<String>>,
    ours: &BTreeMap<String, Option<String>>,
) -> Result<(), String> {
    same("changed files", &format!("{theirs:?}"), &format!("{ours:?}"))
}

/// The text files below the working directory that differ, by their path from there.
fn changed(workdir: &AbsPath, before: &Vfs, after: &Vfs) -> BTreeMap<String, Option<String>> {
    let text = |vfs: &Vfs, path: &AbsPath| match vfs.node(path) {
        Some(Node::File { bytes, .. }) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    let paths = before.walk(workdir).chain(after.walk(workdir)).map(|(path, _)| path.clone());
    let changes = paths.filter(|path| text(before, path) != text(after, path));
    changes.map(|path| (path.relative_to(workdir).unwrap_or_default().to_string(), text(after, &path))).collect()
}

/// What was said, without who said it.
fn without_prefix(stderr: &str) -> String {
    let line = |line: &str| {
        let said = match line.strip_prefix("/bin/bash: ") {
            Some(said) => said.trim_start_matches("-c: ").strip_prefix("line "),
            None => line.strip_prefix("/bin/sh: "),
        };
        let said = said.and_then(|said| said.split_once(": ")).map_or(line, |(_, said)| said);
        said.replace(": command not found", ": not found")
    };
    stderr.lines().map(|text| line(text) + "\n").collect()
}
