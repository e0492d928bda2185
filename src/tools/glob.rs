//! The tool `glob`: CPython's `glob.glob(pattern, root_dir=workdir, recursive=…)` over the virtual file system.
//!
//! Owns the pattern language, down to what `fnmatch` makes of odd brackets. Paths are strings here and not [`AbsPath`]s,
//! because a result keeps the spelling of its pattern: `./a.py`, `sub//a.py` and `sub/` are answered as they were asked.

use crate::data::record;
use crate::message::Json;
use crate::python::Value;
use crate::vfs::{AbsPath, Last, Node, Vfs};
use serde::Serialize;
use std::collections::VecDeque;

/// What the tool says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GlobTexts {
    /// Nothing matches.
    pub none: String,
    /// Whether `**` reaches into directories of any depth; otherwise it is no more than `*`.
    pub recursive: bool,
    /// How many matches are shown; all of them, where there is none.
    pub limit: Option<usize>,
    /// The line behind them when there are more.
    pub omitted: String,
}

record!(GlobTexts { none, recursive, limit, omitted });

/// A pattern such as `*/../*/../*/..` has more spellings of its matches than a page can hold; Python would go on for
/// hours. This many at a time are enough for any tree that fits here.
const MOST_MATCHES: usize = 100_000;

/// Finds the files and directories that match a pattern and are in the working directory, and lists them in the order
/// of their text. `Err` is the text of Python's exception.
pub fn glob(vfs: &Vfs, workdir: &AbsPath, pattern: &Json, texts: &GlobTexts) -> Result<String, String> {
    let Json::String(pattern) = pattern else { return Err(not_a_pattern(pattern, texts.recursive)) };
    let matches = Search { vfs, workdir, recursive: texts.recursive }.run(pattern)?;
    let mut inside = Vec::new();
    for found in &matches {
        if workdir.contains(&vfs.resolve(workdir, found).map_err(|error| error.to_string())?) {
            inside.push(found.as_str());
        }
    }
    let mut shown: Vec<&str> = inside.iter().copied().take(texts.limit.unwrap_or(usize::MAX)).collect();
    if inside.len() > shown.len() {
        shown.push(&texts.omitted);
    }
    Ok(if shown.is_empty() { texts.none.clone() } else { shown.join("\n") })
}

/// Where `glob.glob` fails depends on the value: to be recursive it first takes the first two characters of what is not
/// empty.
fn not_a_pattern(pattern: &Json, recursive: bool) -> String {
    let value = Value::from(pattern);
    let kind = value.type_name();
    match pattern {
        Json::Object(_) if recursive && value.truthy() => "unhashable type: 'slice'".to_string(),
        Json::Bool(_) | Json::Number(_) if recursive && value.truthy() => {
            format!("'{kind}' object is not subscriptable")
        }
        _ => format!("expected str, bytes or os.PathLike object, not {kind}"),
    }
}

/// Sorts paths and leaves each once, since one may be reached by several ways. Returns how many there are.
fn unique(paths: &mut Vec<String>) -> usize {
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

/// One run of a pattern. The methods take paths as seen from the working directory.
struct Search<'a> {
    vfs: &'a Vfs,
    workdir: &'a AbsPath,
    recursive: bool,
}

impl Search<'_> {
    /// The matches, spelled as the pattern spells them.
    fn run(&self, pattern: &str) -> Result<Vec<String>, String> {
        // From the right, the names of the pattern until what is left of them has nothing to expand.
        let mut names = Vec::new();
        let mut base = pattern;
        while has_magic(base) {
            let (dir, name) = split(base);
            names.push(name);
            base = dir;
        }
        if names.is_empty() {
            // The empty pattern is the working directory itself, which Python leaves out.
            let exists = !pattern.is_empty() && self.find(pattern, Last::Kept).is_some();
            return Ok(exists.then(|| pattern.to_string()).into_iter().collect());
        }
        if base.contains('\0') {
            return Err("embedded null byte".to_string());
        }
        let mut paths = vec![base.to_string()];
        while let Some(name) = names.pop() {
            let dirs_only = !names.is_empty();
            let mut next = Vec::new();
            for path in &paths {
                self.expand(path, name, dirs_only, &mut next)?;
                if next.len() > MOST_MATCHES && unique(&mut next) > MOST_MATCHES {
                    return Err(too_many());
                }
            }
            unique(&mut next);
            paths = next;
        }
        // `**` matches the working directory itself as an empty text.
        paths.retain(|path| !path.is_empty());
        Ok(paths)
    }

    /// Adds what one name of the pattern matches in one directory.
    fn expand(&self, path: &str, name: &str, dirs_only: bool, found: &mut Vec<String>) -> Result<(), String> {
        if !has_magic(name) {
            let path = join(path, name);
            if self.find(&path, Last::Kept).is_some() {
                found.push(path);
            }
            return Ok(());
        }
        let Some(dir) = self.dir(path) else { return Ok(()) };
        if name == "**" && self.recursive {
            found.push(join(path, ""));
            return self.descend(path, dir, dirs_only, found);
        }
        let pattern = Pattern::new(name);
        for (child, node) in self.vfs.children(&dir) {
            let child = child.name();
            if (name.starts_with('.') || !child.starts_with('.')) && pattern.matches(child) {
                let path = join(path, child);
                if !dirs_only || self.leads_to_dir(&path, node) {
                    found.push(path);
                }
            }
        }
        Ok(())
    }

    /// Adds what is visible below a directory at any depth. Python goes through links too, and round a loop as long as the
    /// kernel does.
    fn descend(&self, path: &str, dir: AbsPath, dirs_only: bool, found: &mut Vec<String>) -> Result<(), String> {
        let mut ways = VecDeque::from([(path.to_string(), dir)]);
        let mut seen = 0;
        while let Some((path, dir)) = ways.pop_front() {
            for (below, node) in self.vfs.walk(&dir).skip(1) {
                let below = below.relative_to(&dir).unwrap_or_default();
                if below.split('/').any(|name| name.starts_with('.')) {
                    continue;
                }
                seen += 1;
                if seen > MOST_MATCHES {
                    return Err(too_many());
                }
                let path = join(&path, below);
                let through = if node.is_link() { self.dir(&path) } else { None };
                let is_dir = through.is_some() || matches!(node, Node::Dir { .. });
                ways.extend(through.map(|dir| (path.clone(), dir)));
                if is_dir || !dirs_only {
                    found.push(path);
                }
            }
        }
        Ok(())
    }

    fn leads_to_dir(&self, path: &str, node: &Node) -> bool {
        match node {
            Node::File { .. } => false,
            Node::Dir { .. } => true,
            Node::Link { .. } => self.dir(path).is_some(),
        }
    }

    /// The directory that stands there or that a link there leads to.
    fn dir(&self, path: &str) -> Option<AbsPath> {
        self.find(path, Last::Followed).filter(|(_, node)| matches!(node, Node::Dir { .. })).map(|(dir, _)| dir)
    }

    /// What the kernel finds, to which every name, even an empty one, needs a directory on its left.
    fn find(&self, path: &str, last: Last) -> Option<(AbsPath, &Node)> {
        if path.contains('\0') {
            return None;
        }
        let (place, node) = self.vfs.locate(self.workdir, path, last).ok()?;
        Some((place, node?))
    }
}

fn too_many() -> String {
    format!("pattern expands to more than {MOST_MATCHES} paths")
}

fn has_magic(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// `os.path.split`
fn split(path: &str) -> (&str, &str) {
    let (dir, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
    let trimmed = dir.trim_end_matches('/');
    (if trimmed.is_empty() { dir } else { trimmed }, name)
}

/// `os.path.join`, where the second path is a relative one
fn join(dir: &str, name: &str) -> String {
    let slash = if dir.is_empty() || dir.ends_with('/') { "" } else { "/" };
    format!("{dir}{slash}{name}")
}

/// A pattern for one name, as `fnmatch` reads it.
struct Pattern(Vec<Token>);

enum Token {
    /// `*`
    Any,
    /// One character: in one of these ranges or, negated, in none. `?` is in none of none.
    One { ranges: Vec<(char, char)>, negated: bool },
}

impl Token {
    fn takes(&self, character: char) -> bool {
        match self {
            Self::Any => false,
            Self::One { ranges, negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != *negated
            }
        }
    }
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        let pattern: Vec<char> = pattern.chars().collect();
        let mut rest = pattern.as_slice();
        let mut tokens = Vec::new();
        while let [first, behind @ ..] = rest {
            rest = behind;
            tokens.push(match first {
                '*' => Token::Any,
                '?' => Token::One { ranges: Vec::new(), negated: true },
                '[' if let Some(length) = bracket_length(rest) => {
                    let (content, behind) = rest.split_at(length);
                    rest = &behind[1..];
                    bracket(content)
                }
                character => Token::One { ranges: vec![(*character, *character)], negated: false },
            });
        }
        Self(tokens)
    }

    /// Whether the whole name matches. On a mismatch the last `*` takes one character more; no earlier one needs to.
    fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let (mut token, mut at) = (0, 0);
        let mut retry = None;
        while at < name.len() {
            match self.0.get(token) {
                Some(Token::Any) => {
                    token += 1;
                    retry = Some((token, at));
                }
                Some(one) if one.takes(name[at]) => {
                    token += 1;
                    at += 1;
                }
                _ => {
                    let Some((after_star, taken)) = retry else { return false };
                    retry = Some((after_star, taken + 1));
                    (token, at) = (after_star, taken + 1);
                }
            }
        }
        self.0[token..].iter().all(|token| matches!(token, Token::Any))
    }
}

/// How long the content of a bracket is that was just opened; none if it is never closed, and then `[` is a character.
/// A `]` that comes first, or first after `!`, does not close it.
fn bracket_length(rest: &[char]) -> Option<usize> {
    let mut length = usize::from(rest.first() == Some(&'!'));
    if rest.get(length) == Some(&']') {
        length += 1;
    }
    rest.iter().skip(length).position(|character| *character == ']').map(|more| length + more)
}

/// The set that a bracket's content stands for. `fnmatch` cuts it at the hyphens that make ranges, then drops ranges that
/// run backwards together with both their ends, and only then looks for `!`; so does this.
fn bracket(content: &[char]) -> Token {
    let mut chunks: Vec<Vec<char>> = Vec::new();
    let mut start = 0;
    // A hyphen makes no range as the first character or right behind a range.
    let mut from = if content.first() == Some(&'!') { 2 } else { 1 };
    while let Some(more) = content.iter().skip(from).position(|character| *character == '-') {
        let hyphen = from + more;
        chunks.push(content[start..hyphen].to_vec());
        start = hyphen + 1;
        from = hyphen + 3;
    }
    match chunks.last_mut() {
        Some(last) if start == content.len() => last.push('-'),
        _ => chunks.push(content[start..].to_vec()),
    }
    for right in (1..chunks.len()).rev() {
        if chunks[right - 1].last() > chunks[right].first() {
            let behind = chunks.remove(right);
            chunks[right - 1].pop();
            chunks[right - 1].extend(behind.into_iter().skip(1));
        }
    }
    let negated = chunks[0].first() == Some(&'!');
    if negated {
        chunks[0].remove(0);
    }
    let ends = chunks.windows(2).filter_map(|pair| Some((*pair[0].last()?, *pair[1].first()?)));
    let singles = chunks.iter().flatten().map(|character| (*character, *character));
    Token::One { ranges: singles.chain(ends).collect(), negated }
}
