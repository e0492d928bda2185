// What runs inside the measured page, before its own scripts: observers that keep what the browser reports, and
// nothing that costs the page time while it works.

/** Installs `window.bench`. It and `ready` are sent to the page as source, so they may use nothing from outside. */
export function probe(ready) {
  const bench = { longTasks: [], events: [], lcp: [], renders: 0, readyAt: null, wasmMemory: null };
  const keep = (type, list, { read = (entry) => entry, ...options } = {}) =>
    new PerformanceObserver((entries) => {
      list.push(...entries.getEntries().map(read));
    }).observe({ type, buffered: true, ...options });
  keep('longtask', bench.longTasks);
  keep('event', bench.events, { durationThreshold: 16 });
  // Told at once: an entry forgets its element when that leaves the document. Of a field's text it never knows any.
  const describe = ({ localName, className, textContent }) =>
    `<${localName} class="${className}"> ${textContent.trim().slice(0, 60)}`;
  keep('largest-contentful-paint', bench.lcp, {
    read: ({ startTime, size, element }) => ({ at: startTime, size, element: element ? describe(element) : 'the text of a field' }),
  });

  // The page asks for a frame once for each time that it wants to draw.
  const requestFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    bench.renders += 1;
    return requestFrame(callback);
  };
  // The only way to see how much memory the program holds.
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const instantiate = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...args) => {
      const made = await instantiate(...args);
      bench.wasmMemory = (made.instance ?? made).exports.memory;
      return made;
    };
  }

  // Ready is looked for when the document changes and at no other time.
  bench.ready = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the page was not ready within a minute')), 60_000);
    const look = () => {
      if (bench.readyAt !== null || !document.body || !ready()) return;
      bench.readyAt = performance.now();
      changes.disconnect();
      resolve();
    };
    const changes = new MutationObserver(look);
    changes.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
  });
  window.bench = bench;
}
