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
            system: Some(match &self.system_note {
                Some(note) => format!("{}\n\n{note}", self.system).into(),
                None => self.system.clone(),
            }),
            messages: self.transcript.clone(),
            tools: self.tools.clone(),
        }
    }

    /// Where that request goes; none for the scripted model.
    pub fn address(&self) -> Option<&Address> {
        self.address.as_deref()
    }

    /// The history together with what is being built, if calls are running: what the next request will carry as far as it
    /// is known. The second value is whether the last message is still being built.
    pub fn messages(&self) -> (Vector<Rc<Message>>, bool) {
        let mut messages = self.transcript.clone();
        let round = self.phase.round().filter(|round| !round.results.is_empty() || round.reminder.is_some());
        if let Some(round) = round {
            messages.push_back_mut(Rc::new(Message::results(round.results.clone())));
            let reminder = round.reminder.clone().map(|reminder| Rc::new(Message::results(vec![reminder])));
            messages.extend(reminder);
        }
        (messages, round.is_some())
    }
}
