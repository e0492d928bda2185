// The terminal: what the program would have printed, and the reader's own commands in the model's shell.

import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

test.beforeEach(() => test.slow());

const command = (playground) => playground.panel.getByRole('textbox', { name: 'Command' });

/** Types a command and waits for its output. */
async function type(playground, text, output) {
  await command(playground).fill(text);
  await command(playground).press('Enter');
  await expect(playground.panel.locator('.typed').last().locator('pre')).toHaveText(output, { timeout: 60_000 });
}

test('a command runs in the workspace, is kept as the reader\'s, and the model is not told of it', async ({ playground, server }) => {
  await playground.open();
  await playground.openCommands();
  await expect(playground.panel).toContainText('/workspace $');
  await type(playground, 'echo mine > made.txt; cat made.txt', 'mine');
  await type(playground, 'cat made.txt | tr a-z A-Z; false', 'MINE');
  await expect(playground.transcript).toContainText('You ran cat made.txt');
  // The arrows bring earlier commands back.
  await command(playground).press('ArrowUp');
  await command(playground).press('ArrowUp');
  await expect(command(playground)).toHaveValue('echo mine > made.txt; cat made.txt');
  await command(playground).press('ArrowDown');
  await expect(command(playground)).toHaveValue('cat made.txt | tr a-z A-Z; false');
  // The model works on the same files, and its requests carry nothing of the reader's commands.
  server.answers(says(call('read_file', { path: 'made.txt' })), says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Read it');
  await expect(playground.transcript).toContainText('Done.');
  const { messages } = server.requests.at(-1).body;
  expect(messages[0].content).toBe('Read it');
  expect(messages.at(-1).content[0].content).toBe('mine');
  expect(JSON.stringify(messages)).not.toContain('tr a-z');
});

test('a command that does not end is stopped, and the next one works', async ({ playground }) => {
  await playground.open();
  await playground.openCommands();
  await command(playground).fill('echo begun; echo x > made.txt; sleep 100');
  await command(playground).press('Enter');
  await expect(playground.panel.locator('.call-told')).toContainText('begun', { timeout: 60_000 });
  await playground.panel.getByRole('button', { name: 'Stop command' }).click();
  await expect(playground.panel.locator('.typed pre')).toHaveText(/begun\s*\^C/);
  await type(playground, 'ls made.txt || echo none', /^none/);
});

test('several lines are one command, and what is typed stays on the way to another tab', async ({ playground }) => {
  await playground.open();
  await playground.openCommands();
  await command(playground).fill('cat <<X | tr a-z A-Z\nhi there\nX');
  await playground.tab('Files').click();
  await playground.tab('Terminal').click();
  await command(playground).press('Enter');
  await expect(playground.panel.locator('.typed pre')).toHaveText('HI THERE', { timeout: 60_000 });
  await command(playground).pressSequentially('my own');
  await command(playground).press('ArrowUp');
  await command(playground).press('ArrowDown');
  await expect(command(playground)).toHaveValue('my own');
});

test('while the model is answering a command waits, and what is typed stays', async ({ playground, server }) => {
  await playground.open();
  await playground.openCommands();
  server.answers(says('Slowly.').with({ holdAfter: 3 }));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.panel).toContainText('A request is under way');
  await command(playground).fill('echo later');
  await command(playground).press('Enter');
  await expect(command(playground)).toHaveValue('echo later');
  server.release();
  await playground.over();
  await command(playground).press('Enter');
  await expect(playground.panel.locator('.typed pre')).toHaveText('later', { timeout: 60_000 });
});

/** What the program printed, as a person reads it. */
const printed = (playground) => playground.panel.getByRole('group', { name: "Program's output" });

test('the program\'s output of a run is there in its colours, and at an earlier moment only what was printed by then', async ({ playground, page }) => {
  await playground.open();
  await playground.tab('Terminal').click();
  await expect(printed(playground)).toHaveText('s05: TodoWrite - plan before execution\nEnter a question, press Enter to send. Type q to quit.\n\ns05 >> ', { useInnerText: true });
  await playground.runToEnd();
  const lines = (await printed(playground).innerText()).split('\n');
  const prompt = await playground.transcript.locator('.prompt').innerText();
  expect(lines[3]).toBe(`s05 >> ${prompt}`);
  expect(lines[4]).toBe('[HOOK] UserPromptSubmit: working in /workspace');
  expect(lines.filter((line) => line === '## Current Tasks')).toHaveLength(await playground.updates.count());
  const plan = lines.indexOf('## Current Tasks');
  expect(lines[plan - 2]).toMatch(/^\[HOOK\] todo_write\(\[\[\{'content': '/);
  expect(lines[plan + 1]).toMatch(/^\[[ >x]\] /);
  const answer = await playground.transcript.locator('.said').last().innerText();
  expect(lines.join('\n')).toContain(`tool calls\n${answer}\n\ns05 >> `);
  const colour = (text) => printed(playground).getByText(text, { exact: true }).first().evaluate((element) => getComputedStyle(element).color);
  const colours = [await colour(lines[4]), await colour('## Current Tasks'), await colour('s05 >>'), await printed(playground).evaluate((element) => getComputedStyle(element).color)];
  expect(new Set(colours).size).toBe(4);

  await playground.slider.focus();
  await page.keyboard.press('Home');
  await expect(printed(playground)).toContainText('[HOOK] UserPromptSubmit');
  await expect(printed(playground)).not.toContainText('## Current Tasks');
  await page.keyboard.press('End');
  await expect(printed(playground)).toContainText(answer);
});

test('a question for permission, its answer, and what a tool wrote stand there as text', async ({ playground, server }) => {
  await playground.open();
  server.answers(says(call('bash', { command: "rm '\u001b[31m<b>'" })), says('Not <i>done</i>.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Clean up');
  await playground.permission.getByRole('button', { name: 'Deny' }).click();
  await playground.over();
  await playground.tab('Terminal').click();
  await expect(printed(playground)).toContainText(
    "[permission] Potentially destructive command\n   Tool: bash({'command': \"rm '\\x1b[31m<b>'\"})\n   Allow? [y/N] n\n", { useInnerText: true });
  await expect(printed(playground)).toContainText('Not <i>done</i>.');
  // A choice that is made stays on the way to another tab.
  await playground.openCommands();
  await playground.tab('Files').click();
  await playground.tab('Terminal').click();
  await expect(command(playground)).toBeVisible();
  await playground.panel.getByRole('button', { name: "Program's output" }).press('Enter');
  await expect(printed(playground)).toBeVisible();
});

test('of a long output the last lines are shown, and earlier ones on demand', async ({ playground, server }) => {
  await playground.open();
  const answer = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}.`).join('\n');
  server.answers(says(answer));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Count');
  await playground.over();
  await playground.tab('Terminal').click();
  await expect(printed(playground)).toContainText('line 1000.');
  await expect(printed(playground)).not.toContainText('line 500.');
  const more = printed(playground).getByRole('button', { name: 'Show earlier lines' });
  await more.click();
  await expect(printed(playground)).toContainText('line 500.');
  await more.click();
  await expect(printed(playground)).toContainText('s05: TodoWrite');
  await expect(more).toHaveCount(0);
});
