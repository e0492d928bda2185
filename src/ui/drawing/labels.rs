//! What stands in a node: names from the lesson's data, numbers from the run at the cursor.

use super::words::Words;
use crate::agent::Step;
use crate::drawing::{Mark, Node, NodeId, Scope};
use crate::lesson::{Counts, HookPoint, Lesson, Placement, ResetBy, StopRule};
use crate::timeline::{Cursor, Stop, Timeline};
use std::rc::Rc;

/// A node in words.
pub(super) struct Label {
    pub(super) title: String,
    /// The line below it; empty where there is none.
    pub(super) detail: String,
    /// What the node does, in a sentence.
    pub(super) does: String,
}

impl Label {
    /// All but the title: the detail, what it does, and what it is against the lesson before.
    pub(super) fn whole(&self, node: &Node, words: &Words) -> String {
        let detail = if self.detail.is_empty() { String::new() } else { (words.brackets)(&self.detail) };
        let mark = match node.mark {
            Some(Mark::Changed) => {
                let parts: Vec<_> = node.differs.iter().map(|&part| (words.part)(part)).collect();
                (words.changed_in)(&parts.join(words.comma))
            }
            Some(mark) => (words.mark)(mark).to_string(),
            None => return format!("{detail}{}", self.does),
        };
        format!("{detail}{}{}{mark}", self.does, words.space)
    }
}

/// Where the words of a node come from.
pub(super) struct Labels<'a> {
    pub(super) words: &'static Words,
    /// The lesson that is drawn.
    pub(super) lesson: &'a Lesson,
    pub(super) timeline: &'a Timeline,
    pub(super) cursor: Cursor,
    /// What of it.
    pub(super) scope: Scope,
    /// The node at the cursor.
    pub(super) current: Option<NodeId>,
}

impl Labels<'_> {
    pub(super) fn of(&self, id: NodeId) -> Label {
        let words = self.words;
        let session = self.timeline.session(self.cursor);
        let plan = self.lesson.plan.as_ref().or(session.lesson.plan.as_ref());
        let reminder = self.lesson.reminder.as_ref().or(session.lesson.reminder.as_ref());
        let tool = plan.map_or("", |plan| &plan.tool);
        let threshold = reminder.map_or(0, |rules| rules.threshold);
        let (done, total) = (session.workspace.plan.done(), session.workspace.plan.items.len());
        let label = |title: String, detail: String, does: String| Label { title, detail, does };
        match id {
            NodeId::Hooks(point) => label(format!("{point:?}"), self.hooks(point), (words.hooks)(point).to_string()),
            NodeId::Prompt => {
                let turn = if session.turn > 0 { (words.turn)(session.turn) } else { words.user_message.to_string() };
                label(words.prompt.to_string(), turn, words.prompt_does.to_string())
            }
            NodeId::Request => {
                let carried = self.last(|step| match step {
                    Step::Request { messages, .. } => Some(*messages),
                    _ => None,
                });
                let tools = self.lesson.tools.len();
                let detail = (words.carries)(carried.unwrap_or(0), tools);
                label((words.request)(session.last_request), detail, words.request_does.to_string())
            }
            NodeId::Calls => {
                let calls = self.in_round(|step| match step {
                    Step::Reply { calls, .. } => Some(*calls),
                    _ => None,
                });
                let detail = calls.map(words.calls).unwrap_or_default();
                let (title, does) = match self.lesson.stop {
                    StopRule::NoCall => ("tool_use?", words.calls_does),
                    StopRule::StopReason => ("stop_reason?", words.reason_does),
                };
                label(title.to_string(), detail, does.to_string())
            }
            NodeId::Tool => {
                let own = self.lesson.tools.iter().filter(|tool| !self.lesson.is_plan_tool(&tool.spec.name));
                let names: Vec<&str> = own.map(|tool| tool.spec.name.as_str()).collect();
                let called = self.in_round(|step| match step {
                    Step::ToolCalled { call } if !session.lesson.is_plan_tool(&call.name) => Some(call.name.clone()),
                    _ => None,
                });
                let detail = called.unwrap_or_else(|| (words.tools)(names.len()));
                label(words.tool.to_string(), detail, (words.tool_does)(&names.join(words.comma)))
            }
            NodeId::Plan => {
                let rejected = self.in_round(|step| Some(matches!(step, Step::PlanRejected { .. })).filter(|&is| is));
                let detail = match (rejected, total) {
                    (Some(_), _) => words.rejected.to_string(),
                    (None, 0) => words.no_plan.to_string(),
                    (None, _) => (words.plan)(done, total),
                };
                label(tool.to_string(), detail, words.plan_does.to_string())
            }
            NodeId::Counter => {
                // The reminder sets it back, but what led there is told until the next request.
                let counted = self.in_round(|step| match step {
                    Step::Counted { idle, .. } => Some(*idle),
                    _ => None,
                });
                let title = (words.counter)(counted.unwrap_or_else(|| session.counter.idle()), threshold);
                let counts = reminder.map_or(Counts::Rounds, |rules| rules.counts);
                let detail = match self.scope {
                    Scope::Loop => (words.counts_without)(counts, tool),
                    Scope::Plan => (words.without)(tool),
                };
                let by = reminder.map_or(ResetBy::AnyCall, |rules| rules.reset_by);
                label(title, detail, (words.counter_does)(counts, by, tool))
            }
            NodeId::Reminder => {
                let place = reminder.map(|rules| (words.placement)(rules.placement).to_string()).unwrap_or_default();
                let text = reminder.map_or("", |rules| &rules.text);
                label(words.reminder.to_string(), place, (words.reminder_does)(threshold, text))
            }
            NodeId::Results => {
                let placement = self.lesson.reminder.as_ref().map(|rules| rules.placement);
                let detail = match placement {
                    None | Some(Placement::System) => words.user_message,
                    Some(_) => words.with_reminder,
                };
                label(words.results.to_string(), detail.to_string(), words.results_does.to_string())
            }
            NodeId::End => label(words.end.to_string(), String::new(), words.end_does.to_string()),
            NodeId::Check => {
                let most = plan.and_then(|plan| plan.max_items);
                label(words.check.to_string(), (words.limits)(most), (words.check_does)(most))
            }
            NodeId::Replace => label(words.replace.to_string(), (words.items)(total), words.replace_does.to_string()),
            NodeId::Keep => label(words.keep.to_string(), words.error_back.to_string(), words.keep_does.to_string()),
            NodeId::Render => label(words.render.to_string(), "[ ] [>] [x]".to_string(), words.render_does.to_string()),
            NodeId::Due => {
                let needs_plan = reminder.is_some_and(|rules| rules.needs_plan);
                let detail = if needs_plan { words.and_a_plan } else { "" };
                label(format!("≥ {threshold}?"), detail.to_string(), (words.due_does)(threshold, needs_plan))
            }
        }
    }

    fn hooks(&self, point: HookPoint) -> String {
        let names = self.lesson.hooks_at(point, 0).map(|hook| hook.name.as_str());
        names.collect::<Vec<_>>().join(self.words.comma)
    }

    /// The last of the stops up to the cursor that something is found in.
    fn last<T>(&self, find: impl Fn(&Step) -> Option<T>) -> Option<T> {
        self.back().find_map(|stop| find(&stop.step))
    }

    /// The same, in the round at the cursor.
    fn in_round<T>(&self, find: impl Fn(&Step) -> Option<T>) -> Option<T> {
        let round = self.back().next()?.round;
        self.back().take_while(|stop| stop.round == round).find_map(|stop| find(&stop.step))
    }

    fn back(&self) -> impl Iterator<Item = &Rc<Stop>> {
        let reached = self.timeline.place(self.cursor).map_or(0, |place| place + 1);
        (0..reached).rev().filter_map(|place| self.timeline.stops().get(place))
    }
}
