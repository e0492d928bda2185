//! The arrows between the modules, as `src/lib.rs` draws them, read from the source.
//!
//! The browser's crates stay at the edge: `platform` and `bin` know all of them. `ui` knows `yew`, and of `web_sys` the
//! types of elements and events that yew's handlers are given, with the cast between them (`JsCast`); it calls the
//! browser through what `bin` hands it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Each module and those it may use. Only what stands above a line may stand in it, so there is no circle.
const ARROWS: [(&str, &str); 22] = [
    // Values
    ("data", ""),
    ("fault", ""),
    ("language", "data"),
    ("message", "data"),
    ("python", ""),
    ("plan", "data message python"),
    ("vfs", "data python"),
    ("workspace", "plan vfs"),
    // What the values travel through
    ("tools", "data message plan python vfs workspace"),
    ("wire", "fault message"),
    // The lesson and its loop
    ("lesson", "data language message plan tools"),
    ("agent", "fault lesson message plan python tools vfs wire workspace"),
    ("scenario", "data language lesson message vfs wire"),
    ("timeline", "agent data lesson vfs workspace"),
    ("compare", "agent timeline"),
    ("console", "agent fault lesson message plan python timeline"),
    ("drawing", "agent lesson message timeline tools"),
    ("gates", "lesson message plan python tools vfs workspace"),
    // Performing effects
    ("runtime", "agent data fault lesson message scenario timeline tools vfs wire"),
    // Running commands for real
    ("shell", "tools vfs"),
    // The browser
    ("platform", "agent data fault language lesson message plan runtime scenario timeline tools vfs wire workspace"),
    (
        "ui",
        "agent compare console drawing fault gates language lesson message plan runtime scenario timeline tools vfs wire workspace",
    ),
];

/// Files that may be longer than the rest, each with its reason.
const LONG: [(&str, &str); 0] = [];

/// Lines of code in a file, at most.
const MOST_LINES: usize = 450;

struct Source {
    /// The path below `src`.
    path: String,
    /// The module at the top: `agent` for `agent.rs` and all in `agent/`.
    module: String,
    /// The lines without comments, and without what follows them: a line's number and text.
    code: Vec<(usize, String)>,
}

fn sources() -> Vec<Source> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    files.sort();
    assert!(files.len() > 20, "the source is there");
    files
        .into_iter()
        .map(|file| {
            let path = file.strip_prefix(&src).expect("a file below src").to_string_lossy().replace('\\', "/");
            let module = path.split(['/', '.']).next().unwrap_or_default().to_string();
            let text = std::fs::read_to_string(&file).expect("a source file");
            let lines = text.lines().enumerate().map(|(i, line)| (i + 1, without_comment(line).to_string()));
            Source { path, module, code: lines.filter(|(_, line)| !line.trim().is_empty()).collect() }
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// A line up to `//`, unless that stands in a string, as in a URL.
fn without_comment(line: &str) -> &str {
    let mut from = 0;
    while let Some(at) = line[from..].find("//").map(|at| from + at) {
        if line[..at].matches('"').count().is_multiple_of(2) {
            return &line[..at];
        }
        from = at + 2;
    }
    line
}

impl Source {
    /// The top modules that it names: `crate::x`, `crate::{x, y::z}`; in `bin`, `playground::x`.
    fn uses(&self) -> Vec<(usize, String)> {
        let mut uses = Vec::new();
        for (number, line) in &self.code {
            for rest in line.split("crate::").skip(1).chain(line.split("playground::").skip(1)) {
                let list = rest.strip_prefix('{').and_then(|list| list.split_once('}')).map_or(rest, |(list, _)| list);
                let parts = if rest.starts_with('{') { list.split(',').collect() } else { vec![rest] };
                uses.extend(parts.into_iter().map(|part| (*number, word(part.trim()).to_string())));
            }
        }
        uses
    }

    /// The lines that use a crate: `name::` at the start of a path, or in `use name;` and `extern crate`.
    fn lines_with_crate(&self, name: &str) -> Vec<&(usize, String)> {
        let starts = |line: &str| {
            line.match_indices(name).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                let after = &line[at + name.len()..];
                let whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '"');
                whole && (after.starts_with("::") || (line.trim_start().starts_with("use ") && after.starts_with(';')))
            })
        };
        self.code.iter().filter(|(_, line)| starts(line)).collect()
    }
}

/// The name at the start of a text.
fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

fn assert_none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn each_module_uses_only_what_stands_above_it() {
    for (place, (module, uses)) in ARROWS.iter().enumerate() {
        for used in uses.split_whitespace() {
            let above = ARROWS[..place].iter().any(|(above, _)| *above == used);
            assert!(above, "{module} may not use {used}, which stands below it");
        }
    }
    let allowed: BTreeMap<&str, Vec<&str>> =
        ARROWS.into_iter().map(|(module, uses)| (module, uses.split_whitespace().collect())).collect();
    let mut found = Vec::new();
    for source in sources() {
        if ["lib", "bin"].contains(&source.module.as_str()) {
            continue;
        }
        let Some(allowed) = allowed.get(source.module.as_str()) else {
            found.push(format!("{}: the module stands in no line of ARROWS", source.path));
            continue;
        };
        for (number, used) in source.uses() {
            if used != source.module && !allowed.contains(&used.as_str()) {
                found.push(format!("{}:{number} uses {used}", source.path));
            }
        }
    }
    assert_none("arrows that the design does not have", found);
}

#[test]
fn the_map_in_lib_rs_has_every_module_and_no_other() {
    let lib = sources().into_iter().find(|source| source.path == "lib.rs").expect("lib.rs");
    let mut listed: Vec<&str> =
        lib.code.iter().filter_map(|(_, line)| line.trim().strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let mut expected = ARROWS.map(|(module, _)| module);
    listed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(listed, expected);
}

#[test]
fn the_browsers_crates_stay_at_the_edge() {
    let anywhere_else: [(&str, &[&str]); 9] = [
        ("web_sys", &["platform", "bin", "ui"]),
        ("js_sys", &["platform", "bin"]),
        ("wasm_bindgen", &["platform", "bin"]),
        ("wasm_bindgen_futures", &["platform", "bin"]),
        ("serde_wasm_bindgen", &["platform", "bin"]),
        ("gloo", &["platform", "bin"]),
        ("gloo_net", &["platform", "bin"]),
        ("gloo_timers", &["platform", "bin"]),
        ("yew", &["ui", "bin"]),
    ];
    let mut found = Vec::new();
    for source in sources() {
        for (name, homes) in anywhere_else {
            if !homes.contains(&source.module.as_str()) {
                let lines = source.lines_with_crate(name).into_iter();
                let lines = lines.filter(|(_, line)| source.module != "ui" || !line.contains("wasm_bindgen::JsCast;"));
                found.extend(lines.map(|(number, _)| format!("{}:{number} {name}", source.path)));
            }
        }
    }
    assert_none("crates of the browser in other places", found);
}

#[test]
fn the_page_and_the_platform_never_meet_but_in_the_app() {
    let mut found = Vec::new();
    for source in sources() {
        for (number, used) in source.uses() {
            let meets = match source.module.as_str() {
                "ui" => used == "platform",
                "platform" => used == "ui",
                "bin" => source.path != "bin/app.rs" && used == "ui",
                _ => used == "ui" || used == "platform",
            };
            if meets {
                found.push(format!("{}:{number} uses {used}", source.path));
            }
        }
    }
    assert_none("meetings of ui and platform", found);
}

#[test]
fn the_core_asks_no_clock_no_chance_and_no_hash_order() {
    let mut found = Vec::new();
    // What a command did is recorded, as an answer of the network is: the shell is no part of the replay.
    let outside = ["platform", "ui", "bin", "shell"];
    for source in sources().into_iter().filter(|source| !outside.contains(&source.module.as_str())) {
        for (number, line) in &source.code {
            for word in [
                "std::time",
                "Instant::now",
                "SystemTime",
                "rand::",
                "HashMap",
                "HashSet",
                "HashTrie",
                "std::fs",
                "std::env",
                "thread::",
            ] {
                if line.contains(word) {
                    found.push(format!("{}:{number} {word}", source.path));
                }
            }
        }
    }
    assert_none("what makes a run differ from its replay", found);
}

#[test]
fn no_file_is_longer_than_one_can_hold_in_the_head() {
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|source| source.code.len() > MOST_LINES && !LONG.iter().any(|(path, _)| *path == source.path))
        .map(|source| format!("{}: {} lines of code", source.path, source.code.len()))
        .collect();
    assert_none("files that should be split", long);
}

#[test]
fn nothing_is_unwrapped_and_nothing_gives_up() {
    let mut found = Vec::new();
    for source in sources() {
        for (number, line) in &source.code {
            for word in [".unwrap()", "panic!(", "todo!(", "unimplemented!(", "unreachable!(", "dbg!(", "println!("] {
                if line.contains(word) {
                    found.push(format!("{}:{number} {word}", source.path));
                }
            }
        }
    }
    assert_none("ways out that a page does not have", found);
}

#[test]
fn a_lesson_is_named_in_the_table_of_lessons_and_in_no_code() {
    let lessons = playground::lesson::Lesson::all().expect("every lesson can be read");
    let mut found = Vec::new();
    for source in sources() {
        for (number, line) in &source.code {
            for lesson in &lessons {
                if line.contains(&format!("\"{}\"", lesson.id)) && !line.contains("include_str!") {
                    found.push(format!("{}:{number} {}", source.path, lesson.id));
                }
            }
        }
    }
    assert_none("branches on a lesson's name", found);
}
