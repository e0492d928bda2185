// The page without a mouse, and with an input method.

import { expect, test } from './playground.mjs';
import { says } from './messages-server.mjs';

/** What has the focus, in words. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element.labels?.[0]?.querySelector('span')?.textContent ?? element.labels?.[0]?.textContent;
    return element === document.body ? '' : (element.getAttribute('aria-label') ?? label ?? element.textContent).trim().slice(0, 60);
  });

/** Presses Tab, or Shift+Tab, until something of this name has the focus. */
async function tabTo(page, name, key = 'Tab') {
  for (let presses = 0; presses < 50; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not lead to ${name}`);
}

test('Tab leads through everything, in the order in which it stands', async ({ playground, page }) => {
  await page.goto('./');
  await expect(playground.run).toBeEnabled();
  const order = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const name = await focused(page);
    if (name === '' || name === order[0]) break;
    order.push(name);
  }
  const expected = ['Lesson', 'Scenario', 'Scripted', 'Endpoint', 'Speed', 'Run', 'Step', '中文', 'Theme', 'Settings'];
  expect(order.slice(0, expected.length)).toEqual(expected);
  const rest = order.slice(expected.length);
  for (const name of ['Suggested prompts', 'Prompt', 'Send', 'As the model reads it', 'Messages', 'Live']) expect(rest).toContain(name);
  const places = ['Suggested prompts', 'Prompt', 'Send', 'As the model reads it', 'Messages', 'Live'].map((name) => rest.indexOf(name));
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('the focus can be seen wherever it is', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await page.mouse.click(2, 2);
  const unseen = [];
  const seen = new Set();
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const [id, visible, name] = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const all = [...document.querySelectorAll('*')];
      const outline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
      return [all.indexOf(element), outline || element === document.body, `${element.tagName} ${element.textContent.slice(0, 40)}`];
    });
    if (seen.has(id)) break;
    seen.add(id);
    if (!visible) unseen.push(name);
  }
  expect(unseen).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
});

test('the whole first visit by keyboard', async ({ playground, page }) => {
  await page.goto('./');
  await expect(playground.run).toBeEnabled();
  await tabTo(page, 'Speed');
  await page.keyboard.press('End');
  await expect(playground.speed.locator('option:checked')).toHaveText('Instant');
  await tabTo(page, 'Run');
  await page.keyboard.press('Enter');
  await playground.over();
  // To the reminder, by its round in the transcript: back to its moment, and to the block.
  await tabTo(page, 'messages[8].content[1]');
  await page.keyboard.press('Enter');
  await expect(playground.tab('Messages')).toHaveAttribute('aria-selected', 'true');
  await expect(playground.block('messages[8].content[1]')).toBeInViewport();
  await expect(playground.block('messages[8].content[1]').locator(':focus')).toHaveCount(1);
  await tabTo(page, 'Messages', 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(playground.tab('Request')).toBeFocused();
  await expect(playground.panel).toContainText('Request 9');
  await tabTo(page, 'Live');
  await page.keyboard.press('Tab');
  await expect(playground.slider).toBeFocused();
  await page.keyboard.press('Home');
  await expect(playground.scrubber).toContainText('Step 1 of');
});

test('the inspector\'s tabs go by arrows, Home and End, and only one of them is a stop for Tab', async ({ playground, page }) => {
  await playground.open();
  await playground.tab('Messages').focus();
  await page.keyboard.press('ArrowRight');
  await expect(playground.tab('Request')).toBeFocused();
  await expect(playground.tab('Request')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(playground.tab('Gates')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(playground.tab('Messages')).toBeFocused();
  await page.keyboard.press('End');
  await expect(playground.tab('Gates')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(playground.tab('Messages')).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(playground.tab('Gates')).toBeFocused();
});

test('Escape closes the settings, and the focus is back where it was', async ({ playground, page }) => {
  await playground.open();
  await tabTo(page, 'Settings');
  await page.keyboard.press('Enter');
  await expect(playground.dialog).toBeVisible();
  await expect(playground.dialog.locator(':focus')).toHaveCount(1);
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('Tab');
  const outside = await page.evaluate(() => document.activeElement !== document.body && !document.activeElement.closest('dialog'));
  expect(outside).toBe(false);
  await page.keyboard.press('Escape');
  await expect(playground.dialog).toBeHidden();
  expect(await focused(page)).toBe('Settings');
  // And again: it opens a second time.
  await page.keyboard.press('Enter');
  await expect(playground.dialog).toBeVisible();
});

test('Enter in a field of the settings uses them', async ({ playground, server }) => {
  server.answers(says('Hello.'));
  await playground.open();
  await playground.openSettings();
  await playground.field('baseUrl').fill(server.url);
  await playground.field('key').fill('sk-ant-test-0123456789abcdef');
  await playground.field('key').press('Enter');
  await expect(playground.dialog).toBeHidden();
  await playground.runToEnd();
});

test('Enter sends the prompt, Shift+Enter makes a new line', async ({ playground, server }) => {
  server.answers(says('Two lines.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.prompt.fill('First');
  await playground.prompt.press('Shift+Enter');
  await playground.prompt.pressSequentially('Second');
  await expect(playground.prompt).toHaveValue('First\nSecond');
  expect(server.requests).toHaveLength(0);
  await playground.prompt.press('Enter');
  await playground.over();
  expect(server.requests[0].body.messages).toEqual([{ role: 'user', content: 'First\nSecond' }]);
});

test('an empty prompt, or one of blanks, is not sent', async ({ playground }) => {
  await playground.open();
  for (const prompt of ['', '   ', '\n\n']) {
    await playground.prompt.fill(prompt);
    await expect(playground.send).toBeDisabled();
    await expect(playground.run).toBeDisabled();
    await playground.prompt.press('Enter');
    await expect(playground.scrubber).toContainText('No steps yet');
  }
});

test('the Enter that ends a composition does not send', async ({ playground, page }) => {
  await playground.open();
  const press = (options) =>
    playground.prompt.evaluate((field, options) => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...options });
      if (options.keyCode) Object.defineProperty(event, 'keyCode', { get: () => options.keyCode });
      return field.dispatchEvent(event);
    }, options);
  // Chromium and Firefox say so; Safari only gives the key code 229. Neither is prevented: the input method needs it.
  expect(await press({ isComposing: true })).toBe(true);
  expect(await press({ keyCode: 229 })).toBe(true);
  await expect(playground.scrubber).toContainText('No steps yet');

  // The same through Chromium's own input method.
  await playground.prompt.fill('');
  await playground.prompt.focus();
  const client = await page.context().newCDPSession(page);
  await client.send('Input.imeSetComposition', { text: 'xie', selectionStart: 3, selectionEnd: 3 });
  await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', windowsVirtualKeyCode: 229 });
  await client.send('Input.insertText', { text: '写' });
  await expect(playground.prompt).toHaveValue('写');
  await expect(playground.scrubber).toContainText('No steps yet');

  expect(await press({})).toBe(false);
  await playground.over();
});

test('a round\'s title, a suggestion and a call fold answer to Enter and to Space', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await playground.call('glob').locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(playground.call('glob')).toHaveAttribute('open');
  await page.keyboard.press('Space');
  await expect(playground.call('glob')).not.toHaveAttribute('open');
  await playground.round(2).getByRole('button', { name: 'Round 2', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(playground.scrubber).toContainText('Request 2');
  await playground.live.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Suggested prompts').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Tidy up/ }).focus();
  await page.keyboard.press('Enter');
  await expect(playground.prompt).toHaveValue(/^Tidy up/);
});
