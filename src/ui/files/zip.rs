//! All files below a directory as one zip archive.

use crate::vfs::{AbsPath, Node, Vfs};
use std::io::{Cursor, Write};
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The archive: files, links and empty directories, with their modes; nothing is compressed, so that no more code is needed.
pub(super) fn zip(files: &Vfs, top: &AbsPath) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, node) in files.walk(top) {
        let Some(name) = path.relative_to(top).filter(|name| !name.is_empty() && *name != ".") else { continue };
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored)
            .unix_permissions(node.mode() & 0o777);
        match node {
            Node::Dir { .. } => archive.add_directory(name, options)?,
            Node::Link { target } => archive.add_symlink(name, &**target, options)?,
            Node::File { bytes, .. } => {
                archive.start_file(name, options)?;
                archive.write_all(bytes)?;
            }
        }
    }
    Ok(archive.finish()?.into_inner())
}
