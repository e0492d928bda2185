//! Why the file system refuses something, in the words of the C library.

use super::AbsPath;
use crate::python::Value;
use std::fmt;

/// An error of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FsError {
    /// ENOENT
    NotFound,
    /// EBUSY: the root cannot be removed.
    Busy,
    /// EEXIST
    Exists,
    /// ENOTDIR
    NotADirectory,
    /// EISDIR
    IsADirectory,
    /// ENAMETOOLONG
    NameTooLong,
    /// ELOOP
    Loop,
}

impl FsError {
    /// The number that Linux gives it.
    pub fn errno(self) -> u32 {
        match self {
            Self::NotFound => 2,
            Self::Busy => 16,
            Self::Exists => 17,
            Self::NotADirectory => 20,
            Self::IsADirectory => 21,
            Self::NameTooLong => 36,
            Self::Loop => 40,
        }
    }

    /// The C library's sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::NotFound => "No such file or directory",
            Self::Busy => "Device or resource busy",
            Self::Exists => "File exists",
            Self::NotADirectory => "Not a directory",
            Self::IsADirectory => "Is a directory",
            Self::NameTooLong => "File name too long",
            Self::Loop => "Too many levels of symbolic links",
        }
    }

    /// The text of Python's exception: `[Errno 2] No such file or directory: '/workspace/x'`.
    pub fn python(self, path: &AbsPath) -> String {
        format!("[Errno {}] {}: {}", self.errno(), self.message(), repr(path))
    }
}

fn repr(path: &AbsPath) -> String {
    Value::Str(path.as_str().to_string()).repr()
}

impl fmt::Display for FsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// An error and the path at which it happened. `Display` writes the text of Python's exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathError {
    /// Where.
    pub path: AbsPath,
    /// What.
    pub error: FsError,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error.python(&self.path))
    }
}

/// A path that links lead round in a circle, so that Python's `Path.resolve()` raises. `Display` writes the text of that
/// exception, a `RuntimeError`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymlinkLoop(pub AbsPath);

impl fmt::Display for SymlinkLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symlink loop from {}", repr(&self.0))
    }
}
