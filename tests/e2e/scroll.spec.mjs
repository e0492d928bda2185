// Reading and typing while a reply streams in.

import { expect, test } from './playground.mjs';
import { call, plan, says } from './messages-server.mjs';

const LONG = Array.from({ length: 120 }, (_, i) => `Line ${i + 1} of a long reply.`).join('\n');

/** The box that scrolls, and how far it is from its end. */
const box = (playground) => playground.page.locator('.transcript-scroll');
const top = (playground) => box(playground).evaluate((element) => element.scrollTop);
const below = (playground) => box(playground).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

test.beforeEach(async ({ playground, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await playground.open();
});

test('the transcript follows the reply', async ({ playground, server }) => {
  server.answers(says(LONG).with({ piece: 40, holdAfter: 60 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 80 of');
  await expect.poll(() => below(playground)).toBeLessThan(5);
  server.release();
  await playground.over();
  await expect.poll(() => below(playground)).toBeLessThan(5);
});

test('scrolled up by the wheel, it stays where it is while the reply goes on; at the end again, it follows', async ({ playground, page, server }) => {
  server.answers(says(LONG, plan('[>] On')).with({ piece: 40, holdAfter: 60 }), says(LONG).with({ piece: 40, holdAfter: 60 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 80 of');
  await expect.poll(() => below(playground)).toBeLessThan(5);
  await box(playground).hover();
  await page.mouse.wheel(0, -300);
  await expect.poll(() => below(playground)).toBeGreaterThan(200);
  const before = await top(playground);
  server.release();
  await server.request(2);
  await expect(playground.round(2)).toContainText('Line 60 of');
  expect(await top(playground)).toBe(before);
  await page.mouse.wheel(0, 100_000);
  await expect.poll(() => below(playground)).toBeLessThan(5);
  server.release();
  await playground.over();
  await expect.poll(() => below(playground)).toBeLessThan(5);
});

test('a small turn of the wheel is enough to stay', async ({ playground, page, server }) => {
  server.answers(says(LONG).with({ piece: 40, holdAfter: 60 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 80 of');
  await expect.poll(() => below(playground)).toBeLessThan(5);
  await box(playground).hover();
  await page.mouse.wheel(0, -60);
  await expect.poll(() => below(playground)).toBeGreaterThan(40);
  const before = await top(playground);
  server.release();
  await playground.over();
  expect(await top(playground)).toBe(before);
});

test('the message list stays where it was scrolled to, as well', async ({ playground, page, server }) => {
  const rounds = Array.from({ length: 12 }, (_, i) => says(`Round ${i + 1}.`, call('glob', { pattern: '*' })));
  server.answers(...rounds, says('Held here.', plan('[>] On')).with({ holdAfter: 3 }), says('Over.'));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(13)).toContainText('Held here.');
  const list = page.locator('.messages');
  await list.hover();
  await page.mouse.wheel(0, -300);
  await expect.poll(() => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)).toBeGreaterThan(200);
  // The list grows beyond what is drawn of it, and yet what is read stays where it is on the screen.
  const read = list.locator('article').filter({ hasText: 'messages[20]' });
  await expect(read).toBeInViewport();
  const before = await read.boundingBox();
  server.release();
  await playground.over();
  await expect(playground.panel).toContainText('messages[27]');
  expect(await read.boundingBox()).toEqual(before);
});

test('no character is lost that is typed while a reply streams in', async ({ playground, server }) => {
  server.answers(says(LONG).with({ piece: 4, delay: 2 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 1 of');
  const words = 'The next prompt, typed while the model writes: 写报告 ★, and quickly.';
  await playground.prompt.pressSequentially(words);
  await expect(playground.prompt).toHaveValue(words);
  await expect(playground.pause).toBeVisible(); // it was still streaming
  await playground.stop.click();
  await expect(playground.prompt).toHaveValue(words);
});

test('the caret stays in its place while a reply streams in', async ({ playground, server }) => {
  server.answers(says(LONG).with({ piece: 4, delay: 2 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 1 of');
  await playground.prompt.fill('begin  end');
  await playground.prompt.press('Home');
  for (let i = 0; i < 6; i += 1) await playground.prompt.press('ArrowRight');
  await playground.prompt.pressSequentially('in the middle');
  await expect(playground.prompt).toHaveValue('begin in the middle end');
  await playground.stop.click();
});

test('a composition is not broken by a reply that streams in', async ({ playground, page, server }) => {
  server.answers(says(LONG).with({ piece: 4, delay: 2 }));
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Line 1 of');
  await playground.prompt.focus();
  const client = await page.context().newCDPSession(page);
  for (const text of ['x', 'xi', 'xie', 'xie b', 'xie ba', 'xie bao']) {
    const lines = await playground.round(1).innerText();
    await client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await expect(playground.prompt).toHaveValue(text);
    await expect(playground.round(1)).not.toHaveText(lines, { useInnerText: true });
  }
  await client.send('Input.insertText', { text: '写报' });
  await expect(playground.prompt).toHaveValue('写报');
  await playground.stop.click();
});
