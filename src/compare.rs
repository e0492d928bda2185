//! Two runs side by side: which of their rounds belong together, and where they part.
//!
//! Pure. Rounds belong together by their order: both runs begin with the same prompt, and what follows from a rule shows
//! in how the same round goes.

use crate::agent::{RequestId, Session, Step};
use crate::timeline::Timeline;

/// What came of comparing two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Each pair of rounds: the place of the last stop of the round in either run; none where a run has no such round.
    pub rounds: Vec<[Option<usize>; 2]>,
    /// Where they part, an entry for each aspect in which they do, the earliest first.
    pub partings: Vec<Parting>,
}

/// The first round in which two runs differ in something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parting {
    /// The pair of rounds, from 0.
    pub round: usize,
    /// In what.
    pub aspect: Aspect,
}

/// What two runs can differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// The system prompt of the round's request.
    System,
    /// The tools that it tells of.
    Tools,
    /// The messages that it carries, from this one on.
    Messages {
        /// The message's place.
        place: usize,
    },
    /// The plan at the round's end.
    Plan,
    /// The counter at the round's end.
    Counter,
    /// One run is over before this round.
    Length,
}

/// Compares two runs.
pub fn compare(left: &Timeline, right: &Timeline) -> Comparison {
    let sides = [rounds(left), rounds(right)];
    let count = sides[0].len().max(sides[1].len());
    let mut comparison = Comparison { rounds: Vec::with_capacity(count), partings: Vec::new() };
    // How many messages the requests so far had in common, from the first on.
    let mut common = 0;
    for k in 0..count {
        let ends = [0, 1].map(|side| sides[side].get(k).map(|round| round.end));
        comparison.rounds.push(ends);
        let mut found = Vec::new();
        match (sides[0].get(k), sides[1].get(k)) {
            (Some(one), Some(other)) => {
                found.extend(requests_part(&session(left, one.request), &session(right, other.request), &mut common));
                found.extend(ends_part(&session(left, one.end), &session(right, other.end)));
            }
            _ => found.push(Aspect::Length),
        }
        for aspect in found {
            let is_new = |known: &Parting| std::mem::discriminant(&known.aspect) != std::mem::discriminant(&aspect);
            if comparison.partings.iter().all(is_new) {
                comparison.partings.push(Parting { round: k, aspect });
            }
        }
    }
    comparison
}

/// The places of a round's request and of its last stop.
struct Round {
    id: RequestId,
    request: usize,
    end: usize,
}

fn rounds(timeline: &Timeline) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    for (place, stop) in timeline.stops().iter().enumerate().filter(|(_, stop)| stop.round > 0) {
        match rounds.last_mut() {
            Some(round) if round.id == stop.round => round.end = place,
            _ if matches!(stop.step, Step::Request { .. }) => {
                rounds.push(Round { id: stop.round, request: place, end: place });
            }
            _ => {}
        }
    }
    rounds
}

fn session(timeline: &Timeline, place: usize) -> Session {
    timeline.stops().get(place).map_or_else(|| timeline.live().clone(), |stop| stop.after.clone())
}

fn requests_part(left: &Session, right: &Session, common: &mut usize) -> Vec<Aspect> {
    let (left, right) = (left.request(), right.request());
    let mut found = Vec::new();
    if left.system != right.system {
        found.push(Aspect::System);
    }
    if left.tools != right.tools {
        found.push(Aspect::Tools);
    }
    let pairs = left.messages.iter().zip(right.messages.iter()).skip(*common);
    *common += pairs.take_while(|(one, other)| one == other).count();
    if left.messages.len() != *common || right.messages.len() != *common {
        found.push(Aspect::Messages { place: *common });
    }
    found
}

fn ends_part(left: &Session, right: &Session) -> Vec<Aspect> {
    let mut found = Vec::new();
    if left.workspace.plan != right.workspace.plan {
        found.push(Aspect::Plan);
    }
    // A lesson without a counter has none that could stand at 0.
    let counter = |session: &Session| session.lesson.reminder.as_ref().map(|_| session.counter.idle());
    if counter(left) != counter(right) {
        found.push(Aspect::Counter);
    }
    found
}
