// The playground as the benchmark uses it: all that it knows of its elements is here.

/** Runs in the page: whether Run can be pressed. */
export function canRun() {
  return [...document.querySelectorAll('button')].some((button) => button.textContent.trim() === 'Run' && !button.disabled);
}

const button = (page, name) => page.getByRole('button', { name, exact: true });

export const runButton = (page) => button(page, 'Run');
export const stepButton = (page) => button(page, 'Step');
export const stepBackButton = (page) => button(page, 'One step back');
export const range = (page) => page.locator('input[type=range]');

export async function chooseInstant(page) {
  await page.getByLabel('Speed').selectOption({ label: 'Instant' });
}

/** Loads "A thousand rounds" and waits until its welcome is drawn. */
export async function chooseLongRun(page) {
  await page.getByLabel('Scenario').selectOption({ label: 'A thousand rounds' });
  await chooseInstant(page);
  await page.getByText('A model that never updates its plan').waitFor();
}

/** Presses Run and waits for the turn's end. */
export async function runToTheEnd(page) {
  await runButton(page).click();
  await end(page);
}

/** Sends a prompt and waits for the turn's end. */
export async function ask(page, prompt) {
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  await button(page, 'Send').click();
  await end(page);
}

/** Waits for the turn's end. The page is asked rarely, so that asking doesn't cost what is measured. */
async function end(page) {
  await page.evaluate(async () => {
    const end = performance.now() + 240_000;
    while (!document.querySelector('.turn-ended, .fault')) {
      if (performance.now() > end) throw new Error('the run did not end within four minutes');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
}

/** Has a live endpoint answer instead of the script. */
export async function useEndpoint(page, { url, key }) {
  await button(page, 'Settings').first().click();
  const dialog = page.getByRole('dialog');
  for (const [field, value] of Object.entries({ 'Base URL': url, Model: 'bench', 'API key': key })) {
    await dialog.getByLabel(field, { exact: true }).fill(value);
  }
  await button(dialog, 'Use this endpoint').click();
  await dialog.waitFor({ state: 'hidden' });
}

/** The log of the run as the reader saves it: a head line, then one line for each event. */
export async function savedLog(page) {
  const download = page.waitForEvent('download');
  await button(page, 'Save log').click();
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString('utf8').trim().split('\n');
  return lines.slice(1).map((line) => JSON.parse(line));
}
