// Where the reminder goes, why it is there, and how a reader gets from one to the other.

import { expect, test } from './playground.mjs';

const REMINDER = '<reminder>Update your todos.</reminder>';

test.beforeEach(async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
});

test('the inspector shows the reminder at messages[8].content[1], marked, with the rounds that led to it', async ({ playground }) => {
  const block = playground.block('messages[8].content[1]');
  await expect(block).toHaveAttribute('open');
  await expect(block).toContainText(REMINDER);
  await expect(block).toContainText('Why the reminder is here');
  await expect(block).toContainText('3 rounds in which no todo_write ran');
  await expect(block).toContainText('the tool results of round 4: results first, then text');
  await expect(block).toContainText('would have prevented it');
  await expect(block.getByRole('button', { name: /^Round/ })).toHaveText(['Round 2', 'Round 3', 'Round 4']);
  await expect(playground.block('messages[8].content[0]')).toContainText('tool_result');

  // Marked: it doesn't look like its neighbour.
  const look = (locator) => locator.evaluate((element) => [getComputedStyle(element).borderColor, getComputedStyle(element).backgroundColor]);
  const [reminder, result] = [await look(block), await look(playground.block('messages[8].content[0]'))];
  expect(reminder[0]).not.toBe(result[0]);
  expect(reminder[1]).not.toBe(result[1]);
  await expect(playground.panel.getByText(REMINDER).first()).toBeAttached();
});

test('there is one reminder and no other block is marked', async ({ playground }) => {
  await expect(playground.panel.getByRole('heading', { name: 'Why the reminder is here' })).toHaveCount(1);
  const { body } = await playground.sentBody();
  const reminders = body.messages.flatMap((message) => message.content).filter((block) => block.text === REMINDER);
  expect(reminders).toHaveLength(1);
});

test('a press on one of its rounds goes there', async ({ playground, page }) => {
  await playground.block('messages[8].content[1]').getByRole('button', { name: 'Round 3' }).click();
  await expect(playground.scrubber).toContainText('round 3 · Request 3');
  await expect(playground.counterSaid).toHaveText('1 of 3 rounds without todo_write');
  await expect(playground.live).toHaveAttribute('aria-pressed', 'false');
  await expect(playground.panel).toContainText('The list that request 3 carries');
  await expect(playground.panel).toContainText('messages[4]');
  await expect(playground.panel).not.toContainText('messages[5]');
  await page.getByRole('button', { name: 'Live' }).click();
  await expect(playground.block('messages[8].content[1]')).toBeVisible();
});

test('the request after it holds it last in the user message, behind the results', async ({ playground }) => {
  await playground.round(5).getByRole('button', { name: 'Round 5', exact: true }).click();
  await expect(playground.scrubber).toContainText('round 5 · Request 5');
  const { text, body } = await playground.sentBody();
  expect(body.stream).toBe(true);
  expect(body.messages).toHaveLength(9);
  const last = body.messages.at(-1);
  expect(last.role).toBe('user');
  expect(last.content.map((block) => block.type)).toEqual(['tool_result', 'text']);
  expect(last.content[1]).toEqual({ type: 'text', text: REMINDER });
  expect(text).toContain(`{"type":"text","text":"${REMINDER}"}]}]`);
});

test('the request before it does not hold it', async ({ playground }) => {
  await playground.round(4).getByRole('button', { name: 'Round 4', exact: true }).click();
  const { body } = await playground.sentBody();
  expect(JSON.stringify(body.messages)).not.toContain('<reminder>');
});

test('the chip in the transcript leads to the block', async ({ playground }) => {
  await playground.tab('Files').click();
  await playground.round(4).getByRole('button', { name: 'messages[8].content[1]' }).click();
  await expect(playground.tab('Messages')).toHaveAttribute('aria-selected', 'true');
  await expect(playground.block('messages[8].content[1]')).toBeInViewport();
});

test('the chip leads to the block in a list that is scrolled elsewhere, and its message is in sight from the heading on', async ({ playground, page }) => {
  await expect(playground.block('messages[17].content[0]')).toBeInViewport();
  await playground.round(4).getByRole('button', { name: 'messages[8].content[1]' }).click();
  await expect(playground.block('messages[8].content[1]')).toBeInViewport();
  // Playwright's own notion of a viewport knows nothing of the list's edge.
  const top = (locator) => locator.evaluate((element) => element.getBoundingClientRect().top);
  const edge = await top(page.locator('.messages'));
  expect(await top(playground.panel.getByRole('heading', { name: 'messages[8]' }))).toBeGreaterThanOrEqual(edge);
  expect(await top(playground.block('messages[8].content[0]'))).toBeGreaterThan(edge);
});

test('a list that no request carries yet is called so', async ({ playground, page }) => {
  await playground.slider.press('Home');
  await page.getByRole('button', { name: 'One step on', exact: true }).click();
  await expect(playground.panel).toContainText('What the first request will carry');
  await playground.live.click();
  await expect(playground.panel).toContainText('What will be sent after request 9');
});

test('while it is new, the counter says where it went and leads to that moment', async ({ playground }) => {
  await playground.round(5).getByRole('button', { name: 'Round 5', exact: true }).click();
  await expect(playground.counterSaid).toHaveText('Reminder added, counter back to 0: messages[8].content[1]');
  await expect(playground.lit).toHaveCount(3);
  await playground.counter.getByRole('button', { name: 'messages[8].content[1]' }).click();
  await expect(playground.scrubber).toContainText('round 4 · reminder added');
  await expect(playground.block('messages[8].content[1]')).toBeInViewport();
});
