//! How differences are written.

use super::compare::Change;
use std::ops::Range;

fn put(out: &mut Vec<u8>, sign: &str, lines: &[&[u8]]) {
    for line in lines {
        out.extend_from_slice(sign.as_bytes());
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// `2,3c2`, `< old`, `---`, `> new`
pub(super) fn normal(out: &mut Vec<u8>, changes: &[Change], old: &[&[u8]], new: &[&[u8]]) {
    // Where a side has no line, the line before the place is named.
    let place = |range: &Range<usize>| match range.len() {
        0 => range.start.to_string(),
        1 => range.end.to_string(),
        _ => format!("{},{}", range.start + 1, range.end),
    };
    for Change { old: ours, new: theirs } in changes {
        let kind = if ours.is_empty() {
            'a'
        } else if theirs.is_empty() {
            'd'
        } else {
            'c'
        };
        out.extend_from_slice(format!("{}{kind}{}\n", place(ours), place(theirs)).as_bytes());
        put(out, "< ", &old[ours.clone()]);
        if kind == 'c' {
            out.extend_from_slice(b"---\n");
        }
        put(out, "> ", &new[theirs.clone()]);
    }
}

/// `@@ -1,4 +1,4 @@`, and the lines with those around them.
pub(super) fn unified(out: &mut Vec<u8>, changes: &[Change], old: &[&[u8]], new: &[&[u8]], context: usize) {
    let place = |range: Range<usize>| match range.len() {
        0 => format!("{},0", range.start),
        1 => range.end.to_string(),
        count => format!("{},{count}", range.start + 1),
    };
    for group in changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * context) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let before = context.min(first.old.start);
        let after = context.min(old.len() - last.old.end);
        let ours = first.old.start - before..last.old.end + after;
        // Changes that do not count (-B) may have taken lines from one side only.
        let theirs = first.new.start.saturating_sub(before)..(last.new.end + after).min(new.len());
        out.extend_from_slice(format!("@@ -{} +{} @@\n", place(ours.clone()), place(theirs)).as_bytes());
        let mut at = ours.start;
        for change in group {
            put(out, " ", &old[at..change.old.start]);
            put(out, "-", &old[change.old.clone()]);
            put(out, "+", &new[change.new.clone()]);
            at = change.old.end;
        }
        put(out, " ", &old[at..ours.end]);
    }
}
