//! What goes to a model and what comes back, as values: a request, and the facts of a streamed answer.
//!
//! bytes → [`sse::Decoder`] → frame → [`anthropic::event`] → [`ModelEvent`] → [`draft::Draft`] → reply; [`answer::Answer`]
//! leads an HTTP answer down that road, whatever the answer is. Pure: no clock, no I/O, no browser; knows messages and
//! faults, and nothing of lessons, sessions or how bytes travel.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::message::{Fields, Json, Message, ToolSpec, Usage};

pub mod answer;
pub mod anthropic;
pub mod checker;
pub mod draft;
pub mod sse;

/// One question to a model. A clone costs a few pointers, and equal parts compare by pointer first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRequest {
    /// The model's name at the endpoint.
    pub model: Rc<str>,
    /// The longest reply wanted, in tokens.
    pub max_tokens: u32,
    /// The system prompt, where the lesson has one.
    pub system: Option<Rc<str>>,
    /// The whole history, oldest first.
    pub messages: rpds::Vector<Rc<Message>>,
    /// The tools on offer.
    pub tools: Rc<[ToolSpec]>,
}

/// Where a request goes and what goes with it, for readers and for the log: without the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The full URL.
    pub url: String,
    /// The headers; the one that carries the key has no value here.
    pub headers: Vec<(String, Option<String>)>,
}

/// One fact of a streamed answer, in the order of arrival. An answer ends with [`ModelEvent::Finished`] or
/// [`ModelEvent::Failed`], one of them, once. Recordings hold these as JSON, so a name once written stays readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum ModelEvent {
    /// `message_start`: the reply begins.
    Started {
        /// The message's id; empty if the endpoint gives none.
        id: String,
        /// The model that answers; empty if the endpoint does not say.
        model: String,
        /// What the endpoint has counted so far.
        usage: Usage,
    },
    /// `content_block_start`: a block begins, with all its fields as they came.
    BlockStarted {
        /// The block's number in this reply.
        index: usize,
        /// `content_block`, whole.
        block: Fields,
    },
    /// `text_delta`: more of a text block.
    TextDelta {
        /// The block's number.
        index: usize,
        /// The piece.
        text: String,
    },
    /// `input_json_delta`: more of a tool's arguments, still unparsed.
    InputDelta {
        /// The block's number.
        index: usize,
        /// The piece of JSON text, which may end anywhere.
        json: String,
    },
    /// `thinking_delta`: more of a thinking block.
    ThinkingDelta {
        /// The block's number.
        index: usize,
        /// The piece.
        text: String,
    },
    /// `signature_delta`: the signature that must go back with a thinking block.
    SignatureDelta {
        /// The block's number.
        index: usize,
        /// The signature, whole.
        signature: String,
    },
    /// `citations_delta`: one more source of a text block.
    CitationDelta {
        /// The block's number.
        index: usize,
        /// The citation, as it came.
        citation: Json,
    },
    /// `content_block_stop`: the block is complete.
    BlockStopped {
        /// The block's number.
        index: usize,
    },
    /// `message_delta`: why the model stopped, and what the endpoint has counted by now.
    Ended {
        /// The stop reason as the endpoint writes it.
        stop_reason: Option<String>,
        /// Cumulative numbers: they replace earlier ones.
        usage: Usage,
    },
    /// `message_stop`: the reply is complete.
    Finished,
    /// No reply will come of this: an error event, an error answer, or an answer that cannot be read.
    Failed(Fault),
}

impl ModelEvent {
    /// Whether nothing follows this event.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Finished | Self::Failed(_))
    }
}

/// How many characters of something unreadable a fault quotes: enough to recognise it, little enough to show.
const QUOTED: usize = 300;

/// The first characters of a text, for a fault to quote.
fn start_of(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
