//! All files below a directory as one zip archive. In a file of its own (see `ui/later.rs`): it is half as large as all
//! other later parts together, and few ask for it.

// What `wasm_split` writes declares the function that the other file has, and that is unsafe by its nature.
#![cfg_attr(feature = "split", allow(unsafe_code))]

use crate::ui::later::NotThere;
use crate::vfs::{AbsPath, Node, Vfs};
use std::io::{Cursor, Write};
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The archive, or that its writer did not arrive. An archive in memory has no other way to fail.
pub(super) async fn zip(files: Vfs, top: AbsPath) -> Result<Vec<u8>, NotThere> {
    #[cfg(feature = "split")]
    return archive(files, top).await;
    #[cfg(not(feature = "split"))]
    archive(files, top)
}

#[cfg_attr(feature = "split", wasm_split_helpers::wasm_split(zip, fallible))]
fn archive(files: Vfs, top: AbsPath) -> Result<Vec<u8>, NotThere> {
    write(&files, &top).map_err(|_| NotThere)
}

/// The archive: files, links and empty directories, with their modes; nothing is compressed, so that no more code is needed.
fn write(files: &Vfs, top: &AbsPath) -> ZipResult<Vec<u8>> {
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
