//! Python's `ast.literal_eval`: what a literal stands for. Executes nothing.
//!
//! `syntax` reads the text; this file is CPython's `_convert` over the tree. No crate does the job: py_literal knows
//! neither comments, parentheses, joined strings nor errors by kind (and is built on pest), rustpython-parser parses all
//! of Python at more than the whole page's size.

use std::fmt;

use super::entries::Entries;
use super::syntax::{self, Node};
use super::{Int, Value};

/// Why `ast.literal_eval` gave no value. `Display` writes the text of the exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiteralError {
    /// `SyntaxError` or `ValueError`: the text is no literal. Its text is not modelled beyond the fact.
    Invalid,
    /// `TypeError`, with its text: `unhashable type: 'list'`.
    Type(String),
    /// `OverflowError`: the real part of a complex number is an int beyond the size of a float.
    Overflow,
    /// `RecursionError` (of some lengths and versions: `MemoryError`): thousands of signs in a row.
    TooDeep,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "malformed node or string",
            Self::Type(text) => text,
            Self::Overflow => "int too large to convert to float",
            Self::TooDeep => "maximum recursion depth exceeded during ast construction",
        })
    }
}

impl std::error::Error for LiteralError {}

/// `ast.literal_eval(source)` for a `str`.
///
/// Differs from CPython in these, all of them rare:
/// - `\N{NAME}` in a string is [`LiteralError::Invalid`]: the table of names would be larger than the page.
/// - An int of more than 4300 decimal digits is invalid in every base; CPython reads one in base 2, 8 or 16 and fails
///   when it prints it.
/// - Text with anything but literals is invalid as a whole, even where CPython would first meet an unhashable key.
/// - `set()` in full-width letters is not read as such.
/// - From 200 open brackets on the text is invalid; CPython raises MemoryError where they are not the first items.
pub fn literal_eval(source: &str) -> Result<Value, LiteralError> {
    convert(syntax::parse(source).ok_or(LiteralError::Invalid)?)
}

fn convert(node: Node) -> Result<Value, LiteralError> {
    match node {
        Node::Constant(value) => Ok(value),
        Node::List(items) => convert_all(items).map(Value::List),
        Node::Tuple(items) => convert_all(items).map(Value::Tuple),
        Node::Set(items) => set(items),
        Node::Dict(pairs) => dict(pairs),
        Node::Signed { .. } => signed_number(node),
        Node::Sum { left, minus, right } => complex(*left, minus, *right),
        Node::TooDeep => Err(LiteralError::TooDeep),
        Node::SetType | Node::Other => Err(LiteralError::Invalid),
    }
}

fn convert_all(items: Vec<Node>) -> Result<Vec<Value>, LiteralError> {
    items.into_iter().map(convert).collect()
}

fn set(items: Vec<Node>) -> Result<Value, LiteralError> {
    let mut members = Entries::default();
    for item in items {
        let member = convert(item)?;
        members.insert(identity(&member)?, member, Value::None);
    }
    Ok(Value::Set(members.into_pairs().into_iter().map(|(member, _)| member).collect()))
}

fn dict(pairs: Vec<(Node, Node)>) -> Result<Value, LiteralError> {
    let mut entries = Entries::default();
    for (key, value) in pairs {
        let (key, value) = (convert(key)?, convert(value)?);
        entries.insert(identity(&key)?, key, value);
    }
    Ok(Value::Dict(entries.into_pairs()))
}

/// A real number and an imaginary one with a sign between them, the only sum that is a literal.
fn complex(left: Node, minus: bool, right: Node) -> Result<Value, LiteralError> {
    let left = signed_number(left)?;
    let Value::Complex(zero, imaginary) = number(right)? else { return Err(LiteralError::Invalid) };
    let real = match left {
        Value::Int(value) => value.to_f64().ok_or(LiteralError::Overflow)?,
        Value::Float(value) => value,
        _ => return Err(LiteralError::Invalid),
    };
    // The sum of two complex numbers, whose zero parts decide on the sign of a zero: `1-0j` is `(1+0j)`.
    Ok(if minus { Value::Complex(real - zero, 0.0 - imaginary) } else { Value::Complex(real + zero, 0.0 + imaginary) })
}

fn number(node: Node) -> Result<Value, LiteralError> {
    match node {
        Node::Constant(value @ (Value::Int(_) | Value::Float(_) | Value::Complex(..))) => Ok(value),
        Node::TooDeep => Err(LiteralError::TooDeep),
        _ => Err(LiteralError::Invalid),
    }
}

fn signed_number(node: Node) -> Result<Value, LiteralError> {
    let Node::Signed { minus, operand } = node else { return number(node) };
    Ok(match number(*operand)? {
        Value::Int(value) if minus => Value::Int(value.negated()),
        Value::Float(value) if minus => Value::Float(-value),
        Value::Complex(real, imaginary) if minus => Value::Complex(-real, -imaginary),
        value => value,
    })
}

/// A text that is the same for keys that Python holds for equal (`1`, `1.0`, `True`); TypeError for what cannot be a key.
fn identity(value: &Value) -> Result<String, LiteralError> {
    Ok(match value {
        Value::List(_) | Value::Dict(_) | Value::Set(_) => {
            return Err(LiteralError::Type(format!("unhashable type: '{}'", value.type_name())));
        }
        Value::Tuple(items) => {
            let items: Result<Vec<String>, _> = items.iter().map(identity).collect();
            format!("({})", items?.join(","))
        }
        Value::Bool(value) => i64::from(*value).to_string(),
        // Equal to an int where it is whole. Beyond the size of an i64 the two are here taken for different keys.
        Value::Float(value) | Value::Complex(value, 0.0) if value.trunc() == *value && value.abs() < 9e18 => {
            Int::from(*value as i64).to_string()
        }
        Value::Complex(real, 0.0) => Value::Float(*real).repr(),
        // Adding 0.0 turns -0.0, which equals 0.0, into it.
        Value::Complex(real, imaginary) => Value::Complex(real + 0.0, imaginary + 0.0).repr(),
        other => other.repr(),
    })
}
