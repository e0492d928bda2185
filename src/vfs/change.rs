//! Changes to a tree as data: what a tool hands back and what a log keeps.

use super::{AbsPath, DIR_MODE, FILE_MODE, Node};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// One change to a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FsChange {
    /// A file gets this content and mode, whether it exists or not.
    Write {
        /// Where.
        path: AbsPath,
        /// The content; in JSON `{"text": …}`, or `{"base64": …}` where it is not UTF-8.
        #[serde(rename = "content", with = "content")]
        bytes: Rc<[u8]>,
        /// The permission bits.
        #[serde(default = "file_mode")]
        mode: u32,
    },
    /// A directory with this mode, whether it exists or not.
    MakeDir {
        /// Where.
        path: AbsPath,
        /// The permission bits.
        #[serde(default = "dir_mode")]
        mode: u32,
    },
    /// A symbolic link to this target, whether the link exists or not.
    Link {
        /// Where.
        path: AbsPath,
        /// What is written in it.
        target: Rc<str>,
    },
    /// A file, a link, or a directory with all that is in it, goes.
    Remove {
        /// Where.
        path: AbsPath,
    },
}

impl FsChange {
    /// The change that puts a node at a path.
    pub(super) fn of(path: &AbsPath, node: &Node) -> Self {
        let path = path.clone();
        match node {
            Node::File { bytes, mode } => Self::Write { path, bytes: bytes.clone(), mode: *mode },
            Node::Dir { mode } => Self::MakeDir { path, mode: *mode },
            Node::Link { target } => Self::Link { path, target: target.clone() },
        }
    }

    /// Where the change happens.
    pub fn path(&self) -> &AbsPath {
        match self {
            Self::Write { path, .. } | Self::MakeDir { path, .. } | Self::Link { path, .. } | Self::Remove { path } => {
                path
            }
        }
    }
}

fn file_mode() -> u32 {
    FILE_MODE
}

fn dir_mode() -> u32 {
    DIR_MODE
}

/// A file's content in JSON: readable where it is text, exact where it is not.
/// Bytes in JSON: text where they are UTF-8.
pub(crate) mod content {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
    use std::borrow::Cow;
    use std::rc::Rc;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Content<'a> {
        Text(Cow<'a, str>),
        Base64(Cow<'a, str>),
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Content::Text(text.into()),
            Err(_) => Content::Base64(STANDARD.encode(bytes).into()),
        }
        .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rc<[u8]>, D::Error> {
        match Content::deserialize(deserializer)? {
            Content::Text(text) => Ok(text.as_bytes().into()),
            Content::Base64(code) => STANDARD.decode(code.as_bytes()).map(Rc::from).map_err(de::Error::custom),
        }
    }
}
