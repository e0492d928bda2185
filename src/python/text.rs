//! Three methods of Python's `str`.

/// `text.strip()`: without white space at both ends. Python's idea of it (`str.isspace`) is Unicode's, which has U+3000
/// and U+00A0 but not U+200B, plus the four separators U+001C to U+001F.
pub fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\x1c'..='\x1f'))
}

/// `text.lower()`: Unicode's full lower case, so that a sigma at the end of a word and `İ` come out as in Python.
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

/// `text.splitlines()`: the lines without their ends, no empty one after the last end.
pub fn splitlines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, tail) = rest.split_at(rest.find(is_line_end).unwrap_or(rest.len()));
        lines.push(line);
        rest = tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix(is_line_end)).unwrap_or(tail);
    }
    lines
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
