//! The values that go over the wire to a model and come back: messages, their blocks, tools, usage.
//!
//! Owns the JSON shape of the Messages API, because that is also the shape of the lesson's history. What a model sent is
//! kept whole: unknown block types, unknown fields and explicit nulls are echoed back as they came.
//! Knows nothing of lessons, streams or the page.

use crate::data::record;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::rc::Rc;

/// Any JSON value.
pub type Json = serde_json::Value;

/// The fields of a JSON object, in the order in which they came.
pub type Fields = serde_json::Map<String, Json>;

/// The JSON object that a text is, if it is one.
///
/// By way of [`Json`], which takes what comes: serde's readers of anything narrower bring the words for what they did not
/// expect along, and std's printing of floats with them, 6 kB of the page's program.
pub fn object(text: &str) -> Option<Fields> {
    match serde_json::from_str(text) {
        Ok(Json::Object(fields)) => Some(fields),
        _ => None,
    }
}

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The reader, and everything the program says in the reader's place: tool results, the reminder.
    User,
    /// The model.
    Assistant,
}

/// One entry of the list that a request carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl Message {
    /// A user message of plain text, as the lesson stores a prompt.
    pub fn prompt(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: Content::Text(text.into()) }
    }

    /// A prompt and what goes along with it, each in a block of its own; a prompt alone is plain text.
    pub fn prompt_with(text: &str, added: &[Rc<str>]) -> Self {
        if added.is_empty() {
            return Self::prompt(text);
        }
        let texts = std::iter::once(text).chain(added.iter().map(|text| &**text));
        Self { role: Role::User, content: Content::Blocks(texts.map(Block::text).collect()) }
    }

    /// What the message says first: its plain text, or its first block where that is text.
    pub fn first_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Blocks(blocks) => match blocks.first() {
                Some(Block::Text { text, .. }) => Some(text),
                _ => None,
            },
        }
    }

    /// A user message of tool results and perhaps a reminder.
    pub fn results(blocks: Vec<Block>) -> Self {
        Self { role: Role::User, content: Content::Blocks(blocks) }
    }

    /// The blocks; none for a message of plain text.
    pub fn blocks(&self) -> &[Block] {
        match &self.content {
            Content::Text(_) => &[],
            Content::Blocks(blocks) => blocks,
        }
    }
}

/// A message's content: the API takes a string or a list of blocks, and the lesson uses both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// Plain text: a prompt, or what a Stop hook answered.
    Text(String),
    /// Blocks: a reply, or tool results and perhaps a reminder.
    Blocks(Vec<Block>),
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// `{"type": "text", "text": …}`
    Text {
        /// The text.
        text: String,
        /// Fields that came with it (`citations`, …).
        extra: Fields,
    },
    /// `{"type": "tool_use", "id": …, "name": …, "input": …}`
    ToolUse(ToolCall),
    /// `{"type": "tool_result", "tool_use_id": …, "content": …}`; the lesson sends no `is_error`.
    ToolResult {
        /// The call that this answers.
        tool_use_id: String,
        /// The tool's output, or the text that stands for it.
        content: String,
    },
    /// Any other block, unread: thinking with its signature, server tools, types that are new.
    Other(Fields),
}

/// A model's wish to run a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that the result must carry.
    pub id: String,
    /// The tool's name as the model wrote it; it may name no tool.
    pub name: String,
    /// The arguments: an object, as a rule, but a model can send anything.
    pub input: Json,
    /// Fields that came with the block (`caller`, …).
    pub extra: Fields,
}

impl Block {
    /// A text block with nothing beside its text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), extra: Fields::new() }
    }

    /// The block's `type` on the wire.
    pub fn kind(&self) -> &str {
        match self {
            Self::Text { .. } => "text",
            Self::ToolUse(_) => "tool_use",
            Self::ToolResult { .. } => "tool_result",
            Self::Other(fields) => fields.get("type").and_then(Json::as_str).unwrap_or("unknown"),
        }
    }

    /// The block as the API writes it.
    pub fn to_json(&self) -> Json {
        let (kind, own, extra) = match self {
            Self::Text { text, extra } => ("text", vec![("text", Json::from(text.as_str()))], Some(extra)),
            Self::ToolUse(call) => (
                "tool_use",
                vec![
                    ("id", call.id.as_str().into()),
                    ("name", call.name.as_str().into()),
                    ("input", call.input.clone()),
                ],
                Some(&call.extra),
            ),
            Self::ToolResult { tool_use_id, content } => (
                "tool_result",
                vec![("tool_use_id", tool_use_id.as_str().into()), ("content", content.as_str().into())],
                None,
            ),
            Self::Other(fields) => return Json::Object(fields.clone()),
        };
        let mut object = Fields::new();
        object.insert("type".into(), kind.into());
        object.extend(own.into_iter().map(|(key, value)| (key.to_string(), value)));
        object.extend(extra.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
        Json::Object(object)
    }

    /// Reads a block as the API writes it. A `text` or `tool_use` block whose own fields are not as documented is kept
    /// whole as [`Block::Other`], so that nothing a model sent is lost.
    pub fn from_json(mut fields: Fields) -> Self {
        let text = |fields: &Fields, key: &str| fields.get(key).and_then(Json::as_str).map(str::to_string);
        match text(&fields, "type").as_deref() {
            Some("text") => {
                if let Some(text) = text(&fields, "text") {
                    fields.retain(|key, _| key != "type" && key != "text");
                    return Self::Text { text, extra: fields };
                }
            }
            Some("tool_use") => {
                if let (Some(id), Some(name)) = (text(&fields, "id"), text(&fields, "name")) {
                    let input = fields.get("input").cloned().unwrap_or_else(|| Json::Object(Fields::new()));
                    fields.retain(|key, _| !matches!(key.as_str(), "type" | "id" | "name" | "input"));
                    return Self::ToolUse(ToolCall { id, name, input, extra: fields });
                }
            }
            Some("tool_result") if fields.len() == 3 => {
                if let (Some(tool_use_id), Some(content)) = (text(&fields, "tool_use_id"), text(&fields, "content")) {
                    return Self::ToolResult { tool_use_id, content };
                }
            }
            _ => {}
        }
        Self::Other(fields)
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer).map(Self::from_json)
    }
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolSpec {
    /// The name that calls use.
    pub name: String,
    /// What it does, in the lesson's words.
    pub description: String,
    /// A JSON Schema. The model is told of it; the program does not check it.
    pub input_schema: Json,
}

record!(ToolSpec { name, description, input_schema });

/// A model's whole answer to one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The blocks, complete and in order.
    pub blocks: Vec<Block>,
    /// Why the model stopped, as it says; the lesson s05 never reads it.
    pub stop_reason: Option<String>,
    /// What it cost, where the endpoint tells.
    pub usage: Usage,
}

/// Tokens, where an endpoint tells them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones not included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Tokens read from the endpoint's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_input_tokens: Option<u64>,
    /// Tokens written to the endpoint's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_creation_input_tokens: Option<u64>,
}

impl Usage {
    /// Takes over what `later` tells. The numbers of a stream are cumulative, so they replace and never add.
    pub fn overwrite(&mut self, later: Usage) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_read_input_tokens = later.cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.cache_creation_input_tokens = later.cache_creation_input_tokens.or(self.cache_creation_input_tokens);
    }
}
