//! Reading, writing and editing files: what a model reads, and what is in the files then.

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
        ("a.txt", json!("one"), json!(null), "replace() argument 2 must be str, not None"),
        ("a.txt", json!("two"), json!(5), "text not found in a.txt"),
    ] {
        assert_eq!(edit(&mut vfs, name, old, new), format!("Error: {error}"), "{name}");
        assert_eq!(vfs, before, "{name}");
    }
}

#[test]
fn where_the_tool_minds_it_a_path_that_leads_outside_is_refused_as_it_was_written() {
    let texts = FileTexts { outside: Some("Path escapes workspace: {path}".into()), ..texts() };
    let vfs = tree(&[("a.txt", b"alpha\n"), ("out -> /tmp", b"")]);
    let read = |path: &str| said(read_file(&vfs, &workdir(), &path.into(), None, &texts), |answer| answer.output);
    let here = |path: &str| format!("{}{path}", workdir().as_str());
    for path in ["a.txt", "./a.txt", "sub/../a.txt", &here("/a.txt")] {
        assert_eq!(read(path), "alpha", "{path}");
    }
    for path in ["../a.txt", "/tmp/a.txt", "sub/../../a.txt", &here("-evil/a.txt"), "out/a.txt", ".."] {
        let refusal = format!("Error: Path escapes workspace: {path}");
        assert_eq!(read(path), refusal);
        let written = write_file(&vfs, &workdir(), &path.into(), &"x".into(), &texts);
        assert_eq!(said(written, |answer| answer.output), refusal);
        let edited = edit_file(&vfs, &workdir(), &path.into(), &"a".into(), &"b".into(), &texts);
        assert_eq!(said(edited, |answer| answer.output), refusal);
    }
}

#[test]
fn a_file_is_cut_at_as_many_characters_as_the_tool_reads_whatever_their_bytes() {
    let texts = FileTexts { max_chars: Some(3), ..texts() };
    for (content, shown) in [("abcd", "abc"), ("abc", "abc"), ("计划很长", "计划很"), ("a\nb\nc", "a\nb"), ("", "")]
    {
        let vfs = tree(&[("a.txt", content.as_bytes())]);
        let outcome = read_file(&vfs, &workdir(), &"a.txt".into(), None, &texts);
        assert_eq!(said(outcome, |answer| answer.output), shown, "{content}");
    }
}
