//! Playing a scenario by hand.

use super::{Play, workdir};
use playground::agent::{Phase, Session};
use playground::language::Language;
use playground::lesson::Lesson;
use playground::lesson::rules::Rules;
use playground::scenario::Scenario;
use playground::workspace::Workspace;
use std::rc::Rc;

/// A session at the beginning of a scenario, with its rules under the lesson that it is about.
pub(crate) fn start(scenario: &Scenario, lesson: Lesson) -> Session {
    let own = scenario.lesson.as_ref() == Some(&lesson.id);
    let changes = scenario.rules.clone().filter(|_| own).unwrap_or_default();
    let rules = Rules::unchanged(Rc::new(lesson)).with(changes).expect("rules that the lesson can take");
    let workspace = Workspace { vfs: scenario.vfs(&workdir()), ..Workspace::default() };
    Session::with_rules(rules, workdir(), workspace)
}

/// Plays all prompts of a scenario, with its rules under the lesson that it is about; the reader answers every question
/// the same.
pub(crate) fn play(scenario: &Scenario, lesson: Lesson, language: Language, allowed: bool) -> Play {
    let mut play = Play::new(start(scenario, lesson));
    for turn in &scenario.turns {
        play.prompt(turn.prompt.get(language));
        finish(&mut play, scenario, allowed);
    }
    play
}

/// Plays on until the model has answered without a call.
pub(crate) fn finish(play: &mut Play, scenario: &Scenario, allowed: bool) {
    loop {
        match play.session().phase {
            Phase::AwaitingModel { .. } => play.hears(&scenario.reply(&play.session().request())),
            Phase::RunningTools(_) => play.run_tools(),
            Phase::AwaitingPermission { .. } => play.answers(allowed),
            Phase::Idle => return,
            Phase::Stopped { ref fault } => panic!("{}: {fault:?}", scenario.id),
        }
    }
}
