//! What ends a turn early: everything that cannot be told to the model as a tool result.
//!
//! A fault is data; `ui/text` says it in the reader's language, with the next thing to do. It never holds a key.

use serde::{Deserialize, Serialize};

/// Why a turn ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    /// The API answered with an error, as a status, or in the body or the stream of an answer that began well (then
    /// `status` is 200).
    Api {
        /// HTTP status.
        status: u16,
        /// `error.type`, for example `overloaded_error`; empty if the answer had none.
        kind: String,
        /// `error.message`, or the first characters of a body that is no error object.
        message: String,
        /// The endpoint's id of the request, for its support.
        request_id: Option<String>,
        /// How long the endpoint asks us to wait, in milliseconds.
        retry_after_ms: Option<u64>,
    },
    /// The answer was fine for HTTP but is not an event stream.
    NotAStream {
        /// Its content type; empty if it had none.
        content_type: String,
        /// Its first characters.
        start: String,
    },
    /// The stream has an event that does not hold what its type promises, or one that has no place where it came.
    BadEvent {
        /// The event's data, its first characters; of one out of place, its name and the block's number.
        start: String,
    },
    /// The stream ended before the reply did.
    CutStream,
    /// No answer at all. A browser does not tell a page more than this.
    Unreachable {
        /// The URL asked, without its query.
        url: String,
        /// The browser's words.
        message: String,
    },
    /// The endpoint's settings cannot be used.
    Settings {
        /// The field: `base_url`, `key`, `model`, `max_tokens`.
        field: String,
        /// Which rule it breaks, a word that `ui/text` knows.
        rule: String,
    },
    /// A tool call's arguments stop in the middle of their JSON, so it was not run.
    CutCall {
        /// The tool's name.
        tool: String,
        /// The reply's stop reason, `max_tokens` as a rule.
        stop_reason: Option<String>,
    },
    /// The lesson's program would have ended here with an exception that nothing catches.
    Crashed {
        /// The exception as Python prints it on its last line.
        exception: String,
    },
}
