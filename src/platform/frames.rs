//! At most one render a frame, and never more rendering than running: what is published in between replaces what was
//! published before.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// Who gets the values.
pub type Receiver<T> = Rc<dyn Fn(T)>;

/// Hands the latest value to its receiver once a frame. After a frame that took long it lets as much time pass before
/// the next: an instant run would otherwise spend most of its time on pictures that nobody can follow.
pub struct Frames<T> {
    latest: Cell<Option<T>>,
    receiver: RefCell<Option<Receiver<T>>>,
    /// Whether a frame is asked for, or being drawn.
    asked: Cell<bool>,
    began: Cell<f64>,
    on_frame: RefCell<Option<Closure<dyn FnMut()>>>,
    on_drawn: RefCell<Option<Closure<dyn FnMut()>>>,
    on_rested: RefCell<Option<Closure<dyn FnMut()>>>,
}

/// A frame that took less than this, in milliseconds, needs no rest behind it.
const SHORT: f64 = 8.0;

impl<T: 'static> Frames<T> {
    /// Nothing published, nobody listening.
    pub fn new() -> Rc<Self> {
        let frames = Rc::new(Self {
            latest: Cell::new(None),
            receiver: RefCell::new(None),
            asked: Cell::new(false),
            began: Cell::new(0.0),
            on_frame: RefCell::new(None),
            on_drawn: RefCell::new(None),
            on_rested: RefCell::new(None),
        });
        let call = |then: fn(&Self)| {
            let weak = Rc::downgrade(&frames);
            Some(Closure::<dyn FnMut()>::new(move || {
                if let Some(frames) = weak.upgrade() {
                    then(&frames);
                }
            }))
        };
        *frames.on_frame.borrow_mut() = call(Self::draw);
        *frames.on_drawn.borrow_mut() = call(Self::drawn);
        *frames.on_rested.borrow_mut() = call(Self::rested);
        frames
    }

    /// Sets who gets the values from now on, and gives what waits.
    pub fn listen(&self, receiver: Receiver<T>) {
        *self.receiver.borrow_mut() = Some(receiver);
        self.deliver();
    }

    /// Publishes a value.
    pub fn publish(&self, value: T) {
        self.latest.set(Some(value));
        if !self.asked.replace(true) {
            self.ask();
        }
    }

    fn ask(&self) {
        if let (Some(window), Some(frame)) = (web_sys::window(), self.on_frame.borrow().as_ref()) {
            window.request_animation_frame(frame.as_ref().unchecked_ref()).ok();
        }
    }

    fn draw(&self) {
        self.began.set(now());
        self.deliver();
        // Comes after the page has rendered and the browser has painted.
        after(0.0, &self.on_drawn);
    }

    fn drawn(&self) {
        let took = now() - self.began.get();
        after(if took > SHORT { took } else { 0.0 }, &self.on_rested);
    }

    fn rested(&self) {
        let waiting = self.latest.take();
        self.asked.set(waiting.is_some());
        if waiting.is_some() {
            self.latest.set(waiting);
            self.ask();
        }
    }

    fn deliver(&self) {
        let receiver = self.receiver.borrow().clone();
        if let Some(receiver) = receiver
            && let Some(value) = self.latest.take()
        {
            receiver(value);
        }
    }
}

fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

fn after(ms: f64, then: &RefCell<Option<Closure<dyn FnMut()>>>) {
    if let (Some(window), Some(then)) = (web_sys::window(), then.borrow().as_ref()) {
        window.set_timeout_with_callback_and_timeout_and_arguments_0(then.as_ref().unchecked_ref(), ms as i32).ok();
    }
}
