//! The parts of the page that load when they are first shown: they are in a file of their own, not in what a first visit
//! loads.
//!
//! A build with the feature `split` parts the program here (`wasm_split_helpers`): what is reached only from [`parts`],
//! the components with all that they call, goes into the other file. Without the feature it is all there from the start.

// What `wasm_split` writes declares the function that the other file has, and that is unsafe by its nature.
#![cfg_attr(feature = "split", allow(unsafe_code))]

use super::state::{ContextValue, View};
use crate::agent::Session;
use crate::language::Language;
use crate::runtime::Snapshot;
use crate::wire::checker::Finding;
use std::rc::Rc;
use yew::prelude::*;

/// A part, as the function that draws it.
pub(super) type Part = fn(&Rc<View>, &Rc<Snapshot>) -> Html;

/// The parts.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) settings: Part,
    pub(super) request: Part,
    pub(super) files: Part,
    pub(super) terminal: Part,
    pub(super) drawing: Part,
    pub(super) rules: Part,
    pub(super) compare: Part,
    pub(super) gates: Part,
    pub(super) refused: Part,
    /// What breaks the API's rules in the list that the next request carries.
    pub(super) find: fn(&Session) -> Rc<[Finding]>,
    /// The line about it above the list.
    pub(super) summary: fn(&[Finding], Language, &ContextValue) -> Html,
    /// What stands at the block concerned.
    pub(super) finding: fn(&Finding, Language) -> Html,
    /// The mark of a message in which the reader had a block moved.
    pub(super) moved: fn(Language) -> Html,
}

impl PartialEq for Parts {
    /// There is one set of them.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The file with the parts did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotThere;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotThere {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// A part that loads when it is first shown, or what is to be said of it instead.
pub(super) fn part(page: &ContextValue, draw: impl FnOnce(&Parts) -> Html) -> Html {
    match &page.parts {
        Some(Ok(parts)) => draw(parts),
        Some(Err(NotThere)) => html! { <p class="fault" role="alert">{ page.text.part_not_loaded }</p> },
        None => html! { <p class="hint">{ page.text.part_loads }</p> },
    }
}

/// Brings the parts in. May be asked again after a failure.
pub(super) async fn load() -> Result<Parts, NotThere> {
    #[cfg(feature = "split")]
    return parts().await;
    #[cfg(not(feature = "split"))]
    parts()
}

#[cfg_attr(feature = "split", wasm_split_helpers::wasm_split(later, fallible))]
fn parts() -> Result<Parts, NotThere> {
    Ok(Parts {
        settings: super::settings::settings,
        request: super::request::request,
        files: super::files::files,
        terminal: super::terminal::terminal,
        drawing: super::drawing::drawing,
        rules: super::rules::rules,
        compare: super::compare::comparing,
        gates: super::gates::gates,
        refused: super::checks::refused,
        find: super::checks::find,
        summary: super::checks::summary,
        finding: super::checks::finding,
        moved: super::checks::moved,
    })
}
