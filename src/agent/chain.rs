//! The chains of hooks: those of a point run in the order in which they were registered, and the first answer ends the
//! chain. What a single hook does is in `hooks.rs`; what follows from an answer is in `agent.rs`.

use super::event::{Question, Step};
use super::hooks::{self, Facts, Verdict};
use super::{Outbox, Session};
use crate::lesson::{Hook, HookPoint};
use crate::message::ToolCall;
use std::rc::Rc;

/// What became of a chain that cannot hold a call up.
#[derive(Default)]
pub(super) struct Ran {
    /// What goes to the model along with the prompt.
    pub(super) added: Vec<Rc<str>>,
    /// The answer that ended the chain.
    pub(super) answer: Option<Rc<str>>,
}

/// What the PreToolUse chain decided about a call.
pub(super) enum Gate {
    /// It may run.
    Open,
    /// It gets this for its result.
    Blocked(Rc<str>),
    /// The reader decides.
    Asking {
        /// The questions, the first one first.
        questions: Rc<[Rc<Question>]>,
        /// The hook that asks.
        hook: Rc<Hook>,
    },
    /// A hook raised this exception.
    Raised(String),
}

impl Session {
    /// Runs a point's hooks whose answers cannot hold a call up.
    pub(super) fn run_hooks(
        &mut self,
        point: HookPoint,
        called: Option<(&Rc<ToolCall>, &str)>,
        out: &mut Outbox,
    ) -> Ran {
        let call = called.map(|(call, _)| call);
        let chars = called.map_or(0, |(_, output)| output.chars().count());
        let lesson = self.lesson.clone();
        let mut ran = Ran::default();
        for hook in lesson.hooks_at(point, 0) {
            match self.run_hook(hook, call, chars) {
                Verdict::Silent | Verdict::Asks { .. } | Verdict::Raised { .. } => {}
                Verdict::Passed { printed } => self.hook_ran(hook, call, Told { printed, ..Told::default() }, out),
                Verdict::Added { text } => {
                    let added: Option<Rc<str>> = Some(text.into());
                    ran.added.extend(added.clone());
                    self.hook_ran(hook, call, Told { added, ..Told::default() }, out);
                }
                Verdict::Answered { text, printed } => {
                    ran.answer = Some(text.into());
                    let answer = ran.answer.clone();
                    self.hook_ran(hook, call, Told { printed, answer, ..Told::default() }, out);
                    break;
                }
            }
        }
        ran
    }

    /// Runs the PreToolUse hooks from a place on.
    pub(super) fn pre_tool_use(&mut self, from: usize, call: &Rc<ToolCall>, out: &mut Outbox) -> Gate {
        let lesson = self.lesson.clone();
        for hook in lesson.hooks_at(HookPoint::PreToolUse, from) {
            match self.run_hook(hook, Some(call), 0) {
                Verdict::Silent | Verdict::Added { .. } => {}
                Verdict::Passed { printed } => {
                    self.hook_ran(hook, Some(call), Told { printed, ..Told::default() }, out);
                }
                Verdict::Answered { text, printed } => {
                    let text: Rc<str> = text.into();
                    let told = Told { printed, answer: Some(text.clone()), ..Told::default() };
                    self.hook_ran(hook, Some(call), told, out);
                    // An empty answer ends the chain, but it is not true in Python's sense and so does not block.
                    return if text.is_empty() { Gate::Open } else { Gate::Blocked(text) };
                }
                Verdict::Asks { questions } => {
                    let questions = questions.into_iter().map(Rc::new).collect();
                    return Gate::Asking { questions, hook: Rc::new(hook.clone()) };
                }
                Verdict::Raised { exception } => return Gate::Raised(exception),
            }
        }
        Gate::Open
    }

    fn run_hook(&self, hook: &Hook, call: Option<&Rc<ToolCall>>, output_chars: usize) -> Verdict {
        let facts = Facts {
            workdir: &self.workdir,
            vfs: &self.workspace.vfs,
            plan: &self.workspace.plan,
            call: call.map(|call| &**call),
            output_chars,
            results: self.results,
            answered: self.answered.get(&*hook.name).copied().unwrap_or(0),
        };
        hooks::run(hook, &facts)
    }

    pub(super) fn hook_ran(&mut self, hook: &Hook, call: Option<&Rc<ToolCall>>, told: Told, out: &mut Outbox) {
        let name: Rc<str> = hook.name.as_str().into();
        let Told { printed, added, answer } = told;
        if answer.is_some() {
            *Rc::make_mut(&mut self.answered).entry(name.clone()).or_default() += 1;
        }
        let printed = printed.map(Rc::from);
        self.step(Step::HookRan { point: hook.point, hook: name, call: call.cloned(), printed, added, answer }, out);
    }
}

/// What a hook let be known.
#[derive(Default)]
pub(super) struct Told {
    pub(super) printed: Option<String>,
    pub(super) added: Option<Rc<str>>,
    pub(super) answer: Option<Rc<str>>,
}
