//! The lessons against recordings of the real programs: the same prompts, answers and model replies must lead to the
//! same requests, the same files, the same output on the terminal and the same end.
//!
//! Run with `REFERENCE_TRACES=FOLDER` it reads the recordings there: `NAME.request.json`, what every request carries
//! besides its messages, beside `NAME/SCENARIO.json`. Without it, it reads the project's own copy, `reference/NAME.jsonl`:
//! the request in the first line, then a recording a line, with defaults left out, `{LINES}` for 600 lines of 99 x,
//! `{CUT}` for its first 50,000 characters, and `{A}` and `{B}` for 50,000 times that letter.
//! `reference/variants.json` says which lesson a NAME is, and where the recorded program differs from it (JSON pointers
//! and values; tools whose lines came in the order of the disk). `reference/hooks.json` has the hooks that recordings add.

mod support;

use playground::agent::{Event, Phase};
use playground::console::console;
use playground::data::FromJson;
use playground::fault::Fault;
use playground::lesson::rules::Changes;
use playground::lesson::{Hook, Lesson};
use playground::message::{Block, Fields, Json, Reply, Usage};
use playground::python;
use playground::vfs::{AbsPath, Node, Vfs};
use playground::wire::answer::{Answer, Head};
use playground::wire::anthropic::Encoder;
use playground::workspace::Workspace;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use support::Play;

const WORKDIR: &str = "/recording/proj";
const PARENT: &str = "/recording";
const MODEL: &str = "mock-model";

fn main() -> ExitCode {
    let variants: BTreeMap<String, Variant> = parse(include_str!("reference/variants.json"));
    let (mut equal, mut compared, mut unexpected) = (0, 0, 0);
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    for Recorded { name, request, recordings } in recorded() {
        let variant = variants.get(&name);
        for recording in &recordings {
            let title = format!("{name}/{}", recording.scenario);
            let reason = match variant {
                None => {
                    unexpected += 1;
                    Some(format!("tests/reference/variants.json does not say what {name} is"))
                }
                Some(Variant { missing: Some(reason), .. }) => Some(reason.clone()),
                Some(_) => None,
            };
            if let Some(reason) = reason {
                *skipped.entry(format!("{name}: {reason}")).or_default() += 1;
            } else if let Some(variant) = variant {
                compared += 1;
                match compare(variant, &request, recording) {
                    Ok(()) => equal += 1,
                    Err(difference) => println!("{title}: {difference}\n"),
                }
            }
        }
    }
    for (reason, count) in &skipped {
        println!("{count} skipped, {reason}");
    }
    println!("{equal} of {compared} equal");
    if equal == compared && compared > 0 && unexpected == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

// --- What was recorded ----------------------------------------------------------------------------------------------

/// The recordings of one program.
struct Recorded {
    name: String,
    request: Json,
    recordings: Vec<Recording>,
}

#[derive(Deserialize)]
struct Recording {
    scenario: String,
    /// Prompts and permission answers, in order; then the input ends.
    stdin_lines: Vec<String>,
    custom_hook: Option<String>,
    initial_files: BTreeMap<String, FileText>,
    model_responses: Vec<Json>,
    /// For each request, its messages beyond those of the request before it.
    appended: Vec<Json>,
    /// As they were at first, where there are none.
    final_files: Option<BTreeMap<String, FileText>>,
    terminal_output: String,
    #[serde(default)]
    exit_code: i32,
    #[serde(default)]
    stderr_last_line: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FileText {
    Text(String),
    Hex { hex: String },
}

/// Which lesson a recorded program is, and how it differs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    #[serde(default)]
    lesson: String,
    #[serde(default)]
    patch: Changes,
    #[serde(default)]
    unordered: Vec<String>,
    /// Why there is no lesson.
    missing: Option<String>,
}

#[derive(Deserialize)]
struct CustomHook {
    #[serde(default)]
    first: bool,
    point: Json,
    rule: Json,
}

fn recorded() -> Vec<Recorded> {
    match std::env::var_os("REFERENCE_TRACES") {
        Some(folder) => from_folder(&located(Path::new(&folder))),
        None => ["s05", "s05_late", "s04", "s03_177", "s03_279"].into_iter().map(from_copy).collect(),
    }
}

/// A relative path may also be meant from where the reader's shell stands, which cargo leaves.
fn located(folder: &Path) -> PathBuf {
    match std::env::var_os("PWD") {
        Some(shell) if !folder.is_dir() => Path::new(&shell).join(folder),
        _ => folder.to_path_buf(),
    }
}

fn from_folder(folder: &Path) -> Vec<Recorded> {
    let requests = files(folder).into_iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.strip_suffix(".request.json")?.to_string();
        Some((name, file))
    });
    requests
        .map(|(name, file)| Recorded {
            request: parse(&read(&file)),
            recordings: files(&folder.join(&name)).iter().map(|file| parse(&read(file))).collect(),
            name,
        })
        .collect()
}

fn from_copy(name: &str) -> Recorded {
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/reference/{name}.jsonl")));
    let lines = vec!["x".repeat(99); 600].join("\\n");
    let cut = format!("{}\\n", vec!["x".repeat(99); 500].join("\\n"));
    let long = [("{LINES}", lines), ("{CUT}", cut), ("{A}", "a".repeat(50_000)), ("{B}", "b".repeat(50_000))];
    let unfolded = |line: &str| long.iter().fold(line.to_string(), |line, (short, text)| line.replace(short, text));
    let mut lines = text.lines().map(unfolded);
    let request = parse(&lines.next().expect("the request's line"));
    Recorded { name: name.to_string(), request, recordings: lines.map(|line| parse(&line)).collect() }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn parse<T: for<'de> Deserialize<'de>>(text: &str) -> T {
    let text = text.replace("{WORKDIR_PARENT}", PARENT).replace("{WORKDIR}", WORKDIR);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error} in {}", text.chars().take(200).collect::<String>()))
}

impl FileText {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Hex { hex } => (0..hex.len() / 2)
                .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hexadecimal digits"))
                .collect(),
        }
    }
}

// --- The program, run again -----------------------------------------------------------------------------------------

/// How a run ended.
enum End {
    /// The input ended, or a line asked to leave.
    Left,
    /// An exception that nothing catches: its last line, where that is not on the terminal.
    Crashed(Option<String>),
}

/// The lesson as it was recorded.
fn lesson(variant: &Variant, recording: &Recording) -> Result<Lesson, String> {
    let lesson = support::lesson(&variant.lesson);
    let mut lesson = variant.patch.apply(&lesson).expect("a patched lesson is one");
    if let Some(name) = &recording.custom_hook {
        let mut hooks: HashMap<String, CustomHook> = parse(include_str!("reference/hooks.json"));
        let custom = hooks.remove(name).ok_or(format!("tests/reference/hooks.json has no {name}"))?;
        let hook = json!({"name": name, "point": custom.point, "rule": custom.rule});
        let hook: Hook = Hook::from_json(hook).expect("a hook");
        let place = if custom.first { 0 } else { lesson.hooks.len() };
        lesson.hooks.insert(place, hook);
        // What registers the hook then runs the program's loop with a prompt of its own.
        lesson.console.banner.clear();
        lesson.console.prompt = "custom >> ".into();
    }
    Ok(lesson)
}

/// The working directory with its files, and what stands beside it.
fn files_at_first(recording: &Recording) -> Vfs {
    let workdir = support::path(WORKDIR);
    let files: Vec<_> = recording.initial_files.iter().map(|(name, text)| (name.as_str(), text.bytes())).collect();
    let mut vfs = support::tree(&workdir, files.iter().map(|(name, bytes)| (*name, bytes.as_slice())));
    let parent = support::path(PARENT);
    vfs.write(&parent.join("outside.txt"), *b"outside content\n").expect("a file beside the working directory");
    for name in ["in", "out", "err"] {
        vfs.make_dir(&parent.join(name)).expect("a folder beside the working directory");
    }
    vfs
}

/// Plays the program's main loop: it reads lines and answers requests until the program ends.
fn run(play: &mut Play, recording: &Recording) -> Result<End, String> {
    let mut lines: VecDeque<&str> = recording.stdin_lines.iter().map(String::as_str).collect();
    let mut responses = recording.model_responses.iter();
    let mut retries = 2;
    loop {
        match &play.session().phase {
            Phase::Idle => match lines.pop_front() {
                Some(line) if !["q", "exit", ""].contains(&word(line).as_str()) => play.prompt(line),
                _ => return Ok(End::Left),
            },
            Phase::AwaitingModel { request, .. } => {
                let request = *request;
                let response = responses.next().ok_or(format!("request {request} was never made"))?;
                answer(play, request, response);
            }
            Phase::RunningTools(_) => assert!(play.run_tool(), "a call waits"),
            Phase::AwaitingPermission { .. } => match lines.pop_front() {
                Some(line) => play.answers(["y", "yes"].contains(&word(line).as_str())),
                None => return Ok(End::Crashed(Some("EOFError: EOF when reading a line".into()))),
            },
            Phase::Stopped { fault } => {
                return match &**fault {
                    // What the program's client does by itself is the reader's button here.
                    Fault::Api { status: 500.., .. } if retries > 0 => {
                        retries -= 1;
                        play.event(Event::Retried);
                        continue;
                    }
                    Fault::Crashed { .. } | Fault::Api { .. } => Ok(End::Crashed(None)),
                    fault => Err(format!("the turn ended with {fault:?}")),
                };
            }
        }
    }
}

fn word(line: &str) -> String {
    python::lower(python::strip(line))
}

fn answer(play: &mut Play, request: u32, response: &Json) {
    if let Some(status) = response["http_status"].as_u64() {
        let head = Head { status: status as u16, content_type: "application/json".into(), ..Head::default() };
        let mut answer = Answer::new(head);
        let body = json!({"type": "error", "error": response["error"]}).to_string();
        let mut events = answer.push(body.as_bytes());
        events.extend(answer.finish());
        return play.event(Event::ModelEmitted { request, events });
    }
    let blocks: Vec<Fields> = serde_json::from_value(response["content"].clone()).expect("blocks are objects");
    let stop_reason = response["stop_reason"].as_str().map(str::to_string);
    let blocks = blocks.into_iter().map(Block::from_json).collect();
    play.hears(&Reply { blocks, stop_reason, usage: Usage::default() });
}

// --- Is it the same? ------------------------------------------------------------------------------------------------

/// `Err` says the first difference.
fn compare(variant: &Variant, request: &Json, recording: &Recording) -> Result<(), String> {
    let lesson = Rc::new(lesson(variant, recording)?);
    let workspace = Workspace { vfs: files_at_first(recording), ..Workspace::default() };
    let session = playground::agent::Session::new(lesson, support::path(WORKDIR), workspace);
    let mut play = Play::new(session);
    play.event(support::chosen(MODEL, None));
    let end = run(&mut play, recording)?;

    let (mut encoder, mut before) = (Encoder::new(), Vec::new());
    same("the number of requests", &recording.appended.len(), &play.requests.len())?;
    for (i, (sent, appended)) in play.requests.iter().zip(&recording.appended).enumerate() {
        let body: Json = serde_json::from_str(&encoder.body(sent, false)).expect("a body is JSON");
        let Json::Object(mut body) = body else { return Err(format!("request {}: not an object", i + 1)) };
        let Some(Json::Array(messages)) = body.remove("messages") else {
            return Err(format!("request {}: no messages", i + 1));
        };
        let name = |what: &str| format!("{what} of request {}", i + 1);
        same(&name("what stands beside the messages"), request, &Json::Object(body))?;
        same(&name("the earlier messages"), &before, &messages[..before.len().min(messages.len())].to_vec())?;
        let ours = ordered(&messages[before.len()..], &variant.unordered);
        let theirs = ordered(appended.as_array().map_or(&[], Vec::as_slice), &variant.unordered);
        same(&name("the new messages"), &theirs, &ours)?;
        before = messages;
    }
    same_files(recording, play.session().workspace.vfs.clone())?;
    let printed = console(&play.timeline, play.timeline.stops().len(), false);
    same("the output", &without_custom_lines(&recording.terminal_output), &printed)?;
    let shown = console(&play.timeline, play.timeline.stops().len(), true);
    let (code, exception) = match &end {
        End::Left => (0, ""),
        End::Crashed(Some(exception)) => (1, exception.as_str()),
        End::Crashed(None) => (1, shown.lines().last().unwrap_or_default()),
    };
    same("the exit code", &recording.exit_code, &code)?;
    same("the last line", &recording.stderr_last_line.as_str(), &exception)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, theirs: &T, ours: &T) -> Result<(), String> {
    let short = |value: &T| format!("{value:?}").chars().take(2000).collect::<String>();
    match theirs == ours {
        true => Ok(()),
        false => Err(format!("{what}\n  recorded {}\n  here     {}", short(theirs), short(ours))),
    }
}

/// The messages, with the lines of some tools' results sorted.
fn ordered(messages: &[Json], tools: &[String]) -> Vec<Json> {
    let mut messages = messages.to_vec();
    let mut unordered = Vec::new();
    for block in messages.iter_mut().filter_map(|message| message["content"].as_array_mut()).flatten() {
        let is = |kind: &str| block["type"] == kind;
        if is("tool_use") && tools.iter().any(|tool| block["name"] == **tool) {
            unordered.push(block["id"].clone());
        } else if is("tool_result") && unordered.contains(&block["tool_use_id"]) {
            let mut lines: Vec<&str> = block["content"].as_str().unwrap_or_default().split('\n').collect();
            lines.sort_unstable();
            block["content"] = lines.join("\n").into();
        }
    }
    messages
}

fn same_files(recording: &Recording, vfs: Vfs) -> Result<(), String> {
    let workdir = support::path(WORKDIR);
    let name = |path: &AbsPath| path.relative_to(&workdir).unwrap_or_default().to_string();
    let ours: BTreeMap<String, Vec<u8>> = vfs
        .walk(&workdir)
        .filter_map(|(path, node)| match node {
            Node::File { bytes, .. } => Some((name(path), bytes.to_vec())),
            Node::Dir { .. } | Node::Link { .. } => None,
        })
        .collect();
    let theirs = recording.final_files.as_ref().unwrap_or(&recording.initial_files);
    let theirs: BTreeMap<String, Vec<u8>> = theirs.iter().map(|(name, text)| (name.clone(), text.bytes())).collect();
    same("the names of the files", &theirs.keys().collect::<Vec<_>>(), &ours.keys().collect())?;
    theirs.iter().try_for_each(|(name, bytes)| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match ours[name] == *bytes {
            true => Ok(()),
            false => same(name, &text(bytes), &text(&ours[name])),
        }
    })
}

/// What the program printed, without the lines in which a custom hook says that it ran.
fn without_custom_lines(terminal: &str) -> String {
    terminal.split_inclusive('\n').filter(|line| !line.starts_with("[custom hook]")).collect()
}
