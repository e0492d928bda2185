//! The loop as a drawing: which nodes and edges a lesson's data asks for, and what each is against the lesson before.
//!
//! Which node a step stands at is in `walk.rs`, where each node is drawn in `layout.rs`. No words: those are the page's.

mod build;
pub mod layout;
mod walk;

pub use walk::Steps;

use crate::lesson::{HookPoint, Lesson};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The whole loop.
    Loop,
    /// What the plan adds to it: an update from the call to its result, and the counter up to the reminder.
    Plan,
}

/// A node, by what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeId {
    /// The hooks at a point.
    Hooks(HookPoint),
    /// The prompt is stored.
    Prompt,
    /// The request, up to the reply.
    Request,
    /// Whether the loop goes on with calls.
    Calls,
    /// A tool runs.
    Tool,
    /// The plan tool runs.
    Plan,
    /// The counter of rounds without a plan call.
    Counter,
    /// The reminder is added.
    Reminder,
    /// The user message that carries the results.
    Results,
    /// The turn is over.
    End,
    /// Whether an update is valid.
    Check,
    /// The new list takes the plan's place.
    Replace,
    /// The old plan stays.
    Keep,
    /// The plan as the model reads it.
    Render,
    /// Whether the counter is as high as it takes.
    Due,
}

/// What a node or an edge is against the lesson before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The lesson before has it just so.
    Kept,
    /// It has it, but by other data.
    Changed,
    /// It has none.
    Added,
}

/// A part of a lesson that a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The system prompt.
    System,
    /// What the model is told of the tools.
    Tools,
    /// `max_tokens`.
    MaxTokens,
    /// When a turn is over.
    Stop,
    /// The hooks of a point that are on.
    Hooks(HookPoint),
    /// What the tools do, the plan tool aside.
    Handlers,
    /// The plan's rules.
    Plan,
    /// When the counter counts and what it leads to.
    Counter,
    /// The reminder's text.
    Reminder,
    /// Where the reminder goes.
    Placement,
    /// What the results' message carries besides them.
    Carried,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub id: NodeId,
    /// What it is against the lesson before; none where there is no such lesson.
    pub mark: Option<Mark>,
    /// For one that is changed: in what.
    pub differs: Vec<Part>,
}

/// Why an edge is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It always is.
    On,
    /// The question of the node that it leaves is answered with yes.
    Yes,
    /// It is answered with no.
    No,
    /// A hook blocked the call.
    Blocked,
    /// A hook answered at the end of a turn.
    Answered,
    /// There is another call in the reply.
    Next,
    /// The counter goes back to 0.
    Reset,
}

/// An edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Why it is taken.
    pub way: Way,
    /// Whether the lesson before has it; none where there is no such lesson.
    pub mark: Option<Mark>,
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Of what.
    pub scope: Scope,
    /// The nodes, in the order of the loop.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

impl Drawing {
    /// Draws a lesson, marked against the one before it where there is one. Of a lesson that has neither a plan nor a
    /// reminder, [`Scope::Plan`] is empty.
    pub fn new(scope: Scope, lesson: &Lesson, predecessor: Option<&Lesson>) -> Self {
        build::drawing(scope, lesson, predecessor)
    }

    /// Whether it has a node.
    pub fn has(&self, id: NodeId) -> bool {
        self.nodes.iter().any(|node| node.id == id)
    }
}
