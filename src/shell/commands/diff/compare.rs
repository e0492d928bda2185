//! Which lines differ.

use super::{Given, myers};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Lines that stand in the place of others; one of the sides may be empty.
pub(super) struct Change {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// What counts as a difference.
pub(super) struct Look {
    case: bool,
    spaces: Spaces,
    blank_lines: bool,
    returns: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Spaces {
    Count,
    /// Behind the last word they do not.
    Inner,
    /// How many there are does not.
    Groups,
    No,
}

/// The lines of a text with their ends, which the last may lack.
pub(super) fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

impl Look {
    pub(super) fn of(given: &Given) -> Self {
        let spaces = match () {
            () if given.has('w') => Spaces::No,
            () if given.has('b') => Spaces::Groups,
            () if given.has('Z') => Spaces::Inner,
            () => Spaces::Count,
        };
        Self { case: !given.has('i'), spaces, blank_lines: !given.has('B'), returns: !given.has('\x02') }
    }

    /// The changes, in order. No two touch each other. `context` is the number of lines that are shown around them.
    pub(super) fn changes(&self, old: &[&[u8]], new: &[&[u8]], context: usize) -> Vec<Change> {
        let keys = |lines: &[&[u8]]| lines.iter().map(|line| self.key(line).into_owned()).collect::<Vec<_>>();
        let (old_keys, new_keys) = (keys(old), keys(new));
        // What is the same at both ends is no matter of choice, and GNU leaves out of it all but the lines that it shows.
        let before = old_keys.iter().zip(&new_keys).take_while(|(one, other)| one == other).count();
        let (old_rest, new_rest) = (&old_keys[before..], &new_keys[before..]);
        let behind = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
        let (from, cut) = (before.saturating_sub(context), behind.saturating_sub(context));
        let (old_keys, new_keys) = (&old_keys[from..old.len() - cut], &new_keys[from..new.len() - cut]);
        let mut changes = changes(old_keys, new_keys);
        slide(&mut changes, old_keys, new_keys);
        for Change { old, new } in &mut changes {
            (*old, *new) = (from + old.start..from + old.end, from + new.start..from + new.end);
        }
        let blank = |lines: &[&[u8]]| lines.iter().all(|line| matches!(line, [] | [b'\n'] | [b'\r', b'\n']));
        changes
            .retain(|change| self.blank_lines || !blank(&old[change.old.clone()]) || !blank(&new[change.new.clone()]));
        changes
    }

    /// What of a line is compared.
    fn key<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
        let mut key = Cow::Borrowed(line);
        if !self.returns
            && let Some(text) = line.strip_suffix(b"\r\n")
        {
            key = [text, b"\n"].concat().into();
        }
        if self.spaces != Spaces::Count {
            let end = key.iter().rposition(|byte| !space(byte)).map_or(0, |last| last + 1);
            key = key[..end].to_vec().into();
        }
        if self.spaces == Spaces::No {
            key.to_mut().retain(|byte| !space(byte));
        }
        if self.spaces == Spaces::Groups {
            let mut before = false;
            key.to_mut().retain(|byte| !(std::mem::replace(&mut before, space(byte)) && space(byte)));
            key.to_mut().iter_mut().filter(|byte| space(byte)).for_each(|byte| *byte = b' ');
        }
        if !self.case {
            key.to_mut().make_ascii_lowercase();
        }
        key
    }
}

/// The changes between two texts, before any is moved.
fn changes(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<Change> {
    // What the other side has nowhere is changed in any case. Without it the rest is compared sooner.
    let (of_old, of_new): (HashSet<_>, HashSet<_>) = (old.iter().collect(), new.iter().collect());
    let common = |lines: &[Vec<u8>], other: &HashSet<&Vec<u8>>| -> Vec<usize> {
        (0..lines.len()).filter(|&at| other.contains(&lines[at])).collect()
    };
    let (ours, theirs) = (common(old, &of_new), common(new, &of_old));
    let text = |lines: &[Vec<u8>], at: &[usize]| at.iter().map(|&at| lines[at].clone()).collect::<Vec<_>>();
    let (lost, come) = myers::changed(&text(old, &ours), &text(new, &theirs));
    let kept = |at: &[usize], changed: &[bool], count: usize| {
        let mut kept: Vec<usize> =
            at.iter().zip(changed).filter(|(_, changed)| !**changed).map(|(at, _)| *at).collect();
        kept.push(count);
        kept
    };
    let (mut changes, mut place) = (Vec::new(), (0, 0));
    for (x, y) in kept(&ours, &lost, old.len()).into_iter().zip(kept(&theirs, &come, new.len())) {
        if place != (x, y) {
            changes.push(Change { old: place.0..x, new: place.1..y });
        }
        place = (x + 1, y + 1);
    }
    changes
}

/// Moves what was only added or only taken away to where GNU's `diff` shows it, where the lines around it leave a choice:
/// beside a change of the other side, or else as far down as it goes.
fn slide(changes: &mut Vec<Change>, old: &[Vec<u8>], new: &[Vec<u8>]) {
    let mut at = changes.len();
    while at > 0 {
        at -= 1;
        let next = changes.get(at + 1).map_or((old.len(), new.len()), |next| (next.old.start, next.new.start));
        let (added, taken) = (changes[at].old.is_empty(), changes[at].new.is_empty());
        let Change { old: ours, new: theirs } = &mut changes[at];
        while (added && theirs.end < next.1 && new[theirs.start] == new[theirs.end])
            || (taken && ours.end < next.0 && old[ours.start] == old[ours.end])
        {
            (*ours, *theirs) = (ours.start + 1..ours.end + 1, theirs.start + 1..theirs.end + 1);
        }
        let touches = ours.end == next.0 && theirs.end == next.1 && at + 1 < changes.len();
        if touches {
            let next = changes.remove(at + 1);
            (changes[at].old.end, changes[at].new.end) = (next.old.end, next.new.end);
        }
    }
    // Upwards only to join another.
    let mut at = 1;
    while at < changes.len() {
        let (before, after) = changes.split_at_mut(at);
        let (last, Change { old: ours, new: theirs }) = (&before[at - 1], &after[0]);
        let gap = ours.start - last.old.end;
        let (added, taken) = (ours.is_empty(), theirs.is_empty());
        let joins = (1..=gap).all(|up| {
            (added && new[theirs.start - up] == new[theirs.end - up])
                || (taken && old[ours.start - up] == old[ours.end - up])
        });
        if joins {
            let (old_end, new_end) = (ours.end - gap, theirs.end - gap);
            changes.remove(at);
            (changes[at - 1].old.end, changes[at - 1].new.end) = (old_end, new_end);
        } else {
            at += 1;
        }
    }
}
