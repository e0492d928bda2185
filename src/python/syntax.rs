//! The grammar of Python's literals: text to a tree, as `ast.parse(source, mode="eval")` makes it.
//!
//! Reads only what can be part of a literal. Any other Python (a name, a call, an operator) is refused like a syntax
//! error, because `ast.literal_eval` gives the same answer for both.

use super::strings;
use super::{Int, Value, float};

/// How deep brackets may nest (`MAXLEVEL` of CPython's tokenizer). It also bounds the recursion here.
const MAX_NESTING: usize = 200;

/// How many signs may stand in a row before CPython (3.11) raises RecursionError.
const MAX_SIGNS: usize = 2986;

/// An expression: those kinds of node that `ast.literal_eval` tells apart.
pub(super) enum Node {
    Constant(Value),
    List(Vec<Node>),
    Tuple(Vec<Node>),
    Set(Vec<Node>),
    Dict(Vec<(Node, Node)>),
    /// One `+` or `-` and what it is put before.
    Signed {
        minus: bool,
        operand: Box<Node>,
    },
    /// Two operands with `+` or `-` between them.
    Sum {
        left: Box<Node>,
        minus: bool,
        right: Box<Node>,
    },
    /// The name `set`, not called.
    SetType,
    /// More signs in a row than CPython's compiler bears.
    TooDeep,
    /// An expression that is no literal, like `- -1` and `1 + 2 + 3j`.
    Other,
}

/// Reads one expression; none where CPython raises SyntaxError.
pub(super) fn parse(source: &str) -> Option<Node> {
    if source.contains('\0') {
        return None;
    }
    let source = source.trim_start_matches([' ', '\t']).replace("\r\n", "\n").replace('\r', "\n");
    let mut parser = Parser { source: &source, position: 0, nesting: 0 };
    parser.line_start()?;
    let (mut items, comma) = parser.items(None)?;
    let node = if comma { Node::Tuple(items) } else { items.pop()? };
    parser.skip_comment();
    if parser.eat(b'\n') {
        parser.line_start()?;
    }
    (parser.position == source.len()).then_some(node)
}

struct Parser<'a> {
    source: &'a str,
    position: usize,
    /// How many brackets are open. Inside of one, the end of a line means nothing.
    nesting: usize,
}

impl<'a> Parser<'a> {
    /// Skips empty lines and comments up to the next line with something on it, which must not be indented.
    fn line_start(&mut self) -> Option<()> {
        loop {
            let mut column = 0;
            // The column of a line that begins with continuations is that of the first.
            let mut continued = 0;
            loop {
                match self.peek() {
                    Some(b' ' | b'\t') => column += 1,
                    Some(b'\x0c') => column = 0,
                    Some(b'\\') => {
                        continued = if continued == 0 { column } else { continued };
                        self.position += 1;
                        if self.peek() != Some(b'\n') || self.position + 1 == self.source.len() {
                            return None;
                        }
                    }
                    _ => break,
                }
                self.position += 1;
            }
            let commented = self.skip_comment();
            if !self.eat_here(b'\n') {
                return (commented || column + continued == 0).then_some(());
            }
        }
    }

    /// Skips what may stand between two tokens.
    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\x0c') => self.position += 1,
                Some(b'\n') if self.nesting > 0 => self.position += 1,
                Some(b'#') if self.nesting > 0 => _ = self.skip_comment(),
                // A continuation needs a line to continue on.
                Some(b'\\') if self.rest().starts_with("\\\n") && self.rest().len() > 2 => self.position += 2,
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) -> bool {
        let found = self.peek() == Some(b'#');
        if found {
            self.position += self.rest().find('\n').unwrap_or(self.rest().len());
        }
        found
    }

    /// Expressions with commas between, up to the bracket (or else the end of the line), and whether there was a comma.
    fn items(&mut self, close: Option<u8>) -> Option<(Vec<Node>, bool)> {
        let mut items = Vec::new();
        let mut comma = false;
        loop {
            self.skip_space();
            let next = self.peek();
            let end = if close.is_some() { next == close } else { matches!(next, None | Some(b'\n' | b'#')) };
            if end && (comma || close.is_some()) {
                break;
            }
            items.push(self.expression()?);
            self.skip_space();
            if !self.eat(b',') {
                break;
            }
            comma = true;
        }
        Some((items, comma))
    }

    fn expression(&mut self) -> Option<Node> {
        let mut node = self.signed()?;
        loop {
            self.skip_space();
            let minus = self.peek() == Some(b'-');
            if !minus && self.peek() != Some(b'+') {
                return Some(node);
            }
            self.position += 1;
            let right = self.signed()?;
            node = match node {
                Node::Sum { .. } | Node::Other => Node::Other,
                left => Node::Sum { left: Box::new(left), minus, right: Box::new(right) },
            };
        }
    }

    fn signed(&mut self) -> Option<Node> {
        let mut signs = 0;
        let mut minus = false;
        loop {
            self.skip_space();
            match self.peek() {
                Some(sign @ (b'+' | b'-')) => minus = sign == b'-',
                _ => break,
            }
            self.position += 1;
            signs += 1;
        }
        let operand = self.operand()?;
        Some(match signs {
            0 => operand,
            1 => Node::Signed { minus, operand: Box::new(operand) },
            2..=MAX_SIGNS => Node::Other,
            _ => Node::TooDeep,
        })
    }

    /// An atom, or the one call that `ast.literal_eval` knows: the empty set has no spelling but `set()`.
    fn operand(&mut self) -> Option<Node> {
        let atom = self.atom()?;
        self.skip_space();
        if matches!(atom, Node::SetType) && self.peek() == Some(b'(') {
            self.open()?;
            self.close(b')')?;
            return Some(Node::Set(Vec::new()));
        }
        Some(atom)
    }

    fn atom(&mut self) -> Option<Node> {
        match self.peek()? {
            b'(' => {
                self.open()?;
                let (mut items, comma) = self.items(Some(b')'))?;
                self.close(b')')?;
                Some(if comma || items.is_empty() { Node::Tuple(items) } else { items.pop()? })
            }
            b'[' => {
                self.open()?;
                let (items, _) = self.items(Some(b']'))?;
                self.close(b']')?;
                Some(Node::List(items))
            }
            b'{' => self.braces(),
            b'.' if self.rest().starts_with("...") => {
                self.position += 3;
                Some(Node::Constant(Value::Ellipsis))
            }
            b'.' | b'0'..=b'9' => self.number().map(Node::Constant),
            _ if self.string_prefix().is_some() => self.strings().map(Node::Constant),
            _ => self.word(),
        }
    }

    /// A dict or a set. The two differ from their first entry on, and `{}` is a dict.
    fn braces(&mut self) -> Option<Node> {
        self.open()?;
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.close(b'}')?;
            return Some(Node::Dict(Vec::new()));
        }
        let first = self.expression()?;
        if !self.eat(b':') {
            let mut members = vec![first];
            if self.eat(b',') {
                members.extend(self.items(Some(b'}'))?.0);
            }
            self.close(b'}')?;
            return Some(Node::Set(members));
        }
        let mut pairs = vec![(first, self.expression()?)];
        while self.eat(b',') {
            self.skip_space();
            if self.peek() == Some(b'}') {
                break;
            }
            let key = self.expression()?;
            pairs.push((key, self.eat(b':').then(|| self.expression())??));
        }
        self.close(b'}')?;
        Some(Node::Dict(pairs))
    }

    fn word(&mut self) -> Option<Node> {
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let word = &self.rest()[..length];
        let node = match word {
            "None" => Node::Constant(Value::None),
            "True" => Node::Constant(Value::Bool(true)),
            "False" => Node::Constant(Value::Bool(false)),
            "set" => Node::SetType,
            _ => return None,
        };
        self.position += length;
        Some(node)
    }

    /// One string, or several that are joined because they stand side by side.
    fn strings(&mut self) -> Option<Value> {
        let mut whole = self.string()?;
        loop {
            self.skip_space();
            if self.string_prefix().is_none() {
                return Some(whole);
            }
            match (&mut whole, self.string()?) {
                (Value::Str(text), Value::Str(more)) => text.push_str(&more),
                (Value::Bytes(bytes), Value::Bytes(more)) => bytes.extend(more),
                _ => return None,
            }
        }
    }

    /// The letters before a string's quote, where a string begins here. Those of an f-string do not count.
    fn string_prefix(&self) -> Option<&'a str> {
        let length = self.rest().bytes().take(3).position(|byte| matches!(byte, b'\'' | b'"'))?;
        let prefix = self.rest().get(..length)?;
        ["", "r", "u", "b", "br", "rb"].iter().any(|known| prefix.eq_ignore_ascii_case(known)).then_some(prefix)
    }

    fn string(&mut self) -> Option<Value> {
        let prefix = self.string_prefix()?.to_ascii_lowercase();
        let (raw, bytes) = (prefix.contains('r'), prefix.contains('b'));
        self.position += prefix.len();
        let rest = self.rest();
        let quote = if rest.starts_with("'''") || rest.starts_with("\"\"\"") { &rest[..3] } else { &rest[..1] };
        let body = strings::body(&rest[quote.len()..], quote)?;
        self.position += body.len() + 2 * quote.len();
        strings::value(body, raw, bytes)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.position;
        let prefix = self.rest().get(..2).unwrap_or_default().to_ascii_lowercase();
        let radix = match prefix.as_str() {
            "0x" => 16,
            "0o" => 8,
            "0b" => 2,
            _ => 10,
        };
        let value = if radix == 10 {
            self.decimal()?
        } else {
            self.position += 2;
            let _first = self.eat_here(b'_');
            self.digits(radix).then_some(())?;
            Value::Int(Int::from_digits(&self.source[start + 2..self.position].replace('_', ""), radix)?)
        };
        // A number ends where no letter and no digit follows; `1_` and `0b12` are no numbers.
        (!self.rest().starts_with(is_word)).then_some(value)
    }

    fn decimal(&mut self) -> Option<Value> {
        let start = self.position;
        let whole = self.digits(10);
        let point = self.eat_here(b'.');
        let fraction = point && self.digits(10);
        if !whole && !fraction {
            return None;
        }
        let exponent = self.eat_here(b'e') || self.eat_here(b'E');
        if exponent {
            let _sign = self.eat_here(b'+') || self.eat_here(b'-');
            self.digits(10).then_some(())?;
        }
        let digits = self.source[start..self.position].replace('_', "");
        if self.eat_here(b'j') || self.eat_here(b'J') {
            return Some(Value::Complex(0.0, float::parse(&digits)));
        }
        if point || exponent {
            return Some(Value::Float(float::parse(&digits)));
        }
        // `007` looks like the octal number that it was in Python 2, so it is refused; `000` is not.
        let octal = digits.starts_with('0') && digits.contains(|digit| digit != '0');
        if octal { None } else { Int::from_digits(&digits, 10).map(Value::Int) }
    }

    /// Digits with single underscores between them.
    fn digits(&mut self, radix: u32) -> bool {
        let start = self.position;
        let is_digit = |byte: Option<&u8>| byte.is_some_and(|byte| char::from(*byte).is_digit(radix));
        let bytes = self.source.as_bytes();
        while is_digit(bytes.get(self.position))
            || (self.position > start
                && bytes.get(self.position) == Some(&b'_')
                && is_digit(bytes.get(self.position + 1)))
        {
            self.position += 1;
        }
        self.position > start
    }

    fn open(&mut self) -> Option<()> {
        self.position += 1;
        self.nesting += 1;
        (self.nesting <= MAX_NESTING).then_some(())
    }

    fn close(&mut self, bracket: u8) -> Option<()> {
        self.eat(bracket).then(|| self.nesting -= 1)
    }

    /// Eats a token that may have space before it.
    fn eat(&mut self, token: u8) -> bool {
        self.skip_space();
        self.eat_here(token)
    }

    /// Eats a byte that goes on with the token that is being read.
    fn eat_here(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.position).copied()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}
