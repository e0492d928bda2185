// The benchmark: `./dev bench`, or `node tests/bench/run.mjs [DIST]` where its tools are on PATH. It measures the release build in
// a real Chromium, served with compression, and prints one table. It fails only where something could not be measured:
// a bar that is missed says `over`, and a busy machine is no bug.

import { statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../serve.mjs';
import { launch, PROFILES } from './browser.mjs';
import { python, shell } from './commands.mjs';
import { buildHello } from './hello.mjs';
import { stepsAtRest, stepsWhenLoaded } from './interact.mjs';
import { load } from './load.mjs';
import { canRun } from './page.mjs';
import { answerRows, commandRows, fileRows, roundRows, visitRows } from './report.mjs';
import { rounds } from './rounds.mjs';
import { print } from './table.mjs';

const TIMES = 5;

const dist = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../../dist', import.meta.url)));
statSync(path.join(dist, 'index.html'));
const hello = buildHello();

const started = Date.now();
const loadBefore = os.loadavg()[0];
const [page, other, browser] = await Promise.all([serve(dist), serve(hello), launch()]);
try {
  // The server compresses a file when it is first asked for, and a browser's first page is slower than its second.
  await load(browser, page.url, canRun, PROFILES.fast);
  await load(browser, other.url, saysHello, PROFILES.fast);
  await python(browser, page.url);

  const visits = { fast: await coldVisits('fast'), slow: await coldVisits('slow') };
  const runs = await times('a thousand rounds', () => rounds(browser, page.url));
  const atRest = (await times('steps', () => stepsAtRest(browser, page.url))).flat();
  const loaded = await times('steps with a thousand rounds', () => stepsWhenLoaded(browser, page.url), 2);
  const shells = await times('commands', () => shell(browser, page.url));
  const pythons = await times('commands of Python', () => python(browser, page.url));

  print([
    ...visitRows('First visit', 'fast', visits.fast),
    ...visitRows('First visit at 1.6 Mbit/s, 150 ms latency, CPU four times slower', 'slow', visits.slow),
    ...fileRows(dist, visits.fast.pages[0].files),
    ...roundRows(runs),
    ...answerRows(atRest, loaded),
    ...commandRows(shells, pythons),
  ]);
  console.log(`
Median of ${TIMES} (smallest–largest). * measured elsewhere, as medians: the learning site's S05 page, a hello-world Yew page on that
machine, the lesson's Python program against an instant local API. ${browser.version()}, headless, HTTP/1.1, a fresh profile for each load.`);
  for (const [name, { pages }] of Object.entries(visits)) {
    const paints = pages[0].lcps.map(({ at, size, element }) => `\n  ${Math.round(at)} ms, ${Math.round(size)} px²: ${element}`);
    console.log(`Largest paints of the first ${name} visit, each larger than the one before:${paints.join('')}`);
  }
  noise();
} finally {
  await browser.close();
  await Promise.all([page.close(), other.close()]);
}

/** Cold visits to both pages, in turn, so that the machine's moods hit both. */
async function coldVisits(profile) {
  const pages = [];
  const hellos = [];
  await times(`cold visits, ${profile}`, async () => {
    pages.push(await load(browser, page.url, canRun, PROFILES[profile]));
    hellos.push(await load(browser, other.url, saysHello, PROFILES[profile]));
  });
  return { pages, hellos };
}

/** Runs in the hello-world page: whether it is there. */
function saysHello() {
  return document.querySelector('h1') !== null;
}

async function times(what, measure, count = TIMES) {
  const results = [];
  for (let i = 1; i <= count; i++) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}: ${i} of ${count}`);
    results.push(await measure());
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return results;
}

/** What the machine did besides: times from a busy one are too long. */
function noise() {
  const cores = os.cpus().length;
  const [before, after] = [loadBefore, os.loadavg()[0]].map((load) => load.toFixed(1));
  console.log(`${cores} cores, load ${before} before and ${after} after; took ${Math.round((Date.now() - started) / 1000)} s.`);
  if (loadBefore > cores / 2) console.log('The machine had other work: read the smallest values, or measure again when it is quiet.');
}
