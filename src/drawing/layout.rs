//! Where the nodes of a drawing stand and how its edges run, in units; the page draws them at any size.
//!
//! The loop is a column with a second one to its right. What the lesson lacks leaves no gap.

use super::{Drawing, NodeId, Scope, Way};
use crate::lesson::HookPoint;

/// The width of every drawing.
pub const WIDTH: i32 = 372;

/// The height of a node.
const TALL: i32 = 42;
/// Between one node and the one below it.
const GAP: i32 = 20;
/// How far above its end a line that comes from the side turns.
const TURN: i32 = 11;
/// The loop's columns: left and right border of each.
const MAIN: (i32, i32) = (42, 206);
const SIDE: (i32, i32) = (234, 366);
/// The lanes at the left: for the way back to the request, and for blocked calls.
const BACK: i32 = 10;
const BLOCKED: i32 = 30;

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    /// Its left border.
    pub x: i32,
    /// Its upper border.
    pub y: i32,
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

impl Rect {
    fn new((left, right): (i32, i32), y: i32) -> Self {
        Self { x: left, y, width: right - left, height: TALL }
    }

    fn right(self) -> i32 {
        self.x + self.width
    }

    fn bottom(self) -> i32 {
        self.y + self.height
    }

    /// The middle from left to right.
    pub fn middle(self) -> i32 {
        self.x + self.width / 2
    }

    /// The middle from top to bottom.
    pub fn centre(self) -> i32 {
        self.y + self.height / 2
    }
}

/// A line with right angles, from where it leaves a node to where it meets another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Why it is taken.
    pub way: Way,
    /// Its corners, both ends included.
    pub points: Vec<(i32, i32)>,
}

/// A drawing with its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The height of the whole; the width is [`WIDTH`].
    pub height: i32,
    /// The nodes.
    pub boxes: Vec<(NodeId, Rect)>,
    /// The edges that are lines. The way to a reply's next call is none: the frame says it.
    pub lines: Vec<Line>,
    /// Around what happens for each call.
    pub frame: Option<Rect>,
}

impl Layout {
    /// Gives everything its place.
    pub fn new(drawing: &Drawing) -> Self {
        let (boxes, frame) = match drawing.scope {
            Scope::Loop => loop_boxes(drawing),
            Scope::Plan => (plan_boxes(drawing), None),
        };
        let find = |id| boxes.iter().find(|(of, _)| *of == id).map(|(_, rect)| *rect);
        let lines = drawing.edges.iter().filter(|edge| edge.way != Way::Next).filter_map(|edge| {
            let (from, to) = (find(edge.from)?, find(edge.to)?);
            let points = match drawing.scope {
                Scope::Loop => loop_line(edge.from, edge.to, edge.way, from, to),
                Scope::Plan => plan_line(edge.way, from, to),
            };
            Some(Line { from: edge.from, to: edge.to, way: edge.way, points })
        });
        let lines = lines.collect();
        let height = boxes.iter().map(|(_, rect)| rect.bottom()).max().unwrap_or(0) + 4;
        Self { height, boxes, lines, frame }
    }
}

fn loop_boxes(drawing: &Drawing) -> (Vec<(NodeId, Rect)>, Option<Rect>) {
    let [submitted, before, after, stop] =
        [HookPoint::UserPromptSubmit, HookPoint::PreToolUse, HookPoint::PostToolUse, HookPoint::Stop]
            .map(NodeId::Hooks);
    let mut boxes = Vec::new();
    let mut y = 4;
    let down = |ids: &[NodeId], y: &mut i32, boxes: &mut Vec<(NodeId, Rect)>| {
        for &id in ids.iter().filter(|&&id| drawing.has(id)) {
            boxes.push((id, Rect::new(MAIN, *y)));
            *y += TALL + GAP;
        }
    };
    down(&[submitted, NodeId::Prompt, NodeId::Request, NodeId::Calls], &mut y, &mut boxes);
    y += 22;
    let top = y;
    down(&[before, NodeId::Tool, after], &mut y, &mut boxes);
    let left = BLOCKED - 9;
    let frame = Rect { x: left, y: top - 20, width: WIDTH - 1 - left, height: y - GAP + 9 - (top - 20) };
    y += 14;
    down(&[NodeId::Counter, NodeId::Results], &mut y, &mut boxes);

    let row = |id: NodeId| boxes.iter().find(|(of, _)| *of == id).map_or(0, |(_, rect)| rect.y);
    let (request, calls, tool, counter) =
        (row(NodeId::Request), row(NodeId::Calls), row(NodeId::Tool), row(NodeId::Counter));
    // Behind the hooks the end is above them, and leaves room for the way back to the request.
    let (end, end_left) = if drawing.has(stop) { (request, SIDE.0 + 40) } else { (calls, SIDE.0) };
    let beside = [
        (stop, SIDE, calls),
        (NodeId::End, (end_left, SIDE.1), end),
        (NodeId::Plan, SIDE, tool),
        (NodeId::Reminder, SIDE, counter),
    ];
    boxes.extend(beside.into_iter().filter(|(id, ..)| drawing.has(*id)).map(|(id, x, y)| (id, Rect::new(x, y))));
    (boxes, Some(frame))
}

fn loop_line(from: NodeId, to: NodeId, way: Way, a: Rect, b: Rect) -> Vec<(i32, i32)> {
    let turn = b.y - TURN;
    match (from, to, way) {
        (.., Way::Blocked) => {
            vec![(a.x, a.centre()), (BLOCKED, a.centre()), (BLOCKED, turn), (b.middle(), turn), (b.middle(), b.y)]
        }
        (.., Way::Answered) => {
            let lane = SIDE.0 + 18;
            vec![(lane, a.y), (lane, b.centre()), (b.right(), b.centre())]
        }
        (NodeId::Results, NodeId::Request, _) => {
            vec![(a.x, a.centre()), (BACK, a.centre()), (BACK, b.centre()), (b.x, b.centre())]
        }
        // Up, to the end.
        _ if b.y < a.y => vec![(b.middle(), a.y), (b.middle(), b.bottom())],
        _ if a.y == b.y => vec![(a.right(), a.centre()), (b.x, b.centre())],
        _ if a.x == b.x => vec![(a.middle(), a.bottom()), (b.middle(), b.y)],
        // To the right column: out at the side, or below where that is the way of "no".
        _ if a.x < b.x && way != Way::Yes => {
            vec![(a.right(), a.centre()), (b.middle(), a.centre()), (b.middle(), b.y)]
        }
        _ if a.x < b.x => vec![(a.middle(), a.bottom()), (a.middle(), turn), (b.middle(), turn), (b.middle(), b.y)],
        // Back from it: into the side of the node below, or into its top where others come in there, too.
        (_, NodeId::Hooks(_), _) | (NodeId::Reminder, ..) => {
            vec![(a.middle(), a.bottom()), (a.middle(), b.centre()), (b.right(), b.centre())]
        }
        _ => vec![(a.middle(), a.bottom()), (a.middle(), turn), (b.middle(), turn), (b.middle(), b.y)],
    }
}

fn plan_boxes(drawing: &Drawing) -> Vec<(NodeId, Rect)> {
    let row = |n: i32| 4 + n * (TALL + 2 * GAP);
    let (left, right) = ((4, 112), (120, 228));
    // Without a counter the update has the middle, and without a plan the counter has it.
    let update = if drawing.has(NodeId::Counter) { (26, 206) } else { (76, 296) };
    let counter = if drawing.has(NodeId::Plan) { (238, 358) } else { (106, 266) };
    let places = [
        (NodeId::Plan, update, 0),
        (NodeId::Check, update, 1),
        (NodeId::Replace, left, 2),
        (NodeId::Keep, right, 2),
        (NodeId::Render, left, 3),
        (NodeId::Counter, counter, 0),
        (NodeId::Due, counter, 1),
        (NodeId::Reminder, counter, 2),
        (NodeId::Results, (4, WIDTH - 4), 4),
    ];
    places.into_iter().filter(|(id, ..)| drawing.has(*id)).map(|(id, x, n)| (id, Rect::new(x, row(n)))).collect()
}

fn plan_line(way: Way, a: Rect, b: Rect) -> Vec<(i32, i32)> {
    if way == Way::Reset {
        return vec![(a.right(), a.centre()), (b.x, b.centre())];
    }
    // Straight down where that meets the node below; else out at the side where the way is a long one.
    let inside = |x: i32| b.x <= x && x <= b.right();
    let long = b.y - a.bottom() > TALL && way == Way::No;
    match (long, inside(a.middle())) {
        (true, _) => {
            let lane = a.right() + 7;
            vec![(a.right(), a.centre()), (lane, a.centre()), (lane, b.y)]
        }
        (_, true) => vec![(a.middle(), a.bottom()), (a.middle(), b.y)],
        _ => {
            let turn = a.bottom() + (b.y - a.bottom()) / 2;
            vec![(a.middle(), a.bottom()), (a.middle(), turn), (b.middle(), turn), (b.middle(), b.y)]
        }
    }
}
