//! Python's string literals, from the opening quote to the closing one.

use super::Value;

/// What stands between the quotes of a string whose opening quote has been read; none when it does not end.
pub(super) fn body<'a>(rest: &'a str, quote: &str) -> Option<&'a str> {
    let mut escaped = false;
    for (index, c) in rest.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if rest[index..].starts_with(quote) {
            return Some(&rest[..index]);
        } else if c == '\n' && quote.len() == 1 {
            return None;
        }
    }
    None
}

/// The `str` or `bytes` that a body stands for; none where CPython raises SyntaxError.
pub(super) fn value(body: &str, raw: bool, bytes: bool) -> Option<Value> {
    if bytes && !body.is_ascii() {
        return None;
    }
    let text = if raw { body.to_string() } else { unescape(body, bytes)? };
    // Every character of a bytes literal, and every escape in one, is below 256.
    Some(if bytes { Value::Bytes(text.chars().map(|c| c as u8).collect()) } else { Value::Str(text) })
}

fn unescape(body: &str, bytes: bool) -> Option<String> {
    let mut text = String::new();
    let mut rest = body;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let letter = escape.chars().next()?;
        rest = &escape[letter.len_utf8()..];
        match letter {
            '\n' => {}
            '\\' | '\'' | '"' => text.push(letter),
            'a' => text.push('\x07'),
            'b' => text.push('\x08'),
            'f' => text.push('\x0c'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            'v' => text.push('\x0b'),
            '0'..='7' => {
                let length = escape.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let code = u32::from_str_radix(&escape[..length], 8).ok()?;
                rest = &escape[length..];
                text.push(char::from_u32(if bytes { code & 0xff } else { code })?);
            }
            'x' => rest = push_hex(&mut text, rest, 2)?,
            'u' if !bytes => rest = push_hex(&mut text, rest, 4)?,
            'U' if !bytes => rest = push_hex(&mut text, rest, 8)?,
            'N' if !bytes => return None,
            // Python warns of an unknown escape and keeps it.
            other => text.extend(['\\', other]),
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Appends the character that so many hexadecimal digits name, and gives back what follows them.
fn push_hex<'a>(text: &mut String, rest: &'a str, length: usize) -> Option<&'a str> {
    let (digits, rest) = rest.split_at_checked(length)?;
    let code = digits.chars().try_fold(0u32, |code, digit| Some(code.checked_mul(16)? + digit.to_digit(16)?))?;
    text.push(match code {
        0xd800..=0xdfff => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(code)?,
    });
    Some(rest)
}
