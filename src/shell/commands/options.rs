//! Arguments read as GNU's `getopt_long` reads them, and its words for what is wrong with them.

use bashkit::ExecResult;

/// Whether an option has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    None,
    Needed,
    /// Only behind `=`.
    Optional,
}

/// What a command knows: short options as for `getopt` (`abU:`), and long ones with the letter that they stand for.
pub(super) struct Known {
    pub(super) short: &'static str,
    /// The short options that GNU's command has beyond those.
    pub(super) lacking: &'static str,
    pub(super) long: &'static [(&'static str, Value, char)],
}

/// What it was given.
#[derive(Default)]
pub(super) struct Given {
    pub(super) options: Vec<(char, Option<String>)>,
    pub(super) operands: Vec<String>,
    /// The arguments that are options, as they were written.
    pub(super) written: Vec<String>,
}

impl Given {
    pub(super) fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(given, _)| *given == letter)
    }

    /// The value that was given last.
    pub(super) fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(given, _)| *given == letter)?.1.as_deref()
    }
}

/// Reads arguments; `Err` is the complaint without the command's name.
pub(super) fn read(args: &[String], known: &Known) -> Result<Given, String> {
    let mut given = Given::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            given.operands.extend(args.by_ref().cloned());
        } else if let Some(long) = arg.strip_prefix("--") {
            given.written.push(arg.clone());
            read_long(long, &mut args, known, &mut given)?;
        } else if arg.len() > 1 && arg.starts_with('-') {
            given.written.push(arg.clone());
            read_short(&arg[1..], &mut args, known, &mut given)?;
        } else {
            given.operands.push(arg.clone());
        }
    }
    Ok(given)
}

fn read_long<'a>(
    long: &str,
    rest: &mut impl Iterator<Item = &'a String>,
    known: &Known,
    given: &mut Given,
) -> Result<(), String> {
    let (name, mut value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (long, None),
    };
    let exact = known.long.iter().find(|(full, ..)| *full == name);
    let mut begins = known.long.iter().filter(|(full, ..)| full.starts_with(name));
    let (full, takes, letter) = match (exact, begins.next(), begins.next()) {
        (Some(found), ..) | (None, Some(found), None) => *found,
        (None, Some(_), Some(_)) => return Err(format!("option '--{name}' is ambiguous")),
        (None, None, _) => return Err(format!("unrecognized option '--{name}'")),
    };
    if takes == Value::None && value.is_some() {
        return Err(format!("option '--{full}' doesn't allow an argument"));
    }
    if takes == Value::Needed && value.is_none() {
        let next = rest.next().ok_or_else(|| format!("option '--{full}' requires an argument"))?;
        given.written.push(next.clone());
        value = Some(next.clone());
    }
    given.options.push((letter, value));
    Ok(())
}

fn read_short<'a>(
    letters: &str,
    rest: &mut impl Iterator<Item = &'a String>,
    known: &Known,
    given: &mut Given,
) -> Result<(), String> {
    for (at, letter) in letters.char_indices() {
        let place = known.short.find(letter).filter(|_| letter != ':');
        let place = place.ok_or_else(|| match known.lacking.contains(letter) {
            true => format!("invalid option -- '{letter}' (the command of this sandbox does not have it)"),
            false => format!("invalid option -- '{letter}'"),
        })?;
        if !known.short[place + letter.len_utf8()..].starts_with(':') {
            given.options.push((letter, None));
            continue;
        }
        let value = match &letters[at + letter.len_utf8()..] {
            "" => {
                let next = rest.next().ok_or_else(|| format!("option requires an argument -- '{letter}'"))?;
                given.written.push(next.clone());
                next.clone()
            }
            attached => attached.to_string(),
        };
        given.options.push((letter, Some(value)));
        break;
    }
    Ok(())
}

/// How a command ends that was called wrongly.
pub(super) fn misused(command: &str, complaint: &str, status: i32) -> ExecResult {
    ExecResult::err(format!("{command}: {complaint}\nTry '{command} --help' for more information.\n"), status)
}
