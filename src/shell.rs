//! The shell: runs a command in bashkit, over a copy of the workspace's files, within limits.
//!
//! Owns what a command meets: files, limits, the commands that are ours, the words of `/bin/sh`. The copy is read back
//! when the command is over, so whatever happens before that has changed nothing. Knows no browser; `bin/worker.rs` and
//! the tests run the same code.

mod commands;
pub mod python;
mod tree;

use crate::tools::bash::{Broken, Job, Ran};
use bashkit::{Bash, Error, ExecutionLimits, FsLimits, InMemoryFs, LimitExceeded, MemoryLimits, SessionLimits};
use python::Python;
use std::sync::Arc;
use std::time::Duration;

/// Takes output while a command runs: standard output, then standard error.
pub type Listener = Box<dyn FnMut(&[u8], &[u8]) + Send + Sync>;

/// Runs a command to its end. `python` is what stands behind `python3`; without it there is none.
pub async fn run(job: &Job, python: Option<Arc<dyn Python>>, mut listener: Listener) -> Result<Ran, Broken> {
    let files = Arc::new(InMemoryFs::with_limits(disk()));
    tree::load(&files, &job.files).map_err(|error| stopped(&error.to_string()))?;
    let builder = Bash::builder()
        .fs(files.clone())
        .cwd(job.workdir.as_str())
        .username("user")
        .hostname("playground")
        .env("HOME", "/home/user")
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .limits(limits(job.seconds))
        .memory_limits(MemoryLimits::unlimited())
        .session_limits(SessionLimits::unlimited());
    let mut bash = commands::register(builder, python).build();
    let end =
        bash.exec_streaming(&job.command, Box::new(move |out, err| listener(out.as_bytes(), err.as_bytes()))).await;
    let (stdout, stderr, code) = match end {
        Ok(end) => {
            // bash ends so over a variable that is not set, where `set -u` forbids that, unless `set -e` ends it first.
            let unbound = end.exit_code == 1 && end.stderr.as_bytes().ends_with(b": unbound variable\n");
            let errexit = || bash.shell_state().variables.get("SHOPT_e").is_some_and(|on| on == "1");
            let code = if unbound && !errexit() { 127 } else { end.exit_code };
            (end.stdout.into_bytes(), end.stderr.into_bytes(), code)
        }
        Err(Error::Parse { message, line, .. }) => (Vec::new(), unread(&job.command, &message, line).into(), 2),
        Err(Error::ResourceLimit(LimitExceeded::Timeout(_))) => return Err(Broken::TimedOut),
        Err(Error::ResourceLimit(limit)) => return Err(stopped(&limit.to_string())),
        Err(Error::Execution(why)) => (Vec::new(), format!("{why}\n").into(), 1),
        Err(error) => (Vec::new(), format!("bash: {error}\n").into(), 1),
    };
    let changes = job.files.diff(&tree::read(&files, &job.files));
    Ok(Ran { stdout: stdout.into(), stderr: spoken_by_sh(stderr).into(), code, changes })
}

/// Why the sandbox ended a command, for the model.
fn stopped(limit: &str) -> Broken {
    Broken::Failed(format!("the sandbox stopped the command ({limit}); nothing was changed"))
}

/// What a command may use of the disk.
fn disk() -> FsLimits {
    FsLimits::new().max_total_bytes(200_000_000).max_file_size(100_000_000).max_file_count(50_000).max_dir_count(50_000)
}

/// What a command may use of the machine. High enough for honest work: a runaway is ended by these within seconds, by the
/// deadline, or with the worker that it runs in.
fn limits(seconds: usize) -> ExecutionLimits {
    ExecutionLimits::new()
        .timeout(Duration::from_secs(seconds as u64))
        .max_commands(1_000_000)
        .max_loop_iterations(1_000_000)
        .max_total_loop_iterations(2_000_000)
        .max_work_units(2_000_000_000)
        .max_aggregate_input_bytes(1_000_000_000)
        .max_live_intermediate_bytes(256_000_000)
        .max_stdout_bytes(16_000_000)
        .max_stderr_bytes(16_000_000)
        .max_parser_operations(1_000_000)
}

/// Why a script cannot be read, with the line that is wrong, as bash shows it.
fn unread(script: &str, message: &str, line: usize) -> String {
    let shown = script.lines().nth(line.saturating_sub(1)).filter(|_| message.contains("near unexpected token"));
    let shown = shown.map(|shown| format!("bash: line {line}: `{shown}'\n"));
    format!("bash: line {line}: {message}\n{}", shown.unwrap_or_default())
}

/// Puts what the shell itself says into the words of `/bin/sh`, which the lessons run.
fn spoken_by_sh(stderr: Vec<u8>) -> Vec<u8> {
    const OWN: &[u8] = b"bash: ";
    let mut spoken = Vec::with_capacity(stderr.len());
    for line in stderr.split_inclusive(|&byte| byte == b'\n') {
        let own = line.strip_prefix(OWN).and_then(|line| std::str::from_utf8(line).ok());
        match own {
            None => spoken.extend_from_slice(&commands::words::gnu(line)),
            Some(said) => {
                let (number, said) = match said.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
                    Some((number, said)) if number.bytes().all(|digit| digit.is_ascii_digit()) => (number, said),
                    _ => ("1", said),
                };
                let said = said.replace(": command not found", ": not found");
                spoken.extend_from_slice(format!("/bin/sh: {number}: {said}").as_bytes());
            }
        }
    }
    spoken
}
