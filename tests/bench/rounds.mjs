// The thousand rounds: how long each took, read from the run's own log, and what the main thread did meanwhile.

import { heap, metrics, visit } from './browser.mjs';
import { canRun, chooseLongRun, runToTheEnd, savedLog } from './page.mjs';

/** Runs the long scenario once. Times are milliseconds. */
export function rounds(browser, url) {
  const use = async ({ page, cdp }) => {
    await chooseLongRun(page);
    await page.waitForTimeout(500);
    const [before, rendersBefore, pressed] = await Promise.all([
      metrics(cdp),
      page.evaluate(() => window.bench.renders),
      page.evaluate(() => performance.now()),
    ]);
    await runToTheEnd(page);
    // A long task is reported when it is over, and the last one draws the end of the run.
    await page.waitForTimeout(300);
    const [after, seen] = await Promise.all([
      metrics(cdp),
      page.evaluate((pressed) => {
        const { bench } = window;
        const tasks = bench.longTasks.filter((task) => task.startTime + task.duration > pressed);
        return {
          longest: Math.max(0, ...tasks.map((task) => task.duration)),
          longTasks: tasks.length,
          renders: bench.renders,
          wasmMemory: bench.wasmMemory?.buffer.byteLength,
        };
      }, pressed),
    ]);
    const heapInUse = await heap(cdp, { collect: true });
    const ends = roundEnds(await savedLog(page));
    const last = ends.length - 1;
    if (last < 1000) throw new Error(`the log has ${last} rounds, not 1,000`);
    const average = (from, to) => (ends[to] - ends[from]) / (to - from);
    const perRound = (name) => ((after[name] - before[name]) * 1000) / last;
    return {
      first100: average(0, 100),
      at100: average(90, 110),
      at300: average(290, 310),
      all: average(0, last),
      last100: average(last - 100, last),
      worst: Math.max(...ends.slice(1).map((end, i) => end - ends[i])),
      longest: seen.longest,
      longTasks: seen.longTasks,
      renders: seen.renders - rendersBefore,
      busy: perRound('TaskDuration'),
      script: perRound('ScriptDuration'),
      layout: perRound('LayoutDuration') + perRound('RecalcStyleDuration'),
      wasmMemory: seen.wasmMemory,
      heapInUse,
    };
  };
  return visit(browser, url, { ready: canRun, use });
}

/** When each round was over, by its number; at 0, when the prompt was sent. A round lasts from request to request. */
function roundEnds(log) {
  const ends = [];
  for (const { at, event } of log) {
    if (event.event === 'prompt_submitted') ends[0] = at;
    if (event.event === 'model_emitted') ends[event.request] = at;
    if (event.event === 'tool_finished') ends[event.call.request] = at;
  }
  return ends;
}
