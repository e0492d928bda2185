//! Finding files by patterns.

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
fn a_lesson_without_recursion_takes_two_stars_for_one() {
    let flat = GlobTexts { recursive: false, ..glob_texts() };
    for (pattern, matches) in [
        (json!("**"), "a.py\nnotes.md\nsub"),
        (json!("**/*.py"), "sub/b.py"),
        (json!("**/c.py"), "(no matches)"),
        (json!("sub/**"), "sub/b.py\nsub/deep"),
        (json!(5), "Error: expected str, bytes or os.PathLike object, not int"),
    ] {
        let answer = said(super::glob(&project(), &workdir(), &pattern, &flat), |matches| matches);
        assert_eq!(answer, matches, "{pattern}");
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
