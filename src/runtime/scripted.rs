//! The scripted model as a transport: it turns a scenario's reply into the bytes that an endpoint would stream, so that
//! decoder, draft and page cannot tell it from a live one.

use super::{Chunk, Chunks, Clock, Transport};
use crate::scenario::Scenario;
use crate::wire::ModelRequest;
use crate::wire::answer::Head;
use crate::wire::anthropic;
use futures_util::StreamExt;
use futures_util::stream;
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// How fast the scripted model types.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speed {
    /// To be read along.
    Slow,
    /// About as fast as a quick model.
    #[default]
    Normal,
    /// Everything at once.
    Instant,
}

impl Speed {
    /// All, the slowest first.
    pub const ALL: [Self; 3] = [Self::Slow, Self::Normal, Self::Instant];

    /// Milliseconds before the first piece of a reply.
    fn before(self) -> u32 {
        match self {
            Self::Slow => 1200,
            Self::Normal => 350,
            Self::Instant => 0,
        }
    }

    /// Milliseconds between two pieces.
    fn between(self) -> u32 {
        match self {
            Self::Slow => 60,
            Self::Normal => 16,
            Self::Instant => 0,
        }
    }
}

/// Characters in a piece.
const PIECE: usize = 6;

/// The scripted model.
pub struct Scripted {
    scenario: Rc<Scenario>,
    speed: Rc<Cell<Speed>>,
    clock: Rc<dyn Clock>,
}

impl Scripted {
    /// The name that requests to it carry.
    pub const MODEL: &'static str = "scripted";

    /// A model that plays a scenario. The speed may be changed while it types.
    pub fn new(scenario: Rc<Scenario>, speed: Rc<Cell<Speed>>, clock: Rc<dyn Clock>) -> Self {
        Self { scenario, speed, clock }
    }
}

impl Transport for Scripted {
    fn open(&self, request: &ModelRequest, _body: String) -> Chunks {
        let reply = self.scenario.reply(request);
        // At once means at once: one block a delta, and all of it in one piece of the body.
        let piece = if self.speed.get() == Speed::Instant { usize::MAX } else { PIECE };
        let id = format!("msg_{:04}", request.messages.len());
        let frames: VecDeque<String> = anthropic::frames(&reply, &id, Self::MODEL, piece).into();
        let head =
            Head { status: 200, content_type: "text/event-stream".into(), request_id: None, retry_after_ms: None };
        let (speed, clock) = (self.speed.clone(), self.clock.clone());
        let body = stream::unfold((frames, true), move |(mut frames, first)| {
            let (speed, clock) = (speed.clone(), clock.clone());
            async move {
                let wait = if first { speed.get().before() } else { speed.get().between() };
                if wait > 0 && !frames.is_empty() {
                    clock.sleep(wait).await;
                }
                let bytes = match speed.get() {
                    Speed::Instant => frames.drain(..).collect::<String>(),
                    _ => frames.pop_front().unwrap_or_default(),
                };
                (!bytes.is_empty()).then(|| (Ok(Chunk::Bytes(bytes.into_bytes())), (frames, false)))
            }
        });
        stream::once(async move { Ok(Chunk::Head(head)) }).chain(body).boxed_local()
    }
}
