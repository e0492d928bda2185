//! Where a run holds by itself: at what the reader wants to see happen.

use crate::agent::{Outcome, Step};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a run can be held at. What is due next waits then, as after a press of Pause.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
    /// A reminder was added; the request that carries it waits.
    Reminder,
    /// The plan was replaced.
    Plan,
    /// A plan update was refused.
    Rejected,
    /// A call was blocked.
    Blocked,
    /// A result begins with `Error:`, or a request failed.
    Error,
    /// A tool of this name is about to be run.
    Tool(Rc<str>),
}

impl Break {
    /// Those that every lesson has, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Reminder, Self::Plan, Self::Rejected, Self::Blocked, Self::Error];

    /// Whether a step is what it waits for.
    pub fn is_at(&self, step: &Step) -> bool {
        match (self, step) {
            (Self::Reminder, Step::ReminderAdded { .. })
            | (Self::Plan, Step::PlanReplaced { .. })
            | (Self::Rejected, Step::PlanRejected { .. })
            | (Self::Blocked, Step::ToolReturned { outcome: Outcome::Blocked, .. })
            | (Self::Error, Step::Failed { .. }) => true,
            (Self::Error, Step::ToolReturned { output, .. }) => output.starts_with("Error:"),
            (Self::Tool(name), Step::ToolCalled { call }) => *call.name == **name,
            _ => false,
        }
    }
}

/// What a reader wants a run to be held at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breaks {
    /// The things.
    pub at: BTreeSet<Break>,
    /// Only once: the next request.
    pub next_request: bool,
}

impl Breaks {
    /// Whether a step is one of them.
    pub(super) fn hold(&self, step: &Step) -> bool {
        (self.next_request && matches!(step, Step::Request { .. })) || self.at.iter().any(|at| at.is_at(step))
    }
}
