//! The drawing itself. Nodes are buttons that go to their last step; the one at the cursor is lit.

use super::super::state::{Action, ContextValue};
use super::labels::{Label, Labels};
use super::words::Words;
use super::{class, sign};
use crate::drawing::layout::{Layout, Line, Rect, WIDTH};
use crate::drawing::{Drawing, Mark, Node, NodeId, Scope, Steps, Way};
use crate::timeline::Cursor;
use wasm_bindgen::JsCast;
use yew::prelude::*;

pub(super) fn svg(page: &ContextValue, drawing: &Drawing, steps: &Steps, labels: &Labels, words: &Words) -> Html {
    let layout = Layout::new(drawing);
    let is_walked = |line: &Line| steps.walked.contains(&(line.from, line.to));
    let goes_on =
        drawing.edges.iter().any(|edge| edge.way == Way::Next && steps.walked.contains(&(edge.from, edge.to)));
    let mark = |line: &Line| drawing.edges.iter().find(|edge| (edge.from, edge.to) == (line.from, line.to))?.mark;
    // What is new is drawn over what was kept, and what was walked over all.
    let mut lines: Vec<&Line> = layout.lines.iter().collect();
    lines.sort_by_key(|line| (is_walked(line), mark(line) == Some(Mark::Added)));
    let first = steps.current.filter(|&id| drawing.has(id)).or(drawing.nodes.first().map(|node| node.id));
    html! {
        <svg viewBox={format!("0 0 {WIDTH} {}", layout.height)} role="group" aria-label={words.drawing} {onkeydown}>
            if let Some(frame) = layout.frame {
                <g class={classes!("frame", goes_on.then_some("walked"))} aria-hidden="true">
                    <rect x={frame.x.to_string()} y={frame.y.to_string()} width={frame.width.to_string()} height={frame.height.to_string()} rx="8" />
                    { text("edge-label", frame.x + frame.width - 10, frame.y + 4, "end", words.each_call) }
                </g>
            }
            <g aria-hidden="true">
                { for lines.into_iter().map(|line| edge(line, class(mark(line)), is_walked(line))) }
                { for labelled(&layout.lines).into_iter().map(|line| said(line, drawing.scope, labels)) }
            </g>
            <g>
                { for drawing.nodes.iter().filter_map(|node| {
                    let rect = layout.boxes.iter().find(|(id, _)| *id == node.id)?.1;
                    let label = labels.of(node.id);
                    Some(draw(page, node, rect, &label, steps, Some(node.id) == first, words))
                }) }
            </g>
        </svg>
    }
}

/// Arrows go from node to node, in the order of the loop.
fn onkeydown(event: KeyboardEvent) {
    let Some(node) = event.target_dyn_into::<web_sys::Element>() else { return };
    let next = match event.key().as_str() {
        "ArrowDown" | "ArrowRight" => node.next_element_sibling(),
        "ArrowUp" | "ArrowLeft" => node.previous_element_sibling(),
        "Home" => node.parent_element().and_then(|all| all.first_element_child()),
        "End" => node.parent_element().and_then(|all| all.last_element_child()),
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = next {
        // A part of a drawing has the same `focus` as an element of HTML.
        next.unchecked_into::<web_sys::HtmlElement>().focus().ok();
    }
}

fn draw(
    page: &ContextValue,
    node: &Node,
    rect: Rect,
    label: &Label,
    steps: &Steps,
    is_stop: bool,
    words: &Words,
) -> Html {
    let target = steps.last_step(node.id);
    let current = steps.current == Some(node.id);
    let go = {
        let dispatch = page.dispatch.clone();
        Callback::from(move |()| {
            if let Some(place) = target {
                dispatch.dispatch(Action::Go(Cursor::At(place)));
            }
        })
    };
    let onclick = {
        let go = go.clone();
        move |_: MouseEvent| go.emit(())
    };
    let onkeydown = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            go.emit(());
        }
    };
    let mut name = format!("{}{}{}", label.title, words.colon, label.whole(node, words));
    if target.is_none() {
        name = format!("{name}{}{}", words.space, words.never);
    }
    let middle = rect.middle();
    let (title_at, detail_at) = (rect.centre() + if label.detail.is_empty() { 5 } else { -3 }, rect.centre() + 13);
    html! {
        <g key={format!("{:?}", node.id)} class={classes!("node", class(node.mark), current.then_some("lit"))} role="button"
            tabindex={if is_stop { "0" } else { "-1" }} aria-label={name} aria-current={current.then_some("step")}
            aria-disabled={target.is_none().then_some("true")} {onclick} {onkeydown}>
            <path class="ring" d={shape(node.id, rect, 4)} />
            <path class="shape" d={shape(node.id, rect, 0)} />
            { text("title", middle, title_at, "middle", &fit(&label.title, rect.width - 12, 8)) }
            { text("detail", middle, detail_at, "middle", &fit(&label.detail, rect.width - 12, 6)) }
            if let Some(mark) = node.mark { { badge(rect, mark) } }
        </g>
    }
}

/// A mark, at the node's corner.
fn badge(rect: Rect, mark: Mark) -> Html {
    let (x, y) = (rect.x + 4, rect.y + 3);
    html! {
        <g class="badge-mark">
            <circle cx={x.to_string()} cy={y.to_string()} r="7" />
            { text("sign", x, y + 4, "middle", sign(mark)) }
        </g>
    }
}

/// The outline of a node, `out` units around it: six corners for a question, round for where a turn begins and ends.
fn shape(id: NodeId, rect: Rect, out: i32) -> String {
    let (left, right) = (rect.x - out, rect.x + rect.width + out);
    let (top, bottom, centre) = (rect.y - out, rect.y + rect.height + out, rect.centre());
    let radius = match id {
        NodeId::Calls | NodeId::Check | NodeId::Due => {
            let (from, to) = (left + 14, right - 14);
            return format!("M{from} {top}H{to}L{right} {centre}L{to} {bottom}H{from}L{left} {centre}Z");
        }
        NodeId::Prompt | NodeId::End => (bottom - top) / 2,
        _ => 5,
    };
    let (from, to) = (left + radius, right - radius);
    let arc = |x: i32, y: i32| format!("A{radius} {radius} 0 0 1 {x} {y}");
    format!(
        "M{from} {top}H{to}{}V{}{}H{from}{}V{}{}Z",
        arc(right, top + radius),
        bottom - radius,
        arc(to, bottom),
        arc(left, bottom - radius),
        top + radius,
        arc(from, top)
    )
}

/// A line with its corners rounded, and an arrow head at its end.
fn edge(line: &Line, mark: &'static str, walked: bool) -> Html {
    let points = &line.points;
    let (Some(&first), Some(&end), Some(&before)) = (points.first(), points.last(), points.iter().rev().nth(1)) else {
        return html! {};
    };
    // The stroke ends within the head.
    let (dx, dy) = ((end.0 - before.0).signum(), (end.1 - before.1).signum());
    let stop = (end.0 - dx * 5, end.1 - dy * 5);
    let mut path = format!("M{} {}", first.0, first.1);
    for corner in points.windows(3) {
        let [a, b, c] = [corner[0], corner[1], corner[2]];
        let near = |p: (i32, i32)| (b.0 + (p.0 - b.0).clamp(-5, 5), b.1 + (p.1 - b.1).clamp(-5, 5));
        let ((ax, ay), (cx, cy)) = (near(a), near(c));
        path.push_str(&format!("L{ax} {ay}Q{} {} {cx} {cy}", b.0, b.1));
    }
    path.push_str(&format!("L{} {}", stop.0, stop.1));
    let (x, y) = end;
    let (back_x, back_y) = (x - dx * 8, y - dy * 8);
    let head = format!("M{x} {y}L{} {}L{} {}Z", back_x + dy * 4, back_y + dx * 4, back_x - dy * 4, back_y - dx * 4);
    let key = format!("{:?}{:?}{:?}", line.from, line.to, line.way);
    html! {
        <g {key} class={classes!("edge", mark, walked.then_some("walked"))}>
            <path class="line" d={path} />
            <path class="head" d={head} />
        </g>
    }
}

/// The lines that are labelled: the first one of each way out of a node.
fn labelled(lines: &[Line]) -> Vec<&Line> {
    let is_first = |place: usize, line: &Line| {
        !lines[..place].iter().any(|earlier| (earlier.from, earlier.way) == (line.from, line.way))
    };
    lines
        .iter()
        .enumerate()
        .filter(|(place, line)| line.way != Way::On && is_first(*place, line))
        .map(|(_, line)| line)
        .collect()
}

/// Why a line is taken, beside it.
fn said(line: &Line, scope: Scope, labels: &Labels) -> Html {
    let words = labels.words;
    let threshold = labels.lesson.reminder.as_ref().map_or(0, |rules| rules.threshold);
    let label = match (line.way, line.from) {
        (Way::Yes, NodeId::Counter) => format!("≥ {threshold}"),
        (Way::Yes, NodeId::Check) => words.valid.to_string(),
        (Way::Yes, _) => words.yes.to_string(),
        (Way::No, NodeId::Counter) => format!("< {threshold}"),
        (Way::No, NodeId::Check) => words.refused.to_string(),
        (Way::No, _) => words.no.to_string(),
        (Way::Blocked, _) => words.blocked.to_string(),
        (Way::Answered, _) => words.answer.to_string(),
        (Way::Reset, _) => "= 0".to_string(),
        (Way::On | Way::Next, _) => return html! {},
    };
    let points = &line.points;
    let between = |a: (i32, i32), b: (i32, i32)| ((a.0 + b.0) / 2, (a.1 + b.1) / 2);
    let (x, y) = match (line.way, points.as_slice()) {
        (Way::Blocked, [_, top, bottom, ..]) => {
            let (x, y) = between(*top, *bottom);
            return html! { <g transform={format!("rotate(-90 {x} {y})")}>{ text("edge-label", x, y + 4, "middle", &label) }</g> };
        }
        (Way::Answered, [.., a, b]) => between(*a, *b),
        // Down a lane beside the nodes: upon it.
        (_, [_, a, b]) if scope == Scope::Plan => {
            let (x, y) = between(*a, *b);
            return text("edge-label", x, y, "middle", &label);
        }
        (_, [_, a, b, _]) => between(*a, *b),
        (_, [a, b, ..]) if a.0 == b.0 => return text("edge-label", a.0 + 7, a.1 + 14, "start", &label),
        // Below the line: above it the next node has its mark.
        (Way::Yes | Way::Reset, [a, b, ..]) => {
            let (x, y) = between(*a, *b);
            return text("edge-label", x, y + 16, "middle", &label);
        }
        (_, [a, b, ..]) => between(*a, *b),
        _ => return html! {},
    };
    text("edge-label", x, y - 5, "middle", &label)
}

fn text(class: &'static str, x: i32, y: i32, anchor: &'static str, said: &str) -> Html {
    html! { <text {class} x={x.to_string()} y={y.to_string()} text-anchor={anchor}>{ said.to_string() }</text> }
}

/// A text cut to a width, by the width of its letters: Latin ones `letter` units, others twice that.
fn fit(text: &str, width: i32, letter: i32) -> String {
    let wide = |c: char| if c.is_ascii() { letter } else { letter * 2 };
    if text.chars().map(wide).sum::<i32>() <= width {
        return text.to_string();
    }
    let mut left = width - letter;
    let mut kept: String = text
        .chars()
        .take_while(|&c| {
            left -= wide(c);
            left >= 0
        })
        .collect();
    kept.push('…');
    kept
}
