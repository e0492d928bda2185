// The terminal: the reader's own commands in the model's shell.

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
  await playground.tab('Terminal').click();
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
  await playground.tab('Terminal').click();
  await command(playground).fill('echo begun; echo x > made.txt; sleep 100');
  await command(playground).press('Enter');
  await expect(playground.panel.locator('.call-told')).toContainText('begun', { timeout: 60_000 });
  await playground.panel.getByRole('button', { name: 'Stop command' }).click();
  await expect(playground.panel.locator('.typed pre')).toHaveText(/begun\s*\^C/);
  await type(playground, 'ls made.txt || echo none', /^none/);
});

test('several lines are one command, and what is typed stays on the way to another tab', async ({ playground }) => {
  await playground.open();
  await playground.tab('Terminal').click();
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
  await playground.tab('Terminal').click();
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
