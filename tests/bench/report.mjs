// The rows of the table: what was measured, the bar for it, and what it compares with.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { percentile, summary } from './stats.mjs';
import { heading, row } from './table.mjs';

/** Medians measured elsewhere, for orientation: not on this machine, and not in this run. */
const ELSEWHERE = {
  hello: {
    fast: { bytes: 86e3, requests: 5, fcp: 126, lcp: 126, load: 87 },
    slow: { fcp: 928, load: 492, blocking: 0 },
  },
  site: {
    fast: { bytes: 793e3, path: 595e3, requests: 130, fcp: 310, lcp: 310, load: 375, blocking: '90–146 ms', heap: 8.3e6 },
    slow: { fcp: 872, load: 3940, blocking: 565 },
  },
  python: { at100: 2.7, at300: 7.4, at1000: 22.8 },
};

const BARS = {
  fast: { bytes: { atMost: 250e3 }, requests: { atMost: 15 }, early: { atMost: 0 }, blocking: { below: 50 }, heap: { below: 8e6 } },
  slow: { fcp: { below: 700 }, ready: { below: 2500 } },
};
/** How much longer than the hello-world page's the largest paint may take. */
const LCP_TIMES_HELLO = 1.3;

const WHAT = [
  ['on the wire, brotli 5', 'kB', 'bytes'],
  ['of it, to render', 'kB', 'path'],
  ['requests', 'count', 'requests'],
  ['of them, for what loads later', 'count', 'early'],
  ['first contentful paint', 'ms', 'fcp'],
  ['largest contentful paint', 'ms', 'lcp'],
  ['load event', 'ms', 'load'],
  ['Run can be pressed', 'ms', 'ready'],
  ['blocking time', 'ms', 'blocking'],
  ['main thread busy', 'ms', 'busy'],
  ['JS heap', 'MB', 'heap'],
  ['JS heap, collected', 'MB', 'heapInUse'],
  ["the program's memory", 'MB', 'wasmMemory'],
];
/** What the network and the processor don't change is told once. */
const ONCE = new Set(['bytes', 'path', 'requests', 'early', 'heap', 'heapInUse', 'wasmMemory']);

/** What loads when it is first wanted, by the names of its files. Python's part is nearly all of dist. */
const LATER = [
  ['Settings, Request and Files', /^later-/],
  ['the other scenarios', /^scenario\//],
  ['the shell', /^worker(\.js|_bg\.wasm|\/worker\.mjs)$/],
  ['Python', /^python\/[^/]*$|^worker\/(?!worker\.mjs)/],
];

const of = (results, name) => summary(results.map((result) => result[name]));

/** The first visit, against the hello-world page of the same run. */
export function visitRows(title, profile, { pages, hellos }) {
  const rows = WHAT.filter(([, , name]) => profile === 'fast' || !ONCE.has(name)).map(([what, unit, name]) => {
    const hello = of(hellos, name).median;
    const bar = name === 'lcp' && profile === 'fast' ? { atMost: hello * LCP_TIMES_HELLO } : BARS[profile][name];
    const elsewhere = [ELSEWHERE.hello, ELSEWHERE.site].map((page) => page[profile][name] ?? '');
    return row(what, unit, of(pages, name), { ...bar, others: [hello, ...elsewhere] });
  });
  return [heading(title, ['hello-world', 'hello-world*', 'S05 site*']), ...rows];
}

/** The files as compressed ahead of time: each that a first visit loads, by its name in `first`, and what loads later by its kind. */
export function fileRows(dist, first) {
  const brotli = (body, quality) =>
    zlib.brotliCompressSync(body, {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }).length;
  const size = (file) => {
    const body = readFileSync(path.join(dist, file));
    return { file, best: brotli(body, 11), quick: brotli(body, 5), raw: body.length };
  };
  const line = (what, sizes, bar) => {
    const total = (name) => sizes.reduce((sum, size) => sum + size[name], 0);
    return row(what, 'kB', total('best'), { ...bar, others: [total('quick'), total('raw')] });
  };
  const files = readdirSync(dist, { recursive: true }).filter((file) => statSync(path.join(dist, file)).isFile());
  const sizes = first.map(size);
  return [
    heading('Files of a first visit, brotli 11', ['brotli 5', 'raw']),
    ...sizes.map((size) => line(size.file.replace(/-[0-9a-f]{8,16}/, ''), [size])),
    line('all', sizes, BARS.fast.bytes),
    heading('Files that load later, brotli 11', ['brotli 5', 'raw']),
    ...LATER.map(([what, names]) => line(what, files.filter((file) => names.test(file)).map(size))),
  ];
}

/** A thousand rounds, scripted and instant. */
export function roundRows(runs) {
  const { python } = ELSEWHERE;
  return [
    heading('Rounds, in the page', ['Python*']),
    row('a round, of the first 100', 'ms', of(runs, 'first100'), { below: 3, others: [python.at100] }),
    row('a round, at 91–110', 'ms', of(runs, 'at100'), { below: 3, others: [python.at100] }),
    row('a round, at 291–310', 'ms', of(runs, 'at300'), { others: [python.at300] }),
    row('a round, of all 1,000', 'ms', of(runs, 'all'), { below: 6, others: [python.at1000] }),
    row('a round, at 901–1,000', 'ms', of(runs, 'last100'), { below: 6, others: [python.at1000] }),
    row('the longest round', 'ms', of(runs, 'worst')),
    row('the longest task (0: none of 50 ms)', 'ms', of(runs, 'longest'), { atMost: 100 }),
    row('tasks over 50 ms', 'count', of(runs, 'longTasks')),
    row('renders', 'count', of(runs, 'renders')),
    row('main thread, a round', 'ms', of(runs, 'busy')),
    row('of it, script', 'ms', of(runs, 'script')),
    row('of it, style and layout', 'ms', of(runs, 'layout')),
    row("the program's memory", 'MB', of(runs, 'wasmMemory')),
    row('JS heap, collected', 'MB', of(runs, 'heapInUse')),
  ];
}

/** The page's answers to a reader. `atRest` has a duration for each click; `loaded` those of each visit, and the moves. */
export function answerRows(atRest, loaded) {
  const steps = loaded.flatMap((visit) => visit.steps);
  const moves = loaded.flatMap((visit) => visit.moves);
  return [
    heading('Answers to a reader'),
    row('a step, click to paint', 'ms', summary(atRest)),
    row('a step with 1,000 rounds, click to paint', 'ms', summary(steps)),
    row('a move of the scrubber with 1,000 rounds', 'ms', summary(moves)),
    row('95 of 100 such moves within', 'ms', percentile(moves, 0.95)),
  ];
}

/** Commands in the page's shell: of each visit the first one, and the later ones. */
export function commandRows(shells, pythons) {
  const later = (visits) => summary(visits.flatMap((visit) => visit.later));
  return [
    heading('Commands, from the call to its result'),
    row('the first one: the shell loads', 'ms', of(shells, 'first'), { atMost: 1000 }),
    row('echo, with 200 files of 2 MB in all', 'ms', later(shells), { atMost: 30 }),
    row('the first of Python: both load', 'ms', of(pythons, 'first'), { atMost: 8000 }),
    row('a later one of Python', 'ms', later(pythons), { atMost: 100 }),
  ];
}
