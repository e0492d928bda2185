//! Pyodide behind the shell's `python3`: brought in when a command first needs it, alive as long as the worker.

use js_sys::{Array, Object, Reflect, Uint8Array};
use playground::shell::python::{Entry, EntryKind, Python, PythonJob, PythonRun, async_trait};
use send_wrapper::SendWrapper;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Written in `www/worker/worker.mjs`.
    #[wasm_bindgen(js_name = bootPython, catch)]
    async fn boot() -> Result<JsValue, JsValue>;

    /// An interpreter of `www/worker/python.mjs`.
    #[derive(Clone)]
    type Interpreter;
    #[wasm_bindgen(method, catch)]
    fn run(this: &Interpreter, job: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn pip(this: &Interpreter, args: &Array) -> Result<JsValue, JsValue>;
}

/// The interpreter of this worker.
#[derive(Clone)]
pub(super) struct Pyodide(Arc<SendWrapper<State>>);

#[derive(Default)]
struct State {
    /// Once it is there.
    interpreter: RefCell<Option<Interpreter>>,
    /// How long the command that runs may take, in milliseconds.
    time: Cell<f64>,
    /// When that is over, in milliseconds of the epoch.
    deadline: Cell<f64>,
}

#[async_trait]
impl Python for Pyodide {
    async fn run(&self, job: PythonJob) -> Result<PythonRun, String> {
        SendWrapper::new(async {
            let interpreter = self.interpreter().await.map_err(|error| said(&error))?;
            let run = match job.program {
                "pip" => interpreter.pip(&job.args.iter().map(JsValue::from).collect()),
                _ => interpreter.run(&described(&job, self.0.deadline.get())),
            };
            run.and_then(|run| read(&run)).map_err(|error| said(&error))
        })
        .await
    }
}

impl Pyodide {
    /// An interpreter that is not there yet.
    pub(super) fn new() -> Self {
        Self(Arc::new(SendWrapper::new(State::default())))
    }

    /// Whether it has been brought in.
    pub(super) fn is_there(&self) -> bool {
        self.0.interpreter.borrow().is_some()
    }

    /// A command begins that may run so long.
    pub(super) fn allow(&self, seconds: usize) {
        self.0.time.set(seconds as f64 * 1000.0);
        self.start_counting();
    }

    fn start_counting(&self) {
        self.0.deadline.set(js_sys::Date::now() + self.0.time.get());
    }

    async fn interpreter(&self) -> Result<Interpreter, JsValue> {
        let kept = self.0.interpreter.borrow().clone();
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let interpreter: Interpreter = boot().await?.unchecked_into();
        self.0.interpreter.replace(Some(interpreter.clone()));
        // Loading does not count as the command's time.
        self.start_counting();
        Ok(interpreter)
    }
}

/// An error's own words.
fn said(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}

fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object does not fail.
        Reflect::set(&object, &name.into(), &value).ok();
    }
    object.into()
}

fn described(job: &PythonJob, deadline: f64) -> JsValue {
    let env = Object::new();
    for (name, value) in &job.env {
        Reflect::set(&env, &name.into(), &value.into()).ok();
    }
    let files = job.files.iter().map(|Entry { path, mode, kind }| {
        let (kind, bytes, target) = match kind {
            EntryKind::File(bytes) => ("file", Uint8Array::from(bytes.as_slice()).into(), JsValue::UNDEFINED),
            EntryKind::Dir => ("dir", JsValue::UNDEFINED, JsValue::UNDEFINED),
            EntryKind::Link(target) => ("link", JsValue::UNDEFINED, target.into()),
        };
        let (path, mode) = (path.into(), (*mode).into());
        object([("path", path), ("kind", kind.into()), ("mode", mode), ("bytes", bytes), ("target", target)])
    });
    object([
        ("argv", job.args.iter().map(JsValue::from).collect::<Array>().into()),
        ("stdin", Uint8Array::from(job.stdin.as_slice()).into()),
        ("cwd", job.cwd.as_str().into()),
        ("env", env.into()),
        ("files", files.collect::<Array>().into()),
        ("deadline", deadline.into()),
    ])
}

fn read(run: &JsValue) -> Result<PythonRun, JsValue> {
    let bytes = |of: &JsValue, name: &str| Ok::<_, JsValue>(Uint8Array::new(&Reflect::get(of, &name.into())?).to_vec());
    let text =
        |of: &JsValue, name: &str| Ok::<_, JsValue>(Reflect::get(of, &name.into())?.as_string().unwrap_or_default());
    let number = |of: &JsValue, name: &str| Ok::<_, JsValue>(Reflect::get(of, &name.into())?.as_f64().unwrap_or(0.0));
    let mut read = PythonRun {
        stdout: bytes(run, "stdout")?,
        stderr: bytes(run, "stderr")?,
        code: number(run, "code")? as i32,
        ..PythonRun::default()
    };
    for change in Array::from(&Reflect::get(run, &"changes".into())?).iter() {
        let path = text(&change, "path")?;
        let kind = match text(&change, "kind")?.as_str() {
            "file" => EntryKind::File(bytes(&change, "bytes")?),
            "dir" => EntryKind::Dir,
            "link" => EntryKind::Link(text(&change, "target")?),
            _ => {
                read.gone.push(path);
                continue;
            }
        };
        read.changed.push(Entry { path, mode: number(&change, "mode")? as u32, kind });
    }
    Ok(read)
}
