// A real model: the settings dialog, a whole run against a server, and where the key may be seen.

import { readFile } from 'node:fs/promises';
import { expect, test } from './playground.mjs';
import { call, KEY, plan, says, start, SYSTEM, thinking } from './messages-server.mjs';

/** A model that forgets its plan for three rounds, as in the scripted scenario. */
const forgetful = () => [
  says('I will write down the steps.', plan('[>] Look at the files', '[ ] Fix the typo')),
  says(call('glob', { pattern: '**/*' })),
  says('Reading.', call('read_file', { path: 'notes.md' })),
  says('Fixing.', call('edit_file', { path: 'notes.md', old_text: 'evrey', new_text: 'every' })),
  says('Right, my plan.', plan('[x] Look at the files', '[x] Fix the typo')),
  says('All done.'),
];

test.describe('the settings', () => {
  test('any form of a base URL is shown as the one address that requests go to', async ({ playground }) => {
    await playground.open();
    await playground.openSettings();
    for (const [typed, url] of [
      ['https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
      ['api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
      ['api.anthropic.com/', 'https://api.anthropic.com/v1/messages'],
      ['api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages'],
      ['api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
      ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1/messages'],
      ['https://api.anthropic.com/v1/messages/', 'https://api.anthropic.com/v1/messages'],
      ['  https://api.deepseek.com/anthropic  ', 'https://api.deepseek.com/anthropic/v1/messages'],
      ['localhost:11434', 'http://localhost:11434/v1/messages'],
      ['127.0.0.1:8080/', 'http://127.0.0.1:8080/v1/messages'],
      ['http://[::1]:1234/v1', 'http://[::1]:1234/v1/messages'],
    ]) {
      await playground.field('baseUrl').fill(typed);
      await expect(playground.dialog, `what "${typed}" leads to`).toContainText(`Requests go to ${url}`);
      expect(await playground.dialog.getByText('Requests go to').innerText()).toBe(`Requests go to ${url}`);
    }
  });

  test('an address that cannot be used is refused in words', async ({ playground }) => {
    await playground.open();
    await playground.openSettings();
    await playground.field('key').fill(KEY);
    for (const [typed, words] of [
      ['', 'The base URL is missing.'],
      ['ftp://host', 'begins with something else than http:// or https://'],
      ['https://user:secret@host', 'holds a user name'],
      ['https://host/v1?key=1', 'holds a ? or #'],
      ['https://ho st', 'has a space inside'],
      ['https://host:99999', 'has a port that is none'],
      ['https://', 'is no address'],
      ['https:/host', 'has a colon that neither // nor a port follows'],
      ['javascript:alert(1)', 'has a colon that neither // nor a port follows'],
      ['https://ho\u200bst', 'has an invisible character of no width inside'],
    ]) {
      await playground.field('baseUrl').fill(typed);
      await expect(playground.dialog, `what "${typed}" leads to`).toContainText(words);
      await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
      await expect(playground.dialog.getByRole('alert')).toContainText(words);
      // Once, at the field, which is marked and has the focus.
      await expect(playground.dialog.getByText(words)).toHaveCount(1);
      await expect(playground.field('baseUrl')).toHaveAttribute('aria-invalid', 'true');
      await expect(playground.field('baseUrl')).toHaveAccessibleDescription(new RegExp(words.replaceAll('?', '\\?')));
      await expect(playground.field('baseUrl')).toBeFocused();
    }
  });

  test('a key that no header can carry is refused in words', async ({ playground }) => {
    await playground.open();
    await playground.openSettings();
    for (const [typed, words] of [
      ['sk-ant-ａｂｃ', 'has a character that no key can have'],
      ['sk-ant-1234（我的）', 'has a character that no key can have'],
      ['sk-ant 1234', 'has a space inside'],
      ['sk-ant\u200b1234', 'has an invisible character of no width inside'],
    ]) {
      await playground.field('key').fill(typed);
      await expect(playground.dialog.getByRole('alert')).toHaveCount(0);
      await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
      await expect(playground.dialog.getByRole('alert')).toContainText(words);
      await expect(playground.field('key')).toHaveAttribute('aria-invalid', 'true');
      await expect(playground.field('key')).toBeFocused();
      await expect(playground.dialog).not.toContainText(typed);
    }
  });

  test('what copying adds around a key is taken off', async ({ playground, server }) => {
    await playground.open();
    const typed = [`${KEY}\n`, `"${KEY}"`, `\ufeff${KEY}\u200b`, `  ${KEY}\t`, `“${KEY}”`];
    for (const [i, key] of typed.entries()) {
      server.answers(says(`Hello ${i}.`));
      await playground.useEndpoint({ url: server.url, key });
      await playground.ask(`Question ${i}`);
      await expect(playground.round(i + 1)).toContainText(`Hello ${i}.`);
      expect(server.requests[i].headers['x-api-key']).toBe(KEY);
    }
  });

  test('a wrong number of tokens and a missing model are refused in words', async ({ playground }) => {
    await playground.open();
    await playground.openSettings();
    const use = playground.dialog.getByRole('button', { name: 'Use this endpoint' });
    await playground.field('key').fill(KEY);
    await playground.field('maxTokens').fill('many');
    await use.click();
    await expect(playground.dialog.getByRole('alert')).toContainText('The max tokens is no positive whole number');
    await expect(playground.field('maxTokens')).toBeFocused();
    const border = (name) => playground.field(name).evaluate((field) => getComputedStyle(field).borderColor);
    expect(await border('maxTokens')).not.toBe(await border('model'));
    await playground.field('maxTokens').fill('99999999999');
    await use.click();
    await expect(playground.dialog.getByRole('alert')).toContainText('The max tokens is too large a number');
    await playground.field('maxTokens').fill('');
    await playground.field('model').fill('  ');
    await use.click();
    await expect(playground.dialog.getByRole('alert')).toContainText('The model is missing.');
    await expect(playground.field('model')).toHaveAttribute('aria-invalid', 'true');
  });

  test('Cancel changes nothing', async ({ playground, page }) => {
    await playground.open();
    await playground.openSettings();
    await playground.field('model').fill('another-model');
    await playground.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(playground.dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Scripted' })).toHaveAttribute('aria-pressed', 'true');
    await playground.runToEnd();
    await expect(playground.updates).toHaveCount(4);
  });

  test('Escape keeps what was typed, Cancel does not; behind the dialog F8 does nothing', async ({ playground, page }) => {
    await playground.open();
    await playground.openSettings();
    await playground.field('model').fill('another-model');
    await playground.field('key').fill(KEY);
    await page.keyboard.press('F8');
    await page.keyboard.press('Escape');
    await expect(playground.dialog).toBeHidden();
    await expect(playground.scrubber).toContainText('No steps yet');
    await playground.openSettings();
    await expect(playground.field('model')).toHaveValue('another-model');
    await expect(playground.field('key')).toHaveValue(KEY);
    await playground.dialog.getByRole('button', { name: 'Cancel' }).click();
    await playground.openSettings();
    await expect(playground.field('model')).toHaveValue('claude-sonnet-4-5');
    await expect(playground.field('key')).toHaveValue('');
  });

  test('a key that was typed before Escape is not sent to a host that was typed after it', async ({ playground, page, server }) => {
    await playground.open();
    await playground.openSettings();
    await playground.field('key').fill(KEY);
    await playground.field('baseUrl').fill(server.url);
    await page.keyboard.press('Escape');
    await playground.openSettings();
    if ((await playground.field('key').inputValue()) !== '') {
      await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
    }
    await expect(playground.dialog.getByRole('alert')).toContainText('was typed for another host');
    await expect(playground.field('key')).toHaveValue('');
  });

  test('a long model name does not push the rest away', async ({ playground, page, server }) => {
    await page.setViewportSize({ width: 1001, height: 700 });
    await playground.open();
    await playground.useEndpoint({ url: server.url, model: 'a-model-with-a-name-that-is-much-longer-than-any-button-can-be-2026-11-30' });
    await expect(page.getByRole('banner')).toHaveCSS('flex-wrap', 'nowrap');
    for (const control of [playground.lesson, playground.scenario, playground.run, playground.stop, playground.theme]) {
      await expect(control).toBeInViewport({ ratio: 1 });
    }
    expect((await page.getByRole('banner').boundingBox()).height).toBeLessThan(60);
  });

  test('the endpoint in use is named at the top, and the scripted model can be had back', async ({ playground, page, server }) => {
    await playground.open();
    await playground.useEndpoint({ url: server.url, model: '  some-model ' });
    await expect(page.getByRole('button', { name: 'some-model', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await expect(playground.speed).toBeHidden();
    await playground.openSettings();
    await playground.dialog.getByRole('button', { name: 'Back to the script' }).click();
    await expect(page.getByRole('button', { name: 'Scripted' })).toHaveAttribute('aria-pressed', 'true');
    await playground.runToEnd();
    expect(server.requests).toHaveLength(0);
  });

  test('a key is not sent to another host than the one it was typed for', async ({ playground, server }) => {
    const other = await start();
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.openSettings();
    await playground.field('baseUrl').fill(`${server.url}/v1/`); // the same host in another form
    await playground.field('baseUrl').press('Tab');
    await expect(playground.field('key')).toHaveValue(KEY);
    await playground.field('baseUrl').fill(other.url);
    await playground.field('baseUrl').press('Enter');
    await expect(playground.dialog.getByRole('alert')).toContainText('was typed for another host');
    await expect(playground.field('key')).toHaveValue('');
    await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
    await expect(playground.dialog).toBeHidden();
    await playground.run.click();
    await expect(playground.alert).toContainText('401');
    expect(other.requests.map((request) => request.headers['x-api-key'])).toEqual([undefined]);
    await other.close();
  });
});

test.describe('a run', () => {
  test('plan, counter, reminder and plan update with a live model', async ({ playground, server }) => {
    server.answers(...forgetful());
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    expect(server.requests).toHaveLength(6);
    await playground.expectBoard([], [], ['Look at the files', 'Fix the typo']);
    await expect(playground.round(2)).toContainText('Counter 1 of 3');
    await expect(playground.round(3)).toContainText('Counter 2 of 3');
    await expect(playground.round(4)).toContainText('Counter 3 of 3');
    await expect(playground.round(4)).toContainText('messages[8].content[1]');
    await expect(playground.round(5)).toContainText('Counter 0');

    const [first, , , , fifth] = server.requests.map((request) => request.body);
    expect(first.messages).toEqual([{ role: 'user', content: expect.stringContaining('Tidy up this small project') }]);
    expect(first.system).toBe(SYSTEM.s05);
    expect(first.tools.map((tool) => tool.name)).toEqual(['bash', 'read_file', 'write_file', 'edit_file', 'glob', 'todo_write']);
    expect(first.max_tokens).toBe(8000);
    expect(first.model).toBe('test-model');
    expect(fifth.messages.at(-1).content.at(-1)).toEqual({ type: 'text', text: '<reminder>Update your todos.</reminder>' });
    // Each request is the one before it and what came since.
    const bodies = server.requests.map((request) => request.body);
    for (const [i, body] of bodies.slice(1).entries()) {
      expect(body.messages.slice(0, bodies[i].messages.length)).toEqual(bodies[i].messages);
      expect({ ...body, messages: [] }).toEqual({ ...bodies[i], messages: [] });
    }
    const { text } = await playground.sentBody();
    expect(text).toBe(server.requests[5].raw);
  });

  test('the text can be read before the reply is over, and so can a call', async ({ playground, server }) => {
    server.answers(
      says('The first words and the last ones.', plan('[>] Wait')).with({ holdAfter: 4 }),
      says(plan('[x] Wait')).with({ holdAfter: 6 }),
      says('Over.'),
    );
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.run.click();
    await expect(playground.round(1)).toContainText('The first words and the');
    await expect(playground.round(1)).not.toContainText('last ones');
    await expect(playground.scrubber).toContainText('Request 1');
    server.release();
    await expect(playground.round(1)).toContainText('The first words and the last ones.');
    await expect(playground.round(2)).toContainText('todo_write');
    await expect(playground.round(2)).toContainText('being written');
    await expect(playground.round(2)).toContainText('"content":"Wait');
    await playground.expectBoard([], ['Wait'], []);
    server.release();
    await playground.over();
    await playground.expectBoard([], [], ['Wait']);
  });

  test('the request carries the right headers, and the Request tab shows them without the key', async ({ playground, server }) => {
    server.answers(says('Hello.'));
    await playground.open();
    await playground.useEndpoint({ url: `${server.url}/v1/`, maxTokens: '1234' });
    await playground.runToEnd();
    const { headers, path, body } = server.requests[0];
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-api-key': KEY,
    });
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(body.max_tokens).toBe(1234);
    await playground.tab('Request').click();
    await expect(playground.panel).toContainText(`POST ${server.url}/v1/messages`);
    await expect(playground.panel).toContainText('x-api-key: hidden');
    await expect(playground.panel).toContainText('anthropic-version: 2023-06-01');
  });

  test('the Request tab says of each request where it went, whatever is chosen by now', async ({ playground, page, server }) => {
    server.echoes = false;
    server.answers(says('A first half and a second half', plan('[>] Live')).with({ holdAfter: 4 }));
    const scripted = page.getByRole('button', { name: 'Scripted', exact: true });
    const sent = `POST ${server.url}/v1/messages`;
    await playground.open();
    await playground.runToEnd();
    await playground.tab('Request').click();
    await expect(playground.panel).toContainText('nothing is sent over the network');
    await playground.useEndpoint({ url: server.url, model: 'scripted' }); // a name is no proof
    await expect(playground.panel).toContainText('nothing is sent over the network');
    await expect(playground.panel).not.toContainText('POST');
    await playground.ask('Go on');
    await server.request(1);
    await expect(playground.panel).toContainText(sent);
    await expect(playground.panel).toContainText('x-api-key: hidden');
    // In mid-flight: it went to the endpoint, and the next one won't.
    await scripted.click();
    await expect(scripted).toHaveAttribute('aria-pressed', 'true');
    await expect(playground.panel).toContainText(sent);
    await expect(playground.panel).not.toContainText('nothing is sent over the network');
    server.release();
    await playground.over();
    await expect(playground.panel).toContainText('Request 11');
    await expect(playground.panel).toContainText('nothing is sent over the network');
    await playground.round(10).getByRole('button', { name: 'Round 10', exact: true }).click();
    await expect(playground.panel).toContainText(sent);
    await playground.round(9).getByRole('button', { name: 'Round 9', exact: true }).click();
    await expect(playground.panel).not.toContainText('POST');
    // Another endpoint, and the run brought back.
    await playground.useEndpoint({ url: 'http://elsewhere.invalid' });
    await page.getByRole('button', { name: 'Start over' }).click();
    await playground.bringBack.click();
    await expect(playground.panel).toContainText('Request 11');
    await expect(playground.panel).not.toContainText('POST');
    await playground.round(10).getByRole('button', { name: 'Round 10', exact: true }).click();
    await expect(playground.panel).toContainText(sent);
    await expect(playground.panel).not.toContainText('elsewhere');
  });

  test('a request that is held back goes to the model that is chosen meanwhile, and says so', async ({ playground, page }) => {
    await playground.open();
    for (let presses = 0; presses < 3; presses += 1) await playground.step.click();
    await expect(playground.scrubber).toContainText('Request 1');
    await playground.tab('Request').click();
    await expect(playground.panel).toContainText('nothing is sent over the network');
    await playground.useEndpoint({ url: 'http://elsewhere.invalid' });
    await expect(playground.panel).toContainText('POST http://elsewhere.invalid/v1/messages');
    await page.getByRole('button', { name: 'Scripted' }).click();
    await expect(playground.panel).toContainText('nothing is sent over the network');
    await expect(playground.panel).not.toContainText('POST');
  });

  test('the key is nowhere: not on the page, not in storage, not in the log, not after a reload', async ({ playground, page, server }) => {
    server.answers(says('Hello.', plan('[>] A')), says('Over.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    const everywhere = () =>
      page.evaluate(() => [document.documentElement.outerHTML, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie, location.href].join('\n'));
    for (const tab of ['Messages', 'Request', 'Files', 'Terminal']) {
      await playground.tab(tab).click();
      expect(await everywhere()).not.toContain(KEY);
    }
    await playground.openSettings();
    expect(await everywhere()).not.toContain(KEY);
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save log' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).not.toContain(KEY);
    expect((await page.context().storageState()).origins.flatMap((origin) => origin.localStorage).map((item) => item.value).join()).not.toContain(KEY);

    await page.reload();
    await playground.openSettings();
    await expect(playground.field('key')).toHaveValue('');
    await expect(playground.field('key')).toHaveAttribute('type', 'password');
  });

  test('a run that the script began can be gone on with by a live model', async ({ playground, server }) => {
    server.echoes = false; // the first replies are the script's
    server.answers(says('Nine rounds before me.', plan('[x] All of it')), says('Over.'));
    await playground.open();
    await playground.runToEnd();
    await playground.useEndpoint({ url: server.url });
    await playground.ask('What is left?');
    await expect(playground.round(11)).toContainText('Over.');
    const { messages } = server.requests[0].body;
    expect(messages).toHaveLength(19);
    expect(messages[8].content[1].text).toBe('<reminder>Update your todos.</reminder>');
    await playground.expectBoard([], [], ['All of it']);
  });

  test('Copy puts the body on the clipboard, as it was sent', async ({ playground, page, server }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    server.answers(says('Hello.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    await playground.tab('Request').click();
    await playground.panel.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(server.requests[0].raw);
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
  });

  test('Copy works where the page has no clipboard, as over http from another machine', async ({ playground, page }) => {
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined, configurable: true }));
    await playground.open();
    await playground.runToEnd();
    const { text } = await playground.sentBody();
    await playground.panel.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
    await playground.prompt.focus();
    await page.keyboard.press('Control+V');
    await expect(playground.prompt).toHaveValue(text);
  });

  test('a browser that refuses to copy is not said to have copied', async ({ playground, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined, configurable: true });
      document.execCommand = () => false;
    });
    await playground.open();
    await playground.runToEnd();
    await playground.tab('Request').click();
    await playground.panel.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'does not allow copying' })).toBeVisible();
  });

  test('pressed twice in a hurry, Send and Run begin one turn', async ({ playground, server }) => {
    server.answers(says('Once.'), says('Once more.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.prompt.fill('Hello');
    await playground.send.dblclick();
    await playground.over();
    await playground.prompt.fill('Hello again');
    await playground.run.dblclick();
    await expect(playground.transcript).toContainText('Once more.');
    expect(server.requests).toHaveLength(2);
  });

  test('another lesson chosen while a request is under way gives the request up, and nothing breaks', async ({ playground, server }) => {
    server.answers(says('A first half and a second half').with({ holdAfter: 4 }));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.run.click();
    const request = await server.request(1);
    await expect(playground.round(1)).toContainText('A first half');
    await playground.tab('Files').click();
    await playground.lesson.selectOption('S04 Hooks');
    expect(await request.ended).toBe('aborted');
    await expect(playground.scrubber).toContainText('No steps yet');
    await expect(playground.run).toBeEnabled();
  });

  test('thinking goes back unchanged and can be read', async ({ playground, server }) => {
    server.answers(says(thinking('First the files, then the plan. 先看文件。', 'c2lnbmF0dXJl+/=='), 'Looking.', call('glob', { pattern: '*' })), says('Over.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    const [block] = server.requests[1].body.messages[1].content;
    expect(block).toEqual({ type: 'thinking', thinking: 'First the files, then the plan. 先看文件。', signature: 'c2lnbmF0dXJl+/==' });
    await playground.round(1).getByText('thinking').click();
    await expect(playground.round(1)).toContainText('First the files, then the plan.');
  });

  test('calls that are wrong get the lesson\'s error as their result, and the model goes on', async ({ playground, server }) => {
    server.answers(
      says(call('Bash', { command: 'ls' }), call('read_file', { file: 'a' }), call('glob', {}), call('todo_write', { todos: 'abc' })),
      says('I see.'),
    );
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    const results = server.requests[1].body.messages[2].content.map((block) => block.content);
    expect(results[0]).toBe('Unknown: Bash');
    expect(results[1]).toMatch(/^Error: run_read\(\) (got an unexpected|missing)/);
    expect(results[2]).toMatch(/^Error: run_glob\(\) missing 1 required positional argument: 'pattern'/);
    expect(results[3]).toMatch(/^Error: todos must be/);
    await expect(playground.updates).toHaveText([/refused, the plan stays: todos must be/]);
  });

  test('a second prompt goes on with the same history, the plan stays and the counter starts again', async ({ playground, server }) => {
    server.answers(
      says(plan('[>] Long work')),
      says(call('glob', { pattern: '*' })),
      says('A pause.'),
      says(call('glob', { pattern: '*' })),
      says('Over.'),
    );
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    await expect(playground.counterSaid).toHaveText('1 of 3 rounds without todo_write');
    await expect(playground.prompt).toHaveValue('');
    await playground.ask('Go on, please');
    await expect(playground.transcript).toContainText('Turn 2');
    await expect(playground.round(5)).toContainText('Over.');
    await expect(playground.counterSaid).toHaveText('1 of 3 rounds without todo_write');
    await playground.expectBoard([], ['Long work'], []);
    expect(server.requests[3].body.messages.at(-1)).toEqual({ role: 'user', content: 'Go on, please' });
  });

  for (const [what, options] of [
    ['one-byte chunks', { bytes: 1, piece: 3 }],
    ['CRLF line ends', { lineEnd: '\r\n' }],
    ['CR line ends', { lineEnd: '\r' }],
    ['data-only events', { named: false }],
    ['pings and comments in between', { pings: true }],
    ['a second message_start', { starts: 2 }],
    ['events and deltas of types that are new', {
      rewrite: (events) => events.flatMap((event, i) => (i === 2 ? [event, ['usage_report', { total: 1 }], ['content_block_delta', { index: 0, delta: { type: 'mood_delta', mood: 'fine' } }]] : [event])),
    }],
  ]) {
    test(`a stream with ${what} is read as any other`, async ({ playground, server }) => {
      const words = '写报告 ★ 🚀 — naïve';
      server.answers(says(words, plan(`[>] ${words}`)).with(options), says('Over.').with(options));
      await playground.open();
      await playground.useEndpoint({ url: server.url });
      await playground.runToEnd();
      await playground.expectBoard([], [words], []);
      await expect(playground.round(1).locator('.said')).toHaveText([words]);
      await expect(playground.round(2).locator('.said')).toHaveText(['Over.']);
    });
  }
});

test.describe('endpoints of other makers', () => {
  test.use({ serverOptions: { cors: 'listed', auth: 'bearer' } });

  test('Bearer and no vendor headers reach a server that refuses unknown headers', async ({ playground, server }) => {
    server.answers(...forgetful());
    await playground.open();
    await playground.useEndpoint({ url: server.url, auth: 'Authorization: Bearer', vendorHeaders: false });
    await playground.runToEnd();
    const { headers } = server.requests[0];
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(headers['x-api-key']).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith('anthropic-'))).toEqual([]);
    expect(server.preflights[0].split(',').map((name) => name.trim()).sort()).toEqual(['authorization', 'content-type']);
    await playground.tab('Request').click();
    await expect(playground.panel).toContainText('authorization: hidden');
  });

  test('with vendor headers such a server is out of reach; the words lead to the switch, and Retry works', async ({ playground, server }) => {
    server.answers(says('Reached.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url, auth: 'Authorization: Bearer' });
    await playground.run.click();
    await expect(playground.alert).toContainText('CORS');
    expect(server.requests).toHaveLength(0);
    await playground.alert.getByRole('button', { name: 'Settings' }).click();
    await playground.field('vendor').uncheck();
    await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
    await playground.retry.click();
    await playground.over();
    await expect(playground.transcript).toContainText('Reached.');
  });
});

test.describe('a server that wants no key', () => {
  test.use({ serverOptions: { cors: 'listed', auth: 'none' } });

  test('is asked without one', async ({ playground, server }) => {
    server.answers(says('Open to all.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url, auth: 'no key', vendorHeaders: false });
    await playground.runToEnd();
    const { headers } = server.requests[0];
    expect(headers.authorization).toBeUndefined();
    expect(headers['x-api-key']).toBeUndefined();
    await expect(playground.transcript).toContainText('Open to all.');
  });
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('用真实模型走完整个流程', async ({ playground, server }) => {
    server.answers(...forgetful());
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    await expect(playground.round(4)).toContainText('已加进同一条 user 消息');
    await playground.openSettings();
    await playground.field('key').fill('ｓｋ－ａｎｔ');
    await playground.dialog.getByRole('button', { name: '使用此接口' }).click();
    await expect(playground.dialog.getByRole('alert')).toContainText('含有密钥里不会出现的字符');
  });
});
