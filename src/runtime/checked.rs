//! What the checker's findings lead to: an endpoint as strict as the real API, and a question before a request goes out that
//! would be refused.

use super::{Chunk, Chunks, Transport};
use crate::fault::Fault;
use crate::wire::ModelRequest;
use crate::wire::answer::Head;
use crate::wire::checker::{check, refusal};
use futures_util::{StreamExt, stream};
use serde_json::json;

/// The answer of the real API where it would refuse a request: status 400 (413 for one too large), and the error object as
/// the body. None where it would accept.
pub fn refuse(request: &ModelRequest) -> Option<Chunks> {
    let Some(Fault::Api { status, kind, message, .. }) = refusal(&check(request)) else { return None };
    let body = json!({"type": "error", "error": {"type": kind, "message": message}}).to_string();
    let head = Head { status, content_type: "application/json".into(), ..Head::default() };
    Some(stream::iter([Ok(Chunk::Head(head)), Ok(Chunk::Bytes(body.into_bytes()))]).boxed_local())
}

/// A transport that sends no request unasked that the API would refuse.
pub struct Asking<T>(pub T);

impl<T: Transport> Transport for Asking<T> {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        let found = check(request);
        match found.iter().any(|finding| finding.rule.refuses()) {
            true => stream::iter([Ok(Chunk::Objections(found.into()))]).boxed_local(),
            false => self.0.open(request, body),
        }
    }

    fn open_unchecked(&self, request: &ModelRequest, body: String) -> Chunks {
        self.0.open_unchecked(request, body)
    }
}
