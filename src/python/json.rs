//! Python's `json.loads` of a `str`.
//!
//! serde_json will not do: Python also takes `NaN`, `Infinity`, `-Infinity` and lone surrogates, reads ints exactly and
//! counts nesting its own way. Reads without recursion, so that no text is too deep for the stack of the page.

use std::fmt;

use super::int::MAX_DIGITS;
use super::{Int, Value, entries::Entries, float};

/// How deep containers may nest. CPython's limit is its recursion limit of 1000 less the calls that already run, which
/// in the lesson are about ten (3.11; later versions allow more).
const MAX_DEPTH: usize = 990;

/// Why `json.loads` gave no value. `Display` writes the text of the exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonError {
    /// `json.JSONDecodeError`: the text is no JSON. Its text is not modelled beyond the fact.
    Invalid,
    /// A `ValueError` that is no `JSONDecodeError`, with its text: an int of more than 4300 digits.
    Value(String),
    /// `RecursionError`, with its text.
    TooDeep(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => f.write_str("not JSON"),
            Self::Value(text) | Self::TooDeep(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for JsonError {}

/// `json.loads(source)` for a `str`.
pub fn json_loads(source: &str) -> Result<Value, JsonError> {
    let mut reader = Reader { source, position: 0 };
    reader.skip_space();
    let value = reader.value()?;
    reader.skip_space();
    if reader.position == source.len() { Ok(value) } else { Err(JsonError::Invalid) }
}

/// A container whose end has not been read.
enum Open {
    List(Vec<Value>),
    /// With the key whose value is due.
    Dict(Entries, String),
}

struct Reader<'a> {
    source: &'a str,
    position: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = if self.eat("[") {
                check_depth(open.len(), "array")?;
                self.skip_space();
                if !self.eat("]") {
                    open.push(Open::List(Vec::new()));
                    continue;
                }
                Value::List(Vec::new())
            } else if self.eat("{") {
                check_depth(open.len(), "object")?;
                self.skip_space();
                if !self.eat("}") {
                    open.push(Open::Dict(Entries::default(), self.key()?));
                    continue;
                }
                Value::Dict(Vec::new())
            } else {
                self.scalar()?
            };
            // Put it where it belongs; a container that ends with it is the next value to put somewhere.
            loop {
                let Some(container) = open.pop() else { return Ok(value) };
                self.skip_space();
                let more = self.eat(",");
                self.skip_space();
                value = match container {
                    Open::List(mut items) => {
                        items.push(value);
                        if more {
                            open.push(Open::List(items));
                            break;
                        }
                        self.expect("]")?;
                        Value::List(items)
                    }
                    Open::Dict(mut entries, key) => {
                        entries.insert(key.clone(), Value::Str(key), value);
                        if more {
                            open.push(Open::Dict(entries, self.key()?));
                            break;
                        }
                        self.expect("}")?;
                        Value::Dict(entries.into_pairs())
                    }
                };
            }
        }
    }

    fn key(&mut self) -> Result<String, JsonError> {
        self.expect("\"")?;
        let key = self.string()?;
        self.skip_space();
        self.expect(":")?;
        self.skip_space();
        Ok(key)
    }

    fn scalar(&mut self) -> Result<Value, JsonError> {
        if self.eat("\"") {
            return self.string().map(Value::Str);
        }
        let words = [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        match words.into_iter().find(|(word, _)| self.eat(word)) {
            Some((_, value)) => Ok(value),
            None => self.number(),
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.position;
        let negative = self.eat("-");
        let whole = self.position;
        if !self.eat("0") && !self.digits() {
            return Err(JsonError::Invalid);
        }
        let digits = &self.source[whole..self.position];
        let fraction = self.eat(".");
        if fraction && !self.digits() {
            return Err(JsonError::Invalid);
        }
        let exponent = self.eat("e") || self.eat("E");
        if exponent {
            let _sign = self.eat("+") || self.eat("-");
            if !self.digits() {
                return Err(JsonError::Invalid);
            }
        }
        if fraction || exponent {
            return Ok(Value::Float(float::parse(&self.source[start..self.position])));
        }
        let int = Int::from_digits(digits, 10).ok_or_else(|| {
            JsonError::Value(format!(
                "Exceeds the limit ({MAX_DIGITS} digits) for integer string conversion: value has {} digits; \
                 use sys.set_int_max_str_digits() to increase the limit",
                digits.len()
            ))
        })?;
        Ok(Value::Int(if negative { int.negated() } else { int }))
    }

    /// The rest of a string whose opening quote has been read.
    fn string(&mut self) -> Result<String, JsonError> {
        let mut text = String::new();
        loop {
            let rest = &self.source[self.position..];
            let plain = rest.find(|c| matches!(c, '"' | '\\' | '\0'..='\x1f')).ok_or(JsonError::Invalid)?;
            text.push_str(&rest[..plain]);
            self.position += plain;
            if self.eat("\"") {
                return Ok(text);
            }
            self.expect("\\")?;
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let letter = self.source[self.position..].chars().next().ok_or(JsonError::Invalid)?;
        self.position += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.hex4()?;
                let after_first = self.position;
                if (0xd800..0xdc00).contains(&first) && self.eat("\\u") {
                    let second = self.hex4()?;
                    if (0xdc00..0xe000).contains(&second) {
                        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                        return char::from_u32(code).ok_or(JsonError::Invalid);
                    }
                    self.position = after_first;
                }
                // Only a lone surrogate is no character.
                char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(JsonError::Invalid),
        })
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self.source.get(self.position..self.position + 4).ok_or(JsonError::Invalid)?;
        self.position += 4;
        digits.chars().try_fold(0, |code, digit| Some(code * 16 + digit.to_digit(16)?)).ok_or(JsonError::Invalid)
    }

    fn digits(&mut self) -> bool {
        let rest = &self.source[self.position..];
        let count = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.position += count;
        count > 0
    }

    fn skip_space(&mut self) {
        let rest = &self.source[self.position..];
        self.position += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.source[self.position..].starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), JsonError> {
        if self.eat(token) { Ok(()) } else { Err(JsonError::Invalid) }
    }
}

fn check_depth(depth: usize, container: &str) -> Result<(), JsonError> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    let text = format!("maximum recursion depth exceeded while decoding a JSON {container} from a unicode string");
    Err(JsonError::TooDeep(text))
}
