//! Printed text as a terminal takes it: parts in a colour, without the sequences that set it.

use crate::lesson::Colour;

/// The text in parts, each with its colour. Of the escape sequences only those that set a colour are taken, and of the
/// colours only those that the lessons use; any other control character is shown by its picture, so that what a tool
/// wrote can neither hide nor move anything.
pub fn spans(text: &str) -> Vec<(Option<Colour>, String)> {
    let mut spans = vec![(None, String::new())];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((colour, behind)) = graphics(rest) {
            spans.push((colour, String::new()));
            rest = behind;
            continue;
        }
        if let Some((_, part)) = spans.last_mut() {
            match c {
                // Around the sequences in a prompt: they tell Python's line editor what takes no room.
                '\u{1}' | '\u{2}' => {}
                '\n' | '\t' => part.push(c),
                c if c.is_ascii_control() => part.extend(picture(c)),
                c => part.push(c),
            }
        }
        rest = &rest[c.len_utf8()..];
    }
    spans.retain(|(_, part)| !part.is_empty());
    spans
}

/// A sequence that sets how text looks (`ESC [ numbers m`), at the start of a text: its colour, and what follows it.
fn graphics(text: &str) -> Option<(Option<Colour>, &str)> {
    let (numbers, behind) = text.strip_prefix("\u{1b}[")?.split_once('m')?;
    if !numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b';') {
        return None;
    }
    let colour = |number: &str| Colour::ALL.into_iter().find(|colour| number.parse() == Ok(colour.code()));
    Some((numbers.split(';').find_map(colour), behind))
}

/// The sign that stands for a control character.
fn picture(c: char) -> Option<char> {
    match c {
        '\u{7f}' => Some('␡'),
        c => char::from_u32(0x2400 + u32::from(c)),
    }
}
