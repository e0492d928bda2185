// Collects what the page's Python is made of: `node tests/tools/python-files.mjs OUT_DIR`.
//
// pyodide.asm.wasm, pyodide.asm.mjs   CPython, as the npm package `pyodide` has it
// library.bin                         the standard library, with pytest and what it needs, compiled ahead and packed
// manifest.json                       sizes and versions, for www/worker/python-load.mjs
// licences/*.txt                      the licences of all that
//
// It is made once for each state of its sources, in ~/.cache/todowrite-playground, and copied from there.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const worker = path.join(root, 'www/worker');
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'todowrite-playground');

/** Wheels from PyPI, all of them Python only. */
const WHEELS = [
  { name: 'iniconfig', version: '2.3.1', sha256: '9121e2c1fdb355232495be3194c8dfe87ccc2d5dee45947b78e68f499790d7a7' },
  { name: 'packaging', version: '25.0', sha256: '29572ef2b1f17581046b3a2227d5c611fb25ec70ca1ba8554b24b0e69331a484' },
  { name: 'pluggy', version: '1.7.0', sha256: '7dd7b0d8832ba3cb632c306926ded123429211b83641b35dc5c41ad2d34f9bec' },
  { name: 'pytest', version: '9.2.0', sha256: '07acdcf88ec174f907dc01af70bf52d49b014bbab03faeeade31c96b18c2e588' },
];
const wheelFile = ({ name, version }) => `${name}-${version}-py3-none-any.whl`;

/** pytest colours its output by pygments, whose lexers are many times its size. This is as much of it as pytest names. */
const PYGMENTS = {
  'pygments/__init__.py': '"""Not pygments: text stays as it is."""\n\nfrom . import util\n\n\ndef highlight(code, lexer, formatter):\n    return code\n',
  'pygments/util.py': 'class ClassNotFound(ValueError):\n    pass\n\n\nclass OptionError(Exception):\n    pass\n',
  'pygments/lexer.py': 'class Lexer:\n    pass\n',
  'pygments/lexers/__init__.py': '',
  'pygments/lexers/diff.py': 'from ..lexer import Lexer\n\n\nclass DiffLexer(Lexer):\n    pass\n',
  'pygments/lexers/python.py': 'from ..lexer import Lexer\n\n\nclass PythonLexer(Lexer):\n    pass\n',
  'pygments/formatters/__init__.py': '',
  'pygments/formatters/terminal.py': 'class TerminalFormatter:\n    def __init__(self, **options):\n        pass\n',
};

/** What is left out: Pyodide's bridge to JavaScript, which isn't used. */
const LEFT_OUT = /^(_pyodide|pyodide|site-packages)\//;
/** What is rarely imported isn't compiled ahead: it would only add to the download. */
const NOT_COMPILED = /^(_pyrepl\/|encodings\/(?!(__init__|aliases|utf_8|ascii|latin_1|utf_8_sig|idna|unicode_escape)\.py)|xmlrpc\/|wsgiref\/|multiprocessing\/|_pydatetime|_pydecimal|_pyio|mailbox|imaplib|smtplib|ftplib|poplib|pydoc|_sysconfigdata)/;

class Missing extends Error {}

async function main(out) {
  const pyodide = path.join(root, 'tests/node_modules/pyodide');
  const wanted = JSON.parse(await readFile(path.join(root, 'tests/package.json'))).devDependencies.pyodide;
  const found = await readFile(path.join(pyodide, 'package.json')).then((text) => JSON.parse(text).version, () => null);
  if (found !== wanted) throw new Missing(`tests/node_modules has ${found ? `pyodide ${found}` : 'no pyodide'}, not ${wanted}: run \`npm ci\` in tests/`);

  const sources = new Map();
  for (const name of ['pyodide.asm.wasm', 'pyodide.asm.mjs', 'python_stdlib.zip', 'pyodide-lock.json']) {
    sources.set(name, await readFile(path.join(pyodide, name)));
  }
  for (const name of ['run.py', 'stdlib.py']) sources.set(name, await readFile(path.join(worker, name)));
  sources.set('PSF-2.0.txt', await readFile(path.join(here, 'licences/PSF-2.0.txt')));
  sources.set('MPL-2.0.txt', await readFile(path.join(root, 'tests/node_modules/axe-core/LICENSE')).catch(() => {
    throw new Missing('tests/node_modules has no axe-core, from which the text of the MPL is taken: run `npm ci` in tests/');
  }));
  sources.set('python-files.mjs', await readFile(fileURLToPath(import.meta.url)));

  const hash = createHash('sha256');
  for (const bytes of sources.values()) hash.update(createHash('sha256').update(bytes).digest());
  const made = path.join(cache, `python-${hash.digest('hex').slice(0, 16)}`);
  if (!(await readFile(path.join(made, 'manifest.json')).catch(() => null))) {
    await mkdir(cache, { recursive: true });
    const scratch = await mkdtemp(path.join(cache, 'new.'));
    try {
      await make(sources, wanted, path.join(scratch, 'python'));
      // Another run may have been faster.
      await rename(path.join(scratch, 'python'), made).catch((error) => {
        if (!['EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error;
      });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  await mkdir(out, { recursive: true });
  await cp(made, out, { recursive: true });
}

async function make(sources, pyodide, out) {
  const wheels = [];
  for (const wheel of WHEELS) wheels.push({ ...wheel, files: unzip(await getWheel(wheel)) });

  const lock = JSON.parse(sources.get('pyodide-lock.json')).info;
  const home = `/usr/lib/python${lock.python.split('.', 2).join('.')}`;
  const library = new Map();
  for (const [name, bytes] of unzip(sources.get('python_stdlib.zip'))) if (!LEFT_OUT.test(name)) library.set(name, bytes);
  for (const [module, text] of additions(sources.get('stdlib.py').toString())) {
    if (!library.has(module)) throw new Missing(`www/worker/stdlib.py adds to ${module}, which the standard library doesn't have`);
    library.set(module, Buffer.concat([library.get(module), Buffer.from(text)]));
  }
  library.set('_playground.py', sources.get('run.py'));
  for (const [name, text] of Object.entries(PYGMENTS)) library.set(`site-packages/${name}`, Buffer.from(text));
  for (const { files } of wheels) {
    for (const [name, bytes] of files) if (!/\.dist-info\/(?!METADATA|entry_points)/.test(name)) library.set(`site-packages/${name}`, bytes);
  }

  const manifest = { python: lock.python, pyodide, home, lock, packages: {} };
  for (const { name, version } of WHEELS) manifest.packages[name] = version;
  const write = async () => {
    manifest.files = {};
    const files = {
      'pyodide.asm.wasm': sources.get('pyodide.asm.wasm'),
      'pyodide.asm.mjs': sources.get('pyodide.asm.mjs'),
      'library.bin': pack(library, home),
    };
    for (const [name, bytes] of Object.entries(files)) {
      manifest.files[name] = bytes.length;
      await writeFile(path.join(out, name), bytes);
    }
    await writeFile(path.join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  };
  await mkdir(path.join(out, 'licences'), { recursive: true });
  await write();
  // Python compiles its own library: 5 s here instead of some of them at each reader's.
  for (const [name, bytes] of await compiled(out, home, library)) library.set(name, bytes);
  await write();
  await writeLicences(path.join(out, 'licences'), sources, wheels, manifest);
}

/** The parts of stdlib.py: pairs of a module's file and what is added to it. */
function additions(text) {
  return text.split(/^#: /m).slice(1).map((part) => {
    const cut = part.indexOf('\n');
    return [part.slice(0, cut).trim(), `\n\n# --- Added by the TodoWrite playground ---\n\n${part.slice(cut + 1).trim()}\n`];
  });
}

async function compiled(base, home, library) {
  const { boot } = await import(pathToFileURL(path.join(worker, 'python.mjs')).href);
  const python = await boot({ base: pathToFileURL(base).href });
  const names = [...library.keys()].filter((name) => name.endsWith('.py') && !NOT_COMPILED.test(name));
  const program = `
import importlib.util, os, py_compile, sys
for name in sys.stdin.read().split("\\n"):
    source = os.path.join(${JSON.stringify(home)}, name)
    target = importlib.util.cache_from_source(name)
    target = os.path.join("/made", target.replace("__pycache__", "cache"))
    py_compile.compile(source, target, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`;
  const run = python.run({ argv: ['-c', program], stdin: Buffer.from(names.join('\n')), cwd: '/', env: {}, files: [] });
  if (run.code !== 0) throw new Error(`the library can't be compiled: ${Buffer.from(run.stderr)}`);
  return run.changes
    .filter(({ kind }) => kind === 'file')
    .map(({ path: name, bytes }) => [name.replace(/^\/made\//, '').replace(/(^|\/)cache\/(?=[^/]*$)/, '$1__pycache__/'), Buffer.from(bytes)]);
}

/** What `unpack` in python-load.mjs reads. */
function pack(library, home) {
  const names = [...library.keys()].sort();
  const list = Buffer.from(JSON.stringify(names.map((name) => [`${home}/${name}`, library.get(name).length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return zlib.gzipSync(Buffer.concat([length, list, ...names.map((name) => library.get(name))]), { level: 9 });
}

async function writeLicences(out, sources, wheels, { python, pyodide }) {
  const write = (name, head, ...texts) => writeFile(path.join(out, `${name}.txt`), [head, ...texts].join('\n\n'));
  await write('pyodide', `Pyodide ${pyodide}, https://github.com/pyodide/pyodide: its build of CPython, unchanged. Mozilla Public License 2.0:`, sources.get('MPL-2.0.txt'));
  await write('cpython', `CPython ${python}, https://github.com/python/cpython, with its standard library. Some modules have an addition of this page at their end.`, sources.get('PSF-2.0.txt'));
  for (const { name, version, files } of wheels) {
    const texts = [...files].filter(([file]) => /\.dist-info\/(licenses\/)?(LICEN[CS]E|COPYING)/.test(file)).map(([, bytes]) => bytes);
    if (!texts.length) throw new Missing(`the wheel of ${name} has no licence`);
    await write(name, `${name} ${version}, https://pypi.org/project/${name}/`, ...texts);
  }
}

// --- Wheels ---------------------------------------------------------------------------------------------------------

/** From the cache, by pip where there is one (it knows of mirrors and proxies), or straight from the index. */
async function getWheel(wheel) {
  const file = wheelFile(wheel);
  const kept = path.join(cache, file);
  const right = (bytes) => createHash('sha256').update(bytes).digest('hex') === wheel.sha256;
  const old = await readFile(kept).catch(() => null);
  if (old && right(old)) return old;

  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(path.join(cache, 'new.'));
  const problems = [];
  try {
    for (const way of [byPip, byIndex]) {
      const bytes = await way(wheel, scratch).catch((error) => problems.push(error.message) && null);
      if (bytes && right(bytes)) {
        await writeFile(path.join(scratch, 'wheel'), bytes);
        await rename(path.join(scratch, 'wheel'), kept);
        return bytes;
      }
      if (bytes) problems.push('what came is not the pinned file');
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  throw new Missing(`${file} can't be had from PyPI (${problems.join('; ')}): check the network, or put the file into ${cache}`);
}

async function byPip(wheel, scratch) {
  const options = ['--no-deps', '--only-binary', ':all:', '--python-version', '3.14', '--dest', scratch];
  await promisify(execFile)('python3', ['-m', 'pip', 'download', '--quiet', ...options, `${wheel.name}==${wheel.version}`]).catch((error) => {
    throw new Error(error.code === 'ENOENT' ? 'there is no python3' : 'pip download failed');
  });
  return readFile(path.join(scratch, wheelFile(wheel)));
}

async function byIndex(wheel) {
  const index = `${(process.env.PIP_INDEX_URL || 'https://pypi.org/simple').replace(/\/$/, '')}/${wheel.name}/`;
  const get = async (url) => {
    const response = await fetch(url).catch((error) => {
      throw new Error(`${new URL(url).host} can't be reached: ${error.cause?.message ?? error.message}`);
    });
    if (!response.ok) throw new Error(`${new URL(url).host} answers ${response.status}`);
    return response;
  };
  const page = await get(index);
  const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => new URL(link.replaceAll('&amp;', '&'), page.url));
  const link = links.find(({ pathname }) => decodeURIComponent(pathname).endsWith(`/${wheelFile(wheel)}`));
  if (!link) throw new Error(`${new URL(index).host} has no ${wheelFile(wheel)}`);
  return Buffer.from(await (await get(link.href)).arrayBuffer());
}

/** The files of a zip archive; it has no archives of more than 4 GB, and no encryption. */
function unzip(archive) {
  const files = new Map();
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const body = archive.subarray(start, start + packed);
    if (!name.endsWith('/')) {
      const bytes = method === 0 ? body : zlib.inflateRawSync(body);
      if (bytes.length !== size) throw new Error(`the archive is damaged at ${name}`);
      files.set(name, bytes);
    }
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const [out, ...more] = process.argv.slice(2);
if (!out || more.length) {
  console.error('usage: node tests/tools/python-files.mjs OUT_DIR');
  process.exit(2);
}
try {
  await main(out);
} catch (error) {
  console.error(error instanceof Missing ? `python-files: ${error.message}` : error);
  process.exit(1);
}
