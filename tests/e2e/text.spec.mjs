// What comes from models, files and tools is shown as text, whatever it looks like.

import { expect, test } from './playground.mjs';
import { call, faults, plan, says, thinking } from './messages-server.mjs';

const MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=2</script><b>bold</b>';

/** Nothing of it became an element, and nothing of it ran. */
async function expectText(page) {
  expect(await page.evaluate(() => window.pwned)).toBeUndefined();
  expect(await page.locator('#app').locator('img, script, b:text-is("bold"), iframe').count()).toBe(0);
}

test('markup in replies, thinking, calls, results, files and the plan stays text', async ({ playground, page, server }) => {
  const name = '<img src=x onerror=alert(1)>.md';
  server.answers(
    says(thinking(`Hm: ${MARKUP}`, 'c2ln'), `Look: ${MARKUP}`, plan(`[>] ${MARKUP}`, '[ ] Second'), call('write_file', { path: name, content: MARKUP })),
    says(call('read_file', { path: name }), call(`<script>alert(1)</script>`.slice(0, 20), { [MARKUP]: MARKUP })),
    says(`Over. ${MARKUP}`),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url, model: MARKUP });
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  await playground.ask(`Please: ${MARKUP}`);
  // The API has no tool of such a name.
  const question = page.getByRole('alertdialog', { name: 'The API would refuse this request' });
  await expect(question).toContainText("A tool's name has 1 to 64 letters");
  await question.getByRole('button', { name: 'Send as it is' }).click();
  await playground.over();
  await expect(playground.transcript).toContainText(`Please: ${MARKUP}`);
  await expect(playground.round(1)).toContainText(`Look: ${MARKUP}`);
  await expect(playground.round(3)).toContainText(`Over. ${MARKUP}`);
  await expect(playground.column('In progress')).toHaveText([MARKUP]);
  await expect(playground.updates.first()).toContainText('<img src=x');
  await playground.round(1).getByText('thinking').click();
  await expect(playground.round(1)).toContainText(`Hm: ${MARKUP}`);
  for (const fold of await playground.transcript.locator('details.call summary').all()) await fold.click();
  for (const fold of await playground.panel.locator('details summary').all()) await fold.click();
  await expectText(page);
  await playground.tab('Request').click();
  await playground.panel.getByRole('button', { name: 'As sent' }).click();
  await expect(playground.panel).toContainText('Please: <img');
  await expectText(page);
  await playground.tab('Files').click();
  await playground.panel.getByRole('button', { name }).click();
  await expect(playground.panel).toContainText(MARKUP);
  await page.getByRole('button', { name: 'As the model reads it' }).click();
  await expect(playground.board).toContainText(`[>] ${MARKUP}`);
  await expectText(page);
});

test('markup in the messages of faults stays text', async ({ playground, page, server }) => {
  const fault = (status, message) => ({
    kind: 'plain',
    status,
    body: JSON.stringify({ type: 'error', error: { type: 'api_error', message }, request_id: MARKUP }),
    headers: { 'content-type': 'application/json' },
  });
  server.answers(fault(500, MARKUP), faults.page, { ...faults.page, body: MARKUP });
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.transcript).toContainText(`500 api_error: ${MARKUP}`);
  await playground.retry.click();
  await expect(playground.transcript).toContainText('<h1>Welcome to nginx!</h1>');
  await playground.retry.click();
  await expect(playground.transcript).toContainText(`It begins: ${MARKUP}`);
  await expectText(page);
});

test('markup in a permission question stays text', async ({ playground, page, server }) => {
  server.answers(says(call('write_file', { path: `/tmp/${MARKUP}`, content: MARKUP })), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.permission).toContainText('<img src=x');
  await expectText(page);
  await playground.deny.click();
  await playground.over();
  await expectText(page);
});

test('markup in mid-stream stays text', async ({ playground, page, server }) => {
  server.answers(says(MARKUP.repeat(3)).with({ piece: 5, holdAfter: 40 }));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText(MARKUP);
  await expectText(page);
  server.release();
  await playground.over();
});

test('plan items that look like other things are shown as they are', async ({ playground, server }) => {
  const items = ['two\nlines', '[x] fake', '<script>alert(1)</script>', 'zero\u200bwidth', '\u3000full width blank\u3000', '&lt;b&gt;', '{{ braces }}', '- [ ] markdown **bold**'];
  server.answers(says(plan(...items.map((item) => `[ ] ${item}`))), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.runToEnd();
  const cards = await playground.column('To do').evaluateAll((all) => all.map((card) => card.textContent));
  expect(cards).toEqual(items.map((item) => item.trim()));
  // The fake one is to do, whatever it says of itself.
  await expect(playground.column('Done')).toHaveText([]);
});

test('a word without an end breaks in itself, not in the mark before it', async ({ playground, page, server }) => {
  server.answers(says(plan(`[>] ${'endless'.repeat(40)}`)), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.runToEnd();
  const mark = page.locator('.card .mark');
  await expect(mark).toHaveText('[>]');
  const lines = await mark.evaluate((element) => element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight));
  expect(lines).toBeLessThan(1.5);
});

test('inputs of any shape are shown, and the page lives on', async ({ playground, server }) => {
  const inputs = [
    {}, { todos: null }, { todos: [null] }, { todos: ['a'] }, { todos: 'abc' }, { todos: {} }, { todos: [[1]] }, { todos: [{ content: 1, status: 2 }] },
    { todos: '[{"content":"from a string","status":"pending"}]' },
  ];
  server.answers(says(...inputs.map((input) => call('todo_write', input))), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.runToEnd();
  await expect(playground.round(1).locator('details.call')).toHaveCount(inputs.length);
  const results = server.requests[1].body.messages[2].content;
  expect(results.map((block) => block.content.startsWith('Error:'))).toEqual([...Array(inputs.length - 1).fill(true), false]);
  await playground.expectBoard(['from a string'], [], []);
});

test('a file of 2 MB in one line, and reading it, leave the page quick; it is shown in part, and whole on demand', async ({ playground, page, server }) => {
  const long = 'word '.repeat(400_000).trim();
  server.answers(
    says('Writing.', call('write_file', { path: 'long.txt', content: long })).with({ piece: 100_000 }),
    says('Reading.', call('read_file', { path: 'long.txt' })),
    says('Over.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.runToEnd();
  expect(server.requests[2].body.messages[4].content[0].content).toBe(long);
  await playground.call('read_file').locator('summary').click();
  await expect(playground.call('read_file').getByRole('button', { name: 'Show all 1.9 MB' })).toBeVisible();
  await playground.tab('Files').click();
  await playground.panel.getByRole('button', { name: 'long.txt' }).click();
  await expect(playground.panel).toContainText('word word');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  // Quick: from a press to the next frame that shows its answer.
  const took = await playground.tab('Messages').evaluate(async (tab) => {
    const start = performance.now();
    tab.click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  });
  expect(took).toBeLessThan(1000);
  await playground.slider.press('Home');
  await expect(playground.scrubber).toContainText('Step 1 of');
});

test('a long call is shown whole on demand', async ({ playground, server }) => {
  server.answers(says(call('write_file', { path: 'long.txt', content: 'word '.repeat(20_000) })).with({ piece: 50_000 }), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.runToEnd();
  await playground.call('write_file').locator('summary').click();
  const more = playground.call('write_file').getByRole('button', { name: 'Show all 100.0 kB' });
  await more.click();
  await expect(more).toBeHidden();
});
