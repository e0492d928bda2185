//! The board: the plan as cards, the counter of rounds, and the history of plan updates. All of it as the cursor shows.

use super::later::part;
use super::shared::{Extra, button, link, one_line, tabs};
use super::state::{Action, BoardTab, ContextValue, View, use_page};
use super::text::Text;
use crate::agent::{ReminderPlace, Session, Step};
use crate::lesson::ReminderRules;
use crate::plan::{Plan, PlanItem, Status};
use crate::runtime::Snapshot;
use crate::timeline::Cursor;
use std::rc::Rc;
use yew::prelude::*;

/// The board's pane: its tabs, and what the chosen one shows.
pub(super) fn board(page: &ContextValue, view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    let text = page.text;
    let place = BoardTab::ALL.iter().position(|tab| *tab == view.board_tab).unwrap_or(0);
    let choose = page.dispatch.clone();
    let choose = Callback::from(move |place: usize| choose.dispatch(Action::ShowBoardTab(BoardTab::ALL[place])));
    html! {
        <>
            <header class="pane-head">
                <h2>{ text.board }</h2>
                { progress(&snapshot.timeline.session(view.cursor).workspace.plan, text) }
                { tabs(text.board, "board-panel", &text.board_tabs, place, choose) }
            </header>
            <div class="board-scroll" role="tabpanel" id="board-panel" aria-labelledby={format!("board-panel-{place}")} tabindex="0">
                { match view.board_tab {
                    BoardTab::Board => html! { <Board snapshot={snapshot.clone()} cursor={view.cursor} /> },
                    BoardTab::Loop => part(page, |parts| (parts.drawing)(view, snapshot)),
                    BoardTab::Rules => part(page, |parts| (parts.rules)(view, snapshot)),
                } }
            </div>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct Props {
    snapshot: Rc<Snapshot>,
    cursor: Cursor,
}

#[component]
fn Board(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let as_model = use_state(|| false);
    let timeline = &props.snapshot.timeline;
    let session = timeline.session(props.cursor);
    let plan = &session.workspace.plan;
    let toggle = {
        let as_model = as_model.clone();
        Callback::from(move |_| as_model.set(!*as_model))
    };
    let pressed = Extra { pressed: Some(*as_model), ..Extra::default() };
    html! {
        <>
            { counter(&page, props) }
            if let Some(rules) = &session.lesson.plan {
                <div class="plan">
                    { button("quiet", text.as_the_model_reads.into(), pressed, toggle) }
                    if *as_model {
                        <pre class="long as-model">{ plan.render(rules) }</pre>
                    } else {
                        <div class="columns">{ columns(plan, text) }</div>
                    }
                </div>
            } else {
                <p class="empty">{ text.lesson_without_plan }</p>
            }
            { history(&page, props) }
        </>
    }
}

fn columns(plan: &Plan, text: &Text) -> Html {
    // A card keeps its identity by its words: not every lesson's items have ids, and ids may repeat. Equal words are told
    // apart by their order.
    let cards: Vec<(String, &PlanItem)> = plan
        .items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            let nth = plan.items[..i].iter().filter(|earlier| earlier.content == item.content).count();
            (format!("{nth} {}", item.content), item)
        })
        .collect();
    Status::ALL
        .into_iter()
        .zip(text.columns)
        .map(|(status, title)| {
            let own: Vec<_> = cards.iter().filter(|(_, item)| item.status == status).collect();
            let count = own.len();
            html! {
                <section key={status.word()} class={classes!("column", status.word())}>
                    <h3>{ title }{ " " }<span class="count">{ count }</span></h3>
                    <ul>
                        { for own.into_iter().map(|(key, item)| html! { <li key={key.clone()} class="card">{ card(item) }</li> }) }
                    </ul>
                </section>
            }
        })
        .collect()
}

/// An item, with the id and the active form that it may have.
fn card(item: &PlanItem) -> Html {
    let active_form = item.active_form.as_ref().filter(|_| item.status == Status::InProgress);
    html! {
        <>
            <span class="mark" aria-hidden="true">{ item.status.mark() }</span>
            if let Some(id) = &item.id { <span class="id">{ format!("#{id}") }</span> }
            <span class="content">{ &item.content }</span>
            if let Some(form) = active_form { <span class="form">{ form }</span> }
        </>
    }
}

fn progress(plan: &Plan, text: &Text) -> Html {
    let (done, total) = (plan.done(), plan.items.len());
    if total == 0 {
        return html! {};
    }
    html! {
        <span class="progress">
            <progress value={done.to_string()} max={total.to_string()} aria-label={text.progress} />
            <span>{ format!("{done}/{total}") }</span>
        </span>
    }
}

/// What the counter shows at a moment.
#[derive(Debug, Clone, PartialEq)]
struct Lamps {
    lit: u32,
    rules: ReminderRules,
    /// The reminder that went into the request under way, by its name and the place of its stop.
    reminder: Option<(String, usize)>,
    tool: String,
}

impl Lamps {
    fn at(snapshot: &Snapshot, cursor: Cursor) -> Option<Self> {
        let timeline = &snapshot.timeline;
        let session: &Session = timeline.session(cursor);
        let rules = session.lesson.reminder.as_ref()?;
        // The reminder stays in sight until the round that carries it is counted: by then the counter is back at 0.
        let stops = timeline.stops();
        let reached = timeline.place(cursor).map_or(0, |place| place + 1);
        let back = (0..reached).rev().map_while(|place| stops.get(place).map(|stop| (place, stop)));
        let reminder = back
            .take_while(|(_, stop)| !matches!(stop.step, Step::Counted { .. } | Step::Prompt { .. }))
            .find_map(|(place, stop)| match &stop.step {
                Step::ReminderAdded { place: added, .. } => Some((named(*added), place)),
                _ => None,
            });
        let lit = if reminder.is_some() { rules.threshold } else { session.counter.idle() };
        let tool = session.lesson.plan.as_ref().map(|plan| plan.tool.clone()).unwrap_or_default();
        Some(Self { lit, rules: rules.clone(), reminder, tool })
    }
}

/// Where a reminder stands, as the inspector writes it.
pub(super) fn named(place: ReminderPlace) -> String {
    match place {
        ReminderPlace::Block { message, block } => format!("messages[{message}].content[{block}]"),
        ReminderPlace::System => "system".into(),
    }
}

/// The counter as lamps, with the rule in words.
fn counter(page: &ContextValue, props: &Props) -> Html {
    let text = page.text;
    let Some(lamps) = Lamps::at(&props.snapshot, props.cursor) else {
        return html! { <p class="counter none">{ text.lesson_without_counter }</p> };
    };
    let call = (text.plan_call)(&lamps.rules, &lamps.tool);
    let said = match &lamps.reminder {
        Some((place, stop)) => {
            html! { <>{ (text.reminder_sent)(lamps.rules.resets) } { " " }{ link(html! { <code>{ place }</code> }, page.to(*stop)) }</> }
        }
        None => html! { { (text.counter_now)(lamps.lit, &lamps.rules, &call) } },
    };
    html! {
        <section class={classes!("counter", lamps.reminder.is_some().then_some("fired"))} aria-label={text.counter}>
            <div class="lamp-row">{ row(&lamps) }<p class="counter-said" role="status">{ said }</p></div>
            <p class="rule">{ (text.counter_rule)(&lamps.rules, &call) }</p>
        </section>
    }
}

fn row(lamps: &Lamps) -> Html {
    html! {
        <span class="lamps" aria-hidden="true">
            { for (1..=lamps.rules.threshold.min(12)).map(|n| html! {
                <span key={n} class={classes!("lamp", (n <= lamps.lit).then_some("lit"))}>{ n }</span>
            }) }
        </span>
    }
}

/// The board in one line, for screens where the board itself is a tab.
pub(super) fn strip(text: &Text, snapshot: &Snapshot, cursor: Cursor) -> Html {
    let session = snapshot.timeline.session(cursor);
    let plan = &session.workspace.plan;
    let active = plan.items.iter().find(|item| item.status == Status::InProgress);
    html! {
        <div class="strip">
            if let Some(lamps) = Lamps::at(snapshot, cursor) {
                <span class={classes!("counter", lamps.reminder.is_some().then_some("fired"))}>{ row(&lamps) }</span>
            }
            <span class="active">
                { active.map_or_else(|| text.nothing_in_progress.to_string(), |item| format!("{} {}", Status::InProgress.mark(), item.content)) }
            </span>
            { progress(plan, text) }
        </div>
    }
}

/// How many updates the history shows: the last ones. Earlier ones are on the scrubber.
const HISTORY: usize = 50;

/// One row for each plan update up to the cursor, the newest first.
fn history(page: &ContextValue, props: &Props) -> Html {
    let text = page.text;
    let timeline = &props.snapshot.timeline;
    let end = timeline.place(props.cursor).map_or(0, |place| place + 1);
    let mut rows = Vec::new();
    let mut number = 0;
    for (place, stop) in timeline.stops().iter().take(end).enumerate() {
        let (class, said) = match &stop.step {
            Step::PlanReplaced { before, after, .. } => ("replaced", difference(before, after, text)),
            Step::PlanRejected { error, .. } => ("rejected", (text.update_rejected)(error)),
            _ => continue,
        };
        number += 1;
        rows.push((number, place, stop.round, class, said));
    }
    if rows.is_empty() {
        return html! {};
    }
    let earlier = rows.len().saturating_sub(HISTORY);
    html! {
        <section class="history" aria-label={text.plan_history}>
            <h3>{ text.plan_history }{ " " }<span class="count">{ number }</span></h3>
            <ol reversed=true>
                { for rows.into_iter().skip(earlier).rev().map(|(number, place, round, class, said)| {
                    html! {
                        <li key={number} value={number.to_string()} {class}>
                            { link((text.round)(round).into(), page.to(place)) }
                            <span>{ said }</span>
                        </li>
                    }
                }) }
            </ol>
            if earlier > 0 { <p class="hint">{ (text.earlier_updates)(earlier) }</p> }
        </section>
    }
}

/// What an update changed, in words.
fn difference(before: &Plan, after: &Plan, text: &Text) -> String {
    let find =
        |plan: &Plan, content: &str| plan.items.iter().find(|item| item.content == content).map(|item| item.status);
    let mut said = Vec::new();
    for item in &after.items {
        let short = one_line(&item.content, 40);
        match find(before, &item.content) {
            None => said.push(format!("+ {} {short}", item.status.mark())),
            Some(status) if status != item.status => {
                said.push(format!("{} → {} {short}", status.mark(), item.status.mark()))
            }
            Some(_) => {}
        }
    }
    for item in &before.items {
        if find(after, &item.content).is_none() {
            said.push(format!("− {}", one_line(&item.content, 40)));
        }
    }
    match said.is_empty() {
        true => text.nothing_changed.to_string(),
        false => said.join("\n"),
    }
}
