//! A live endpoint as a transport: one `fetch`, its body read as it arrives, given up when the stream is dropped.

use crate::fault::Fault;
use crate::runtime::endpoint::Prepared;
use crate::runtime::{Chunk, Chunks, Transport};
use crate::wire::ModelRequest;
use crate::wire::answer::{Head, retry_after_ms};
use futures_util::{StreamExt, stream};
use gloo_net::http::{Request, Response};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader};

/// The transport to an endpoint.
pub struct Fetch {
    endpoint: Prepared,
}

impl Fetch {
    /// A transport that sends to `endpoint` and nowhere else.
    pub fn new(endpoint: Prepared) -> Self {
        Self { endpoint }
    }
}

/// Aborts its request when dropped, which is how a driver gives it up; after the end that does nothing.
struct Abort(Option<AbortController>);

impl Drop for Abort {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

enum State {
    Send(Box<(Prepared, String)>, Abort),
    Read(ReadableStreamDefaultReader, Abort),
    /// A body that the browser gives no stream for.
    End,
}

impl Transport for Fetch {
    fn open(&self, _request: &ModelRequest, body: String) -> Chunks {
        let start = State::Send(Box::new((self.endpoint.clone(), body)), Abort(AbortController::new().ok()));
        stream::unfold(start, |state| async move {
            match state {
                State::Send(sending, abort) => {
                    let (endpoint, body) = *sending;
                    Some(match send(&endpoint, body, &abort).await {
                        Ok(response) => {
                            let next = match response.body().map(|body| body.get_reader().dyn_into()) {
                                Some(Ok(reader)) => State::Read(reader, abort),
                                _ => State::End,
                            };
                            (Ok(Chunk::Head(head(&response))), next)
                        }
                        Err(message) => (Err(Fault::Unreachable { url: endpoint.url, message }), State::End),
                    })
                }
                State::Read(reader, abort) => match JsFuture::from(reader.read()).await {
                    Ok(result) => {
                        // `{done, value}`; without a value the body is over.
                        let value = Reflect::get(&result, &"value".into()).unwrap_or(JsValue::UNDEFINED);
                        let bytes = value.dyn_into::<Uint8Array>().ok()?;
                        Some((Ok(Chunk::Bytes(bytes.to_vec())), State::Read(reader, abort)))
                    }
                    // The connection broke: what is left to say is that the stream was cut.
                    Err(_) => None,
                },
                State::End => None,
            }
        })
        .boxed_local()
    }
}

/// A file of the page's own, by its address relative to the page. `Err` says why it cannot be had.
pub async fn text(address: &str) -> Result<String, String> {
    let response = Request::get(address).send().await.map_err(|error| error.to_string())?;
    match response.ok() {
        true => response.text().await.map_err(|error| error.to_string()),
        false => Err(format!("HTTP {}", response.status())),
    }
}

async fn send(endpoint: &Prepared, body: String, abort: &Abort) -> Result<Response, String> {
    let mut request = Request::post(&endpoint.url).abort_signal(abort.0.as_ref().map(AbortController::signal).as_ref());
    for (name, value) in endpoint.headers() {
        request = request.header(name, &value);
    }
    let request = request.body(body).map_err(|error| error.to_string())?;
    request.send().await.map_err(|error| error.to_string())
}

fn head(response: &Response) -> Head {
    let headers = response.headers();
    let get = |name: &str| headers.get(name);
    Head {
        status: response.status(),
        content_type: get("content-type").unwrap_or_default(),
        request_id: get("request-id").or_else(|| get("x-request-id")),
        retry_after_ms: retry_after_ms(
            get("retry-after-ms").as_deref(),
            get("retry-after").as_deref(),
            js_sys::Date::now(),
        ),
    }
}
