//! What the controls do, and where the run is as they see it: the top bar's buttons, Enter in the prompt box, the step key.

use super::state::{Action, Catalogue, ContextValue, Source, View};
use crate::agent::Phase;
use crate::lesson::rules::Changes;
use crate::runtime::{Command, Snapshot};
use crate::scenario::Scenario;
use crate::timeline::{Cursor, Timeline};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::Callback;

/// Where the run is, as the controls see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Idle,
    Running,
    /// It will hold when what is under way is over.
    Pausing,
    Holding,
    Asking,
    Failed,
}

impl Status {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        match snapshot.timeline.live().phase {
            Phase::Idle => Self::Idle,
            Phase::Stopped { .. } => Self::Failed,
            Phase::AwaitingPermission { .. } => Self::Asking,
            _ if snapshot.objections.is_some() => Self::Asking,
            _ if snapshot.holding && snapshot.busy => Self::Pausing,
            _ if snapshot.holding => Self::Holding,
            _ => Self::Running,
        }
    }
}

/// Whether the script has been played and no other prompt stands in the box: then Run plays it again.
pub(super) fn script_over(view: &View, snapshot: &Snapshot) -> bool {
    let live = snapshot.timeline.live();
    let asked = live.turn as usize;
    let all = asked > 0 && view.script.prompt(asked).is_none();
    all && view.endpoint.is_none() && live.phase == Phase::Idle && view.prompt.trim().is_empty()
}

/// Plays the script again from its start.
fn play_again(page: &ContextValue, view: &View, snapshot: &Snapshot, hold: bool) {
    start_over(page, view, snapshot, view.lesson, view.scenario, &view.script);
    page.ports.send.emit(if hold { Command::Pause } else { Command::Run });
    page.ports.send.emit(Command::Submit(view.next_prompt(0)));
    page.dispatch.dispatch(Action::SetPrompt(view.next_prompt(1)));
    page.go(if hold { Cursor::At(0) } else { Cursor::Live });
}

/// Asks again after a fault.
pub(super) fn retry(page: &ContextValue) {
    page.ports.send.emit(Command::Run);
    page.ports.send.emit(Command::Retry);
    page.go(Cursor::Live);
}

/// What Run and Step do where a prompt would be taken: send the one in the box, or play the script again.
pub(super) fn begin(page: &ContextValue, view: &View, snapshot: &Snapshot, hold: bool) {
    if view.loading.is_some() {
        return;
    }
    match script_over(view, snapshot) {
        true => play_again(page, view, snapshot, hold),
        false => send(page, view, snapshot, hold),
    }
}

/// Sends the prompt and lets the run go on, from live on. Not while another scenario is about to take this one's place.
pub(super) fn send(page: &ContextValue, view: &View, snapshot: &Snapshot, hold: bool) {
    let prompt = &view.prompt;
    if prompt.trim().is_empty() || view.loading.is_some() || !snapshot.timeline.live().takes_prompt() {
        return;
    }
    let stops = snapshot.timeline.stops().len();
    page.ports.send.emit(if hold { Command::Pause } else { Command::Run });
    page.ports.send.emit(Command::Submit(prompt.clone()));
    page.dispatch.dispatch(Action::Sent { asked: snapshot.timeline.live().turn as usize + 1 });
    page.go(if hold { Cursor::At(stops) } else { Cursor::Live });
}

/// The Step button. A step is a move of the cursor by one stop; the driver performs an effect only when there is no
/// stop left to look at, and a prompt is sent only when nothing is left to perform.
pub(super) fn step(page: &ContextValue, view: &View, snapshot: &Snapshot) {
    let stops = snapshot.timeline.stops().len();
    let next = match view.cursor {
        Cursor::Live => stops,
        Cursor::At(place) => (place + 1).min(stops),
    };
    if next < stops {
        return page.go(Cursor::At(next));
    }
    match Status::of(snapshot) {
        Status::Idle => return begin(page, view, snapshot, true),
        // Only an answer leads on.
        Status::Asking => return,
        Status::Failed => {
            page.ports.send.emit(Command::Pause);
            page.ports.send.emit(Command::Retry);
        }
        _ => page.ports.send.emit(if snapshot.busy || !snapshot.waiting { Command::Pause } else { Command::Step }),
    }
    page.go(Cursor::At(next));
}

/// The rules that a reader begins a scenario with: its own, where it has any; else what the reader changed goes on to
/// hold, but for what the scenario before had changed itself, and as long as the lesson is the same.
fn rules_for(view: &View, snapshot: &Snapshot, lesson: usize, script: &Rc<Scenario>) -> Changes {
    let (rules, own) = (&snapshot.timeline.live().rules, |script: &Scenario| script.rules.clone().unwrap_or_default());
    let same_lesson = rules.base.id == view.catalogue.lessons[lesson].id;
    let again = Rc::ptr_eq(script, &view.script);
    match same_lesson && (again || (script.rules.is_none() && rules.changes != own(&view.script))) {
        true => rules.changes.clone(),
        false => own(script),
    }
}

/// Begins a scenario from its start.
pub(super) fn start_over(
    page: &ContextValue,
    view: &View,
    snapshot: &Snapshot,
    lesson: usize,
    scenario: usize,
    script: &Rc<Scenario>,
) {
    let changes = rules_for(view, snapshot, lesson, script);
    let session = Catalogue::start(view.catalogue.lessons[lesson].clone(), script, changes);
    page.ports.send.emit(Command::Open(Timeline::new(session)));
    use_script(page, view, script);
    if !Rc::ptr_eq(script, &view.script) {
        let strict = script.strict.unwrap_or(false);
        page.ports.set_strict.emit(strict);
        page.dispatch.dispatch(Action::SetStrict(strict));
    }
    let (script, left) = (script.clone(), snapshot.timeline.clone());
    page.dispatch.dispatch(Action::StartOver { lesson, scenario, script, left });
}

/// The lesson to begin a scenario in: the one that it is about, else the reader's. One that only the scenario before was
/// about goes with it.
fn lesson_for(view: &View, script: &Rc<Scenario>) -> usize {
    let place = |id: &String| view.catalogue.lessons.iter().position(|lesson| lesson.id == *id);
    let before = view.script.lesson.as_ref().and_then(place);
    script.lesson.as_ref().and_then(place).unwrap_or(if before == Some(view.lesson) { 0 } else { view.lesson })
}

/// The page, the reader's view and the run as they are now, for what is called from outside a drawing.
pub(super) type Now = Rc<RefCell<Option<(ContextValue, Rc<View>, Rc<Snapshot>)>>>;

/// Begins another scenario once it is there. `wanted` is the one that was chosen last.
pub(super) fn choose(now: &Now, wanted: &Rc<Cell<usize>>, scenario: usize) {
    let Some((page, view, _)) = now.borrow().clone() else { return };
    page.dispatch.dispatch(Action::Load(scenario));
    wanted.set(scenario);
    let (now, wanted) = (now.clone(), wanted.clone());
    let take = Callback::from(move |loaded| {
        let now = now.borrow().clone().filter(|_| wanted.get() == scenario);
        match (now, loaded) {
            (Some((page, view, snapshot)), Ok(script)) => {
                start_over(&page, &view, &snapshot, lesson_for(&view, &script), scenario, &script);
            }
            (Some((page, ..)), Err(why)) => page.dispatch.dispatch(Action::NotLoaded(scenario, why)),
            (None, _) => {}
        }
    });
    page.ports.load_scenario.emit((view.catalogue.scenarios[scenario].id.clone(), take));
}

/// Has the model in use play a script, if it is the scripted one.
pub(super) fn use_script(page: &ContextValue, view: &View, script: &Rc<Scenario>) {
    page.ports.use_model.emit(match &view.endpoint {
        Some(endpoint) => Source::Endpoint(endpoint.clone()),
        None => Source::Scripted(script.clone()),
    });
}
