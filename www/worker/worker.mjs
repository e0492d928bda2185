// The shell's worker: brings its program in, tells how far that has come, and starts it. What it does then is written in
// src/bin/worker.rs; the messages are the reports of src/runtime/shell.rs, as JSON, and a last `null` before it listens.

import init from '../worker.js';

const loading = (part, loaded, total, done) => postMessage(JSON.stringify({ Loading: { part, loaded, total, done } }));

async function program() {
  loading('Shell', 0, 0, false);
  const response = await fetch(new URL('../worker_bg.wasm', import.meta.url));
  if (!response.ok) throw new Error(`worker_bg.wasm: HTTP ${response.status}`);
  let arrived = 0, told = 0;
  const counted = new TransformStream({
    transform(bytes, to) {
      arrived += bytes.length;
      if (arrived - told > 100_000) loading('Shell', (told = arrived), 0, false);
      to.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers: { 'content-type': 'application/wasm' } });
}

/** Brings Python in, when a command first needs it. Called by the program. */
globalThis.bootPython = async () => {
  const progress = ({ loaded, total }) => loading('Python', loaded, total, false);
  progress({ loaded: 0, total: 0 });
  const { boot } = await import('./python.mjs');
  const python = await boot({ base: new URL('../python/', import.meta.url), progress });
  loading('Python', 0, 0, true);
  return python;
};

await init({ module_or_path: program() });
loading('Shell', 0, 0, true);
postMessage(null);
