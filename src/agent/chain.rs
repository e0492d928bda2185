//! The chains of hooks: those of a point run in the order in which they were registered, and the first answer ends the
//! chain. What a single hook does is in `hooks.rs`; what follows from an answer is in `agent.rs`.

use super::event::{Question, Step};
use super::hooks::{self, Facts, Verdict};
use super::{Outbox, Session};
use crate::lesson::HookPoint;
use crate::message::ToolCall;
use std::rc::Rc;

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
        /// The place of the hook that asks.
        hook: usize,
    },
    /// A hook raised this exception.
    Raised(String),
}

impl Session {
    /// Runs a point's hooks whose answers cannot hold a call up. Returns the answer that ended the chain.
    pub(super) fn run_hooks(
        &mut self,
        point: HookPoint,
        called: Option<(&Rc<ToolCall>, &str)>,
        out: &mut Outbox,
    ) -> Option<Rc<str>> {
        let call = called.map(|(call, _)| call);
        let chars = called.map_or(0, |(_, output)| output.chars().count());
        for place in self.places(point, 0) {
            match self.run_hook(place, call, chars) {
                Verdict::Silent | Verdict::Asks { .. } | Verdict::Raised { .. } => {}
                Verdict::Passed { printed } => self.hook_ran(place, call, printed, None, out),
                Verdict::Answered { text } => {
                    let text: Rc<str> = text.into();
                    self.hook_ran(place, call, None, Some(text.clone()), out);
                    return Some(text);
                }
            }
        }
        None
    }

    /// Runs the PreToolUse hooks from a place on.
    pub(super) fn pre_tool_use(&mut self, from: usize, call: &Rc<ToolCall>, out: &mut Outbox) -> Gate {
        for place in self.places(HookPoint::PreToolUse, from) {
            match self.run_hook(place, Some(call), 0) {
                Verdict::Silent => {}
                Verdict::Passed { printed } => self.hook_ran(place, Some(call), printed, None, out),
                Verdict::Answered { text } => {
                    let text: Rc<str> = text.into();
                    self.hook_ran(place, Some(call), None, Some(text.clone()), out);
                    // An empty answer ends the chain, but it is not true in Python's sense and so does not block.
                    return if text.is_empty() { Gate::Open } else { Gate::Blocked(text) };
                }
                Verdict::Asks { questions } => {
                    return Gate::Asking { questions: questions.into_iter().map(Rc::new).collect(), hook: place };
                }
                Verdict::Raised { exception } => return Gate::Raised(exception),
            }
        }
        Gate::Open
    }

    fn places(&self, point: HookPoint, from: usize) -> Vec<usize> {
        (from..self.lesson.hooks.len()).filter(|&place| self.lesson.hooks[place].point == point).collect()
    }

    fn run_hook(&self, place: usize, call: Option<&Rc<ToolCall>>, output_chars: usize) -> Verdict {
        let facts = Facts {
            workdir: &self.workdir,
            vfs: &self.workspace.vfs,
            call: call.map(|call| &**call),
            output_chars,
            results: self.results,
            answered: self.answered[place],
        };
        hooks::run(&self.lesson.hooks[place], &facts)
    }

    pub(super) fn hook_ran(
        &mut self,
        place: usize,
        call: Option<&Rc<ToolCall>>,
        printed: Option<String>,
        answer: Option<Rc<str>>,
        out: &mut Outbox,
    ) {
        if answer.is_some() {
            Rc::make_mut(&mut self.answered)[place] += 1;
        }
        let hook = &self.lesson.hooks[place];
        let (point, hook) = (hook.point, hook.name.as_str().into());
        self.step(Step::HookRan { point, hook, call: call.cloned(), printed: printed.map(Rc::from), answer }, out);
    }
}
