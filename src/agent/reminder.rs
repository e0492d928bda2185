//! The counter of rounds without a plan call, and when it leads to a reminder, and where that goes.

use super::event::{ReminderPlace, RequestId, Step};
use super::{Outbox, Phase, Round, Session};
use crate::lesson::{Counts, Placement, ReminderRules, ResetBy, Scope};
use crate::message::Block;
use crate::plan::Plan;
use std::rc::Rc;

/// The counter. It keeps which rounds it counted, so that a reminder can say why it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counter {
    /// The idle rounds since it was last 0, by the number of their request, the last ones only: a reminder names as many
    /// as its threshold.
    rounds: Vec<RequestId>,
    idle: u32,
}

impl Counter {
    /// How many rounds went by without a plan call; calls, where the lesson counts those.
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

    /// A round is over, with so many calls behind its last plan call, or in all.
    fn round(&mut self, rules: &ReminderRules, request: RequestId, used_plan: bool, calls: usize, plan: &Plan) {
        if used_plan {
            *self = Self::default();
        }
        let counted = match rules.counts {
            Counts::Rounds => u32::from(!used_plan),
            Counts::Calls => u32::try_from(calls).unwrap_or(u32::MAX),
        };
        if counted == 0 || (plan.items.is_empty() && !rules.counts_without_plan) {
            return;
        }
        self.idle = self.idle.saturating_add(counted);
        self.rounds.push(request);
        if self.rounds.len() > rules.threshold as usize {
            self.rounds.remove(0);
        }
    }

    /// Whether a reminder is due. If so it is taken for given.
    fn fires(&mut self, rules: &ReminderRules, plan: &Plan) -> bool {
        let due = self.idle >= rules.threshold && !(rules.needs_plan && plan.items.is_empty());
        if due && rules.resets {
            *self = Self::default();
        }
        due
    }
}

impl Session {
    /// Whether a plan call that ran sets the counter back.
    pub(super) fn resets_counter(&self, replaced: bool) -> bool {
        self.lesson.reminder.as_ref().is_none_or(|rules| rules.reset_by == ResetBy::AnyCall || replaced)
    }

    /// Sets the counter for a round with so many calls behind its last plan call, or in all.
    pub(super) fn count(&mut self, round: &Round, calls: usize, out: &mut Outbox) {
        if let Some(rules) = &self.lesson.reminder {
            let used_plan = round.plan_call.is_some();
            self.counter.round(rules, round.request, used_plan, calls, &self.workspace.plan);
            self.step(Step::Counted { idle: self.counter.idle(), used_plan }, out);
        }
    }

    /// Adds the reminder to a round, or to the system prompt, where it is due.
    pub(super) fn remind(&mut self, round: &mut Round, out: &mut Outbox) {
        let lesson = self.lesson.clone();
        let Some(rules) = &lesson.reminder else { return };
        let (idle, rounds) = (self.counter.idle(), Rc::from(self.counter.rounds()));
        if !self.counter.fires(rules, &self.workspace.plan) {
            return;
        }
        let message = self.transcript.len();
        let (results, text) = (&mut round.results, rules.text.as_str());
        let place = match (rules.placement, results.last_mut()) {
            (Placement::BeforeResults, _) => {
                results.insert(0, Block::text(text));
                ReminderPlace::Block { message, block: 0 }
            }
            (Placement::OwnMessage, _) => {
                round.reminder = Some(Block::text(text));
                ReminderPlace::Block { message: message + 1, block: 0 }
            }
            (Placement::System, _) => {
                self.system_note = Some(text.into());
                ReminderPlace::System
            }
            (Placement::InLastResult, Some(Block::ToolResult { content, .. })) => {
                content.push('\n');
                content.push_str(text);
                ReminderPlace::Block { message, block: results.len() - 1 }
            }
            (Placement::InLastResult | Placement::AfterResults, _) => {
                results.push(Block::text(text));
                ReminderPlace::Block { message, block: results.len() - 1 }
            }
        };
        self.phase = Phase::RunningTools(Rc::new(round.clone()));
        self.step(Step::ReminderAdded { place, idle, rounds }, out);
    }
}
