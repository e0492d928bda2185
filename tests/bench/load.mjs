// One cold visit, and what it cost.

import { heap, metrics, visit } from './browser.mjs';

/** How long after the page is ready it is still watched: late paints and late work count. */
const SETTLE = 1500;
const RENDER_PATH = new Set(['Document', 'Stylesheet', 'Script', 'Wasm']);
/** What loads when it is first wanted: no first visit should ask for it. */
const LATER = /^(later-|zip-|chunk|scenario\/|worker|python\/)/;

/** Measures one load. Times are milliseconds since the navigation began. */
export function load(browser, url, ready, profile) {
  const use = async ({ page, cdp, requests }) => {
    await page.waitForTimeout(SETTLE);
    const seen = await page.evaluate(() => {
      const { bench } = window;
      const [navigation] = performance.getEntriesByType('navigation');
      const paint = performance.getEntriesByName('first-contentful-paint')[0];
      return {
        fcp: paint?.startTime,
        // Each is a paint larger than the ones before; the last stands.
        lcps: bench.lcp,
        load: navigation.loadEventEnd,
        ready: bench.readyAt,
        blocking: bench.longTasks.reduce((sum, task) => sum + Math.max(0, task.duration - 50), 0),
        longest: Math.max(0, ...bench.longTasks.map((task) => task.duration)),
        wasmMemory: bench.wasmMemory?.buffer.byteLength,
      };
    });
    const busy = await metrics(cdp);
    const all = [...requests.values()];
    const files = all.map((request) => request.url.replace(url, '') || 'index.html');
    const bytes = (some) => some.reduce((sum, request) => sum + request.bytes, 0);
    return {
      ...seen,
      lcp: seen.lcps.at(-1)?.at,
      bytes: bytes(all),
      path: bytes(all.filter((request) => RENDER_PATH.has(request.type))),
      requests: all.length,
      files,
      early: files.filter((file) => LATER.test(file)).length,
      busy: busy.TaskDuration * 1000,
      heap: await heap(cdp, { collect: false }),
      heapInUse: await heap(cdp, { collect: true }),
    };
  };
  return visit(browser, url, { ready, profile, use });
}
