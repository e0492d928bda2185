// Stop, at every moment at which a person can press it; the history stays one that the API takes.

import { expect, test } from './playground.mjs';
import { call, faults, plan, says } from './messages-server.mjs';

const NOT_RUN = '(not run: the turn was stopped)';

test('there is nothing to stop before and after a run', async ({ playground }) => {
  await playground.open();
  await expect(playground.stop).toBeDisabled();
  await playground.runToEnd();
  await expect(playground.stop).toBeDisabled();
});

test('stopping the scripted model in mid-stream keeps the half reply out of the history', async ({ playground, page }) => {
  await playground.open({ speed: 'Slow' });
  const prompt = await playground.prompt.inputValue();
  await playground.run.click();
  await expect(playground.round(1)).toContainText('Four');
  await playground.stop.click();
  await expect(playground.round(1)).toContainText('The turn was stopped.');
  await expect(playground.round(1).getByText('Four')).toBeVisible();
  await expect(playground.round(1).getByLabel('The reply was cut here; it is not part of the history.')).toBeVisible();
  await expect(playground.panel.getByRole('article')).toHaveCount(1);
  await expect(playground.prompt).toBeEnabled();

  // The same prompt again, from the suggestions.
  await playground.speed.selectOption('Instant');
  await page.getByText('Suggested prompts').click();
  await page.getByRole('button', { name: prompt }).click();
  await expect(playground.prompt).toHaveValue(prompt);
  await playground.runToEnd();
  await playground.expectBoard([], [], ['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
  const { body } = await playground.sentBody();
  expect(body.messages.slice(0, 3).map((message) => message.role)).toEqual(['user', 'user', 'assistant']);
});

test('stopping a live model in mid-stream aborts the request, and the next prompt is a valid one', async ({ playground, server }) => {
  server.answers(says('A first half and a second half').with({ holdAfter: 4 }), says('The other answer.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const request = await server.request(1);
  await expect(playground.round(1)).toContainText('A first half');
  await playground.stop.click();
  expect(await request.ended).toBe('aborted');
  await expect(playground.round(1)).toContainText('The turn was stopped.');

  await playground.ask('Something else');
  await playground.over();
  await expect(playground.round(2)).toContainText('The other answer.');
  const { messages } = server.requests[1].body;
  expect(messages.map((message) => message.role)).toEqual(['user', 'user']);
  expect(messages[1].content).toBe('Something else');
});

test('stopping while no byte has come aborts the request', async ({ playground, server }) => {
  server.answers(faults.hang, says('Now.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const request = await server.request(1);
  await expect(playground.transcript).toContainText('Waiting for the model');
  await playground.stop.click();
  expect(await request.ended).toBe('aborted');
  await playground.ask('Again');
  await playground.over();
});

test('stopping in the middle of a call that is being written runs nothing of it', async ({ playground, server }) => {
  server.answers(says(call('write_file', { path: 'half.txt', content: 'x'.repeat(400) })).with({ holdAfter: 8 }), says('Fine.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const request = await server.request(1);
  await expect(playground.round(1)).toContainText('half.txt');
  const half = playground.round(1).locator('.call.drafted');
  await expect(half).toContainText('write_file being written');
  await playground.stop.click();
  expect(await request.ended).toBe('aborted');
  await expect(half).toContainText('write_file not run');
  await expect(playground.transcript).not.toContainText('being written');
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('greeting.py');
  await expect(playground.panel).not.toContainText('half.txt');
  await playground.ask('Go on');
  await playground.over();
  expect(server.requests[1].body.messages).toHaveLength(2);
});

test('stopping a later round keeps the earlier ones, with all their results', async ({ playground, server }) => {
  server.answers(
    says('Plan first.', plan('[>] One', '[ ] Two'), call('glob', { pattern: '*' })),
    says('Never heard to the end').with({ holdAfter: 3 }),
    says('Back again.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const second = await server.request(2);
  await expect(playground.round(2)).toContainText('Never');
  await playground.stop.click();
  expect(await second.ended).toBe('aborted');
  await playground.expectBoard(['Two'], ['One'], []);
  await playground.ask('And now?');
  await playground.over();
  const { messages } = server.requests[2].body;
  expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'user']);
  expect(messages.slice(0, 3)).toEqual(server.requests[1].body.messages);
  await playground.expectBoard(['Two'], ['One'], []);
});

test('stopping between two calls of one reply: the first one ran, the second is told not to have run', async ({ playground, server }) => {
  server.answers(
    says(
      call('write_file', { path: 'first.txt', content: '1' }),
      call('write_file', { path: 'second.txt', content: '2' }),
      call('write_file', { path: 'third.txt', content: '3' }),
    ),
    says('I see.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.tab('Files').click();
  await playground.step.click();
  await expect(playground.scrubber).toContainText('Step 1 of');
  // Step by step, until the first result is there and the second call has not run.
  while (!(await playground.slider.getAttribute('aria-valuetext')).includes('result of write_file')) {
    const [place] = await playground.place();
    await playground.step.click();
    await expect(playground.slider).toHaveAttribute('aria-valuetext', new RegExp(`^Step ${place + 1} of `));
  }
  await expect(playground.panel).toContainText('first.txt');
  await playground.stop.click();
  await expect(playground.round(1)).toContainText('The turn was stopped.');
  await expect(playground.call('first.txt')).toContainText('ran');
  await expect(playground.call('second.txt')).toContainText('not run');
  await expect(playground.call('third.txt')).toContainText('not run');
  await expect(playground.panel).toContainText('first.txt');
  await expect(playground.panel).not.toContainText('second.txt');

  await playground.ask('What happened?');
  await playground.over();
  const results = server.requests[1].body.messages[2].content;
  expect(results.map((block) => block.content)).toEqual(['Wrote 1 bytes to first.txt', NOT_RUN, NOT_RUN]);
});

test('stopping during the permission question runs nothing and answers every call', async ({ playground, server }) => {
  server.answers(
    says(
      call('write_file', { path: 'inside.txt', content: 'in' }),
      call('write_file', { path: '/tmp/outside.txt', content: 'out' }),
      call('read_file', { path: 'notes.md' }),
    ),
    says('Understood.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.permission).toBeVisible();
  await playground.stop.click();
  await expect(playground.permission).toBeHidden();
  await expect(playground.round(1)).toContainText('The turn was stopped.');
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('inside.txt');
  await expect(playground.panel).not.toContainText('outside.txt');

  await playground.ask('Go on');
  await playground.over();
  const results = server.requests[1].body.messages[2].content;
  expect(results.map((block) => block.content)).toEqual(['Wrote 2 bytes to inside.txt', NOT_RUN, NOT_RUN]);
});

test('a run of a thousand rounds can be stopped in the middle', async ({ playground }) => {
  await playground.open({ scenario: 'A thousand rounds', speed: 'Normal' });
  await playground.run.click();
  await expect(playground.round(2)).toBeVisible();
  // It is over sooner than a test can see and press, so the page itself is told when to press.
  await playground.stop.evaluate((stop) => {
    const said = document.querySelector('footer');
    new MutationObserver((_, observer) => {
      if (!/round [1-9]\d/.test(said.textContent)) return;
      observer.disconnect();
      stop.click();
    }).observe(said, { subtree: true, childList: true, characterData: true });
  });
  await playground.speed.selectOption('Instant');
  await expect(playground.transcript).toContainText('The turn was stopped.', { timeout: 20_000 });
  await expect(playground.stop).toBeDisabled();
  await expect(playground.scrubber).toContainText(/round \d{2,3} · turn over/);
  const [, total] = await playground.place();
  await playground.slider.press('Home');
  expect((await playground.place())[1]).toBe(total);
});
