// In the place of wasm-bindgen, which trunk calls: takes the parts that the page shows later (src/ui/later.rs) out of its
// program, and then has the real one do its work. Trunk itself cannot split yet, and its hooks run too early or too late.
//
// The parts go to target/later/ with a hash in their names, and a hook (Trunk.toml) takes them from there into dist. The
// loader that wasm-split-cli writes becomes part of the program's own script: no request more for it.
// $WASM_BINDGEN is the real program.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const args = process.argv.slice(2);
const run = (program, more) => execFileSync(program, more, { stdio: 'inherit' });
const option = (name) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? args[args.indexOf(`--${name}`) + 1];
const input = args.findIndex((arg) => path.basename(arg) === 'app.wasm');

/** What Rust's compiler takes a browser to have. In the program it is written down; a part has only the code. */
const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'].map((name) => `--enable-${name}`);
/** As data-wasm-opt in www/index.html has it for the program. */
const SMALL = ['--strip-debug', '-Os', '--skip-pass=local-cse', '--skip-pass=code-folding'];

try {
  if (input < 0) run(process.env.WASM_BINDGEN, args);
  else split(args[input], option('out-dir'), option('out-name'));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function split(program, out, name) {
  const parted = fs.mkdtempSync(path.join(os.tmpdir(), 'split-'));
  run('wasm-split-cli', ['--target', 'web', '--out-name', name, program, parted]);
  const main = path.join(parted, `${name}.wasm`);
  run(process.env.WASM_BINDGEN, args.map((arg, i) => (i === input ? main : arg)).concat('--keep-lld-exports'));

  let loader = fs.readFileSync(path.join(parted, '__wasm_split.js'), 'utf8');
  const later = path.resolve('target/later');
  fs.rmSync(later, { recursive: true, force: true });
  fs.mkdirSync(later, { recursive: true });
  for (const file of fs.readdirSync(parted).filter((file) => file.endsWith('.wasm') && file !== path.basename(main))) {
    const part = path.join(parted, file);
    run('wasm-opt', [...FEATURES, ...SMALL, part, '-o', part]);
    const bytes = fs.readFileSync(part);
    const hashed = file.replace(/^split_|\.wasm$/g, '') + `-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.wasm`;
    fs.writeFileSync(path.join(later, hashed), bytes);
    loader = replace(loader, `"./${file}"`, `"./${hashed}"`);
  }
  fs.rmSync(parted, { recursive: true });

  // Both files were modules that import each other.
  const script = path.join(out, `${name}.js`);
  const loads = [...loader.matchAll(/^export const (\w+)/gm)].map(([, load]) => load);
  loader = replace(loader, `import { initSync } from "./${name}.js";`, '').replaceAll('export const', 'const');
  let text = fs.readFileSync(script, 'utf8');
  text = replace(text, /import \* as \w+ from "\.\/__wasm_split\.js";?/g, ''); // one for each split function
  text = replace(text, /("\.\/__wasm_split\.js": \w+,\s*)+/, `"./__wasm_split.js": { ${loads.join(', ')} },`);
  fs.writeFileSync(script, text + loader);
}

/** Replaces what must be there: another version of the tools might write something else. */
function replace(text, what, by) {
  const replaced = text.replace(what, () => by);
  if (replaced === text) throw new Error(`bindgen.mjs: nothing to replace for ${what}: does this version of the tools write something else?`);
  return replaced;
}
