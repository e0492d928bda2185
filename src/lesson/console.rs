//! What a lesson's program prints, as data. The texts hold their colours as the program sends them to a terminal, and
//! their line ends.

use crate::data::{record, words};
use serde::Serialize;

/// The texts around what a run says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConsoleRules {
    /// What is printed first.
    pub banner: String,
    /// What stands before a prompt.
    pub prompt: String,
    /// A plan that was taken, `{plan}` as the model reads it; none where the program does not print it.
    pub plan: Option<String>,
    /// A call that ran: `{tool}` and `{output}`, the output's first 200 characters; none where the program prints none.
    pub call: Option<String>,
    /// The line in which the permission hook tells a refusal: `{line}`.
    pub blocked: String,
    /// A question of that hook: `{heading}`, `{tool}` and `{input}`, the arguments as a Python dict.
    pub question: String,
    /// How the answer is printed.
    pub answer: AnswerForm,
}

record!(ConsoleRules { banner, prompt, plan, call, blocked, question, answer });

/// How the last message of a turn is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// Each text block on its own line, an empty one, too.
    TextBlocks,
    /// So, with every other block that has a text.
    AnyText,
    /// The texts that are not empty on lines of their own, without the white space around the whole; nothing where
    /// nothing is left.
    Trimmed,
}

words!(AnswerForm { "text_blocks" => TextBlocks, "any_text" => AnyText, "trimmed" => Trimmed });

/// A colour of printed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Bright black, as terminals call it.
    Grey,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Cyan.
    Cyan,
}

words!(Colour { "grey" => Grey, "red" => Red, "yellow" => Yellow, "cyan" => Cyan });

impl Colour {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Grey, Self::Red, Self::Yellow, Self::Cyan];

    /// Its number in the escape sequence that starts it.
    pub fn code(self) -> u8 {
        match self {
            Self::Grey => 90,
            Self::Red => 31,
            Self::Yellow => 33,
            Self::Cyan => 36,
        }
    }

    /// The text in this colour, and what follows in none.
    pub fn paint(self, text: &str) -> String {
        format!("\u{1b}[{}m{text}\u{1b}[0m", self.code())
    }
}
