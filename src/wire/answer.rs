//! Reading one HTTP answer, whatever it is: a stream, an error, a page of some proxy.
//!
//! Owns how an answer is told from what it should have been, and what its head says about waiting. Knows bytes, events
//! and faults; fetches nothing, and asks no clock.

use super::sse::Decoder;
use super::{ModelEvent, anthropic, start_of};
use crate::fault::Fault;
use crate::message::Json;

/// What an HTTP answer says before its body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// The content type; empty if none was sent.
    pub content_type: String,
    /// The endpoint's id of the request (`request-id`).
    pub request_id: Option<String>,
    /// How long the endpoint asks us to wait; [`retry_after_ms`] reads it from the headers.
    pub retry_after_ms: Option<u64>,
}

/// How much of a body is kept that is no stream: more than any error object, and never a whole download.
const KEPT: usize = 64 * 1024;

/// An answer being read. Its events end with [`ModelEvent::Finished`] or [`ModelEvent::Failed`], one of them, once;
/// whatever comes after that is ignored.
///
/// Content types lie in both directions, so an answer is a stream as soon as an event can be read in it. Until then its
/// first bytes are kept, and if none ever comes they tell what it was.
#[derive(Debug)]
pub struct Answer {
    head: Head,
    decoder: Decoder,
    state: State,
}

#[derive(Debug)]
enum State {
    /// No event yet: the body's first bytes.
    Unknown(Vec<u8>),
    Stream,
    Over,
}

impl Answer {
    /// An answer of which the head has come.
    pub fn new(head: Head) -> Self {
        Self { head, decoder: Decoder::new(), state: State::Unknown(Vec::new()) }
    }

    /// Takes the next bytes of the body.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        match &mut self.state {
            State::Over => return Vec::new(),
            State::Unknown(body) => body.extend(bytes.iter().take(KEPT - body.len())),
            State::Stream => {}
        }
        if !self.head_is_fine() {
            return Vec::new();
        }
        let mut events = Vec::new();
        for frame in self.decoder.push(bytes) {
            self.state = State::Stream;
            let Some(event) = anthropic::event(&frame).unwrap_or_else(|fault| Some(ModelEvent::Failed(fault))) else {
                continue;
            };
            if event.is_last() {
                events.push(self.end(event));
                break;
            }
            events.push(event);
        }
        events
    }

    /// The body has ended.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        let fault = match &self.state {
            State::Over => return Vec::new(),
            State::Stream => Fault::CutStream,
            State::Unknown(body) => self.explain(&String::from_utf8_lossy(body)),
        };
        vec![self.end(ModelEvent::Failed(fault))]
    }

    fn head_is_fine(&self) -> bool {
        (200..300).contains(&self.head.status)
    }

    /// What a body without a single event was.
    fn explain(&self, body: &str) -> Fault {
        if !self.head_is_fine() {
            return anthropic::error(self.head.status, body);
        }
        if let Some(fault) = anthropic::error_object(self.head.status, body) {
            return fault;
        }
        let body = body.trim_start_matches('\u{FEFF}').trim();
        // A stream may also break off before its first event is complete.
        let promised = self.head.content_type.trim_start().to_ascii_lowercase().starts_with("text/event-stream");
        let begun =
            ["event:", "data:", "id:", "retry:", ":"].iter().any(|f| body.starts_with(f) || f.starts_with(body));
        if promised && begun {
            return Fault::CutStream;
        }
        Fault::NotAStream { content_type: self.head.content_type.clone(), start: start_of(body) }
    }

    /// Closes the answer. An error says which request it belongs to, and when to ask again, as far as the head knows.
    fn end(&mut self, mut last: ModelEvent) -> ModelEvent {
        self.state = State::Over;
        if let ModelEvent::Failed(Fault::Api { request_id, retry_after_ms, .. }) = &mut last {
            *request_id = request_id.take().or_else(|| self.head.request_id.clone());
            *retry_after_ms = self.head.retry_after_ms;
        }
        last
    }
}

/// How long an endpoint asks us to wait, from its headers `retry-after-ms` (milliseconds) and `retry-after` (seconds or an
/// HTTP date, RFC 9110 section 10.2.3). The first that can be read counts, as in the vendor's clients. A date in the past
/// is no wait. `now_ms` counts from 1970, as `Date.now()` does.
pub fn retry_after_ms(retry_after_ms: Option<&str>, retry_after: Option<&str>, now_ms: f64) -> Option<u64> {
    let wait = retry_after_ms.and_then(number).or_else(|| {
        let value = retry_after?;
        number(value).map(|seconds| seconds * 1000.0).or_else(|| Some((date_ms(value)? - now_ms).max(0.0)))
    })?;
    Some(wait.ceil() as u64)
}

/// A number that is no less than zero. JSON's numbers have all that headers use, and no `inf` or `NaN`.
fn number(value: &str) -> Option<f64> {
    serde_json::from_str::<Json>(value.trim()).ok()?.as_f64().filter(|number| *number >= 0.0)
}

/// An IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7), in milliseconds from 1970. The two obsolete
/// formats of that section are not read: no server of today writes them.
fn date_ms(value: &str) -> Option<f64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let (_weekday, date) = value.trim().split_once(", ")?;
    let mut words = date.split(' ');
    let day = digits(words.next()?, 1, 31)?;
    let month = words.next().filter(|name| name.len() == 3).and_then(|name| MONTHS.find(name))?;
    let year = digits(words.next()?, 1970, 9999)?;
    let mut clock = words.next()?.split(':');
    let (hour, minute, second) =
        (digits(clock.next()?, 0, 23)?, digits(clock.next()?, 0, 59)?, digits(clock.next()?, 0, 60)?);
    if words.next() != Some("GMT") || words.next().is_some() || clock.next().is_some() || month % 3 != 0 {
        return None;
    }
    // Days since 1970. Years begin in March here, so that a leap day is the last one
    // (https://howardhinnant.github.io/date_algorithms.html#days_from_civil).
    let month = month as u64 / 3;
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) as f64 * 1000.0)
}

fn digits(text: &str, least: u64, most: u64) -> Option<u64> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
    (least..=most).contains(&number).then_some(number)
}
