//! Paths and trees.

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
            {"write": {"path": "/home/reader/proj/bin", "content": {"latin1": "\u{ff}\u{0}"}, "mode": 0o644}},
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
        json!({"write": {"path": "/a", "content": {"latin1": "→"}}}),
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
