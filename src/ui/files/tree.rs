//! The tree of all files, with what became of each.

use crate::timeline::{Cursor, Timeline};
use crate::vfs::{AbsPath, FsChange, Node, Vfs};
use std::collections::BTreeMap;

/// The moment that files are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// The start of the run.
    Start,
    /// Before the round, or the prompt, at the cursor.
    Round,
    /// Before the step at the cursor.
    Step,
}

impl Since {
    pub(super) const ALL: [Self; 3] = [Self::Start, Self::Round, Self::Step];

    /// The files of that moment.
    pub(super) fn files(self, timeline: &Timeline, cursor: Cursor) -> &Vfs {
        let stops = timeline.stops();
        let group = |place: usize| stops.get(place).map(|stop| (stop.turn, stop.round));
        let first = match (self, timeline.place(cursor)) {
            (Self::Start, _) | (_, None) => None,
            (Self::Step, Some(place)) => Some(place),
            (Self::Round, Some(place)) => {
                (0..=place).rev().take_while(|&earlier| group(earlier) == group(place)).last()
            }
        };
        let before = first.and_then(|first| stops.get(first.checked_sub(1)?));
        before.map_or(&timeline.start().workspace.vfs, |stop| &stop.after.workspace.vfs)
    }
}

/// What became of a file since another moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    New,
    Changed,
    Removed,
}

/// A row of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) path: AbsPath,
    /// None for what is there no more.
    pub(super) node: Option<Node>,
    pub(super) mark: Option<Mark>,
}

/// All rows, in the order of the paths.
pub(super) fn rows(before: &Vfs, now: &Vfs) -> Vec<Row> {
    let mut marks: BTreeMap<AbsPath, Mark> = BTreeMap::new();
    for change in before.diff(now) {
        let mark = match (&change, before.node(change.path())) {
            (FsChange::Remove { .. }, _) => Mark::Removed,
            (_, Some(_)) => Mark::Changed,
            (_, None) => Mark::New,
        };
        // A file that was replaced by a directory is first removed and then made.
        if mark == Mark::Removed {
            // With a folder goes what was in it.
            marks.extend(before.walk(change.path()).map(|(path, _)| (path.clone(), Mark::Removed)));
        }
        marks.insert(change.path().clone(), if now.node(change.path()).is_some() { mark } else { Mark::Removed });
    }
    let root = AbsPath::root();
    let there = now.walk(&root).filter(|(path, _)| **path != root).map(|(path, node)| Row {
        path: path.clone(),
        node: Some(node.clone()),
        mark: marks.get(path).copied(),
    });
    let gone = marks.iter().filter(|(path, _)| now.node(path).is_none()).map(|(path, _)| Row {
        path: path.clone(),
        node: None,
        mark: Some(Mark::Removed),
    });
    let mut rows: Vec<Row> = there.chain(gone).collect();
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    rows
}
