//! The port to the shell: a worker that is started when the first command comes, and killed when one must be given up.

use crate::data;
use crate::runtime::shell::{Errand, Report, Reports, Shell};
use crate::tools::bash::{Broken, Job};
use crate::vfs::Vfs;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::{Poll, Waker};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// How long the shell has beyond a command's time to end it by itself, in milliseconds: it then stays warm.
const GRACE: i32 = 1000;

/// The shell of this page.
pub struct WorkerShell {
    /// The address of the worker's script.
    script: String,
    state: Rc<RefCell<State>>,
}

#[derive(Default)]
struct State {
    worker: Option<Live>,
    /// The files that the worker has.
    held: Vfs,
    job: Option<Job>,
    /// How long the command that runs may take, in seconds.
    seconds: usize,
    reports: VecDeque<Report>,
    waker: Option<Waker>,
    timer: Option<i32>,
}

/// A worker and what listens to it.
struct Live {
    worker: Worker,
    is_ready: bool,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut(web_sys::Event)>,
    late: Closure<dyn FnMut()>,
}

impl WorkerShell {
    /// A shell whose worker is not started yet.
    pub fn new(script: &str) -> Self {
        Self { script: script.into(), state: Rc::default() }
    }

    fn start(&self) -> Result<Live, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&self.script, &options)?;
        let state = self.state.clone();
        let heard = Closure::new(move |event: MessageEvent| heard(&state, &event.data()));
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        let state = self.state.clone();
        // A script that does not arrive is told by a plain event, which has no message.
        let failed = Closure::new(move |event: web_sys::Event| {
            event.prevent_default();
            let said = event.dyn_ref().map(web_sys::ErrorEvent::message).filter(|said| !said.is_empty());
            let why = said.unwrap_or_else(|| "its files did not arrive; check the network".into());
            broken(&state, Broken::Failed(format!("the sandbox failed ({why}); nothing was changed")));
        });
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        let state = self.state.clone();
        let late = Closure::new(move || broken(&state, Broken::TimedOut));
        Ok(Live { worker, is_ready: false, _heard: heard, _failed: failed, late })
    }
}

impl Shell for WorkerShell {
    fn run(&self, job: Job) -> Reports {
        let needs_worker = self.state.borrow().worker.is_none();
        let started = needs_worker.then(|| self.start());
        let mut state = self.state.borrow_mut();
        state.reports.clear();
        state.job = Some(job);
        match started {
            None => {}
            Some(Ok(live)) => {
                state.worker = Some(live);
                state.held = Vfs::new();
            }
            Some(Err(_)) => state.reports.push_back(Report::Ended(Err(Broken::Failed(
                "this browser does not let the sandbox start; nothing was run".into(),
            )))),
        }
        state.hand_over();
        drop(state);
        Box::pin(Listening { state: self.state.clone(), ended: false })
    }
}

impl State {
    /// Gives the job to the worker, if it is there to take it.
    fn hand_over(&mut self) {
        let Some(live) = self.worker.as_ref().filter(|live| live.is_ready) else { return };
        let Some(job) = self.job.take() else { return };
        let since = self.held.diff(&job.files);
        self.held = job.files;
        let errand = Errand { command: job.command, workdir: job.workdir, seconds: job.seconds, since };
        // As JSON: both sides have its reader and writer anyway. It can always be written: string keys, and no numbers
        // that JSON lacks.
        let message = serde_json::to_string(&errand).unwrap_or_default();
        live.worker.post_message(&message.into()).unwrap_or_default();
        self.seconds = job.seconds;
        self.wait_again();
    }

    /// Ends the command when its time is over, counted from now, whatever it is doing then.
    fn wait_again(&mut self) {
        self.stop_waiting();
        let (Some(window), Some(live)) = (web_sys::window(), &self.worker) else { return };
        let ms = i32::try_from(self.seconds * 1000).unwrap_or(i32::MAX - GRACE) + GRACE;
        let late = live.late.as_ref().unchecked_ref();
        self.timer = window.set_timeout_with_callback_and_timeout_and_arguments_0(late, ms).ok();
    }

    fn stop_waiting(&mut self) {
        if let (Some(window), Some(timer)) = (web_sys::window(), self.timer.take()) {
            window.clear_timeout_with_handle(timer);
        }
    }

    fn tell(&mut self, report: Report) {
        self.reports.push_back(report);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn kill(&mut self) {
        self.stop_waiting();
        self.job = None;
        if let Some(live) = self.worker.take() {
            live.worker.terminate();
        }
    }
}

/// Takes what the worker says.
fn heard(state: &RefCell<State>, message: &JsValue) {
    let mut state = state.borrow_mut();
    let Some(report) = message.as_string() else {
        // A worker loses what is sent to it before it says that it listens.
        if let Some(live) = &mut state.worker {
            live.is_ready = true;
        }
        return state.hand_over();
    };
    match data::read::<Report>(&report) {
        Ok(Report::Loading(loading)) => {
            // Loading does not count as the command's time.
            match loading.done {
                true => state.wait_again(),
                false => state.stop_waiting(),
            }
            state.tell(Report::Loading(loading));
        }
        Ok(Report::Ended(ended)) => {
            state.stop_waiting();
            if let Ok(ran) = &ended
                && state.held.apply(&ran.changes).is_err()
            {
                // The two no longer agree on the files: the next command gets all of them.
                state.kill();
            }
            state.tell(Report::Ended(ended));
        }
        Ok(report) => state.tell(report),
        Err(error) => {
            state.kill();
            state.tell(Report::Ended(Err(Broken::Failed(error))));
        }
    }
}

/// The worker must go, and the command with it.
fn broken(state: &RefCell<State>, why: Broken) {
    let mut state = state.borrow_mut();
    state.kill();
    state.tell(Report::Ended(Err(why)));
}

/// The reports of one command. Given up before the end, it takes the worker along.
struct Listening {
    state: Rc<RefCell<State>>,
    ended: bool,
}

impl futures_core::Stream for Listening {
    type Item = Report;

    fn poll_next(self: std::pin::Pin<&mut Self>, context: &mut std::task::Context) -> Poll<Option<Report>> {
        let this = self.get_mut();
        let mut state = this.state.borrow_mut();
        match state.reports.pop_front() {
            Some(report) => {
                this.ended = matches!(report, Report::Ended(_));
                Poll::Ready(Some(report))
            }
            None if this.ended => Poll::Ready(None),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if !self.ended {
            self.state.borrow_mut().kill();
        }
    }
}
