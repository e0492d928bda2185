//! `mkdir` in GNU's words: an agent often reads them to learn that a folder is there already.

use super::entry;
use super::options::{self, Known, Value};
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, async_trait};
use std::path::Path;

const KNOWN: Known = Known {
    short: "pvm:",
    lacking: "Z",
    long: &[
        ("help", Value::None, '\x01'),
        ("mode", Value::Needed, 'm'),
        ("parents", Value::None, 'p'),
        ("verbose", Value::None, 'v'),
    ],
};

/// Makes folders.
pub(super) struct Mkdir;

#[async_trait]
impl Builtin for Mkdir {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let given = match options::read(ctx.args, &KNOWN) {
            Ok(given) => given,
            Err(complaint) => return Ok(options::misused("mkdir", &complaint, 1)),
        };
        if given.has('\x01') {
            return Ok(ExecResult::ok("Usage: mkdir [-p] [-v] [-m MODE] DIRECTORY...\n"));
        }
        if given.operands.is_empty() {
            return Ok(options::misused("mkdir", "missing operand", 1));
        }
        let mode = match given.value('m').map(|text| (text, u32::from_str_radix(text, 8))) {
            None => None,
            Some((_, Ok(mode))) if mode <= 0o7777 => Some(mode),
            Some((text, _)) => return Ok(ExecResult::err(format!("mkdir: invalid mode ‘{text}’\n"), 1)),
        };
        let (mut out, mut errors) = (String::new(), String::new());
        for name in &given.operands {
            let ends = if given.has('p') { steps(name) } else { vec![name.as_str()] };
            for end in &ends {
                let path = entry::resolve(ctx.cwd, end);
                match make(&*ctx.fs, &path).await {
                    Ok(()) => {
                        if let Some(mode) = mode.filter(|_| *end == ends[ends.len() - 1]) {
                            ctx.fs.chmod(&path, mode).await?;
                        }
                        if given.has('v') {
                            out += &format!("mkdir: created directory '{end}'\n");
                        }
                    }
                    Err("File exists") if given.has('p') && is_dir(&*ctx.fs, &path).await => {}
                    Err(why) => {
                        // With -p, a file in the way is no folder, unless it is the last.
                        let last = *end == ends[ends.len() - 1];
                        let why = if why == "File exists" && !last { "Not a directory" } else { why };
                        errors += &format!("mkdir: cannot create directory ‘{end}’: {why}\n");
                        break;
                    }
                }
            }
        }
        let mut result = ExecResult::with_code(out, i32::from(!errors.is_empty()));
        result.stderr = errors.into();
        Ok(result)
    }
}

/// `a`, `a/b`, `a/b/c`
fn steps(name: &str) -> Vec<&str> {
    let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
    let steps = ends.map(|end| &name[..end]).filter(|step| !step.is_empty() && !step.ends_with('/'));
    let mut steps: Vec<&str> = steps.collect();
    if steps.is_empty() {
        steps.push(name);
    }
    steps
}

async fn is_dir(fs: &dyn FileSystem, path: &Path) -> bool {
    fs.stat(path).await.is_ok_and(|metadata| metadata.file_type.is_dir())
}

/// Makes one folder; `Err` says why not as the C library does.
async fn make(fs: &dyn FileSystem, path: &Path) -> Result<(), &'static str> {
    if fs.lstat(path).await.is_ok() {
        return Err("File exists");
    }
    let folder = path.parent().unwrap_or(path);
    match fs.stat(folder).await {
        Ok(metadata) if metadata.file_type.is_dir() => {}
        Ok(_) => return Err("Not a directory"),
        Err(_) => {
            // Below a file nothing can be.
            for above in folder.ancestors().skip(1) {
                match fs.stat(above).await {
                    Ok(metadata) if !metadata.file_type.is_dir() => return Err("Not a directory"),
                    Ok(_) => break,
                    Err(_) => {}
                }
            }
            return Err("No such file or directory");
        }
    }
    fs.mkdir(path, false).await.map_err(|_| "No space left on device")
}
