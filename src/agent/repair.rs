//! Making a history acceptable to the API that a lesson's rules have made one that it refuses. Only ever at the reader's
//! word: the lesson itself sends what its rules say.

use super::event::{Moved, Step};
use super::{Outbox, Phase, Session};
use crate::message::{Block, Content, Message, Role};
use std::rc::Rc;

impl Session {
    /// Moves what stands before results behind them. Not while a round is under way: its message is not stored yet.
    pub(super) fn move_reminders(&mut self, out: &mut Outbox) {
        if matches!(self.phase, Phase::RunningTools(_) | Phase::AwaitingPermission { .. }) {
            return;
        }
        let mut moved = Vec::new();
        let repaired: Vec<_> = self
            .transcript
            .iter()
            .enumerate()
            .filter_map(|(place, message)| Some((place, results_first(message, place, &mut moved)?)))
            .collect();
        for (place, message) in repaired {
            self.transcript.set_mut(place, Rc::new(message));
        }
        if !moved.is_empty() {
            self.step(Step::RemindersMoved { moved: moved.into() }, out);
        }
    }
}

/// The message with its results first, all else in the order that it had; none where that is no change.
fn results_first(message: &Message, place: usize, moved: &mut Vec<Moved>) -> Option<Message> {
    let is_result = |block: &Block| matches!(block, Block::ToolResult { .. });
    let blocks = message.blocks();
    if message.role != Role::User || blocks.iter().map(is_result).is_sorted_by(|one, next| one >= next) {
        return None;
    }
    let (results, others): (Vec<_>, Vec<_>) = blocks.iter().enumerate().partition(|(_, block)| is_result(block));
    let order = results.iter().chain(&others);
    for (to, (from, _)) in order.clone().enumerate().skip(results.len()).filter(|(to, (from, _))| from != to) {
        moved.push(Moved { message: place, from: *from, to });
    }
    let blocks = order.map(|(_, block)| (*block).clone()).collect();
    Some(Message { role: Role::User, content: Content::Blocks(blocks) })
}
