//! The virtual file system, the file tools, glob and the binding of arguments, over their public API.
//!
//! Tables say what a model reads; properties say what holds for any tree; the last part runs the same cases through the
//! `python3` on PATH and compares, and says so where there is none.

use playground::message::Json;
use playground::tools::arguments::{Parameter, Signature};
use playground::tools::files::{FileAnswer, FileTexts, edit_file, read_file, write_file};
use playground::tools::glob::{GlobTexts, glob};
use playground::vfs::{AbsPath, FsChange, FsError, Node, Vfs};
use serde_json::json;

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).expect("an absolute path")
}

fn workdir() -> AbsPath {
    path("/home/reader/proj")
}

/// A tree with these files and, where a name ends in `/`, directories. Names are relative to `base`.
fn tree_at(base: &AbsPath, entries: &[(&str, &[u8])]) -> Vfs {
    let mut vfs = Vfs::new();
    vfs.make_dirs(base).expect("a fresh tree");
    for (name, bytes) in entries {
        let at = base.join(name);
        if name.ends_with('/') {
            vfs.make_dirs(&at).expect("a directory");
        } else {
            vfs.make_dirs(&at.parent().expect("not the root")).expect("the directories above a file");
            vfs.write(&at, *bytes).expect("a file");
        }
    }
    vfs
}

fn tree(entries: &[(&str, &[u8])]) -> Vfs {
    tree_at(&workdir(), entries)
}

fn texts() -> FileTexts {
    FileTexts {
        more_lines: "... ({n} more lines)".into(),
        wrote: "Wrote {n} bytes to {path}".into(),
        edited: "Edited {path}".into(),
        text_not_found: "text not found in {path}".into(),
    }
}

fn glob_texts() -> GlobTexts {
    let omitted = "... (more matches omitted; narrow the pattern)".into();
    GlobTexts { none: "(no matches)".into(), limit: 200, omitted }
}

/// The output as the model reads it: errors get the prefix that the loop gives them.
fn said<T>(outcome: Result<T, String>, output: impl Fn(T) -> String) -> String {
    outcome.map_or_else(|exception| format!("Error: {exception}"), output)
}

fn read(vfs: &Vfs, name: impl Into<Json>, limit: Option<Json>) -> String {
    said(read_file(vfs, &workdir(), &name.into(), limit.as_ref(), &texts()), |answer| answer.output)
}

/// Applies what a tool did and answers with its output.
fn apply(vfs: &mut Vfs, outcome: Result<FileAnswer, String>) -> String {
    said(outcome, |answer| {
        vfs.apply(&answer.changes).expect("changes that fit the tree they were made for");
        answer.output
    })
}

fn write(vfs: &mut Vfs, name: impl Into<Json>, content: impl Into<Json>) -> String {
    let outcome = write_file(vfs, &workdir(), &name.into(), &content.into(), &texts());
    apply(vfs, outcome)
}

fn edit(vfs: &mut Vfs, name: impl Into<Json>, old: impl Into<Json>, new: impl Into<Json>) -> String {
    let outcome = edit_file(vfs, &workdir(), &name.into(), &old.into(), &new.into(), &texts());
    apply(vfs, outcome)
}

fn content(vfs: &Vfs, name: &str) -> String {
    String::from_utf8_lossy(&vfs.read(&workdir().join(name)).expect("a file")).into_owned()
}

fn find(vfs: &Vfs, pattern: impl Into<Json>) -> String {
    said(glob(vfs, &workdir(), &pattern.into(), &glob_texts()), |matches| matches)
}

mod paths {
    use super::*;

    #[test]
    fn a_path_is_made_normal_and_never_leaves_the_root() {
        for (text, normal) in [
            ("/", "/"),
            ("//", "/"),
            ("/a//b/./c/", "/a/b/c"),
            ("/a/../b", "/b"),
            ("/../../a", "/a"),
            ("/a/..", "/"),
            ("/...", "/..."),
            ("/多 agent/x", "/多 agent/x"),
        ] {
            assert_eq!(path(text).as_str(), normal, "{text}");
        }
        for relative in ["", ".", "a", "./a", "../a"] {
            assert_eq!(AbsPath::parse(relative), None, "{relative}");
        }
    }

    #[test]
    fn a_path_is_seen_from_the_working_directory() {
        for (text, joined) in [
            ("a.txt", "/home/reader/proj/a.txt"),
            ("", "/home/reader/proj"),
            (".", "/home/reader/proj"),
            ("sub/../a.txt", "/home/reader/proj/a.txt"),
            ("../x", "/home/reader/x"),
            ("../../../../../x", "/x"),
            ("/etc/x", "/etc/x"),
            ("//etc//x", "/etc/x"),
        ] {
            assert_eq!(workdir().join(text).as_str(), joined, "{text}");
        }
    }

    #[test]
    fn a_sibling_with_a_longer_name_is_not_inside() {
        assert!(workdir().contains(&workdir()));
        assert!(workdir().contains(&path("/home/reader/proj/a/b")));
        assert!(!workdir().contains(&path("/home/reader/proj-evil/x")));
        assert!(!workdir().contains(&path("/home/reader")));
        assert!(AbsPath::root().contains(&workdir()));
        assert_eq!(path("/a/b/c").relative_to(&path("/a")), Some("b/c"));
        assert_eq!(path("/a").relative_to(&path("/a")), Some(""));
        assert_eq!(path("/a/b").relative_to(&AbsPath::root()), Some("a/b"));
    }

    #[test]
    fn a_path_knows_its_name_and_its_parent() {
        assert_eq!((path("/a/b").name(), path("/a/b").parent()), ("b", Some(path("/a"))));
        assert_eq!((path("/a").name(), path("/a").parent()), ("a", Some(AbsPath::root())));
        assert_eq!((AbsPath::root().name(), AbsPath::root().parent()), ("", None));
    }

    #[test]
    fn a_stored_path_that_is_not_normal_is_refused() {
        assert_eq!(serde_json::from_value::<AbsPath>(json!("/a/b")).expect("normal"), path("/a/b"));
        for text in ["/a/../b", "/a/", "a", "", "//"] {
            assert!(serde_json::from_value::<AbsPath>(json!(text)).is_err(), "{text}");
        }
    }
}

mod trees {
    use super::*;

    #[test]
    fn the_kernel_stops_at_the_first_name_that_it_cannot_pass() {
        let vfs = tree(&[("f.txt", b"x"), ("sub/", b"")]);
        let long = "n".repeat(256);
        for (name, error) in [
            ("missing", FsError::NotFound),
            ("missing/deeper/still", FsError::NotFound),
            ("f.txt/x", FsError::NotADirectory),
            ("f.txt/x/y", FsError::NotADirectory),
            ("sub", FsError::IsADirectory),
            (&long, FsError::NameTooLong),
            (&format!("{long}/x"), FsError::NameTooLong),
            (&format!("missing/{long}"), FsError::NotFound),
            (&format!("f.txt/{long}"), FsError::NotADirectory),
            (&"d/".repeat(2100), FsError::NameTooLong),
        ] {
            assert_eq!(vfs.read(&workdir().join(name)), Err(error), "{name}");
        }
        assert_eq!(FsError::NotFound.python(&path("/it's")), "[Errno 2] No such file or directory: \"/it's\"");
    }

    #[test]
    fn a_folder_lists_what_is_in_it_by_name_and_nothing_deeper() {
        let vfs = tree(&[("b/deep/x", b""), ("b/y", b""), ("a.txt", b""), ("b.txt", b""), ("c/", b"")]);
        let names = |dir: &AbsPath| vfs.children(dir).map(|(path, _)| path.name().to_string()).collect::<Vec<_>>();
        assert_eq!(names(&workdir()), ["a.txt", "b", "b.txt", "c"]);
        assert_eq!(names(&workdir().join("b")), ["deep", "y"]);
        assert_eq!(names(&AbsPath::root()), ["home"]);
        assert!(names(&workdir().join("c")).is_empty());
        assert!(names(&workdir().join("a.txt")).is_empty());
        let walked: Vec<_> = vfs.walk(&workdir().join("b")).map(|(path, _)| path.name()).collect();
        assert_eq!(walked, ["b", "deep", "x", "y"]);
    }

    #[test]
    fn removing_a_folder_removes_what_is_in_it() {
        let mut vfs = tree(&[("b/deep/x", b"12"), ("b.txt", b"345")]);
        assert_eq!((vfs.file_count(), vfs.byte_count()), (2, 5));
        vfs.remove(&workdir().join("b")).expect("it is there");
        assert_eq!((vfs.file_count(), vfs.byte_count()), (1, 3));
        assert_eq!(vfs.node(&workdir().join("b/deep")), None);
        assert_eq!(vfs.remove(&workdir().join("b")), Err(FsError::NotFound));
        assert_eq!(vfs.remove(&AbsPath::root()), Err(FsError::Busy));
    }

    #[test]
    fn a_file_keeps_its_mode_when_it_is_written_again() {
        let mut vfs = tree(&[("run.sh", b"old")]);
        let script = workdir().join("run.sh");
        vfs.set_mode(&script, 0o755).expect("it is there");
        vfs.write(&script, *b"new").expect("it can be written");
        assert_eq!(vfs.node(&script).map(Node::mode), Some(0o755));
    }

    #[test]
    fn a_log_shows_text_as_text_and_keeps_any_bytes() {
        let old = tree(&[("a.txt", b"old"), ("gone/x", b""), ("kind", b""), ("dir/in/it", b"")]);
        let new = tree(&[("a.txt", "你好\n".as_bytes()), ("bin", b"\xff\0"), ("kind/x", b""), ("dir", b"now a file")]);
        let changes = old.diff(&new);
        let log = serde_json::to_value(&changes).expect("changes are data");
        assert_eq!(
            log,
            json!([
                {"write": {"path": "/home/reader/proj/a.txt", "content": {"text": "你好\n"}, "mode": 0o644}},
                {"write": {"path": "/home/reader/proj/bin", "content": {"base64": "/wA="}, "mode": 0o644}},
                {"remove": {"path": "/home/reader/proj/dir"}},
                {"write": {"path": "/home/reader/proj/dir", "content": {"text": "now a file"}, "mode": 0o644}},
                {"remove": {"path": "/home/reader/proj/gone"}},
                {"remove": {"path": "/home/reader/proj/kind"}},
                {"make_dir": {"path": "/home/reader/proj/kind", "mode": 0o755}},
                {"write": {"path": "/home/reader/proj/kind/x", "content": {"text": ""}, "mode": 0o644}},
            ])
        );
        assert_eq!(serde_json::from_value::<Vec<FsChange>>(log).expect("what we wrote"), changes);
        let mut tree = old;
        tree.apply(&changes).expect("the tree that the changes were made for");
        assert_eq!(tree, new);
    }

    #[test]
    fn a_change_without_a_mode_has_the_usual_one() {
        let change: FsChange = serde_json::from_value(json!({"write": {"path": "/a", "content": {"text": "x"}}})).unwrap();
        assert_eq!(change, FsChange::Write { path: path("/a"), bytes: (*b"x").into(), mode: 0o644 });
        for wrong in [
            json!({"write": {"path": "/a", "content": {"base64": "?"}}}),
            json!({"write": {"path": "a", "content": {"text": "x"}}}),
            json!({"remove": {"path": "/a", "content": {"text": "x"}}}),
        ] {
            assert!(serde_json::from_value::<FsChange>(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn changes_that_do_not_fit_change_nothing() {
        let mut vfs = tree(&[("f.txt", b"x")]);
        let before = vfs.clone();
        let write = |name: &str| FsChange::Write { path: workdir().join(name), bytes: (*b"y").into(), mode: 0o644 };
        let error = vfs.apply(&[write("f.txt"), write("no/such/dir")]).expect_err("the directory is missing");
        assert_eq!(error.to_string(), "[Errno 2] No such file or directory: '/home/reader/proj/no/such/dir'");
        assert_eq!(vfs, before);
    }
}

mod reading {
    use super::*;

    #[test]
    fn a_file_is_read_by_lines() {
        let vfs = tree(&[
            ("empty.txt", b""),
            ("crlf.txt", b"a\r\nb\rc\r\n"),
            ("ff.txt", "a\x0cb\u{2028}c\n\n\n".as_bytes()),
            ("bom.txt", b"\xef\xbb\xbfa\n"),
        ]);
        assert_eq!(read(&vfs, "empty.txt", None), "");
        assert_eq!(read(&vfs, "crlf.txt", None), "a\nb\nc");
        assert_eq!(read(&vfs, "ff.txt", None), "a\nb\nc\n\n");
        assert_eq!(read(&vfs, "bom.txt", None), "\u{feff}a");
        for spelling in ["./empty.txt", "x/../empty.txt", "/home/reader/proj/empty.txt", "empty.txt/"] {
            assert_eq!(read(&vfs, spelling, None), "", "{spelling}");
        }
    }

    #[test]
    fn a_limit_cuts_as_a_python_slice_does() {
        let vfs = tree(&[("ten.txt", b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n")]);
        let whole = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
        for (limit, output) in [
            (json!(3), "1\n2\n3\n... (7 more lines)"),
            (json!(true), "1\n... (9 more lines)"),
            (json!(-1), "1\n2\n3\n4\n5\n6\n7\n8\n9\n... (11 more lines)"),
            (json!(-10), "... (20 more lines)"),
            (json!(-11), "... (21 more lines)"),
            (json!(i64::MIN), "... (9223372036854775818 more lines)"),
            (json!(10), whole),
            (json!(u64::MAX), whole),
            (json!(0), whole),
            (json!(false), whole),
            (json!(null), whole),
            (json!(""), whole),
            (json!([]), whole),
            (json!({}), whole),
            (json!(0.0), whole),
            (json!(10.0), whole),
            (json!(2.0), "Error: slice indices must be integers or None or have an __index__ method"),
            (json!("3"), "Error: '<' not supported between instances of 'str' and 'int'"),
            (json!([1]), "Error: '<' not supported between instances of 'list' and 'int'"),
            (json!({"a": 1}), "Error: '<' not supported between instances of 'dict' and 'int'"),
        ] {
            assert_eq!(read(&vfs, "ten.txt", Some(limit.clone())), output, "{limit}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said_as_python_says_it() {
        let vfs = tree(&[("sub/x.txt", b"x")]);
        for (name, error) in [
            (json!("missing.txt"), "[Errno 2] No such file or directory: '/home/reader/proj/missing.txt'"),
            (json!("../x"), "[Errno 2] No such file or directory: '/home/reader/x'"),
            (json!("/workspace2/x"), "[Errno 2] No such file or directory: '/workspace2/x'"),
            (json!("sub"), "[Errno 21] Is a directory: '/home/reader/proj/sub'"),
            (json!(""), "[Errno 21] Is a directory: '/home/reader/proj'"),
            (json!("."), "[Errno 21] Is a directory: '/home/reader/proj'"),
            (json!("sub/x.txt/b"), "[Errno 20] Not a directory: '/home/reader/proj/sub/x.txt/b'"),
            (json!("it's"), "[Errno 2] No such file or directory: \"/home/reader/proj/it's\""),
            (json!("a\nb"), "[Errno 2] No such file or directory: '/home/reader/proj/a\\nb'"),
            (json!("a\0b"), "embedded null byte"),
            (json!(5), "unsupported operand type(s) for /: 'PosixPath' and 'int'"),
            (json!(null), "unsupported operand type(s) for /: 'PosixPath' and 'NoneType'"),
        ] {
            assert_eq!(read(&vfs, name.clone(), None), format!("Error: {error}"), "{name}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        for (bytes, error) in [
            (&b"\xff\xfe"[..], "byte 0xff in position 0: invalid start byte"),
            (b"ab\x80", "byte 0x80 in position 2: invalid start byte"),
            (b"\xc0\xaf", "byte 0xc0 in position 0: invalid start byte"),
            (b"\xe4\xbd", "bytes in position 0-1: unexpected end of data"),
            (b"\xe4", "byte 0xe4 in position 0: unexpected end of data"),
            (b"\xe4\xbdx", "bytes in position 0-1: invalid continuation byte"),
            (b"\xe4x", "byte 0xe4 in position 0: invalid continuation byte"),
            (b"\xed\xa0\x80", "byte 0xed in position 0: invalid continuation byte"),
            (b"\xf0\x9f\x98", "bytes in position 0-2: unexpected end of data"),
        ] {
            let vfs = tree(&[("f", bytes)]);
            assert_eq!(read(&vfs, "f", None), format!("Error: 'utf-8' codec can't decode {error}"), "{bytes:x?}");
        }
    }
}

mod writing {
    use super::*;

    #[test]
    fn writing_makes_folders_and_counts_characters() {
        let mut vfs = tree(&[("f.txt", b"old\n")]);
        assert_eq!(write(&mut vfs, "new/deep/f.txt", "hello\n"), "Wrote 6 bytes to new/deep/f.txt");
        assert_eq!(write(&mut vfs, "./f.txt", "1\r\n2"), "Wrote 4 bytes to ./f.txt");
        assert_eq!(write(&mut vfs, "u.txt", "你好🚀\n"), "Wrote 4 bytes to u.txt");
        assert_eq!(write(&mut vfs, "empty.txt", ""), "Wrote 0 bytes to empty.txt");
        assert_eq!(write(&mut vfs, "{n}", "x"), "Wrote 1 bytes to {n}");
        assert_eq!(content(&vfs, "new/deep/f.txt"), "hello\n");
        assert_eq!(content(&vfs, "f.txt"), "1\r\n2");
    }

    #[test]
    fn what_cannot_be_written_is_said_and_changes_nothing() {
        let mut vfs = tree(&[("f.txt", b"old"), ("sub/", b"")]);
        let before = vfs.clone();
        let long = "n".repeat(256);
        for (name, content, error) in [
            (json!("f.txt/child"), json!("x"), "[Errno 17] File exists: '/home/reader/proj/f.txt'"),
            (json!("f.txt/a/b"), json!("x"), "[Errno 20] Not a directory: '/home/reader/proj/f.txt/a'"),
            (json!("."), json!("x"), "[Errno 21] Is a directory: '/home/reader/proj'"),
            (json!("/"), json!("x"), "[Errno 21] Is a directory: '/'"),
            (json!("sub"), json!("x"), "[Errno 21] Is a directory: '/home/reader/proj/sub'"),
            (json!("a.txt"), json!(5), "data must be str, not int"),
            (json!("new/a.txt"), json!(null), "data must be str, not NoneType"),
            (json!("f.txt/child"), json!(5), "[Errno 17] File exists: '/home/reader/proj/f.txt'"),
            (json!(5), json!(5), "unsupported operand type(s) for /: 'PosixPath' and 'int'"),
            (json!("a\0b"), json!("x"), "embedded null byte"),
            (json!(long), json!("x"), &format!("[Errno 36] File name too long: '/home/reader/proj/{long}'")),
            (
                json!(format!("new/{long}/a/b")),
                json!("x"),
                &format!("[Errno 36] File name too long: '/home/reader/proj/new/{long}'"),
            ),
            (
                json!(format!("{long}/a/b")),
                json!("x"),
                &format!("[Errno 36] File name too long: '/home/reader/proj/{long}/a'"),
            ),
        ] {
            assert_eq!(write(&mut vfs, name.clone(), content), format!("Error: {error}"), "{name}");
            assert_eq!(vfs, before, "{name}");
        }
    }
}

mod editing {
    use super::*;

    #[test]
    fn only_the_first_occurrence_is_replaced() {
        let mut vfs = tree(&[("a.txt", b"one two\none two\none\n")]);
        assert_eq!(edit(&mut vfs, "a.txt", "one", "ONE"), "Edited a.txt");
        assert_eq!(edit(&mut vfs, "a.txt", "absent", "x"), "Error: text not found in a.txt");
        assert_eq!(edit(&mut vfs, "a.txt", "", "START "), "Edited a.txt");
        assert_eq!(edit(&mut vfs, "a.txt", "two\n", ""), "Edited a.txt");
        assert_eq!(edit(&mut vfs, "a.txt", "ONE", "ONE"), "Edited a.txt");
        assert_eq!(content(&vfs, "a.txt"), "START ONE one two\none\n");
    }

    #[test]
    fn an_edit_turns_every_line_end_into_a_newline() {
        let mut vfs = tree(&[("c.txt", b"a\r\nb\rc\r\n"), ("d.txt", b"a\r\nb\r\n")]);
        assert_eq!(edit(&mut vfs, "c.txt", "b", "B"), "Edited c.txt");
        assert_eq!(content(&vfs, "c.txt"), "a\nB\nc\n");
        assert_eq!(edit(&mut vfs, "d.txt", "a\r\n", "x"), "Error: text not found in d.txt");
        assert_eq!(content(&vfs, "d.txt"), "a\r\nb\r\n");
        assert_eq!(edit(&mut vfs, "d.txt", "a\nb", "x\r\n"), "Edited d.txt");
        assert_eq!(content(&vfs, "d.txt"), "x\r\n\n");
    }

    #[test]
    fn what_cannot_be_edited_is_said_and_changes_nothing() {
        let mut vfs = tree(&[("a.txt", b"one"), ("bin", b"\xff")]);
        let before = vfs.clone();
        for (name, old, new, error) in [
            ("missing.txt", json!(5), json!(5), "[Errno 2] No such file or directory: '/home/reader/proj/missing.txt'"),
            ("bin", json!("a"), json!("b"), "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
            ("a.txt", json!(5), json!("x"), "'in <string>' requires string as left operand, not int"),
            ("a.txt", json!(null), json!("x"), "'in <string>' requires string as left operand, not NoneType"),
            ("a.txt", json!("one"), json!(5), "replace() argument 2 must be str, not int"),
            ("a.txt", json!("two"), json!(5), "text not found in a.txt"),
        ] {
            assert_eq!(edit(&mut vfs, name, old, new), format!("Error: {error}"), "{name}");
            assert_eq!(vfs, before, "{name}");
        }
    }
}

mod globbing {
    use super::*;

    fn project() -> Vfs {
        tree(&[
            ("a.py", b""),
            ("sub/b.py", b""),
            ("sub/deep/c.py", b""),
            ("notes.md", b""),
            (".hidden.py", b""),
            (".git/config.py", b""),
            ("../outside.txt", b""),
            ("../proj-evil/x.py", b""),
        ])
    }

    #[test]
    fn patterns_find_what_python_finds() {
        let vfs = project();
        for (pattern, matches) in [
            ("*.py", "a.py"),
            ("*/*.py", "sub/b.py"),
            ("**/*.py", "a.py\nsub/b.py\nsub/deep/c.py"),
            ("**", "a.py\nnotes.md\nsub\nsub/b.py\nsub/deep\nsub/deep/c.py"),
            ("sub/**", "sub/\nsub/b.py\nsub/deep\nsub/deep/c.py"),
            ("**/", "sub/\nsub/deep/"),
            ("**/c.py", "sub/deep/c.py"),
            ("a**", "a.py"),
            ("nothing*", "(no matches)"),
            ("nothing/**", "(no matches)"),
            ("a.py/**", "(no matches)"),
            ("sub", "sub"),
            ("sub/", "sub/"),
            ("a.py/", "(no matches)"),
            ("./a.py", "./a.py"),
            ("sub//b.py", "sub//b.py"),
            ("a.py/../a.py", "(no matches)"),
            ("", "(no matches)"),
            (".", "."),
            ("..", "(no matches)"),
            ("[ab].py", "a.py"),
            ("[!b].py", "a.py"),
            ("?.py", "a.py"),
            ("*/", "sub/"),
            (".*", ".git\n.hidden.py"),
            (".*/*", ".git/config.py"),
            ("**/.*", ".git\n.hidden.py"),
            ("../*", "../proj"),
            ("../*/a.py", "../proj/a.py"),
            ("../../**/proj/*.py", "../../reader/proj/a.py"),
            ("/home/reader/*", "/home/reader/proj"),
            ("/home/*/*/a.py", "/home/reader/proj/a.py"),
            ("/etc/host*", "(no matches)"),
            ("*\0", "(no matches)"),
            ("a\0/*", "Error: embedded null byte"),
        ] {
            assert_eq!(find(&vfs, pattern), matches, "{pattern}");
        }
    }

    #[test]
    fn odd_brackets_mean_what_fnmatch_makes_of_them() {
        let names = ["a", "b", "m", "z", "-", "]", "[", "!", "^", "\\", "[a", "B"];
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b""[..])).collect();
        let vfs = tree(&entries);
        for (pattern, matches) in [
            ("[a-m]", "a\nb\nm"),
            ("[!a-m]", "!\n-\nB\n[\n\\\n]\n^\nz"),
            ("[m-a]", "(no matches)"),
            ("[!m-a]", "!\n-\nB\n[\n\\\n]\n^\na\nb\nm\nz"),
            ("[]]", "]"),
            ("[!]]", "!\n-\nB\n[\n\\\n^\na\nb\nm\nz"),
            ("[]", "(no matches)"),
            ("[", "["),
            ("[a", "[a"),
            ("[[]*", "[\n[a"),
            ("[a-]", "-\na"),
            ("[-a]", "-\na"),
            ("[^a]", "^\na"),
            ("[\\]", "\\"),
            ("[m-a!b]", "!\n-\nB\n[\n\\\n]\n^\na\nm\nz"),
        ] {
            assert_eq!(find(&vfs, pattern), matches, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_no_text_is_said_as_python_says_it() {
        for (pattern, error) in [
            (json!(5), "'int' object is not subscriptable"),
            (json!(1.5), "'float' object is not subscriptable"),
            (json!(true), "'bool' object is not subscriptable"),
            (json!(0), "expected str, bytes or os.PathLike object, not int"),
            (json!(false), "expected str, bytes or os.PathLike object, not bool"),
            (json!(null), "expected str, bytes or os.PathLike object, not NoneType"),
            (json!([]), "expected str, bytes or os.PathLike object, not list"),
            (json!(["*"]), "expected str, bytes or os.PathLike object, not list"),
            (json!({}), "expected str, bytes or os.PathLike object, not dict"),
            (json!({"a": 1}), "unhashable type: 'slice'"),
        ] {
            assert_eq!(find(&project(), pattern.clone()), format!("Error: {error}"), "{pattern}");
        }
    }

    #[test]
    fn after_200_matches_a_line_says_that_there_are_more() {
        let names: Vec<String> = (1..=201).map(|number| format!("f{number:03}.txt")).collect();
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let vfs = tree(&entries[..200]);
        assert_eq!(find(&vfs, "*"), names[..200].join("\n"));
        let more = format!("{}\n... (more matches omitted; narrow the pattern)", names[..200].join("\n"));
        assert_eq!(find(&tree(&entries), "*"), more);
    }

    #[test]
    fn a_pattern_that_explodes_is_stopped() {
        let names: Vec<String> = (0..40).map(|number| format!("d{number}/")).collect();
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let answer = find(&tree(&entries), "*/../".repeat(12));
        assert_eq!(answer, "Error: pattern expands to more than 100000 paths");
        assert_eq!(find(&tree(&[("a", b"")]), "*/".repeat(20_000)), "(no matches)");
    }
}

mod arguments {
    use super::*;

    pub fn signature(function: &str, required: &[&str], optional: &[&str]) -> Signature {
        let parameter = |required| move |name: &&str| Parameter { name: name.to_string(), required };
        let parameters = required.iter().map(parameter(true)).chain(optional.iter().map(parameter(false))).collect();
        Signature { function: function.to_string(), parameters }
    }

    #[test]
    fn a_call_that_does_not_fit_is_said_as_python_says_it() {
        let bash = signature("run_bash", &["command"], &[]);
        let read = signature("run_read", &["path"], &["limit"]);
        let edit = signature("run_edit", &["path", "old_text", "new_text"], &[]);
        for (signature, input, error) in [
            (&bash, json!({}), "run_bash() missing 1 required positional argument: 'command'"),
            (&read, json!({"limit": 1}), "run_read() missing 1 required positional argument: 'path'"),
            (
                &edit,
                json!({"path": "a"}),
                "run_edit() missing 2 required positional arguments: 'old_text' and 'new_text'",
            ),
            (
                &edit,
                json!({}),
                "run_edit() missing 3 required positional arguments: 'path', 'old_text', and 'new_text'",
            ),
            (&bash, json!({"timeout": 5}), "run_bash() got an unexpected keyword argument 'timeout'"),
            (&edit, json!({"b": 1, "path": "x", "a": 1}), "run_edit() got an unexpected keyword argument 'b'"),
            (&bash, json!({"it's": 1}), "run_bash() got an unexpected keyword argument 'it's'"),
            (&bash, json!(5), "__main__.run_bash() argument after ** must be a mapping, not int"),
            (&bash, json!(null), "__main__.run_bash() argument after ** must be a mapping, not NoneType"),
            (&bash, json!(["x"]), "__main__.run_bash() argument after ** must be a mapping, not list"),
        ] {
            assert_eq!(signature.bind(&input), Err(error.to_string()), "{input}");
        }
    }

    #[test]
    fn a_call_that_fits_hands_its_values_on() {
        let read = signature("run_read", &["path"], &["limit"]);
        let input = json!({"limit": null, "path": 5});
        let bound = read.bind(&input).expect("it fits");
        assert_eq!((bound.required("path"), bound.optional("limit")), (&json!(5), Some(&Json::Null)));
        let input = json!({"path": "a"});
        assert_eq!(read.bind(&input).expect("it fits").optional("limit"), None);
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Texts that mean something to paths, patterns or line ends far more often than random ones would.
    fn spelled(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(pieces), 0..most).prop_map(|pieces| pieces.concat())
    }

    fn path_text() -> impl Strategy<Value = String> {
        spelled(&["/", "/", ".", "..", "a", "b", "é", "\0", " "], 12)
    }

    #[derive(Debug, Clone)]
    enum Step {
        Write(String, Vec<u8>),
        MakeDirs(String),
        Remove(String),
        SetMode(String, u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        let name = || spelled(&["a", "b", "a/", "b/", "c/"], 5);
        prop_oneof![
            4 => (name(), prop::collection::vec(any::<u8>(), 0..4)).prop_map(|(name, bytes)| Step::Write(name, bytes)),
            4 => name().prop_map(Step::MakeDirs),
            2 => name().prop_map(Step::Remove),
            1 => (name(), 0..0o1000u32).prop_map(|(name, mode)| Step::SetMode(name, mode)),
        ]
    }

    /// A tree that grew by steps, of which some were refused.
    fn grown(mut vfs: Vfs, steps: &[Step]) -> Vfs {
        let root = AbsPath::root();
        for step in steps {
            let _ = match step {
                Step::Write(name, bytes) => vfs.write(&root.join(name), bytes.as_slice()),
                Step::MakeDirs(name) => vfs.make_dirs(&root.join(name)).map_err(|error| error.error),
                Step::Remove(name) => vfs.remove(&root.join(name)),
                Step::SetMode(name, mode) => vfs.set_mode(&root.join(name), *mode),
            };
        }
        vfs
    }

    fn any_tree() -> impl Strategy<Value = Vfs> {
        prop::collection::vec(step(), 0..20).prop_map(|steps| grown(Vfs::new(), &steps))
    }

    fn any_value() -> impl Strategy<Value = Json> {
        prop_oneof![
            6 => spelled(&["a", "b", "/", "..", "*", "**", "[", "]", "!", "-", "?", ".", "\r\n", "\0", "é"], 9).prop_map(Json::from),
            1 => any::<i64>().prop_map(Json::from),
            1 => any::<f64>().prop_map(Json::from),
            1 => any::<bool>().prop_map(Json::from),
            1 => Just(json!(null)),
            1 => Just(json!([1])),
            1 => Just(json!({"a": 1})),
        ]
    }

    proptest! {
        #[test]
        fn a_normal_path_stays_as_it_is_and_never_leaves_the_root(text in path_text()) {
            let joined = workdir().join(&text);
            prop_assert!(joined.as_str().starts_with('/'));
            prop_assert!(joined == AbsPath::root() || joined.as_str()[1..].split('/').all(|name| !["", ".", ".."].contains(&name)));
            prop_assert_eq!(AbsPath::parse(joined.as_str()), Some(joined.clone()));
            prop_assert_eq!(AbsPath::parse(&text).is_some(), text.starts_with('/'));
            let stored = serde_json::to_string(&joined).unwrap();
            prop_assert_eq!(serde_json::from_str::<AbsPath>(&stored).unwrap(), joined);
        }

        #[test]
        fn joining_twice_is_joining_the_joined_text(first in path_text(), second in path_text()) {
            let twice = workdir().join(&first).join(&second);
            if second.starts_with('/') {
                prop_assert_eq!(twice, AbsPath::root().join(&second));
            } else {
                prop_assert_eq!(twice, workdir().join(&format!("{first}/{second}")));
            }
        }

        #[test]
        fn a_path_is_below_its_parent_and_sorts_behind_it(text in path_text()) {
            let below = workdir().join(&text);
            if let Some(parent) = below.parent() {
                prop_assert!(parent.contains(&below) && !below.contains(&parent) && parent < below);
                prop_assert_eq!(parent.join(below.name()), below.clone());
                prop_assert_eq!(below.relative_to(&parent), Some(below.name()));
            }
        }

        #[test]
        fn everything_stands_in_a_folder_that_lists_it(vfs in any_tree()) {
            for (path, _) in vfs.walk(&AbsPath::root()) {
                if let Some(parent) = path.parent() {
                    prop_assert!(vfs.is_dir(&parent));
                    prop_assert_eq!(vfs.children(&parent).filter(|(child, _)| *child == path).count(), 1);
                }
                let below = vfs.walk(&AbsPath::root()).filter(|(other, _)| path.contains(other));
                prop_assert!(vfs.walk(path).eq(below));
            }
        }

        #[test]
        fn the_changes_between_two_trees_make_one_of_the_other(old in any_tree(), new in any_tree(), steps in prop::collection::vec(step(), 0..5)) {
            for new in [new, grown(old.clone(), &steps)] {
                let changes = old.diff(&new);
                let stored = serde_json::to_string(&changes).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Vec<FsChange>>(&stored).unwrap(), &changes);
                let mut tree = old.clone();
                tree.apply(&changes).unwrap();
                prop_assert_eq!(&tree, &new);
                prop_assert!(tree.diff(&new).is_empty());
                prop_assert_eq!(changes.is_empty(), old == new);
            }
        }

        #[test]
        fn no_call_can_break_a_tool(vfs in any_tree(), one in any_value(), two in any_value(), three in any_value()) {
            let root = AbsPath::root();
            let mut answers = vec![
                read_file(&vfs, &root, &one, Some(&two), &texts()),
                write_file(&vfs, &root, &one, &two, &texts()),
                edit_file(&vfs, &root, &one, &two, &three, &texts()),
            ];
            for answer in answers.drain(..).flatten() {
                let mut tree = vfs.clone();
                tree.apply(&answer.changes).unwrap();
                prop_assert!(tree.is_dir(&root));
            }
        }

        #[test]
        fn glob_shows_only_what_is_there_and_inside(vfs in any_tree(), pattern in any_value()) {
            let dir = AbsPath::root().join("a");
            let nothing = GlobTexts { none: String::new(), ..glob_texts() };
            if let Ok(matches) = glob(&vfs, &dir, &pattern, &nothing) {
                for found in matches.lines().filter(|found| *found != glob_texts().omitted) {
                    prop_assert!(vfs.node(&dir.join(found)).is_some() && dir.contains(&dir.join(found)), "{}", found);
                }
            }
        }
    }
}
