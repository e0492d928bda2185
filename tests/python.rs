//! What Python's own functions answer: fixed examples that always run, and a comparison with a real `python3` where
//! there is one.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use playground::python::{JsonError, LiteralError, Value, json_loads, literal_eval, lower, splitlines, strip};
use serde_json::{Value as Json, json};

// What a verdict looks like, here and in PYTHON: the value's repr, or the kind of exception.

fn literal(source: &str) -> String {
    match literal_eval(source) {
        Ok(value) => sorted(value).repr(),
        Err(LiteralError::Invalid) => "invalid".into(),
        Err(LiteralError::TooDeep) => "too deep".into(),
        Err(error @ LiteralError::Type(_)) => format!("TypeError: {error}"),
        Err(error @ LiteralError::Overflow) => format!("OverflowError: {error}"),
    }
}

fn loads(source: &str) -> String {
    match json_loads(source) {
        Ok(value) => value.repr(),
        Err(JsonError::Invalid) => "invalid".into(),
        Err(JsonError::TooDeep(_)) => "too deep".into(),
        Err(error @ JsonError::Value(_)) => format!("ValueError: {error}"),
    }
}

fn lines(text: &str) -> String {
    Value::List(splitlines(text).into_iter().map(|line| Value::Str(line.into())).collect()).repr()
}

/// The value with the members of every set in the order of their reprs: CPython's own order is that of hashes.
fn sorted(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        Value::Tuple(items) => Value::Tuple(items.into_iter().map(sorted).collect()),
        Value::Dict(pairs) => Value::Dict(pairs.into_iter().map(|(key, value)| (key, sorted(value))).collect()),
        Value::Set(mut items) => {
            items.sort_by_key(Value::repr);
            Value::Set(items)
        }
        other => other,
    }
}

fn check(verdict: fn(&str) -> String, examples: &[(&str, &str)]) {
    for (source, expected) in examples {
        assert_eq!(verdict(source), *expected, "{source:?}");
    }
}

// Fixed examples

#[test]
fn a_list_in_python_spelling_is_read() {
    check(
        literal,
        &[
            ("[{'content': 'a', 'status': 'pending'},]", "[{'content': 'a', 'status': 'pending'}]"),
            (" \t[1, 0x_fF, 0o17, 0b1_0, 1_000, 00]", "[1, 255, 15, 2, 1000, 0]"),
            ("[1., .5, 1e5, 1.e-7, 09.5, 1e16, 1e400, -0.0]", "[1.0, 0.5, 100000.0, 1e-07, 9.5, 1e+16, inf, -0.0]"),
            ("[1j, -1j, 1+2j, -1-0j, 0777j, 1e400j]", "[1j, (-0-1j), (1+2j), (-1+0j), 777j, infj]"),
            ("[None, True, False, ..., set(), {1}, {}]", "[None, True, False, Ellipsis, set(), {1}, {}]"),
            ("1, 'a'", "(1, 'a')"),
            ("((), (1), (1,), -(1))", "((), 1, (1,), -1)"),
            ("[ # comment\n 1,\n\n 'a'\n 'b' \\\n]", "[1, 'ab']"),
            ("\n# first\n[1]  # last\n   # more\n\n", "[1]"),
            ("{1: 'a', 1.0: 'b', True: 'c', -0.0: 'd', 0: 'e'}", "{1: 'c', -0.0: 'e'}"),
            (
                "{9223372036854775808, 9223372036854775807, '1', b'1', 1}",
                "{'1', 1, 9223372036854775807, 9223372036854775808, b'1'}",
            ),
        ],
    );
}

#[test]
fn strings_are_read_with_every_prefix_and_escape() {
    check(
        literal,
        &[
            (r#""it's" 'a "b"' u'' R'\n'"#, r#"'it\'sa "b"\\n'"#),
            (r"'\a\b\f\n\r\t\v\\\'\x41\101\0\u00e9\U0001F600\q'", r#""\x07\x08\x0c\n\r\t\x0b\\'AA\x00é😀\\q""#),
            (r"b'\x00\xff\377\400\u1234' rB'\x'", r"b'\x00\xff\xff\x00\\u1234\\x'"),
            ("'''a\r\nb\rc''d'''", r#""a\nb\nc''d""#),
            ("'a\\\nb'", "'ab'"),
            (r"'\ud800'", "'\u{fffd}'"),
            ("'a' b''", "invalid"),
            ("b'é'", "invalid"),
            ("f'a'", "invalid"),
            ("ur'a'", "invalid"),
            ("'a\nb'", "invalid"),
            ("'''a''", "invalid"),
            (r"'\x1'", "invalid"),
            (r"'\U00110000'", "invalid"),
            (r"'\N{BULLET}'", "invalid"),
        ],
    );
}

#[test]
fn what_is_no_literal_is_refused_and_never_run() {
    #[rustfmt::skip]
    let sources = [
        "", "#", "not a list at all", "['a'", "[1]]", "[1)", "[1 2]", "[1;2]", "1;", "(,)", "[,]", "{1: 2, 3}", "{**{}}",
        "[*[1]]", "- -1", "~1", "not 1", "-True", "1+1", "1j+1", "1+2j+3j", "1+-2j", "10**3", "007", "1__0", "1_", "0x",
        "0b12", "1e", "1._5", "1\n 2", "\n 1", "1\n  ", "1\\", "1\\\n", "\u{feff}1", "1\u{a0}", "'\0'", "none", "set",
        "set([1])", "[__import__('os').getcwd()]", "```json\n[]\n```", "{a: 1}", "[{'a': true}]", "lambda: 1",
    ];
    for source in sources {
        assert_eq!(literal(source), "invalid", "{source:?}");
    }
}

#[test]
fn a_list_as_a_key_is_named_in_the_error() {
    check(
        literal,
        &[
            ("{[]: 1}", "TypeError: unhashable type: 'list'"),
            ("{(1, {}): 1}", "TypeError: unhashable type: 'dict'"),
            ("[{set()}, - -1]", "TypeError: unhashable type: 'set'"),
            ("[{[]: - -1}]", "invalid"),
            ("[{[]: 1}, (]", "invalid"),
        ],
    );
    assert_eq!(literal_eval("{[]}").unwrap_err().to_string(), "unhashable type: 'list'");
    let huge = format!("1{}+1j", "0".repeat(400));
    assert_eq!(literal(&huge), "OverflowError: int too large to convert to float");
}

#[test]
fn json_is_read_as_python_reads_it() {
    check(
        loads,
        &[
            (" [1, -0, -0.0, 1E400, 1e-7]\r\n\t", "[1, 0, -0.0, inf, 1e-07]"),
            ("[NaN, Infinity, -Infinity]", "[nan, inf, -inf]"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (r#"{"a": 1, "b": 2, "a": null}"#, "{'a': None, 'b': 2}"),
            (r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, r#"'"\\/\x08\x0c\n\r\té😀'"#),
            (r#""\ud83d \ude00""#, "'\u{fffd} \u{fffd}'"),
            ("{}", "{}"),
            ("\u{feff}[]", "invalid"),
            ("\u{a0}[]", "invalid"),
            ("[1,]", "invalid"),
            ("01", "invalid"),
            ("1.", "invalid"),
            ("\"a\tb\"", "invalid"),
            (r#"{"a": 1,}"#, "invalid"),
            (r#"{a: 1}"#, "invalid"),
            ("['a']", "invalid"),
            ("", "invalid"),
        ],
    );
}

#[test]
fn a_number_of_thousands_of_digits_is_refused() {
    let (fits, long) = ("1".repeat(4300), "1".repeat(4301));
    assert_eq!(loads(&format!("-{fits}")), format!("-{fits}"));
    assert_eq!(literal(&fits), fits);
    assert_eq!(literal(&long), "invalid");
    assert_eq!(
        json_loads(&long).unwrap_err().to_string(),
        "Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; \
         use sys.set_int_max_str_digits() to increase the limit"
    );
    assert_eq!(literal(&format!("0b{}", "1".repeat(14284))).len(), 4300);
    assert_eq!(literal(&format!("0b{}", "1".repeat(14285))), "invalid");
}

#[test]
fn absurd_nesting_is_told_and_does_no_harm() {
    let nested = |open: &str, inner: &str, close: &str, depth| open.repeat(depth) + inner + &close.repeat(depth);
    let text = |source: &str| json_loads(source).unwrap_err().to_string();
    let sentence = "maximum recursion depth exceeded while decoding a JSON";
    assert_eq!(text(&"[".repeat(100_000)), format!("{sentence} array from a unicode string"));
    assert_eq!(text(&r#"{"a":"#.repeat(100_000)), format!("{sentence} object from a unicode string"));
    assert_eq!(literal(&nested("[", "", "]", 201)), "invalid");
    assert_eq!(literal(&format!("{}1", "-".repeat(100_000))), "too deep");
    // What is accepted fits in half of the stack that a page has.
    let small = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
        for (source, value) in [
            (nested("[", "", "]", 990), json_loads(&nested("[", "", "]", 990)).ok()),
            (nested("[", "-1", "]", 200), literal_eval(&nested("[", "-1", "]", 200)).ok()),
            (nested("{1: ", "-1", "}", 200), literal_eval(&nested("{1: ", "-1", "}", 200)).ok()),
        ] {
            let value = value.expect("is accepted");
            assert_eq!(value.repr(), source);
            assert_eq!(value.clone(), value);
        }
    });
    small.expect("a thread starts").join().expect("the stack suffices");
}

#[test]
fn values_print_as_python_prints_them() {
    let printed = |json: Json| Value::from(&json).str();
    assert_eq!(printed(json!("it's")), "it's");
    assert_eq!(printed(json!(null)), "None");
    assert_eq!(printed(json!([true, "a", 1, 1.0, u64::MAX])), "[True, 'a', 1, 1.0, 18446744073709551615]");
    assert_eq!(printed(json!({"k": {"it's": "\"'"}})), r#"{'k': {"it's": '"\''}}"#);
    assert_eq!(
        printed(json!([1e15, 1e16, 1e-4, 1e-5, 1.5e300, -0.0])),
        "[1000000000000000.0, 1e+16, 0.0001, 1e-05, 1.5e+300, -0.0]"
    );
    assert_eq!(
        printed(json!(["\u{7f}\u{a0}\u{ad}\u{200b}\u{e000}\u{10ffff}"])),
        r"['\x7f\xa0\xad\u200b\ue000\U0010ffff']"
    );
    assert_eq!(printed(json!(["\u{301}e\u{301} 你好 \u{1f600}"])), "['\u{301}e\u{301} 你好 \u{1f600}']");
}

#[test]
fn values_know_their_type_and_truth() {
    let value = |source: &str| literal_eval(source).expect("a literal");
    let (empty, full) = (
        ["None", "False", "0", "-0", "0.0", "-0.0", "0j", "''", "b''", "[]", "()", "{}", "set()"],
        ["...", "True", "1", "10000000000000000000", "0.1", "1j", "'0'", "b'0'", "[0]", "(0,)", "{0: 0}", "{0}"],
    );
    assert!(empty.iter().all(|source| !value(source).truthy()));
    assert!(full.iter().all(|source| value(source).truthy()));
    let names: Vec<_> = full.iter().map(|source| value(source).type_name()).collect();
    assert_eq!(names.join(" "), "ellipsis bool int int float complex str bytes list tuple dict set");
    assert_eq!(value("None").type_name(), "NoneType");
    assert_eq!(value("{b'a': 1, 'a': 2}").get("a"), Some(&value("2")));
    assert_eq!((value("{1: 2}").get("1"), value("['a']").get("a")), (None, None));
    let Value::Int(int) = value("-5") else { panic!("an int") };
    assert_eq!(int.to_i64(), Some(-5));
}

#[test]
fn texts_are_trimmed_lowered_and_split_as_in_python() {
    assert_eq!(strip("\u{3000}\u{a0}\u{1f}\u{85} a b\n\u{200b}\n"), "a b\n\u{200b}");
    assert_eq!(lower("In_Progress ΟΔΟΣ İ ẞ"), "in_progress οδος i\u{307} ß");
    assert_eq!(
        splitlines("a\r\nb\rc\n\nd\x0be\x0cf\u{1c}g\u{85}h\u{2028}i\u{1f}j\n"),
        ["a", "b", "c", "", "d", "e", "f", "g", "h", "i\u{1f}j"]
    );
    assert!(splitlines("").is_empty());
}

// The comparison with python3

/// Reads `[kind, text]` by line and writes a verdict for each. The first line out tells the version, the second what
/// every character is: runs of `[first, kind]`, and the lower case of those that have one.
const PYTHON: &str = r#"
import ast, itertools, json, re, sys, unicodedata, warnings
warnings.simplefilter("ignore")

def show(v):
    if isinstance(v, str):
        return repr(re.sub("[\ud800-\udfff]", "\ufffd", v))
    if isinstance(v, list):
        return "[" + ", ".join([show(e) for e in v]) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join([show(e) for e in v]) + (",)" if len(v) == 1 else ")")
    if isinstance(v, set):
        return "{" + ", ".join(sorted([show(e) for e in v])) + "}" if v else "set()"
    if isinstance(v, dict):
        v = {show(k): show(e) for k, e in v.items()}
        return "{" + ", ".join([k + ": " + e for k, e in v.items()]) + "}"
    return repr(v)

literals = (
    ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Load,
    ast.UnaryOp, ast.BinOp, ast.UAdd, ast.USub, ast.Add, ast.Sub,
)
def is_literal(text):
    nodes = ast.walk(ast.parse(text.lstrip(" \t"), mode="eval"))
    return all(isinstance(n, literals) or ast.unparse(n) in ("set", "set()") for n in nodes)

def literal(text):
    try:
        return show(ast.literal_eval(text))
    except (SyntaxError, ValueError):
        return "invalid"
    except (RecursionError, MemoryError):
        return "too deep"
    except TypeError as e:
        # The known difference: a name or an operator makes the text invalid as a whole.
        return "invalid" if not is_literal(text) else "TypeError: " + re.sub(r"^cannot use .*\((.*)\)$", r"\1", str(e))
    except OverflowError as e:
        return "OverflowError: " + str(e)

def loads(text):
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return "invalid"
    except RecursionError:
        return "too deep"
    except ValueError as e:
        return "ValueError: " + str(e)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10000)
    shown = show(value)
    sys.setrecursionlimit(limit)
    return shown

kinds = {
    "literal": literal, "json": loads, "str": lambda text: str(json.loads(text)),
    "strip": str.strip, "lower": str.lower, "splitlines": lambda text: show(text.splitlines()),
}
def kind(c):
    if unicodedata.category(c) == "Cn":
        return "unassigned"
    return " ".join(str(int(x)) for x in (c.isprintable(), c.isspace(), len(("a%sb" % c).splitlines()) == 2))
characters = [chr(c) for c in range(0x110000) if not 0xd800 <= c < 0xe000]
runs = [[next(run), k] for k, run in itertools.groupby(characters, kind)]
cases = {c: c.lower() for c in characters if c.lower() != c}
questions = sys.stdin.buffer.read().splitlines()
print(json.dumps(sys.version.split()[0]))
print(json.dumps([runs, cases]))
for line in questions:
    name, text = json.loads(line)
    print(json.dumps(kinds[name](text)))
"#;

/// Something to ask Python, and what is answered here.
struct Question {
    kind: &'static str,
    text: String,
    own: String,
}

impl Question {
    fn new(kind: &'static str, text: String, answer: fn(&str) -> String) -> Self {
        Self { kind, own: answer(&text), text }
    }
}

/// The answers of `python3` to all questions; none where it is missing or older than what the lesson was recorded with.
fn ask_python(questions: &[Question]) -> Option<Vec<Json>> {
    let mut python = Command::new("python3");
    python.args(["-I", "-c", PYTHON]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = python.spawn().ok()?;
    let lines: String =
        questions.iter().map(|question| json!([question.kind, question.text]).to_string() + "\n").collect();
    // It reads all before it answers, so neither waits for the other. A python3 that fails shows in its output.
    let _ = python.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = python.wait_with_output().ok()?;
    let answers: Vec<Json> = String::from_utf8(output.stdout)
        .expect("ASCII")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    (minor_version(answers.first()?) >= 11).then_some(answers)
}

#[test]
fn python_itself_gives_the_same_answers() {
    let questions = questions();
    let Some(answers) = ask_python(&questions) else {
        println!("skipped: there is no python3 of version 3.11 or later");
        return;
    };
    let [version, characters, answers @ ..] = answers.as_slice() else { panic!("python3 answered nothing") };
    assert_eq!(answers.len(), questions.len(), "python3 stopped before the end");
    let mut differences = Vec::new();
    let mut tally = BTreeMap::new();
    for (Question { kind, text, own }, answer) in questions.iter().zip(answers) {
        let known = *kind == "literal" && is_known_difference(text, minor_version(version));
        if answer != own && !known {
            differences.push(format!("{kind} {text:?}\n  python3 {answer}\n  here    {own:?}"));
        }
        *tally.entry((*kind, own == "invalid")).or_insert(0) += 1;
    }
    let compared = compare_characters(characters, &mut differences);
    for ((kind, refused), count) in &tally {
        println!("{kind}: {count} {}", if *refused { "refused" } else { "answered" });
    }
    println!("{} texts and {compared} characters compared with python3 {version}", questions.len());
    let shown = differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences, such as\n{shown}", differences.len());
}

/// The 11 of "3.11.7".
fn minor_version(version: &Json) -> u32 {
    version.as_str().and_then(|version| version.strip_prefix("3.")?.split('.').next()?.parse().ok()).unwrap_or(0)
}

/// `\N{…}` is not read here, and Python 3.14 keeps the sign of the zero in `1-0j`.
fn is_known_difference(literal: &str, version: u32) -> bool {
    literal.contains("\\N") || version >= 14 && literal.contains("0j")
}

/// Compares what every character is that Python's Unicode version knows.
fn compare_characters(table: &Json, differences: &mut Vec<String>) -> usize {
    let runs: Vec<(char, String)> = serde_json::from_value(table[0].clone()).expect("runs");
    let mut compared = 0;
    for (index, (first, kind)) in runs.iter().enumerate().filter(|(_, (_, kind))| kind != "unassigned") {
        let end = runs.get(index + 1).map_or('\u{10ffff}' as u32 + 1, |(next, _)| *next as u32);
        for c in (*first as u32..end).filter_map(char::from_u32) {
            let text = c.to_string();
            let shown = Value::Str(text.clone()).repr();
            let printable = shown.contains(c) || matches!(c, '\\' | '\'');
            let splits = splitlines(&format!("a{c}b")).len() == 2;
            let own = [printable, strip(&text).is_empty(), splits].map(|is| if is { "1" } else { "0" }).join(" ");
            let lowered = table[1][&text].as_str().unwrap_or(&text);
            if own != *kind || lower(&text) != lowered {
                differences.push(format!(
                    "U+{:04X} python3 {kind} {lowered:?} here {own} {:?}",
                    c as u32,
                    lower(&text)
                ));
            }
            compared += 1;
        }
    }
    compared
}

// What is asked: edge cases by hand, then made-up texts from a fixed seed.

fn questions() -> Vec<Question> {
    let literals = |text| Question::new("literal", text, literal);
    let mut questions: Vec<Question> = LITERALS.iter().map(|text| literals(text.to_string())).collect();
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}"), ("{1:", "}")] {
        questions.extend([199, 200, 201].map(|depth| literals(open.repeat(depth) + "1" + &close.repeat(depth))));
    }
    questions.extend([1, 2, 3, 2000, 7000].map(|signs| literals("-".repeat(signs) + "1")));
    questions.extend([4300, 4301].map(|digits| literals(format!("[{}]", "7".repeat(digits)))));
    questions.extend([4300, 4301].map(|digits| Question::new("json", format!("-{}", "7".repeat(digits)), loads)));
    questions.extend([900, 200_000].map(|depth| Question::new("json", "[".repeat(depth) + &"]".repeat(depth), loads)));
    let mut random = Random(0x5eed);
    for _ in 0..3000 {
        let literal = random.literal(4);
        let json = random.json(4);
        questions.extend([
            literals(random.mutated(&literal, LITERAL_TOKENS)),
            literals(literal),
            literals(random.text(LITERAL_TOKENS)),
            Question::new("json", json.to_string(), loads),
            Question::new("json", random.mutated(&json.to_string(), JSON_TOKENS), loads),
            Question::new("json", random.text(JSON_TOKENS), loads),
            Question::new("strip", random.text(TEXT_TOKENS), |text| strip(text).into()),
            Question::new("lower", random.text(TEXT_TOKENS), lower),
            Question::new("splitlines", random.text(TEXT_TOKENS), lines),
            // Not read from its text, because serde_json may miss the last digit of a float.
            Question { kind: "str", text: json.to_string(), own: Value::from(&json).str() },
        ]);
    }
    questions
}

#[rustfmt::skip]
const LITERALS: &[&str] = &[
    "1\n\x0c", "1\n \x0c", "1\n  # c", "1\n\n", "\x0c1", "\n \x0c1", "\n\x0c 1", "\n  \n1", "1\\\n\n", "1\\\n ",
    "1\\\n #", "\\\n1", "  \\\n 1", "\n\\\n1", "\n\\\n 1", "\n \\\n1", " \\\n1", "1\n\\\n", "1\n\\\n\n", "1\n\\",
    "1#\\", "[\\\n]", "[\\", "[\\ \n]", "'\\", "'\\\r'", "'\r'", "[\r1]", "1\r2", "1\r", "1\\\r\n", "set\\\n()",
    "set\n()", "(set)()", "set()()", "(set)()", "(set)", "{set}", "set.x", "set ( )", "set(1)", "-\\\n1", "-\n1", "(-\n1)", "0_1", "0_1.5", "0_1j", "010.",
    "00e1", "0xj", "0b1j", "0o1.5", "1...", "1..j", "....", "1.\\\n5", "''''a'''", "'''a\\''''", "''''''''", "1,\n",
    "1\x0b", "\u{a0}1", "#\0\n1", "#\u{2028}\n1", "1\u{2028}", "é'a'", "'a'b''", "'a'rb''", "b'a'rb''",
    "1if 1 else 2", "{1: 2}[1]", "[1][0]", "'a'.b", "(1)(2)", "{1:}", "{:}", "{1:1:1}", "{1:1 2:2}", "1e400+1j",
    "1-1e400j", "1+1e400j", "9007199254740993+1j", "True+1j", "{1+0j, 1}", "{0.0, -0.0, 0j}",
    "{9223372036854775807, 9223372036854775808.0}", "{1e400: 1, 1e500: 2}", "{'1', 1, b'1'}",
    "{(1, 2.0), (True, 2)}", "{((),)}", "{(), ()}", "'\\x'", "'\\u12'", "'\\777'", "b'\\777'", "'\\8'", "'\\\u{e9}'",
    "b'\\N{x}'", "r'\\N{x}'", "1 'a'", "'a' 1", "$", "?", "!", "`1`", "1 if", "yield", "await 1", "x := 1",
    "(x := 1)",
];

#[rustfmt::skip]
const LITERAL_TOKENS: &[&str] = &[
    "[", "]", "(", ")", "{", "}", ",", ":", " ", "\n", "\t", "\\\n", "#", "'", "\"", "'''", "\\", "\\x41", "\\u0041",
    "\\n", "r'", "b'", "rb\"", "u'", "f'", "1", "0", "07", "0x1f", "1_0", "_", ".", "...", "1e5", "e", "2j", "+",
    "-", "*", "None", "True", "False", "set()", "set", "x", "é", "\u{3000}", "😀", "\r", "\x0c", "\0", ";", "=", "if",
    "'a'", "b'a'", "{1: 2}",
];

#[rustfmt::skip]
const JSON_TOKENS: &[&str] = &[
    "[", "]", "{", "}", ",", ":", " ", "\n", "\"", "\\", "\\\"", "\\u0041", "\\ud83d", "\\ude00", "\\/", "\\x",
    "\"a\"", "1", "0", "-", "-0", ".", "1.5", "e", "E+2", "NaN", "Infinity", "-Infinity", "null", "true", "false",
    "nul", "'", "\t", "\x0c", "\u{a0}", "\u{feff}", "é", "😀", "\0", "{\"a\":", "[1,", "99999999999999999999",
];

#[rustfmt::skip]
const TEXT_TOKENS: &[&str] = &[
    "a", "B", "Σ", "ΑΣ", "σ", "İ", "ẞ", "Dž", "ͅ", "\u{301}", "'", ".", "\u{ad}", "1", "Ω", "😀", " ", "\n", "\r",
    "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\u{85}", "\u{a0}", "\u{2028}", "\u{2029}",
    "\u{200b}", "\u{3000}", "\u{180e}", "\u{feff}", "\0",
];

/// A linear congruential generator: the same texts on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn text(&mut self, tokens: &[&str]) -> String {
        (0..self.below(9)).map(|_| self.pick(tokens)).collect()
    }

    /// The text with one to three characters taken away or tokens put in.
    fn mutated(&mut self, text: &str, tokens: &[&str]) -> String {
        let mut parts: Vec<String> = text.chars().map(String::from).collect();
        for _ in 0..=self.below(3) {
            let place = self.below(parts.len() + 1);
            if self.below(2) == 0 && place < parts.len() {
                parts.remove(place);
            } else {
                parts.insert(place, self.pick(tokens).to_string());
            }
        }
        parts.concat()
    }

    /// Any bit pattern, a number with few digits, a power of two, or one half way between its shortest spellings.
    fn float(&mut self) -> f64 {
        let mut bits = |count: usize| self.below(1 << count) as u64;
        match bits(2) {
            0 => f64::from_bits(bits(31) << 33 | bits(31) << 2 | bits(2)),
            1 => bits(11) as f64 * 10f64.powi(bits(6) as i32 - 32),
            2 => f64::from_bits(bits(11) << 52),
            _ => (bits(20) << 30 | bits(30)) as f64 / 8.0,
        }
    }

    fn literal(&mut self, depth: usize) -> String {
        let items = |random: &mut Self| {
            let items: Vec<String> = (0..random.below(4)).map(|_| random.literal(depth - 1)).collect();
            items.join(random.pick(&[",", ", ", " ,\n", ", # and\n"])) + random.pick(&["", "", ","])
        };
        match self.below(if depth == 0 { 8 } else { 14 }) {
            0 => self.pick(&["None", "True", "False", "...", "set()", "()", "''"]).to_string(),
            1 => format!("{}{}", self.pick(&["", "", "-", "+"]), self.below(3)),
            2 => format!("{:e}", self.float().abs()).replace("inf", "1e999").replace("NaN", "1.5"),
            3 => {
                self.pick(&["0xFf", "0b1_0", "0o7", "1_000", "3.", ".5", "1e5", "12345678901234567890", "09.5"]).into()
            }
            4 => format!("{}{}{}j", self.below(3), self.pick(&["+", " - ", "+-"]), self.below(3)),
            5..8 => {
                let quote = self.pick(&["'", "\"", "'''", "\"\"\""]);
                let body =
                    self.text(&["a", "é", "\\n", "\\x41", "\\u0041", "\\101", "\\\\", "'", "\"", "#", "😀", "\u{a0}"]);
                format!("{}{quote}{body}{quote}", self.pick(&["", "", "", "r", "b", "u", "Rb"]))
            }
            8 | 9 => format!("[{}]", items(self)),
            10 => format!("({})", items(self)),
            11 => format!("{{{}}}", items(self)),
            _ => {
                let pairs = |random: &mut Self| format!("{}: {}", random.literal(depth - 1), random.literal(depth - 1));
                let pairs: Vec<String> = (0..self.below(4)).map(|_| pairs(self)).collect();
                format!("{{{}}}", pairs.join(", "))
            }
        }
    }

    fn json(&mut self, depth: usize) -> Json {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => [Json::Null, true.into(), false.into()][self.below(3)].clone(),
            1 => Json::from(self.below(1 << 31) as i64 - (1 << 30)),
            2 => Json::from(self.float()),
            3 => self.text(TEXT_TOKENS).into(),
            4 => (0..self.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => (0..self.below(4)).map(|_| (self.text(TEXT_TOKENS), self.json(depth - 1))).collect(),
        }
    }
}
