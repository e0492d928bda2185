//! The files at the cursor: the tree below `/`, what this run changed, one file with line numbers.

use super::shared::{size, start};
use super::state::{Action, View, use_page};
use crate::runtime::Snapshot;
use crate::timeline::Cursor;
use crate::vfs::{AbsPath, FsChange, Node, Vfs};
use std::rc::Rc;
use yew::prelude::*;

pub(super) fn files(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    html! { <Files snapshot={snapshot.clone()} cursor={view.cursor} file={view.file.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    snapshot: Rc<Snapshot>,
    cursor: Cursor,
    file: Option<AbsPath>,
}

#[component]
fn Files(props: &Props) -> Html {
    let page = use_page();
    let text = page.text;
    let timeline = &props.snapshot.timeline;
    let session = timeline.session(props.cursor);
    let before = &timeline.start().workspace.vfs;
    let now = &session.workspace.vfs;
    let changed = before.diff(now);
    html! {
        <div class="files">
            <ul class="tree" aria-label={text.files}>
                { for now.walk(&AbsPath::root()).filter(|(path, _)| path.as_str() != "/").map(|(path, node)| {
                    let depth = path.as_str().matches('/').count().saturating_sub(1);
                    let style = format!("--depth:{depth}");
                    let mark = changed.iter().any(|change| change.path() == path).then(|| if before.node(path).is_some() { text.file_changed } else { text.file_new });
                    match node {
                        Node::Link { target } => html! {
                            <li key={path.as_str()} class="file" {style}>
                                { path.name().to_string() }{ " -> " }{ target.to_string() }
                                if let Some(mark) = mark { <span class="badge">{ mark }</span> }
                            </li>
                        },
                        Node::Dir { .. } => html! { <li key={path.as_str()} class="dir" {style}>{ path.name().to_string() }{ "/" }</li> },
                        Node::File { bytes, .. } => {
                            let open = props.file.as_ref() == Some(path);
                            let onclick = page.press(Action::ShowFile((!open).then(|| path.clone())));
                            html! {
                                <li key={path.as_str()} class="file" {style}>
                                    <button type="button" class="link" aria-expanded={open.to_string()} {onclick}>{ path.name().to_string() }</button>
                                    <span class="size">{ size(bytes.len()) }</span>
                                    if let Some(mark) = mark { <span class="badge">{ mark }</span> }
                                </li>
                            }
                        }
                    }
                }) }
                { for changed.iter().filter(|change| matches!(change, FsChange::Remove { .. })).map(|change| html! {
                    <li key={change.path().as_str()} class="removed"><del>{ change.path().as_str().to_string() }</del><span class="badge">{ text.file_removed }</span></li>
                }) }
            </ul>
            if let Some(file) = &props.file { { viewer(now, file, text) } }
        </div>
    }
}

/// How many lines are drawn.
const LINES: usize = 2000;

fn viewer(vfs: &Vfs, path: &AbsPath, text: &super::text::Text) -> Html {
    let title = html! { <h3><code>{ path.as_str().to_string() }</code></h3> };
    let body = match vfs.read(path) {
        Err(_) => html! { <p class="hint">{ text.file_gone }</p> },
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Err(_) => html! { <p class="hint">{ (text.file_binary)(&size(bytes.len())) }</p> },
            Ok("") => html! { <p class="hint">{ text.file_empty }</p> },
            Ok(content) => {
                let lines = content.lines().count();
                html! {
                    <>
                        <ol class="lines">
                            { for content.lines().take(LINES).enumerate().map(|(i, line)| html! { <li key={i}><code>{ start(line, 2000).to_string() }</code></li> }) }
                        </ol>
                        if lines > LINES { <p class="hint">{ (text.more_lines)(lines - LINES) }</p> }
                    </>
                }
            }
        },
    };
    html! { <section class="viewer">{ title }{ body }</section> }
}
