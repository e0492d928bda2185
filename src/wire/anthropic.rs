//! The Anthropic Messages API: requests as it reads them, its stream as events, a reply as its stream.
//!
//! Owns the API's names and shapes (<https://docs.anthropic.com/en/api/messages-streaming>) and what a reader may type as
//! its address and key. Sends nothing, keeps no key, and puts none into a fault.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sse::Frame;
use super::{ModelEvent, ModelRequest, start_of};
use crate::fault::Fault;
use crate::message::{self, Block, Fields, Json, Message, Reply, ToolSpec, Usage};

/// Writes request bodies. A lesson's requests grow one out of the other, so the encoder keeps what it wrote last: a
/// message that is the same `Rc` at the same place is not written again.
#[derive(Debug, Default)]
pub struct Encoder {
    messages: Vec<Written>,
    /// The messages as JSON, separated by commas.
    joined: String,
    tools: Option<(Rc<[ToolSpec]>, String)>,
}

/// Holding the message keeps its address from being given to another one.
#[derive(Debug)]
struct Written {
    message: Rc<Message>,
    /// Where its text ends in `joined`.
    end: usize,
}

impl Encoder {
    /// An encoder that has written nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The body of a request, compact, its keys in the order of the API's documentation. `system`, `tools` and `stream`
    /// appear only where there is something to say.
    pub fn body(&mut self, request: &ModelRequest, stream: bool) -> String {
        self.write_messages(request);
        self.write_tools(&request.tools);
        let tools = self.tools.as_ref().map_or("", |(_, text)| text.as_str());

        let mut body = String::with_capacity(self.joined.len() + tools.len() + 256);
        body.push_str("{\"model\":");
        body.push_str(&compact(&request.model));
        body.push_str(",\"max_tokens\":");
        body.push_str(&request.max_tokens.to_string());
        if let Some(system) = &request.system {
            body.push_str(",\"system\":");
            body.push_str(&compact(system));
        }
        body.push_str(",\"messages\":[");
        body.push_str(&self.joined);
        body.push(']');
        if !request.tools.is_empty() {
            body.push_str(",\"tools\":");
            body.push_str(tools);
        }
        if stream {
            body.push_str(",\"stream\":true");
        }
        body.push('}');
        body
    }

    fn write_messages(&mut self, request: &ModelRequest) {
        let pairs = self.messages.iter().zip(&request.messages);
        let same = pairs.take_while(|(written, message)| Rc::ptr_eq(&written.message, message)).count();
        self.messages.truncate(same);
        self.joined.truncate(self.messages.last().map_or(0, |written| written.end));
        for message in request.messages.iter().skip(same) {
            if !self.joined.is_empty() {
                self.joined.push(',');
            }
            self.joined.push_str(&compact(message));
            self.messages.push(Written { message: message.clone(), end: self.joined.len() });
        }
    }

    fn write_tools(&mut self, tools: &Rc<[ToolSpec]>) {
        if !self.tools.as_ref().is_some_and(|(written, _)| Rc::ptr_eq(written, tools)) {
            self.tools = Some((tools.clone(), compact(tools)));
        }
    }
}

fn compact(value: &impl Serialize) -> String {
    // serde_json fails only on maps whose keys are no strings, and a request holds none.
    serde_json::to_string(value).expect("a request is JSON")
}

/// How an endpoint wants its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// `x-api-key: KEY`
    XApiKey,
    /// `authorization: Bearer KEY`
    Bearer,
    /// No key at all.
    None,
}

/// The headers of a request. `browser` adds the vendor's own: without `anthropic-dangerous-direct-browser-access` the
/// API answers a page without CORS headers, and with it a local server may refuse the preflight. An empty key is not sent.
pub fn headers(key: &str, auth: Auth, browser: bool) -> Vec<(&'static str, String)> {
    let mut headers = vec![("content-type", "application/json".to_string())];
    match auth {
        Auth::XApiKey if !key.is_empty() => headers.push(("x-api-key", key.to_string())),
        Auth::Bearer if !key.is_empty() => headers.push(("authorization", format!("Bearer {key}"))),
        _ => {}
    }
    if browser {
        headers.push(("anthropic-version", "2023-06-01".to_string()));
        headers.push(("anthropic-dangerous-direct-browser-access", "true".to_string()));
    }
    headers
}

/// The URL that requests go to, from whatever a reader types or pastes as an endpoint's address. Rules that an address
/// can break: those of `unseen`, and `empty`, `scheme`, `userinfo`, `query`, `host`, `port`, `colon`.
pub fn url(base: &str) -> Result<String, Fault> {
    let refuse = |rule: &str| Fault::Settings { field: "base_url".to_string(), rule: rule.to_string() };
    let base = base.trim_matches(is_blank);
    if base.is_empty() {
        return Err(refuse("empty"));
    }
    if let Some(rule) = unseen(base) {
        return Err(refuse(rule));
    }
    let (scheme, rest) = match base.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, base),
    };
    if scheme.as_deref().is_some_and(|scheme| !matches!(scheme, "http" | "https")) {
        return Err(refuse("scheme"));
    }
    if rest.contains(['?', '#']) {
        return Err(refuse("query"));
    }
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err(refuse("userinfo"));
    }
    // The colons of an IPv6 address stand in brackets.
    let host_end = authority.find(']').map_or_else(|| authority.find(':').unwrap_or(authority.len()), |end| end + 1);
    let (host, port) = authority.split_at(host_end);
    let host = host.to_ascii_lowercase();
    if !is_host(&host) {
        return Err(refuse("host"));
    }
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        // `https:/host`, `javascript:…`: that colon may have been meant to end a scheme.
        let number = port.trim_start_matches(':').starts_with(|c: char| c.is_ascii_digit());
        return Err(refuse(if scheme.is_some() || number { "port" } else { "colon" }));
    }
    let scheme = scheme.as_deref().unwrap_or(if is_loopback(&host) { "http" } else { "https" });
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/messages").filter(|path| path.ends_with("/v1")).unwrap_or(path);
    let path = path.strip_suffix("/v1").unwrap_or(path).trim_end_matches('/');
    Ok(format!("{scheme}://{host}{port}{path}/v1/messages"))
}

/// A host as far as it can be told without resolving it; letters of any script, as a browser takes them.
fn is_host(host: &str) -> bool {
    match host.strip_prefix('[') {
        Some(ip) => ip
            .strip_suffix(']')
            .is_some_and(|ip| !ip.is_empty() && ip.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '.'))),
        None => {
            !host.is_empty()
                && host.chars().all(|c| c.is_ascii_alphanumeric() || !c.is_ascii() || matches!(c, '.' | '-' | '_'))
        }
    }
}

fn is_port(text: &str) -> bool {
    // The parser would also take a plus sign.
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// Hosts where a server without a certificate is the rule.
fn is_loopback(host: &str) -> bool {
    let ip = host.starts_with("127.") && host.chars().all(|c| c.is_ascii_digit() || c == '.');
    ip || host == "[::1]" || host == "localhost" || host.ends_with(".localhost")
}

/// A key as a header can carry it: without the white space, quotes and invisible characters that copying adds at its
/// ends. What stands inside is refused rather than guessed: the rules of `unseen`, and `non_ascii`. A key may be empty,
/// for endpoints that want none.
pub fn clean_key(typed: &str) -> Result<String, Fault> {
    let quotes = ['"', '\'', '`', '“', '”', '‘', '’'];
    let key = typed.trim_matches(|c| is_blank(c) || quotes.contains(&c));
    match unseen(key).or((!key.is_ascii()).then_some("non_ascii")) {
        Some(rule) => Err(Fault::Settings { field: "key".to_string(), rule: rule.to_string() }),
        None => Ok(key.to_string()),
    }
}

/// The first character of a text that cannot be seen, as a rule: `line_break`, `space`, `control`, `zero_width`.
pub(crate) fn unseen(text: &str) -> Option<&'static str> {
    text.chars().find_map(|c| match c {
        '\n' | '\r' => Some("line_break"),
        _ if c.is_whitespace() => Some("space"),
        _ if c.is_control() => Some("control"),
        _ => is_blank(c).then_some("zero_width"),
    })
}

/// Characters that show nothing: white space, controls, zero-width characters, the byte order mark.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

/// Reads one frame. `None` for what tells nothing (`ping`) and for events and deltas that are new: the API's versioning
/// policy asks clients to pass over those. A known event that lacks what it promises is a [`Fault::BadEvent`].
pub fn event(frame: &Frame) -> Result<Option<ModelEvent>, Fault> {
    let data = message::object(&frame.data);
    // The standard calls an event without a name `message`. Some endpoints name none of theirs.
    let name = match (frame.event.as_str(), &data) {
        ("" | "message", Some(data)) => match data.get("type").and_then(Json::as_str) {
            Some(name) => name.to_string(),
            None if data.contains_key("error") => "error".to_string(),
            None => return Err(bad(frame)),
        },
        // A heartbeat, and the end of a stream as other APIs mark it.
        ("" | "message", None) if matches!(frame.data.trim(), "" | "[DONE]") => return Ok(None),
        ("" | "message", None) => return Err(bad(frame)),
        (name, _) => name.to_string(),
    };
    match name.as_str() {
        "error" => Ok(Some(ModelEvent::Failed(error(200, &frame.data)))),
        // Nothing in its data matters.
        "message_stop" => Ok(Some(ModelEvent::Finished)),
        "message_start" => data.and_then(started).map(Some).ok_or_else(|| bad(frame)),
        "content_block_start" => data.and_then(block_started).map(Some).ok_or_else(|| bad(frame)),
        "content_block_delta" => data.and_then(delta).ok_or_else(|| bad(frame)),
        "content_block_stop" => data.and_then(block_stopped).map(Some).ok_or_else(|| bad(frame)),
        "message_delta" => data.map(ended).map(Some).ok_or_else(|| bad(frame)),
        _ => Ok(None),
    }
}

fn bad(frame: &Frame) -> Fault {
    Fault::BadEvent { start: start_of(&frame.data) }
}

fn started(mut data: Fields) -> Option<ModelEvent> {
    let mut message = object(&mut data, "message")?;
    Some(ModelEvent::Started {
        id: string(&mut message, "id").unwrap_or_default(),
        model: string(&mut message, "model").unwrap_or_default(),
        usage: usage(&message),
    })
}

fn block_started(mut data: Fields) -> Option<ModelEvent> {
    Some(ModelEvent::BlockStarted { index: index(&data)?, block: object(&mut data, "content_block")? })
}

fn block_stopped(data: Fields) -> Option<ModelEvent> {
    Some(ModelEvent::BlockStopped { index: index(&data)? })
}

/// `Some(None)` is a delta of a type that is new.
fn delta(mut data: Fields) -> Option<Option<ModelEvent>> {
    let index = index(&data)?;
    let mut delta = object(&mut data, "delta")?;
    let event = match string(&mut delta, "type")?.as_str() {
        "text_delta" => ModelEvent::TextDelta { index, text: string(&mut delta, "text")? },
        "input_json_delta" => ModelEvent::InputDelta { index, json: string(&mut delta, "partial_json")? },
        "thinking_delta" => ModelEvent::ThinkingDelta { index, text: string(&mut delta, "thinking")? },
        "signature_delta" => ModelEvent::SignatureDelta { index, signature: string(&mut delta, "signature")? },
        "citations_delta" => ModelEvent::CitationDelta { index, citation: delta.remove("citation")? },
        _ => return Some(None),
    };
    Some(Some(event))
}

fn ended(mut data: Fields) -> ModelEvent {
    let usage = usage(&data);
    let stop_reason = object(&mut data, "delta").and_then(|mut delta| string(&mut delta, "stop_reason"));
    ModelEvent::Ended { stop_reason, usage }
}

fn index(data: &Fields) -> Option<usize> {
    usize::try_from(data.get("index")?.as_u64()?).ok()
}

/// Takes a field that has to be an object.
fn object(data: &mut Fields, key: &str) -> Option<Fields> {
    match data.get_mut(key)? {
        Json::Object(fields) => Some(std::mem::take(fields)),
        _ => None,
    }
}

/// Takes a field that has to be a string.
fn string(data: &mut Fields, key: &str) -> Option<String> {
    match data.get_mut(key)? {
        Json::String(text) => Some(std::mem::take(text)),
        _ => None,
    }
}

/// Numbers that are missing, null or no whole numbers are not told; a reply does not fail because of its bill.
fn usage(data: &Fields) -> Usage {
    let count = |key| data.get("usage").and_then(|usage| usage.get(key)).and_then(Json::as_u64);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_read_input_tokens: count("cache_read_input_tokens"),
        cache_creation_input_tokens: count("cache_creation_input_tokens"),
    }
}

/// The fault that an error's text tells: the API's error object, or any text at all.
pub(super) fn error(status: u16, text: &str) -> Fault {
    let whole = || Fault::Api {
        status,
        kind: String::new(),
        message: start_of(text.trim()),
        request_id: None,
        retry_after_ms: None,
    };
    error_object(status, text).unwrap_or_else(whole)
}

/// The fault that an error object tells: `{"type": "error", "error": {"type", "message"}, "request_id"}`, or, as some
/// servers write it, with a bare text as `error`.
pub(super) fn error_object(status: u16, text: &str) -> Option<Fault> {
    let mut fields = message::object(text)?;
    let (kind, message) = match fields.remove("error")? {
        Json::Object(mut error) => (string(&mut error, "type"), string(&mut error, "message")),
        Json::String(message) => (None, Some(message)),
        _ => return None,
    };
    Some(Fault::Api {
        status,
        kind: kind.unwrap_or_default(),
        message: message.unwrap_or_else(|| start_of(text)),
        request_id: string(&mut fields, "request_id"),
        retry_after_ms: None,
    })
}

/// A reply as the API would stream it: one text per event, with its blank line. Text, thinking and arguments come in
/// deltas of `piece` characters, every other field with the block's start.
pub fn frames(reply: &Reply, id: &str, model: &str, piece: usize) -> Vec<String> {
    // As in the API: the start tells what was read, the end everything.
    let start_usage = Usage { output_tokens: None, ..reply.usage };
    let mut frames = vec![frame(
        "message_start",
        json!({"message": {
            "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": start_usage,
        }}),
    )];
    for (index, block) in reply.blocks.iter().enumerate() {
        let (block, deltas) = unfold(block, piece.max(1));
        frames.push(frame("content_block_start", json!({"index": index, "content_block": block})));
        let delta = |delta| frame("content_block_delta", json!({"index": index, "delta": delta}));
        frames.extend(deltas.into_iter().map(delta));
        frames.push(frame("content_block_stop", json!({"index": index})));
    }
    let delta = json!({"stop_reason": reply.stop_reason, "stop_sequence": null});
    frames.push(frame("message_delta", json!({"delta": delta, "usage": reply.usage})));
    frames.push(frame("message_stop", json!({})));
    frames
}

/// A block as it starts, and the deltas that make it whole.
fn unfold(block: &Block, piece: usize) -> (Json, Vec<Json>) {
    let mut start = block.to_json();
    let mut deltas = Vec::new();
    match block {
        Block::Text { text, .. } => {
            start["text"] = "".into();
            deltas.extend(pieces(text, piece).map(|text| json!({"type": "text_delta", "text": text})));
        }
        Block::ToolUse(call) => {
            start["input"] = json!({});
            // The API's first fragment is always empty.
            deltas.push(json!({"type": "input_json_delta", "partial_json": ""}));
            let input = call.input.to_string();
            deltas.extend(pieces(&input, piece).map(|json| json!({"type": "input_json_delta", "partial_json": json})));
        }
        Block::Other(fields) if block.kind() == "thinking" => {
            if let Some(thinking) = fields.get("thinking").and_then(Json::as_str) {
                start["thinking"] = "".into();
                deltas.extend(pieces(thinking, piece).map(|text| json!({"type": "thinking_delta", "thinking": text})));
            }
            if let Some(signature) = fields.get("signature").and_then(Json::as_str) {
                start["signature"] = "".into();
                deltas.push(json!({"type": "signature_delta", "signature": signature}));
            }
        }
        Block::Other(_) | Block::ToolResult { .. } => {}
    }
    (start, deltas)
}

/// A text in pieces of so many characters; none for an empty text.
fn pieces(mut text: &str, length: usize) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = text.char_indices().nth(length).map_or(text.len(), |(end, _)| end);
        let (piece, rest) = text.split_at(end);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn frame(name: &str, data: Json) -> String {
    let mut fields = Fields::new();
    fields.insert("type".to_string(), name.into());
    if let Json::Object(data) = data {
        fields.extend(data);
    }
    format!("event: {name}\ndata: {}\n\n", Json::Object(fields))
}
