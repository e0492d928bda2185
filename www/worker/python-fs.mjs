// The files of a run: laid into Emscripten's memory file system before it, and compared with it after it.
//
// The nodes of that file system are made and read directly. Its own calls would check permissions that are the program's
// affair, not ours, and would take several times as long.

const TYPE = 0o170000;
const TYPES = { dir: 0o040000, file: 0o100000, link: 0o120000 };
const KINDS = { 0o040000: 'dir', 0o100000: 'file', 0o120000: 'link' };
const MODES = { dir: 0o755, file: 0o644, link: 0o777 };
const EMPTY = new Uint8Array(0);

export class Tree {
  #FS;
  #own = new Map(); // node -> what it was: Python's own files, /dev, /proc, /tmp; no run sees them as part of its tree
  #names;
  #streams;
  #given = new Map(); // path -> entry, of the current run

  /** What is in `FS` now is Python's own, and comes back with `reset`. */
  constructor(FS) {
    this.#FS = FS;
    const keep = (node) => {
      const contents = this.#isDir(node) ? { ...node.contents } : node.contents;
      const { parent, name, name_next, mode, usedBytes, link } = node;
      this.#own.set(node, { parent, name, name_next, mode, contents, usedBytes, link });
      if (this.#isDir(node)) for (const child of Object.values(node.contents)) keep(child);
    };
    keep(FS.root);
    this.#names = FS.nameTable.slice();
    this.#streams = FS.streams.map((stream) => stream && [stream, { ...stream.shared }]);
  }

  /** Takes away all that a run left: its files, and what it did to files that are not its own. */
  reset() {
    const FS = this.#FS;
    for (const [node, was] of this.#own) {
      Object.assign(node, was);
      if (this.#isDir(node)) node.contents = { ...was.contents };
    }
    FS.nameTable = this.#names.slice();
    FS.streams = this.#streams.map((kept, fd) => {
      if (!kept) return kept;
      Object.assign(kept[0].shared, kept[1]);
      return Object.assign(kept[0], { fd });
    });
    FS.currentPath = '/';
    this.#given.clear();
  }

  /** Lays the tree of a run. Entries may come in any order; folders that are not named are made. */
  lay(files) {
    const sorted = files.map((entry) => [clean(entry.path), entry]).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, entry] of sorted) {
      if (path === '/' || /^\/(dev|proc)(\/|$)/.test(path)) continue;
      this.#given.set(path, entry);
      const cut = path.lastIndexOf('/');
      const node = this.#make(this.#folder(path.slice(0, cut)), path.slice(cut + 1), entry.kind, entry.mode);
      if (entry.kind === 'file') {
        // A copy: the program may write into it.
        node.contents = entry.bytes?.slice() ?? EMPTY;
        node.usedBytes = node.contents.length;
      } else if (entry.kind === 'link') {
        node.link = entry.target;
      }
    }
  }

  /** The working directory of the program. False if there is no such folder. */
  enter(path) {
    try {
      this.#FS.chdir(path);
      return true;
    } catch {
      return false;
    }
  }

  /** What is different from what was laid: first what is gone, the deepest first, then the rest, parents first. */
  changes() {
    const changed = [];
    const seen = new Set(); // of the paths that were laid
    const walk = (folder, at) => {
      for (const [name, node] of Object.entries(folder.contents)) {
        const path = `${at}/${name}`;
        const kind = KINDS[node.mode & TYPE];
        // Compiled modules are a cache, and pipes and devices are no files.
        if (name === '__pycache__' || !kind) continue;
        const given = this.#given.get(path);
        if (given || !this.#own.has(node)) {
          // What is now another kind of thing is gone, too.
          if (given?.kind === kind) seen.add(path);
          if (!given || differs(given, kind, node)) changed.push(entryOf(path, kind, node));
        }
        if (kind === 'dir' && !node.mounted) walk(node, path);
      }
    };
    walk(this.#FS.root, '');
    const gone = [];
    for (const path of this.#given.keys()) {
      if (!seen.has(path) && !path.split('/').includes('__pycache__')) gone.push({ path, kind: 'gone' });
    }
    return [...gone.reverse(), ...changed];
  }

  #isDir(node) {
    return (node.mode & TYPE) === TYPES.dir;
  }

  #folder(path) {
    if (path === '') return this.#FS.root;
    const cut = path.lastIndexOf('/');
    const parent = this.#folder(path.slice(0, cut));
    const node = parent.contents[path.slice(cut + 1)];
    if (node && this.#isDir(node)) return node;
    this.#given.set(path, { path, kind: 'dir' });
    return this.#make(parent, path.slice(cut + 1), 'dir');
  }

  #make(parent, name, kind, mode = MODES[kind]) {
    let node = Object.hasOwn(parent.contents, name) ? parent.contents[name] : undefined;
    if (node && KINDS[node.mode & TYPE] !== kind) {
      this.#FS.hashRemoveNode(node);
      node = undefined;
    }
    node ??= parent.node_ops.mknod(parent, name, TYPES[kind], 0);
    node.mode = TYPES[kind] | (mode & 0o7777);
    return node;
  }
}

function clean(path) {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function differs(given, kind, node) {
  if (given.kind !== kind) return true;
  if (kind === 'link') return given.target !== node.link;
  if ((given.mode ?? MODES[kind]) !== (node.mode & 0o7777)) return true;
  if (kind === 'dir') return false;
  const bytes = given.bytes ?? EMPTY;
  if (bytes.length !== node.usedBytes) return true;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== node.contents[i]) return true;
  return false;
}

function entryOf(path, kind, node) {
  const entry = { path, kind, mode: node.mode & 0o7777 };
  if (kind === 'file') entry.bytes = node.contents.slice(0, node.usedBytes);
  if (kind === 'link') entry.target = node.link;
  return entry;
}
