// The shell's worker: brings its program in, tells how far that has come, and starts it. What it does then is written in
// src/bin/worker.rs; the messages are the reports of src/runtime/shell.rs.

import init from '../worker.js';

const tell = (loaded, done) => postMessage({ Loading: { part: 'Shell', loaded, total: 0, done } });

async function program() {
  tell(0, false);
  const response = await fetch(new URL('../worker_bg.wasm', import.meta.url));
  if (!response.ok) throw new Error(`worker_bg.wasm: HTTP ${response.status}`);
  let loaded = 0, told = 0;
  const counted = new TransformStream({
    transform(bytes, to) {
      loaded += bytes.length;
      if (loaded - told > 100_000) tell((told = loaded), false);
      to.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers: { 'content-type': 'application/wasm' } });
}

/** Brings Python in, when a command first needs it. Called by the program. */
globalThis.bootPython = async () => {
  const progress = ({ loaded, total }) => postMessage({ Loading: { part: 'Python', loaded, total, done: false } });
  progress({ loaded: 0, total: 0 });
  const { boot } = await import('./python.mjs');
  const python = await boot({ base: new URL('../python/', import.meta.url), progress });
  postMessage({ Loading: { part: 'Python', loaded: 0, total: 0, done: true } });
  return python;
};

await init({ module_or_path: program() });
tell(0, true);
postMessage('ready');
