//! Which programs a shell command would start, as far as its text tells: behind separators and reserved words, in
//! substitutions, and through `env`, `command` and a shell's `-c`. Nothing is expanded and nothing is run.
//!
//! What starts programs in other ways is not seen: a name in a variable, `xargs`, `eval`, `find -exec`. The text of a
//! here-document is read as commands.

use std::iter::Peekable;
use std::str::Chars;

/// The command cannot be read: a quote or a bracket is open at its end, or it is nested too deeply.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

/// How deep substitutions, subshells and scripts in scripts may be nested.
const DEEPEST: u32 = 40;

/// Words after which a command begins.
const BEFORE_A_COMMAND: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];

/// Programs that run their `-c` argument as a script.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// The names of the programs, in lower case and without their folders, in the order in which they are read.
pub(super) fn programs(script: &str) -> Result<Vec<String>, Unreadable> {
    let mut found = Vec::new();
    read(script, 0, &mut found)?;
    Ok(found)
}

fn read(script: &str, depth: u32, found: &mut Vec<String>) -> Result<(), Unreadable> {
    let mut reader = Reader { rest: script.chars().peekable(), depth, found };
    // A bracket that closes nothing parts commands, too.
    while reader.list()? != End::Script {}
    Ok(())
}

/// Where a list of commands ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Bracket,
    Script,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    depth: u32,
    found: &'a mut Vec<String>,
}

/// A simple command that is being read.
#[derive(Default)]
struct Command {
    words: Vec<String>,
    /// The word that is being read, without its quotes.
    word: Option<String>,
    /// Whether that word, or the next one, is where a redirection goes.
    redirected: bool,
}

impl Command {
    fn word(&mut self) -> &mut String {
        self.word.get_or_insert_default()
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !std::mem::take(&mut self.redirected)
        {
            self.words.push(word);
        }
    }
}

impl Reader<'_> {
    /// Reads commands up to a closing bracket or the script's end.
    fn list(&mut self) -> Result<End, Unreadable> {
        let mut command = Command::default();
        // How many `case` are open: in them a bracket ends a pattern, not the list.
        let mut cases = 0;
        while let Some(c) = self.rest.next() {
            match c {
                '\'' => self.quoted(command.word())?,
                '"' => self.double_quoted(command.word())?,
                '\\' => self.escaped(command.word())?,
                '`' => self.backquoted(command.word())?,
                '$' => self.dollar(command.word())?,
                '#' if command.word.is_none() => while self.rest.next_if(|&c| c != '\n').is_some() {},
                '<' | '>' => self.redirection(&mut command)?,
                ';' | '&' | '|' | '\n' => self.end(&mut command, &mut cases)?,
                '(' => {
                    self.end(&mut command, &mut cases)?;
                    self.brackets()?;
                }
                ')' => {
                    self.end(&mut command, &mut cases)?;
                    if cases == 0 {
                        return Ok(End::Bracket);
                    }
                }
                c if c.is_whitespace() => command.end_word(),
                c => command.word().push(c),
            }
        }
        self.end(&mut command, &mut cases)?;
        Ok(End::Script)
    }

    /// What stands in brackets, behind the opening one.
    fn brackets(&mut self) -> Result<(), Unreadable> {
        if self.depth == DEEPEST {
            return Err(Unreadable);
        }
        self.depth += 1;
        let end = self.list()?;
        self.depth -= 1;
        if end == End::Bracket { Ok(()) } else { Err(Unreadable) }
    }

    fn quoted(&mut self, word: &mut String) -> Result<(), Unreadable> {
        loop {
            match self.rest.next().ok_or(Unreadable)? {
                '\'' => return Ok(()),
                c => word.push(c),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut String) -> Result<(), Unreadable> {
        loop {
            match self.rest.next().ok_or(Unreadable)? {
                '"' => return Ok(()),
                '\\' => self.escaped(word)?,
                '`' => self.backquoted(word)?,
                '$' => self.dollar(word)?,
                c => word.push(c),
            }
        }
    }

    /// A backslash takes the next character as it is, and joins lines.
    fn escaped(&mut self, word: &mut String) -> Result<(), Unreadable> {
        match self.rest.next().ok_or(Unreadable)? {
            '\n' => {}
            c => word.push(c),
        }
        Ok(())
    }

    fn backquoted(&mut self, word: &mut String) -> Result<(), Unreadable> {
        let mut script = String::new();
        loop {
            match self.rest.next().ok_or(Unreadable)? {
                '`' => break,
                '\\' if self.rest.peek() == Some(&'`') => script.extend(self.rest.next()),
                c => script.push(c),
            }
        }
        word.push('`');
        self.script(&script)
    }

    /// A substitution or an expansion.
    fn dollar(&mut self, word: &mut String) -> Result<(), Unreadable> {
        word.push('$');
        if self.rest.next_if_eq(&'(').is_some() { self.brackets() } else { Ok(()) }
    }

    fn redirection(&mut self, command: &mut Command) -> Result<(), Unreadable> {
        // The number of a file is no word.
        if command.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            command.word = None;
        }
        command.end_word();
        while self.rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|' | '-')).is_some() {}
        if self.rest.next_if_eq(&'(').is_some() {
            command.word();
            return self.brackets();
        }
        command.redirected = true;
        Ok(())
    }

    /// Ends a command and takes note of what it starts.
    fn end(&mut self, command: &mut Command, cases: &mut u32) -> Result<(), Unreadable> {
        command.end_word();
        let Command { words, .. } = std::mem::take(command);
        let mut words = words.as_slice();
        while let [first, rest @ ..] = words
            && BEFORE_A_COMMAND.contains(&first.as_str())
        {
            words = rest;
        }
        match words.first().map(String::as_str) {
            Some("case") => *cases += 1,
            Some("esac") => *cases = cases.saturating_sub(1),
            // What follows is a name and what it goes through.
            Some("for") => {}
            _ => self.start(words)?,
        }
        Ok(())
    }

    fn start(&mut self, mut words: &[String]) -> Result<(), Unreadable> {
        loop {
            while let [first, rest @ ..] = words
                && is_assignment(first)
            {
                words = rest;
            }
            let [first, rest @ ..] = words else { return Ok(()) };
            let name = first.rsplit('/').next().unwrap_or_default().to_lowercase();
            self.found.push(name.clone());
            let (options, operands) = options(&name, rest);
            match name.as_str() {
                // It then only tells what the name stands for.
                "command" if options.iter().any(|option| option.contains(['v', 'V'])) => return Ok(()),
                "command" | "env" => words = operands,
                name if SHELLS.contains(&name) && options.iter().any(|option| is_script_option(option)) => {
                    return operands.first().map_or(Ok(()), |script| self.script(script));
                }
                _ => return Ok(()),
            }
        }
    }

    /// A script within the script.
    fn script(&mut self, script: &str) -> Result<(), Unreadable> {
        if self.depth == DEEPEST { Err(Unreadable) } else { read(script, self.depth + 1, self.found) }
    }
}

/// `NAME=…`
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// `-c`, alone or among others as in `-lc`.
fn is_script_option(option: &str) -> bool {
    !option.starts_with("--") && option.contains('c')
}

/// The options of `env`, `command` or a shell, and the words behind them; some options take the next word along.
fn options<'a>(program: &str, mut words: &'a [String]) -> (Vec<&'a str>, &'a [String]) {
    let with_value: &[&str] = match program {
        "env" => &["-u", "--unset", "-C", "--chdir"],
        "command" => &[],
        _ => &["-o", "+o", "-O", "+O"],
    };
    let mut options = Vec::new();
    while let [option, rest @ ..] = words
        && option.starts_with(['-', '+'])
    {
        let values = usize::from(with_value.contains(&option.as_str())).min(rest.len());
        options.push(option.as_str());
        words = &rest[values..];
    }
    (options, words)
}
