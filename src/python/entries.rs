//! The entries of a dict while it is being built.

use std::collections::BTreeMap;

use super::Value;

/// Pairs in order of insertion. A key that comes again keeps its place and its first spelling and takes the new value,
/// as in CPython's `dict`.
#[derive(Default)]
pub(super) struct Entries {
    places: BTreeMap<String, usize>,
    pairs: Vec<(Value, Value)>,
}

impl Entries {
    /// `dict[key] = value`. Keys are equal when their `identity` is.
    pub(super) fn insert(&mut self, identity: String, key: Value, value: Value) {
        let place = *self.places.entry(identity).or_insert(self.pairs.len());
        match self.pairs.get_mut(place) {
            Some((_, old)) => *old = value,
            None => self.pairs.push((key, value)),
        }
    }

    /// The pairs, complete.
    pub(super) fn into_pairs(self) -> Vec<(Value, Value)> {
        self.pairs
    }
}
