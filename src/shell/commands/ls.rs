//! `ls` in GNU's shapes: bashkit's own has no total, no owners, no `.` and `..`, and few of the options.

mod look;

use super::entry::{self, Moment};
use super::options;
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, Metadata, async_trait};
use look::{KNOWN, Look, Marks, Sort, Times};
use std::cmp::Reverse;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HELP: &str = "Usage: ls [OPTION]... [FILE]...\nList information about the FILEs (the current directory by default).\n\
Known here: -1aAdFghklnNopqrRStU, --color, --full-time, --group-directories-first, --sort, --time-style.\n";

/// Lists files.
pub(super) struct Ls;

#[async_trait]
impl Builtin for Ls {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let given = match options::read(ctx.args, &KNOWN) {
            Ok(given) => given,
            Err(complaint) => return Ok(options::misused("ls", &complaint, 2)),
        };
        if given.has('\x01') {
            return Ok(ExecResult::ok(HELP));
        }
        let mut listing =
            Listing { fs: &*ctx.fs, look: Look::of(&given), out: String::new(), errors: String::new(), code: 0 };
        listing.operands(ctx.cwd, &given.operands).await;
        let mut result = ExecResult::ok(listing.out);
        result.stderr = listing.errors.into();
        result.exit_code = listing.code;
        Ok(result)
    }
}

struct Item {
    name: String,
    metadata: Metadata,
    /// Of a link.
    target: Option<(String, Option<Metadata>)>,
}

struct Listing<'a> {
    fs: &'a dyn FileSystem,
    look: Look,
    out: String,
    errors: String,
    code: i32,
}

impl Listing<'_> {
    async fn operands(&mut self, cwd: &Path, operands: &[String]) {
        let here = [".".to_string()];
        let operands = if operands.is_empty() { &here } else { operands };
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for name in operands {
            let path = entry::resolve(cwd, name);
            let own = self.fs.lstat(&path).await;
            let led_to = self.fs.stat(&path).await;
            // A link on the line is followed where it leads to a folder, unless it is the link that is asked for.
            let follow = name.ends_with('/') || !(self.look.long || self.look.itself || self.look.marks == Marks::All);
            match (own, led_to) {
                (_, Err(_)) if name.ends_with('/') => self.refuse(name, "No such file or directory"),
                (Ok(own), _) if own.file_type.is_file() && name.ends_with('/') => self.refuse(name, "Not a directory"),
                _ if name.is_empty() => self.refuse(name, "No such file or directory"),
                (Ok(own), led_to) => {
                    let shown = led_to.ok().filter(|to| follow && (to.file_type.is_dir() || name.ends_with('/')));
                    let item = self.item(name.clone(), shown.unwrap_or(own), &path).await;
                    match item.metadata.file_type.is_dir() && !self.look.itself {
                        true => folders.push((item, path)),
                        false => files.push((item, path)),
                    }
                }
                (Err(_), _) => self.refuse(name, "No such file or directory"),
            }
        }
        let heading = operands.len() > 1 || self.look.recursive;
        let files = self.sorted(files).into_iter().map(|(item, _)| item).collect::<Vec<_>>();
        self.write(&files);
        for (item, path) in self.sorted(folders) {
            self.folder(item.name, path, heading).await;
        }
    }

    fn refuse(&mut self, name: &str, why: &str) {
        self.errors += &format!("ls: cannot access '{name}': {why}\n");
        self.code = 2;
    }

    async fn item(&self, name: String, metadata: Metadata, path: &Path) -> Item {
        let mut target = None;
        if self.look.long
            && metadata.file_type.is_symlink()
            && let Ok(link) = self.fs.read_link(path).await
        {
            target = Some((link.to_string_lossy().into_owned(), self.fs.stat(path).await.ok()));
        }
        Item { name, metadata, target }
    }

    /// Lists a folder and, where that is asked for, all below it.
    async fn folder(&mut self, name: String, path: PathBuf, heading: bool) {
        let mut waiting = vec![(name, path)];
        while let Some((name, path)) = waiting.pop() {
            let Ok(found) = self.fs.read_dir(&path).await else {
                self.errors += &format!("ls: cannot open directory '{name}': No such file or directory\n");
                self.code = self.code.max(1);
                continue;
            };
            let mut items = Vec::new();
            for dots in [".", ".."].into_iter().filter(|_| self.look.dots) {
                let at = entry::resolve(&path, dots);
                if let Ok(metadata) = self.fs.stat(&at).await {
                    items.push((Item { name: dots.into(), metadata, target: None }, at));
                }
            }
            for entry in found.into_iter().filter(|entry| self.look.hidden || !entry.name.starts_with('.')) {
                let at = path.join(&entry.name);
                items.push((self.item(entry.name, entry.metadata, &at).await, at));
            }
            let items = self.sorted(items);
            if heading {
                let gap = if self.out.is_empty() { "" } else { "\n" };
                self.out += &format!("{gap}{name}:\n");
            } else if !self.out.is_empty() {
                self.out.push('\n');
            }
            let (items, places): (Vec<_>, Vec<_>) = items.into_iter().unzip();
            if self.look.long {
                let blocks: u64 = items.iter().map(|item| entry::blocks(&item.metadata)).sum();
                let total = if self.look.human { human(blocks * 1024) } else { blocks.to_string() };
                self.out += &format!("total {total}\n");
            }
            self.write(&items);
            if self.look.recursive {
                let below = items.iter().zip(places).filter(|(item, _)| item.metadata.file_type.is_dir());
                let below = below.filter(|(item, _)| !matches!(item.name.as_str(), "." | ".."));
                let below: Vec<_> =
                    below.map(|(item, at)| (format!("{}/{}", name.trim_end_matches('/'), item.name), at)).collect();
                waiting.extend(below.into_iter().rev());
            }
        }
    }

    fn sorted(&self, mut items: Vec<(Item, PathBuf)>) -> Vec<(Item, PathBuf)> {
        let look = &self.look;
        if look.sort != Sort::No {
            items.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        }
        match look.sort {
            Sort::Name | Sort::No => {}
            Sort::Size => items.sort_by_key(|(item, _)| Reverse(entry::size(&item.metadata))),
            Sort::Time => items.sort_by_key(|(item, _)| Reverse(item.metadata.modified)),
            Sort::Extension => {
                items.sort_by_key(|(item, _)| item.name.rfind('.').map(|dot| item.name[dot..].to_string()))
            }
        }
        if look.reverse {
            items.reverse();
        }
        if look.folders_first {
            items.sort_by_key(|(item, _)| !item.metadata.file_type.is_dir());
        }
        items
    }

    fn write(&mut self, items: &[Item]) {
        let (owner, look) = (if self.look.numeric { "1000" } else { "user" }, &self.look);
        let size = |item: &Item| match look.human {
            true => human(entry::size(&item.metadata)),
            false => entry::size(&item.metadata).to_string(),
        };
        let (width, now) = (items.iter().map(|item| size(item).len()).max().unwrap_or(0), Moment::now());
        for item in items {
            if look.long {
                let owners = [owner].repeat(usize::from(look.owner) + usize::from(look.group)).join(" ");
                let gap = if owners.is_empty() { "" } else { " " };
                let time = Moment::of(item.metadata.modified);
                let time = match look.times {
                    Times::Short => time.short(now),
                    Times::Minute => time.minute(),
                    Times::Full => time.full(),
                };
                write!(self.out, "{} 1 {owners}{gap}{:>width$} {time} ", entry::mode(&item.metadata), size(item)).ok();
            }
            self.out += &item.name;
            match &item.target {
                Some((target, to)) => {
                    write!(self.out, " -> {target}{}", to.as_ref().map_or("", |to| mark(to, look.marks))).ok();
                }
                None => self.out += mark(&item.metadata, look.marks),
            }
            self.out.push('\n');
        }
    }
}

/// What stands behind a name for its kind.
fn mark(metadata: &Metadata, marks: Marks) -> &'static str {
    let kind = metadata.file_type;
    match marks {
        Marks::No => "",
        _ if kind.is_dir() => "/",
        Marks::Folders => "",
        _ if kind.is_symlink() => "@",
        _ if kind.is_fifo() => "|",
        Marks::All if metadata.mode & 0o111 != 0 => "*",
        Marks::All | Marks::Types => "",
    }
}

/// `1.5K`, rounded up.
fn human(bytes: u64) -> String {
    let (mut unit, mut units) = (1_u64, " KMGTP".chars());
    let mut letter = units.next();
    while bytes.div_ceil(unit) >= 1024 {
        unit *= 1024;
        letter = units.next();
    }
    match letter {
        Some(' ') | None => bytes.to_string(),
        Some(letter) if (bytes * 10).div_ceil(unit) < 100 => {
            let tenths = (bytes * 10).div_ceil(unit);
            format!("{}.{}{letter}", tenths / 10, tenths % 10)
        }
        Some(letter) => format!("{}{letter}", bytes.div_ceil(unit)),
    }
}
