// The scenarios that bring rules, a lesson or a strict model along, each to its end.

import { expect, test } from './playground.mjs';

const chip = (page) => page.getByRole('button', { name: '1 rule changed', exact: true });
const repair = (page) => page.getByRole('group', { name: 'The refused list can be repaired' });

test('a plan that a hook blocks is no update: the third round is reminded, and the changed rule is marked', async ({ page, playground }) => {
  await playground.open({ scenario: 'A hook blocks the plan' });
  await expect(chip(page)).toBeVisible();
  await playground.runToEnd();
  await expect(playground.round(1)).toContainText('blocked');
  await expect(playground.round(1)).toContainText('no todo_write ran in this round');
  await expect(playground.round(3)).toContainText('<reminder>');
  await expect(playground.updates).toHaveCount(2);
  await playground.expectBoard([], [], ['Read both files', 'Write the menu']);
  await page.getByRole('tab', { name: 'Rules', exact: true }).click();
  // The group with a changed rule is open.
  const hook = playground.board.locator('[data-hook="no plan yet"]');
  await expect(hook).toBeVisible();
  await expect(hook).toContainText('added');
});

test('an answer with an open item is sent back by a Stop hook and the work is finished', async ({ page, playground }) => {
  await playground.open({ scenario: 'A Stop hook sends it back' });
  await expect(chip(page)).toBeVisible();
  await playground.runToEnd();
  await expect(playground.transcript).toContainText('Your plan still has open items.');
  await expect(playground.transcript).toContainText('Now both are done');
  await playground.expectBoard([], [], ['Sort guests.txt', 'Write invitation.md']);
});

test('index 0 is refused by the strict script, and the run goes on from there once the reminder is moved', async ({ page, playground }) => {
  await playground.open({ scenario: 'Index 0 and a strict API' });
  await playground.run.click();
  await expect(playground.alert).toContainText('400 invalid_request_error: messages.');
  await repair(page).getByRole('button', { name: 'Move the reminder behind the results and retry' }).click();
  await playground.over();
  await expect(playground.transcript).toContainText('weather.md has the three days.');
  await expect(playground.block('messages[8].content[1]')).toContainText('You moved it behind the tool results');
  // The scenario that comes next has neither its rules nor its strictness.
  await playground.scenario.selectOption('The forgetful model');
  await expect(chip(page)).toHaveCount(0);
  await playground.runToEnd();
});

test('a task under S04 forgets its last part, and the same prompt under S05 does not', async ({ playground }) => {
  await playground.open({ scenario: 'A task under S04' });
  await expect(playground.lesson.locator('option:checked')).toHaveText('S04 Hooks');
  await playground.runToEnd();
  await expect(playground.transcript).toContainText('Was there something else?');
  await playground.lesson.selectOption('S05 TodoWrite');
  await playground.runToEnd();
  await expect(playground.transcript).toContainText('All three are done; the list shows it.');
});

for (const [scenario, refused, updates] of [
  ['Twenty-one items, then six', 'Max 20 todos allowed', 3],
  ['A list sent as a string', 'todos must be a list or JSON array string', 4],
]) {
  test(`${scenario}: the refusal stands beside the plan that stays`, async ({ playground }) => {
    await playground.open({ scenario });
    await playground.runToEnd();
    await expect(playground.updates).toHaveCount(updates);
    await expect(playground.updates.filter({ hasText: refused })).toHaveCount(1);
  });
}

test('items go back and forth and the second prompt empties the plan', async ({ playground }) => {
  await playground.open({ scenario: 'Back and forth' });
  await playground.runToEnd();
  await playground.expectBoard(['Write the draft'], [], ['Check the draft']);
  await playground.runToEnd();
  await playground.expectBoard([], [], []);
});
