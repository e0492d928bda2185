// Taking the run away, starting over, and what is left when the program crashes.

import { readFile } from 'node:fs/promises';
import { expect, test } from './playground.mjs';
import { plan, says } from './messages-server.mjs';

async function lines(download) {
  const file = await download;
  expect(file.suggestedFilename()).toBe('todowrite-run.jsonl');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.trimEnd().split('\n').map((line) => JSON.parse(line));
}

test('Save log gives a file of JSON lines: a head, then one line for each event', async ({ playground, page }) => {
  await playground.open();
  await expect(page.getByRole('button', { name: 'Save log' })).toHaveCount(0);
  await playground.runToEnd();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save log' }).click();
  const [head, ...events] = await lines(download);
  expect(head).toMatchObject({ recording: 2, workdir: '/workspace', lesson: { id: 's05' } });
  expect(JSON.stringify(head.files)).toContain('greeting.py');
  for (const event of events) expect(event).toEqual({ at: expect.any(Number), event: expect.objectContaining({ event: expect.any(String) }) });
  const times = events.map((event) => event.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const kinds = events.map((event) => event.event.event);
  expect(kinds[0]).toBe('model_chosen');
  expect(kinds.filter((kind) => kind === 'prompt_submitted')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'tool_finished')).toHaveLength(9);
  expect(kinds.filter((kind) => kind === 'model_failed')).toHaveLength(0);
});

test('a log in Chinese is UTF-8', async ({ playground, page, server }) => {
  server.answers(says('写报告 ★', plan('[>] 写报告 ★')), says('完成。'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.ask('写报告 ★');
  await playground.over();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save log' }).click();
  const all = JSON.stringify(await lines(download));
  expect(all).toContain('写报告 ★');
  expect(all).not.toContain('\ufffd');
});

test('Start over begins the scenario again, and the run that was left can be brought back', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  const [total] = await playground.place();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(playground.scrubber).toContainText('No steps yet');
  await expect(playground.prompt).toHaveValue(/^Tidy up/);
  await playground.expectBoard([], [], []);
  await expect(playground.transcript).toContainText('One earlier run is kept.');
  await expect(playground.bringBack).toHaveText('Bring back the run “The forgetful model” (S05 TodoWrite)');
  await playground.bringBack.click();
  await expect(playground.scrubber).toContainText(`Step ${total} of ${total}`);
  await playground.expectBoard([], [], ['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
  await expect(playground.block('messages[8].content[1]')).toBeAttached();
});

test('after starting over the scenario runs again from its own files', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await page.getByRole('button', { name: 'Start over' }).click();
  await playground.tab('Files').click();
  await expect(playground.panel).not.toContainText('README.md');
  await playground.runToEnd();
  await expect(playground.panel).toContainText('README.md');
  await expect(playground.updates).toHaveCount(4);
});

test('choosing another scenario leaves the run, which can be brought back with its scenario', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await playground.scenario.selectOption('Refactor hello.py');
  await expect(playground.transcript).toContainText('each ticked off as it is done');
  await expect(playground.prompt).toHaveValue(/^Refactor s05_todo_write/);
  await playground.bringBack.click();
  await expect(playground.scenario.locator('option:checked')).toHaveText('The forgetful model');
  await expect(playground.board).toContainText('Write README.md');
});

test('of several runs the last one is kept, and it changes places with the one at hand', async ({ playground }) => {
  await playground.open({ lesson: 'S04 Hooks' });
  await playground.runToEnd();
  await playground.lesson.selectOption('S05 TodoWrite');
  await expect(playground.bringBack).toHaveText('Bring back the run “The forgetful model” (S04 Hooks)');
  await playground.runToEnd();
  await expect(playground.updates).toHaveCount(4);
  await playground.bringBack.click();
  await expect(playground.lesson.locator('option:checked')).toHaveText('S04 Hooks');
  await expect(playground.updates).toHaveCount(0);
  await expect(playground.bringBack).toHaveText('Bring back the run “The forgetful model” (S05 TodoWrite)');
  await playground.bringBack.click();
  await expect(playground.updates).toHaveCount(4);
});

test('what the reader typed outlives another lesson, another scenario and starting over', async ({ playground, page }) => {
  const own = 'A long prompt of my own';
  await playground.open();
  await playground.runToEnd();
  await playground.prompt.fill(own);
  await playground.lesson.selectOption('S04 Hooks');
  await expect(playground.prompt).toHaveValue(own);
  await playground.scenario.selectOption('Refactor hello.py');
  await expect(playground.prompt).toHaveValue(own);
  await playground.lesson.selectOption('S05 TodoWrite');
  await expect(playground.prompt).toHaveValue(own);
  // A scenario's own prompt and an empty box are no such thing.
  await playground.prompt.fill('');
  await playground.scenario.selectOption('The forgetful model');
  await expect(playground.prompt).toHaveValue(/^Tidy up/);
  await playground.scenario.selectOption('Refactor hello.py');
  await expect(playground.prompt).toHaveValue(/^Refactor/);
  // The run that was left while it stood there brings it back.
  await playground.bringBack.click();
  await expect(playground.prompt).toHaveValue(own);
  // A suggestion in its place: it is among the suggestions.
  await page.getByText('Suggested prompts').click();
  await page.getByRole('button', { name: /^Tidy up/ }).click();
  await expect(playground.prompt).toHaveValue(/^Tidy up/);
  await page.getByRole('button', { name: `${own} what you typed` }).click();
  await expect(playground.prompt).toHaveValue(own);
});

test('starting over in the middle of a live run gives the request up', async ({ playground, page, server }) => {
  server.answers(says('A first half and a second half').with({ holdAfter: 4 }), says('The new run.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const request = await server.request(1);
  await expect(playground.round(1)).toContainText('A first half');
  await page.getByRole('button', { name: 'Start over' }).click();
  expect(await request.ended).toBe('aborted');
  await playground.runToEnd();
  await expect(playground.transcript).toContainText('The new run.');
  expect(server.requests[1].body.messages).toHaveLength(1);
});

test('a run that was left in mid-stream can be brought back and goes on with another prompt', async ({ playground, page, server }) => {
  server.answers(says(plan('[>] Kept')), says('A first half and a second half').with({ holdAfter: 4 }), says('Goes on.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await server.request(2);
  await expect(playground.round(2)).toContainText('A first half');
  await page.getByRole('button', { name: 'Start over' }).click();
  await playground.bringBack.click();
  await expect(playground.board).toContainText('Kept');
  await expect(playground.round(2)).toContainText('The turn was stopped.');
  await expect(playground.transcript).not.toContainText('You stopped');
  // The request is gone with the page's hold on it, so the run must not wait for it for ever.
  if (await playground.stop.isEnabled()) await playground.stop.click();
  await playground.ask('Go on');
  await expect(playground.transcript).toContainText('Goes on.');
});

for (const [locale, words] of [
  ['en-US', { crashed: 'has stopped because of a bug', save: "Save the run's log", reload: 'Reload the page' }],
  ['zh-CN', { crashed: '程序内部出错', save: '保存运行日志', reload: '重新加载页面' }],
]) {
  test.describe(`a crash, ${locale}`, () => {
    test.use({ locale });

    test('the page says that it crashed, and lets the run\'s log be saved', async ({ playground, page, trouble }) => {
      await playground.open();
      await playground.runToEnd();
      // As an extension that rewrites the page does: the program's next change of the page fails, and it panics.
      await page.evaluate(() => {
        Node.prototype.insertBefore = () => {
          throw new DOMException('broken by the test', 'NotFoundError');
        };
      });
      await page.getByRole('button', { name: playground.words.startOver }).click();
      const overlay = page.locator('.crash');
      await expect(overlay).toBeVisible();
      await expect(overlay).toHaveRole('alertdialog');
      await expect(overlay).toContainText(words.crashed);
      const save = overlay.getByRole('link', { name: words.save });
      await expect(save).toBeFocused();
      const download = page.waitForEvent('download');
      await save.click();
      const [head, ...events] = await lines(download);
      expect(head.recording).toBe(2);
      expect(events.length).toBeGreaterThan(10);
      await overlay.getByRole('button', { name: words.reload }).click();
      await expect(playground.run).toBeEnabled();
      expect(trouble.length).toBeGreaterThan(0); // the panic's message is on the console, for a report
      trouble.length = 0;
    });
  });
}
