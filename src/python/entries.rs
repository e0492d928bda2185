//! The entries of a dict while it is being built.

use super::Value;
use serde_json::{Map, Value as Json};

/// Pairs in order of insertion. A key that comes again keeps its place and its first spelling and takes the new value,
/// as in CPython's `dict`.
#[derive(Default)]
pub(super) struct Entries {
    /// The place of each identity. It is the map that reading JSON needs anyway: another would add to the page's size.
    places: Map<String, Json>,
    pairs: Vec<(Value, Value)>,
}

impl Entries {
    /// `dict[key] = value`. Keys are equal when their `identity` is.
    pub(super) fn insert(&mut self, identity: String, key: Value, value: Value) {
        let place = self.places.entry(identity).or_insert(self.pairs.len().into()).as_u64();
        match place.and_then(|place| self.pairs.get_mut(place as usize)) {
            Some((_, old)) => *old = value,
            None => self.pairs.push((key, value)),
        }
    }

    /// The pairs, complete.
    pub(super) fn into_pairs(self) -> Vec<(Value, Value)> {
        self.pairs
    }
}
