// The hello-world page of hello/: the smallest page that Yew makes, built by the tools that build the playground. What the
// playground's first visit is held against is measured beside it, so that a slow machine slows both.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('hello', import.meta.url));
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'Trunk.toml', 'index.html', 'src/main.rs'];

/** The folder with the built page. Builds it (about a minute) unless the cache has it from the same sources and tools. */
export function buildHello() {
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'todowrite-playground');
  const key = createHash('sha256');
  for (const name of SOURCES) key.update(readFileSync(path.join(source, name)));
  for (const tool of ['rustc', 'trunk', 'wasm-bindgen', 'wasm-opt']) key.update(version(tool));
  const dist = path.join(cache, `bench-hello-${key.digest('hex').slice(0, 16)}`);
  if (existsSync(dist)) return dist;

  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(path.join(cache, 'new.'));
  const made = path.join(scratch, 'dist');
  console.error('Building the hello-world page to compare with (about a minute, once) …');
  try {
    execFileSync('trunk', ['build', '--release', '--locked', '--dist', made], {
      cwd: source,
      env: { ...process.env, CARGO_TARGET_DIR: path.join(scratch, 'target'), TRUNK_OFFLINE: 'true', NO_COLOR: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    });
    // A rename at the end: a build that was interrupted is never taken for a page.
    renameSync(made, dist);
  } catch (error) {
    if (!existsSync(dist)) {
      const said = String(error.stderr ?? error).trim().split('\n').slice(-25).join('\n');
      throw new Error(`the hello-world page can't be built:\n${said}`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return dist;
}

function version(tool) {
  try {
    return execFileSync(tool, ['--version']);
  } catch {
    throw new Error(`${tool} isn't there: start the benchmark by \`./dev bench\`, which sets it up`);
  }
}
