//! Reading the project's own data files: JSON into values, every field known and named, an error that says where.
//!
//! serde's derived readers for these two dozen types came to 60 kB of the page's program, a tenth of it; these come to
//! a few. So what the worker sends is read here, too; a recording is still read with serde.

use serde_json::{Map, Value as Json};

/// A value that a data file can hold.
pub trait FromJson: Sized {
    /// Reads it. `Err` says where in the file something is wrong, and what.
    fn from_json(json: Json) -> Result<Self, String>;

    /// The value of a field that is not there, if it may be left out.
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads a data file.
pub(crate) fn read<T: FromJson>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string()).and_then(T::from_json)
}

/// An object whose fields are taken out one by one.
pub struct Record(Map<String, Json>);

impl Record {
    /// Takes an object.
    pub fn open(json: Json) -> Result<Self, String> {
        match json {
            Json::Object(fields) => Ok(Self(fields)),
            _ => Err("is no object".into()),
        }
    }

    /// Takes a field out.
    pub fn take<T: FromJson>(&mut self, name: &str) -> Result<T, String> {
        // The order of what is left does not matter.
        match self.0.swap_remove(name) {
            Some(json) => T::from_json(json).map_err(|error| at(name, &error)),
            None => T::absent().ok_or_else(|| at(name, "is missing")),
        }
    }

    /// Every field must have been taken.
    pub fn close(self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(name) => Err(at(name, "is no field here")),
            None => Ok(()),
        }
    }
}

fn at(name: &str, error: &str) -> String {
    format!("{name}: {error}")
}

/// A choice that carries something, as serde writes it: `{"name": …}` or, where it carries nothing, `"name"`.
pub(crate) fn tagged(json: Json) -> Result<(String, Json), String> {
    match json {
        Json::String(name) => Ok((name, Json::Null)),
        Json::Object(fields) if fields.len() == 1 => fields.into_iter().next().ok_or_else(String::new),
        _ => Err("is no choice with a name".into()),
    }
}

/// A choice that is none of those that there are.
pub(crate) fn no_choice<T>(name: &str, choices: &str) -> Result<T, String> {
    Err(format!("{name} is none of {choices}"))
}

/// Reads a struct field by field: `record!(Type { field, field })`.
macro_rules! record {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::data::FromJson for $type {
            fn from_json(json: serde_json::Value) -> Result<Self, String> {
                let mut record = $crate::data::Record::open(json)?;
                // Where a later field is wrong the earlier ones are leaked: else each `?` would come with the code that
                // drops them, which for a lesson was half of it, to free a few bytes of a file that is wrong.
                $(let $field = std::mem::ManuallyDrop::new(record.take(stringify!($field))?);)*
                let value = Self { $($field: std::mem::ManuallyDrop::into_inner($field)),* };
                record.close()?;
                Ok(value)
            }
        }
    };
}

/// Reads a choice by its word: `words!(Type { "word" => Variant })`.
macro_rules! words {
    ($type:ty { $($word:literal => $variant:ident),* $(,)? }) => {
        impl $crate::data::FromJson for $type {
            fn from_json(json: serde_json::Value) -> Result<Self, String> {
                match json.as_str() {
                    $(Some($word) => Ok(Self::$variant),)*
                    _ => Err(format!("is none of {:?}", [$($word),*])),
                }
            }
        }
    };
}

/// Gives a type that is read here to serde, too: `for_serde!(Type)`. One reader, and not much code.
macro_rules! for_serde {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let json = serde_json::Value::deserialize(deserializer)?;
                $crate::data::FromJson::from_json(json).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use {for_serde, record, words};

impl FromJson for Json {
    fn from_json(json: Json) -> Result<Self, String> {
        Ok(json)
    }
}

impl FromJson for Map<String, Json> {
    fn from_json(json: Json) -> Result<Self, String> {
        Record::open(json).map(|record| record.0)
    }
}

impl FromJson for String {
    fn from_json(json: Json) -> Result<Self, String> {
        match json {
            Json::String(text) => Ok(text),
            _ => Err("is no text".into()),
        }
    }
}

impl FromJson for bool {
    fn from_json(json: Json) -> Result<Self, String> {
        json.as_bool().ok_or_else(|| "is neither true nor false".into())
    }
}

impl FromJson for u32 {
    fn from_json(json: Json) -> Result<Self, String> {
        let number = json.as_u64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| "is no whole number of this size".into())
    }
}

impl FromJson for i32 {
    fn from_json(json: Json) -> Result<Self, String> {
        let number = json.as_i64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| "is no whole number of this size".into())
    }
}

impl FromJson for usize {
    fn from_json(json: Json) -> Result<Self, String> {
        u32::from_json(json).map(|number| number as usize)
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(None),
            json => T::from_json(json).map(Some),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: Json) -> Result<Self, String> {
        let Json::Array(items) = json else { return Err("is no list".into()) };
        let mut values = Vec::with_capacity(items.len());
        for (i, item) in items.into_iter().enumerate() {
            values.push(T::from_json(item).map_err(|error| at(&i.to_string(), &error))?);
        }
        Ok(values)
    }
}
