//! The loop drawing: its nodes come from the lesson's data, its marks from the lesson before, and every step of a run
//! stands at one of them.

mod support;

use playground::agent::Step;
use playground::drawing::layout::{Layout, Rect, WIDTH};
use playground::drawing::{Drawing, Mark, NodeId, Part, Scope, Steps, Way};
use playground::lesson::{Hook, HookPoint, HookRule, Lesson, Placement, StopRule};
use playground::timeline::{Cursor, Timeline};
use proptest::prelude::*;
use support::random::moves;
use support::{Play, lesson};

const POINTS: [HookPoint; 4] =
    [HookPoint::UserPromptSubmit, HookPoint::PreToolUse, HookPoint::PostToolUse, HookPoint::Stop];

fn ids(drawing: &Drawing) -> Vec<NodeId> {
    drawing.nodes.iter().map(|node| node.id).collect()
}

fn whole(lesson: &Lesson) -> Drawing {
    Drawing::new(Scope::Loop, lesson, None)
}

fn without_hooks(mut lesson: Lesson) -> Lesson {
    lesson.hooks.clear();
    lesson
}

/// The lessons, and each with parts of its data taken away or added.
fn variants() -> Vec<Lesson> {
    let mut variants = Vec::new();
    for lesson in Lesson::all().expect("every lesson can be read") {
        let mut answering = lesson.clone();
        for point in POINTS {
            let rule = HookRule::Answer { text: "No.".into(), tool: None, once: true, until: None };
            answering.hooks.push(Hook { name: "answer".into(), point, rule, off: false });
        }
        let (mut silent, mut unplanned) = (lesson.clone(), lesson.clone());
        silent.reminder = None;
        unplanned.plan = None;
        unplanned.tools.retain(|tool| !lesson.is_plan_tool(&tool.spec.name));
        for changed in [lesson, answering, silent, unplanned] {
            for point in POINTS {
                let mut fewer = changed.clone();
                fewer.hooks.retain(|hook| hook.point != point);
                variants.push(fewer);
            }
            variants.push(without_hooks(changed.clone()));
            variants.push(changed);
        }
    }
    variants
}

/// A run with a plan, an update that is refused, three idle rounds, a reminder, a denied call and an answer.
fn run() -> Play {
    let mut play = Play::begun(lesson("s05"));
    play.plans(&["in_progress A"]);
    play.plans(&["in_progress A", "in_progress B"]);
    play.idles();
    play.idles();
    play.idles();
    play.calls(&[("bash", serde_json::json!({"command": "sudo ls"}))]);
    play.says("Done.");
    play
}

fn places(timeline: &Timeline, is: impl Fn(&Step) -> bool) -> Vec<usize> {
    timeline.stops().iter().enumerate().filter(|(_, stop)| is(&stop.step)).map(|(place, _)| place).collect()
}

#[test]
fn the_own_lesson_has_the_loop_with_a_plan_a_counter_and_a_reminder() {
    let expected = [
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
    ];
    assert_eq!(ids(&whole(&lesson("s05"))), expected);
}

#[test]
fn a_lesson_without_reminder_and_plan_has_no_nodes_for_them_and_no_core() {
    let drawing = whole(&lesson("s04"));
    for id in [NodeId::Counter, NodeId::Reminder, NodeId::Plan] {
        assert!(!drawing.has(id), "{id:?}");
    }
    assert!(drawing.has(NodeId::Results));
    assert_eq!(ids(&Drawing::new(Scope::Plan, &lesson("s04"), None)), []);
}

#[test]
fn without_hooks_at_a_point_there_is_no_node_for_it_and_the_loop_stays_closed() {
    let none = whole(&without_hooks(lesson("s05")));
    for point in POINTS {
        assert!(whole(&lesson("s05")).has(NodeId::Hooks(point)));
        assert!(!none.has(NodeId::Hooks(point)), "{point:?}");
    }
    for older in ["s03-todo", "s03-plan"].map(lesson) {
        assert!(!ids(&whole(&older)).iter().any(|id| matches!(id, NodeId::Hooks(_))), "{}", older.id);
    }
    let mut off = lesson("s05");
    off.hooks.iter_mut().for_each(|hook| hook.off = true);
    assert_eq!(ids(&whole(&off)), ids(&none), "a hook that is off is none");
    let ways = |from, to| none.edges.iter().filter(move |edge| edge.from == from && edge.to == to).map(|edge| edge.way);
    assert_eq!(ways(NodeId::Calls, NodeId::End).collect::<Vec<_>>(), [Way::No]);
    assert_eq!(ways(NodeId::Calls, NodeId::Plan).collect::<Vec<_>>(), [Way::Yes]);
    assert_eq!(ways(NodeId::Tool, NodeId::Counter).collect::<Vec<_>>(), [Way::On]);
}

#[test]
fn a_way_is_drawn_for_an_answer_only_where_a_hook_can_answer() {
    let has = |lesson: &Lesson, way| whole(lesson).edges.iter().any(|edge| edge.way == way);
    let mut lesson = lesson("s05");
    assert!(has(&lesson, Way::Blocked) && !has(&lesson, Way::Answered));
    let rule = HookRule::Answer { text: "Go on.".into(), tool: None, once: true, until: None };
    lesson.hooks.push(Hook { name: "feedback".into(), point: HookPoint::Stop, rule, off: false });
    assert!(has(&lesson, Way::Answered));
    lesson.hooks.retain(|hook| !matches!(hook.rule, HookRule::Permission(_)));
    assert!(!has(&lesson, Way::Blocked));
}

#[test]
fn every_node_of_every_variant_can_be_reached_and_left() {
    for lesson in variants() {
        for scope in [Scope::Loop, Scope::Plan] {
            let drawing = Drawing::new(scope, &lesson, None);
            for (place, id) in ids(&drawing).into_iter().enumerate() {
                let into = drawing.edges.iter().any(|edge| edge.to == id && edge.from != id);
                let out = drawing.edges.iter().any(|edge| edge.from == id && edge.to != id);
                assert!(into || place == 0 || id == NodeId::Counter, "{id:?} is led to by nothing");
                assert!(out || matches!(id, NodeId::End | NodeId::Results), "{id:?} leads nowhere");
            }
            assert!(drawing.edges.iter().all(|edge| drawing.has(edge.from) && drawing.has(edge.to)));
        }
    }
}

#[test]
fn the_marks_say_what_the_own_lesson_keeps_changes_and_adds() {
    let drawing = Drawing::new(Scope::Loop, &lesson("s05"), Some(&lesson("s04")));
    let marked = |mark| -> Vec<NodeId> {
        drawing.nodes.iter().filter(|node| node.mark == Some(mark)).map(|node| node.id).collect()
    };
    assert_eq!(marked(Mark::Added), [NodeId::Plan, NodeId::Counter, NodeId::Reminder]);
    assert_eq!(marked(Mark::Changed), [NodeId::Request, NodeId::Tool, NodeId::Results]);
    assert_eq!(marked(Mark::Kept).len(), 7);
    let differs = |id| &drawing.nodes.iter().find(|node| node.id == id).expect("the node").differs;
    assert_eq!(differs(NodeId::Request), &[Part::System, Part::Tools]);
    assert_eq!(differs(NodeId::Tool), &[Part::Handlers]);
    assert_eq!(differs(NodeId::Results), &[Part::Carried]);
    let mark =
        |from, to| drawing.edges.iter().find(|edge| edge.from == from && edge.to == to).and_then(|edge| edge.mark);
    assert_eq!(mark(NodeId::Results, NodeId::Request), Some(Mark::Kept));
    assert_eq!(mark(NodeId::Counter, NodeId::Results), Some(Mark::Added));
}

#[test]
fn a_lesson_against_itself_keeps_everything_and_without_a_predecessor_nothing_is_marked() {
    for lesson in Lesson::all().expect("every lesson can be read") {
        let same = Drawing::new(Scope::Loop, &lesson, Some(&lesson));
        assert!(same.nodes.iter().all(|node| node.mark == Some(Mark::Kept) && node.differs.is_empty()));
        assert!(same.edges.iter().all(|edge| edge.mark == Some(Mark::Kept)));
        let alone = whole(&lesson);
        assert!(alone.nodes.iter().all(|node| node.mark.is_none()));
        assert!(alone.edges.iter().all(|edge| edge.mark.is_none()));
    }
}

#[test]
fn a_changed_rule_marks_the_node_that_it_concerns() {
    let before = lesson("s05");
    let changed = |change: fn(&mut Lesson)| -> Vec<NodeId> {
        let mut lesson = before.clone();
        change(&mut lesson);
        let drawing = Drawing::new(Scope::Loop, &lesson, Some(&before));
        drawing.nodes.into_iter().filter(|node| node.mark == Some(Mark::Changed)).map(|node| node.id).collect()
    };
    assert_eq!(changed(|lesson| lesson.system.push('!')), [NodeId::Request]);
    assert_eq!(changed(|lesson| lesson.max_tokens = 1), [NodeId::Request]);
    assert_eq!(changed(|lesson| lesson.stop = StopRule::StopReason), [NodeId::Calls]);
    let place = |lesson: &mut Lesson| lesson.reminder.iter_mut().for_each(|rules| rules.placement = Placement::System);
    assert_eq!(changed(place), [NodeId::Reminder, NodeId::Results]);
    assert_eq!(
        changed(|lesson| lesson.hooks.retain(|hook| hook.name != "log")),
        [NodeId::Hooks(HookPoint::PreToolUse)]
    );
    assert_eq!(changed(|lesson| lesson.plan.iter_mut().for_each(|plan| plan.max_items = Some(3))), [NodeId::Plan]);
    assert_eq!(changed(|lesson| lesson.reminder.iter_mut().for_each(|rules| rules.threshold = 9)), [NodeId::Counter]);
    assert_eq!(changed(|lesson| lesson.reminder.iter_mut().for_each(|rules| rules.text.clear())), [NodeId::Reminder]);
}

#[test]
fn a_node_leads_to_its_last_step_up_to_the_cursor_or_else_to_its_first() {
    let play = run();
    let timeline = &play.timeline;
    let drawing = whole(&timeline.live().lesson);
    let counted = places(timeline, |step| matches!(step, Step::Counted { .. }));
    let at = |cursor| Steps::new(&drawing, timeline, cursor);
    assert_eq!(at(Cursor::Live).last_step(NodeId::Counter), counted.last().copied());
    assert_eq!(at(Cursor::At(counted[2])).last_step(NodeId::Counter), Some(counted[2]));
    assert_eq!(at(Cursor::At(counted[2] - 1)).last_step(NodeId::Counter), Some(counted[1]));
    assert_eq!(at(Cursor::At(0)).last_step(NodeId::Counter), Some(counted[0]));
    // The results have no step of their own: the request that carries them shows that the run went through.
    let requests = places(timeline, |step| matches!(step, Step::Request { .. }));
    assert_eq!(at(Cursor::Live).last_step(NodeId::Results), requests.last().copied());
    let fresh = Play::new(support::session(lesson("s05")));
    let nothing = Steps::new(&drawing, &fresh.timeline, Cursor::Live);
    assert_eq!((nothing.current, nothing.last_step(NodeId::Request)), (None, None));
}

#[test]
fn the_loop_before_is_passed_by_the_run_of_the_lesson_that_grew_out_of_it() {
    let play = run();
    let before = whole(&lesson("s04"));
    let steps = Steps::new(&before, &play.timeline, Cursor::Live);
    for node in &before.nodes {
        assert!(steps.last_step(node.id).is_some(), "{:?}", node.id);
    }
}

#[test]
fn the_edges_that_led_to_a_step_go_through_what_has_nothing_to_say() {
    let play = run();
    let drawing = whole(&play.timeline.live().lesson);
    let walked = |place| Steps::new(&drawing, &play.timeline, Cursor::At(place)).walked;
    let counted = places(&play.timeline, |step| matches!(step, Step::Counted { .. }));
    let post = NodeId::Hooks(HookPoint::PostToolUse);
    assert_eq!(walked(counted[0]), [(NodeId::Plan, post), (post, NodeId::Counter)]);
    assert_eq!(walked(counted[0] + 1), [(NodeId::Counter, NodeId::Results), (NodeId::Results, NodeId::Request)]);
    let blocked = counted[counted.len() - 1];
    assert_eq!(walked(blocked), [(NodeId::Hooks(HookPoint::PreToolUse), NodeId::Counter)]);
    assert_eq!(walked(0), []);

    let mut stopped = Play::begun(lesson("s05"));
    stopped.cancel();
    let end = Steps::new(&drawing, &stopped.timeline, Cursor::Live);
    assert_eq!((end.current, end.walked), (Some(NodeId::End), Vec::new()), "a stop is no way of the loop");
}

#[test]
fn the_core_follows_an_update_from_its_call_to_its_result_and_the_counter_to_the_reminder() {
    let play = run();
    let timeline = &play.timeline;
    let nodes: Vec<NodeId> = timeline.stops().iter().filter_map(|stop| Scope::Plan.node_of(stop)).collect();
    use NodeId::{Counter, Keep, Plan, Reminder, Render, Replace, Results};
    let idle = [Counter, Results];
    let expected = [
        vec![Plan, Replace, Render, Counter, Results],
        vec![Plan, Keep, Keep, Counter, Results],
        [idle, idle].concat(),
        vec![Counter, Reminder, Results],
        idle.to_vec(),
    ];
    assert_eq!(nodes, expected.concat());
    let drawing = Drawing::new(Scope::Plan, &lesson("s05"), None);
    let steps = Steps::new(&drawing, timeline, Cursor::Live);
    let rejected = places(timeline, |step| matches!(step, Step::PlanRejected { .. }));
    assert_eq!(steps.last_step(NodeId::Check), rejected.last().copied());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_step_of_every_run_stands_at_a_node_of_its_lesson(
        moves in moves(),
        id in prop_oneof!["s05", "s04", "s03-todo", "s03-plan"],
        hooks in any::<bool>(),
    ) {
        let lesson = if hooks { lesson(&id) } else { without_hooks(lesson(&id)) };
        let play = support::random::play(lesson, &moves);
        for (place, stop) in play.timeline.stops().iter().enumerate() {
            let drawing = whole(&stop.after.lesson);
            match Scope::Loop.node_of(stop) {
                Some(node) => prop_assert!(drawing.has(node), "{:?} at {node:?}", stop.step),
                None => prop_assert!(stop.step.is_aside(), "{:?}", stop.step),
            }
            let core = Drawing::new(Scope::Plan, &stop.after.lesson, None);
            if let Some(node) = Scope::Plan.node_of(stop).filter(|_| !core.nodes.is_empty()) {
                prop_assert!(core.has(node), "{:?} at {node:?}", stop.step);
            }
            let steps = Steps::new(&drawing, &play.timeline, Cursor::At(place));
            for &(from, to) in &steps.walked {
                prop_assert!(drawing.edges.iter().any(|edge| (edge.from, edge.to) == (from, to)));
            }
            if let Some(node) = steps.current {
                prop_assert!(steps.last_step(node).is_some());
            }
        }
    }
}

/// Whether a stretch of a line, without its ends, runs through a box.
fn crosses((a, b): ((i32, i32), (i32, i32)), rect: Rect) -> bool {
    let inside = |low: i32, high: i32, from: i32, to: i32| low.min(high) < to && from < low.max(high);
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
    match a.0 == b.0 {
        true => rect.x < a.0 && a.0 < right && inside(a.1, b.1, rect.y, bottom),
        false => rect.y < a.1 && a.1 < bottom && inside(a.0, b.0, rect.x, right),
    }
}

#[test]
fn nothing_overlaps_and_no_line_runs_through_a_node() {
    for lesson in variants() {
        for scope in [Scope::Loop, Scope::Plan] {
            let drawing = Drawing::new(scope, &lesson, None);
            let layout = Layout::new(&drawing);
            assert_eq!(layout.boxes.len(), drawing.nodes.len());
            for (place, (id, rect)) in layout.boxes.iter().enumerate() {
                let within = rect.x >= 0 && rect.x + rect.width <= WIDTH && rect.y + rect.height <= layout.height;
                assert!(within, "{id:?} stands outside");
                for (other, beside) in &layout.boxes[place + 1..] {
                    let apart = rect.x + rect.width < beside.x
                        || beside.x + beside.width < rect.x
                        || rect.y + rect.height < beside.y
                        || beside.y + beside.height < rect.y;
                    assert!(apart, "{id:?} and {other:?} overlap");
                }
            }
            for line in &layout.lines {
                for pair in line.points.windows(2) {
                    let (a, b) = (pair[0], pair[1]);
                    assert!(a.0 == b.0 || a.1 == b.1, "{line:?} has a slant");
                    for (id, rect) in &layout.boxes {
                        assert!(!crosses((a, b), *rect), "{:?} → {:?} runs through {id:?}", line.from, line.to);
                    }
                }
            }
        }
    }
}
