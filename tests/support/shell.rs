//! Commands run for real: the playground's shell, with the machine's own CPython behind `python3`.

use playground::shell::python::{Entry, EntryKind, Python, PythonJob, PythonRun};
use playground::tools::bash::{Broken, Job, Ran};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs a command to its end.
pub(crate) fn run(job: &Job) -> Result<Ran, Broken> {
    run_with(job, Arc::new(Machine))
}

/// The same, with something else behind `python3`.
pub(crate) fn run_with(job: &Job, python: Arc<dyn Python>) -> Result<Ran, Broken> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(playground::shell::run(job, Some(python), Box::new(|_, _| {})))
}

/// Runs a command to its end, or recalls how the same one over the same files ended before in this test: scenarios play
/// the same commands under several lessons.
pub(crate) fn run_once(job: &Job) -> Result<Ran, Broken> {
    thread_local! {
        static ENDS: RefCell<Vec<(Job, Result<Ran, Broken>)>> = const { RefCell::new(Vec::new()) };
    }
    let known = ENDS.with_borrow(|ends| ends.iter().find(|(known, _)| known == job).map(|(_, end)| end.clone()));
    known.unwrap_or_else(|| {
        let end = run(job);
        ENDS.with_borrow_mut(|ends| ends.push((job.clone(), end.clone())));
        end
    })
}

/// Whether the machine's CPython is there, with a module. Where not, it says that the test is skipped.
pub(crate) fn has_python(module: &str) -> bool {
    let import = Command::new("python3").args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    let has = import.is_ok_and(|status| status.success());
    if !has {
        println!("skipped: there is no python3 with {module}");
    }
    has
}

/// The machine's CPython, in a folder that stands for `/`.
struct Machine;

#[playground::shell::python::async_trait]
impl Python for Machine {
    async fn run(&self, job: PythonJob) -> Result<PythonRun, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("playground-{}-{number}", std::process::id()));
        let run = in_folder(&root, &job).map_err(|error| error.to_string());
        fs::remove_dir_all(&root).ok();
        run
    }
}

fn in_folder(root: &Path, job: &PythonJob) -> std::io::Result<PythonRun> {
    let place = |path: &str| root.join(path.trim_start_matches('/'));
    fs::create_dir_all(root)?;
    for Entry { path, mode, kind } in &job.files {
        let path = place(path);
        match kind {
            EntryKind::File(bytes) => fs::write(&path, bytes)?,
            EntryKind::Dir => fs::create_dir_all(&path)?,
            EntryKind::Link(target) => {
                symlink(target, &path)?;
                continue;
            }
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(*mode))?;
    }
    let mut command = Command::new("python3");
    command.args((job.program == "pip").then_some(["-m", "pip"]).into_iter().flatten()).args(&job.args);
    command.current_dir(place(&job.cwd)).env("PYTHONDONTWRITEBYTECODE", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // A program that reads nothing closes the pipe.
    child.stdin.take().map(|mut stdin| stdin.write_all(&job.stdin).ok());
    let end = child.wait_with_output()?;
    let before: BTreeMap<&str, &Entry> = job.files.iter().map(|entry| (entry.path.as_str(), entry)).collect();
    let mut after = BTreeMap::new();
    walk(root, root, &mut after)?;
    Ok(PythonRun {
        stdout: without(root, &end.stdout),
        stderr: without(root, &end.stderr),
        code: end.status.code().unwrap_or(137),
        gone: before.keys().filter(|path| !after.contains_key(**path)).map(|path| path.to_string()).collect(),
        changed: after.into_values().filter(|entry| before.get(entry.path.as_str()) != Some(&entry)).collect(),
    })
}

fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Entry>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, at) = (entry.file_type()?, entry.path());
        let mode = fs::symlink_metadata(&at)?.permissions().mode() & 0o7777;
        let path = format!("/{}", at.strip_prefix(root).expect("below the root").display());
        let kind = if kind.is_symlink() {
            EntryKind::Link(fs::read_link(&at)?.display().to_string())
        } else if kind.is_dir() {
            walk(root, &at, found)?;
            EntryKind::Dir
        } else {
            EntryKind::File(fs::read(&at)?)
        };
        found.insert(path.clone(), Entry { path, mode, kind });
    }
    Ok(())
}

/// What a program wrote, with the folder taken for `/`.
fn without(root: &Path, written: &[u8]) -> Vec<u8> {
    let root: PathBuf = root.canonicalize().unwrap_or(root.to_path_buf());
    match std::str::from_utf8(written) {
        Ok(text) => text.replace(&root.display().to_string(), "").into_bytes(),
        Err(_) => written.to_vec(),
    }
}
