//! The rules of a lesson in words: which places of its file a reader can change, under what name, and how.
//!
//! As data, since a lesson is: `described/rules.json` has a row for each place, and a test holds that no rule of a lesson lacks
//! one. What loads only with the rules panel stands only here.

use super::rules::at;
use crate::data::{self, record, words};
use crate::language::Bilingual;
use crate::message::Json;

/// A rule, or one for each item of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// What it belongs to.
    pub group: Group,
    /// Its place in the lesson, as a JSON pointer in which `*` stands for every item of a list.
    pub place: String,
    /// How it is changed.
    pub kind: Kind,
    /// What it is called. In one for each item `{}` stands for the item's name.
    pub name: Bilingual,
    /// What else there is to know.
    pub hint: Option<Bilingual>,
    /// The possibilities of a choice.
    pub choices: Option<Vec<Choice>>,
    /// What a value that may be missing begins with where the lesson has none.
    pub default: Option<Json>,
}

record!(Described { group, place, kind, name, hint, choices, default });

/// What rules are grouped by, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Group {
    System,
    Tools,
    Plan,
    Counter,
    Hooks,
    Loop,
    Texts,
}

words!(Group {
    "system" => System,
    "tools" => Tools,
    "plan" => Plan,
    "counter" => Counter,
    "hooks" => Hooks,
    "loop" => Loop,
    "texts" => Texts,
});

impl Group {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Counter, Self::Plan, Self::Hooks, Self::Tools, Self::System, Self::Loop, Self::Texts];
}

/// How a rule is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A text or none.
    OptionalText,
    /// A whole number, 1 or more.
    Count,
    /// Such a number or none.
    OptionalCount,
    /// Yes or no.
    Switch,
    /// One of the possibilities.
    Choice,
    /// A list of words, one a line.
    Lines,
    /// Anything, as JSON.
    Json,
    /// A part of the rules that is there or not.
    Part,
    /// The list of hooks.
    Hooks,
}

words!(Kind {
    "text" => Text,
    "optional_text" => OptionalText,
    "count" => Count,
    "optional_count" => OptionalCount,
    "switch" => Switch,
    "choice" => Choice,
    "lines" => Lines,
    "json" => Json,
    "part" => Part,
    "hooks" => Hooks,
});

/// A possibility of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What stands in the lesson.
    pub value: Json,
    /// What it is called.
    pub name: Bilingual,
}

record!(Choice { value, name });

/// All rules. `Err` says what is wrong with the file; a test reads it.
pub fn all() -> Result<Vec<Described>, String> {
    data::read(include_str!("described/rules.json"))
}

impl Described {
    /// The places that it describes in a lesson, as JSON pointers; none where the lesson has no such part.
    pub fn places(&self, lesson: &Json) -> Vec<String> {
        let Some((list, rest)) = self.place.split_once("/*") else {
            return at(lesson, &self.place).map(|_| self.place.clone()).into_iter().collect();
        };
        let items = lesson.pointer(list).and_then(Json::as_array).map_or(0, Vec::len);
        let places = (0..items).map(|i| format!("{list}/{i}{rest}"));
        places.filter(|place| at(lesson, place).is_some()).collect()
    }

    /// Whether a place, or one that it is within, is described here.
    pub fn covers(&self, place: &str) -> bool {
        let mut parts = place.split('/');
        self.place.split('/').all(|part| parts.next().is_some_and(|other| part == "*" || part == other))
    }

    /// The value that a text typed for it stands for. `None` where it is none.
    pub fn parse(&self, text: &str) -> Option<Json> {
        match self.kind {
            Kind::Count | Kind::OptionalCount => {
                let number = text.trim().parse::<u32>().ok().filter(|number| *number > 0);
                number.map(Json::from)
            }
            Kind::Lines => Some(text.lines().filter(|line| !line.is_empty()).map(Json::from).collect()),
            Kind::Json => serde_json::from_str(text).ok(),
            _ => Some(text.into()),
        }
    }

    /// A value as the text that is typed for it.
    pub fn text(&self, value: &Json) -> String {
        match (self.kind, value) {
            (Kind::Lines, Json::Array(lines)) => lines.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n"),
            (Kind::Json, value) => serde_json::to_string_pretty(value).unwrap_or_default(),
            (_, Json::String(text)) => text.clone(),
            (_, Json::Null) => String::new(),
            (_, value) => value.to_string(),
        }
    }
}
