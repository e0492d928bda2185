//! The shell's worker: takes one command at a time, runs it, and reports.

#[path = "worker/pyodide.rs"]
mod pyodide;

use playground::runtime::shell::{Errand, Report};
use playground::shell;
use playground::tools::bash::{Broken, Job, Ran};
use playground::vfs::Vfs;
use pyodide::Pyodide;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() {
    let files = Rc::new(RefCell::new(Vfs::new()));
    let python = Pyodide::new();
    let take = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let (files, python) = (files.clone(), python.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let ended = match serde_json::from_str(&event.data().as_string().unwrap_or_default()) {
                Ok(errand) => run(&files, python, errand).await,
                Err(error) => Err(Broken::Failed(error.to_string())),
            };
            post(&Report::Ended(ended));
        });
    });
    scope().set_onmessage(Some(take.as_ref().unchecked_ref()));
    take.forget();
}

/// How long bringing Python in may take, in seconds.
const LOADING: usize = 300;

async fn run(files: &RefCell<Vfs>, python: Pyodide, errand: Errand) -> Result<Ran, Broken> {
    let Errand { command, workdir, seconds, since } = errand;
    let mut now = files.borrow().clone();
    now.apply(&since).map_err(|error| Broken::Failed(error.to_string()))?;
    files.replace(now.clone());
    python.allow(seconds);
    // The page ends a command that is too late, and knows what loading took. The shell does not.
    let seconds = seconds + if python.is_there() { 0 } else { LOADING };
    let job = Job { command, workdir, files: now.clone(), seconds };
    let ran = shell::run(&job, Some(Arc::new(python)), Box::new(listener())).await;
    hush();
    let ran = ran?;
    now.apply(&ran.changes).map_err(|error| Broken::Failed(error.to_string()))?;
    files.replace(now);
    Ok(ran)
}

/// Output on its way to the page: in pieces that it can draw, and no more than a reader would look at.
#[derive(Default)]
struct Said {
    waiting: Vec<u8>,
    last: f64,
    sent: usize,
    /// Whether what waits will be sent without more coming.
    is_timed: bool,
}

thread_local! {
    static SAID: RefCell<Said> = RefCell::default();
}

/// How often output is sent, in milliseconds.
const PAUSE: f64 = 100.0;
/// How much of a command's output is sent before its end, in bytes.
const MOST: usize = 200_000;

impl Said {
    fn take(&mut self, out: &[u8], err: &[u8]) {
        self.waiting.extend_from_slice(out);
        self.waiting.extend_from_slice(err);
        if self.sent > MOST {
            self.waiting.clear();
        } else if js_sys::Date::now() - self.last >= PAUSE {
            self.send();
        } else if !self.is_timed {
            // What comes shortly after the last piece must not wait for the next one, or for the end.
            let late = Closure::once_into_js(|| {
                SAID.with_borrow_mut(|said| {
                    said.is_timed = false;
                    said.send();
                });
            });
            let set = scope().set_timeout_with_callback_and_timeout_and_arguments_0(late.unchecked_ref(), PAUSE as i32);
            self.is_timed = set.is_ok();
        }
    }

    fn send(&mut self) {
        if !self.waiting.is_empty() {
            self.last = js_sys::Date::now();
            self.sent += self.waiting.len();
            post(&Report::Output(String::from_utf8_lossy(&std::mem::take(&mut self.waiting)).into_owned()));
        }
    }
}

/// Sends what a command writes, until [`hush`].
fn listener() -> impl FnMut(&[u8], &[u8]) + Send + Sync {
    hush();
    |out, err| SAID.with_borrow_mut(|said| said.take(out, err))
}

/// Behind its end a command has nothing more to say.
fn hush() {
    SAID.with_borrow_mut(|said| *said = Said { is_timed: said.is_timed, ..Said::default() });
}

fn post(report: &Report) {
    // String keys and no numbers that JSON lacks: this can always be written.
    let message = serde_json::to_string(report).unwrap_or_default();
    scope().post_message(&message.into()).ok();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
