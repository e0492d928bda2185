//! The ports that a first visit has no use for: the shell's worker, live endpoints, the strict scripted model. Their code is in the file of what is
//! shown later (see `src/ui/later.rs`), and comes with the first command or the first live request.

// What `wasm_split` writes declares the function that the other file has, and that is unsafe by its nature.
#![cfg_attr(feature = "split", allow(unsafe_code))]

use futures_util::{FutureExt, StreamExt, future, stream};
use playground::fault::Fault;
use playground::platform::fetch::Fetch;
use playground::platform::worker::WorkerShell;
use playground::runtime::checked::{Asking, refuse};
use playground::runtime::endpoint::Prepared;
use playground::runtime::scripted::Scripted;
use playground::runtime::shell::{Report, Reports, Shell};
use playground::runtime::{Chunks, Transport};
use playground::tools::bash::{Broken, Job};
use playground::wire::ModelRequest;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// What makes the ports.
struct Makers {
    shell: fn(&str) -> Rc<dyn Shell>,
    endpoint: fn(Prepared) -> Rc<dyn Transport>,
    refuse: fn(&ModelRequest) -> Option<Chunks>,
}

/// The file did not arrive.
struct NotThere;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotThere {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

#[cfg_attr(feature = "split", wasm_split_helpers::wasm_split(later, fallible))]
fn makers() -> Result<Makers, NotThere> {
    Ok(Makers {
        shell: |script| Rc::new(WorkerShell::new(script)),
        endpoint: |endpoint| Rc::new(Asking(Fetch::new(endpoint))),
        refuse,
    })
}

async fn load() -> Result<Makers, NotThere> {
    #[cfg(feature = "split")]
    return makers().await;
    #[cfg(not(feature = "split"))]
    makers()
}

const NOT_THERE: &str = "a file of this page did not arrive; check the network and try again";

/// The shell of this page, once it is there.
#[derive(Default)]
pub(super) struct LaterShell(Rc<OnceCell<Rc<dyn Shell>>>);

impl Shell for LaterShell {
    fn run(&self, job: Job) -> Reports {
        let shell = self.0.clone();
        let run = async move {
            match (shell.get(), load().await) {
                (Some(shell), _) => shell.run(job),
                (None, Ok(makers)) => shell.get_or_init(|| (makers.shell)("./worker/worker.mjs")).run(job),
                (None, Err(NotThere)) => {
                    let ended = Report::Ended(Err(Broken::Failed(NOT_THERE.into())));
                    stream::once(future::ready(ended)).boxed_local()
                }
            }
        };
        run.flatten_stream().boxed_local()
    }
}

/// The transport to an endpoint, once it is there.
pub(super) struct LaterEndpoint(pub(super) Prepared);

impl LaterEndpoint {
    fn go(&self, open: impl FnOnce(Rc<dyn Transport>) -> Chunks + 'static) -> Chunks {
        let endpoint = self.0.clone();
        let open = async move {
            match load().await {
                Ok(makers) => open((makers.endpoint)(endpoint)),
                Err(NotThere) => not_there(endpoint.url),
            }
        };
        open.flatten_stream().boxed_local()
    }
}

impl Transport for LaterEndpoint {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        let request = request.clone();
        self.go(move |endpoint| endpoint.open(&request, body))
    }

    fn open_unchecked(&self, request: &ModelRequest, body: String) -> Chunks {
        let request = request.clone();
        self.go(move |endpoint| endpoint.open_unchecked(&request, body))
    }
}

fn not_there(url: String) -> Chunks {
    let fault = Fault::Unreachable { url, message: NOT_THERE.into() };
    stream::once(future::ready(Err(fault))).boxed_local()
}

/// The scripted model, which refuses what the real API would while it is told to be strict.
pub(super) struct MaybeStrict {
    pub(super) model: Rc<Scripted>,
    pub(super) strict: Rc<Cell<bool>>,
}

impl Transport for MaybeStrict {
    fn open(&self, request: &ModelRequest, body: String) -> Chunks {
        if !self.strict.get() {
            return self.model.open(request, body);
        }
        let (model, request) = (self.model.clone(), request.clone());
        let open = async move {
            match load().await {
                Ok(makers) => (makers.refuse)(&request).unwrap_or_else(|| model.open(&request, body)),
                Err(NotThere) => not_there(Scripted::MODEL.into()),
            }
        };
        open.flatten_stream().boxed_local()
    }
}
