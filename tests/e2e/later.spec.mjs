// What loads when it is first wanted: the other scenarios and the later parts of the page. Each can be missing for a while, and is
// then said to be.

import { expect, test } from './playground.mjs';

/** [what happens to a request, how, what the page says of it] */
const FAILURES = [
  ['gets no answer', (route) => route.abort(), /Failed to fetch/],
  ['is answered 500', (route) => route.fulfill({ status: 500, body: '500' }), /HTTP 500/],
];

const SCENARIO = '**/scenario/permission.json';
const PARTS = '**/later-*.wasm';
const NOT_LOADED = /^This part of the page did not load/;

/** Forgives what the loader of the later parts writes to the console, whatever the page says, and nothing else. */
function forgiveLoader(trouble) {
  expect(trouble.splice(0).filter((said) => !/^console: TypeError: /.test(said))).toEqual([]);
}

test('a first visit and a run load none of it', async ({ playground, page }) => {
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await playground.open();
  await playground.runToEnd();
  expect(loaded).toContainEqual(expect.stringMatching(/^\/app-.*\.wasm$/));
  expect(loaded.filter((path) => /later|scenario|worker|python/.test(path))).toEqual([]);
});

for (const [what, fail, why] of FAILURES) {
  test(`a scenario whose file ${what} is said to be missing, nothing changes, and it can be chosen again`, async ({ playground, page }) => {
    await playground.open();
    await playground.runToEnd();
    const before = await playground.place();
    await page.route(SCENARIO, fail);
    await playground.scenario.selectOption('It asks for permission');
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(/^The scenario “It asks for permission” did not load \(.*\)\. Nothing was changed/);
    await expect(alert).toContainText(why);
    await expect(playground.scenario.locator('option:checked')).toHaveText('The forgetful model');
    expect(await playground.place()).toEqual(before);
    await expect(playground.transcript).toContainText('the turn is over');
    await expect(playground.bringBack).toHaveCount(0);

    await expect(playground.run).toBeEnabled();

    await page.unroute(SCENARIO);
    await playground.scenario.selectOption('It asks for permission');
    await expect(playground.scrubber).toContainText('No steps yet');
    await expect(alert).toHaveCount(0);
    await expect(playground.scenario.locator('option:checked')).toHaveText('It asks for permission');
    await playground.run.click();
    await expect(playground.permission).toBeVisible();
  });

  test(`settings whose file ${what} are said to be missing, and open when it is there`, async ({ playground, page, trouble }) => {
    await playground.open();
    await page.route(PARTS, fail);
    const settings = page.getByRole('button', { name: 'Settings', exact: true });
    const alert = page.getByRole('alert');
    for (const times of [1, 2]) {
      await settings.click();
      await expect.poll(() => trouble.length).toBe(times);
      await expect(alert).toHaveText(NOT_LOADED);
    }
    await expect(playground.dialog).toHaveCount(0);
    await playground.runToEnd();
    forgiveLoader(trouble);

    await page.unroute(PARTS);
    await playground.openSettings();
    await expect(alert).toHaveCount(0);
  });

  test(`a tab whose file ${what} is said to be missing, and shows when the reader comes back to it`, async ({ playground, page, trouble }) => {
    await playground.open();
    await playground.runToEnd();
    await page.route(PARTS, fail);
    for (const name of ['Request', 'Files']) {
      await playground.tab(name).click();
      await expect(playground.panel.getByRole('alert')).toHaveText(NOT_LOADED);
      await expect(page.getByRole('alert')).toHaveCount(1);
      await playground.tab('Messages').click();
      await expect(playground.panel.getByRole('article').first()).toBeVisible();
    }
    forgiveLoader(trouble);

    await page.unroute(PARTS);
    const { body } = await playground.sentBody();
    expect(body.messages[0].role).toBe('user');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await playground.tab('Files').click();
    await expect(playground.panel).toContainText('greeting.py');
  });
}

test('settings that were pressed on a tab that did not load leave the page working, and open when the file is there', async ({ playground, page, trouble }) => {
  await playground.open();
  await page.route(PARTS, (route) => route.abort());
  await playground.tab('Request').click();
  await expect(playground.panel.getByRole('alert')).toHaveText(NOT_LOADED);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(playground.panel.getByRole('alert')).toHaveText(NOT_LOADED);
  await page.keyboard.press('F8');
  await expect(playground.scrubber).toContainText('Step 1 of');
  await page.unroute(PARTS);
  await playground.openSettings();
  forgiveLoader(trouble);
});

test('a tab that did not load shows when the reader comes back from any other tab', async ({ playground, page, trouble }) => {
  await playground.open();
  await page.route(PARTS, (route) => route.abort());
  await playground.tab('Request').click();
  await expect(playground.panel.getByRole('alert')).toHaveText(NOT_LOADED);
  forgiveLoader(trouble);
  await page.unroute(PARTS);
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('greeting.py');
  await playground.tab('Request').click();
  await expect(playground.panel).toContainText('No request yet.');
});
