//! What the teaching programs get from Python itself: its values as they print, and the functions that read text.
//!
//! Owns the semantics of CPython 3.11 to 3.14 that a model or a reader can see in a lesson's answers: `str`, `repr`,
//! `json.loads`, `ast.literal_eval`, `str.strip`, `str.lower`, `str.splitlines`. Executes nothing, and knows nothing of
//! lessons, messages or files. `tests/python.rs` compares all of it with a real `python3` where there is one.
//!
//! Known differences from CPython:
//! - A lone surrogate (`"\ud800"`) cannot stand in a Rust string: it becomes U+FFFD, one character for one character.
//! - A set keeps its members in the order in which they were written; CPython shows them in the order of their hashes.
//! - Which characters are printable or have a lower case follows the Unicode version of Rust's std, not of the Python.

use serde_json::Value as Json;

mod entries;
mod float;
mod int;
mod json;
mod literal;
mod repr;
mod strings;
mod syntax;
mod text;

pub use int::Int;
pub use json::{JsonError, json_loads};
pub use literal::{LiteralError, literal_eval};
pub use text::{lower, splitlines, strip};

/// An exception, by its type and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception(pub &'static str, pub String);

/// `word in value`, for a value that came as JSON. `Err` is a `TypeError`.
pub fn contains(value: &Json, word: &str) -> Result<bool, Exception> {
    match value {
        Json::String(text) => Ok(text.contains(word)),
        Json::Array(items) => Ok(items.iter().any(|item| item == word)),
        Json::Object(fields) => Ok(fields.contains_key(word)),
        other => {
            let kind = Value::from(other).type_name();
            Err(Exception("TypeError", format!("argument of type '{kind}' is not iterable")))
        }
    }
}

/// A Python value of the kinds that `json.loads` and `ast.literal_eval` make.
///
/// `==` compares kind and content; Python's own `1 == 1.0 == True` matters only for the keys of a dict and the members
/// of a set, and is settled when these are built.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`
    None,
    /// `True` or `False`
    Bool(bool),
    /// `int`, of any size
    Int(Int),
    /// `float`
    Float(f64),
    /// `complex`: the real and the imaginary part
    Complex(f64, f64),
    /// `str`
    Str(String),
    /// `bytes`
    Bytes(Vec<u8>),
    /// `list`
    List(Vec<Value>),
    /// `tuple`
    Tuple(Vec<Value>),
    /// `dict`: keys with their values in order of insertion, no key twice
    Dict(Vec<(Value, Value)>),
    /// `set`: no member twice
    Set(Vec<Value>),
    /// `...`
    Ellipsis,
}

impl Value {
    /// The name of the value's type, as CPython's sentences print it: `type(value).__name__`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Complex(..) => "complex",
            Self::Str(_) => "str",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
            Self::Ellipsis => "ellipsis",
        }
    }

    /// Whether `if value:` takes the branch: `bool(value)`.
    pub fn truthy(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => value.to_i64() != Some(0),
            Self::Float(value) => *value != 0.0,
            Self::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::List(items) | Self::Tuple(items) | Self::Set(items) => !items.is_empty(),
            Self::Dict(pairs) => !pairs.is_empty(),
            Self::Ellipsis => true,
        }
    }

    /// What a dict holds under a string key: `value.get(key)`. None for a value that is no dict.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Dict(pairs) = self else { return None };
        pairs.iter().find(|(own, _)| matches!(own, Self::Str(own) if own == key)).map(|(_, value)| value)
    }
}

/// A tool's input as Python's SDK hands it to the program: `json.loads` of the reply that it came in.
///
/// What serde_json has already lost stays lost: an int beyond 64 bits is a float by then, `-0` is `-0.0`, and without its
/// feature `float_roundtrip` some floats are off by their last digit.
impl From<&Json> for Value {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::None,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => Self::Int(value.into()),
                (_, Some(value)) => Self::Int(value.into()),
                _ => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Self::Str(text.clone()),
            Json::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Json::Object(fields) => {
                Self::Dict(fields.iter().map(|(key, value)| (Self::Str(key.clone()), value.into())).collect())
            }
        }
    }
}
