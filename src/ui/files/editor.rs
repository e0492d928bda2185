//! Editing a file by hand.

use super::words::Words;
use crate::ui::shared::{Extra, button};
use crate::ui::state::{Action, FileDraft, use_page};
use crate::vfs::AbsPath;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// What the file holds now.
    pub(super) now: String,
    pub(super) path: AbsPath,
    /// What was typed before.
    pub(super) draft: Option<FileDraft>,
    pub(super) words: Shown,
    /// Why nothing can be saved at this moment.
    pub(super) locked: Option<&'static str>,
    pub(super) save: Callback<String>,
    pub(super) close: Callback<()>,
}

/// The words, which never change but with the language.
#[derive(Clone, Copy)]
pub(super) struct Shown(pub(super) &'static Words);

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

#[component]
pub(super) fn Editor(props: &Props) -> Html {
    let words = props.words.0;
    // A text field takes every line end for a line feed; a file that has Windows' line ends gets them back.
    let windows = props.now.contains("\r\n");
    let now = props.now.replace("\r\n", "\n");
    let FileDraft { base, typed } =
        props.draft.clone().unwrap_or_else(|| FileDraft { base: now.clone(), typed: now.clone() });
    let field = use_node_ref();
    {
        let field = field.clone();
        use_effect_with((), move |()| focus(&field));
    }
    let oninput = {
        // Kept with the page: looking at something else must not lose it.
        let (dispatch, path, base) = (use_page().dispatch, props.path.clone(), base.clone());
        move |event: InputEvent| {
            let typed = event.target_unchecked_into::<web_sys::HtmlTextAreaElement>().value();
            dispatch.dispatch(Action::Draft(path.clone(), Some(FileDraft { base: base.clone(), typed })));
        }
    };
    let save = {
        let (typed, save) = (typed.clone(), props.save.clone());
        Callback::from(move |_: MouseEvent| {
            save.emit(if windows { typed.replace('\n', "\r\n") } else { typed.clone() })
        })
    };
    let overtaken = base != now;
    let off = |disabled| Extra { disabled: disabled || props.locked.is_some(), ..Extra::default() };
    html! {
        <div class="editor">
            <textarea ref={field} aria-label={props.path.as_str().to_string()} spellcheck="false" rows="14" value={typed.clone()} {oninput} />
            if overtaken { <p class="fault" role="alert">{ words.changed_meanwhile }</p> }
            if let Some(why) = props.locked { <p class="hint">{ why }</p> }
            <div class="answers">
                { button("", words.discard.into(), Extra::default(), props.close.reform(|_| ())) }
                { button("primary", if overtaken { words.save_over } else { words.save }.into(), off(typed == now), save) }
            </div>
        </div>
    }
}

/// Puts the focus on a field.
pub(super) fn focus(field: &NodeRef) {
    if let Some(field) = field.cast::<web_sys::HtmlElement>() {
        field.focus().ok();
    }
}
