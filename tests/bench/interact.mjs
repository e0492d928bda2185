// How long the page takes to answer a reader: a step, at rest and with a thousand rounds loaded, and the scrubber.

import { visit } from './browser.mjs';
import { canRun, chooseInstant, chooseLongRun, range, runToTheEnd, stepBackButton, stepButton } from './page.mjs';

const CLICKS = 15;
const MOVES = 100;

/** From a click to the paint that shows its effect, on a page that has just been opened: all `CLICKS` durations. */
export function stepsAtRest(browser, url) {
  const use = async ({ page }) => {
    await chooseInstant(page);
    return clicks(page, stepButton(page));
  };
  return visit(browser, url, { ready: canRun, use });
}

/** The same with a thousand rounds loaded, and the time of each move of the scrubber's knob. */
export function stepsWhenLoaded(browser, url) {
  const use = async ({ page }) => {
    await chooseLongRun(page);
    await runToTheEnd(page);
    await page.waitForTimeout(500);
    const steps = await clicks(page, stepBackButton(page));
    return { steps, moves: await moves(page) };
  };
  return visit(browser, url, { ready: canRun, use });
}

/**
 * Event Timing: from the input's time stamp to the next paint, in steps of 8 ms. What took less than 16 ms has no entry
 * and counts as 16.
 */
async function clicks(page, button) {
  const durations = [];
  for (let i = 0; i < CLICKS; i++) {
    await page.evaluate(() => window.bench.events.splice(0));
    await button.click();
    // The entry comes after the paint; by then the page is at rest again.
    await page.waitForTimeout(250);
    const entries = await page.evaluate(() =>
      window.bench.events.filter((entry) => entry.interactionId > 0).map((entry) => entry.duration),
    );
    durations.push(Math.max(16, ...entries));
  }
  return durations;
}

/**
 * Moves the knob over the whole run as a drag does. Each time is what the page computes for a move: handler, render, styles and
 * layout. What the browser adds for a frame is the same at any length of run.
 */
function moves(page) {
  return range(page).evaluate(async (input, count) => {
    const times = [];
    const rest = () => new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 1; i <= count; i++) {
      await rest();
      const start = performance.now();
      input.value = String(Math.round((Number(input.max) * (count - i)) / count));
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // The page renders in microtasks, all of which have run when a message comes.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      document.body.getBoundingClientRect();
      times.push(performance.now() - start);
    }
    return times;
  }, MOVES);
}
