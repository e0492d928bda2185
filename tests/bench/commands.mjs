// Commands in the page's shell: how long a reader waits for the first one, whose worker has to load, and for each later one.
//
// A local endpoint writes the calls. What is measured is the page's part: from the event that completed the reply, upon which the
// tool starts, to the event with its result, both by the run's own log. So the endpoint and the stream count for nothing; the
// files' way to the worker and back, and what the page draws meanwhile, do.

import { call, KEY, says, start } from '../e2e/messages-server.mjs';
import { visit } from './browser.mjs';
import { ask, canRun, savedLog, useEndpoint } from './page.mjs';

const LATER = 5;

/** 200 files, 2 MB. */
const FILES = 'for i in $(seq 200); do head -c 10000 /dev/zero | tr "\\0" x > f$i.txt; done; ls f*.txt | wc -l';
const PYTHON = "python3 -c 'print(1)'";

/** The first command of a page, and each later one with the files in the workspace. Times are milliseconds. */
export async function shell(browser, url) {
  const [first, , ...later] = await run(browser, url, ['echo hi', FILES, ...Array(LATER).fill('echo hi')], ['hi', '200', ...Array(LATER).fill('hi')]);
  return { first, later };
}

/** The same for Python, which brings the shell along. */
export async function python(browser, url) {
  const [first, ...later] = await run(browser, url, Array(1 + LATER).fill(PYTHON), Array(1 + LATER).fill('1'));
  return { first, later };
}

/** Has the commands run in a fresh page, one a round, and gives the time of each. Throws where one did not give its result. */
async function run(browser, url, commands, results) {
  const server = await start({ cors: 'open' });
  try {
    server.answers(...commands.map((command) => says(call('bash', { command }))), says('Done.'));
    const use = async ({ page }) => {
      await useEndpoint(page, { url: server.url, key: KEY });
      await ask(page, 'Go');
      return savedLog(page);
    };
    const log = await visit(browser, url, { ready: canRun, use });
    const got = server.requests.slice(1).map(({ body }) => body.messages.at(-1).content[0].content);
    const wrong = [...server.violations, ...results.filter((result, i) => result !== got[i])];
    if (wrong.length > 0) throw new Error(`commands gave ${JSON.stringify(got)}, not ${JSON.stringify(results)}\n${wrong.join('\n')}`);
    return times(log);
  } finally {
    await server.close();
  }
}

/** How long each call took, in order. */
function times(log) {
  const replied = [];
  const taken = [];
  for (const { at, event } of log) {
    if (event.event === 'model_emitted') replied[event.request] = at;
    if (event.event === 'tool_finished') taken.push(at - replied[event.call.request]);
  }
  return taken;
}
