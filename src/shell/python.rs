//! The commands `python3`, `python`, `pytest` and `pip`, before an interpreter that somebody else brings: Pyodide in the
//! page's worker, the machine's own CPython in tests.

pub use bashkit::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, FileType};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An interpreter.
#[async_trait]
pub trait Python: Send + Sync {
    /// Runs a program to its end. It sees the files of the job and says what it changed; `Err` is a sentence on why it
    /// could not run at all.
    async fn run(&self, job: PythonJob) -> Result<PythonRun, String>;
}

/// One start of the interpreter.
#[derive(Debug, Clone)]
pub struct PythonJob {
    /// `python3`, or `pip` for the package manager.
    pub program: &'static str,
    /// What stands behind the program's name.
    pub args: Vec<String>,
    /// Standard input, all of it.
    pub stdin: Vec<u8>,
    /// The directory that it starts in.
    pub cwd: String,
    /// The exported variables.
    pub env: Vec<(String, String)>,
    /// All files that it can see, folders before what is in them.
    pub files: Vec<Entry>,
}

/// How it ended.
#[derive(Debug, Clone, Default)]
pub struct PythonRun {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit status.
    pub code: i32,
    /// What is there now and was not, or is another; folders before what is in them.
    pub changed: Vec<Entry>,
    /// What is gone.
    pub gone: Vec<String>,
}

/// A file, a folder or a link at an absolute path. No `FsChange`: that shares its bytes within a thread, and what the
/// shell runs must be able to move between threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub path: String,
    /// Its permission bits.
    pub mode: u32,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A file with its content.
    File(Vec<u8>),
    /// A folder.
    Dir,
    /// A symbolic link with its target.
    Link(String),
}

/// The command that starts the interpreter.
pub(super) struct Command {
    /// `python3` or `pip`.
    pub(super) program: &'static str,
    /// What comes before the arguments that the command is given.
    pub(super) first: &'static [&'static str],
    pub(super) python: Arc<dyn Python>,
}

#[async_trait]
impl Builtin for Command {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let job = PythonJob {
            program: self.program,
            args: self.first.iter().map(|arg| arg.to_string()).chain(ctx.args.iter().cloned()).collect(),
            stdin: ctx.stdin.map(|stdin| stdin.as_bytes().to_vec()).unwrap_or_default(),
            cwd: ctx.cwd.to_string_lossy().into_owned(),
            env: ctx.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            files: collect(&*ctx.fs).await?,
        };
        let run = match self.python.run(job).await {
            Ok(run) => run,
            Err(why) => return Ok(ExecResult::err(format!("{}: {why}\n", self.program), 127)),
        };
        restore(&*ctx.fs, &run).await?;
        let mut result = ExecResult::ok_bytes(run.stdout);
        result.stderr = run.stderr.into();
        result.exit_code = run.code;
        Ok(result)
    }
}

/// All files of the shell that a program may see.
async fn collect(fs: &dyn FileSystem) -> bashkit::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut folders = vec![PathBuf::from("/")];
    while let Some(folder) = folders.pop() {
        for found in fs.read_dir(&folder).await? {
            let path = folder.join(&found.name);
            if super::tree::is_virtual(&path) {
                continue;
            }
            let Some(text) = path.to_str().map(String::from) else { continue };
            let kind = match found.metadata.file_type {
                FileType::Directory => {
                    folders.push(path);
                    EntryKind::Dir
                }
                FileType::Symlink => match fs.read_link(&path).await?.into_os_string().into_string() {
                    Ok(target) => EntryKind::Link(target),
                    Err(_) => continue,
                },
                FileType::File => EntryKind::File(fs.read_file(&path).await?),
                _ => continue,
            };
            entries.push(Entry { path: text, mode: found.metadata.mode & 0o7777, kind });
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// Makes the shell's files what the program left.
async fn restore(fs: &dyn FileSystem, run: &PythonRun) -> bashkit::Result<()> {
    for path in &run.gone {
        fs.remove(Path::new(path), true).await?;
    }
    for entry in &run.changed {
        let path = Path::new(&entry.path);
        match &entry.kind {
            EntryKind::File(bytes) => fs.write_file(path, bytes).await?,
            EntryKind::Dir => fs.mkdir(path, true).await?,
            EntryKind::Link(target) => {
                fs.symlink(Path::new(target), path).await?;
                continue;
            }
        }
        fs.chmod(path, entry.mode).await?;
    }
    Ok(())
}
