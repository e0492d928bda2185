//! The workspace's files in the shell's file system, and back.

use crate::vfs::{AbsPath, FsChange, Node, Vfs};
use bashkit::{InMemoryFs, VfsEntry, VfsEntryKind, VfsSnapshot};
use std::path::{Path, PathBuf};

/// Fills a new file system: the folders that every one has, as far as there is room for them, and the files.
pub(super) fn load(files: &InMemoryFs, vfs: &Vfs) -> bashkit::Result<()> {
    let own = files.snapshot();
    let nodes = vfs.walk(&AbsPath::root()).filter(|(path, _)| has_place(path)).map(|(path, node)| VfsEntry {
        path: PathBuf::from(path.as_str()),
        kind: match node {
            Node::File { bytes, .. } => VfsEntryKind::File { content: bytes.to_vec() },
            Node::Dir { .. } => VfsEntryKind::Directory,
            Node::Link { target } => VfsEntryKind::Symlink { target: PathBuf::from(&**target) },
        },
        mode: node.mode(),
    });
    // A link or a file may stand in place of a folder of the shell's; then nothing can stand in it.
    let is_no_folder = |path: AbsPath| vfs.node(&path).is_some_and(|node| !matches!(node, Node::Dir { .. }));
    let has_room = |entry: &&VfsEntry| {
        let mut above = entry.path.ancestors().skip(1).filter_map(Path::to_str).filter_map(AbsPath::parse);
        !above.any(is_no_folder)
    };
    // Where both have an entry, the later one stands.
    files.restore(&VfsSnapshot::from_entries(own.entries().iter().filter(has_room).cloned().chain(nodes).collect()))
}

/// Whether the shell takes the name: it refuses those with control and invisible characters. Such files stay where they
/// are, out of a command's sight; that one of them is there must not keep every command from running.
fn has_place(path: &AbsPath) -> bool {
    super::disk().validate_path(Path::new(path.as_str())).is_ok()
}

/// The files as they are now. A folder that the shell has anyway is left out, unless `before` has it, it was changed or
/// something stands in it; so are devices. What has no place in the workspace, such as a name that is not text, stays
/// behind.
pub(super) fn read(files: &InMemoryFs, before: &Vfs) -> Vfs {
    let (given, snapshot) = (InMemoryFs::new().snapshot(), files.snapshot());
    let mut vfs = Vfs::new();
    for (path, entry) in sorted(&snapshot) {
        if let Some(change) = change(path, entry, before) {
            let folder = change.path().parent().unwrap_or_else(AbsPath::root);
            if vfs.is_dir(&folder) || vfs.make_dirs(&folder).is_ok() {
                vfs.apply(&[change]).ok();
            }
        }
    }
    // What was out of sight is where it was, unless the folder around it went.
    for (path, node) in before.walk(&AbsPath::root()).filter(|(path, _)| !has_place(path)) {
        if path.parent().is_some_and(|folder| vfs.is_dir(&folder)) {
            vfs.apply(&[FsChange::of(path, node)]).ok();
        }
    }
    // What stands in a folder comes before the folder, so that both can go.
    for (path, entry) in sorted(&given).into_iter().rev().filter(|(path, _)| before.node(path).is_none()) {
        let is_as_given = vfs.node(&path) == Some(&Node::Dir { mode: entry.mode });
        if is_as_given && vfs.children(&path).next().is_none() {
            vfs.remove(&path).ok();
        }
    }
    vfs
}

/// What can have a place in the workspace, folders before what is in them.
fn sorted(snapshot: &VfsSnapshot) -> Vec<(AbsPath, &VfsEntry)> {
    let entries = snapshot.entries().iter().filter(|entry| !is_virtual(&entry.path));
    let mut entries: Vec<_> =
        entries.filter_map(|entry| Some((AbsPath::parse(entry.path.to_str()?)?, entry))).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    entries
}

pub(super) fn is_virtual(path: &Path) -> bool {
    ["/dev", "/proc", "/sys"].iter().any(|root| path.starts_with(root))
}

/// What makes this entry. A pipe has a name and nothing that lasts.
fn change(path: AbsPath, entry: &VfsEntry, before: &Vfs) -> Option<FsChange> {
    let mode = entry.mode & 0o7777;
    Some(match &entry.kind {
        VfsEntryKind::File { content } => {
            // Most files are what they were: then they share their bytes, and comparing the trees costs nothing.
            let bytes = match before.node(&path) {
                Some(Node::File { bytes, .. }) if **bytes == **content => bytes.clone(),
                _ => content.as_slice().into(),
            };
            FsChange::Write { path, bytes, mode }
        }
        VfsEntryKind::Directory => FsChange::MakeDir { path, mode },
        VfsEntryKind::Symlink { target } => FsChange::Link { path, target: target.to_str()?.into() },
        VfsEntryKind::Fifo => return None,
    })
}
