//! The virtual file system: a tree of files and directories in memory, as a Unix kernel would show it.
//!
//! Owns what exists at which path, and what the C library says when something does not. Values share structure, so a
//! snapshot of the whole tree costs nothing and two snapshots can be compared. There are no symbolic links, so a path
//! means the same whether it is resolved by its text or by walking.
//! Knows nothing of tools, Python or the working directory.

mod change;
mod error;
mod path;

pub use change::FsChange;
pub use error::{FsError, PathError};
pub use path::AbsPath;

use rpds::RedBlackTreeMap;
use std::cmp::Ordering;
use std::ops::Bound;
use std::rc::Rc;

/// The mode of a new file.
pub const FILE_MODE: u32 = 0o644;
/// The mode of a new directory.
pub const DIR_MODE: u32 = 0o755;
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
}

impl Node {
    /// Its permission bits.
    pub fn mode(&self) -> u32 {
        match self {
            Self::File { mode, .. } | Self::Dir { mode } => *mode,
        }
    }
}

/// Written out because `Rc<[u8]>` compares every byte even where both sides are the same allocation.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { bytes, mode }, Self::File { bytes: other_bytes, mode: other_mode }) => {
                mode == other_mode && (Rc::ptr_eq(bytes, other_bytes) || bytes == other_bytes)
            }
            (Self::Dir { mode }, Self::Dir { mode: other_mode }) => mode == other_mode,
            _ => false,
        }
    }
}

impl Eq for Node {}

/// The whole tree. `/` is always there, and every other node stands in a directory. A clone costs O(1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vfs {
    nodes: RedBlackTreeMap<AbsPath, Node>,
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
        Self { nodes }
    }

    /// What stands at a path.
    pub fn node(&self, path: &AbsPath) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// What stands at a path, or why nothing can be found there.
    pub fn stat(&self, path: &AbsPath) -> Result<&Node, FsError> {
        if path.as_str().len() > PATH_MAX {
            return Err(FsError::NameTooLong);
        }
        if let Some(node) = self.nodes.get(path) {
            return Ok(node);
        }
        // A kernel walks from the root and stops at the first name that it cannot pass: the one below the nearest
        // ancestor that exists.
        let mut missing = path.clone();
        while let Some(parent) = missing.parent() {
            match self.nodes.get(&parent) {
                Some(Node::File { .. }) => return Err(FsError::NotADirectory),
                Some(Node::Dir { .. }) if missing.name().len() > NAME_MAX => return Err(FsError::NameTooLong),
                Some(Node::Dir { .. }) => break,
                None => missing = parent,
            }
        }
        Err(FsError::NotFound)
    }

    /// Whether a file stands there.
    pub fn is_file(&self, path: &AbsPath) -> bool {
        matches!(self.node(path), Some(Node::File { .. }))
    }

    /// Whether a directory stands there.
    pub fn is_dir(&self, path: &AbsPath) -> bool {
        matches!(self.node(path), Some(Node::Dir { .. }))
    }

    /// A file's content.
    pub fn read(&self, path: &AbsPath) -> Result<Rc<[u8]>, FsError> {
        match self.stat(path)? {
            Node::File { bytes, .. } => Ok(bytes.clone()),
            Node::Dir { .. } => Err(FsError::IsADirectory),
        }
    }

    /// Writes a file whole. Its directory must exist; a file that exists keeps its mode.
    pub fn write(&mut self, path: &AbsPath, bytes: impl Into<Rc<[u8]>>) -> Result<(), FsError> {
        let mode = match self.stat(path) {
            Ok(Node::Dir { .. }) => return Err(FsError::IsADirectory),
            Ok(Node::File { mode, .. }) => *mode,
            Err(FsError::NotFound) if self.has_place_for(path) => FILE_MODE,
            Err(error) => return Err(error),
        };
        self.nodes.insert_mut(path.clone(), Node::File { bytes: bytes.into(), mode });
        Ok(())
    }

    /// Makes one directory, as `mkdir` does.
    pub fn make_dir(&mut self, path: &AbsPath) -> Result<(), FsError> {
        match self.stat(path) {
            Ok(_) => Err(FsError::Exists),
            Err(FsError::NotFound) if self.has_place_for(path) => {
                self.nodes.insert_mut(path.clone(), Node::Dir { mode: DIR_MODE });
                Ok(())
            }
            Err(error) => Err(error),
        }
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

    /// Removes a file, or a directory with all that is in it.
    pub fn remove(&mut self, path: &AbsPath) -> Result<(), FsError> {
        self.stat(path)?;
        if *path == AbsPath::root() {
            return Err(FsError::Busy);
        }
        let gone: Vec<AbsPath> = self.walk(path).map(|(path, _)| path.clone()).collect();
        for path in &gone {
            self.nodes.remove_mut(path);
        }
        Ok(())
    }

    /// Sets the permission bits.
    pub fn set_mode(&mut self, path: &AbsPath, mode: u32) -> Result<(), FsError> {
        let node = match self.stat(path)? {
            Node::File { bytes, .. } => Node::File { bytes: bytes.clone(), mode },
            Node::Dir { .. } => Node::Dir { mode },
        };
        self.nodes.insert_mut(path.clone(), node);
        Ok(())
    }

    /// What stands directly in a directory, in the order of names; nothing if it is not a directory.
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

    /// A path and all that stands below it, each directory before its content; nothing if the path does not exist.
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
            Node::Dir { .. } => 0,
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
            FsChange::Remove { path } => self.remove(path),
        }
    }

    fn has_place_for(&self, path: &AbsPath) -> bool {
        path.parent().is_some_and(|parent| self.is_dir(&parent))
    }
}
