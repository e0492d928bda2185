// The page's Python in Node, and the machine's beside it.

import { execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { boot } from '../../www/worker/python.mjs';

const tools = fileURLToPath(new URL('../tools/', import.meta.url));
export const text = (bytes) => Buffer.from(bytes).toString();
export const bytes = (value = '') => (typeof value === 'string' ? Buffer.from(value) : value);

/** The folder with the files that Python is made of; made if it isn't there yet. */
export async function pythonFiles() {
  const folder = path.join(os.tmpdir(), `todowrite-python-${process.pid}`);
  await promisify(execFile)(process.execPath, [path.join(tools, 'python-files.mjs'), folder]);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return `${pathToFileURL(folder)}/`;
}

/** Boots, and gives a function that runs: `{ argv, stdin, env, files, links, cwd }` as in programs.mjs. */
export async function bootPython(options) {
  const python = await boot({ base: await pythonFiles(), ...options });
  const run = ({ argv, stdin, env = {}, files = {}, links = {}, cwd = '/work', deadline = null, onOutput }) =>
    python.run({
      argv, cwd, deadline, onOutput,
      stdin: bytes(stdin),
      env: { PATH: '/usr/bin', HOME: cwd, LANG: 'C.UTF-8', ...env },
      files: [
        { path: cwd, kind: 'dir', mode: 0o755 },
        ...Object.entries(files).map(([name, value]) => ({ path: path.join(cwd, name), kind: 'file', mode: 0o644, bytes: bytes(value) })),
        ...Object.entries(links).map(([name, target]) => ({ path: path.join(cwd, name), kind: 'link', mode: 0o777, target })),
      ],
    });
  return { python, run };
}

/** What a folder holds after a run, from what was there and the changes: the paths, each with what it is. */
export function after(files, links, changes, cwd) {
  const tree = new Map();
  const add = (name, what) => {
    for (let at = path.dirname(name); at !== '.'; at = path.dirname(at)) if (!tree.has(at)) tree.set(at, 'dir 755');
    tree.set(name, what);
  };
  for (const [name, value] of Object.entries(files)) add(name, `file 644 ${bytes(value).toString('hex')}`);
  for (const [name, target] of Object.entries(links)) add(name, `link ${target}`);
  for (const change of changes) {
    const name = path.relative(cwd, change.path);
    if (name.startsWith('..')) continue;
    const mode = change.mode?.toString(8);
    if (change.kind === 'gone') tree.delete(name);
    else if (change.kind === 'link') tree.set(name, `link ${change.target}`);
    else if (change.kind === 'dir') tree.set(name, `dir ${mode}`);
    else tree.set(name, `file ${mode} ${Buffer.from(change.bytes).toString('hex')}`);
  }
  return Object.fromEntries([...tree].sort());
}

/** The machine's python3: `{ program, version }`, or null. PYTHON names another one. */
export async function findPython() {
  for (const name of process.env.PYTHON ? [process.env.PYTHON] : ['python3.14', 'python3.13', 'python3']) {
    try {
      // Behind a name may be a launcher that takes its time.
      const { stdout } = await promisify(execFile)(name, ['-c', 'import sys; print(sys.executable, *sys.version_info[:2])']);
      const [program, major, minor] = stdout.trim().split(' ');
      if (Number(major) === 3 && Number(minor) >= 11) return { program, version: Number(minor) };
    } catch {
      // The next one.
    }
  }
  return null;
}

/** Runs a program by the machine's python3, in the folder `cwd`, which is made for it. */
export async function runReal(real, { argv, stdin, env = {}, files = {}, links = {} }, cwd) {
  await fs.mkdir(cwd, { recursive: true });
  for (const [name, value] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(cwd, name)), { recursive: true });
    await fs.writeFile(path.join(cwd, name), value);
  }
  for (const [name, target] of Object.entries(links)) await fs.symlink(target, path.join(cwd, name));
  const result = await new Promise((resolve, reject) => {
    const child = spawn(real.program, ['-B', ...argv], {
      cwd, env: { PATH: '/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', ...env },
    });
    const out = [], err = [];
    child.stdout.on('data', (part) => out.push(part));
    child.stderr.on('data', (part) => err.push(part));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err) }));
    child.stdin.on('error', () => {}); // a program needn't read it
    child.stdin.end(bytes(stdin));
  });
  const tree = {};
  const walk = async (folder) => {
    for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name), name = path.relative(cwd, full);
      const mode = ((await fs.lstat(full)).mode & 0o7777).toString(8);
      if (entry.name === '__pycache__') continue;
      if (entry.isSymbolicLink()) tree[name] = `link ${await fs.readlink(full)}`;
      else if (entry.isDirectory()) {
        tree[name] = `dir ${mode}`;
        await walk(full);
      } else tree[name] = `file ${mode} ${(await fs.readFile(full)).toString('hex')}`;
    }
  };
  await walk(cwd);
  return { ...result, tree };
}
