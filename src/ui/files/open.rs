//! The file that is open: as text with line numbers, as changes, or to be edited.

use super::Edit;
use super::diff::diff;
use super::editor::Editor;
use crate::ui::shared::{Extra, button, size, start};
use crate::ui::state::{Action, FileDraft, use_page};
use crate::ui::text::Text;
use crate::vfs::{AbsPath, FsChange, Vfs};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) path: AbsPath,
    pub(super) before: Vfs,
    pub(super) now: Vfs,
    pub(super) draft: Option<FileDraft>,
    pub(super) edit: Edit,
}

/// How the file is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Text,
    Changes,
    Edit,
    /// As text; the next press deletes it.
    Delete,
}

#[component]
pub(super) fn Open(props: &Props) -> Html {
    let page = use_page();
    let (text, edit, path) = (page.text, &props.edit, &props.path);
    let words = edit.words.0;
    let (before, now) = (props.before.read(path).ok(), props.now.read(path).ok());
    let chosen = use_state(|| None);
    let mode = chosen.unwrap_or(match &now {
        // What was just made empty by hand is there to be filled, and what was begun to be gone on with.
        Some(bytes) if (bytes.is_empty() && edit.locked != Some(words.only_live)) || props.draft.is_some() => {
            Mode::Edit
        }
        Some(_) => Mode::Text,
        None => Mode::Changes,
    });
    let set = |to: Mode| {
        let chosen = chosen.clone();
        Callback::from(move |_: MouseEvent| chosen.set(Some(to)))
    };
    let tab = |to: Mode, title: &'static str, disabled: bool| {
        let pressed = Some(mode == to || (to, mode) == (Mode::Text, Mode::Delete));
        button("", title.into(), Extra { pressed, disabled, ..Extra::default() }, set(to))
    };
    let download = {
        let (save, now, name) = (page.ports.save.clone(), now.clone(), path.name().to_string());
        Callback::from(move |_| save.emit((name.clone(), now.as_deref().unwrap_or_default().to_vec())))
    };
    let off = |disabled| Extra { disabled, ..Extra::default() };
    let locked = edit.locked.is_some();
    let uneditable = now.as_ref().is_none_or(|bytes| !can_edit(bytes));
    let delete = match mode {
        Mode::Delete => {
            let (edit, path, dispatch) = (edit.clone(), path.clone(), page.dispatch.clone());
            let delete = Callback::from(move |_| {
                if edit.make(path.name(), vec![FsChange::Remove { path: path.clone() }]) {
                    dispatch.dispatch(Action::ShowFile(None));
                }
            });
            button("", words.delete_sure.into(), off(locked), delete)
        }
        _ => button("quiet", words.delete.into(), off(now.is_none() || locked), set(Mode::Delete)),
    };
    let body = match (mode, &now) {
        (Mode::Changes, _) => diff(before.as_deref(), now.as_deref(), words),
        (Mode::Edit, Some(bytes)) if std::str::from_utf8(bytes).is_ok() => {
            let close = {
                let (chosen, dispatch, path) = (chosen.clone(), page.dispatch.clone(), path.clone());
                Callback::from(move |()| {
                    chosen.set(Some(Mode::Text));
                    dispatch.dispatch(Action::Draft(path.clone(), None));
                })
            };
            let save = {
                let (edit, path, close) = (edit.clone(), path.clone(), close.clone());
                Callback::from(move |typed: String| {
                    if edit.write(&path, typed.as_bytes()) {
                        close.emit(());
                    }
                })
            };
            html! { <Editor now={String::from_utf8_lossy(bytes).into_owned()} path={path.clone()} draft={props.draft.clone()} words={edit.words} locked={edit.locked} {save} {close} /> }
        }
        (_, now) => viewer(now.as_ref(), text),
    };
    html! {
        <section class="viewer" aria-label={path.as_str().to_string()}>
            <div class="viewer-head">
                <h3><code>{ path.as_str().to_string() }</code></h3>
                <div class="segmented" role="group" aria-label={path.as_str().to_string()}>
                    { tab(Mode::Text, words.text, now.is_none()) }
                    { tab(Mode::Changes, words.diff, false) }
                    { tab(Mode::Edit, words.edit, locked || uneditable) }
                </div>
                { button("quiet", words.download.into(), off(now.is_none()), download) }
                { delete }
            </div>
            if uneditable && now.is_some() && mode == Mode::Text { <p class="hint">{ words.uneditable }</p> }
            { body }
        </section>
    }
}

/// The largest file that is edited here, in bytes: a text field gets slow.
const MOST_BYTES: usize = 500_000;

/// Whether a text field can hold the file. It knows one kind of line end, so a file with several would come back changed.
fn can_edit(bytes: &[u8]) -> bool {
    let Some(text) = (bytes.len() <= MOST_BYTES).then(|| std::str::from_utf8(bytes).ok()).flatten() else {
        return false;
    };
    let (all, feeds, pairs) = (text.matches('\r').count(), text.matches('\n').count(), text.matches("\r\n").count());
    all == pairs && (pairs == 0 || pairs == feeds)
}

/// How many bytes of a line are drawn.
const WIDTH: usize = 2000;
/// How many lines are drawn.
const LINES: usize = 2000;

fn viewer(bytes: Option<&Rc<[u8]>>, text: &Text) -> Html {
    let Some(bytes) = bytes else { return html! { <p class="hint">{ text.file_gone }</p> } };
    match std::str::from_utf8(bytes) {
        Err(_) => html! { <p class="hint">{ (text.file_binary)(&size(bytes.len())) }</p> },
        Ok("") => html! { <p class="hint">{ text.file_empty }</p> },
        Ok(content) => {
            let lines = content.lines().count();
            html! {
                <>
                    <ol class="lines">
                        { for content.lines().take(LINES).enumerate().map(|(i, line)| html! { <li key={i}><code>{ start(line, WIDTH).to_string() }if line.len() > WIDTH { <span class="hint">{ " … " }{ size(line.len()) }</span> }</code></li> }) }
                    </ol>
                    if lines > LINES { <p class="hint">{ (text.more_lines)(lines - LINES) }</p> }
                </>
            }
        }
    }
}
