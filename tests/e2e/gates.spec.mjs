// The two gates: what the plan tool's schema and its handler say of one input, side by side.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';

test.beforeEach(() => test.slow());
// Colours in the middle of a change would be no one's colours.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** A row's two opinions: the schema's cell and the handler's. */
const row = (playground, name) => playground.panel.getByRole('row', { name: new RegExp(`^${name} `) }).getByRole('cell');

async function expectRow(playground, name, schema, handler) {
  const cells = row(playground, name);
  await expect(cells.nth(0)).toContainText(schema);
  await expect(cells.nth(1)).toContainText(handler);
}

async function expectAccessible(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(bad.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)).toEqual([]);
}

test('each plan call of the run is held against both gates, the last one first', async ({ playground, page }) => {
  await playground.open({ scenario: 'Updates that are refused' });
  await playground.runToEnd();
  await playground.tab('Gates').click();
  const { panel } = playground;
  const calls = panel.getByRole('combobox', { name: 'Plan call' });
  await expect(calls.locator('option')).toHaveCount(5);
  await expect(calls.locator('option:checked')).toHaveText(/^Round 5: /);
  await expect(panel.getByRole('status')).toContainText('Valid');
  await expect(panel.getByRole('status')).toContainText('No todos.');

  // Two in progress: only the handler knows that rule.
  await calls.selectOption({ index: 1 });
  await expectRow(playground, 'One in progress', "doesn't ask", 'Only one todo can be in_progress at a time');
  await expect(panel.getByRole('status')).toContainText('Refused: the plan stays as it was');
  // A status of the model's own: both refuse it, each in its way.
  await calls.selectOption({ index: 2 });
  await expectRow(playground, 'Status', 'todos[1].status enum', "todos[1] has invalid status 'doing'");
  // A list as a string: the handler reads it, and the schema sees nothing of it.
  await calls.selectOption({ index: 3 });
  await expectRow(playground, 'List and objects', 'todos type "array"', 'passes');
  await expectRow(playground, 'Length', "can't see it", 'passes');
  await expect(panel.getByRole('status')).toContainText('Accepted: the plan is replaced');
  await expectAccessible(page);

  // The cursor hides what was not yet called.
  await playground.slider.focus();
  await page.keyboard.press('Home');
  await expect(panel).toContainText('No todo_write call up to here');
});

test('an input of one\'s own is judged as it is typed, by keyboard alone', async ({ playground, page }) => {
  await playground.open();
  const { panel } = playground;
  await playground.tab('Messages').focus();
  await page.keyboard.press('End');
  await expect(playground.tab('Gates')).toBeFocused();
  await expect(panel).toContainText('No todo_write call up to here');
  await panel.getByRole('button', { name: 'Write my own' }).focus();
  await page.keyboard.press('Enter');
  const field = panel.getByRole('textbox', { name: 'Input of todo_write, as JSON' });
  await expect(field).toHaveValue(/"todos": \[\]/);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('{"todos": [{"content": "  ", "status": "PENDING"}]');
  await expect(panel.getByRole('alert')).toContainText('This is no JSON');
  await page.keyboard.type('}');
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await expectRow(playground, 'Content not empty', 'passes', 'todos[0] requires content');
  await expectRow(playground, 'Status', 'enum', 'passes');
  const item = panel.getByRole('row', { name: /^\[0\]/ }).getByRole('cell');
  await expect(item.nth(0)).toContainText('refuses');
  await expect(item.nth(1)).toContainText('refuses');

  await panel.getByRole('button', { name: '21 items' }).focus();
  await page.keyboard.press('Enter');
  await expectRow(playground, 'Length', 'maxItems 20', 'Max 20 todos allowed');
  await expectAccessible(page);
  await panel.getByRole('button', { name: "Back to the run's calls" }).click();
  await expect(field).toHaveCount(0);
});

test('a lesson without a plan tool has no gates, and another lesson has its own', async ({ playground }) => {
  await playground.open();
  const names = await playground.lesson.locator('option').allTextContents();
  await playground.lesson.selectOption(names.find((name) => name.startsWith('S04')));
  await playground.tab('Gates').click();
  await expect(playground.panel).toContainText('This lesson has no plan tool');
  await playground.lesson.selectOption({ index: names.length - 1 });
  await playground.panel.getByRole('button', { name: 'Write my own' }).click();
  await expect(playground.panel.getByRole('textbox')).toHaveValue(/"items": \[\]/);
});

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('两道闸的说法并排可读，标签不重叠', async ({ playground, page }) => {
    await playground.open({ scenario: '被拒绝的更新' });
    await playground.runToEnd();
    await page.getByRole('navigation').getByRole('button', { name: '检查器' }).click();
    await playground.tab('两道闸').click();
    await expectRow(playground, '只有一项进行中', '不检查', '通过');
    await playground.panel.getByRole('button', { name: '自己写一个' }).click();
    await playground.panel.getByRole('button', { name: '状态用大写' }).click();
    await expectRow(playground, '状态', 'enum', '通过');
    await expect(playground.panel.getByRole('status')).toContainText('接受：计划被替换');
    const tabs = await playground.inspector.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().toJSON()));
    expect(tabs).toHaveLength(5);
    for (const [i, tab] of tabs.entries()) {
      expect(tab.right).toBeLessThanOrEqual(390);
      if (i > 0 && tabs[i - 1].top === tab.top) expect(tabs[i - 1].right).toBeLessThanOrEqual(tab.left + 0.5);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });
});
