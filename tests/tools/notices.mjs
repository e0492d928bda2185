// `node tests/tools/notices.mjs OUT_DIR`: writes notices.html, the licences of all that the build puts into dist.
// The crates are those that Cargo.lock gives the page and its worker; their texts come with their sources. The texts of
// Python's parts lie in OUT_DIR/python/licences, put there by python-files.mjs.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [out] = process.argv.slice(2);
if (!out) {
  console.error('notices.mjs: say where to: node tests/tools/notices.mjs OUT_DIR');
  process.exit(1);
}

/** The crates that are linked into a program of ours: what its packages need to run, not to build or to test. */
function crates() {
  const features = ['--no-default-features', '--features', 'web,split,worker', '--filter-platform', 'wasm32-unknown-unknown'];
  const args = ['metadata', '--format-version', '1', '--offline', ...features];
  const { packages, resolve } = JSON.parse(execFileSync('cargo', args, { maxBuffer: 1 << 28 }));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const reached = new Set([resolve.root]);
  for (const id of reached) { // goes on to what is added on the way
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) reached.add(pkg);
  }
  return packages
    .filter(({ id }) => reached.has(id) && id !== resolve.root)
    .map(({ name, version, license, repository, manifest_path: manifest }) => ({ name, version, license, link: repository, texts: texts(path.dirname(manifest)) }));
}

function texts(folder) {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  return names
    .filter((name) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(name) && fs.statSync(path.join(folder, name)).isFile())
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').trim());
}

function pythons() {
  const folder = path.join(out, 'python', 'licences');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  return files.map((file) => ({ name: path.parse(file).name, version: '', license: '', texts: [fs.readFileSync(path.join(folder, file), 'utf8').trim()] }));
}

const own = { name: 'TodoWrite Playground', version: '', license: 'MIT', texts: texts('.') };
const parts = [own, ...pythons(), ...crates().sort((one, other) => one.name.localeCompare(other.name))];

const escape = (text) => text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]);
/** Many parts share a text: it stands once, under all of their names. */
const byText = new Map();
for (const part of parts) {
  const text = part.texts.join('\n\n---\n\n') || `(${part.license}: its source comes without a text)`;
  byText.set(text, [...(byText.get(text) ?? []), part]);
}
const title = ({ name, version, license }) => escape([name, version].filter(Boolean).join(' ')) + (license ? ` <small>${escape(license)}</small>` : '');
const sections = [...byText].map(([text, owners]) => `<section><h2>${owners.map(title).join('<br>')}</h2><pre>${escape(text)}</pre></section>`);
fs.writeFileSync(path.join(out, 'notices.html'), `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Notices · TodoWrite Playground</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}h2{font-size:1rem}small{font-weight:400;opacity:.75}pre{white-space:pre-wrap;font-size:.8rem;max-height:14rem;overflow:auto;border:1px solid #8886;padding:.6rem}</style>
</head><body><p><a href="./">TodoWrite Playground</a></p><h1>Notices · 许可声明</h1>
<p>This page is made of these parts, each under its own licence. 本页面由以下部分组成，各自遵循其许可。</p>
${sections.join('\n')}
</body></html>
`);
