//! Symbolic links in CPython and in the kernel under it, and here.
//!
//! From 3.13 on, `Path.resolve()` takes a loop for a path, so this compares with the releases before it.

use super::links::TREE;
use super::python::{Case, Dice, Entries, compare_before, entries, fresh_root, planted};
use super::*;

/// What the kernel finds with a path as it is written; `created` makes a file that is missing, as `open` can.
pub(super) fn look(vfs: &mut Vfs, workdir: &AbsPath, text: &str, how: &str) -> String {
    let last = match how {
        "created" => Last::Created,
        "followed" => Last::Followed,
        _ => Last::Kept,
    };
    let found = match vfs.locate(workdir, text, last) {
        Err(error) => Err(error),
        Ok((place, None)) if last == Last::Created => vfs.write(&place, *b"").map(|()| "opened"),
        Ok((_, None)) => Err(FsError::NotFound),
        Ok((_, Some(Node::Dir { .. }))) if last == Last::Created => Err(FsError::IsADirectory),
        Ok(_) if last == Last::Created => Ok("opened"),
        Ok((_, Some(Node::File { .. }))) => Ok("file"),
        Ok((_, Some(Node::Dir { .. }))) => Ok("dir"),
        Ok((_, Some(Node::Link { .. }))) => Ok("link"),
    };
    found.map_or_else(|error| error.to_string(), str::to_string)
}

/// Calls that read, on a tree with links to one another; what one leads to outside is left out.
fn add_random(cases: &mut Vec<Case>, tree: usize, vfs: &Vfs, root: &AbsPath, dice: &mut Dice) {
    let workdir = root.join("proj");
    for round in 0..60 {
        let names = ["f1", "d1", "e1", "l1", "l1", "l2", "l2", "l3", "l4", "..", "..", ".", "", "o1", "x1"];
        let text: Vec<&str> = (0..dice.below(5) + 1).map(|_| names[dice.below(names.len())]).collect();
        let text = text.join("/");
        let stays = |path: &AbsPath| root.contains(path);
        if text.starts_with('/')
            || vfs.resolve(&workdir, &text).is_ok_and(|path| !stays(&path))
            || vfs.locate(&workdir, &text, Last::Kept).is_ok_and(|(path, _)| !stays(&path))
        {
            continue;
        }
        cases.push(Case { tree, tool: "resolve", arguments: json!([text]) });
        cases.push(Case { tree, tool: "look", arguments: json!([text, "followed"]) });
        cases.push(Case { tree, tool: "look", arguments: json!([text, "kept"]) });
        cases.push(Case { tree, tool: "read", arguments: json!([text]) });
        let pattern = text.replace(["f1", "l4", "x1"][dice.below(3)], "*").replacen("l1", "l[12]", 1);
        if pattern.matches("..").count() < 2 {
            cases.push(Case { tree, tool: "find", arguments: json!([pattern, false]) });
            // Both sides would be long about some of these.
            let pattern = json!(pattern.replacen("d1", "**", 1));
            let all = GlobTexts { limit: None, ..glob_texts() };
            if tree.is_multiple_of(4)
                && round == 0
                && glob(vfs, &workdir, &pattern, &all).is_ok_and(|found| found.len() < 5000)
            {
                cases.push(Case { tree, tool: "find", arguments: json!([pattern, true]) });
            }
        }
        // Each of these takes a fresh tree.
        if round % 6 == 5 {
            cases.push(Case { tree, tool: "look", arguments: json!([text, "created"]) });
            cases.push(Case { tree, tool: "write", arguments: json!([text, "new"]) });
            cases.push(Case { tree, tool: "edit", arguments: json!([text, "one", "two"]) });
        }
    }
}

#[test]
fn paths_with_links_lead_where_they_lead_in_cpython() {
    let root = fresh_root("links");
    let targets = [
        "f1",
        "d1",
        "d1/e1",
        "d1/e1/..",
        "d1/..",
        "../proj",
        "../proj/d1",
        "../o1",
        "../o1/o1",
        "e1",
        "e1/../f1",
        "l1",
        "l2",
        "l3",
        "l4",
        "l1/..",
        "l2/..",
        "l3/e1",
        "l4/e1/../f1",
        "x1",
        "x1/..",
        "x1/../f1",
        "x1/x1",
        "x1/",
        ".",
        "./",
        "d1//e1",
        "f1/",
        "f1/..",
        "f1/../d1",
        "l1//l2",
        "d1/l3",
        "d1/l4/..",
        "ROOT/proj",
        "ROOT/proj/d1",
        "ROOT/o1",
        "ROOT/proj/l1",
        "ROOT/proj/l2/..",
        "ROOT/x1",
        "//ROOT//proj//l3/",
    ];
    let places = ["l1", "l2", "l3", "l4", "d1/l1", "d1/l3", "d1/l4", "d1/e1/l2", "../o1/l1", "../o1/l2"];
    let mut dice = Dice(5);
    let (mut trees, mut cases) = (Vec::new(), Vec::new());
    for tree in 0..20 {
        let mut files =
            entries(&[("f1", b"one"), ("d1/f1", b"one"), ("d1/e1/f1", b"1"), ("../o1/f1", b"one"), ("../f1", b"")]);
        for place in places.iter().filter(|_| dice.below(3) > 0).collect::<Vec<_>>() {
            let target = targets[dice.below(targets.len())].replace("ROOT", root.as_str());
            files.push((format!("{place} -> {target}"), Vec::new()));
        }
        add_random(&mut cases, tree, &planted(&root.join("proj"), &files), &root, &mut dice);
        trees.push(files);
    }
    cases.sort_by_key(|case| (case.tree, case.writes()));
    compare_before(Some([3, 13]), "links", &trees, &cases);
}

#[test]
fn the_tree_of_the_tables_is_the_same_in_cpython() {
    let root = fresh_root("link-tables");
    let in_root = |(name, bytes): &(&str, &[u8])| (name.replace("/home/reader", root.as_str()), bytes.to_vec());
    let all: Entries = TREE.iter().map(in_root).collect();
    let quiet =
        all.iter().filter(|(name, _)| !["self", "ping", "pong", "sub/up"].iter().any(|loud| name.starts_with(loud)));
    let chain = (1..=60).map(|number| (format!("c{number} -> c{}", number - 1), Vec::new()));
    let chain: Entries = chain.chain(entries(&[("c0", b"here")])).collect();
    let again =
        entries(&[("d/f", b""), ("d/.h -> .", b""), ("d/again -> .", b""), ("e -> d", b""), ("g -> missing", b"")]);
    let trees = [all.clone(), quiet.cloned().collect(), chain, again];
    let mut cases = Vec::new();
    for (name, _) in &all {
        let name = name.split(" -> ").next().expect("a name");
        for text in ["", "/", "/.", "/..", "/x", "/../f.txt", "/../to_dir/g.txt", "/g.txt", "/up/f.txt"] {
            let text = format!("{name}{text}");
            cases.push(Case { tree: 0, tool: "resolve", arguments: json!([text]) });
            cases.push(Case { tree: 0, tool: "look", arguments: json!([text, "followed"]) });
            cases.push(Case { tree: 0, tool: "look", arguments: json!([text, "kept"]) });
            cases.push(Case { tree: 0, tool: "look", arguments: json!([text, "created"]) });
            cases.push(Case { tree: 0, tool: "read", arguments: json!([text]) });
            cases.push(Case { tree: 0, tool: "write", arguments: json!([text, "new"]) });
            cases.push(Case { tree: 0, tool: "edit", arguments: json!([text, "o", "0"]) });
        }
        cases.push(Case { tree: 0, tool: "find", arguments: json!([name, true]) });
    }
    for pattern in "* */ */* */*/ ** **/ **/* **/*/ **/g* **/g*/ **/.. out/* out/** out/../* out/../proj/* s* self self/ self/* p*
        pong ping/** dangling dangling/ dangling/** dangling_dir/** to_dir/** to_dir/*/ to_file/** to_deep/.. to_deep/../*
        file_as_dir/* through_file/* slashes/* slashes//* */deep */deep/ */../f.txt */../*.txt d/** d/**/f d/*/f d/again/*
        d/again/**/again e/** e/**/ g/** g* **/again **/f c* c6* c60 c60/ c60/* sub/up/sub/up/* sub/up/**/g.txt"
        .split_whitespace()
    {
        for recursive in [true, false] {
            // Where a link leads back to the top there is no end to `**`.
            let first = if recursive && pattern.contains("**") { 1 } else { 0 };
            for tree in first..4 {
                cases.push(Case { tree, tool: "find", arguments: json!([pattern, recursive]) });
            }
        }
    }
    for number in 35..45 {
        let name = format!("c{number}");
        cases.push(Case { tree: 2, tool: "look", arguments: json!([name, "followed"]) });
        cases.push(Case { tree: 2, tool: "look", arguments: json!([format!("{name}/"), "kept"]) });
        cases.push(Case { tree: 2, tool: "read", arguments: json!([name]) });
    }
    cases.sort_by_key(|case| (case.tree, case.writes()));
    compare_before(Some([3, 13]), "link-tables", &trees, &cases);
}
