// Compare: two sets of rules on one scenario, side by side, and where they part.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';

async function openCompare(playground) {
  await playground.board.getByRole('tab', { name: 'Rules', exact: true }).click();
  await playground.board.getByRole('button', { name: 'Compare…' }).click();
  const dialog = playground.page.getByRole('dialog', { name: 'Compare' });
  await expect(dialog.locator('.compare-sides')).toBeVisible();
  return dialog;
}

test('S04 and S05 part in the first round, and are gone through in step', async ({ playground, page }) => {
  await playground.open();
  const dialog = await openCompare(playground);
  await expect(dialog.getByRole('combobox', { name: 'Left' }).locator('option:checked')).toHaveText(/S04/);
  await expect(dialog.locator('.partings .first')).toHaveText('Round 1: the system prompts of the requests differ.');
  await expect(dialog.locator('.partings')).toContainText('the message lists part at messages[1].');
  // It begins where the messages part, and says so there.
  await expect(dialog.locator('.compare-row.first')).toContainText('Here the lists part');
  await expect(dialog.locator('.compare-row.first')).toContainText('todo_write');
  await expect(dialog.locator('.heads > div').first()).toContainText('no counter');
  await expect(dialog.locator('.heads > div').nth(1)).toContainText('[>]');
  const slider = dialog.getByRole('slider', { name: 'Round' });
  const before = Number(await slider.inputValue());
  await dialog.getByRole('button', { name: 'One round on' }).click();
  await expect(slider).toHaveValue(String(before + 1));
  await slider.focus();
  await page.keyboard.press('End');
  await expect(dialog.locator('.heads > div').first()).toContainText('This run is over');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(playground.rounds).toHaveCount(0);
});

test('each pair of the issue is one press away', async ({ playground }) => {
  await playground.open();
  const dialog = await openCompare(playground);
  const pairs = dialog.getByRole('group', { name: 'Pairs' }).getByRole('button');
  await expect(pairs).toHaveText([
    'S04 Hooks ↔ S05 TodoWrite',
    'reminder behind the results ↔ reminder at index 0',
    'back to 0 with the reminder ↔ reminder repeats every idle round',
    'S05 TodoWrite ↔ no reminder',
  ]);
  await pairs.nth(1).click();
  await expect(dialog.locator('.partings .first')).toContainText(/the message lists part at messages\[\d+\]/);
  const parted = dialog.locator('.compare-row.first');
  await expect(parted.locator('> div').nth(0).locator('li').last()).toContainText('<reminder>');
  await expect(parted.locator('> div').nth(1).locator('li').first()).toContainText('<reminder>');
  await pairs.nth(3).click();
  await expect(dialog.locator('.partings .first')).toContainText('the counters differ');
});

test("the reader's own changes are a side of their own, and their run stays as it is", async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  const [, steps] = await playground.place();
  await playground.board.getByRole('tab', { name: 'Rules', exact: true }).click();
  const field = page.getByLabel('The reminder comes at');
  await field.fill('2');
  await field.press('Tab');
  const dialog = await openCompare(playground);
  await expect(dialog.getByRole('combobox', { name: 'Right' }).locator('option:checked')).toHaveText('S05 TodoWrite: with the changed rules');
  await expect(dialog.locator('.partings .first')).toHaveText("Round 3: the counters differ at the round's end.");
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect((await playground.place())[1]).toBe(steps + 1);
});

test('the same rules on both sides do not part', async ({ playground }) => {
  await playground.open();
  const dialog = await openCompare(playground);
  await dialog.getByRole('combobox', { name: 'Left' }).selectOption({ label: 'S05 TodoWrite' });
  await dialog.getByRole('combobox', { name: 'Right' }).selectOption({ label: 'S05 TodoWrite' });
  await expect(dialog.locator('.partings')).toHaveText('The two runs do not part: every request, plan and counter is the same.');
});

test('a scenario with commands is played in the shell, twice', async ({ playground }) => {
  await playground.open({ scenario: 'Three rounds of commands' });
  const dialog = await openCompare(playground);
  await expect(dialog.locator('.compare-row').last()).not.toContainText('sandbox');
  await expect(dialog.locator('.partings')).toContainText('Round 1');
});

for (const colorScheme of ['light', 'dark']) {
  test(`the comparison is accessible in the ${colorScheme} theme`, async ({ page, playground }) => {
    await page.emulateMedia({ colorScheme });
    await playground.open();
    await openCompare(playground);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.flatMap(({ id, nodes }) => nodes.map((one) => `${id}: ${one.target.join(' ')}`))).toEqual([]);
  });
}

test('a scenario that changes a rule is compared with the lesson as it is taught', async ({ playground }) => {
  await playground.open({ scenario: 'A hook blocks the plan' });
  const dialog = await openCompare(playground);
  await expect(dialog.getByRole('combobox', { name: 'Left' }).locator('option:checked')).toHaveText('S05 TodoWrite');
  await expect(dialog.locator('.partings .first')).toContainText('Round 1');
});
