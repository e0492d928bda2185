//! Server-sent events: bytes in, frames out, however the bytes are cut.
//!
//! Follows "9.2.6 Interpreting an event stream" of the HTML standard
//! (<https://html.spec.whatwg.org/multipage/server-sent-events.html>). The standard also keeps a last event id and a
//! reconnection time; nobody here reconnects, so those two fields are skipped. Knows nothing of what events mean.

/// One dispatched event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The event's name; empty if the stream gave none.
    pub event: String,
    /// Its data: the `data` lines, joined by line feeds.
    pub data: String,
}

/// Reads a stream piece by piece.
///
/// There is no `finish`: at the end of a stream the standard discards an event that no blank line has ended.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The bytes of the line that has not ended yet. Kept as bytes: a character can be cut in two.
    line: Vec<u8>,
    /// Whether the last byte was CR, so that a LF right after it ends no further line.
    after_cr: bool,
    /// Whether a line has been read, after which a byte order mark is no longer one.
    begun: bool,
    event: String,
    /// Each `data` line with a LF after it, so that one empty line differs from none.
    data: String,
}

impl Decoder {
    /// A decoder at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and gives the frames that they complete.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(bytes);
                break;
            };
            self.line.extend_from_slice(&bytes[..end]);
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            frames.extend(self.end_line(&line));
        }
        frames
    }

    /// Decoding line by line is decoding the stream: CR and LF are never part of a longer UTF-8 sequence.
    fn end_line(&mut self, line: &[u8]) -> Option<Frame> {
        let line = String::from_utf8_lossy(line);
        let mut line = line.as_ref();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        // A comment starts with a colon, so its field has no name and is skipped with the unknown ones.
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.event = value.to_string(),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Frame> {
        let event = std::mem::take(&mut self.event);
        let mut data = std::mem::take(&mut self.data);
        // No `data` line, no event. Otherwise the last line feed goes.
        data.pop()?;
        Some(Frame { event, data })
    }
}
