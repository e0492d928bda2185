//! The icons, as paths of one stroke. They are decoration: every button has words.

use yew::prelude::*;

/// An icon by its path, on a 16 × 16 grid.
pub(super) fn icon(path: &'static str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
            <path d={path} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
    }
}

/// An icon with its words.
#[inline(never)]
pub(super) fn worded(path: &'static str, words: &'static str) -> Html {
    html! { <>{ icon(path) }<span>{ words }</span></> }
}

pub(super) const RUN: &str = "M5 3.5v9l7-4.5z";
pub(super) const PAUSE: &str = "M5.5 3.5v9M10.5 3.5v9";
pub(super) const STEP: &str = "M4 3.5v9l5-4.5zM12 3.5v9";
pub(super) const STOP: &str = "M4.5 4.5h7v7h-7z";
pub(super) const RETRY: &str = "M12.5 8a4.5 4.5 0 1 1-1.4-3.3M12.5 2.5v3h-3";
pub(super) const FIRST: &str = "M11.5 4l-4 4 4 4M4.5 4v8";
pub(super) const BACK: &str = "M10 4L6 8l4 4";
pub(super) const NEXT: &str = "M6 4l4 4-4 4";
pub(super) const LAST: &str = "M4.5 4l4 4-4 4M11.5 4v8";
pub(super) const SETTINGS: &str = "M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 3.3v3.4M5.8 9.3v3.4";
