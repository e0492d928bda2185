//! The log of a run and every stop in it: replay, the cursor, and the recording as JSON lines.
//!
//! Events are logged and effects are never run again, so folding a prefix of the log gives the state at that moment.
//! Each stop keeps its session beside it, which costs O(1) since sessions share structure; a property test holds
//! replay and the kept sessions to each other.

use crate::agent::{Effect, Event, Phase, RequestId, Session, Step};
use crate::data::FromJson;
use crate::lesson::Lesson;
use crate::lesson::rules::{Changes, Rules};
use crate::vfs::{AbsPath, FsChange, Vfs};
use crate::workspace::Workspace;
use rpds::Vector;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The version of the recording's format that this program writes.
pub const VERSION: u32 = 2;

/// An event and when it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logged {
    /// Milliseconds since the page was opened, by the clock port; whole numbers with up to three decimals.
    pub at: f64,
    /// The event.
    pub event: Event,
}

/// A stop of the scrubber.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// What was reached.
    pub step: Step,
    /// The session at that moment; for a request, with the model that it was sent to.
    pub after: Session,
    /// The place of the event that led here.
    pub event: usize,
    /// The turn, from 1.
    pub turn: u32,
    /// The round, by the number of its request: from the request to the next one. 0 before a turn's first request.
    pub round: RequestId,
}

/// Which moment a reader looks at. It is the page's state, not the run's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cursor {
    /// Whatever happened last, streaming text included.
    #[default]
    Live,
    /// The stop of this number. One that is not reached yet shows what is live until it is.
    At(usize),
}

/// A run so far. A clone costs O(1).
#[derive(Debug, Clone)]
pub struct Timeline {
    start: Rc<Session>,
    live: Rc<Session>,
    log: Vector<Rc<Logged>>,
    stops: Vector<Rc<Stop>>,
}

impl PartialEq for Timeline {
    /// Whether two are the same run at the same moment, told by the last event's address and the start's rules.
    fn eq(&self, other: &Self) -> bool {
        let last = |timeline: &Self| timeline.log.last().map(Rc::as_ptr);
        self.log.len() == other.log.len()
            && last(self) == last(other)
            && Rc::ptr_eq(&self.start.lesson, &other.start.lesson)
            && self.start.workspace == other.start.workspace
    }
}

impl Timeline {
    /// A run that starts from a session.
    pub fn new(start: Session) -> Self {
        let start = Rc::new(start);
        Self { live: start.clone(), start, log: Vector::new(), stops: Vector::new() }
    }

    /// Logs an event, applies it, and returns the effects that the session wishes for.
    pub fn record(&mut self, at: f64, event: Event) -> Vec<Effect> {
        let out = Rc::make_mut(&mut self.live).apply(&event);
        let redirects = matches!(
            event,
            Event::ModelChosen { held: true, .. } | Event::RulesChanged { held: true, .. } | Event::RemindersMoved
        );
        if redirects {
            self.redirect(&event);
        }
        let place = self.log.len();
        self.log.push_back_mut(Rc::new(Logged { at, event }));
        for (step, after) in out.steps {
            let turn = after.turn;
            let round = match (&step, self.stops.last()) {
                (Step::Request { request, .. }, _) => *request,
                (_, Some(last)) if last.turn == turn => last.round,
                _ => 0,
            };
            self.stops.push_back_mut(Rc::new(Stop { step, after, event: place, turn, round }));
        }
        out.effects
    }

    /// The request that is awaited was held back while another model or other rules were chosen, or its history repaired:
    /// its stop shows what is sent, and where to.
    fn redirect(&mut self, meanwhile: &Event) {
        let Phase::AwaitingModel { request: awaited, .. } = self.live.phase else { return };
        let is_its = |stop: &Stop| matches!(stop.step, Step::Request { request, .. } if request == awaited);
        // Behind it can only be what the reader typed and edited meanwhile.
        if let Some(place) = (0..self.stops.len()).rev().find(|&place| is_its(&self.stops[place])) {
            let mut stop = (*self.stops[place]).clone();
            stop.after.apply(meanwhile);
            self.stops.set_mut(place, Rc::new(stop));
        }
    }

    /// The session now.
    pub fn live(&self) -> &Session {
        &self.live
    }

    /// The session that the run started from.
    pub fn start(&self) -> &Session {
        &self.start
    }

    /// Everything that happened.
    pub fn log(&self) -> &Vector<Rc<Logged>> {
        &self.log
    }

    /// Every stop.
    pub fn stops(&self) -> &Vector<Rc<Stop>> {
        &self.stops
    }

    /// The place of the stop that a cursor shows; `None` before the first.
    pub fn place(&self, cursor: Cursor) -> Option<usize> {
        let last = self.stops.len().checked_sub(1)?;
        Some(match cursor {
            Cursor::Live => last,
            Cursor::At(place) => place.min(last),
        })
    }

    /// Whether a cursor shows the end of the run.
    pub fn is_at_end(&self, cursor: Cursor) -> bool {
        self.place(cursor) == self.place(Cursor::Live)
    }

    /// The session that a cursor shows.
    pub fn session(&self, cursor: Cursor) -> &Session {
        match cursor {
            Cursor::At(place) => self.stops.get(place).map_or(&self.live, |stop| &stop.after),
            Cursor::Live => &self.live,
        }
    }

    /// Folds the first `events` of the log again.
    pub fn replay(&self, events: usize) -> Self {
        let mut timeline = Self::new((*self.start).clone());
        for logged in self.log.iter().take(events) {
            timeline.record(logged.at, logged.event.clone());
        }
        timeline
    }

    /// The recording: a head line, then one line for each event.
    pub fn to_jsonl(&self) -> String {
        let head = Head {
            recording: VERSION,
            workdir: self.start.workdir.clone(),
            lesson: self.start.rules.base.clone(),
            rules: self.start.rules.changes.clone(),
            files: Vfs::new().diff(&self.start.workspace.vfs),
        };
        let mut text = line(&head);
        for logged in self.log.iter() {
            text.push_str(&line(&**logged));
        }
        text
    }

    /// Reads a recording. `Err` is the number of the line, from 1, that is none of a recording, and why.
    pub fn from_jsonl(text: &str) -> Result<Self, (usize, String)> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| !line.is_empty());
        let (at, head) = lines.next().ok_or((1, "the file is empty".to_string()))?;
        let head: Head = serde_json::from_str(head).map_err(|error| (at, error.to_string()))?;
        if head.recording != VERSION {
            return Err((at, format!("version {} is not one that this page reads", head.recording)));
        }
        let mut workspace = Workspace::default();
        workspace.vfs.apply(&head.files).map_err(|error| (at, error.to_string()))?;
        let rules = Rules::unchanged(head.lesson).with(head.rules).map_err(|error| (at, error))?;
        let mut timeline = Self::new(Session::with_rules(rules, head.workdir, workspace));
        for (at, line) in lines {
            let logged: Logged = serde_json::from_str(line).map_err(|error| (at, error.to_string()))?;
            timeline.record(logged.at, logged.event);
        }
        Ok(timeline)
    }
}

/// The first line of a recording: all that a run starts from.
#[derive(Serialize, Deserialize)]
struct Head {
    recording: u32,
    workdir: AbsPath,
    #[serde(deserialize_with = "lesson")]
    lesson: Rc<Lesson>,
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    rules: Changes,
    files: Vec<FsChange>,
}

/// A lesson is read as from its own file.
fn lesson<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Rc<Lesson>, D::Error> {
    let json = serde_json::Value::deserialize(deserializer)?;
    Lesson::from_json(json).map(Rc::new).map_err(serde::de::Error::custom)
}

/// A line of a recording. The values have string keys and no numbers that JSON lacks, so they can always be written.
fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}
