//! The virtual file system: a tree of files and directories in memory, as a Unix kernel would show it.
//!
//! Owns what exists at which path, and what the C library says when something does not. Values share structure, so a
//! snapshot of the whole tree costs nothing and two snapshots can be compared. A symbolic link is a leaf of the tree; all
//! that takes a path follows the links on it, and `links.rs` says how.
//! Knows nothing of tools, Python or the working directory.

mod change;
mod error;
mod links;
mod path;

pub use change::FsChange;
pub(crate) use change::content;
pub use error::{FsError, PathError, SymlinkLoop};
pub use links::Last;
pub use path::AbsPath;

use rpds::RedBlackTreeMap;
use std::cmp::Ordering;
use std::ops::Bound;
use std::rc::Rc;

/// The mode of a new file.
pub const FILE_MODE: u32 = 0o644;
/// The mode of a new directory.
pub const DIR_MODE: u32 = 0o755;
/// The mode of every symbolic link.
pub const LINK_MODE: u32 = 0o777;
/// The longest name of a file or directory, in bytes.
pub const NAME_MAX: usize = 255;
/// The longest path, in bytes.
pub const PATH_MAX: usize = 4095;

/// What stands at a path.
#[derive(Debug, Clone)]
pub enum Node {
    /// A file.
    File {
        /// Its content.
        bytes: Rc<[u8]>,
        /// Its permission bits.
        mode: u32,
    },
    /// A directory.
    Dir {
        /// Its permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// The path that it stands for, as it was written. A relative one is seen from the link's directory.
        target: Rc<str>,
    },
}

impl Node {
    /// Its permission bits.
    pub fn mode(&self) -> u32 {
        match self {
            Self::File { mode, .. } | Self::Dir { mode } => *mode,
            Self::Link { .. } => LINK_MODE,
        }
    }

    /// Whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        matches!(self, Self::Link { .. })
    }

    /// The same with other permission bits, which a link cannot have.
    fn with_mode(&self, mode: u32) -> Self {
        match self {
            Self::File { bytes, .. } => Self::File { bytes: bytes.clone(), mode },
            Self::Dir { .. } => Self::Dir { mode },
            Self::Link { .. } => self.clone(),
        }
    }
}

/// Written out because an `Rc` compares every byte even where both sides are the same allocation.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { bytes, mode }, Self::File { bytes: other_bytes, mode: other_mode }) => {
                mode == other_mode && (Rc::ptr_eq(bytes, other_bytes) || bytes == other_bytes)
            }
            (Self::Dir { mode }, Self::Dir { mode: other_mode }) => mode == other_mode,
            (Self::Link { target }, Self::Link { target: other_target }) => target == other_target,
            _ => false,
        }
    }
}

impl Eq for Node {}

/// The whole tree. `/` is always there, and every other node stands in a directory. A clone costs O(1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vfs {
    nodes: RedBlackTreeMap<AbsPath, Node>,
    /// How many of them are links. Where none is, a path means what its text says.
    links: usize,
}

impl Default for Vfs {
    fn default() -> Self {
        Self::new()
    }
}

impl Vfs {
    /// An empty tree: `/` and nothing in it.
    pub fn new() -> Self {
        let mut nodes = RedBlackTreeMap::new();
        nodes.insert_mut(AbsPath::root(), Node::Dir { mode: DIR_MODE });
        Self { nodes, links: 0 }
    }

    /// What stands at a path, a link included; no link is followed.
    pub fn node(&self, path: &AbsPath) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// What stands at a path when links are followed, or why nothing can be found there.
    pub fn stat(&self, path: &AbsPath) -> Result<&Node, FsError> {
        self.find(path, Last::Followed)?.1.ok_or(FsError::NotFound)
    }

    /// Whether a file stands there, when links are followed.
    pub fn is_file(&self, path: &AbsPath) -> bool {
        matches!(self.stat(path), Ok(Node::File { .. }))
    }

    /// Whether a directory stands there, when links are followed.
    pub fn is_dir(&self, path: &AbsPath) -> bool {
        matches!(self.stat(path), Ok(Node::Dir { .. }))
    }

    /// A file's content.
    pub fn read(&self, path: &AbsPath) -> Result<Rc<[u8]>, FsError> {
        let Node::File { bytes, .. } = self.stat(path)? else { return Err(FsError::IsADirectory) };
        Ok(bytes.clone())
    }

    /// Writes a file whole, or the one that a link leads to. Its directory must exist; a file that exists keeps its mode.
    pub fn write(&mut self, path: &AbsPath, bytes: impl Into<Rc<[u8]>>) -> Result<(), FsError> {
        let (place, node) = self.find(path, Last::Created)?;
        let mode = match node {
            Some(Node::Dir { .. }) => return Err(FsError::IsADirectory),
            Some(file) => file.mode(),
            None => FILE_MODE,
        };
        self.nodes.insert_mut(place, Node::File { bytes: bytes.into(), mode });
        Ok(())
    }

    /// Makes one directory, as `mkdir` does.
    pub fn make_dir(&mut self, path: &AbsPath) -> Result<(), FsError> {
        self.put_new(path, Node::Dir { mode: DIR_MODE })
    }

    /// Makes a symbolic link, as `symlink` does: nobody asks whether there is a target.
    pub fn make_link(&mut self, path: &AbsPath, target: impl Into<Rc<str>>) -> Result<(), FsError> {
        let target = target.into();
        match target.len() {
            0 => Err(FsError::NotFound),
            1..=PATH_MAX => self.put_new(path, Node::Link { target }),
            _ => Err(FsError::NameTooLong),
        }
    }

    fn put_new(&mut self, path: &AbsPath, node: Node) -> Result<(), FsError> {
        let (place, None) = self.find(path, Last::Kept)? else { return Err(FsError::Exists) };
        self.links += usize::from(node.is_link());
        self.nodes.insert_mut(place, node);
        Ok(())
    }

    /// Makes a directory and those above it that are missing; one that exists is fine. The error names the path at
    /// which Python's `Path.mkdir(parents=True, exist_ok=True)` fails. On an error nothing is made.
    pub fn make_dirs(&mut self, path: &AbsPath) -> Result<(), PathError> {
        let mut next = self.clone();
        let mut missing = vec![path.clone()];
        while let Some(dir) = missing.pop() {
            match next.make_dir(&dir) {
                Ok(()) => {}
                Err(FsError::Exists) if next.is_dir(&dir) => {}
                Err(FsError::NotFound) => {
                    let parent = dir.parent();
                    missing.push(dir);
                    missing.extend(parent);
                }
                Err(error) => return Err(PathError { path: dir, error }),
            }
        }
        *self = next;
        Ok(())
    }

    /// Removes a file, a link, or a directory with all that is in it.
    pub fn remove(&mut self, path: &AbsPath) -> Result<(), FsError> {
        let (place, Some(_)) = self.find(path, Last::Kept)? else { return Err(FsError::NotFound) };
        if place == AbsPath::root() {
            return Err(FsError::Busy);
        }
        let gone: Vec<(AbsPath, bool)> = self.walk(&place).map(|(path, node)| (path.clone(), node.is_link())).collect();
        for (path, is_link) in &gone {
            self.nodes.remove_mut(path);
            self.links -= usize::from(*is_link);
        }
        Ok(())
    }

    /// Sets the permission bits, for a link those of what it leads to.
    pub fn set_mode(&mut self, path: &AbsPath, mode: u32) -> Result<(), FsError> {
        let (place, Some(node)) = self.find(path, Last::Followed)? else { return Err(FsError::NotFound) };
        let node = node.with_mode(mode);
        self.nodes.insert_mut(place, node);
        Ok(())
    }

    /// What stands directly in a directory, in the order of names; nothing if it is not a directory but, say, a link to
    /// one.
    pub fn children<'a>(&'a self, dir: &AbsPath) -> impl Iterator<Item = (&'a AbsPath, &'a Node)> + use<'a> {
        let dir = dir.clone();
        let mut start = Bound::Excluded(dir.clone());
        std::iter::from_fn(move || {
            let (path, node) = self.nodes.range((start.as_ref(), Bound::Unbounded)).next()?;
            // Skips what stands below this child without looking at it.
            start = Bound::Included(path.next_sibling());
            dir.contains(path).then_some((path, node))
        })
    }

    /// A path and all that stands below it, each directory before its content; nothing if the path does not exist. Links
    /// are not followed, nor is anything below one.
    pub fn walk<'a>(&'a self, top: &AbsPath) -> impl Iterator<Item = (&'a AbsPath, &'a Node)> + use<'a> {
        let top = top.clone();
        self.nodes
            .range((Bound::Included(top.clone()), Bound::Unbounded))
            .take_while(move |(path, _)| top.contains(path))
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.nodes.values().filter(|node| matches!(node, Node::File { .. })).count()
    }

    /// How many bytes all files hold together.
    pub fn byte_count(&self) -> usize {
        let sizes = self.nodes.values().map(|node| match node {
            Node::File { bytes, .. } => bytes.len(),
            Node::Dir { .. } | Node::Link { .. } => 0,
        });
        sizes.sum()
    }

    /// The changes that make `newer` out of this tree, in an order in which they can be applied.
    pub fn diff(&self, newer: &Self) -> Vec<FsChange> {
        if self.nodes.ptr_eq(&newer.nodes) {
            return Vec::new();
        }
        let (mut olds, mut news) = (self.nodes.iter().peekable(), newer.nodes.iter().peekable());
        let mut changes = Vec::new();
        let mut removed: Option<&AbsPath> = None;
        loop {
            let order = match (olds.peek(), news.peek()) {
                (Some((old, _)), Some((new, _))) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return changes,
            };
            let old = if order.is_le() { olds.next() } else { None };
            let new = if order.is_ge() { news.next() } else { None };
            if let Some((path, node)) = old {
                let stays = new.is_some_and(|(_, new)| std::mem::discriminant(node) == std::mem::discriminant(new));
                // Removing a directory removes what is in it.
                if !stays && !removed.is_some_and(|removed| removed.contains(path)) {
                    removed = Some(path);
                    changes.push(FsChange::Remove { path: path.clone() });
                }
            }
            if let Some((path, node)) = new
                && old.is_none_or(|(_, old)| old != node)
            {
                changes.push(FsChange::of(path, node));
            }
        }
    }

    /// Applies changes, all of them or, if one cannot be, none.
    pub fn apply(&mut self, changes: &[FsChange]) -> Result<(), PathError> {
        let mut next = self.clone();
        for change in changes {
            let path = change.path();
            next.apply_one(change).map_err(|error| PathError { path: path.clone(), error })?;
        }
        *self = next;
        Ok(())
    }

    fn apply_one(&mut self, change: &FsChange) -> Result<(), FsError> {
        match change {
            FsChange::Write { path, bytes, mode } => {
                self.write(path, bytes.clone())?;
                self.set_mode(path, *mode)
            }
            FsChange::MakeDir { path, mode } => {
                if !self.is_dir(path) {
                    self.make_dir(path)?;
                }
                self.set_mode(path, *mode)
            }
            FsChange::Link { path, target } => {
                if self.node(path).is_some_and(Node::is_link) {
                    self.remove(path)?;
                }
                self.make_link(path, target.clone())
            }
            FsChange::Remove { path } => self.remove(path),
        }
    }
}
