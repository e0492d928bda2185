//! A reply in the making: folds the events of a stream into blocks.
//!
//! A block is kept as the fields that came, and deltas fill those fields; only a complete reply is read as
//! [`Block`]s, so what nobody here knows is echoed whole. Knows events and messages, nothing of bytes or sessions.

use std::borrow::Cow;
use std::rc::Rc;

use super::ModelEvent;
use crate::fault::Fault;
use crate::message::{Block, Fields, Json, Reply, ToolCall, Usage};

/// A reply in the making. A clone is a snapshot: it costs a pointer, and later events copy only the block they touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    stage: Stage,
    /// In the order of arrival.
    parts: Rc<Vec<Rc<Part>>>,
    stop_reason: Option<String>,
    usage: Usage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Waiting,
    Writing,
    Finished,
}

/// What can be shown of one block so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftBlock<'a> {
    /// The block's number in the stream: it stays the block's own while the draft grows.
    pub index: usize,
    /// Its `type`.
    pub kind: &'a str,
    /// A call's tool.
    pub name: Option<&'a str>,
    /// The text or thinking so far, or a call's arguments so far as JSON text; empty for other blocks.
    pub content: Cow<'a, str>,
    /// Whether the block is complete.
    pub done: bool,
}

impl Draft {
    /// A draft before the first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in one event. An event that fits no place in the reply is a [`Fault::BadEvent`], the end inside a block a
    /// [`Fault::CutStream`], and [`ModelEvent::Failed`] gives its fault back; the draft is then as it was.
    pub fn apply(&mut self, event: &ModelEvent) -> Result<(), Fault> {
        let fits = match event {
            // Some endpoints send a second one. Taking it would double the message, and it tells nothing new.
            ModelEvent::Started { .. } if self.stage != Stage::Waiting => Some(()),
            ModelEvent::Started { usage, .. } => {
                self.stage = Stage::Writing;
                self.usage = *usage;
                Some(())
            }
            ModelEvent::Failed(fault) => return Err(fault.clone()),
            _ if self.stage != Stage::Writing => None,
            ModelEvent::BlockStarted { index, block } => self.start(*index, block),
            ModelEvent::TextDelta { index, text } => self.open(*index, |part| part.append("text", "text", text)),
            ModelEvent::ThinkingDelta { index, text } => {
                self.open(*index, |part| part.append("thinking", "thinking", text))
            }
            ModelEvent::SignatureDelta { index, signature } => self.open(*index, |part| {
                part.field("thinking", "signature").map(|field| *field = signature.as_str().into())
            }),
            ModelEvent::CitationDelta { index, citation } => self.open(*index, |part| part.cite(citation)),
            ModelEvent::InputDelta { index, json } => self.open(*index, |part| part.append_input(json)),
            ModelEvent::BlockStopped { index } => self.open(*index, Part::stop),
            ModelEvent::Ended { stop_reason, usage } => {
                self.stop_reason = stop_reason.clone().or(self.stop_reason.take());
                self.usage.overwrite(*usage);
                Some(())
            }
            // The end of the reply inside a block: what is missing of that block will not come.
            ModelEvent::Finished if self.parts.iter().any(|part| !part.done) => return Err(Fault::CutStream),
            ModelEvent::Finished => {
                self.stage = Stage::Finished;
                Some(())
            }
        };
        fits.ok_or_else(|| misplaced(event))
    }

    /// Whether the reply is complete.
    pub fn is_finished(&self) -> bool {
        self.stage == Stage::Finished
    }

    /// The blocks as far as they have come.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = DraftBlock<'_>> {
        self.parts.iter().map(|part| part.show())
    }

    /// The complete reply. A call whose arguments were cut off makes the whole reply a fault: a call that is half read
    /// must not be run, and the others of the same reply cannot be answered without it.
    pub fn reply(&self) -> Result<Reply, Fault> {
        if !self.is_finished() {
            return Err(Fault::CutStream);
        }
        let cut = self.parts.iter().find(|part| part.cut).or_else(|| self.cut_at_once());
        if let Some(part) = cut {
            let tool = part.string("name").unwrap_or_default().to_string();
            return Err(Fault::CutCall { tool, stop_reason: self.stop_reason.clone() });
        }
        let blocks = self.parts.iter().map(|part| part.block()).collect();
        Ok(Reply { blocks, stop_reason: self.stop_reason.clone(), usage: self.usage })
    }

    /// A last call without a single argument in a reply that ran out of room: it was cut before its arguments began,
    /// not written without any.
    fn cut_at_once(&self) -> Option<&Rc<Part>> {
        let out_of_room = matches!(self.stop_reason.as_deref(), Some("max_tokens" | "model_context_window_exceeded"));
        let bare_call = |part: &&Rc<Part>| part.is_without_arguments() && matches!(part.block(), Block::ToolUse(_));
        self.parts.last().filter(|_| out_of_room).filter(bare_call)
    }

    fn start(&mut self, index: usize, block: &Fields) -> Option<()> {
        if self.parts.iter().any(|part| part.index == index) {
            return None;
        }
        let part = Part { index, fields: block.clone(), input: String::new(), done: false, cut: false };
        Rc::make_mut(&mut self.parts).push(Rc::new(part));
        Some(())
    }

    /// Changes a block that has begun and not stopped.
    fn open(&mut self, index: usize, change: impl FnOnce(&mut Part) -> Option<()>) -> Option<()> {
        let place = self.parts.iter().rposition(|part| part.index == index && !part.done)?;
        change(Rc::make_mut(&mut Rc::make_mut(&mut self.parts)[place]))
    }
}

/// One block on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    index: usize,
    fields: Fields,
    /// The pieces of a call's arguments, joined. They are JSON only when the block stops.
    input: String,
    done: bool,
    /// Whether `input` turned out not to be JSON.
    cut: bool,
}

impl Part {
    fn string(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Json::as_str)
    }

    fn kind(&self) -> &str {
        self.string("type").unwrap_or_default()
    }

    /// The field that a delta fills. Blocks of the delta's own kind may leave it out at first; a block of another kind
    /// (a server's tool call, a type that is new) has to have it.
    fn field(&mut self, kind: &str, name: &str) -> Option<&mut Json> {
        if self.kind() == kind {
            Some(self.fields.entry(name).or_insert(Json::Null))
        } else {
            self.fields.get_mut(name)
        }
    }

    fn append(&mut self, kind: &str, name: &str, more: &str) -> Option<()> {
        match self.field(kind, name)? {
            Json::String(text) => text.push_str(more),
            nothing @ Json::Null => *nothing = more.into(),
            _ => return None,
        }
        Some(())
    }

    fn cite(&mut self, citation: &Json) -> Option<()> {
        match self.field("text", "citations")? {
            Json::Array(citations) => citations.push(citation.clone()),
            nothing @ Json::Null => *nothing = vec![citation.clone()].into(),
            _ => return None,
        }
        Some(())
    }

    fn append_input(&mut self, json: &str) -> Option<()> {
        let takes_input = self.kind() == "tool_use" || self.fields.contains_key("input");
        takes_input.then(|| self.input.push_str(json))
    }

    /// A call without arguments sends only `""`, or nothing; then the `input` it began with stands, `{}` as a rule.
    fn stop(&mut self) -> Option<()> {
        self.done = true;
        if !self.input.is_empty() {
            match serde_json::from_str(&self.input) {
                Ok(input) => drop(self.fields.insert("input".into(), input)),
                Err(_) => self.cut = true,
            }
        }
        Some(())
    }

    /// Whether neither the block's start nor a delta gave a call anything.
    fn is_without_arguments(&self) -> bool {
        let nothing = |input: &Json| input.is_null() || input.as_object().is_some_and(Fields::is_empty);
        self.input.is_empty() && self.fields.get("input").is_none_or(nothing)
    }

    /// The block as a message holds it. A call whose start said `"input": null`, or nothing, has no arguments: `{}`.
    fn block(&self) -> Block {
        match Block::from_json(self.fields.clone()) {
            Block::ToolUse(call) if self.is_without_arguments() => {
                Block::ToolUse(ToolCall { input: Fields::new().into(), ..call })
            }
            block => block,
        }
    }

    fn show(&self) -> DraftBlock<'_> {
        let content = match self.fields.get("input") {
            _ if !self.input.is_empty() => self.input.as_str().into(),
            Some(input) if self.done => input.to_string().into(),
            Some(_) => "".into(),
            None => self.string("text").or(self.string("thinking")).unwrap_or_default().into(),
        };
        DraftBlock { index: self.index, kind: self.kind(), name: self.string("name"), content, done: self.done }
    }
}

/// Names an event that has no place here as the API names it.
fn misplaced(event: &ModelEvent) -> Fault {
    let (name, index) = match event {
        ModelEvent::Started { .. } => ("message_start", None),
        ModelEvent::BlockStarted { index, .. } => ("content_block_start", Some(index)),
        ModelEvent::BlockStopped { index } => ("content_block_stop", Some(index)),
        ModelEvent::TextDelta { index, .. }
        | ModelEvent::InputDelta { index, .. }
        | ModelEvent::ThinkingDelta { index, .. }
        | ModelEvent::SignatureDelta { index, .. }
        | ModelEvent::CitationDelta { index, .. } => ("content_block_delta", Some(index)),
        ModelEvent::Ended { .. } => ("message_delta", None),
        ModelEvent::Finished => ("message_stop", None),
        ModelEvent::Failed(_) => ("error", None),
    };
    Fault::BadEvent { start: index.map_or(name.to_string(), |index| format!("{name} (index {index})")) }
}
