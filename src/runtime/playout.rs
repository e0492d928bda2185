//! A run that nobody watches: every prompt is sent and every question answered the same, up to the end.

use super::{Driver, Gate, Inflight};
use crate::agent::{Event, Phase};
use crate::timeline::Timeline;
use futures_util::StreamExt;

/// How many requests a run may make: a hook that always answers at Stop would have it go on for ever.
const MOST_REQUESTS: u32 = 2000;

impl Driver {
    /// Plays the prompts one after the other and returns the run. It ends at the first fault, and where it has made 2000
    /// requests.
    pub async fn play_out(mut self, prompts: Vec<String>, allow: bool) -> Timeline {
        self.gate = Gate::Run;
        for text in prompts {
            if !matches!(self.timeline.live().phase, Phase::Idle) {
                break;
            }
            self.record(Event::PromptSubmitted { text });
            loop {
                let live = self.timeline.live();
                let asked = match &live.phase {
                    Phase::Idle | Phase::Stopped { .. } => break,
                    Phase::AwaitingPermission { round, .. } => Some(round.key()),
                    Phase::AwaitingModel { .. } | Phase::RunningTools(_) => None,
                };
                match asked {
                    Some(call) => self.record(Event::PermissionAnswered { call, allowed: allow }),
                    None if live.last_request > MOST_REQUESTS => self.record(Event::Cancelled),
                    None => self.advance().await,
                }
            }
        }
        self.timeline
    }

    /// Takes the next piece of what is under way, or begins what comes next.
    async fn advance(&mut self) {
        match &mut self.inflight {
            Some(Inflight::Request { chunks, .. }) => {
                let chunk = chunks.next().await;
                self.take(chunk);
            }
            Some(Inflight::Command { reports, .. }) => {
                let report = reports.next().await;
                self.hear(report);
            }
            None => {
                self.clock.breathe().await;
                self.perform_next();
            }
        }
    }
}
