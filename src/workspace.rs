//! What a tool can see and change: the files and the plan. The only place where changes are applied.

use crate::plan::Plan;
use crate::vfs::{FsChange, Vfs};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The files and the plan. A clone costs O(1) and shares everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workspace {
    /// All files, `/` included.
    pub vfs: Vfs,
    /// The plan that stands.
    pub plan: Rc<Plan>,
}

/// One change that a tool made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A file or folder.
    Fs(FsChange),
    /// The whole plan.
    Plan(Rc<Plan>),
}

impl Workspace {
    /// Applies a tool's changes, all of them or, if one cannot be, none. `Err` says which and why; it means that the
    /// changes were made against another workspace.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), String> {
        let mut next = self.clone();
        for change in changes {
            match change {
                Change::Fs(change) => {
                    next.vfs.apply(std::slice::from_ref(change)).map_err(|error| error.to_string())?
                }
                Change::Plan(plan) => next.plan = plan.clone(),
            }
        }
        *self = next;
        Ok(())
    }
}
