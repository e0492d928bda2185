//! The rules that a run goes by: a lesson, and what a reader changed in it.
//!
//! A lesson is data, so a change is a value for a place in its file, named by a JSON pointer (RFC 6901, whose `-` behind
//! a list appends to it). Taking a change back leaves the lesson as it was, to the last byte of its requests.

use super::{Hook, Lesson};
use crate::data::{FromJson, for_serde};
use crate::message::Json;
use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Values for places in a lesson's file, by their JSON pointers. None of them stands below another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Changes(BTreeMap<String, Json>);

impl FromJson for Changes {
    fn from_json(json: Json) -> Result<Self, String> {
        match json {
            Json::Object(fields) => Ok(Self(fields.into_iter().collect())),
            _ => Err("is no object".into()),
        }
    }
}

for_serde!(Changes);

impl Changes {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pointers and their values, in the pointers' order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json)> {
        self.0.iter().map(|(pointer, value)| (pointer.as_str(), value))
    }

    /// Whether the place of a pointer, or one below it, is changed.
    pub fn touch(&self, pointer: &str) -> bool {
        self.0.keys().any(|changed| is_within(changed, pointer))
    }

    /// Sets a value in a lesson. What was set below its place goes with it; the lesson's own value is no change.
    pub fn set(&mut self, lesson: &Lesson, pointer: &str, value: Json) {
        self.reset(pointer);
        if at(&to_json(lesson), pointer) != Some(&value) {
            self.0.insert(pointer.into(), value);
        }
    }

    /// Takes back what was changed at a place and below it.
    pub fn reset(&mut self, pointer: &str) {
        self.0.retain(|changed, _| !is_within(changed, pointer));
    }

    /// The places whose values these changes and others do not agree on.
    pub fn differ(&self, other: &Self) -> Rc<[Rc<str>]> {
        let mut places: Vec<&String> = self.0.keys().chain(other.0.keys()).collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|&place| self.0.get(place) != other.0.get(place));
        places.into_iter().map(|place| place.as_str().into()).collect()
    }

    /// The lesson with these changes. `Err` says which place is none or which value cannot stand there.
    pub fn apply(&self, lesson: &Lesson) -> Result<Lesson, String> {
        let mut json = to_json(lesson);
        for (pointer, value) in &self.0 {
            put(&mut json, pointer, value.clone()).ok_or_else(|| format!("{pointer} is no place in the lesson"))?;
        }
        let changed = Lesson::from_json(json)?;
        changed.check().map(|()| changed)
    }
}

/// A lesson as its file has it.
pub fn to_json(lesson: &Lesson) -> Json {
    // It has string keys only and no number that JSON lacks.
    serde_json::to_value(lesson).unwrap_or_default()
}

/// The value at a pointer; `null` where the place may hold a value and has none.
pub fn at<'a>(json: &'a Json, pointer: &str) -> Option<&'a Json> {
    json.pointer(pointer).or_else(|| {
        let (parent, _) = pointer.rsplit_once('/')?;
        json.pointer(parent).filter(|parent| parent.is_object()).map(|_| &Json::Null)
    })
}

fn put(json: &mut Json, pointer: &str, value: Json) -> Option<()> {
    if let Some(place) = json.pointer_mut(pointer) {
        *place = value;
        return Some(());
    }
    let (parent, last) = pointer.rsplit_once('/')?;
    match json.pointer_mut(parent)? {
        Json::Array(items) if last == "-" => items.push(value),
        Json::Object(fields) => drop(fields.insert(last.into(), value)),
        _ => return None,
    }
    Some(())
}

fn is_within(pointer: &str, of: &str) -> bool {
    pointer.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A lesson, a reader's changes, and the lesson that they make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The lesson as it is taught.
    pub base: Rc<Lesson>,
    /// What is changed in it.
    pub changes: Changes,
    /// What a run goes by.
    pub lesson: Rc<Lesson>,
}

impl Rules {
    /// A lesson as it is taught.
    pub fn unchanged(lesson: Rc<Lesson>) -> Self {
        Self { base: lesson.clone(), changes: Changes::default(), lesson }
    }

    /// The changes with another value at a place. Hooks can be moved about, so their list is changed as a whole.
    pub fn set(&self, place: &str, value: Json) -> Changes {
        let mut changes = self.changes.clone();
        match place.strip_prefix("/hooks/") {
            Some(_) => {
                let mut lesson = to_json(&self.lesson);
                put(&mut lesson, place, value);
                // As a lesson's file has them, which leaves out what need not be said.
                let hooks = lesson["hooks"].take();
                let written =
                    Vec::<Hook>::from_json(hooks.clone()).ok().and_then(|hooks| serde_json::to_value(hooks).ok());
                changes.set(&self.base, "/hooks", written.unwrap_or(hooks));
            }
            None => changes.set(&self.base, place, value),
        }
        changes
    }

    /// The same lesson with other changes. `Err` as [`Changes::apply`] has it.
    pub fn with(&self, changes: Changes) -> Result<Self, String> {
        let base = self.base.clone();
        let lesson = if changes.is_empty() { base.clone() } else { Rc::new(changes.apply(&base)?) };
        Ok(Self { base, changes, lesson })
    }
}
