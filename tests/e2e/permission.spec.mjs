// The permission question: what it says, where the focus is, and what a yes and a no lead to.

import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

const SCENARIO = { scenario: 'It asks for permission' };

test('the page asks before a path outside the workspace, with the focus on Deny', async ({ playground }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.permission).toBeVisible();
  await expect(playground.permission).toContainText('write_file');
  await expect(playground.permission).toContainText('/tmp/report.txt');
  await expect(playground.permission).toContainText("In the program's own words: “Access outside workspace”");
  await expect(playground.permission).toContainText('Visitors today: 42');
  await expect(playground.deny).toBeFocused();
  await expect(playground.scrubber).toContainText('permission asked');
  await expect(playground.round(2)).toContainText('Access outside workspace: /tmp/report.txt');
});

test('the call that is asked about is marked among those that wait, and the answer leaves its trace', async ({ playground, server }) => {
  server.answers(
    says(call('write_file', { path: '/tmp/first.txt', content: '1' }), call('write_file', { path: '/tmp/second.txt', content: '2' }), call('glob', { pattern: '*' })),
    says('Over.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.call('first.txt')).toContainText('waits for your answer');
  await expect(playground.call('second.txt')).toContainText('waiting');
  await expect(playground.round(1)).not.toContainText('You allowed it.');
  await playground.allow.click();
  await expect(playground.round(1)).toContainText('The program asked: “Access outside workspace: /tmp/first.txt”. You allowed it.');
  await expect(playground.call('first.txt')).toContainText('ran');
  await expect(playground.call('second.txt')).toContainText('waits for your answer');
  await playground.deny.click();
  await playground.over();
  await expect(playground.round(1)).toContainText('The program asked: “Access outside workspace: /tmp/second.txt”. You denied it.');
  await expect(playground.call('second.txt')).toContainText('blocked');
  await expect(playground.transcript).not.toContainText('waits for your answer');
});

test('a step leads nowhere while the question is open, and back and forth in what there is to see', async ({ playground, page }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.permission).toBeVisible();
  await expect(playground.step).toBeDisabled();
  const [place, total] = await playground.place();
  expect(place).toBe(total);
  await page.keyboard.press('F8');
  await expect(playground.permission).toBeVisible();
  expect(await playground.place()).toEqual([total, total]);
  await playground.slider.press('Home');
  await expect(playground.step).toBeEnabled();
  await playground.step.click();
  await expect(playground.slider).toHaveAttribute('aria-valuetext', /^Step 2 of /);
  await playground.stop.click();
  await expect(playground.transcript).toContainText('The turn was stopped.');
  await expect(playground.transcript).not.toContainText('You allowed it.');
});

test('a yes writes the file outside the workspace; a command on the deny list is refused without a question', async ({ playground }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await playground.allow.click();
  await playground.over();
  await expect(playground.permission).toBeHidden();
  await expect(playground.call(/write_file\s*\/tmp\/report/)).toContainText('Wrote 19 bytes to /tmp/report.txt');
  await expect(playground.call('sudo chmod')).toContainText('blocked');
  await expect(playground.call('sudo chmod')).toContainText('Permission denied by deny list');
  await playground.tab('Files').click();
  const files = playground.panel.getByRole('listitem');
  await expect(files.filter({ hasText: 'tmp/' })).toBeVisible();
  await expect(files.filter({ hasText: 'report.txt' })).toHaveCount(2);
  await playground.panel.getByRole('button', { name: 'report.txt' }).first().click();
  await expect(playground.panel.getByRole('heading', { name: '/tmp/report.txt' })).toBeVisible();
  await expect(playground.panel).toContainText('Visitors today: 42');
  const { body } = await playground.sentBody();
  const results = body.messages.flatMap((message) => message.content).filter((block) => block.type === 'tool_result');
  expect(results.map((result) => result.content)).toContain('Permission denied by deny list');
});

test('a no goes to the model as the result of the call', async ({ playground }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await playground.deny.click();
  await playground.over();
  await expect(playground.call(/write_file\s*\/tmp\/report/)).toContainText('blocked');
  await expect(playground.round(2)).toContainText('answered: Permission denied by user');
  await expect(playground.round(3)).toContainText('You said no.');
  await expect(playground.panel).toContainText('Permission denied by user');
  const { body } = await playground.sentBody();
  expect(body.messages[4].content).toEqual([{ type: 'tool_result', tool_use_id: expect.any(String), content: 'Permission denied by user' }]);
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('shared/');
  await expect(playground.panel).not.toContainText('tmp/');
});

test('Enter out of habit denies', async ({ playground, page }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.deny).toBeFocused();
  await page.keyboard.press('Enter');
  await playground.over();
  await expect(playground.round(3)).toContainText('You said no.');
});

test('Tab and Enter allow', async ({ playground, page }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.deny).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(playground.allow).toBeFocused();
  await page.keyboard.press('Enter');
  await playground.over();
  await expect(playground.call(/write_file\s*\/tmp\/report/)).toContainText('ran');
});

test('Tab goes on from where the question stood', async ({ playground, page }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.deny).toBeFocused();
  await page.keyboard.press('Enter');
  await playground.over();
  await page.keyboard.press('Tab');
  const pane = page.getByRole('region', { name: 'Transcript', exact: true }).first();
  await expect(pane.locator(':focus')).toHaveCount(1);
});

test('everything can be looked at before the answer', async ({ playground }) => {
  await playground.open(SCENARIO);
  await playground.run.click();
  await expect(playground.permission).toBeVisible();
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('report.txt');
  await playground.slider.press('Home');
  await expect(playground.scrubber).toContainText('Step 1 of');
  await expect(playground.permission).toBeVisible();
  await playground.deny.click();
  await playground.over();
  await expect(playground.live).toHaveAttribute('aria-pressed', 'true');
});

test.describe('under S04', () => {
  test.use({ serverOptions: { lesson: 's04' } });

  test('a command with two dangerous parts is asked about twice', async ({ playground, server }) => {
    server.answers(says(call('bash', { command: 'rm -r old && chmod 777 new' })), says('Left it.'));
    await playground.open({ lesson: 'S04 Hooks' });
    await playground.useEndpoint({ url: server.url });
    await playground.run.click();
    await expect(playground.permission).toContainText('The model calls bash. The permission hook lets you decide, because of this: rm ');
    await expect(playground.permission).toContainText('rm -r old && chmod 777 new');
    await playground.allow.click();
    await expect(playground.permission).toContainText('because of this: chmod 777');
    await expect(playground.deny).toBeFocused();
    await playground.deny.click();
    await playground.over();
    expect(server.requests[1].body.messages[2].content[0].content).toBe('Permission denied by user');
  });
});

test('a command is asked about once, for what it would start and not for what it says', async ({ playground, server }) => {
  const commands = ['echo rm this', 'rm -r old && chmod 777 new', "echo 'open"];
  server.answers(says(...commands.map((command) => call('bash', { command }))), says('Left it.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.permission).toContainText('because of this: rm');
  await expect(playground.permission).toContainText('rm -r old && chmod 777 new');
  await playground.deny.click();
  await expect(playground.permission).toContainText("because of this: echo 'open");
  await playground.deny.click();
  await playground.over();
  const results = server.requests[1].body.messages[2].content.map((block) => block.content);
  expect(results).toEqual(['rm this', 'Permission denied by user', 'Permission denied by user']);
});

test('a path that leads out by ".." is asked about, one that stays inside is not', async ({ playground, server }) => {
  server.answers(
    says(call('write_file', { path: 'a/../b.txt', content: 'b' })),
    says(call('read_file', { path: '../workspace2/x' })),
    says('Over.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.permission).toContainText('/workspace2/x');
  await playground.deny.click();
  await playground.over();
  expect(server.requests[1].body.messages[2].content[0].content).not.toContain('Permission');
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('用中文询问，拒绝后模型读到的仍是课程的原文', async ({ playground }) => {
    await playground.open({ scenario: '请求许可' });
    await playground.run.click();
    await expect(playground.permission).toContainText('允许执行吗？');
    await expect(playground.permission).toContainText('/tmp/report.txt');
    await playground.deny.click();
    await playground.over();
    await expect(playground.panel).toContainText('Permission denied by user');
  });
});
