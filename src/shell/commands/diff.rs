//! `diff` in GNU's shapes: bashkit's own knows `-u` and `-q`, and neither folders nor white space.

mod compare;
mod myers;
mod print;

use super::entry::{self, Moment};
use super::options::{self, Given, Known, Value};
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, async_trait};
use compare::{Look, lines};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const KNOWN: Known = Known {
    short: "aBbdiL:NqrsU:uwx:Z0123456789",
    lacking: "CDEFIScelnptvWXy",
    long: &[
        ("brief", Value::None, 'q'),
        ("color", Value::Optional, 'd'),
        ("exclude", Value::Needed, 'x'),
        ("help", Value::None, '\x01'),
        ("ignore-all-space", Value::None, 'w'),
        ("ignore-blank-lines", Value::None, 'B'),
        ("ignore-case", Value::None, 'i'),
        ("ignore-space-change", Value::None, 'b'),
        ("ignore-trailing-space", Value::None, 'Z'),
        ("label", Value::Needed, 'L'),
        ("minimal", Value::None, 'd'),
        ("new-file", Value::None, 'N'),
        ("no-dereference", Value::None, 'd'),
        ("normal", Value::None, 'd'),
        ("recursive", Value::None, 'r'),
        ("report-identical-files", Value::None, 's'),
        ("strip-trailing-cr", Value::None, '\x02'),
        ("text", Value::None, 'a'),
        ("unified", Value::Optional, 'u'),
    ],
};

const HELP: &str = "Usage: diff [OPTION]... FILES\nCompare FILES line by line.\nKnown here: -aBbiLNqrsUuwxZ, --color, \
--label, --strip-trailing-cr; exit status 0: the same, 1: different, 2: trouble.\n";

/// Compares files.
pub(super) struct Diff;

#[async_trait]
impl Builtin for Diff {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let misused = |complaint: &str| {
            ExecResult::err(format!("diff: {complaint}\ndiff: Try 'diff --help' for more information.\n"), 2)
        };
        let given = match options::read(ctx.args, &KNOWN) {
            Ok(given) => given,
            Err(complaint) => return Ok(misused(&complaint)),
        };
        if given.has('\x01') {
            return Ok(ExecResult::ok(HELP));
        }
        let [old, new] = match &given.operands[..] {
            [] => return Ok(misused("missing operand after 'diff'")),
            [one] => return Ok(misused(&format!("missing operand after '{one}'"))),
            [old, new] => [old.clone(), new.clone()],
            [_, _, extra, ..] => return Ok(misused(&format!("extra operand '{extra}'"))),
        };
        let context = match context(&given) {
            Ok(context) => context,
            Err(count) => return Ok(misused(&format!("invalid context length '{count}'"))),
        };
        let mut run = Run {
            fs: &*ctx.fs,
            stdin: ctx.stdin.map(|stdin| stdin.as_bytes().to_vec()).unwrap_or_default(),
            cwd: ctx.cwd.clone(),
            look: Look::of(&given),
            context,
            given,
            out: Vec::new(),
            errors: String::new(),
            code: 0,
        };
        run.top(&old, &new).await;
        let mut result = ExecResult::ok_bytes(run.out);
        result.stderr = run.errors.into();
        result.exit_code = run.code;
        Ok(result)
    }
}

/// The lines around a change that are asked for: `-u`, `-u5`, `-U5`, `-U 5`, `--unified=5`. `Err` is what is no number.
fn context(given: &Given) -> Result<Option<usize>, &str> {
    let digits: String = given.options.iter().map(|(letter, _)| *letter).filter(char::is_ascii_digit).collect();
    let asked = given.options.iter().rev().find(|(letter, _)| matches!(letter, 'u' | 'U'));
    match asked.map(|(_, count)| count.as_deref()) {
        None => Ok(None),
        Some(None) => Ok(Some(digits.parse().unwrap_or(3))),
        Some(Some(count)) => count.parse().map(Some).map_err(|_| count),
    }
}

/// One side of a comparison.
enum Side {
    File(Vec<u8>, Moment),
    Folder,
    Absent,
}

struct Run<'a> {
    fs: &'a dyn FileSystem,
    stdin: Vec<u8>,
    cwd: PathBuf,
    given: Given,
    look: Look,
    /// Lines around a change; without it the format is the normal one.
    context: Option<usize>,
    out: Vec<u8>,
    errors: String,
    code: i32,
}

impl Run<'_> {
    async fn side(&self, name: &str) -> Side {
        if name == "-" {
            return Side::File(self.stdin.clone(), Moment::now());
        }
        let path = entry::resolve(&self.cwd, name);
        match self.fs.stat(&path).await {
            Ok(metadata) if metadata.file_type.is_dir() => Side::Folder,
            Ok(metadata) => match self.fs.read_file(&path).await {
                Ok(bytes) => Side::File(bytes, Moment::of(metadata.modified)),
                Err(_) => Side::Absent,
            },
            Err(_) => Side::Absent,
        }
    }

    fn say(&mut self, line: String) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    /// Of several findings, the worst is the exit status.
    fn found(&mut self, code: i32) {
        self.code = self.code.max(code);
    }

    /// The files or folders of the command line.
    async fn top(&mut self, old: &str, new: &str) {
        let inside = |folder: &str, file: &str| {
            let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
            below(folder, &name.unwrap_or_default())
        };
        let (old, new) = match (self.side(old).await, self.side(new).await) {
            (Side::Folder, Side::File(..)) if new != "-" => (inside(old, new), new.to_string()),
            (Side::File(..), Side::Folder) if old != "-" => (old.to_string(), inside(new, old)),
            _ => (old.to_string(), new.to_string()),
        };
        let sides = [(&old, self.side(&old).await), (&new, self.side(&new).await)];
        let all_absent = sides.iter().all(|(_, side)| matches!(side, Side::Absent));
        for (name, side) in &sides {
            if matches!(side, Side::Absent) && (all_absent || !self.given.has('N')) {
                self.errors += &format!("diff: {name}: No such file or directory\n");
                self.found(2);
            }
        }
        let mut waiting = Vec::new();
        if self.code == 0 {
            waiting.push(Work::Pair(old, new, true));
        }
        while let Some(work) = waiting.pop() {
            match work {
                Work::Only(folder, name) => {
                    self.say(format!("Only in {folder}: {name}"));
                    self.found(1);
                }
                Work::Pair(old, new, top) => match (self.side(&old).await, self.side(&new).await) {
                    (Side::Folder, Side::Folder) if !top && !self.given.has('r') => {
                        self.say(format!("Common subdirectories: {old} and {new}"));
                    }
                    (Side::Folder, Side::Folder | Side::Absent) | (Side::Absent, Side::Folder) => {
                        waiting.extend(self.folders(&old, &new).await.into_iter().rev());
                    }
                    (Side::Folder, _) => self.unlike(&old, "directory", &new, "regular file"),
                    (_, Side::Folder) => self.unlike(&old, "regular file", &new, "directory"),
                    (one, other) => self.files([(&old, one), (&new, other)], top),
                },
            }
        }
    }

    /// What there is to do for two folders.
    async fn folders(&self, old: &str, new: &str) -> Vec<Work> {
        let (ours, theirs) = (self.names(old).await, self.names(new).await);
        let work = ours.union(&theirs).map(|name| match (ours.contains(name), theirs.contains(name)) {
            (true, false) if !self.given.has('N') => Work::Only(old.to_string(), name.clone()),
            (false, true) if !self.given.has('N') => Work::Only(new.to_string(), name.clone()),
            _ => Work::Pair(below(old, name), below(new, name), false),
        });
        work.collect()
    }

    async fn names(&self, folder: &str) -> BTreeSet<String> {
        let entries = self.fs.read_dir(&entry::resolve(&self.cwd, folder)).await.unwrap_or_default();
        let excluded = |name: &str| {
            let mut patterns = self.given.options.iter().filter(|(letter, _)| *letter == 'x');
            patterns
                .any(|(_, pattern)| pattern.as_deref().is_some_and(|pattern| fits(pattern.as_bytes(), name.as_bytes())))
        };
        entries.into_iter().map(|entry| entry.name).filter(|name| !excluded(name)).collect()
    }

    fn unlike(&mut self, old: &str, one: &str, new: &str, other: &str) {
        self.say(format!("File {old} is a {one} while file {new} is a {other}"));
        self.found(1);
    }

    fn files(&mut self, sides: [(&String, Side); 2], top: bool) {
        let [(old, (ours, before)), (new, (theirs, after))] = sides.map(|(name, side)| match side {
            Side::File(bytes, time) => (name, (bytes, time)),
            _ => (name, (Vec::new(), Moment { seconds: 0, nanos: 0 })),
        });
        let [one, other] = [lines(&ours), lines(&theirs)];
        let hunks =
            if ours == theirs { Vec::new() } else { self.look.changes(&one, &other, self.context.unwrap_or(0)) };
        if hunks.is_empty() {
            if self.given.has('s') {
                self.say(format!("Files {old} and {new} are identical"));
            }
            return;
        }
        self.found(1);
        let binary = [&ours, &theirs].iter().any(|bytes| bytes.contains(&0)) && !self.given.has('a');
        if self.given.has('q') {
            return self.say(format!("Files {old} and {new} differ"));
        }
        if binary {
            return self.say(format!("Binary files {old} and {new} differ"));
        }
        if !top {
            self.say(format!("diff {} {old} {new}", self.given.written.join(" ")));
        }
        let Some(context) = self.context else { return print::normal(&mut self.out, &hunks, &one, &other) };
        let mut labels =
            self.given.options.iter().filter(|(letter, _)| *letter == 'L').filter_map(|(_, label)| label.clone());
        let heads = [labels.next(), labels.next()];
        for (sign, label, name, time) in [("---", &heads[0], old, before), ("+++", &heads[1], new, after)] {
            let head = label.clone().unwrap_or_else(|| format!("{name}\t{}", time.full()));
            self.out.extend_from_slice(format!("{sign} {head}\n").as_bytes());
        }
        print::unified(&mut self.out, &hunks, &one, &other, context);
    }
}

/// What is still to be compared, in the order of the output.
enum Work {
    /// Two paths; whether they are those of the command line.
    Pair(String, String, bool),
    /// A folder, and the name that only it has.
    Only(String, String),
}

fn below(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// Whether a name fits a pattern of `*` and `?`.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], _) => name.is_empty(),
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        ([b'?', rest @ ..], [_, after @ ..]) => fits(rest, after),
        ([letter, rest @ ..], [first, after @ ..]) => letter == first && fits(rest, after),
        _ => false,
    }
}
