//! A scenario: prompts, files and the replies of the scripted model, as data in `scenario/`.
//!
//! The scripted model is a function of the request alone: it finds its place by counting the replies since the prompt
//! and looks at what a model would see. So going back, retrying and changing a rule need nothing special.
//!
//! The page has the names of all scenarios in it, and the first one; the others are files beside it, loaded when chosen.

use crate::data::{self, FromJson, Record, record};
use crate::language::{Bilingual, Language};
use crate::lesson::rules::Changes;
use crate::message::{Block, Fields, Json, Message, Reply, Role, ToolCall, ToolSpec, Usage};
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
pub enum ScriptedCall {
    /// Of a tool by its name.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments.
        input: Json,
    },
    /// Of the plan tool, whatever the lesson calls it and its arguments: a list of `{content, status, activeForm}`, or
    /// anything else in place of that list. Not made where no plan tool is offered.
    Plan(Json),
}

impl FromJson for ScriptedCall {
    /// `{"name": …, "input": …}` or `{"plan": …}`.
    fn from_json(json: Json) -> Result<Self, String> {
        let mut call = Record::open(json)?;
        let value = match call.take("plan")? {
            Some(plan) => Self::Plan(plan),
            None => Self::Tool { name: call.take("name")?, input: call.take("input")? },
        };
        call.close()?;
        Ok(value)
    }
}

/// A condition on what the model sees. All that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// Whether a reminder came with the last message, or stands in the system prompt.
    pub reminded: Option<bool>,
    /// Whether a result in the last message begins with `Error:`.
    pub error: Option<bool>,
    /// Whether a result in the last message says that a command or a path is not allowed.
    pub denied: Option<bool>,
    /// A text that no result in the last message contains: a command did not write what the script goes on from.
    pub lacks: Option<String>,
    /// A tool that the request must offer.
    pub tool: Option<String>,
    /// A tool that it must not offer.
    pub without: Option<String>,
    /// Whether the request offers a plan tool.
    pub plan: Option<bool>,
    /// Whether no result came with the last message: a Stop hook sent the answer before it back. Without such a reply
    /// next, an answer without a call ends the turn.
    pub sent_back: Option<bool>,
}

record!(When { reminded, error, denied, lacks, tool, without, plan, sent_back });

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
            Some((Some(reply), _)) => {
                (reply.text.as_ref().map(|text| text.get(language)), made(reply, language, request))
            }
            Some((None, _)) => (Some(script_ends(language)), Vec::new()),
            None => (Some(OFF_SCRIPT), Vec::new()),
        };
        let stop_reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
        let mut blocks: Vec<Block> = text.map(Block::text).into_iter().collect();
        blocks.extend(calls.into_iter().enumerate().map(|(i, (name, input))| {
            let id = format!("toolu_{:02}{}", number + 1, (b'a' + (i % 26) as u8) as char);
            Block::ToolUse(ToolCall { id, name, input, extra: Fields::new() })
        }));
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
        // What the user's side said before a message.
        let heard = |end: usize| {
            let said = messages[at..end].iter().rev().take_while(|message| message.role == Role::User);
            said.flat_map(|message| message.blocks()).collect::<Vec<_>>()
        };
        // Walk the script along the replies that were given, each chosen by what was said before it.
        let (mut next, mut given) = (0, 0);
        for (end, message) in messages.iter().enumerate().skip(at) {
            if message.role != Role::Assistant {
                continue;
            }
            let calls: Vec<(&str, &Json)> = message
                .blocks()
                .iter()
                .filter_map(|block| match block {
                    Block::ToolUse(call) => Some((call.name.as_str(), &call.input)),
                    _ => None,
                })
                .collect();
            // A reminder in the system prompt is gone by now; that it was there is known by the reply to it.
            let answers_it = |reply: &ScriptedReply| {
                let made = made(reply, language, request);
                made.iter().map(|(name, input)| (name.as_str(), input)).eq(calls.iter().copied())
            };
            (_, next, given) = choose(turn, next, given, &heard(end), request, answers_it);
            // An answer without a call ended the turn, whatever the script has left, unless it is made to be sent back.
            let goes_on = turn.replies.get(next).is_some_and(|reply| reply.when.sent_back == Some(true));
            if calls.is_empty() && !goes_on {
                return Some((None, language));
            }
        }
        let in_system = request.system.as_deref().is_some_and(|system| system.contains(REMINDER));
        let (reply, _, _) = choose(turn, next, given, &heard(messages.len()), request, |_| in_system);
        Some((reply, language))
    }
}

/// The reply at a place of the script, given what was said last; then the place after it, and how often the reply there
/// was given already. `reminded` says where else than there a reply sees a reminder.
fn choose<'a>(
    turn: &'a ScriptedTurn,
    next: usize,
    given: u32,
    heard: &[&Block],
    request: &ModelRequest,
    reminded: impl Fn(&ScriptedReply) -> bool,
) -> (Option<&'a ScriptedReply>, usize, u32) {
    let mut left = turn.replies.iter().enumerate().skip(next);
    match left.find(|(_, reply)| reply.when.holds(heard, request, || reminded(reply))) {
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

/// How a reminder is known, wherever it stands.
const REMINDER: &str = "<reminder>";

/// How a result begins that says that something is not allowed.
const DENIALS: [&str; 2] = ["Permission denied", "Error: Dangerous command"];

impl When {
    fn holds(&self, heard: &[&Block], request: &ModelRequest, reminded: impl Fn() -> bool) -> bool {
        let any = |holds: &dyn Fn(&str) -> bool| {
            heard.iter().any(|block| matches!(block, Block::ToolResult { content, .. } if holds(content)))
        };
        let result = |starts: &[&str]| any(&|content| starts.iter().any(|start| content.starts_with(start)));
        let carries = |block: &&Block| match block {
            Block::Text { text, .. } => text.contains(REMINDER),
            Block::ToolResult { content, .. } => content.contains(REMINDER),
            Block::ToolUse(_) | Block::Other(_) => false,
        };
        let offers = |name: &String| request.tools.iter().any(|tool| tool.name == *name);
        self.reminded.is_none_or(|wanted| wanted == (heard.iter().any(carries) || reminded()))
            && self.error.is_none_or(|wanted| wanted == result(&["Error:"]))
            && self.denied.is_none_or(|wanted| wanted == result(&DENIALS))
            && self.lacks.as_ref().is_none_or(|text| !any(&|content| content.contains(text)))
            && self.tool.as_ref().is_none_or(offers)
            && !self.without.as_ref().is_some_and(offers)
            && self.plan.is_none_or(|wanted| wanted == plan_tool(&request.tools).is_some())
            && self.sent_back.is_none_or(|wanted| wanted != any(&|_| true))
    }
}

/// The calls of a reply, each by its tool and its input.
fn made(reply: &ScriptedReply, language: Language, request: &ModelRequest) -> Vec<(String, Json)> {
    let calls = reply.calls.iter().filter_map(|call| match call {
        ScriptedCall::Tool { name, input } => Some((name.clone(), localized(input, language))),
        ScriptedCall::Plan(plan) => plan_call(&localized(plan, language), &request.tools),
    });
    calls.collect()
}

/// The plan tool, its argument and the fields of an item, as a model finds them: it takes a list of what has a status.
fn plan_tool(tools: &[ToolSpec]) -> Option<(&str, &str, &Fields)> {
    tools.iter().find_map(|tool| {
        tool.input_schema["properties"].as_object()?.iter().find_map(|(argument, list)| {
            let fields = list["items"]["properties"].as_object()?;
            fields.contains_key("status").then_some((tool.name.as_str(), argument.as_str(), fields))
        })
    })
}

/// A plan as the request's plan tool takes it. Items are numbered where they have an id.
fn plan_call(plan: &Json, tools: &[ToolSpec]) -> Option<(String, Json)> {
    let (tool, argument, fields) = plan_tool(tools)?;
    let item = |(i, item): (usize, &Json)| -> Json {
        let values = fields.keys().filter_map(|field| {
            let value = match field.as_str() {
                "id" => Some(Json::from((i + 1).to_string())),
                "status" | "activeForm" => item.get(field).cloned(),
                _ => item.get("content").cloned(),
            };
            Some((field.clone(), value?))
        });
        Json::Object(values.collect())
    };
    let list = match plan {
        Json::Array(items) => items.iter().enumerate().map(item).collect(),
        other => other.clone(),
    };
    Some((tool.to_string(), Json::Object(Fields::from_iter([(argument.to_string(), list)]))))
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
