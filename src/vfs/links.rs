//! Symbolic links: where a path leads.
//!
//! There are two answers. [`Vfs::locate`] walks as the kernel does when a file is opened, and every name on the way must
//! be there; [`Vfs::resolve`] is Python's `Path.resolve()`, which reads links where it finds them and lets all else pass.
//! Both are fast where no link is met: nothing stands below a link, so what stands at the path itself is what is meant.

use super::{AbsPath, FsError, NAME_MAX, Node, PATH_MAX, SymlinkLoop, Vfs};
use std::collections::BTreeMap;

/// How many links the kernel follows in one walk.
const MOST_LINKS: usize = 40;

/// What the kernel does at the last name of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// It follows a link there, as `stat` and `open` do.
    Followed,
    /// The same, and it refuses a `/` behind the name, as an `open` does that may make the file.
    Created,
    /// It takes a link there for what is meant, as `lstat`, `mkdir`, `symlink` and `unlink` do.
    Kept,
}

impl Vfs {
    /// The place that a text means to the kernel, seen from a directory, and what stands there. No link is left in its
    /// path but the last name where that is [`Last::Kept`]; its directory exists. An empty text is the directory itself.
    pub fn locate(&self, dir: &AbsPath, text: &str, last: Last) -> Result<(AbsPath, Option<&Node>), FsError> {
        let is_absolute = text.starts_with('/');
        let length = if is_absolute { text.len() } else { dir.as_str().len() + 1 + text.len() };
        if length > PATH_MAX {
            return Err(FsError::NameTooLong);
        }
        // What is still to be walked, the next part last. A link's target comes before what stands behind the link.
        let mut rests = vec![text];
        let mut at = AbsPath::root();
        match self.node(dir) {
            _ if is_absolute => {}
            Some(Node::Dir { .. }) => at = dir.clone(),
            _ => rests.push(dir.as_str()),
        }
        let mut links = 0;
        while let Some(rest) = rests.last_mut() {
            let Some(name) = next_name(rest) else {
                rests.pop();
                continue;
            };
            let goes_on = rests.iter().any(|rest| !rest.trim_start_matches('/').is_empty());
            let needs_dir = rests.iter().any(|rest| !rest.is_empty());
            let Some(next) = step(&mut at, name) else { continue };
            if last == Last::Created && needs_dir && !goes_on {
                return Err(FsError::IsADirectory);
            }
            if name.len() > NAME_MAX || next.as_str().len() > PATH_MAX {
                return Err(FsError::NameTooLong);
            }
            match self.node(&next) {
                Some(Node::Link { target }) if needs_dir || last != Last::Kept => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(FsError::Loop);
                    }
                    if target.starts_with('/') {
                        at = AbsPath::root();
                    }
                    rests.push(target);
                }
                Some(Node::File { .. }) if needs_dir => return Err(FsError::NotADirectory),
                None if goes_on => return Err(FsError::NotFound),
                _ => at = next,
            }
        }
        let node = self.nodes.get(&at);
        Ok((at, node))
    }

    /// What `locate` finds at a path. All is known at the nearest node; only where that is a link is there a way to walk.
    pub(super) fn find(&self, path: &AbsPath, last: Last) -> Result<(AbsPath, Option<&Node>), FsError> {
        if path.as_str().len() > PATH_MAX {
            return Err(FsError::NameTooLong);
        }
        let Some((top, node)) = self.nearest(path) else { return Err(FsError::NotFound) };
        let below = path.relative_to(&top).unwrap_or_default();
        let (name, deeper) = below.split_once('/').unwrap_or((below, ""));
        match node {
            Node::Link { .. } if last != Last::Kept || !below.is_empty() => self.locate(&top, below, last),
            _ if below.is_empty() => Ok((top, Some(node))),
            Node::Dir { .. } if name.len() > NAME_MAX => Err(FsError::NameTooLong),
            Node::Dir { .. } if deeper.is_empty() => Ok((path.clone(), None)),
            Node::Dir { .. } => Err(FsError::NotFound),
            _ => Err(FsError::NotADirectory),
        }
    }

    /// The path that a text means to Python, seen from a directory: `(dir / text).resolve()`. Nothing needs to exist, and
    /// `..` behind a link leads to where the link's target stands.
    ///
    /// A text such as `loop/../link` can come back with a link in it: at a loop Python gives up, takes what is left by its
    /// text, and raises only where a loop is left in that.
    pub fn resolve(&self, dir: &AbsPath, text: &str) -> Result<AbsPath, SymlinkLoop> {
        let path = dir.join(text);
        let goes_up = || text.split('/').any(|name| name == "..");
        let meets_link = || self.nearest(&path).is_some_and(|(_, node)| node.is_link());
        if self.links == 0 || !goes_up() && !meets_link() {
            return Ok(path);
        }
        self.real_path(dir, text).or_else(|path| match self.stat(&path) {
            Err(FsError::Loop) => Err(SymlinkLoop(path)),
            _ => Ok(path),
        })
    }

    /// `os.path.realpath(dir / text)`; `Err` where it gave up at a loop.
    fn real_path(&self, dir: &AbsPath, text: &str) -> Result<AbsPath, AbsPath> {
        let mut at = AbsPath::root();
        // What is still to be read, the next part last, each with the link whose target it is.
        let mut rests = vec![(text, None)];
        if !text.starts_with('/') {
            rests.push((dir.as_str(), None));
        }
        // Where each link leads, once that is known.
        let mut seen: BTreeMap<AbsPath, Option<AbsPath>> = BTreeMap::new();
        while let Some((rest, _)) = rests.last_mut() {
            let Some(name) = next_name(rest) else {
                if let Some((_, Some(link))) = rests.pop() {
                    seen.insert(link, Some(at.clone()));
                }
                continue;
            };
            let Some(next) = step(&mut at, name) else { continue };
            let Some(Node::Link { target }) = self.node(&next) else {
                at = next;
                continue;
            };
            match seen.get(&next) {
                Some(Some(known)) => at = known.clone(),
                Some(None) => {
                    let cut = rests.iter().rev().map(|(rest, _)| rest.strip_prefix('/').unwrap_or(rest));
                    return Err(cut.fold(next, |path, rest| path.join(rest)));
                }
                None => {
                    if target.starts_with('/') {
                        at = AbsPath::root();
                    }
                    seen.insert(next.clone(), None);
                    rests.push((target, Some(next)));
                }
            }
        }
        Ok(at)
    }

    /// The path itself or the nearest above it at which something stands. Only there can be a link.
    fn nearest(&self, path: &AbsPath) -> Option<(AbsPath, &Node)> {
        let mut paths = std::iter::successors(Some(path.clone()), AbsPath::parent);
        paths.find_map(|path| self.node(&path).map(|node| (path, node)))
    }
}

/// Takes the next name off a path's text. What is left is empty or starts with `/`.
fn next_name<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let names = rest.trim_start_matches('/');
    let (name, behind) = names.split_at(names.find('/').unwrap_or(names.len()));
    *rest = behind;
    (!name.is_empty()).then_some(name)
}

/// Goes where `.` and `..` lead. Any other name is to be looked at, at the path that this returns.
fn step(at: &mut AbsPath, name: &str) -> Option<AbsPath> {
    match name {
        "." => {}
        ".." => *at = at.parent().unwrap_or_else(AbsPath::root),
        _ => return Some(at.child(name)),
    }
    None
}
