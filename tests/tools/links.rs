//! Symbolic links: where they lead, and what the tools find and write through them.

use super::*;

/// Links of every kind.
pub(super) const TREE: &[(&str, &[u8])] = &[
    ("f.txt", b"one\n"),
    ("sub/g.txt", b"two\n"),
    ("sub/deep/", b""),
    ("../outside/h.txt", b"three\n"),
    ("to_file -> f.txt", b""),
    ("to_dir -> sub", b""),
    ("to_deep -> to_dir/deep", b""),
    ("slashes -> .//sub///", b""),
    ("file_as_dir -> f.txt/", b""),
    ("through_file -> f.txt/../sub", b""),
    ("absolute -> /home/reader/proj/sub", b""),
    ("dangling -> sub/new.txt", b""),
    ("dangling_dir -> missing/dir/", b""),
    ("out -> ../outside", b""),
    ("out_file -> /home/reader/outside/h.txt", b""),
    ("self -> self", b""),
    ("ping -> pong", b""),
    ("pong -> sub/../ping", b""),
    ("sub/up -> ..", b""),
];

#[test]
fn a_path_is_resolved_name_by_name() {
    let vfs = tree(TREE);
    for (text, resolved) in [
        ("f.txt", "/home/reader/proj/f.txt"),
        ("missing/x", "/home/reader/proj/missing/x"),
        ("to_file", "/home/reader/proj/f.txt"),
        ("to_file/x", "/home/reader/proj/f.txt/x"),
        ("to_dir/g.txt", "/home/reader/proj/sub/g.txt"),
        ("to_deep/..", "/home/reader/proj/sub"),
        ("to_deep/../g.txt", "/home/reader/proj/sub/g.txt"),
        ("./to_deep//./..//g.txt", "/home/reader/proj/sub/g.txt"),
        ("slashes", "/home/reader/proj/sub"),
        ("file_as_dir", "/home/reader/proj/f.txt"),
        ("through_file/g.txt", "/home/reader/proj/sub/g.txt"),
        ("absolute/g.txt", "/home/reader/proj/sub/g.txt"),
        ("dangling", "/home/reader/proj/sub/new.txt"),
        ("dangling_dir/..", "/home/reader/proj/missing"),
        ("missing/../to_dir", "/home/reader/proj/sub"),
        ("f.txt/../to_dir", "/home/reader/proj/sub"),
        ("out/h.txt", "/home/reader/outside/h.txt"),
        ("out/../proj/f.txt", "/home/reader/proj/f.txt"),
        ("/home/reader/proj/out_file", "/home/reader/outside/h.txt"),
        ("sub/up/sub/up/to_file", "/home/reader/proj/f.txt"),
        ("sub/up/..", "/home/reader"),
        // Python gives up at a loop and takes the rest by its text.
        ("self/..", "/home/reader/proj"),
        ("self/../f.txt", "/home/reader/proj/f.txt"),
        ("self/../to_file", "/home/reader/proj/to_file"),
        ("ping/../out/h.txt", "/home/reader/proj/out/h.txt"),
    ] {
        assert_eq!(vfs.resolve(&workdir(), text).map(|path| path.to_string()), Ok(resolved.to_string()), "{text}");
    }
    for (text, named) in [
        ("self", "self"),
        ("self/x/y", "self/x/y"),
        ("sub/../self", "self"),
        ("ping", "ping"),
        ("pong/x", "pong/x"),
        ("self/../pong", "pong"),
    ] {
        let error = vfs.resolve(&workdir(), text).expect_err("it leads in a circle");
        assert_eq!(error.to_string(), format!("Symlink loop from '/home/reader/proj/{named}'"), "{text}");
    }
}

#[test]
fn the_kernel_wants_every_name_on_the_way() {
    let vfs = tree(TREE);
    let find = |text: &str, last| {
        let (place, node) = vfs.locate(&workdir(), text, last)?;
        Ok((place.relative_to(&workdir()).unwrap_or("(elsewhere)").to_string(), node.is_some()))
    };
    let there = |place: &str| Ok((place.to_string(), true));
    let free = |place: &str| Ok((place.to_string(), false));
    for (text, followed, kept) in [
        ("f.txt", there("f.txt"), there("f.txt")),
        ("", there(""), there("")),
        ("/", there("(elsewhere)"), there("(elsewhere)")),
        ("new", free("new"), free("new")),
        ("to_file", there("f.txt"), there("to_file")),
        ("to_dir/", there("sub"), there("sub")),
        ("to_dir/.", there("sub"), there("sub")),
        ("to_dir/..", there(""), there("")),
        ("to_deep/../g.txt", there("sub/g.txt"), there("sub/g.txt")),
        ("dangling", free("sub/new.txt"), there("dangling")),
        ("dangling/", free("sub/new.txt"), free("sub/new.txt")),
        ("dangling_dir", Err(FsError::NotFound), there("dangling_dir")),
        ("to_file/", Err(FsError::NotADirectory), Err(FsError::NotADirectory)),
        ("to_file/..", Err(FsError::NotADirectory), Err(FsError::NotADirectory)),
        ("file_as_dir", Err(FsError::NotADirectory), there("file_as_dir")),
        ("through_file/g.txt", Err(FsError::NotADirectory), Err(FsError::NotADirectory)),
        ("dangling/../g.txt", Err(FsError::NotFound), Err(FsError::NotFound)),
        ("self", Err(FsError::Loop), there("self")),
        ("self/..", Err(FsError::Loop), Err(FsError::Loop)),
        ("ping/x", Err(FsError::Loop), Err(FsError::Loop)),
    ] {
        assert_eq!(find(text, Last::Followed), followed, "{text}");
        assert_eq!(find(text, Last::Kept), kept, "{text}");
    }
    // A `/` at the end is refused where a file may be made, before anybody asks what stands there.
    for (text, created) in [
        ("to_file", there("f.txt")),
        ("dangling", free("sub/new.txt")),
        ("to_dir/g.txt", there("sub/g.txt")),
        ("new/", Err(FsError::IsADirectory)),
        ("self/", Err(FsError::IsADirectory)),
        ("f.txt/", Err(FsError::IsADirectory)),
        ("file_as_dir", Err(FsError::IsADirectory)),
        ("new/.", Err(FsError::NotFound)),
        ("self", Err(FsError::Loop)),
    ] {
        assert_eq!(find(text, Last::Created), created, "{text}");
    }
    assert_eq!(vfs.stat(&workdir().join("self")), Err(FsError::Loop));
    let said = FsError::Loop.python(&path("/x"));
    assert_eq!(said, "[Errno 40] Too many levels of symbolic links: '/x'");
}

#[test]
fn the_kernel_follows_forty_links_and_python_any_number() {
    let names: Vec<String> = (1..=60).map(|number| format!("c{number} -> c{}", number - 1)).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    entries.push(("c0", b"here"));
    let vfs = tree(&entries);
    assert_eq!(vfs.read(&workdir().join("c40")).as_deref(), Ok(&b"here"[..]));
    assert_eq!(vfs.read(&workdir().join("c41")), Err(FsError::Loop));
    assert_eq!(read(&vfs, "c60", None), "here");
}

#[test]
fn a_link_is_a_leaf_of_the_tree() {
    let mut vfs = tree(TREE);
    let at = |name: &str| workdir().join(name);
    assert_eq!(vfs.node(&at("to_dir")).map(Node::mode), Some(0o777));
    assert_eq!((vfs.children(&at("to_dir")).count(), vfs.walk(&at("to_dir")).count()), (0, 1));
    assert!(vfs.is_dir(&at("to_dir")) && vfs.is_file(&at("to_dir/g.txt")) && !vfs.is_file(&at("dangling")));
    assert_eq!(vfs.make_link(&at("to_dir"), "x"), Err(FsError::Exists));
    assert_eq!(vfs.make_dir(&at("dangling")), Err(FsError::Exists));
    assert_eq!(vfs.make_link(&at("new"), ""), Err(FsError::NotFound));
    assert_eq!(vfs.make_link(&at("new"), "x".repeat(4096)), Err(FsError::NameTooLong));
    // What is below a link is below its target, and the bits of a link are its target's.
    vfs.set_mode(&at("to_file"), 0o600).expect("a file");
    assert_eq!(vfs.node(&at("f.txt")).map(Node::mode), Some(0o600));
    vfs.make_link(&at("to_deep/link"), "../g.txt").expect("a place");
    assert_eq!(vfs.read(&at("sub/deep/link")).as_deref(), Ok(&b"two\n"[..]));
    vfs.remove(&at("to_dir")).expect("the link");
    assert!(vfs.node(&at("to_dir")).is_none() && vfs.is_file(&at("sub/g.txt")));
    // A place to which only a link leads, since its own path is too long for any call.
    let deep = at(&"d/".repeat(2000));
    vfs.make_dirs(&deep).expect("a long path");
    vfs.make_link(&at("deep"), deep.as_str()).expect("a place");
    assert_eq!(vfs.write(&at(&format!("deep/{}", "n".repeat(200))), *b""), Err(FsError::NameTooLong));
}

#[test]
fn a_log_keeps_links_and_their_changes() {
    let old = tree(&[("a -> x", b""), ("b/in", b""), ("c -> b", b""), ("d -> b", b""), ("e", b"")]);
    let new = tree(&[("a -> y", b""), ("b -> c", b""), ("c/in", b""), ("d", b"now a file"), ("e -> d", b"")]);
    let changes = old.diff(&new);
    let log = serde_json::to_value(&changes).expect("changes are data");
    assert_eq!(log[0], json!({"link": {"path": "/home/reader/proj/a", "target": "y"}}));
    assert_eq!(serde_json::from_value::<Vec<FsChange>>(log).expect("what we wrote"), changes);
    let mut tree = old.clone();
    tree.apply(&changes).expect("the tree that the changes were made for");
    assert_eq!(tree, new);
    tree.apply(&new.diff(&old)).expect("the way back");
    assert_eq!(tree, old);
    let link = FsChange::Link { path: workdir().join("e"), target: "a".into() };
    assert!(tree.apply(&[link]).is_err(), "a file stands there");
}

#[test]
fn the_file_tools_go_where_links_lead() {
    let mut vfs = tree(TREE);
    assert_eq!(read(&vfs, "to_file", None), "one");
    assert_eq!(read(&vfs, "to_deep/../g.txt", None), "two");
    assert_eq!(read(&vfs, "out/h.txt", None), "three");
    assert_eq!(read(&vfs, "file_as_dir", None), "one", "Python has dropped the `/`");
    for (name, error) in [
        ("dangling", "[Errno 2] No such file or directory: '/home/reader/proj/sub/new.txt'"),
        ("to_dir", "[Errno 21] Is a directory: '/home/reader/proj/sub'"),
        ("to_file/x", "[Errno 20] Not a directory: '/home/reader/proj/f.txt/x'"),
        ("self", "Symlink loop from '/home/reader/proj/self'"),
        ("pong/x", "Symlink loop from '/home/reader/proj/pong/x'"),
    ] {
        assert_eq!(read(&vfs, name, None), format!("Error: {error}"));
        assert_eq!(edit(&mut vfs, name, "x", "y"), format!("Error: {error}"));
    }
    assert_eq!(write(&mut vfs, "self/x", "x"), "Error: Symlink loop from '/home/reader/proj/self/x'");
    assert_eq!(write(&mut vfs, "to_file/x", "x"), "Error: [Errno 17] File exists: '/home/reader/proj/f.txt'");
    assert_eq!(write(&mut vfs, "dangling", "new"), "Wrote 3 bytes to dangling");
    assert_eq!(write(&mut vfs, "dangling_dir/x/y", "new"), "Wrote 3 bytes to dangling_dir/x/y");
    assert_eq!(edit(&mut vfs, "to_file", "one", "1"), "Edited to_file");
    assert_eq!(write(&mut vfs, "self/../to_dir/g.txt", "2"), "Wrote 1 bytes to self/../to_dir/g.txt");
    let contents = ["sub/new.txt", "missing/dir/x/y", "f.txt", "sub/g.txt"].map(|name| content(&vfs, name));
    assert_eq!(contents, ["new", "new", "1\n", "2"]);
    assert!(["to_file", "dangling", "to_dir"].iter().all(|name| vfs.node(&workdir().join(name)).unwrap().is_link()));
}

#[test]
fn glob_looks_through_links_and_leaves_out_what_is_outside() {
    let vfs = tree(TREE);
    for (pattern, matches) in [
        ("to_*", "to_deep\nto_dir\nto_file"),
        ("*/", "absolute/\nslashes/\nsub/\nto_deep/\nto_dir/"),
        ("dang*", "dangling\ndangling_dir"),
        ("dangling", "dangling"),
        ("dangling/", "(no matches)"),
        ("dangling_dir/**", "(no matches)"),
        ("out*", "(no matches)"),
        ("out/*", "(no matches)"),
        ("out/../proj/f.*", "out/../proj/f.txt"),
        ("to_dir/g*", "to_dir/g.txt"),
        ("to_deep/../g*", "to_deep/../g.txt"),
        ("to_deep/**", "to_deep/"),
        ("file_as_dir*", "file_as_dir"),
        ("file_as_dir/*", "(no matches)"),
    ] {
        assert_eq!(find(&vfs, pattern), matches, "{pattern}");
    }
    // Of what it finds, Python resolves every path.
    assert_eq!(find(&vfs, "s*"), "Error: Symlink loop from '/home/reader/proj/self'");
    assert_eq!(find(&vfs, "self/*"), "(no matches)");
    // Through a loop of directories it goes until the kernel has followed forty links.
    let vfs = tree(&[("d/f", b""), ("d/again -> .", b"")]);
    let expected: Vec<String> = (0..=40).rev().map(|depth| format!("d/{}f", "again/".repeat(depth))).collect();
    assert_eq!(find(&vfs, "**/f"), expected.join("\n"));
    let vfs = tree(&[("a -> .", b""), ("b -> .", b"")]);
    assert_eq!(find(&vfs, "**"), "Error: pattern expands to more than 100000 paths");
}

#[test]
fn a_hook_asks_where_a_link_leads_outside() {
    let asks = |path: &str| {
        let mut session = support::session(support::lesson("s05"));
        let vfs =
            tree_at(&support::workdir(), &[("out -> /etc", b""), ("in -> sub/../sub", b""), ("self -> self", b"")]);
        session.workspace.vfs = vfs;
        let mut play = support::Play::new(session);
        play.prompt("Go");
        play.calls(&[("read_file", json!({"path": path}))]);
        match &play.session().phase {
            Phase::AwaitingPermission { questions, .. } => questions[0].about.clone(),
            Phase::Stopped { fault } => format!("{fault:?}"),
            _ => "no question".to_string(),
        }
    };
    for (path, asked) in [
        ("out/x", "/etc/x"),
        ("out", "/etc"),
        ("out/../workspace/x", "no question"),
        ("in/x", "no question"),
        ("in/../../x", "/x"),
        ("self/../out/x", "no question"),
        ("self/x", r#"Crashed { exception: "RuntimeError: Symlink loop from '/workspace/self/x'" }"#),
        ("x\0", r#"Crashed { exception: "ValueError: embedded null byte" }"#),
    ] {
        assert_eq!(asks(path), asked, "{path}");
    }
}
