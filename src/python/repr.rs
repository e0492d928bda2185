//! How Python prints its values.

use std::fmt::Write;

use serde_json::Number;

use super::Value;

impl Value {
    /// `str(value)`: a string itself, anything else as [`Value::repr`] has it.
    pub fn str(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            other => other.repr(),
        }
    }

    /// `repr(value)`
    pub fn repr(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(true) => out.push_str("True"),
            Self::Bool(false) => out.push_str("False"),
            Self::Ellipsis => out.push_str("Ellipsis"),
            Self::Int(value) => out.push_str(&value.to_string()),
            Self::Float(value) => out.push_str(&float(*value)),
            Self::Complex(real, imaginary) => out.push_str(&complex(*real, *imaginary)),
            Self::Str(text) => quoted(out, text),
            Self::Bytes(bytes) => {
                out.push('b');
                quoted_bytes(out, bytes);
            }
            Self::List(items) => sequence(out, "[", items, "]"),
            Self::Tuple(items) => sequence(out, "(", items, if items.len() == 1 { ",)" } else { ")" }),
            Self::Set(items) if items.is_empty() => out.push_str("set()"),
            Self::Set(items) => sequence(out, "{", items, "}"),
            Self::Dict(pairs) => mapping(out, pairs),
        }
    }
}

fn sequence(out: &mut String, open: &str, items: &[Value], close: &str) {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        item.write(out);
    }
    out.push_str(close);
}

fn mapping(out: &mut String, pairs: &[(Value, Value)]) {
    out.push('{');
    for (index, (key, value)) in pairs.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        key.write(out);
        out.push_str(": ");
        value.write(out);
    }
    out.push('}');
}

/// `float.__repr__`: the shortest digits that read back as the same number. Of two that are equally near Python takes
/// the even one; so does serde_json, where std would take the larger.
fn float(value: f64) -> String {
    let Some(number) = Number::from_f64(value) else {
        let name = if value.is_nan() { "nan" } else { "inf" };
        return if value < 0.0 { format!("-{name}") } else { name.to_string() };
    };
    let text = number.to_string();
    let (digits, exponent) = match (text.split_once('e'), text.split_once("0.0000")) {
        (Some((digits, exponent)), _) => (digits.to_string(), exponent.parse().unwrap_or(0)),
        // Python changes to an exponent one zero earlier: 0.000015 is 1.5e-05.
        (None, Some((sign, digits))) if value != 0.0 && value.abs() < 1e-4 => {
            let (first, rest) = digits.split_at(1);
            (format!("{sign}{first}{}{rest}", if rest.is_empty() { "" } else { "." }), -5)
        }
        _ => return text,
    };
    format!("{digits}e{exponent:+03}")
}

/// `complex.__repr__`: parts without `.0`, and no real part at all when it is a positive zero.
fn complex(real: f64, imaginary: f64) -> String {
    let part = |value| float(value).trim_end_matches(".0").to_string();
    if real == 0.0 && real.is_sign_positive() {
        return format!("{}j", part(imaginary));
    }
    let plus = if imaginary.is_sign_positive() { "+" } else { "" };
    format!("({}{plus}{}j)", part(real), part(imaginary))
}

/// `str.__repr__`
fn quoted(out: &mut String, text: &str) {
    let quote = quote_for(text.contains('\''), text.contains('"'));
    out.push(quote);
    for c in text.chars() {
        // `write!` to a String cannot fail.
        let _ = match c {
            _ if c.is_ascii() => write_ascii(out, c, quote),
            _ if is_printable(c) => out.write_char(c),
            '\0'..='\u{ff}' => write!(out, "\\x{:02x}", c as u32),
            '\0'..='\u{ffff}' => write!(out, "\\u{:04x}", c as u32),
            _ => write!(out, "\\U{:08x}", c as u32),
        };
    }
    out.push(quote);
}

/// `bytes.__repr__`, without the `b`
fn quoted_bytes(out: &mut String, bytes: &[u8]) {
    let quote = quote_for(bytes.contains(&b'\''), bytes.contains(&b'"'));
    out.push(quote);
    for byte in bytes {
        let _ = match byte {
            0..=0x7f => write_ascii(out, char::from(*byte), quote),
            _ => write!(out, "\\x{byte:02x}"),
        };
    }
    out.push(quote);
}

/// Python prefers `'`, unless that would need an escape and `"` would not.
fn quote_for(has_single: bool, has_double: bool) -> char {
    if has_single && !has_double { '"' } else { '\'' }
}

fn write_ascii(out: &mut String, c: char, quote: char) -> std::fmt::Result {
    match c {
        '\t' => out.write_str("\\t"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\\' => out.write_str("\\\\"),
        _ if c == quote => write!(out, "\\{c}"),
        _ if c.is_ascii_control() => write!(out, "\\x{:02x}", c as u32),
        _ => out.write_char(c),
    }
}

/// `str.isprintable` of a character beyond ASCII. std has the same table (all but Unicode's categories Other and
/// Separator), reachable through the escapes of `str`. These escape a combining mark too, but only at the start of a
/// text; hence the letter before it.
fn is_printable(c: char) -> bool {
    let mut buffer = [b'a'; 5];
    let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
    std::str::from_utf8(&buffer[..length]).is_ok_and(|text| text.escape_debug().nth(2).is_none())
}
