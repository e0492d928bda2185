// Brings CPython here: downloads what `tests/tools/python-files.mjs` has made, and starts Emscripten's part of it.
//
// The interpreter is Pyodide's build of CPython. Its bridge between Python and JavaScript, which is most of Pyodide, is
// left aside: a program that is run here is to see CPython and nothing else, and a bridge would tie Python's memory to
// objects outside of it, so that it could not be put back as it was (see python.mjs).

import { Tree } from './python-fs.mjs';

/** More memory than this a program doesn't get: it sees a MemoryError, as under `ulimit -v`. */
const MOST_MEMORY = 512 << 20;

/** Downloads and starts. `system` is asked by the running program for what an operating system would do. */
export async function load({ base, progress, readFile, system }) {
  base = new URL(`${String(base).replace(/\/$/, '')}/`, globalThis.location?.href);
  const read = readFile ?? reader(base);
  const manifest = JSON.parse(new TextDecoder().decode(await bytes(read, 'manifest.json')));

  // Each file counts when it is here; what is said of a file that is on its way are the bytes of it that are here.
  const loaded = new Map();
  const total = Object.values(manifest.files).reduce((sum, size) => sum + size, 0);
  const report = (name, count) => {
    loaded.set(name, count);
    progress?.({ loaded: [...loaded.values()].reduce((sum, size) => sum + size, 0), total });
  };
  const [wasm, library, script] = await Promise.all([
    compile(read, 'pyodide.asm.wasm', report),
    bytes(read, 'library.bin', report).then(unpack),
    loadScript(base, 'pyodide.asm.mjs').then((script) => {
      report('pyodide.asm.mjs', manifest.files['pyodide.asm.mjs']);
      return script;
    }),
  ]);
  const module = await instantiate(script, wasm, library, manifest, system);
  return { module, manifest, tree: new Tree(module.FS) };
}

// --- Downloading ----------------------------------------------------------------------------------------------------

/** A function that gives a file as a Response. */
function reader(base) {
  return async (name) => {
    const url = new URL(name, base);
    if (url.protocol === 'file:') {
      const { readFile } = await import(/* only Node has file addresses */ 'node:fs/promises');
      return new Response(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return response;
  };
}

function failed(name, error) {
  const offline = globalThis.navigator?.onLine === false ? ' (this browser is offline)' : '';
  return new Error(`Python can't be loaded: ${name}: ${error?.message ?? error}${offline}`, { cause: error });
}

/** A file as a stream that reports how much of it has come. */
async function open(read, name, report) {
  const got = await read(name);
  const { body } = got instanceof Response ? got : new Response(got);
  let count = 0;
  return body.pipeThrough(
    new TransformStream({
      transform(chunk, stream) {
        count += chunk.byteLength;
        report?.(name, count);
        stream.enqueue(chunk);
      },
    }),
  );
}

async function bytes(read, name, report) {
  try {
    return new Uint8Array(await new Response(await open(read, name, report)).arrayBuffer());
  } catch (error) {
    throw failed(name, error);
  }
}

async function compile(read, name, report) {
  try {
    const stream = await open(read, name, report);
    return await WebAssembly.compileStreaming(new Response(stream, { headers: { 'content-type': 'application/wasm' } }));
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw failed(name, error);
    throw failed(name, `this browser's WebAssembly is too old for it, or the file is damaged (${error.message})`);
  }
}

async function loadScript(base, name) {
  try {
    return (await import(new URL(name, base).href)).default;
  } catch (error) {
    throw failed(name, error);
  }
}

/**
 * The library is a list of files, gzipped: the length of a JSON text as four bytes, that text (pairs of path and size),
 * and the files one behind the other. A server that knows gzip may have unpacked it already.
 */
async function unpack(packed) {
  let all = packed;
  try {
    if (packed[0] === 0x1f && packed[1] === 0x8b) {
      const stream = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
      all = new Uint8Array(await new Response(stream).arrayBuffer());
    }
    const length = new DataView(all.buffer).getUint32(0, true);
    const list = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length)));
    let at = 4 + length;
    return list.map(([path, size]) => [path, all.subarray(at, (at += size))]);
  } catch (error) {
    throw failed('library.bin', error);
  }
}

// --- Starting -------------------------------------------------------------------------------------------------------

async function instantiate(script, wasm, library, { lock, home }, system) {
  // What Pyodide's own loader would tell. It doesn't look at packages again when it has a lock file without any.
  const API = {
    config: { jsglobals: globalThis, env: {}, packages: [], indexURL: '' },
    runtimeEnv: { IN_NODE: typeof process === 'object' && !!process.versions?.node },
    lockFilePromise: Promise.resolve({ info: lock, packages: {} }),
  };
  const marker = Symbol('an error in JavaScript');
  let refused;
  const started = script({
    API,
    noImageDecoding: true,
    noAudioDecoding: true,
    noInitialRun: true,
    arguments: [],
    print: () => {},
    printErr: () => {},
    locateFile: (name) => name,
    preRun: [({ FS }) => furnish(FS, library, home)],
    instantiateWasm(imports, done) {
      // Needed by the bridge that isn't used; without it the module doesn't link.
      imports.env.Jsv_GetError_import = () => marker;
      imports.env.JsvError_Check = (value) => value === marker;
      Object.assign(imports.env, system.imports(imports.env, MOST_MEMORY));
      WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm), (error) => refused(error));
      return {};
    },
  });
  // Emscripten waits for ever for a module that doesn't link.
  const refusal = new Promise((_, reject) => { refused = reject; });
  const module = await Promise.race([started, refusal]).catch((error) => {
    throw new Error(`Python can't be started: this browser's WebAssembly is too old for it (${error?.message ?? error})`, { cause: error });
  });
  plug(module.FS, system);
  // The end of a program is not the end of Emscripten's part.
  module.runtimeKeepalivePush();
  return module;
}

/** Lays Python's own files, which a program may read and not write. */
function furnish(FS, library, home) {
  const folders = new Map();
  const folder = (path) => {
    if (!folders.has(path)) {
      FS.mkdirTree(path);
      folders.set(path, FS.lookupPath(path).node);
    }
    return folders.get(path);
  };
  for (const [path, contents] of library) {
    const cut = path.lastIndexOf('/');
    const parent = folder(path.slice(0, cut));
    const node = parent.node_ops.mknod(parent, path.slice(cut + 1), 0o100444, 0);
    node.contents = contents;
    node.usedBytes = contents.length;
  }
  folder(`${home}/lib-dynload`); // where Python looks to know where it is
  for (const [path, node] of folders) if (path.startsWith(home)) node.mode = 0o040555;
  // The name by which Python is called; Python looks for itself to find its library.
  FS.mkdirTree('/usr/bin');
  FS.writeFile('/usr/bin/python3', '');
  FS.chmod('/usr/bin/python3', 0o755);
}

/** Puts the program's input and output on file descriptors 0, 1, and 2, as pipes are. */
function plug(FS, system) {
  const device = (minor, path, ops) => {
    const number = FS.makedev(64, minor);
    FS.registerDevice(number, { open: (stream) => { stream.seekable = false; }, close() {}, ...ops });
    try {
      FS.unlink(path);
    } catch {
      // It isn't there in this build.
    }
    FS.mkdev(path, 0o600, number);
  };
  device(0, '/dev/stdin', { read: (_, buffer, offset, length) => system.read(buffer, offset, length) });
  device(1, '/dev/stdout', { write: (_, buffer, offset, length) => system.write('stdout', buffer, offset, length) });
  device(2, '/dev/stderr', { write: (_, buffer, offset, length) => system.write('stderr', buffer, offset, length) });
  for (const fd of [0, 1, 2]) FS.closeStream(fd);
  FS.open('/dev/stdin', 0);
  FS.open('/dev/stdout', 1);
  FS.open('/dev/stderr', 1);
  for (const path of ['/home/web_user', '/home']) {
    try {
      FS.rmdir(path);
    } catch {
      // It isn't there in this build.
    }
  }
}
