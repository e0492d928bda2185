//! The shell's worker: takes one command at a time, runs it, and reports.

use playground::runtime::shell::{Errand, Report};
use playground::shell;
use playground::tools::bash::{Broken, Job};
use playground::vfs::Vfs;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() {
    let files = Rc::new(RefCell::new(Vfs::new()));
    let take = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let files = files.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let ended = match serde_wasm_bindgen::from_value(event.data()) {
                Ok(errand) => run(&files, errand).await,
                Err(error) => Err(Broken::Failed(error.to_string())),
            };
            post(&Report::Ended(ended));
        });
    });
    scope().set_onmessage(Some(take.as_ref().unchecked_ref()));
    take.forget();
}

async fn run(files: &RefCell<Vfs>, errand: Errand) -> Result<playground::tools::bash::Ran, Broken> {
    let Errand { command, workdir, seconds, since } = errand;
    let mut now = files.borrow().clone();
    now.apply(&since).map_err(|error| Broken::Failed(error.to_string()))?;
    let job = Job { command, workdir, files: now.clone(), seconds };
    files.replace(now.clone());
    let ran = shell::run(&job, None, Box::new(Said::default().listener())).await?;
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
}

/// How often output is sent, in milliseconds.
const PAUSE: f64 = 100.0;
/// How much of a command's output is sent before its end, in bytes.
const MOST: usize = 200_000;

impl Said {
    fn listener(mut self) -> impl FnMut(&[u8], &[u8]) + Send + Sync {
        move |out, err| {
            self.waiting.extend_from_slice(out);
            self.waiting.extend_from_slice(err);
            let now = js_sys::Date::now();
            if now - self.last < PAUSE || self.sent > MOST {
                self.waiting.truncate(MOST);
                return;
            }
            self.last = now;
            self.sent += self.waiting.len();
            post(&Report::Output(String::from_utf8_lossy(&std::mem::take(&mut self.waiting)).into_owned()));
        }
    }
}

fn post(report: &Report) {
    let message = report.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    scope().post_message(&message.unwrap_or(JsValue::NULL)).ok();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
