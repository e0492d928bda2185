//! The same calls in CPython and here: on a real directory there, on a tree in memory here, and all answers equal.
//!
//! What CPython itself words differently from release to release is left out and stands in the tables: NUL characters,
//! a dictionary as pattern, and "Did you mean …?" behind an unexpected argument (3.13).

use super::python_links::look;
use super::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// The other side. It is told everything; it knows no case.
const DRIVER: &str = include_str!("python.py");

pub(super) type Entries = Vec<(String, Vec<u8>)>;

/// One call, in a tree that stands at this place in a list of trees.
pub(super) struct Case {
    pub(super) tree: usize,
    pub(super) tool: &'static str,
    pub(super) arguments: Json,
}

impl Case {
    /// Whether it changes the tree. The driver plants a fresh one then, which takes longer than any call.
    pub(super) fn writes(&self) -> bool {
        matches!(self.tool, "write" | "edit") || self.arguments.get(1).is_some_and(|how| how == "created")
    }
}

/// What was answered and, for a call that writes, which files and links there are then.
type Answer = (String, Option<Json>);

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// A directory of this test's own, which the driver makes. Its name goes into error texts, so both sides need the same.
pub(super) fn fresh_root(name: &str) -> AbsPath {
    let temporary = std::env::temp_dir().canonicalize().expect("a directory for temporary files");
    let name = format!("playground-tools-{}-{name}", std::process::id());
    path(temporary.to_str().expect("a name in UTF-8")).join(&name)
}

/// What CPython answers; none where there is no `python3`, or none from before a release.
fn python(root: &AbsPath, before: Option<[u32; 2]>, trees: &[Entries], cases: &[Case]) -> Option<Vec<Answer>> {
    let mut child = Command::new("python3")
        .args(["-W", "ignore", "-c", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let trees: Vec<Json> =
        trees.iter().map(|tree| tree.iter().map(|(name, bytes)| json!([name, base64(bytes)])).collect()).collect();
    let cases: Vec<Json> =
        cases.iter().map(|case| json!({"tree": case.tree, "tool": case.tool, "arguments": case.arguments})).collect();
    let job = json!({"root": root.as_str(), "trees": trees, "cases": cases, "before": before});
    let mut stdin = child.stdin.take().expect("it is piped");
    let written = stdin.write_all(job.to_string().as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("python3 ends");
    // The shim of a version manager may stand on PATH without a Python behind it.
    if output.status.code() == Some(127) {
        return None;
    }
    assert!(written.is_ok() && output.status.success(), "the driver failed");
    serde_json::from_slice(&output.stdout).expect("the driver prints JSON")
}

pub(super) fn planted(workdir: &AbsPath, tree: &Entries) -> Vfs {
    let entries: Vec<(&str, &[u8])> = tree.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    tree_at(workdir, &entries)
}

/// What this crate answers.
fn ours(root: &AbsPath, mut vfs: Vfs, case: &Case) -> Answer {
    let workdir = root.join("proj");
    let argument = |index: usize| case.arguments.get(index).unwrap_or(&Json::Null);
    let (one, two, three) = (argument(0), argument(1), argument(2));
    let said = match case.tool {
        "find" => {
            let texts = GlobTexts { recursive: *two == json!(true), ..glob_texts() };
            said(glob(&vfs, &workdir, one, &texts), |matches| matches)
        }
        "read" => said(read_file(&vfs, &workdir, one, Some(two), &texts()), |answer| answer.output),
        "write" => {
            let outcome = write_file(&vfs, &workdir, one, two, &texts());
            apply(&mut vfs, outcome)
        }
        "edit" => {
            let outcome = edit_file(&vfs, &workdir, one, two, three, &texts());
            apply(&mut vfs, outcome)
        }
        "resolve" => said(vfs.resolve(&workdir, text(one)).map_err(|error| error.to_string()), |path| path.to_string()),
        "look" => look(&mut vfs, &workdir, text(one), text(two)),
        _ => {
            let strings = |value: &Json| serde_json::from_value::<Vec<String>>(value.clone()).expect("names");
            let (required, optional) = (strings(two), strings(three));
            let parameter = |required| move |name: String| Parameter { name, required };
            let required = required.into_iter().map(parameter(true));
            let parameters = required.chain(optional.into_iter().map(parameter(false))).collect();
            let signature = Signature { function: one.as_str().expect("a name").to_string(), parameters };
            let bound = signature.bind(Binding::Keywords, argument(3));
            said(bound.map_err(|exception| exception.1), |_| "bound".to_string())
        }
    };
    let files = vfs.walk(root).filter_map(|(path, node)| match node {
        Node::File { bytes, .. } => Some((path.to_string(), Json::from(base64(bytes)))),
        Node::Link { target } => Some((path.to_string(), Json::from(format!("-> {target}")))),
        Node::Dir { .. } => None,
    });
    (said, case.writes().then(|| Json::Object(files.collect())))
}

fn text(value: &Json) -> &str {
    value.as_str().expect("a text")
}

/// Runs all cases on both sides and compares.
fn compare(name: &str, trees: &[Entries], cases: &[Case]) {
    compare_before(None, name, trees, cases);
}

/// The same, unless `python3` is of this release or a later one.
pub(super) fn compare_before(before: Option<[u32; 2]>, name: &str, trees: &[Entries], cases: &[Case]) {
    let root = fresh_root(name);
    let Some(theirs) = python(&root, before, trees, cases) else {
        // Straight to the terminal: a test that passes shows nothing that it prints.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: no python3, or too new a one, to compare {} calls ({name}) with",
            cases.len()
        );
        return;
    };
    assert_eq!(theirs.len(), cases.len());
    let planted: Vec<Vfs> = trees.iter().map(|tree| planted(&root.join("proj"), tree)).collect();
    let wrong: Vec<String> = std::iter::zip(cases, theirs)
        .map(|(case, theirs)| (case, theirs, ours(&root, planted[case.tree].clone(), case)))
        .filter(|(_, theirs, ours)| theirs != ours)
        .map(|(case, theirs, ours)| {
            format!("{}{}\n  CPython {theirs:?}\n  here    {ours:?}", case.tool, case.arguments)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

pub(super) fn entries(entries: &[(&str, &[u8])]) -> Entries {
    entries.iter().map(|(name, bytes)| (name.to_string(), bytes.to_vec())).collect()
}

/// The values of a JSON list. `LONG` in it is a name that is one byte too long.
fn values(list: &str) -> Vec<Json> {
    serde_json::from_str(&list.replace("LONG", &"n".repeat(256))).expect("a list")
}

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most) + 1).map(|_| pieces[self.below(pieces.len())]).collect()
    }
}

/// Patterns for the first tree, parted by spaces. `ROOT` is the directory above the working directory.
const PATTERNS: &str = r#"
    * ** *** **/ **/* */** **/** **/**/ */* */ *// */*/ **/*/ .* .*/ .*/* .*/** **/.* **/.*/* **/.*/** ? ?? *.py
    ?.py a*.py *b* [ab].py [!a].py [a-b].py *.[pm]* sub sub/ sub// sub/* sub/** sub/**/ sub/**/* sub/**/c.py
    sub/**/.secret/* sub//* sub//b.py sub/./b.py ./sub/b.py ./* ./** .//* . ./ .. ../ ../* ../** ../*/*
    ../*/a.py ../proj/*.py ../proj ../in ../pro[j]/a.py ../../*/proj/a.py sub/../*.py sub/../a.py */../a.py */..
    */../ */. */./ **/.. **/../*.py missing/../*.py missing/../a.py a.py/../b.py a.py/../*.py a.py/ a.py/.
    a.py/* a.py/** a.py/**/ missing missing/ missing/* missing/** missing/**/ missing/**/* */missing */b.py
    */b.py/ **/b.py **/b.py/ **/b.py/* **/deep **/deep/ **/deep/** **/deep/* **b.py a** a**/ s**b/*
    **/s*/**/*.py **/**/*.py **/*/**/*.py */**/*.py **/[!s]*/* empty empty/ empty/* empty/** / // /*x*x
    ROOT/proj ROOT/proj/ ROOT/proj/* ROOT/proj/**/*.py ROOT/* ROOT//proj//*.py ROOT/*/a.py ROOT/../*/proj/a.py
    ROOT/outside.txt ROOT/proj/../* //ROOT/proj/*.py /ROOT/p*/a.py file?with?space.txt line* line?break.txt 多*
    多?agent.md [多少]* [x].txt [[]x].txt [[]* *]* [ [] [!] [! []] [a a[ *[ []/b.py su[b] su[b]/ su[b]/* su[b/*
    su[b/]* su[a-c]/[b].py *{py,md} {a,b}.py ~ ~/* $HOME \* a\.py *.PY A.py sub/deep/../b.py sub/*/../b.py
    sub/*/../*/../*.py */./b.py *//b.py **//b.py */*//c.py sub**/b.py sub*/*.py
"#;

#[test]
fn glob_answers_as_cpython_does() {
    let names =
        ["a", "b", "m", "z", "-", "]", "[", "!", "^", "\\", "[a", "B", "&&", "~", "|", "a-", "é", ".h", "a]", "!a"];
    let project = entries(&[
        ("a.py", b""),
        ("ab.py", b""),
        ("b.py", b""),
        ("notes.md", b""),
        (".hidden.py", b""),
        (".git/config", b""),
        (".git/hooks/x.py", b""),
        ("sub/b.py", b""),
        ("sub/.secret/c.py", b""),
        ("sub/deep/c.py", b""),
        ("sub/deep/er/d.py", b""),
        ("sub.d/e.py", b""),
        ("empty/", b""),
        ("file with space.txt", b""),
        ("line\nbreak.txt", b""),
        ("[x].txt", b""),
        ("多 agent.md", b""),
        ("../outside.txt", b""),
        ("../proj-evil/x.py", b""),
        ("../in/", b""),
    ]);
    let alphabet: Entries = names.iter().map(|name| (name.to_string(), Vec::new())).collect();
    let many: Entries = (0..230).map(|number| (format!("{number}/f.txt"), Vec::new())).collect();
    let trees = [project, alphabet, many];
    let root = fresh_root("glob");
    let mut cases = Vec::new();
    let mut add = |tree: usize, pattern: &str| {
        let pattern = pattern.replace("ROOT", root.as_str());
        for recursive in [true, false] {
            cases.push(Case { tree, tool: "find", arguments: json!([pattern, recursive]) });
        }
    };
    let spaced = ["", " ", "file with*", "line\nbreak.*"];
    for pattern in PATTERNS.split_whitespace().chain(spaced) {
        add(0, pattern);
    }
    add(0, &"n".repeat(300));
    add(0, &format!("{}/*", "n".repeat(300)));
    add(0, &format!("*/{}", "n".repeat(300)));
    add(0, &format!("{}a.p*", "./".repeat(2500)));
    for pattern in ["*", "**", "*/*", "**/*.txt", "[1-2]*", "?", "??"] {
        add(2, pattern);
    }
    let mut dice = Dice(7);
    for _ in 0..2000 {
        let inside = dice.text(&["a", "b", "m", "z", "-", "-", "-", "]", "[", "!", "^", "\\", "&", "~", "|", "é"], 7);
        let pattern = match dice.below(4) {
            0 => format!("[{inside}"),
            1 => format!("[!{inside}]"),
            2 => format!("[{inside}]{}", dice.text(&["*", "?", "a", "]"], 2)),
            _ => format!("[{inside}]"),
        };
        add(1, &pattern);
        let pattern =
            dice.text(&["*", "**", "/", "/", "?", "a", "b", "sub", "deep", ".", "..", "py", "[a-d]", "[!s]"], 6);
        // CPython would search the whole disk.
        if !pattern.starts_with('/') && pattern.matches("..").count() < 2 {
            add(0, &pattern);
        }
    }
    for value in values(r#"[5, 1.5, true, 0, false, null, [], ["*"], {}]"#) {
        for recursive in [true, false] {
            cases.push(Case { tree: 0, tool: "find", arguments: json!([value, recursive]) });
        }
    }
    // Planting a tree takes longer than searching it.
    cases.sort_by_key(|case| case.tree);
    compare("glob", &trees, &cases);
}

#[test]
fn reading_answers_as_cpython_does() {
    let mut files = entries(&[
        ("ten.txt", b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
        ("open.txt", b"1\n2\n3"),
        ("empty.txt", b""),
        ("ends.txt", "a\r\nb\rc\n\rd\x0be\x0cf\x1cg\x1dh\x1ei\u{85}j\u{2028}k\u{2029}l\n\n".as_bytes()),
        ("bom.txt", b"\xef\xbb\xbfa\r"),
        ("sub/x.txt", b"x"),
        ("../outside.txt", b"outside content\n"),
    ]);
    let mut cases = Vec::new();
    let mut add = |arguments: Json| cases.push(Case { tree: 0, tool: "read", arguments });
    for name in ["ten.txt", "open.txt", "empty.txt", "ends.txt"] {
        for limit in values(
            r#"[null, 0, 1, 3, 9, 10, 11, -1, -3, -10, -500, -9223372036854775808, 18446744073709551615, true, false,
                0.0, -0.0, 2.0, -2.5, 10.0, 1e300, "", "3", [], [1], {}, {"a": 1}]"#,
        ) {
            add(json!([name, limit]));
        }
    }
    for name in values(
        r#"["missing", "missing/x", "sub", "sub/", "", ".", "..", "/", "sub/x.txt/", "sub/x.txt/.", "sub/x.txt/..",
            "sub/x.txt/y", "./bom.txt", "sub/../bom.txt", "missing/../bom.txt", "sub/./x.txt", "sub//x.txt", "//", "~",
            "../outside.txt", "../proj/bom.txt", "it's", "say \"it's\"", "a\nb\tc", "\u200bé多🚀", "*", "LONG", "LONG/x",
            "missing/LONG", "sub/x.txt/LONG", 5, null, true, 1.5, [], ["ten.txt"], {}, {"a": 1}]"#,
    ) {
        add(json!([name]));
    }
    add(json!(["n".repeat(255)]));
    add(json!(["d/".repeat(2100)]));
    let pieces =
        b"a \xc3\xa9 \xe4\xbd\xa0 \xf0\x9f\x9a\x80 \xff \xfe \x80 \xbf \xc0 \xc2 \xe0\x80 \xe0\xa0 \xed\xa0 \xe4\xbd \
        \xf0\x9f \xf0\x9f\x9a \xf0\x8f \xf4\x90 \xf5 \r";
    let pieces: Vec<&[u8]> = pieces.split(|byte| *byte == b' ').collect();
    let mut dice = Dice(11);
    for number in 0..1500 {
        let bytes = (0..dice.below(5) + 1).flat_map(|_| pieces[dice.below(pieces.len())]).copied().collect();
        let name = format!("bytes/{number}");
        add(json!([name]));
        files.push((name, bytes));
    }
    compare("read", &[files], &cases);
}

#[test]
fn writing_and_editing_answer_and_leave_files_as_cpython_does() {
    let files = entries(&[
        ("a.txt", b"one two\none two\none\n"),
        ("crlf.txt", b"a\r\nb\rc\r\n"),
        ("empty.txt", b""),
        ("bin", b"a\xff"),
        ("aaa", b"aaaa"),
        ("u.txt", "多🚀é\n".as_bytes()),
        ("sub/x.txt", b"x"),
    ]);
    let mut cases = Vec::new();
    for name in values(
        r#"["new.txt", "a.txt", "./a.txt", "new/deep/f.txt", "sub/x.txt", "sub/../b.txt", "missing/../b.txt", "../out.txt",
            "../in/out.txt", "a.txt/child", "a.txt/b/c", "a.txt/b/c/d", "a.txt/", "a.txt/..", "sub", "sub/", "", ".", "/",
            "..", "it's", "{path} {n}", "多/é", "a\nb", "LONG", "LONG/x", "LONG/x/y/z", "new/LONG", "new/LONG/x",
            "new/LONG/x/y", "sub/LONG/x/y", "a.txt/LONG/x"]"#,
    ) {
        cases.push(Case { tree: 0, tool: "write", arguments: json!([name, "x\r\n\ry\n"]) });
        cases.push(Case { tree: 0, tool: "edit", arguments: json!([name, "one", "1\r\n"]) });
    }
    for value in values(r#"["", "多🚀é", "\ufeff\u0000\u007f", 5, null, true, 1.5, [], {"a": 1}]"#) {
        cases.push(Case { tree: 0, tool: "write", arguments: json!(["b.txt", value]) });
        cases.push(Case { tree: 0, tool: "write", arguments: json!([value, "x"]) });
        for text in ["one", "absent"] {
            cases.push(Case { tree: 0, tool: "edit", arguments: json!(["a.txt", value, text]) });
            cases.push(Case { tree: 0, tool: "edit", arguments: json!(["a.txt", text, value]) });
        }
        cases.push(Case { tree: 0, tool: "edit", arguments: json!(["missing", value, value]) });
        cases.push(Case { tree: 0, tool: "edit", arguments: json!(["bin", value, value]) });
    }
    for (name, old, new) in [
        ("crlf.txt", "b", "B"),
        ("crlf.txt", "a\r\n", "x"),
        ("crlf.txt", "a\nb\nc", "x"),
        ("crlf.txt", "", "x\r\n"),
        ("empty.txt", "", "x"),
        ("empty.txt", "x", ""),
        ("aaa", "aa", "b"),
        ("aaa", "aaaa", ""),
        ("u.txt", "🚀", "$0 \\1 {path}"),
        ("a.txt", "one\n", ""),
        ("a.txt", "one", "one"),
        ("sub", "x", "y"),
    ] {
        cases.push(Case { tree: 0, tool: "edit", arguments: json!([name, old, new]) });
    }
    // A name with a NUL is worded differently from release to release.
    cases.retain(|case| !case.arguments[0].as_str().is_some_and(|name| name.contains('\0')));
    compare("write", &[files], &cases);
}

#[test]
fn binding_answers_as_cpython_does() {
    let mut cases = Vec::new();
    for (function, required, optional) in [
        ("run_bash", json!(["command"]), json!([])),
        ("run_read", json!(["path"]), json!(["limit"])),
        ("run_write", json!(["path", "content"]), json!([])),
        ("run_edit", json!(["path", "old_text", "new_text"]), json!([])),
        ("run_todo_write", json!(["todos"]), json!([])),
        ("four", json!(["path", "limit", "todos", "content"]), json!([])),
    ] {
        for input in values(
            r#"[{}, {"command": 1}, {"path": 1}, {"path": 1, "limit": 2}, {"limit": 2}, {"path": null, "content": null},
                {"content": 1, "path": 2}, {"path": 1, "new_text": 2}, {"path": 1, "old_text": 2, "new_text": 3},
                {"path": 1, "old_text": 2, "new_text": 3, "x": 4}, {"todos": []}, {"x": 1}, {"zz": 1, "aa": 2},
                {"path": 1, "zz": 1}, {"it's": 1}, {"": 1}, {"a b\nc": 1}, {"多": 1}, {"self": 1}, 5, null, true, 1.5, "x",
                [], [1]]"#,
        ) {
            cases.push(Case { tree: 0, tool: "bind", arguments: json!([function, required, optional, input]) });
        }
    }
    compare("bind", &[Vec::new()], &cases);
}
