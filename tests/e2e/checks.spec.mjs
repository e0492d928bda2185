// The API's rules at the message list, the strict scripted model, and the question before a live endpoint is sent what it would refuse.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

test.beforeEach(() => test.slow());
// Colours in the middle of a change would be no one's colours.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function expectAccessible(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(bad.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)).toEqual([]);
}

/** The lesson whose reminder stands before the results. */
async function chooseIndex0(playground) {
  const names = await playground.lesson.locator('option').allTextContents();
  await playground.lesson.selectOption({ index: names.length - 1 });
}

const repair = (page) => page.getByRole('group', { name: 'The refused list can be repaired' });
const question = (page) => page.getByRole('alertdialog', { name: 'The API would refuse this request' });
const summary = (playground) => playground.panel.locator('.checks');

/** Three rounds without a plan, from the lesson's own second request on: `answers` before them. */
function idleRounds(server, tool, input) {
  server.answers(says(call(tool, input)), ...[1, 2, 3].map(() => says(call('read_file', { path: 'notes.md' }))));
}
const PLAN = { items: [{ content: 'Read', status: 'in_progress' }] };

test('a first visit checks nothing until it is asked to, and then says that all rules hold and what is advised against', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await expect(summary(playground)).toHaveCount(0);
  await playground.panel.getByRole('button', { name: "Check against the API's rules" }).click();
  await expect(summary(playground)).toContainText("The API's rules: all hold.");
  await expect(summary(playground)).toContainText('advises against');
  await summary(playground).getByRole('button', { name: 'messages[8].content[1]' }).click();
  const finding = playground.panel.locator('.finding');
  await expect(finding).toContainText('No text right behind results.');
  await expect(finding).toBeInViewport();
});

test('a strict script answers 400 at the reminder before the results, says why at the block, and goes on once it is moved', async ({ playground, page }) => {
  await playground.open();
  await chooseIndex0(playground);
  await playground.openSettings();
  const strict = page.getByRole('checkbox', { name: /^The scripted model is strict/ });
  await expect(strict).not.toBeChecked();
  await strict.check();
  await page.keyboard.press('Escape');
  await playground.run.click();
  await expect(playground.alert).toContainText('400 invalid_request_error: messages.');
  await expect(playground.alert).toContainText('`tool_use` ids were found without `tool_result` blocks immediately after');
  await expect(summary(playground)).toContainText('one is broken');
  await summary(playground).getByRole('button').first().click();
  await expect(playground.panel.locator('.finding.refused')).toContainText('the results come first');
  await expectAccessible(page);

  // The list is what it is: the same request is refused again.
  await playground.retry.click();
  await expect(playground.alert).toContainText('400');
  await repair(page).getByRole('button', { name: 'Move the reminder behind the results and retry' }).click();
  await expect(playground.transcript).toContainText('reminder moved behind the results, by you');
  await expect(playground.panel).toContainText('moved by you');
});

test('without strict mode the same lesson runs to its end, and the list is marked all the same', async ({ playground }) => {
  await playground.open();
  await chooseIndex0(playground);
  await playground.runToEnd();
  await expect(summary(playground)).toContainText(/broken/);
});

test('a live endpoint is not sent what it would refuse before the reader agrees', async ({ playground, page, server }) => {
  server.strict = true;
  server.system = null;
  await playground.open();
  await chooseIndex0(playground);
  idleRounds(server, 'todo', PLAN);
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(question(page)).toBeVisible();
  await expect(question(page).getByRole('button', { name: 'Stop the turn' })).toBeFocused();
  await expect(question(page)).toContainText('messages[8].content[0]');
  expect(server.requests).toHaveLength(4);
  await expectAccessible(page);

  // As it is: the endpoint refuses it, in the words that the page expected.
  await question(page).getByRole('button', { name: 'Send as it is' }).click();
  await expect(playground.alert).toContainText('400 invalid_request_error');
  expect(server.requests).toHaveLength(5);
  expect(server.requests[4].body.messages[8].content[0].type).toBe('text');

  server.answers(says('Done.'));
  await repair(page).getByRole('button').last().click();
  await expect(playground.transcript).toContainText('Done.');
  expect(server.requests[5].body.messages[8].content.map((block) => block.type)).toEqual(['tool_result', 'text']);
  const { body } = await playground.sentBody();
  expect(body.messages).toEqual(server.requests[5].body.messages);
});

test('the reminder can be moved before anything is sent, by keyboard', async ({ playground, page, server }) => {
  server.system = null;
  await playground.open();
  await chooseIndex0(playground);
  idleRounds(server, 'todo', PLAN);
  server.answers(says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(question(page).getByRole('button', { name: 'Stop the turn' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(playground.transcript).toContainText('Done.');
  expect(server.requests).toHaveLength(5);
  expect(server.requests[4].body.messages[8].content.map((block) => block.type)).toEqual(['tool_result', 'text']);
});

test('stopped at the question, nothing is sent', async ({ playground, page, server }) => {
  server.echoes = false;
  await playground.open();
  server.answers(says());
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await playground.over();
  await playground.ask('More');
  await expect(question(page)).toContainText('Only a last message of the model may be empty.');
  await expect(question(page).getByRole('button')).toHaveCount(2); // Stop, as it is: nothing to move
  await question(page).getByRole('button', { name: 'Stop the turn' }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(playground.transcript).toContainText('stopped');
  expect(server.requests).toHaveLength(1);
});

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('发送前的询问可读，选“原样发送”就发出', async ({ playground, page, server }) => {
    server.strict = true;
    server.system = null;
    await playground.open();
    await chooseIndex0(playground);
    idleRounds(server, 'todo', PLAN);
    await playground.useEndpoint({ url: server.url });
    await playground.ask('Go');
    const asked = page.getByRole('alertdialog', { name: 'API 会拒绝这个请求' });
    await expect(asked).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    await asked.getByRole('button', { name: '原样发送' }).click();
    await expect(playground.alert).toContainText('400');
  });
});
