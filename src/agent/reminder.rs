//! The counter of rounds without a plan call, and when it leads to a reminder.

use super::event::RequestId;
use crate::lesson::{Placement, ReminderRules, Scope};
use crate::message::Block;
use crate::plan::Plan;

/// The counter. It keeps which rounds it counted, so that a reminder can say why it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counter {
    /// The idle rounds since the last plan call or reminder, by the number of their request, the last ones only: a
    /// reminder names as many as its threshold.
    rounds: Vec<RequestId>,
    idle: u32,
}

impl Counter {
    /// How many rounds went by without a plan call.
    pub fn idle(&self) -> u32 {
        self.idle
    }

    /// Those rounds, the oldest first.
    pub fn rounds(&self) -> &[RequestId] {
        &self.rounds
    }

    /// A new prompt was submitted.
    pub(super) fn prompt(&mut self, rules: &ReminderRules) {
        if rules.scope == Scope::Prompt {
            *self = Self::default();
        }
    }

    /// A round is over: however many calls it had, it counts once, and one plan call that ran, failed or not, resets.
    pub(super) fn round(&mut self, request: RequestId, used_plan: bool, rules: &ReminderRules) {
        if used_plan {
            *self = Self::default();
            return;
        }
        self.idle += 1;
        self.rounds.push(request);
        if self.rounds.len() > rules.threshold as usize {
            self.rounds.remove(0);
        }
    }

    /// Adds the reminder to a round's results where it is due. Returns its place among them.
    pub(super) fn remind(&mut self, rules: &ReminderRules, plan: &Plan, results: &mut Vec<Block>) -> Option<usize> {
        let due = self.idle >= rules.threshold && !(rules.needs_plan && plan.items.is_empty());
        if !due {
            return None;
        }
        let place = match rules.placement {
            Placement::AfterResults => results.len(),
            Placement::BeforeResults => 0,
        };
        results.insert(place, Block::text(&*rules.text));
        if rules.resets {
            *self = Self::default();
        }
        Some(place)
    }
}
