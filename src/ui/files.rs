//! The files at the cursor: the tree below `/` with what changed since a moment of the reader's choice, and one file as
//! text, as changes or to be edited. What the reader changes is an event of the run like any other.

mod diff;
mod editor;
mod open;
mod tree;
mod words;
mod zip;

use super::shared::{Extra, button, choice, size};
use super::state::{Action, ContextValue, FilesRead, View, use_page};
use crate::runtime::{Command, Snapshot};
use crate::vfs::{AbsPath, FILE_MODE, FsChange, Node, Vfs};
use std::collections::BTreeSet;
use std::rc::Rc;
use tree::{Mark, Row, Since};
use words::Words;
use yew::prelude::*;

pub(super) fn files(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    html! { <Files view={view.clone()} snapshot={snapshot.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    view: Rc<View>,
    snapshot: Rc<Snapshot>,
}

/// How many rows of the tree are drawn at first, and more at each press.
const ROWS: usize = 500;
/// The largest file that is taken in, in bytes.
const MOST_BYTES: f64 = 1e7;

/// What the tools above the tree are about to do.
#[derive(Clone, PartialEq, Default)]
enum About {
    #[default]
    Nothing,
    /// Files are taken back at the next press.
    Reset,
    /// A new file's path is being typed.
    New(String),
    /// It went wrong.
    Failed(String),
}

#[component]
fn Files(props: &Props) -> Html {
    let page = use_page();
    let words = words::of(props.view.language);
    let since = use_state(|| Since::Start);
    let about = use_state(About::default);
    let folded = use_state(BTreeSet::<AbsPath>::new);
    let most = use_state(|| ROWS);
    let (timeline, cursor) = (&props.snapshot.timeline, props.view.cursor);
    let (start, session) = (&timeline.start().workspace.vfs, timeline.session(cursor));
    let (before, now) = (since.files(timeline, cursor), &session.workspace.vfs);
    let path_field = use_node_ref();
    {
        let path_field = path_field.clone();
        use_effect_with(matches!(*about, About::New(_)), move |&asked| {
            if asked {
                editor::focus(&path_field);
            }
        });
    }
    let edit = Edit::new(&page, props, words, about.setter());
    let rows: Vec<Row> = tree::rows(before, now)
        .into_iter()
        .filter(|row| !folded.iter().any(|folder| *folder != row.path && folder.contains(&row.path)))
        .collect();

    let compare = Since::ALL.iter().position(|choice| *choice == *since).unwrap_or(0);
    let set_since = {
        let since = since.clone();
        Callback::from(move |chosen: usize| since.set(Since::ALL[chosen.min(2)]))
    };
    let ondrop = {
        let edit = edit.clone();
        move |event: DragEvent| {
            event.prevent_default();
            edit.upload(event.data_transfer().and_then(|dropped| dropped.files()));
        }
    };
    let more = {
        let most = most.clone();
        Callback::from(move |_| most.set(*most + ROWS))
    };
    let hidden = rows.len().saturating_sub(*most);
    html! {
        <div class="files" ondragover={|event: DragEvent| event.prevent_default()} {ondrop}>
            <div class="file-tools">
                { choice("choice", words.compare, words.since.into(), compare, set_since) }
                { tools(&page, &edit, &about, start.diff(now).len(), now, &session.workdir) }
            </div>
            { edit.said(&about, &path_field) }
            <ul class="tree" aria-label={page.text.files}>
                { for rows.iter().take(*most).map(|row| entry(&page, row, &folded, props.view.file.as_ref())) }
            </ul>
            if hidden > 0 { { button("more", (words.more)(hidden).into(), Extra::default(), more) } }
            if let Some(path) = &props.view.file {
                <open::Open key={path.as_str()} path={path.clone()} before={before.clone()} now={now.clone()} draft={props.view.drafts.get(path).cloned()} edit={edit.clone()} />
            }
        </div>
    }
}

/// A row of the tree.
fn entry(page: &ContextValue, row: &Row, folded: &UseStateHandle<BTreeSet<AbsPath>>, shown: Option<&AbsPath>) -> Html {
    let Row { path, node, mark } = row;
    let text = page.text;
    let style = format!("--depth:{}", path.as_str().matches('/').count().saturating_sub(1));
    let badge = mark.map(|mark| match mark {
        Mark::New => text.file_new,
        Mark::Changed => text.file_changed,
        Mark::Removed => text.file_removed,
    });
    let is_open = shown == Some(path);
    let open = page.press(Action::ShowFile((!is_open).then(|| path.clone())));
    let name = path.name().to_string();
    let (class, name, about) = match node {
        None => (
            "removed",
            html! { <button type="button" class="link" aria-expanded={is_open.to_string()} onclick={open}><del>{ name }</del></button> },
            html! {},
        ),
        Some(Node::Link { target }) => {
            ("file", html! { <span>{ name }{ " -> " }{ target.to_string() }</span> }, html! {})
        }
        Some(Node::Dir { .. }) => {
            let (path, folded, is_folded) = (path.clone(), folded.clone(), folded.contains(path));
            let fold = move |_| {
                let mut next = (*folded).clone();
                if !next.remove(&path) {
                    next.insert(path.clone());
                }
                folded.set(next);
            };
            (
                "dir",
                html! { <button type="button" class="link" aria-expanded={(!is_folded).to_string()} onclick={fold}>{ name }{ "/" }</button> },
                html! {},
            )
        }
        Some(Node::File { bytes, .. }) => (
            "file",
            html! { <button type="button" class="link" aria-expanded={is_open.to_string()} onclick={open}>{ name }</button> },
            html! { <span class="size">{ size(bytes.len()) }</span> },
        ),
    };
    html! { <li key={path.as_str()} {class} {style}>{ name }{ about }if let Some(badge) = badge { <span class="badge">{ badge }</span> }</li> }
}

/// New file, upload, download, reset.
fn tools(
    page: &ContextValue,
    edit: &Edit,
    about: &UseStateHandle<About>,
    changes: usize,
    now: &Vfs,
    workdir: &AbsPath,
) -> Html {
    let words = edit.words.0;
    let set = |to: About| {
        let about = about.clone();
        Callback::from(move |_: MouseEvent| about.set(to.clone()))
    };
    let grey = |disabled| Extra { disabled, ..Extra::default() };
    let locked = edit.locked.is_some();
    let upload = {
        let edit = edit.clone();
        move |event: Event| {
            let input = event.target_unchecked_into::<web_sys::HtmlInputElement>();
            edit.upload(input.files());
            // The same file can be chosen again.
            input.set_value("");
        }
    };
    let download = {
        let (page, about, now, workdir) = (page.clone(), about.setter(), now.clone(), workdir.clone());
        Callback::from(move |_| {
            let (page, about, archive) = (page.clone(), about.clone(), zip::zip(now.clone(), workdir.clone()));
            yew::platform::spawn_local(async move {
                match archive.await {
                    Ok(bytes) => page.ports.save.emit(("workspace.zip".into(), bytes)),
                    Err(_) => about.set(About::Failed(page.text.part_not_loaded.into())),
                }
            });
        })
    };
    let reset = match **about {
        About::Reset => {
            let edit = edit.clone();
            button("", (words.reset_sure)(changes).into(), grey(locked), Callback::from(move |_| edit.reset()))
        }
        _ => button("quiet", words.reset.into(), grey(locked || changes == 0), set(About::Reset)),
    };
    html! {
        <>
            { button("quiet", words.new_file.into(), grey(locked), set(About::New(String::new()))) }
            <label class="upload quiet" title={words.drop}>
                <input type="file" multiple=true disabled={locked} onchange={upload} /><span>{ words.upload }</span>
            </label>
            { button("quiet", words.download_all.into(), grey(false), download) }
            { reset }
        </>
    }
}

/// The reader's changes to the files, and why there can be none at this moment.
#[derive(Clone, PartialEq)]
struct Edit {
    page: ContextValue,
    snapshot: Rc<Snapshot>,
    words: editor::Shown,
    locked: Option<&'static str>,
    about: UseStateSetter<About>,
}

impl Edit {
    fn new(page: &ContextValue, props: &Props, words: &'static Words, about: UseStateSetter<About>) -> Self {
        let timeline = &props.snapshot.timeline;
        let live = timeline.is_at_end(props.view.cursor);
        let locked = match (live, &props.snapshot.running) {
            (false, _) => Some(words.only_live),
            (true, Some(_)) => Some(words.command_runs),
            (true, None) => None,
        };
        Self { page: page.clone(), snapshot: props.snapshot.clone(), words: editor::Shown(words), locked, about }
    }

    /// Makes changes, if they can be made: whole or not at all.
    fn make(&self, name: &str, changes: Vec<FsChange>) -> bool {
        let mut files = self.snapshot.timeline.live().workspace.vfs.clone();
        match files.apply(&changes) {
            Ok(()) => {
                self.about.set(About::Nothing);
                self.page.ports.send.emit(Command::Edit(changes));
                true
            }
            Err(error) => {
                self.about.set(About::Failed((self.words.0.refused)(name, &error.to_string())));
                false
            }
        }
    }

    fn write(&self, path: &AbsPath, bytes: &[u8]) -> bool {
        let mode = self.snapshot.timeline.live().workspace.vfs.node(path).map_or(FILE_MODE, Node::mode);
        self.make(path.name(), vec![FsChange::Write { path: path.clone(), bytes: bytes.into(), mode }])
    }

    /// Back to the files that the run began with.
    fn reset(&self) {
        let timeline = &self.snapshot.timeline;
        self.make("", timeline.live().workspace.vfs.diff(&timeline.start().workspace.vfs));
    }

    /// Takes files in, below the working directory.
    fn upload(&self, files: Option<web_sys::FileList>) {
        let Some(files) = files.filter(|files| files.length() > 0 && self.locked.is_none()) else { return };
        let words = self.words.0;
        let large = |file: &web_sys::File| file.size() > MOST_BYTES;
        if let Some(file) = (0..files.length()).filter_map(|i| files.item(i)).find(large) {
            return self.about.set(About::Failed((words.too_large)(&file.name())));
        }
        let (edit, workdir) = (self.clone(), self.snapshot.timeline.live().workdir.clone());
        let take = Callback::from(move |read: FilesRead| {
            let read = match read {
                Ok(read) => read,
                Err(name) => return edit.about.set(About::Failed((words.refused)(&name, words.unreadable))),
            };
            let write = |(name, bytes): (String, Vec<u8>)| FsChange::Write {
                path: workdir.join(&name),
                bytes: bytes.into(),
                mode: FILE_MODE,
            };
            let name = read.first().map(|(name, _)| name.clone()).unwrap_or_default();
            edit.make(&name, read.into_iter().map(write).collect());
        });
        self.page.ports.read_files.emit((files, take));
    }

    /// What there is to say above the tree, and the field for a new file's path.
    fn said(&self, about: &UseStateHandle<About>, path_field: &NodeRef) -> Html {
        let words = self.words.0;
        match &**about {
            About::Failed(why) => html! { <p class="fault" role="alert">{ why }</p> },
            About::New(typed) => {
                let oninput = {
                    let about = about.clone();
                    move |event: InputEvent| {
                        about.set(About::New(event.target_unchecked_into::<web_sys::HtmlInputElement>().value()))
                    }
                };
                let (edit, typed_now) = (self.clone(), typed.clone());
                let onsubmit = move |event: SubmitEvent| {
                    event.prevent_default();
                    edit.create(&typed_now);
                };
                html! {
                    <form class="new-file" {onsubmit}>
                        <label>{ words.new_path }{ " " }<input ref={path_field.clone()} type="text" value={typed.clone()} placeholder="notes/today.md" autocomplete="off" spellcheck="false" {oninput} /></label>
                        <button type="submit" class="primary">{ words.create }</button>
                    </form>
                }
            }
            _ => html! { if let Some(why) = self.locked { <p class="hint">{ why }</p> } },
        }
    }

    /// Makes an empty file, with the directories above it, and opens it; opens one that is there.
    fn create(&self, typed: &str) {
        let session = self.snapshot.timeline.live();
        let (path, mut files) = (session.workdir.join(typed.trim()), session.workspace.vfs.clone());
        let below = path.relative_to(&session.workdir).is_some_and(|below| !below.is_empty());
        if !below || typed.trim().ends_with('/') {
            return self.about.set(About::Failed(self.words.0.bad_path.into()));
        }
        if !files.is_file(&path) {
            let made = path.parent().map_or(Ok(()), |parent| files.make_dirs(&parent));
            let made = made
                .map_err(|error| error.to_string())
                .and_then(|()| files.write(&path, Vec::new()).map_err(|error| error.to_string()));
            if let Err(why) = made {
                return self.about.set(About::Failed((self.words.0.refused)(path.name(), &why)));
            }
            self.make(path.name(), session.workspace.vfs.diff(&files));
        }
        self.about.set(About::Nothing);
        self.page.dispatch.dispatch(Action::ShowFile(Some(path)));
    }
}
