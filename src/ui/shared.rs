//! Small things that several parts of the page use.

use super::state::use_page;
use crate::agent::Step;
use crate::timeline::Cursor;
use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// A shared value that is equal only to itself, so that comparing props costs a pointer.
#[derive(Debug)]
pub(super) struct Same<T: ?Sized>(pub(super) Rc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> Deref for Same<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// What a button may have besides its class, its words and what it does.
#[derive(Default)]
pub(super) struct Extra {
    /// Its name, where it has no words; shown beside the pointer, too.
    pub(super) name: Option<&'static str>,
    pub(super) title: Option<&'static str>,
    pub(super) pressed: Option<bool>,
    pub(super) disabled: bool,
}

/// A button. One function for most of them: each `<button>` in an `html!` is a hundred bytes of program and more.
#[inline(never)]
pub(super) fn button(class: &'static str, label: Html, extra: Extra, onclick: Callback<MouseEvent>) -> Html {
    let pressed = extra.pressed.map(|pressed| if pressed { "true" } else { "false" });
    html! {
        <button type="button" {class} aria-label={extra.name} title={extra.title.or(extra.name)} aria-pressed={pressed}
            disabled={extra.disabled} {onclick}>{ label }</button>
    }
}

/// A button that looks like a link.
pub(super) fn link(label: Html, onclick: Callback<MouseEvent>) -> Html {
    button("link", label, Extra::default(), onclick)
}

/// A select under its label. `change` gets the place of what was chosen.
#[inline(never)]
pub(super) fn choice(
    class: &'static str,
    label: &'static str,
    names: Vec<&str>,
    chosen: usize,
    change: Callback<usize>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let select = event.target_unchecked_into::<web_sys::HtmlSelectElement>();
        change.emit(select.selected_index().max(0) as usize);
    });
    // A choice can change by itself, with a run that is brought back; and once a reader has chosen, an option's attribute has
    // no say any more.
    html! {
        <label {class}><span>{ label }</span>
            <select ~selectedIndex={chosen as u32} {onchange}>
                { for names.into_iter().enumerate().map(|(i, name)| html! {
                    <option key={i} value={i.to_string()} selected={i == chosen}>{ name.to_string() }</option>
                }) }
            </select>
        </label>
    }
}

/// A list of tabs over the panel of an id; the tab of a place has the panel's id with the place behind it. `choose` gets
/// the place of the tab that is chosen.
#[inline(never)]
pub(super) fn tabs(
    name: &'static str,
    panel: &'static str,
    titles: &[&'static str],
    chosen: usize,
    choose: Callback<usize>,
) -> Html {
    let onkeydown = {
        let (choose, count) = (choose.clone(), titles.len());
        move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" => (chosen + 1) % count,
                "ArrowLeft" => (chosen + count - 1) % count,
                "Home" => 0,
                "End" => count - 1,
                _ => return,
            };
            event.prevent_default();
            choose.emit(next);
            // The focus goes with the selection, as the tab pattern asks.
            // Yew's handlers sit at the page's root, so the list is found from the tab that has the focus.
            let list = event.target_dyn_into::<web_sys::Element>().and_then(|tab| tab.parent_element());
            let button = list.and_then(|list| list.children().item(next as u32));
            if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
                button.focus().ok();
            }
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label={name} {onkeydown}>
            { for titles.iter().enumerate().map(|(place, title)| {
                let (choose, selected) = (choose.clone(), place == chosen);
                let onclick = move |_| choose.emit(place);
                html! {
                    <button key={*title} type="button" role="tab" id={format!("{panel}-{place}")} aria-selected={selected.to_string()}
                        aria-controls={panel} tabindex={if selected { "0" } else { "-1" }} {onclick}>{ *title }</button>
                }
            }) }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct FoldProps {
    #[prop_or_default]
    pub(super) class: Classes,
    /// Where a block stands, for those that can be asked for.
    #[prop_or_default]
    pub(super) position: Option<String>,
    /// Whether it begins unfolded.
    #[prop_or_default]
    pub(super) open: bool,
    pub(super) summary: Html,
    pub(super) body: Callback<(), Html>,
}

/// Something folded. What is inside is made when it is first unfolded: a run has thousands of these, and few are opened.
#[component]
pub(super) fn Fold(props: &FoldProps) -> Html {
    let opened = use_state(|| props.open);
    let ontoggle = {
        let opened = opened.clone();
        move |event: Event| {
            let open = event.target_dyn_into::<web_sys::Element>().is_some_and(|fold| fold.has_attribute("open"));
            if open && !*opened {
                opened.set(true);
            }
        }
    };
    html! {
        <details class={props.class.clone()} open={props.open} data-position={props.position.clone()} {ontoggle}>
            <summary>{ props.summary.clone() }</summary>
            if *opened { { props.body.emit(()) } }
        </details>
    }
}

/// How much of a long text is shown before the reader asks for all of it, in bytes.
const SHORT: usize = 4000;

#[derive(Properties, PartialEq)]
pub(super) struct LongTextProps {
    pub(super) text: AttrValue,
}

/// A text as it is, white space and all; a long one only as far as the reader asks.
#[component]
pub(super) fn LongText(props: &LongTextProps) -> Html {
    let page = use_page();
    let whole = use_state(|| false);
    let text = &props.text;
    let shown = if *whole { text } else { start(text, SHORT) };
    let more = (shown.len() < text.len()).then(|| {
        let onclick = Callback::from(move |_| whole.set(true));
        button("more", (page.text.show_all)(&size(text.len())).into(), Extra::default(), onclick)
    });
    // What may have to be scrolled must be a stop for the keyboard.
    let stop = (shown.len() > 600 || shown.lines().count() > 10).then_some("0");
    html! { <><pre class="long" tabindex={stop}>{ shown.to_string() }</pre>{ more }</> }
}

/// The first bytes of a text, up to a character's border.
pub(super) fn start(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// A text in one line, cut to so many characters.
pub(super) fn one_line(text: &str, chars: usize) -> String {
    let text = start(text, chars * 8);
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(chars) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// A number of bytes for readers.
pub(super) fn size(bytes: usize) -> String {
    let tenths = |unit: usize| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{} kB", tenths(1000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

/// What a stop is to a reader: it colours its mark on the scrubber. Later ones are drawn over earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plan,
    Rejected,
    Blocked,
    Failed,
    Prompt,
    Reminder,
}

impl Mark {
    pub(super) const ALL: [Self; 6] =
        [Self::Plan, Self::Rejected, Self::Blocked, Self::Failed, Self::Prompt, Self::Reminder];

    /// Where its stroke begins, in tenths of the scrubber's height.
    pub(super) fn top(self) -> u8 {
        if self == Self::Reminder { 5 } else { 0 }
    }

    /// How long its stroke is. A stroke of no length with round ends is a dot.
    pub(super) fn height(self) -> u8 {
        match self {
            Self::Reminder => 0,
            Self::Prompt => 10,
            _ => 7,
        }
    }

    pub(super) fn of(step: &Step) -> Option<Self> {
        Some(match step {
            Step::Prompt { .. } => Self::Prompt,
            Step::PlanReplaced { .. } => Self::Plan,
            Step::PlanRejected { .. } => Self::Rejected,
            Step::ReminderAdded { .. } => Self::Reminder,
            Step::ToolReturned { outcome: crate::agent::Outcome::Blocked, .. } | Step::Asked { .. } => Self::Blocked,
            Step::Failed { .. } => Self::Failed,
            _ => return None,
        })
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Prompt => "mark-prompt",
            Self::Plan => "mark-plan",
            Self::Rejected => "mark-rejected",
            Self::Reminder => "mark-reminder",
            Self::Blocked => "mark-blocked",
            Self::Failed => "mark-failed",
        }
    }
}

/// The last bytes of a text, from a character's border.
pub(super) fn tail(text: &str, bytes: usize) -> &str {
    let start = text.len().saturating_sub(bytes);
    let start = (start..=text.len()).find(|&start| text.is_char_boundary(start)).unwrap_or(0);
    &text[start..]
}

/// Keeps a box at its bottom while it grows, unless the reader scrolled up.
#[hook]
pub(super) fn use_bottom(cursor: Cursor) -> (NodeRef, Callback<Event>) {
    let (node, onscroll, _) = use_following(cursor);
    (node, onscroll)
}

/// The box of a long list, kept at its bottom as [`use_bottom`] does, and where it begins to be drawn: at its last `size`
/// items. While the reader has scrolled up nothing is taken away above, where it would move what is read, up to as many
/// items again.
#[hook]
pub(super) fn use_long_list(cursor: Cursor, total: usize, size: usize) -> (NodeRef, Callback<Event>, usize) {
    let (node, onscroll, follows) = use_following(cursor);
    let first = use_mut_ref(|| 0usize);
    let last_ones = total.saturating_sub(size);
    let kept = *first.borrow();
    let start = match *follows.borrow() || kept > last_ones || last_ones - kept > size {
        true => last_ones,
        false => kept,
    };
    *first.borrow_mut() = start;
    (node, onscroll, start)
}

/// A box that is kept at its bottom, and whether it is for now.
#[hook]
fn use_following(cursor: Cursor) -> (NodeRef, Callback<Event>, Rc<RefCell<bool>>) {
    let node = use_node_ref();
    let follow = use_mut_ref(|| true);
    {
        let follow = follow.clone();
        use_effect_with(cursor, move |_| *follow.borrow_mut() = true);
    }
    {
        let (node, follow) = (node.clone(), follow.clone());
        use_effect(move || {
            if *follow.borrow()
                && let Some(element) = node.cast::<web_sys::Element>()
            {
                element.set_scroll_top(element.scroll_height());
            }
        });
    }
    let onscroll = {
        let (node, follow) = (node.clone(), follow.clone());
        Callback::from(move |_| {
            if let Some(element) = node.cast::<web_sys::Element>() {
                let below = element.scroll_height() - element.scroll_top() - element.client_height();
                *follow.borrow_mut() = below < 32;
            }
        })
    };
    (node, onscroll, follow)
}
