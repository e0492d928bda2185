//! An absolute path that is normal by construction.

use crate::data::{FromJson, for_serde};
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

/// An absolute path. It starts with `/` and has no `.`, no `..`, no empty name and no `/` at its end.
///
/// Paths are ordered name by name: a directory comes before what is in it, and that comes before the next sibling.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AbsPath(Rc<str>);

impl AbsPath {
    /// `/`
    pub fn root() -> Self {
        Self::normal("/")
    }

    /// Reads an absolute path and makes it normal; none if the text is not absolute.
    pub fn parse(text: &str) -> Option<Self> {
        text.starts_with('/').then(|| Self::normal(text))
    }

    /// The path that `text` means, seen from this directory, as far as texts go: no link is followed. `..` never leaves
    /// the root; an absolute text is itself.
    pub fn join(&self, text: &str) -> Self {
        if text.starts_with('/') { Self::normal(text) } else { Self::normal(&format!("{}/{text}", self.0)) }
    }

    fn normal(text: &str) -> Self {
        let mut names = Vec::new();
        for name in text.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    names.pop();
                }
                name => names.push(name),
            }
        }
        Self(format!("/{}", names.join("/")).into())
    }

    /// The path of what has this name in this directory; the name is one that a node can have.
    pub(super) fn child(&self, name: &str) -> Self {
        Self(format!("{}/{name}", self.0.trim_end_matches('/')).into())
    }

    /// The directory that holds it; none for the root.
    pub fn parent(&self) -> Option<Self> {
        let (parent, name) = self.0.rsplit_once('/')?;
        match (parent, name) {
            ("", "") => None,
            ("", _) => Some(Self::root()),
            _ => Some(Self(parent.into())),
        }
    }

    /// The last name; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Whether `other` is this path or stands below it.
    pub fn contains(&self, other: &Self) -> bool {
        other.relative_to(self).is_some()
    }

    /// The path as seen from `base`, empty for `base` itself; none if it stands elsewhere.
    pub fn relative_to(&self, base: &Self) -> Option<&str> {
        match self.0.strip_prefix(base.0.trim_end_matches('/'))? {
            "" => Some(""),
            rest => rest.strip_prefix('/'),
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The least path, existing or not, that comes after everything below this one.
    pub(super) fn next_sibling(&self) -> Self {
        Self(format!("{}\0", self.0).into())
    }
}

impl Ord for AbsPath {
    fn cmp(&self, other: &Self) -> Ordering {
        // Name by name, that is: where a name ends comes before all that could stand in it.
        let rank = |byte: u8| (byte != b'/', byte);
        self.0.bytes().map(rank).cmp(other.0.bytes().map(rank))
    }
}

impl PartialOrd for AbsPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for AbsPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Refuses a path that is not normal: it was not written by us, and two spellings of one path must not both get in.
impl FromJson for AbsPath {
    fn from_json(json: serde_json::Value) -> Result<Self, String> {
        let text = String::from_json(json)?;
        Self::parse(&text)
            .filter(|path| path.as_str() == text)
            .ok_or_else(|| format!("not a normal absolute path: {text:?}"))
    }
}

for_serde!(AbsPath);
