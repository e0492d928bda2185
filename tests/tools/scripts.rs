//! Whatever a script does: its changes are all that it did, they fit the files that it was given, and it does the same
//! a second time.

use super::support::shell;
use super::*;
use playground::shell::python::{Entry, EntryKind, Python, PythonJob, PythonRun, async_trait};
use playground::tools::bash::{Broken, Job, Ran};
use playground::vfs::NAME_MAX;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

// --- Scripts that love mischief -------------------------------------------------------------------------------------

/// Names of what is there, of what is not, and of what nobody should touch.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a", "a", "b", "b", "sub", "sub/c", "sub/deep/er", "raw.dat", "to-a", "to-sub", "to-sub/c", "loop", "loop/x",
    "nowhere", "new", "new/x", "new/x/y", "a b", "é写😀", "x\ny", "-rf", "it's", "\"", "$x", "*", "?", "[a]", "#", "\\",
    "\t", "{a,b}", ".", "..", "../..", "../../x", "../up", "./sub/../b", "sub/", "a/", "a/x", "", "/", "//", "/etc",
    "/etc/passwd", "/tmp", "/tmp/t", "/home", "/home/user", "/home/user/f", "/workspace", "/dev", "/dev/null", "/dev/x",
    "/proc/self/x", "/sys/x", "/bin/sh", "/usr/bin", "~", "~/z", "..a", "...",
];

/// Statements, none of which asks for the time or for chance, or writes what it finds in the order in which bashkit finds
/// it, as `tar` does. `N` is a name, `S` another statement, `T` a word.
#[rustfmt::skip]
const STATEMENTS: &[&str] = &[
    "cd N", "cd N && S", "rm N", "rm -f N", "rm -rf N", "rmdir N", "mkdir N", "mkdir -p N", "mkdir -p N/N/N",
    "mkdir -m 700 N", "touch N", "touch N N", "ln -s N N", "ln -sf N N", "ln -sfn N N", "ln N N", "ln -s loop loop",
    "mv N N", "mv -f N N", "mv N N N", "mv sub sub/in", "mv . N", "cp N N", "cp -r N N", "cp -a N N", "cp -r . sub",
    "cp -r N sub", "cp N N N", "chmod 000 N", "chmod 777 N", "chmod u+x,go-r N", "chmod -R 700 N", "chmod +t N",
    "chmod 4755 N", "umask 077", "echo T > N", "echo T >> N", "> N", ": > N", "echo T >| N", "echo T > N 2>&1",
    "echo T &> N", "cat N > N", "cat < N", "cat N N", "echo T | tee N", "echo T | tee -a N N", "exec > N",
    "exec 3> N; echo T >&3", "S > N", "S 2> N", "{ S; } >> N", "printf '\\303\\050\\377\\0\\n' > N",
    "printf '%s\\n' T N > N", "printf '\\x80\\xfe' >> N", "printf 'a\\r\\nb' > N", "echo -e 'x\\0y' > N",
    "head -c 3 raw.dat > N", "cat <<E > N\nT $x\nE", "cat <<'E' >> N\n$T\nE", "cat <<-E > N\n\tT\n\tE",
    "cat <<E > N\nT", "(S; S)", "(cd N; S)", "{ S; S; }", "f() { S; }; f", "f() { S; f; }", "rm() { S; }; rm N",
    "if S; then S; else S; fi", "for x in N N *; do S; done", "for x in $(ls -a N); do touch \"$x$x\"; done",
    "while S; do S; break; done", "case N in a) S;; *) S;; esac", "S && S", "S || S", "S | S", "! S", "S &", "S & wait",
    "x=N; S", "x=N; rm -rf \"$x\"", "x=N; echo T > $x", "exit", "exit 3", "return 1", "exit 300; S", "set -e; S; S",
    "set -u; echo $nope", "set -o pipefail; S | S", "set -f; touch *", "set -C; echo T > N", "trap 'S' EXIT",
    "eval 'S'", "sh -c 'S'", "bash -c \"S\"", "xargs rm -rf < N", "echo N | xargs touch", "find N", "find N -delete",
    "find . -name 'a*' -exec rm {} \\;", "find . -type f -exec chmod 600 {} +", "sed -i 's/a/T/' N", "sed -i.bak 1d N",
    "sort -o N N", "truncate -s 5 N", "mkfifo N", "mkfifo new; rm -r new", "rm N; mkdir N; touch N/x",
    "rm -rf N; echo T > N", "dd if=N of=N", "install -d N", "split N N", "rm -rf /", "rm -rf /*", "rm -rf -- * .*",
    "rm -rf ../..", "mv /tmp N", "mv N /tmp", "rm -rf /tmp; echo T > /tmp", "chmod 700 /tmp", "chmod 700 /home",
    "rm -rf /home; echo T > /home", "ln -s N /home/user/l", "chmod 700 /", "ln -s / N", "rm -r /home; ln -s N /home",
    "cp -r / sub", "touch /dev/null", "echo T > /dev/null", "rm /dev/null", "mkdir /dev/N", "echo T > /",
    "test -e N && S", "[ -L N ] || S", "ls -la N", "wc N", "diff N N", "ls > N", "pwd > N", "readlink N > N",
];

/// What no shell can read, or nearly.
#[rustfmt::skip]
const BROKEN: &[&str] = &[
    "if", ")", "(", "S )", "}", "echo '", "echo \"", "echo $(", "echo $((", "echo `", "<<", ";;", "&&", "| S", "S >",
    "case", "for x in", "f(", "\u{0}", "\u{feff}", "# S", "\\", "${", "${N}", "$(S)", "`S`", "<(S)", "echo T > >(cat)",
    "cat <(S) > N", "((", "[[", "[[ N = N",
];

const WORDS: &[&str] = &["a", "tea", "two words", "é写", "\\n", "$x", "a\nb", "'", "-e", "$(S)", "", "ok"];

/// Fills a statement in, by the numbers that are given until there are none.
fn filled(pattern: &str, numbers: &mut impl Iterator<Item = u16>, depth: u32) -> String {
    let mut script = String::new();
    let letters: Vec<char> = pattern.chars().collect();
    for (place, &letter) in letters.iter().enumerate() {
        let stands_alone = |at: Option<&char>| !at.is_some_and(char::is_ascii_alphanumeric);
        let alone =
            stands_alone(letters.get(place + 1)) && stands_alone(place.checked_sub(1).and_then(|at| letters.get(at)));
        match (letter, alone) {
            ('N', true) => script.push_str(&name(numbers)),
            ('T', true) => script.push_str(WORDS[chosen(numbers, WORDS.len())]),
            ('S', true) if depth > 2 => script.push_str("echo deep"),
            ('S', true) => {
                let inner = statement(numbers);
                script.push_str(&filled(inner, numbers, depth + 1));
            }
            _ => script.push(letter),
        }
    }
    script
}

fn chosen(numbers: &mut impl Iterator<Item = u16>, many: usize) -> usize {
    usize::from(numbers.next().unwrap_or(0)) % many
}

fn statement(numbers: &mut impl Iterator<Item = u16>) -> &'static str {
    match chosen(numbers, 30) {
        29 => BROKEN[chosen(numbers, BROKEN.len())],
        _ => STATEMENTS[chosen(numbers, STATEMENTS.len())],
    }
}

/// A name as it is written: mostly quoted, so that it is taken for what it is.
fn name(numbers: &mut impl Iterator<Item = u16>) -> String {
    let name = match chosen(numbers, 40) {
        39 => "n".repeat(300),
        38 => "deep/".repeat(40),
        _ => NAMES[chosen(numbers, NAMES.len())].to_string(),
    };
    match chosen(numbers, 8) {
        7 => name,
        _ => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

fn script() -> impl Strategy<Value = String> {
    let statement = prop::collection::vec(any::<u16>(), 1..24).prop_map(|numbers| {
        let mut numbers = numbers.into_iter();
        let statement = statement(&mut numbers);
        filled(statement, &mut numbers, 0)
    });
    let separator = prop::sample::select(&["\n", "\n", "\n", "\n", "\n", "\n", "\n", "; ", " && ", " || "][..]);
    prop::collection::vec((statement, separator), 1..8)
        .prop_map(|parts| parts.into_iter().flat_map(|(statement, separator)| [statement, separator.into()]).collect())
        .prop_map(|script: String| script.replace('\0', "\u{1}"))
}

// --- What is looked at ----------------------------------------------------------------------------------------------

fn files() -> Vfs {
    let mut vfs = tree(&[
        ("a", b"alpha\n"),
        ("b", b"beta\n"),
        ("sub/c", "é\r\n".as_bytes()),
        ("sub/deep/er", b""),
        ("raw.dat", b"\xff\0\xfe\n"),
        ("to-a -> a", b""),
        ("to-sub -> sub", b""),
        ("loop -> loop", b""),
        ("nowhere -> ../gone", b""),
    ]);
    vfs.set_mode(&workdir().join("b"), 0o600).expect("the file is there");
    vfs
}

fn job(command: &str, files: &Vfs) -> Job {
    Job { command: command.into(), workdir: workdir(), files: files.clone(), seconds: 60 }
}

/// Stands behind `python3` and looks at the shell's files, by another way than that which reads them back.
#[derive(Default)]
struct Look(Mutex<Option<BTreeMap<String, Entry>>>);

#[async_trait]
impl Python for Look {
    async fn run(&self, job: PythonJob) -> Result<PythonRun, String> {
        let seen = job.files.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        *self.0.lock().expect("nobody panics with it") = Some(seen);
        Ok(PythonRun::default())
    }
}

/// What a script left, as the look behind it sees it; none where the script took the end away.
fn looked(script: &str, files: &Vfs) -> (Result<Ran, Broken>, Option<BTreeMap<String, Entry>>) {
    let look = Arc::new(Look::default());
    let ran = shell::run_with(&job(&format!("(\n{script}\n)\n\\python3"), files), look.clone());
    let seen = look.0.lock().expect("nobody panics with it").take();
    (ran, seen)
}

fn entry(path: &AbsPath, node: &Node) -> Entry {
    let kind = match node {
        Node::File { bytes, .. } => EntryKind::File(bytes.to_vec()),
        Node::Dir { .. } => EntryKind::Dir,
        Node::Link { target } => EntryKind::Link(target.to_string()),
    };
    Entry { path: path.to_string(), mode: node.mode(), kind }
}

/// The files with a script's changes, which must fit.
fn after(files: &Vfs, ran: &Ran) -> Vfs {
    let mut after = files.clone();
    after.apply(&ran.changes).expect("changes that fit the files they were made for");
    after
}

/// `Err` is the first entry in which a tree differs from what a look saw. The shell's own folders are not in the tree
/// as long as nobody touches them.
fn same(tree: &Vfs, seen: &BTreeMap<String, Entry>) -> Result<(), String> {
    static OWN: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| looked(":", &Vfs::new()).1.unwrap_or_default());
    let ours: BTreeMap<String, Entry> =
        tree.walk(&AbsPath::root()).skip(1).map(|(path, node)| (path.to_string(), entry(path, node))).collect();
    for (path, seen) in seen {
        let untouched = OWN.get(path) == Some(seen) || !has_place(seen);
        match ours.get(path) {
            Some(ours) if ours == seen => {}
            None if untouched => {}
            ours => return Err(format!("{path:?}: the shell has {seen:?}, and of the changes comes {ours:?}")),
        }
    }
    match ours.keys().find(|path| !seen.contains_key(*path)) {
        Some(path) => Err(format!("{path:?}: the shell has nothing there")),
        None => Ok(()),
    }
}

/// Whether the workspace can have an entry: no name is too long, and a link leads somewhere.
fn has_place(entry: &Entry) -> bool {
    entry.path.split('/').all(|name| name.len() <= NAME_MAX) && entry.kind != EntryKind::Link(String::new())
}

fn check(script: &str) -> Result<(), TestCaseError> {
    let files = files();
    let end = shell::run(&job(script, &files));
    prop_assert_eq!(&shell::run(&job(script, &files)), &end, "once more, the same");
    if let Ok(ran) = &end {
        for change in &ran.changes {
            let path = change.path();
            prop_assert_eq!(AbsPath::parse(path.as_str()), Some(path.clone()));
            let virtual_ = ["/dev", "/proc", "/sys"].iter().any(|root| AbsPath::root().join(root).contains(path));
            prop_assert!(!virtual_, "{}", path);
        }
        let after = after(&files, ran);
        let again = shell::run(&job(":", &after)).map(|ran| ran.changes);
        prop_assert_eq!(again, Ok(vec![]), "files that are given and read back are what they were");
    }
    let (ran, seen) = looked(script, &files);
    if let (Ok(ran), Some(seen)) = (ran, seen) {
        prop_assert_eq!(same(&after(&files, &ran), &seen), Ok(()));
    }
    Ok(())
}

#[test]
fn a_scripts_changes_are_all_that_it_did() {
    let config = Config { cases: 400, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..Config::default() };
    let run = || TestRunner::new(config).run(&script(), |script| check(&script)).map_err(|error| error.to_string());
    // Where it is built for tests, the shell needs more stack for a function that calls itself than a test has.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    assert_eq!(thread.join().expect("nothing panics"), Ok(()));
}

#[test]
fn what_happens_to_the_shells_own_folders_is_kept_and_they_are_not_there_otherwise() {
    for (script, left) in [
        (":", vec![]),
        ("rm -rf /home/user", vec![]),
        ("echo x > /tmp/x", vec![("/tmp", 0o1777), ("/tmp/x", 0o644)]),
        ("chmod 700 /home/user", vec![("/home", 0o755), ("/home/user", 0o700)]),
        ("rm -rf /home; echo x > /home", vec![("/home", 0o644)]),
        ("rm -rf /home; ln -s . /home", vec![("/home", 0o777)]),
    ] {
        let files = tree_at(&path("/proj"), &[]);
        let job =
            |files: &Vfs| Job { command: script.into(), workdir: path("/proj"), files: files.clone(), seconds: 60 };
        let after = after(&files, &shell::run(&job(&files)).expect("it comes to its end"));
        let others = after.walk(&AbsPath::root()).filter(|(path, _)| !["/", "/proj"].contains(&path.as_str()));
        assert_eq!(others.map(|(path, node)| (path.as_str(), node.mode())).collect::<Vec<_>>(), left, "{script}");
        let again = shell::run(&Job { command: ":".into(), ..job(&after) }).map(|ran| ran.changes);
        assert_eq!(again, Ok(vec![]), "{script}: and the next command finds it so");
    }
}

#[test]
fn a_name_that_the_shell_refuses_keeps_no_command_from_running_and_its_file_stays() {
    let mut before = files();
    for name in ["emoji \u{1f469}\u{200d}\u{1f4bb}.md", "tab\t.txt", "sub/bell\u{7}"] {
        before.write(&workdir().join(name), b"kept".as_slice()).expect("a file");
    }
    let (ran, _) = looked("echo ok > made; ls", &before);
    let ran = ran.expect("it ran");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().filter(|line| *line == "made").count(), 1);
    let now = after(&before, &ran);
    assert_eq!(before.diff(&now).len(), 1, "only what it made");
    let (ran, _) = looked("rm -r sub", &before);
    let now = after(&before, &ran.expect("it ran"));
    assert!(now.is_file(&workdir().join("tab\t.txt")) && now.node(&workdir().join("sub")).is_none());
}
