//! The reader's view: language, theme, what is chosen and where the cursor stands. The run itself is in the snapshot.

use super::later::{NotThere, Parts};
use super::text::Text;
use crate::agent::Session;
use crate::language::Language;
use crate::lesson::Lesson;
use crate::lesson::rules::{Changes, Rules};
use crate::runtime::endpoint::{Endpoint, Prepared};
use crate::runtime::scripted::Speed;
use crate::runtime::{Command, Snapshot};
use crate::scenario::{Listed, Scenario};
use crate::timeline::{Cursor, Timeline};
use crate::vfs::AbsPath;
use crate::workspace::Workspace;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// The ways out of the page. Each is a callback, so that the page knows nothing of what is behind it.
#[derive(Clone, PartialEq)]
pub struct Ports {
    /// To the driver.
    pub send: Callback<Command>,
    /// Chooses the model of the next requests.
    pub use_model: Callback<Source>,
    /// Says who gets the snapshots.
    pub listen: Callback<Callback<Snapshot>>,
    /// Sets how fast the scripted model types.
    pub set_speed: Callback<Speed>,
    /// Says whether the scripted model answers 400 where the real API would, from the next request on.
    pub set_strict: Callback<bool>,
    /// Plays a run out, beside the reader's own.
    pub play: Callback<Play>,
    /// Shows the document in a language and under a title, and keeps the language.
    pub set_language: Callback<(Language, &'static str)>,
    /// Shows the document in a theme, and keeps it.
    pub set_theme: Callback<Theme>,
    /// Offers a file: name and content.
    pub save: Callback<(String, Vec<u8>)>,
    /// Reads files that the reader gave: name and content of each, or the name of one that cannot be read.
    pub read_files: Callback<(web_sys::FileList, Callback<FilesRead>)>,
    /// Says what the step key, F8, does from now on, wherever the focus is.
    pub step_key: Callback<Callback<()>>,
    /// Copies a text to the clipboard.
    pub copy: Callback<String>,
    /// Loads the scenario of an id: it, or why it cannot be had.
    pub load_scenario: Callback<(String, Callback<ScenarioLoaded>)>,
}

/// A run to be played out by the scripted model.
pub struct Play {
    /// Where it begins.
    pub start: Timeline,
    /// What the model says.
    pub script: Rc<Scenario>,
    /// Whether it refuses what the real API would.
    pub strict: bool,
    /// The prompts to send.
    pub prompts: Vec<String>,
    /// The answer to every question of permission.
    pub allow: bool,
    /// Gets the run.
    pub take: Callback<Timeline>,
}

/// The name and the content of each file, or the name of one that cannot be read.
pub type FilesRead = Result<Vec<(String, Vec<u8>)>, String>;

/// A scenario, or why it cannot be had.
pub type ScenarioLoaded = Result<Rc<Scenario>, String>;

/// Where replies come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The scenario's script.
    Scripted(Rc<Scenario>),
    /// A live endpoint.
    Endpoint(Prepared),
}

/// The lessons and scenarios that there are.
#[derive(Debug, PartialEq)]
pub struct Catalogue {
    /// The lessons, the project's own first.
    pub lessons: Vec<Rc<Lesson>>,
    /// The scenarios' names, the first visit's first.
    pub scenarios: Vec<Listed>,
}

impl Catalogue {
    /// A session at the beginning of a scenario, with changed rules where the lesson can take them.
    pub fn start(lesson: Rc<Lesson>, scenario: &Scenario, changes: Changes) -> Session {
        let rules = Rules::unchanged(lesson);
        let rules = rules.with(changes).unwrap_or(rules);
        let workdir = AbsPath::root().join("workspace");
        let workspace = Workspace { vfs: scenario.vfs(&workdir), ..Workspace::default() };
        Session::with_rules(rules, workdir, workspace)
    }
}

/// Light, dark, or as the system has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The name on the document; none for the system's.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// The theme of a name.
    pub fn from_name(name: Option<&str>) -> Self {
        Self::ALL.into_iter().find(|theme| theme.name() == name).unwrap_or(Self::System)
    }
}

/// The parts of the page that are tabs on a narrow screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pane {
    Transcript,
    Board,
    Inspector,
}

impl Pane {
    pub(super) const ALL: [Self; 3] = [Self::Transcript, Self::Board, Self::Inspector];

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Transcript => "transcript-pane",
            Self::Board => "board-pane",
            Self::Inspector => "inspector-pane",
        }
    }

    pub(super) fn title(self, text: &Text) -> &'static str {
        match self {
            Self::Transcript => text.transcript,
            Self::Board => text.board,
            Self::Inspector => text.inspector,
        }
    }
}

/// The inspector's tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Messages,
    Request,
    Files,
    Terminal,
    Gates,
}

/// The board's tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardTab {
    Board,
    Loop,
    Rules,
}

impl BoardTab {
    pub(super) const ALL: [Self; 3] = [Self::Board, Self::Loop, Self::Rules];
}

/// What the reader chose and looks at.
#[derive(Clone, PartialEq)]
pub(super) struct View {
    pub(super) catalogue: Rc<Catalogue>,
    pub(super) language: Language,
    pub(super) theme: Theme,
    pub(super) lesson: usize,
    pub(super) scenario: usize,
    pub(super) script: Rc<Scenario>,
    /// The scenario that is being loaded, and one that could not be, with why.
    pub(super) loading: Option<usize>,
    pub(super) not_loaded: Option<(usize, String)>,
    /// The endpoint in use; none while the scripted model is.
    pub(super) endpoint: Option<Prepared>,
    /// What the settings dialog shows.
    pub(super) typed: Endpoint,
    pub(super) settings_open: bool,
    /// Whether two sets of rules are being compared.
    pub(super) comparing: bool,
    pub(super) speed: Speed,
    /// Whether the scripted model refuses what the real API would.
    pub(super) strict: bool,
    pub(super) prompt: String,
    /// What the reader had typed when a suggestion took its place.
    pub(super) set_aside: Option<String>,
    pub(super) cursor: Cursor,
    pub(super) pane: Pane,
    pub(super) tab: Tab,
    /// Whether the message list is held against the API's rules: not before a reader leaves the first scenario, or asks.
    pub(super) checks: bool,
    pub(super) board_tab: BoardTab,
    pub(super) file: Option<AbsPath>,
    /// What the reader has typed into files and not saved.
    pub(super) drafts: Rc<BTreeMap<AbsPath, FileDraft>>,
    /// What stands in the terminal's field.
    pub(super) command: String,
    /// Whether the terminal shows the reader's commands, and not what the program printed.
    pub(super) commands: bool,
    /// The block that the reader asked to see: message, block, and how often something was asked for.
    pub(super) reveal: Option<(usize, usize, u32)>,
    /// The run that the reader left last by starting over.
    pub(super) left: Option<Rc<Left>>,
}

/// An edit of a file that is not saved.
#[derive(Clone, PartialEq)]
pub(super) struct FileDraft {
    /// What the file held when it was begun.
    pub(super) base: String,
    pub(super) typed: String,
}

/// A run that was left, to be brought back.
#[derive(Clone, PartialEq)]
pub(super) struct Left {
    pub(super) timeline: Timeline,
    pub(super) lesson: usize,
    pub(super) scenario: usize,
    pub(super) script: Rc<Scenario>,
    /// What the reader had typed; empty where nothing was.
    prompt: String,
}

#[derive(Clone)]
pub(super) enum Action {
    SetLanguage(Language),
    SetTheme(Theme),
    /// Another lesson or scenario, or the same from the start; what is left can be brought back.
    StartOver {
        lesson: usize,
        scenario: usize,
        script: Rc<Scenario>,
        left: Timeline,
    },
    /// A scenario was chosen, and is not there yet.
    Load(usize),
    /// It could not be had.
    NotLoaded(usize, String),
    /// The run that was left, in exchange for this one.
    BringBack(Timeline),
    UseScripted,
    UseEndpoint(Endpoint, Prepared),
    OpenSettings(bool),
    Compare(bool),
    SetSpeed(Speed),
    SetStrict(bool),
    SetPrompt(String),
    /// A suggestion instead of what stands in the field.
    Suggest(String),
    /// A prompt was sent: the field shows what comes next.
    Sent {
        asked: usize,
    },
    Go(Cursor),
    ShowPane(Pane),
    ShowTab(Tab),
    /// Hold the message list against the API's rules from now on.
    Check,
    ShowBoardTab(BoardTab),
    ShowFile(Option<AbsPath>),
    /// What is typed into a file; none when that is over.
    Draft(AbsPath, Option<FileDraft>),
    SetCommand(String),
    ShowCommands(bool),
    /// Show a block of a message in the inspector.
    Reveal {
        message: usize,
        block: usize,
    },
}

impl View {
    pub(super) fn new(catalogue: Rc<Catalogue>, script: Rc<Scenario>, language: Language, theme: Theme) -> Self {
        let prompt = script.prompt(0).map(|prompt| prompt.get(language).to_string()).unwrap_or_default();
        Self {
            catalogue,
            language,
            theme,
            lesson: 0,
            scenario: 0,
            script,
            loading: None,
            not_loaded: None,
            endpoint: None,
            typed: Endpoint::default(),
            settings_open: false,
            comparing: false,
            speed: Speed::default(),
            strict: false,
            prompt,
            set_aside: None,
            cursor: Cursor::Live,
            pane: Pane::Transcript,
            tab: Tab::Messages,
            checks: false,
            board_tab: BoardTab::Board,
            file: None,
            drafts: Rc::default(),
            command: String::new(),
            commands: false,
            reveal: None,
            left: None,
        }
    }

    pub(super) fn lesson(&self) -> &Rc<Lesson> {
        &self.catalogue.lessons[self.lesson]
    }

    pub(super) fn next_prompt(&self, asked: usize) -> String {
        self.script.prompt(asked).map(|prompt| prompt.get(self.language).to_string()).unwrap_or_default()
    }

    /// Whether the prompt box holds words of the reader's own: such are not thrown away.
    fn typed_prompt(&self) -> bool {
        let script = self.script.turns.iter().map(|turn| &turn.prompt);
        let mut known = script.chain(self.catalogue.lessons.iter().flat_map(|lesson| &lesson.prompts));
        !self.prompt.trim().is_empty() && known.all(|known| known.en != self.prompt && known.zh != self.prompt)
    }

    /// What is kept of a run that is left: one in which nothing has happened is not worth it.
    fn leave(&self, timeline: Timeline) -> Option<Rc<Left>> {
        let (lesson, scenario, script) = (self.lesson, self.scenario, self.script.clone());
        let prompt = if self.typed_prompt() { self.prompt.clone() } else { String::new() };
        (!timeline.stops().is_empty()).then(|| Rc::new(Left { timeline, lesson, scenario, script, prompt }))
    }
}

impl Reducible for View {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            Action::SetLanguage(language) => {
                // The scenario's own prompt follows the language; what the reader typed stays.
                let turns = &self.script.turns;
                let own = turns.iter().find(|turn| turn.prompt.get(self.language) == self.prompt);
                if let Some(turn) = own {
                    next.prompt = turn.prompt.get(language).to_string();
                }
                next.language = language;
            }
            Action::SetTheme(theme) => next.theme = theme,
            Action::Load(scenario) => {
                next.loading = Some(scenario);
                next.not_loaded = None;
            }
            Action::NotLoaded(scenario, why) => {
                next.loading = None;
                next.not_loaded = Some((scenario, why));
            }
            Action::StartOver { lesson, scenario, script, left } => {
                next.left = self.leave(left).or(next.left);
                next.checks = true;
                next.lesson = lesson;
                next.scenario = scenario;
                next.script = script;
                (next.loading, next.not_loaded) = (None, None);
                if !self.typed_prompt() {
                    next.prompt = next.next_prompt(0);
                }
                next.cursor = Cursor::Live;
                next.file = None;
                next.drafts = Rc::default();
                next.reveal = None;
            }
            Action::BringBack(timeline) => {
                if let Some(left) = std::mem::replace(&mut next.left, self.leave(timeline)) {
                    next.lesson = left.lesson;
                    next.scenario = left.scenario;
                    next.script = left.script.clone();
                    (next.loading, next.not_loaded) = (None, None);
                    if !self.typed_prompt() {
                        next.prompt = match left.prompt.is_empty() {
                            true => next.next_prompt(left.timeline.live().turn as usize),
                            false => left.prompt.clone(),
                        };
                    }
                    next.cursor = Cursor::Live;
                }
            }
            Action::UseScripted => next.endpoint = None,
            Action::UseEndpoint(typed, prepared) => {
                next.typed = typed;
                next.endpoint = Some(prepared);
                next.settings_open = false;
            }
            Action::OpenSettings(open) => next.settings_open = open,
            Action::Compare(comparing) => next.comparing = comparing,
            Action::SetSpeed(speed) => next.speed = speed,
            Action::SetStrict(strict) => next.strict = strict,
            Action::SetPrompt(prompt) => next.prompt = prompt,
            Action::Suggest(prompt) => {
                if self.typed_prompt() {
                    next.set_aside = Some(self.prompt.clone());
                }
                next.prompt = prompt;
            }
            Action::Sent { asked } => {
                next.prompt = if next.endpoint.is_none() { next.next_prompt(asked) } else { String::new() };
                next.set_aside = None;
            }
            Action::Go(cursor) => next.cursor = cursor,
            Action::ShowPane(pane) => next.pane = pane,
            Action::ShowTab(tab) => next.tab = tab,
            Action::Check => next.checks = true,
            Action::ShowBoardTab(tab) => {
                next.board_tab = tab;
                next.pane = Pane::Board;
            }
            Action::ShowFile(file) => next.file = file,
            Action::Draft(path, Some(draft)) => drop(Rc::make_mut(&mut next.drafts).insert(path, draft)),
            Action::Draft(path, None) => drop(Rc::make_mut(&mut next.drafts).remove(&path)),
            Action::SetCommand(command) => next.command = command,
            Action::ShowCommands(commands) => next.commands = commands,
            Action::Reveal { message, block } => {
                next.tab = Tab::Messages;
                next.pane = Pane::Inspector;
                next.reveal = Some((message, block, self.reveal.map_or(0, |(.., asked)| asked + 1)));
            }
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

/// What every component may use: the way to change the view, the ports, the words.
#[derive(Clone)]
pub(super) struct ContextValue {
    pub(super) dispatch: UseReducerDispatcher<View>,
    /// Shared, since every component and many a fold holds them.
    pub(super) ports: Rc<Ports>,
    pub(super) text: &'static Text,
    /// The parts that load when they are first shown; nothing while they load.
    pub(super) parts: Option<Result<Parts, NotThere>>,
    /// Begins another scenario, once it is there.
    pub(super) choose_scenario: Callback<usize>,
}

impl PartialEq for ContextValue {
    fn eq(&self, other: &Self) -> bool {
        // Dispatcher and ports are made once; only the words change.
        std::ptr::eq(self.text, other.text)
    }
}

impl ContextValue {
    pub(super) fn go(&self, cursor: Cursor) {
        self.dispatch.dispatch(Action::Go(cursor));
    }

    /// A press that does only this.
    pub(super) fn press(&self, action: Action) -> Callback<MouseEvent> {
        let dispatch = self.dispatch.clone();
        Callback::from(move |_| dispatch.dispatch(action.clone()))
    }

    /// A press that moves the cursor to a place.
    pub(super) fn to(&self, place: usize) -> Callback<MouseEvent> {
        self.press(Action::Go(Cursor::At(place)))
    }
}

/// The context of a component inside the page.
#[hook]
pub(super) fn use_page() -> ContextValue {
    use_context::<ContextValue>().expect("every component stands inside App, which provides it")
}
