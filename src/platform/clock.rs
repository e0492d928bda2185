//! Time in a browser.

use crate::runtime::Clock;
use futures_core::future::LocalBoxFuture;
use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// How long effects may be performed before rendering and input get their turn, in milliseconds.
const SLICE: f64 = 8.0;

/// The clock of this page.
pub struct BrowserClock {
    performance: web_sys::Performance,
    last_breath: Rc<Cell<f64>>,
}

impl BrowserClock {
    /// `None` where the page has no `performance`, which no browser lacks.
    pub fn new() -> Option<Self> {
        Some(Self { performance: web_sys::window()?.performance()?, last_breath: Rc::new(Cell::new(0.0)) })
    }
}

impl Clock for BrowserClock {
    fn now(&self) -> f64 {
        self.performance.now()
    }

    fn sleep(&self, ms: u32) -> LocalBoxFuture<'static, ()> {
        wait(move |resolve| {
            if let Some(window) = web_sys::window() {
                window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms as i32).ok();
            }
        })
    }

    fn breathe(&self) -> LocalBoxFuture<'static, ()> {
        if self.now() - self.last_breath.get() < SLICE {
            return Box::pin(async {});
        }
        // A message is the one way to the end of the queue that browsers do not slow down, as they do timeouts.
        let turn = wait(|resolve| {
            if let Ok(channel) = web_sys::MessageChannel::new() {
                channel.port1().set_onmessage(Some(&resolve));
                channel.port2().post_message(&JsValue::NULL).ok();
            }
        });
        // The slice begins when the turn comes back: what rendering took is not a part of it.
        let (last_breath, performance) = (self.last_breath.clone(), self.performance.clone());
        Box::pin(async move {
            turn.await;
            last_breath.set(performance.now());
        })
    }
}

fn wait(start: impl Fn(js_sys::Function)) -> LocalBoxFuture<'static, ()> {
    let promise = Promise::new(&mut |resolve, _| start(resolve));
    Box::pin(async move {
        JsFuture::from(promise).await.ok();
    })
}
