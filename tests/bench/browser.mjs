// Chromium for the benchmark: a browser, and a fresh profile with its network and main thread under watch for each load.

import { chromium } from 'playwright-core';
import { probe } from './probe.mjs';

/** What the loads go through. `fast` is this machine as it is. */
export const PROFILES = {
  fast: {},
  slow: {
    cpu: 4,
    network: { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 },
  },
};

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROME || '/usr/bin/chromium',
    headless: true,
    args: [
      // Chromium refuses to start its sandbox as root; the rest keeps it from other work than ours.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/**
 * Opens a page in a profile of its own, with nothing cached, hands it to `use` and closes it. `ready` runs in the page and
 * says whether a reader could begin.
 */
export async function visit(browser, url, { ready, profile = PROFILES.fast, use }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', acceptDownloads: true });
  try {
    const page = await context.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(`the page threw: ${error}`));
    page.on('response', (response) => response.ok() || faults.push(`${response.status()} for ${response.url()}`));
    await page.addInitScript({ content: `(${probe})(${ready});` });

    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
    await cdp.send('Performance.enable');
    const requests = watch(cdp);
    if (profile.network) await cdp.send('Network.emulateNetworkConditions', profile.network);
    if (profile.cpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: profile.cpu });

    await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    await page.evaluate(() => window.bench.ready);
    const result = await use({ page, cdp, requests });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return result;
  } finally {
    await context.close();
  }
}

/** The requests of a page as they were on the wire: kind and bytes, headers included. */
function watch(cdp) {
  const requests = new Map();
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.url.startsWith('data:') || response.url.startsWith('blob:')) return;
    const wasm = response.mimeType === 'application/wasm';
    requests.set(requestId, { url: response.url, type: wasm ? 'Wasm' : type, bytes: 0 });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  return requests;
}

/** Chromium's own counters: seconds of main-thread work by kind, heap, nodes. */
export async function metrics(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Bytes of JavaScript objects; after a collection only of those in use. The program's own memory is not among them. */
export async function heap(cdp, { collect }) {
  if (collect) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}
