//! At most one render a frame: what is published in between replaces what was published before.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// Who gets the values.
pub type Receiver<T> = Rc<dyn Fn(T)>;

/// Hands the latest value to its receiver once a frame.
pub struct Frames<T> {
    latest: Cell<Option<T>>,
    receiver: RefCell<Option<Receiver<T>>>,
    asked: Cell<bool>,
    frame: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl<T: 'static> Frames<T> {
    /// Nothing published, nobody listening.
    pub fn new() -> Rc<Self> {
        let frames = Rc::new(Self {
            latest: Cell::new(None),
            receiver: RefCell::new(None),
            asked: Cell::new(false),
            frame: RefCell::new(None),
        });
        let weak = Rc::downgrade(&frames);
        *frames.frame.borrow_mut() = Some(Closure::new(move || {
            if let Some(frames) = weak.upgrade() {
                frames.deliver();
            }
        }));
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
        if self.asked.replace(true) {
            return;
        }
        let frame = self.frame.borrow();
        if let (Some(window), Some(frame)) = (web_sys::window(), frame.as_ref()) {
            window.request_animation_frame(frame.as_ref().unchecked_ref()).ok();
        }
    }

    fn deliver(&self) {
        self.asked.set(false);
        let receiver = self.receiver.borrow().clone();
        if let Some(receiver) = receiver
            && let Some(value) = self.latest.take()
        {
            receiver(value);
        }
    }
}
