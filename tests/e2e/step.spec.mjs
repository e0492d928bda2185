// Step by step, and back and forth: the cursor, and that everything on the page follows it.

import { expect, test } from './playground.mjs';
import { call, plan, says } from './messages-server.mjs';

/** Waits until the cursor is at this step, and returns how many there are. */
async function at(playground, place) {
  await expect(playground.slider).toHaveAttribute('aria-valuetext', new RegExp(`^Step ${place} of `));
  return (await playground.place())[1];
}

test('the Step button goes one step at a time, and nothing runs ahead', async ({ playground }) => {
  await playground.open();
  const said = [];
  for (let place = 1; place <= 12; place += 1) {
    await playground.step.click();
    await at(playground, place);
    said.push((await playground.slider.getAttribute('aria-valuetext')).split(' · ').at(-1));
  }
  expect(said).toEqual([
    'UserPromptSubmit hook: context',
    'prompt stored',
    'Request 1',
    'reply with 1 call',
    'PreToolUse hook: permission',
    'PreToolUse hook: log',
    'todo_write called',
    'plan replaced',
    'result of todo_write',
    'counter set to 0',
    'Request 2',
    'reply with 1 call',
  ]);
  // The run waits: the next request is not answered until it is asked for.
  await expect(playground.resume).toBeVisible();
  await expect(playground.round(3)).toHaveCount(0);
});

test('F8 plays the whole scenario, each press one step', async ({ playground, page }) => {
  await playground.open();
  let place = 0;
  do {
    place += 1;
    await page.keyboard.press('F8');
    await at(playground, place);
  } while (!(await playground.slider.getAttribute('aria-valuetext')).endsWith('turn over'));
  const [, total] = await playground.place();
  expect(place).toBe(total);
  await playground.expectBoard([], [], ['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
});

test('F8 works in the prompt box, and types nothing', async ({ playground }) => {
  await playground.open();
  const prompt = await playground.prompt.inputValue();
  await playground.prompt.focus();
  await playground.prompt.press('F8');
  await at(playground, 1);
  await playground.prompt.press('F8');
  await at(playground, 2);
  await expect(playground.transcript).toContainText(prompt);
});

test('a step from the middle of a run that is over only moves the cursor', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  const [, total] = await playground.place();
  await playground.slider.press('Home');
  await at(playground, 1);
  await playground.step.click();
  expect(await at(playground, 2)).toBe(total);
});

test('Resume plays on from where the steps have come to', async ({ playground }) => {
  await playground.open();
  await playground.step.click();
  await at(playground, 1);
  await playground.resume.click();
  await playground.over();
  await expect(playground.live).toHaveAttribute('aria-pressed', 'true');
  await expect(playground.updates).toHaveCount(4);
});

test('Pause holds the run until Resume', async ({ playground }) => {
  await playground.open({ speed: 'Normal' });
  await playground.run.click();
  await expect(playground.transcript).toContainText('Round 1');
  await playground.pause.click();
  await expect(playground.resume).toBeVisible();
  const [, total] = await playground.place();
  await playground.speed.selectOption('Instant');
  expect((await playground.place())[1]).toBe(total);
  await playground.resume.click();
  await playground.over();
});

test('Pause says at once that it will hold after this reply, and pressed again it does not', async ({ playground, page, server }) => {
  server.answers(
    says('A first half and a second half', plan('[>] One')).with({ holdAfter: 4 }),
    says('Another half and the rest', plan('[x] One')).with({ holdAfter: 4 }),
    says('Over.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('A first half');
  const said = page.getByRole('status').filter({ hasText: 'The run pauses when what is under way is over' });
  await playground.pause.click();
  await expect(playground.pausing).toBeVisible();
  await expect(said).toBeVisible();
  await page.waitForTimeout(600); // longer than a double-click
  await playground.pausing.click();
  await expect(playground.pause).toBeVisible();
  await expect(said).toHaveCount(0);
  server.release();
  await server.request(2);
  await expect(playground.round(2)).toContainText('Another half');
  await playground.pause.click();
  await expect(playground.pausing).toBeVisible();
  server.release();
  await expect(playground.resume).toBeVisible();
  expect(server.requests).toHaveLength(2);
  await playground.resume.click();
  await playground.over();
});

test('behind the end of a script, Run plays it again from its start, and the words say so', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await expect(playground.runAgain).toBeEnabled();
  await expect(page.getByRole('status').filter({ hasText: 'The script is over. Run again plays it from the start' })).toBeVisible();
  const [, total] = await playground.place();
  await playground.runAgain.click();
  await playground.over();
  expect(await playground.place()).toEqual([total, total]);
  await expect(playground.updates).toHaveCount(4);
  await expect(playground.transcript).not.toContainText('Turn 2');
  // By steps, too.
  await playground.step.click();
  expect(await at(playground, 1)).toBeLessThan(total);
  await expect(playground.resume).toBeVisible();
  // The run before is kept.
  await playground.bringBack.click();
  expect(await playground.place()).toEqual([total, total]);
});

test('with a prompt in the box, Run sends it; with none and a live model, the words say what is missing', async ({ playground, page, server }) => {
  server.answers(says('Hello.'));
  await playground.open();
  await playground.runToEnd();
  await playground.prompt.fill('Something else');
  await expect(playground.runAgain).toHaveCount(0);
  await playground.prompt.fill('');
  await playground.useEndpoint({ url: server.url });
  await expect(playground.runAgain).toHaveCount(0);
  await expect(playground.run).toBeDisabled();
  await expect(page.getByRole('status').filter({ hasText: 'Nothing to run: type a prompt' })).toBeVisible();
  server.echoes = false;
  await playground.prompt.fill('Hello?');
  await expect(playground.run).toBeEnabled();
  await playground.run.click();
  await expect(playground.transcript).toContainText('Hello.');
});

test('arrows move by a step, with Shift by a round, Home and End to the ends, Live back to the run', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  const [total] = await playground.place();
  await playground.slider.focus();
  await playground.slider.press('ArrowLeft');
  await at(playground, total - 1);
  await expect(playground.live).toHaveAttribute('aria-pressed', 'false');
  await playground.slider.press('ArrowRight');
  await at(playground, total);
  await playground.slider.press('Shift+ArrowLeft');
  await expect(playground.scrubber).toContainText('round 9 · Request 9');
  await playground.slider.press('Shift+ArrowLeft');
  await expect(playground.scrubber).toContainText('round 8 · Request 8');
  await playground.slider.press('Shift+ArrowRight');
  await expect(playground.scrubber).toContainText('round 9 · Request 9');
  await playground.slider.press('Home');
  await at(playground, 1);
  await playground.slider.press('Shift+ArrowLeft');
  await at(playground, 1);
  await playground.slider.press('End');
  await at(playground, total);
  await playground.live.click();
  await expect(playground.live).toHaveAttribute('aria-pressed', 'true');
});

test('the buttons beside the bar do the same', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  const [total] = await playground.place();
  const button = (name) => page.getByRole('button', { name, exact: true });
  await expect(button('One step on')).toBeDisabled();
  await button('One step back').click();
  await at(playground, total - 1);
  await button('One step on').click();
  await at(playground, total);
  await button('First step').click();
  await at(playground, 1);
  await expect(button('One step back')).toBeDisabled();
  await expect(button('First step')).toBeDisabled();
});

test('board, counter, files, messages and transcript follow the cursor', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await playground.tab('Files').click();
  const files = playground.panel.getByRole('listitem');
  await expect(files.filter({ hasText: 'README.md' })).toContainText('new');
  await expect(files.filter({ hasText: 'greeting.py' })).toContainText('changed');
  await playground.panel.getByRole('button', { name: 'greeting.py' }).click();
  await expect(playground.panel).toContainText('"""Return a greeting for name."""');

  await playground.round(3).getByRole('button', { name: 'Round 3', exact: true }).click();
  await expect(playground.scrubber).toContainText('round 3 · Request 3');
  await playground.expectBoard(
    ['Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md'],
    ['Look at the files'],
    [],
  );
  await expect(playground.lit).toHaveCount(1);
  await expect(playground.updates).toHaveCount(1);
  await expect(playground.panel.getByRole('heading', { name: '/workspace/greeting.py' })).toBeVisible();
  await expect(playground.panel).not.toContainText('"""');
  await expect(files.filter({ hasText: 'README.md' })).toHaveCount(0);
  await expect(files.filter({ hasText: 'changed' })).toHaveCount(0);
  await expect(playground.round(4)).toHaveCount(0);
  await playground.tab('Messages').click();
  await expect(playground.panel.getByRole('article')).toHaveCount(5);

  await playground.live.click();
  await expect(playground.panel.getByRole('article')).toHaveCount(18);
  await expect(playground.round(9)).toBeVisible();
});

test('the plan as the model reads it is the text of the last result', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await page.getByRole('button', { name: 'As the model reads it' }).click();
  const lines = [
    '[x] Look at the files',
    '[x] Add a docstring to greeting.py',
    '[x] Fix the typo in notes.md',
    '[x] Write README.md',
    '(4/4 completed)',
  ];
  const text = await playground.board.locator('pre').innerText();
  expect(text.split('\n').filter(Boolean)).toEqual(lines);
  const { body } = await playground.sentBody();
  const results = body.messages.flatMap((message) => (message.role === 'user' && Array.isArray(message.content) ? message.content : []));
  expect(results.at(-1).content).toBe(text);
});

test('a row of the plan history goes to the moment of that update', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await playground.updates.nth(2).getByRole('button', { name: 'Round 5' }).click();
  await expect(playground.scrubber).toContainText('round 5 · plan replaced');
  await playground.expectBoard(['Write README.md'], ['Fix the typo in notes.md'], ['Look at the files', 'Add a docstring to greeting.py']);
});

test('going back during a live run does not disturb it, and the view stays where it was put', async ({ playground, server }) => {
  server.answers(
    says('Planning.', plan('[>] One', '[ ] Two')),
    says('Reading.', call('glob', { pattern: '*' })).with({ holdAfter: 3 }),
    says('Two more words.').with({ holdAfter: 3 }),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await server.request(2);
  await expect(playground.round(2)).toContainText('Reading.');
  await playground.slider.focus();
  await playground.slider.press('Home');
  const total = await at(playground, 1);
  await expect(playground.round(2)).toHaveCount(0);
  server.release();
  await server.request(3);
  expect(await at(playground, 1)).toBeGreaterThan(total);
  await expect(playground.board).not.toContainText('One');
  await playground.live.click();
  await expect(playground.round(3)).toContainText('Two more');
  await playground.slider.press('Home');
  server.release();
  await expect(playground.run).toBeVisible();
  await at(playground, 1);
  await playground.live.click();
  await expect(playground.round(3)).toContainText('the turn is over');
  await expect(playground.board).toContainText('One');
  expect(server.requests).toHaveLength(3);
});

test('Step pressed again and again while a request is under way sends no second one', async ({ playground, page, server }) => {
  server.answers(says('Slow answer.', plan('[>] One')).with({ holdAfter: 3 }), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.step.click();
  for (const place of [2, 3]) {
    await playground.step.click();
    await at(playground, place);
  }
  await playground.step.click();
  await server.request(1);
  await playground.step.dblclick();
  await page.keyboard.press('F8');
  await expect(playground.round(1)).toContainText('Slow answer.');
  server.release();
  await expect(playground.resume).toBeVisible();
  expect(server.requests).toHaveLength(1);
  await playground.resume.click();
  await playground.over();
  expect(server.requests).toHaveLength(2);
});
