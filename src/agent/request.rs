//! The request that a session would send now. There is no other way to make one.

use super::Session;
use crate::message::Message;
use crate::wire::{Address, ModelRequest};
use rpds::Vector;
use std::rc::Rc;

impl Session {
    /// The request that carries the history as it stands.
    pub fn request(&self) -> ModelRequest {
        ModelRequest {
            model: self.model.clone(),
            max_tokens: self.max_tokens.unwrap_or(self.lesson.max_tokens),
            system: Some(self.system.clone()),
            messages: self.transcript.clone(),
            tools: self.tools.clone(),
        }
    }

    /// Where that request goes; none for the scripted model.
    pub fn address(&self) -> Option<&Address> {
        self.address.as_deref()
    }

    /// The history together with the user message that is being built, if calls are running: what the next request will
    /// carry as far as it is known. The second value is whether the last message is still being built.
    pub fn messages(&self) -> (Vector<Rc<Message>>, bool) {
        match self.phase.results() {
            Some(results) if !results.is_empty() => {
                (self.transcript.push_back(Rc::new(Message::results(results.to_vec()))), true)
            }
            _ => (self.transcript.clone(), false),
        }
    }
}
