//! A scenario: prompts, files and the replies of the scripted model, as data in `scenario/`.
//!
//! The scripted model is a function of the request alone: it finds its place by counting the replies since the prompt
//! and looks at what a model would see. So going back, retrying and changing a rule need nothing special.
//!
//! The page has the names of all scenarios in it, and the first one; the others are files beside it, loaded when chosen.

use crate::data::{self, FromJson, Record, record};
use crate::language::{Bilingual, Language};
use crate::lesson::rules::Changes;
use crate::message::{Block, Fields, Json, Message, Reply, Role, ToolCall, Usage};
use crate::vfs::{AbsPath, Vfs};
use crate::wire::ModelRequest;
use std::rc::Rc;

/// A scenario by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its file's name, without `.json`.
    pub id: String,
    /// Its name for readers.
    pub title: Bilingual,
}

record!(Listed { id, title });

/// A task with its files, and what the scripted model does about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Its name in links and logs, and its file's.
    pub id: String,
    /// What there is to see, in a sentence.
    pub summary: Bilingual,
    /// The lesson that it is about; any, where there is none.
    pub lesson: Option<String>,
    /// What it changes in the lesson's rules.
    pub rules: Option<Changes>,
    /// Whether the scripted model refuses what the real API would.
    pub strict: Option<bool>,
    /// The files that it starts with.
    pub files: Vec<ScenarioFile>,
    /// The prompts, each with the replies that follow it.
    pub turns: Vec<ScriptedTurn>,
}

record!(Scenario { id, summary, lesson, rules, strict, files, turns });

/// A file that a scenario starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioFile {
    /// Its path below the working directory.
    pub path: String,
    /// What it holds.
    pub text: String,
}

record!(ScenarioFile { path, text });

/// A prompt and the replies to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptedTurn {
    /// The prompt. The scripted model answers in the language in which it is asked.
    pub prompt: Bilingual,
    /// The replies, in order; one whose condition does not hold is passed over.
    pub replies: Vec<ScriptedReply>,
}

record!(ScriptedTurn { prompt, replies });

/// One reply of the scripted model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptedReply {
    /// When to give it; always, where there is none.
    pub when: When,
    /// Its text.
    pub text: Option<Bilingual>,
    /// Its calls. In an input, `{"en": …, "zh": …}` stands for the text in the prompt's language.
    pub calls: Vec<ScriptedCall>,
    /// How often to give it in a row; once, where there is none.
    pub repeat: Option<u32>,
}

impl FromJson for ScriptedReply {
    /// Everything may be left out, as most replies need little.
    fn from_json(json: Json) -> Result<Self, String> {
        let mut reply = Record::open(json)?;
        let (when, calls): (Option<When>, Option<Vec<ScriptedCall>>) = (reply.take("when")?, reply.take("calls")?);
        let (text, repeat) = (reply.take("text")?, reply.take("repeat")?);
        reply.close()?;
        Ok(Self { when: when.unwrap_or_default(), text, calls: calls.unwrap_or_default(), repeat })
    }
}

/// A call of the scripted model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptedCall {
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub input: Json,
}

record!(ScriptedCall { name, input });

/// A condition on what the model sees. All that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// Whether the last message carries a reminder.
    pub reminded: Option<bool>,
    /// Whether a result in the last message begins with `Error:`.
    pub error: Option<bool>,
    /// Whether a result in the last message begins with `Permission denied`.
    pub denied: Option<bool>,
    /// A text that no result in the last message contains: a command did not write what the script goes on from.
    pub lacks: Option<String>,
    /// A tool that the request must offer.
    pub tool: Option<String>,
}

record!(When { reminded, error, denied, lacks, tool });

impl Scenario {
    /// The names of all, the first visit's first. `Err` says what is wrong with the list; a test reads it.
    pub fn list() -> Result<Vec<Listed>, String> {
        data::read(include_str!("scenario/list.json"))
    }

    /// The first visit's scenario. `Err` says what is wrong with its file; a test reads it.
    pub fn first() -> Result<Self, String> {
        Self::read(include_str!("scenario/forgetful.json"))
    }

    /// A scenario's file. `Err` says what is wrong with it, and where.
    pub fn read(file: &str) -> Result<Self, String> {
        data::read(file)
    }

    /// The files, below a working directory.
    pub fn vfs(&self, workdir: &AbsPath) -> Vfs {
        let mut vfs = Vfs::new();
        vfs.make_dirs(workdir).ok();
        for ScenarioFile { path, text } in &self.files {
            let path = workdir.join(path);
            if let Some(parent) = path.parent() {
                vfs.make_dirs(&parent).ok();
            }
            vfs.write(&path, text.as_bytes()).ok();
        }
        vfs
    }

    /// The prompt that comes next after `asked` prompts, if there is one.
    pub fn prompt(&self, asked: usize) -> Option<&Bilingual> {
        self.turns.get(asked).map(|turn| &turn.prompt)
    }

    /// What the scripted model answers.
    pub fn reply(&self, request: &ModelRequest) -> Reply {
        let number = request.messages.iter().filter(|message| message.role == Role::Assistant).count();
        let scripted = self.find(request);
        let language = scripted.as_ref().map_or(Language::En, |(_, language)| *language);
        let (text, calls) = match &scripted {
            Some((Some(reply), _)) => (reply.text.as_ref().map(|text| text.get(language)), &*reply.calls),
            Some((None, _)) => (Some(script_ends(language)), &[][..]),
            None => (Some(OFF_SCRIPT), &[][..]),
        };
        let mut blocks: Vec<Block> = text.map(Block::text).into_iter().collect();
        blocks.extend(calls.iter().enumerate().map(|(i, call)| {
            Block::ToolUse(ToolCall {
                id: format!("toolu_{:02}{}", number + 1, (b'a' + (i % 26) as u8) as char),
                name: call.name.clone(),
                input: localized(&call.input, language),
                extra: Fields::new(),
            })
        }));
        let stop_reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
        Reply { blocks, stop_reason: Some(stop_reason.into()), usage: Usage::default() }
    }

    /// The reply for the request's place in the script. The outer `None` says that the prompt is none of the
    /// scenario's, the inner one that the script is over.
    fn find(&self, request: &ModelRequest) -> Option<(Option<&ScriptedReply>, Language)> {
        let messages: Vec<&Rc<Message>> = request.messages.iter().collect();
        let (at, turn, language) = messages.iter().enumerate().rev().find_map(|(at, message)| {
            let text = message.first_text().filter(|_| message.role == Role::User)?;
            let asks = |language| {
                self.turns.iter().find(|turn| turn.prompt.get(language) == text).map(|turn| (at, turn, language))
            };
            asks(Language::En).or_else(|| asks(Language::Zh))
        })?;
        // Walk the script along the replies that were given, each chosen by the message before it.
        let (mut next, mut given) = (0, 0);
        for (before, message) in messages[at..].iter().zip(&messages[at + 1..]) {
            if message.role == Role::Assistant {
                // An answer without a call ended the turn, whatever the script has left.
                if !message.blocks().iter().any(|block| matches!(block, Block::ToolUse(_))) {
                    return Some((None, language));
                }
                (_, next, given) = choose(turn, next, given, before, request);
            }
        }
        let (reply, _, _) = choose(turn, next, given, messages.last()?, request);
        Some((reply, language))
    }
}

/// The reply at a place of the script, given what the last message says; then the place after it, and how often the
/// reply there was given already.
fn choose<'a>(
    turn: &'a ScriptedTurn,
    next: usize,
    given: u32,
    last: &Message,
    request: &ModelRequest,
) -> (Option<&'a ScriptedReply>, usize, u32) {
    let found = turn.replies.iter().enumerate().skip(next).find(|(_, reply)| reply.when.holds(last, request));
    match found {
        Some((place, reply)) => {
            let given = if place == next { given + 1 } else { 1 };
            match given < reply.repeat.unwrap_or(1) {
                true => (Some(reply), place, given),
                false => (Some(reply), place + 1, 0),
            }
        }
        None => (None, turn.replies.len(), 0),
    }
}

impl When {
    fn holds(&self, last: &Message, request: &ModelRequest) -> bool {
        let any = |holds: &dyn Fn(&str) -> bool| {
            last.blocks().iter().any(|block| matches!(block, Block::ToolResult { content, .. } if holds(content)))
        };
        let result = |start: &str| any(&|content| content.starts_with(start));
        let reminded = || {
            last.blocks().iter().any(|block| matches!(block, Block::Text { text, .. } if text.contains("<reminder>")))
        };
        self.reminded.is_none_or(|wanted| wanted == reminded())
            && self.error.is_none_or(|wanted| wanted == result("Error:"))
            && self.denied.is_none_or(|wanted| wanted == result("Permission denied"))
            && self.lacks.as_ref().is_none_or(|text| !any(&|content| content.contains(text)))
            && self.tool.as_ref().is_none_or(|name| request.tools.iter().any(|tool| tool.name == *name))
    }
}

/// What the scripted model says to a prompt that its scenario does not have. It cannot know the asker's language.
const OFF_SCRIPT: &str = "(scripted model) I only know this scenario's own prompts. Put the prompt back, or choose a real model under Settings.\n（脚本模型）我只认识本场景自带的提示词。请换回原来的提示词，或在“设置”里选择真实模型。";

/// What it says when it is asked on behind the script's end.
fn script_ends(language: Language) -> &'static str {
    match language {
        Language::En => {
            "(scripted model) My script ends here. Send the scenario's prompt again, or choose a real model under Settings."
        }
        Language::Zh => "（脚本模型）脚本到此结束。请再次发送本场景的提示词，或在“设置”里选择真实模型。",
    }
}

/// A call's input with every `{"en": …, "zh": …}` replaced by its text in one language.
fn localized(input: &Json, language: Language) -> Json {
    match input {
        Json::Object(fields) if fields.len() == 2 && fields.contains_key("en") && fields.contains_key("zh") => fields
            [match language {
                Language::En => "en",
                Language::Zh => "zh",
            }]
        .clone(),
        Json::Object(fields) => {
            Json::Object(fields.iter().map(|(key, value)| (key.clone(), localized(value, language))).collect())
        }
        Json::Array(items) => items.iter().map(|item| localized(item, language)).collect(),
        other => other.clone(),
    }
}
