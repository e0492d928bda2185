// The rules panel: a changed rule shows its effect in the next round, and undoing it restores the lesson's own requests.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';

const openRules = (playground, name = 'Rules') => playground.board.getByRole('tab', { name, exact: true }).click();
const group = (playground, name) => playground.board.locator('details.rule-group > summary').filter({ hasText: name });
const now = (playground) => playground.board.locator('.rules-now');
const chip = (page, name = '1 rule changed') => page.getByRole('button', { name, exact: true });

/** The message that first carries a reminder, in a request's body. */
const reminded = (body) => body.messages.findIndex((message) => JSON.stringify(message).includes('<reminder>'));

test('a threshold of 2 reminds a round earlier, and undoing it restores the exact original requests', async ({ page, playground }) => {
  await playground.open();
  await playground.runToEnd();
  const original = await playground.sentBody();
  await page.getByRole('button', { name: playground.words.startOver, exact: true }).click();
  await openRules(playground);
  const field = page.getByLabel('The reminder comes at');
  await field.fill('2');
  await field.press('Tab');
  await expect(chip(page)).toBeVisible();
  await expect(page.locator('.was').first()).toContainText('The lesson has 3');
  await playground.runToEnd();
  const changed = await playground.sentBody();
  // A round is two messages.
  expect(reminded(changed.body)).toBe(reminded(original.body) - 2);

  await page.getByRole('button', { name: playground.words.startOver, exact: true }).click();
  await page.locator('.was').getByRole('button', { name: 'Reset' }).click();
  await expect(chip(page)).toHaveCount(0);
  await playground.runToEnd();
  expect((await playground.sentBody()).text).toBe(original.text);
});

test('a rule that is changed while the run is held holds in the round that comes next', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  await playground.step.click();
  await group(playground, 'System prompt').click();
  const system = page.getByLabel('System prompt', { exact: true });
  await system.fill('Act.');
  await system.press('Tab');
  await playground.resume.click();
  await playground.over();
  expect((await playground.sentBody()).body.system).toBe('Act.');
});

test('a rule that is changed in the middle of a round says from when it holds', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  // Up to the reply: the round is under way.
  for (let i = 0; i < 4; i += 1) await playground.step.click();
  const field = page.getByLabel('The reminder comes at');
  await field.fill('1');
  await field.press('Tab');
  await expect(now(playground)).toContainText('from the next round on');
  await playground.resume.click();
  await playground.over();
  await expect(now(playground)).not.toContainText('from the next round on');
});

test('what cannot stand there is said at once, at its field, and nothing is changed', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  const field = page.getByLabel('The reminder comes at');
  await field.fill('0');
  await expect(page.getByRole('alert')).toHaveText('Type a whole number, 1 or more.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.press('Tab');
  await expect(now(playground)).toContainText('0 rules changed');
  await field.fill('4');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await group(playground, /^Tools/).click();
  const told = page.getByLabel('What the model is told: todo_write');
  await told.fill('{"name": ');
  await expect(page.getByRole('alert')).toHaveText(/not JSON yet/);
});

test('the model is told another schema while the handler stays what it is', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  await group(playground, /^Tools/).click();
  const told = page.getByLabel('What the model is told: todo_write');
  const spec = JSON.parse(await told.inputValue());
  spec.input_schema.properties.todos.maxItems = 1;
  await told.fill(JSON.stringify(spec));
  await told.press('Tab');
  await playground.runToEnd();
  const { body } = await playground.sentBody();
  expect(body.tools.find((tool) => tool.name === 'todo_write').input_schema.properties.todos.maxItems).toBe(1);
  await playground.board.getByRole('tab', { name: 'Board', exact: true }).click();
  await expect(page.locator('.card')).toHaveCount(4);
});

test('a hook is added, moved, switched off and taken out, by keyboard too', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  await group(playground, 'Hooks').click();
  await page.getByLabel('Add a hook:').selectOption({ label: 'block a tool' });
  const hook = page.locator('[data-hook="block"]');
  await expect(hook).toContainText('added');
  await playground.runToEnd();
  await expect(page.locator('.call').first()).toContainText('Planning is not allowed');
  await page.getByRole('button', { name: playground.words.startOver, exact: true }).click();
  const order = () => page.locator('[data-hook]').evaluateAll((all) => all.map((one) => one.dataset.hook));
  const before = await order();
  await hook.getByRole('button', { name: 'Earlier' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(order).toEqual([...before.slice(0, -2), 'block', before.at(-2)]);
  await hook.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await expect(hook.getByRole('checkbox').first()).not.toBeChecked();
  await playground.runToEnd();
  await playground.board.getByRole('tab', { name: 'Board', exact: true }).click();
  await expect(page.locator('.card')).toHaveCount(4);
  await openRules(playground);
  await hook.getByRole('button', { name: 'Remove' }).click();
  await expect(now(playground)).toContainText('0 rules changed');
});

test('the page of the older lesson is one press away, and its note says that page and program differ', async ({ page, playground }) => {
  await playground.open({ lesson: { index: 3 } });
  await openRules(playground);
  await expect(page.locator('.alternative')).toContainText('page and its program differ');
  const press = page.locator('.alternative').getByRole('button');
  await press.click();
  await expect(press).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByLabel("The reminder's text")).toHaveValue('<reminder>Refresh your plan before continuing.</reminder>');
  await press.click();
  await expect(now(playground)).toContainText('0 rules changed');
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });
  test('the panel is in Chinese', async ({ page, playground }) => {
    await playground.open();
    await openRules(playground, '规则');
    await page.getByLabel('计数到多少时提醒').fill('x');
    await expect(page.getByRole('alert')).toHaveText('请输入正整数。');
  });
});

for (const colorScheme of ['light', 'dark']) {
  test(`the panel is accessible in the ${colorScheme} theme`, async ({ page, playground }) => {
    await page.emulateMedia({ colorScheme });
    await playground.open();
    await openRules(playground);
    await group(playground, 'Hooks').click();
    const field = page.getByLabel('The reminder comes at');
    await field.fill('2');
    await field.press('Tab');
    await field.fill('none');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.flatMap(({ id, nodes }) => nodes.map((one) => `${id}: ${one.target.join(' ')}`))).toEqual([]);
  });
}

test('the first kind of hook and the last can both be added as the first thing', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  await group(playground, 'Hooks').click();
  const add = page.getByLabel('Add a hook:');
  await expect(add.locator('option:checked')).toHaveText(/choose/);
  await add.selectOption({ index: 4 });
  await expect(chip(page)).toBeVisible();
});

test('what is typed and cannot stand goes with a reset, its own or that of all', async ({ page, playground }) => {
  await playground.open();
  await openRules(playground);
  await group(playground, /^Tools/).click();
  const told = page.getByLabel('What the model is told: todo_write');
  const own = await told.inputValue();
  await told.fill('null');
  await page.locator('.rule-field').filter({ has: told }).getByRole('button', { name: 'Reset' }).click();
  await expect(told).toHaveValue(own);
  await expect(told).toBeFocused();
  await told.fill('null');
  const threshold = page.getByLabel('The reminder comes at');
  await threshold.fill('2');
  await threshold.press('Tab');
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect(told).toHaveValue(own);
  await expect(threshold).toHaveValue('3');
});
