//! What the tests of the core share: a run that is played by hand, words for what a model answers, and the rule that
//! every history keeps.
#![allow(dead_code)] // No test needs all of it.

pub(crate) mod random;
pub(crate) mod script;
pub(crate) mod shell;

use playground::agent::{CallKey, Effect, Event, Phase, RequestId, Session, Step};
use playground::lesson::Lesson;
use playground::message::{Block, Content, Fields, Json, Message, Reply, Role, ToolCall, Usage};
use playground::scenario::Scenario;
use playground::timeline::Timeline;
use playground::tools::{self, Started, ToolRun};
use playground::vfs::{AbsPath, Vfs};
use playground::wire::answer::{Answer, Head};
use playground::wire::{Address, ModelEvent, ModelRequest, anthropic};
use playground::workspace::Workspace;
use serde_json::json;
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) fn lesson(id: &str) -> Lesson {
    let lessons = Lesson::all().expect("every lesson can be read");
    lessons.into_iter().find(|lesson| lesson.id == id).expect("a lesson of this name")
}

/// A scenario, from its file.
pub(crate) fn scenario(id: &str) -> Scenario {
    let file = format!("{}/src/scenario/{id}.json", env!("CARGO_MANIFEST_DIR"));
    Scenario::read(&std::fs::read_to_string(file).expect("a scenario of this name")).expect("a scenario can be read")
}

pub(crate) fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).expect("an absolute path")
}

pub(crate) fn workdir() -> AbsPath {
    path("/workspace")
}

/// The files, by their paths as seen from a directory, which exists in any case.
pub(crate) fn tree<'a>(dir: &AbsPath, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vfs {
    let mut vfs = Vfs::new();
    vfs.make_dirs(dir).expect("a fresh tree");
    for (name, bytes) in files {
        let file = dir.join(name);
        vfs.make_dirs(&file.parent().expect("a file is not the root")).expect("a place for the file");
        vfs.write(&file, bytes).expect("a file");
    }
    vfs
}

/// A session before its first prompt, with `a.txt` to read.
pub(crate) fn session(lesson: Lesson) -> Session {
    let vfs = tree(&workdir(), [("a.txt", b"alpha\n".as_slice())]);
    Session::new(Rc::new(lesson), workdir(), Workspace { vfs, ..Workspace::default() })
}

/// An answer to a request, as an endpoint streams it and the wire reads it.
pub(crate) fn streamed(reply: &Reply) -> Vec<ModelEvent> {
    let head = Head { status: 200, content_type: "text/event-stream".into(), ..Head::default() };
    let mut answer = Answer::new(head);
    let bytes = anthropic::frames(reply, "msg_1", "scripted", 7).concat();
    let mut events = answer.push(bytes.as_bytes());
    events.extend(answer.finish());
    events
}

pub(crate) fn reply(blocks: Vec<Block>, stop_reason: &str) -> Reply {
    Reply { blocks, stop_reason: Some(stop_reason.into()), usage: Usage::default() }
}

pub(crate) fn call(id: &str, name: &str, input: Json) -> Block {
    Block::ToolUse(ToolCall { id: id.into(), name: name.into(), input, extra: Fields::new() })
}

/// Where a live endpoint is.
pub(crate) fn address() -> Address {
    Address {
        url: "https://api.example/v1/messages".into(),
        headers: vec![("x-api-key".into(), None), ("content-type".into(), Some("application/json".into()))],
    }
}

/// The reader chose a model, and no request was held back.
pub(crate) fn chosen(model: &str, max_tokens: Option<u32>) -> Event {
    Event::ModelChosen { model: model.into(), max_tokens, address: None, held: false }
}

/// Plan items, each as `"status content"`.
pub(crate) fn todos(items: &[&str]) -> Json {
    let items = items.iter().map(|item| item.split_once(' ').expect("a status and a content"));
    json!({"todos": items.map(|(status, content)| json!({"content": content, "status": status})).collect::<Vec<_>>()})
}

/// Runs a call to its end.
pub(crate) fn run_call(session: &Session, call: &ToolCall) -> ToolRun {
    let toolbox = session.lesson.toolbox();
    match tools::start(toolbox, &session.workdir, &session.workspace, call) {
        Started::Finished(run) => run,
        Started::Command(job) => tools::finish(toolbox, shell::run_once(&job)),
    }
}

/// A run whose effects a test performs by hand.
pub(crate) struct Play {
    pub(crate) timeline: Timeline,
    /// Every request that was made.
    pub(crate) requests: Vec<ModelRequest>,
    /// The requests that were given up.
    pub(crate) aborted: Vec<RequestId>,
    tools: VecDeque<(CallKey, Rc<ToolCall>)>,
}

impl Play {
    pub(crate) fn new(session: Session) -> Self {
        Self { timeline: Timeline::new(session), requests: Vec::new(), aborted: Vec::new(), tools: VecDeque::new() }
    }

    /// A run of a lesson in which the first prompt was sent.
    pub(crate) fn begun(lesson: Lesson) -> Self {
        let mut play = Self::new(session(lesson));
        play.prompt("Go");
        play
    }

    pub(crate) fn session(&self) -> &Session {
        self.timeline.live()
    }

    pub(crate) fn event(&mut self, event: Event) {
        let at = self.timeline.log().len() as f64;
        for effect in self.timeline.record(at, event) {
            match effect {
                Effect::CallModel { .. } => self.requests.push(self.session().request()),
                Effect::RunTool { key, call } => self.tools.push_back((key, call)),
                Effect::AbortModel { request } => self.aborted.push(request),
            }
        }
    }

    pub(crate) fn prompt(&mut self, text: &str) {
        self.event(Event::PromptSubmitted { text: text.into() });
    }

    /// The model answers; calls wait to be run.
    pub(crate) fn hears(&mut self, reply: &Reply) {
        self.emits(streamed(reply));
    }

    pub(crate) fn emits(&mut self, events: Vec<ModelEvent>) {
        self.event(Event::ModelEmitted { request: self.session().last_request, events });
    }

    /// Runs the next call, if one waits.
    pub(crate) fn run_tool(&mut self) -> bool {
        let Some((key, call)) = self.tools.pop_front() else { return false };
        let session = self.session();
        let run = run_call(session, &call);
        self.event(Event::ToolFinished { call: key, run });
        true
    }

    pub(crate) fn run_tools(&mut self) {
        while self.run_tool() {}
    }

    /// The model answers with text alone.
    pub(crate) fn says(&mut self, text: &str) {
        self.hears(&reply(vec![Block::text(text)], "end_turn"));
    }

    /// The model answers with calls, which are run until a question is asked or the next request is made.
    pub(crate) fn calls(&mut self, calls: &[(&str, Json)]) {
        let request = self.session().last_request;
        let block = |(i, (name, input)): (usize, &(&str, Json))| call(&format!("{request}.{i}"), name, input.clone());
        self.hears(&reply(calls.iter().enumerate().map(block).collect(), "tool_use"));
        self.run_tools();
    }

    /// A round without a plan call.
    pub(crate) fn idles(&mut self) {
        self.calls(&[("read_file", json!({"path": "a.txt"}))]);
    }

    /// A round with a plan call.
    pub(crate) fn plans(&mut self, items: &[&str]) {
        self.calls(&[("todo_write", todos(items))]);
    }

    /// The reader answers the question that is open.
    pub(crate) fn answers(&mut self, allowed: bool) {
        let Phase::AwaitingPermission { round, .. } = &self.session().phase else { panic!("nothing is asked") };
        let call = round.key();
        self.event(Event::PermissionAnswered { call, allowed });
        self.run_tools();
    }

    pub(crate) fn cancel(&mut self) {
        self.tools.clear();
        self.event(Event::Cancelled);
    }

    /// What the last message says: its text, or the results and texts that it holds.
    pub(crate) fn last_message(&self) -> Vec<String> {
        said(self.session().transcript.last().expect("a message"))
    }

    /// The items of the plan that stands, each as `"status content"`.
    pub(crate) fn plan(&self) -> Vec<String> {
        let items = self.session().workspace.plan.items.iter();
        items.map(|item| format!("{} {}", item.status.word(), item.content)).collect()
    }

    pub(crate) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.timeline.stops().iter().map(|stop| &stop.step)
    }

    /// What the hooks printed.
    pub(crate) fn printed(&self) -> Vec<String> {
        let printed = |step: &Step| match step {
            Step::HookRan { printed: Some(line), .. } => Some(line.to_string()),
            _ => None,
        };
        self.steps().filter_map(printed).collect()
    }
}

/// What a message says, part by part.
pub(crate) fn said(message: &Message) -> Vec<String> {
    match &message.content {
        Content::Text(text) => vec![text.clone()],
        Content::Blocks(blocks) => blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text { text, .. } => Some(text.clone()),
                Block::ToolResult { content, .. } => Some(content.clone()),
                Block::ToolUse(_) | Block::Other(_) => None,
            })
            .collect(),
    }
}

/// The rule of the Messages API: it begins with the user, and each call of a reply is answered once, in the user's
/// message right after it, and nothing else is. `Err` is the place of the message that breaks it, and how.
pub(crate) fn check_history<'a>(messages: impl IntoIterator<Item = &'a Rc<Message>>) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for (place, message) in messages.into_iter().enumerate() {
        let wrong = |what: &str| Err(format!("message {place}: {what}"));
        if place == 0 && message.role != Role::User {
            return wrong("the first is not the user's");
        }
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for block in message.blocks() {
            match block {
                Block::ToolUse(call) => calls.push(call.id.as_str()),
                Block::ToolResult { tool_use_id, .. } => results.push(tool_use_id.as_str()),
                Block::Text { .. } | Block::Other(_) => {}
            }
        }
        match message.role {
            Role::Assistant if !open.is_empty() => return wrong("a reply where results are due"),
            Role::Assistant if !results.is_empty() => return wrong("a reply with results"),
            Role::User if !calls.is_empty() => return wrong("the user calls a tool"),
            Role::User if results != open => return wrong(&format!("calls {open:?} answered with {results:?}")),
            Role::Assistant | Role::User => {}
        }
        open = calls;
    }
    if open.is_empty() { Ok(()) } else { Err(format!("the last message leaves {open:?} open")) }
}

/// The history of a session that waits, or what came before the reply whose calls are being run.
pub(crate) fn check_session(session: &Session) -> Result<(), String> {
    let running = matches!(session.phase, Phase::RunningTools(_) | Phase::AwaitingPermission { .. });
    check_history(session.transcript.iter().take(session.transcript.len() - usize::from(running)))
}
