//! What holds for any path, any tree and any call.

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
    Link(String, String),
}

fn step() -> impl Strategy<Value = Step> {
    let name = || spelled(&["a", "b", "a/", "b/", "c/"], 5);
    prop_oneof![
        4 => (name(), prop::collection::vec(any::<u8>(), 0..4)).prop_map(|(name, bytes)| Step::Write(name, bytes)),
        4 => name().prop_map(Step::MakeDirs),
        2 => name().prop_map(Step::Remove),
        1 => (name(), 0..0o1000u32).prop_map(|(name, mode)| Step::SetMode(name, mode)),
        3 => (name(), spelled(&["a", "b", "/", "../", "c", "."], 5)).prop_map(|(name, target)| Step::Link(name, target)),
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
            Step::Link(name, target) => vfs.make_link(&root.join(name), target.as_str()),
        };
    }
    vfs
}

fn any_tree() -> impl Strategy<Value = Vfs> {
    prop::collection::vec(step(), 0..20).prop_map(|steps| grown(Vfs::new(), &steps))
}

/// A directory, and no link to one.
fn is_plain_dir(vfs: &Vfs, path: &AbsPath) -> bool {
    matches!(vfs.node(path), Some(Node::Dir { .. }))
}

const PIECES: &[&str] = &["a", "b", "/", "..", "*", "**", "[", "]", "!", "-", "?", ".", "\r\n", "\0", "é"];

fn any_value() -> impl Strategy<Value = Json> {
    prop_oneof![
        6 => spelled(PIECES, 9).prop_map(Json::from),
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
        let odd_name = |name: &str| ["", ".", ".."].contains(&name);
        prop_assert!(joined == AbsPath::root() || !joined.as_str()[1..].split('/').any(odd_name));
        prop_assert_eq!(AbsPath::parse(joined.as_str()), Some(joined.clone()));
        prop_assert_eq!(AbsPath::parse(&text).is_some(), text.starts_with('/'));
        let stored = serde_json::to_string(&joined).unwrap();
        prop_assert_eq!(serde_json::from_str::<AbsPath>(&stored).unwrap(), joined);
    }

    #[test]
    fn joining_twice_is_joining_the_joined_text(first in path_text(), second in path_text()) {
        prop_assume!(!first.is_empty());
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
                prop_assert!(is_plain_dir(&vfs, &parent));
                prop_assert_eq!(vfs.children(&parent).filter(|(child, _)| *child == path).count(), 1);
            }
            let below = vfs.walk(&AbsPath::root()).filter(|(other, _)| path.contains(other));
            prop_assert!(vfs.walk(path).eq(below));
        }
    }

    #[test]
    fn the_changes_between_two_trees_make_one_of_the_other(
        old in any_tree(),
        new in any_tree(),
        steps in prop::collection::vec(step(), 0..5),
    ) {
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
    fn a_place_is_a_path_without_links(vfs in any_tree(), text in path_text()) {
        let dir = AbsPath::root().join("a");
        for last in [Last::Followed, Last::Created, Last::Kept] {
            if let Ok((place, node)) = vfs.locate(&dir, &text, last) {
                prop_assert_eq!(vfs.node(&place), node);
                prop_assert!(last == Last::Kept || !node.is_some_and(Node::is_link));
                let mut above = std::iter::successors(place.parent(), AbsPath::parent);
                prop_assert!(above.all(|dir| is_plain_dir(&vfs, &dir)));
                // What the kernel finds stands where Python says.
                if last == Last::Followed {
                    prop_assert_eq!(vfs.resolve(&dir, &text), Ok(place));
                }
            }
        }
    }

    #[test]
    fn no_call_can_break_a_tool(vfs in any_tree(), one in any_value(), two in any_value(), three in any_value()) {
        let root = AbsPath::root();
        let answers = [
            read_file(&vfs, &root, &one, Some(&two), &texts()),
            write_file(&vfs, &root, &one, &two, &texts()),
            edit_file(&vfs, &root, &one, &two, &three, &texts()),
        ];
        for answer in answers.into_iter().flatten() {
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
                let is_there = matches!(vfs.locate(&dir, found, Last::Kept), Ok((_, Some(_))));
                let is_inside = vfs.resolve(&dir, found).is_ok_and(|path| dir.contains(&path));
                prop_assert!(is_there && is_inside, "{}", found);
            }
        }
    }
}
