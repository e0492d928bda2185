//! What a reader sees when the program has a bug: an overlay with the message, and the run's log to save.
//!
//! After a panic nothing of the program may be trusted, so the overlay is made of the page's own elements, inside the
//! panic hook, from the last snapshot that was published.

use super::page;
use crate::language::Language;
use crate::timeline::Timeline;
use serde::Serialize;
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// The run as it was last published. Cloning a timeline costs nothing.
    static LAST: RefCell<Option<Timeline>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
    /// Written in `www/boot.js`, which does not depend on this program being alive.
    #[wasm_bindgen(js_name = showCrash)]
    fn show_crash(report: &JsValue);
}

/// What the overlay shows.
#[derive(Serialize)]
struct Report<'a> {
    title: &'a str,
    advice: &'a str,
    save: &'a str,
    reload: &'a str,
    message: String,
    /// Where the log can be had; none where there is no run or it could not be written.
    log: Option<String>,
}

/// Keeps the run for the overlay. A run in which nothing has happened yet does not take the place of one in which
/// something has: a crash at starting over would lose it.
pub fn remember(timeline: Timeline) {
    LAST.with(|last| {
        if let Ok(mut last) = last.try_borrow_mut()
            && (last.is_none() || !timeline.stops().is_empty())
        {
            *last = Some(timeline);
        }
    });
}

/// Shows the overlay from now on when the program panics.
pub fn install() {
    std::panic::set_hook(Box::new(show));
}

/// The panic hook itself: yew sets one of its own when it starts, unless it is given this.
pub fn show(info: &PanicHookInfo) {
    let message = info.to_string();
    error(&message);
    let timeline = LAST.with(|last| last.try_borrow_mut().ok().and_then(|mut last| last.take()));
    let log = timeline.and_then(|timeline| page::text_url(&timeline.to_jsonl()).ok());
    let report = match page::language() {
        Language::En => Report {
            title: "The playground has stopped because of a bug in it",
            advice: "Your run up to this moment is not lost: save its log, then reload the page. Please report the message below.",
            save: "Save the run's log",
            reload: "Reload the page",
            message,
            log,
        },
        Language::Zh => Report {
            title: "程序内部出错，演练场已停止",
            advice: "到此刻为止的运行没有丢失：先保存运行日志，再重新加载页面。请把下面的信息反馈给我们。",
            save: "保存运行日志",
            reload: "重新加载页面",
            message,
            log,
        },
    };
    if let Ok(report) = serde_wasm_bindgen::to_value(&report) {
        show_crash(&report);
    }
}
