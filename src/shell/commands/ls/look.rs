//! How `ls` was asked to show files.

use crate::shell::commands::options::{Given, Known, Value};

pub(super) const KNOWN: Known = Known {
    short: "1aAdFghklnNopqrRStuUXcC",
    lacking: "BDGHILQTZbfimsvwx",
    long: &[
        ("all", Value::None, 'a'),
        ("almost-all", Value::None, 'A'),
        ("classify", Value::Optional, 'F'),
        ("color", Value::Optional, 'N'),
        ("directory", Value::None, 'd'),
        ("file-type", Value::None, '\x02'),
        ("full-time", Value::None, '\x03'),
        ("group-directories-first", Value::None, '\x04'),
        ("help", Value::None, '\x01'),
        ("human-readable", Value::None, 'h'),
        ("indicator-style", Value::Needed, '\x06'),
        ("literal", Value::None, 'N'),
        ("no-group", Value::None, 'o'),
        ("numeric-uid-gid", Value::None, 'n'),
        ("recursive", Value::None, 'R'),
        ("reverse", Value::None, 'r'),
        ("sort", Value::Needed, '\x07'),
        ("time-style", Value::Needed, '\x05'),
    ],
};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sort {
    Name,
    Size,
    Time,
    Extension,
    No,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Marks {
    No,
    Folders,
    Types,
    All,
}

#[derive(Clone, Copy)]
pub(super) enum Times {
    Short,
    Minute,
    Full,
}

pub(super) struct Look {
    pub(super) hidden: bool,
    pub(super) dots: bool,
    pub(super) long: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) numeric: bool,
    pub(super) human: bool,
    pub(super) itself: bool,
    pub(super) recursive: bool,
    pub(super) reverse: bool,
    pub(super) folders_first: bool,
    pub(super) sort: Sort,
    pub(super) marks: Marks,
    pub(super) times: Times,
}

impl Look {
    pub(super) fn of(given: &Given) -> Self {
        let long = "lgno".chars().chain(['\x03']).any(|letter| given.has(letter));
        let sort = given.options.iter().rev().find_map(|(letter, value)| match (letter, value.as_deref()) {
            ('S', _) | ('\x07', Some("size")) => Some(Sort::Size),
            ('t', _) | ('\x07', Some("time")) => Some(Sort::Time),
            ('X', _) | ('\x07', Some("extension")) => Some(Sort::Extension),
            ('U', _) | ('\x07', Some("none")) => Some(Sort::No),
            _ => None,
        });
        // Without -l, the time of a change or of access only says by what to sort.
        let by_time = !long && (given.has('c') || given.has('u'));
        let marks = given.options.iter().rev().find_map(|(letter, value)| match (letter, value.as_deref()) {
            ('F', Some("never" | "auto")) | ('\x06', Some("none")) => Some(Marks::No),
            ('F', _) | ('\x06', Some("classify")) => Some(Marks::All),
            ('p', _) | ('\x06', Some("slash")) => Some(Marks::Folders),
            ('\x02', _) | ('\x06', Some("file-type")) => Some(Marks::Types),
            _ => None,
        });
        Self {
            hidden: given.has('a') || given.has('A'),
            dots: given.has('a'),
            long,
            owner: !given.has('g'),
            group: !given.has('o'),
            numeric: given.has('n'),
            human: given.has('h'),
            itself: given.has('d'),
            recursive: given.has('R') && !given.has('d'),
            reverse: given.has('r'),
            folders_first: given.has('\x04'),
            sort: sort.unwrap_or(if by_time { Sort::Time } else { Sort::Name }),
            marks: marks.unwrap_or(Marks::No),
            times: match given.value('\x05') {
                Some("long-iso") => Times::Minute,
                Some("full-iso") => Times::Full,
                _ if given.has('\x03') => Times::Full,
                _ => Times::Short,
            },
        }
    }
}
