//! Which node a step stands at, which edges lead there from the step before, and which step a node was last at.

use super::{Drawing, NodeId, Scope};
use crate::agent::{Outcome, Step};
use crate::lesson::HookPoint;
use crate::message::Block;
use crate::timeline::{Cursor, Stop, Timeline};

impl Scope {
    /// The node that a stop stands at. None for what the reader did beside the loop, by commands and edits of files, and in
    /// [`Scope::Plan`] for all that is no part of it.
    pub fn node_of(self, stop: &Stop) -> Option<NodeId> {
        let is_plan = |name: &str| stop.after.lesson.is_plan_tool(name);
        let id = match &stop.step {
            Step::Prompt { .. } => NodeId::Prompt,
            Step::HookRan { point, .. } => NodeId::Hooks(*point),
            Step::Request { .. } if self == Self::Plan => {
                let carried = stop.after.transcript.last()?;
                let has_result = carried.blocks().iter().any(|block| matches!(block, Block::ToolResult { .. }));
                return has_result.then_some(NodeId::Results);
            }
            Step::Request { .. } => NodeId::Request,
            Step::Reply { .. } => NodeId::Calls,
            Step::Asked { .. } | Step::ToolReturned { outcome: Outcome::Blocked, .. } => {
                NodeId::Hooks(HookPoint::PreToolUse)
            }
            Step::ToolReturned { outcome: Outcome::NotRun, .. } => NodeId::Results,
            Step::ToolReturned { call, output, .. } if self == Self::Plan && is_plan(&call.name) => {
                // An update that was refused returns its error.
                let rendered = stop.after.lesson.plan.as_ref().map(|rules| stop.after.workspace.plan.render(rules));
                if rendered.as_deref() == Some(&**output) { NodeId::Render } else { NodeId::Keep }
            }
            Step::ToolCalled { call } | Step::ToolReturned { call, .. } => match is_plan(&call.name) {
                true => NodeId::Plan,
                false => NodeId::Tool,
            },
            Step::PlanReplaced { .. } if self == Self::Plan => NodeId::Replace,
            Step::PlanRejected { .. } if self == Self::Plan => NodeId::Keep,
            Step::PlanReplaced { .. } | Step::PlanRejected { .. } => NodeId::Plan,
            Step::Counted { .. } => NodeId::Counter,
            Step::ReminderAdded { .. } => NodeId::Reminder,
            Step::TurnEnded { .. } | Step::Failed { .. } => NodeId::End,
            Step::RulesChanged { .. } | Step::RemindersMoved { .. } | Step::Typed { .. } | Step::Edited { .. } => {
                return None;
            }
        };
        let part = self == Self::Loop
            || matches!(
                id,
                NodeId::Plan | NodeId::Render | NodeId::Replace | NodeId::Keep | NodeId::Counter | NodeId::Reminder
            );
        part.then_some(id)
    }

    /// The node at the cursor. What the reader did beside the loop leaves it where it was.
    pub fn node_at(self, timeline: &Timeline, cursor: Cursor) -> Option<NodeId> {
        let place = timeline.place(cursor)?;
        let stops = timeline.stops();
        let stop = (0..=place).rev().filter_map(|place| stops.get(place)).find(|stop| !stop.step.is_aside())?;
        self.node_of(stop)
    }
}

/// Whether the loop can go through a node without a step: hooks that have nothing to say, and what has no step of its own.
fn is_silent(id: NodeId) -> bool {
    matches!(id, NodeId::Hooks(_) | NodeId::Results | NodeId::Check | NodeId::Due)
}

impl Drawing {
    /// The edges from one node to another by silent ones, the shortest way; empty where there is none.
    fn way(&self, from: NodeId, to: NodeId) -> Vec<(NodeId, NodeId)> {
        // Ways that lengthen from the start, so that the first one that arrives is a shortest.
        let mut ways = vec![vec![from]];
        let mut at = 0;
        while let Some(way) = ways.get(at).cloned() {
            let here = way[way.len() - 1];
            for edge in self.edges.iter().filter(|edge| edge.from == here) {
                let longer = || way.iter().copied().chain([edge.to]).collect::<Vec<_>>();
                if edge.to == to {
                    return longer().windows(2).map(|pair| (pair[0], pair[1])).collect();
                }
                if is_silent(edge.to) && !ways.iter().any(|way| way.contains(&edge.to)) {
                    ways.push(longer());
                }
            }
            at += 1;
        }
        Vec::new()
    }

    /// The edges from the node of the step before to the node at a place; empty where the step stays at its node, and
    /// where the loop did not get there by an edge, as when a turn is stopped.
    fn walked(&self, timeline: &Timeline, place: usize) -> Vec<(NodeId, NodeId)> {
        let stops = timeline.stops();
        let back = (0..=place).rev().filter_map(|place| stops.get(place));
        let mut steps = back.filter(|stop| !stop.step.is_aside());
        let (Some(here), Some(before)) = (steps.next(), steps.next()) else { return Vec::new() };
        match (self.scope.node_of(before), self.scope.node_of(here)) {
            (Some(from), Some(to)) if from != to || matches!(here.step, Step::ToolCalled { .. }) => self.way(from, to),
            _ => Vec::new(),
        }
    }
}

/// Where each node of a drawing stands in a run, seen from the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// The node at the cursor, whether the drawing has it or not.
    pub current: Option<NodeId>,
    /// The edges that led there from the step before.
    pub walked: Vec<(NodeId, NodeId)>,
    targets: Vec<(NodeId, usize)>,
}

impl Steps {
    /// Looks through a run.
    pub fn new(drawing: &Drawing, timeline: &Timeline, cursor: Cursor) -> Self {
        let at = timeline.place(cursor).unwrap_or(0);
        let mut found: Vec<Found> = drawing.nodes.iter().map(|node| Found::new(node.id)).collect();
        let mut before = None;
        for (place, stop) in timeline.stops().iter().enumerate().filter(|(_, stop)| !stop.step.is_aside()) {
            let here = drawing.scope.node_of(stop);
            // The loop of another lesson may not have the node: there the run went on to the next one that it has.
            if here.is_some_and(|id| !drawing.nodes.iter().any(|node| node.id == id)) {
                continue;
            }
            for found in found.iter_mut().filter(|found| Some(found.id) == here) {
                note(&mut found.own, place, at);
            }
            if let (Some(from), Some(to)) = (before, here)
                && from != to
            {
                let way = drawing.way(from, to);
                for (_, through) in way.iter().take(way.len().saturating_sub(1)) {
                    for found in found.iter_mut().filter(|found| found.id == *through) {
                        note(&mut found.passed, place, at);
                    }
                }
            }
            before = here;
        }
        Self {
            current: drawing.scope.node_at(timeline, cursor),
            walked: timeline.place(cursor).map(|place| drawing.walked(timeline, place)).unwrap_or_default(),
            targets: found.into_iter().filter_map(|found| Some((found.id, found.own.or(found.passed)?))).collect(),
        }
    }

    /// The step to go to for a node: its last one up to the cursor, or else its first one behind. For a node that the run
    /// only went through, that is the step where it arrived next. None for one that the run was never at.
    pub fn last_step(&self, id: NodeId) -> Option<usize> {
        self.targets.iter().find(|(of, _)| *of == id).map(|&(_, place)| place)
    }
}

struct Found {
    id: NodeId,
    own: Option<usize>,
    passed: Option<usize>,
}

impl Found {
    fn new(id: NodeId) -> Self {
        Self { id, own: None, passed: None }
    }
}

/// Takes a later place, as long as it is not behind the cursor or nothing was found before it.
fn note(found: &mut Option<usize>, place: usize, cursor: usize) {
    if place <= cursor || found.is_none() {
        *found = Some(place);
    }
}
