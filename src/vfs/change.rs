//! Changes to a tree as data: what a tool hands back and what a log keeps.

use super::{AbsPath, DIR_MODE, FILE_MODE, Node};
use crate::data::{self, FromJson, Record};
use serde::Serialize;
use std::rc::Rc;

/// One change to a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FsChange {
    /// A file gets this content and mode, whether it exists or not.
    Write {
        /// Where.
        path: AbsPath,
        /// The content; in JSON `{"text": …}`, or `{"latin1": …}` where it is not UTF-8.
        #[serde(rename = "content", with = "content")]
        bytes: Rc<[u8]>,
        /// The permission bits; in JSON they may be left out.
        mode: u32,
    },
    /// A directory with this mode, whether it exists or not.
    MakeDir {
        /// Where.
        path: AbsPath,
        /// The permission bits; in JSON they may be left out.
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
    pub(crate) fn of(path: &AbsPath, node: &Node) -> Self {
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

impl FromJson for FsChange {
    fn from_json(json: serde_json::Value) -> Result<Self, String> {
        let (kind, fields) = data::tagged(json)?;
        let mut fields = Record::open(fields)?;
        let path = fields.take("path")?;
        let change = match &*kind {
            "write" => {
                let mode: Option<u32> = fields.take("mode")?;
                Self::Write { path, bytes: content::read(fields.take("content")?)?, mode: mode.unwrap_or(FILE_MODE) }
            }
            "make_dir" => Self::MakeDir { path, mode: fields.take::<Option<u32>>("mode")?.unwrap_or(DIR_MODE) },
            "link" => Self::Link { path, target: fields.take::<String>("target")?.into() },
            "remove" => Self::Remove { path },
            other => return data::no_choice(other, "write, make_dir, link, remove"),
        };
        fields.close()?;
        Ok(change)
    }
}

data::for_serde!(FsChange);

/// Bytes in JSON: `{"text": …}` where they are UTF-8, else `{"latin1": …}`, a character for each byte. Base64 would be
/// shorter, and its library 10 kB of the page's program, for what is rare.
pub(crate) mod content {
    use crate::data;
    use serde::{Serialize, Serializer};
    use serde_json::Value as Json;
    use std::rc::Rc;

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Content<'a> {
        Text(&'a str),
        Latin1(&'a str),
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Content::Text(text).serialize(serializer),
            Err(_) => {
                let characters: String = bytes.iter().map(|&byte| char::from(byte)).collect();
                Content::Latin1(&characters).serialize(serializer)
            }
        }
    }

    /// Reads them back.
    pub(crate) fn read(json: Json) -> Result<Rc<[u8]>, String> {
        match data::tagged(json)? {
            (kind, Json::String(text)) if kind == "text" => Ok(text.into_bytes().into()),
            (kind, Json::String(text)) if kind == "latin1" => {
                let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
                bytes.map(Rc::from).map_err(|_| "latin1: has a character that is no byte".into())
            }
            (kind, _) => data::no_choice(&kind, "text, latin1"),
        }
    }
}
