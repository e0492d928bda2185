//! From a lesson's data to nodes, edges and marks.

use super::{Drawing, Edge, Mark, Node, NodeId, Part, Scope, Way};
use crate::lesson::{HookPoint, HookRule, Lesson, Placement, ReminderRules};
use crate::tools::Handler;
use crate::tools::arguments::Signature;

pub(super) fn drawing(scope: Scope, lesson: &Lesson, predecessor: Option<&Lesson>) -> Drawing {
    let edges_before = predecessor.map(|before| edges(scope, before));
    let nodes = nodes(scope, lesson).into_iter().map(|id| {
        let differs = predecessor.map(|before| differing(id, lesson, before)).unwrap_or_default();
        let mark = predecessor.map(|before| match (exists(id, before), differs.is_empty()) {
            (false, _) => Mark::Added,
            (true, false) => Mark::Changed,
            (true, true) => Mark::Kept,
        });
        Node { id, mark, differs: if mark == Some(Mark::Changed) { differs } else { Vec::new() } }
    });
    let edges = edges(scope, lesson).into_iter().map(|(from, to, way)| {
        // A blocked call goes by the rest of what is done for a call, wherever that leads.
        let same = |&before: &Bare| before == (from, to, way) || (way == Way::Blocked && before.2 == way);
        let mark = edges_before.as_ref().map(|before| match before.iter().any(same) {
            true => Mark::Kept,
            false => Mark::Added,
        });
        Edge { from, to, way, mark }
    });
    Drawing { scope, nodes: nodes.collect(), edges: edges.collect() }
}

/// Every node that a drawing can have, in the order of the loop.
fn all(scope: Scope) -> &'static [NodeId] {
    match scope {
        Scope::Loop => &[
            NodeId::Hooks(HookPoint::UserPromptSubmit),
            NodeId::Prompt,
            NodeId::Request,
            NodeId::Calls,
            NodeId::Hooks(HookPoint::PreToolUse),
            NodeId::Tool,
            NodeId::Plan,
            NodeId::Hooks(HookPoint::PostToolUse),
            NodeId::Counter,
            NodeId::Reminder,
            NodeId::Results,
            NodeId::Hooks(HookPoint::Stop),
            NodeId::End,
        ],
        Scope::Plan => &[
            NodeId::Plan,
            NodeId::Check,
            NodeId::Replace,
            NodeId::Keep,
            NodeId::Render,
            NodeId::Counter,
            NodeId::Due,
            NodeId::Reminder,
            NodeId::Results,
        ],
    }
}

fn nodes(scope: Scope, lesson: &Lesson) -> Vec<NodeId> {
    let nothing = scope == Scope::Plan && lesson.plan.is_none() && lesson.reminder.is_none();
    all(scope).iter().copied().filter(|&id| !nothing && exists(id, lesson)).collect()
}

/// Whether a lesson's data asks for a node.
fn exists(id: NodeId, lesson: &Lesson) -> bool {
    match id {
        NodeId::Hooks(point) => lesson.hooks_at(point, 0).next().is_some(),
        NodeId::Plan | NodeId::Check | NodeId::Replace | NodeId::Keep | NodeId::Render => lesson.plan.is_some(),
        NodeId::Counter | NodeId::Reminder | NodeId::Due => lesson.reminder.is_some(),
        NodeId::Prompt | NodeId::Request | NodeId::Calls | NodeId::Tool | NodeId::Results | NodeId::End => true,
    }
}

/// Whether a hook of a point can answer: only then something follows from it.
fn answers(lesson: &Lesson, point: HookPoint) -> bool {
    lesson.hooks_at(point, 0).any(|hook| match &hook.rule {
        HookRule::Permission(_) => point == HookPoint::PreToolUse,
        HookRule::Answer { text, .. } => !text.is_empty(),
        HookRule::Print { .. } | HookRule::Inject { .. } => false,
    })
}

type Bare = (NodeId, NodeId, Way);

fn edges(scope: Scope, lesson: &Lesson) -> Vec<Bare> {
    let has = |id| exists(id, lesson);
    let possible = match scope {
        Scope::Loop => loop_edges(lesson),
        Scope::Plan => plan_edges(),
    };
    possible.into_iter().filter(|&(from, to, _)| has(from) && has(to)).collect()
}

fn loop_edges(lesson: &Lesson) -> Vec<Bare> {
    let has = |id| exists(id, lesson);
    let [submitted, before, after, stop] =
        [HookPoint::UserPromptSubmit, HookPoint::PreToolUse, HookPoint::PostToolUse, HookPoint::Stop]
            .map(NodeId::Hooks);
    // What a call begins with, what runs, what a call ends with, and what comes behind the last call. An edge to or from
    // a node that the lesson does not have is dropped.
    let runs = [NodeId::Tool, NodeId::Plan];
    let first = if has(before) { vec![before] } else { runs.to_vec() };
    let last = if has(after) { vec![after] } else { runs.to_vec() };
    let done = if has(NodeId::Counter) { NodeId::Counter } else { NodeId::Results };
    let mut edges = vec![
        (submitted, NodeId::Prompt, Way::On),
        (NodeId::Prompt, NodeId::Request, Way::On),
        (NodeId::Request, NodeId::Calls, Way::On),
        (NodeId::Counter, NodeId::Reminder, Way::Yes),
        (NodeId::Counter, NodeId::Results, Way::No),
        (NodeId::Reminder, NodeId::Results, Way::On),
        (NodeId::Results, NodeId::Request, Way::On),
        (NodeId::Calls, if has(stop) { stop } else { NodeId::End }, Way::No),
        (stop, NodeId::End, Way::On),
    ];
    edges.extend(first.iter().map(|&first| (NodeId::Calls, first, Way::Yes)));
    edges.extend(runs.iter().flat_map(|&run| [(before, run, Way::On), (run, after, Way::On)]));
    edges.extend(last.iter().map(|&last| (last, done, Way::On)));
    edges.extend(last.iter().flat_map(|&last| first.iter().map(move |&first| (last, first, Way::Next))));
    if answers(lesson, HookPoint::PreToolUse) {
        edges.extend([(before, done, Way::Blocked), (before, before, Way::Next)]);
    }
    if answers(lesson, HookPoint::Stop) {
        edges.push((stop, NodeId::Request, Way::Answered));
    }
    edges
}

fn plan_edges() -> Vec<Bare> {
    vec![
        (NodeId::Plan, NodeId::Check, Way::On),
        (NodeId::Check, NodeId::Replace, Way::Yes),
        (NodeId::Check, NodeId::Keep, Way::No),
        (NodeId::Replace, NodeId::Render, Way::On),
        (NodeId::Render, NodeId::Results, Way::On),
        (NodeId::Keep, NodeId::Results, Way::On),
        (NodeId::Plan, NodeId::Counter, Way::Reset),
        (NodeId::Counter, NodeId::Due, Way::On),
        (NodeId::Due, NodeId::Reminder, Way::Yes),
        (NodeId::Due, NodeId::Results, Way::No),
        (NodeId::Reminder, NodeId::Results, Way::On),
    ]
}

/// In which of the parts that a node stands for two lessons differ.
fn differing(id: NodeId, lesson: &Lesson, before: &Lesson) -> Vec<Part> {
    let parts = match id {
        NodeId::Hooks(point) => vec![Part::Hooks(point)],
        NodeId::Request => vec![Part::System, Part::Tools, Part::MaxTokens],
        NodeId::Tool => vec![Part::Handlers],
        NodeId::Plan | NodeId::Check | NodeId::Replace | NodeId::Keep | NodeId::Render => vec![Part::Plan],
        NodeId::Counter | NodeId::Due => vec![Part::Counter],
        NodeId::Reminder => vec![Part::Reminder, Part::Placement],
        NodeId::Results => vec![Part::Carried],
        NodeId::Calls => vec![Part::Stop],
        NodeId::Prompt | NodeId::End => Vec::new(),
    };
    parts.into_iter().filter(|&part| !same(part, lesson, before)).collect()
}

fn same(part: Part, one: &Lesson, other: &Lesson) -> bool {
    match part {
        Part::System => one.system == other.system,
        Part::Tools => one.tools.iter().map(|tool| &tool.spec).eq(other.tools.iter().map(|tool| &tool.spec)),
        Part::MaxTokens => one.max_tokens == other.max_tokens,
        Part::Stop => one.stop == other.stop,
        Part::Hooks(point) => one.hooks_at(point, 0).eq(other.hooks_at(point, 0)),
        Part::Handlers => {
            let rules = |lesson: &Lesson| (lesson.guard, lesson.binding);
            rules(one) == rules(other) && one.texts == other.texts && handlers(one).eq(handlers(other))
        }
        Part::Plan => one.plan == other.plan,
        Part::Counter => counter(one) == counter(other),
        Part::Reminder => {
            let text = |lesson: &Lesson| lesson.reminder.as_ref().map(|rules| rules.text.clone());
            text(one) == text(other)
        }
        Part::Placement => placement(one) == placement(other),
        // A reminder that goes into the system prompt is not among the results.
        Part::Carried => {
            let carried = |lesson| placement(lesson).filter(|&placement| placement != Placement::System);
            carried(one) == carried(other)
        }
    }
}

fn placement(lesson: &Lesson) -> Option<Placement> {
    lesson.reminder.as_ref().map(|rules| rules.placement)
}

/// The rules of the counter: those of the reminder, but for its text and place, and what the plan tool is called.
fn counter(lesson: &Lesson) -> Option<(ReminderRules, Option<&str>)> {
    let rules = lesson.reminder.clone()?;
    let counter = ReminderRules { text: String::new(), placement: Placement::AfterResults, ..rules };
    Some((counter, lesson.plan.as_ref().map(|plan| plan.tool.as_str())))
}

/// What runs behind the tools, the plan tool aside: that one has a node of its own.
fn handlers(lesson: &Lesson) -> impl Iterator<Item = (&str, Handler, &Signature)> {
    let own = lesson.tools.iter().filter(|tool| !lesson.is_plan_tool(&tool.spec.name));
    own.map(|tool| (tool.spec.name.as_str(), tool.handler, &tool.signature))
}
