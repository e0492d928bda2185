// The loop as a drawing: nodes from the lesson, the one at the cursor lit, each leading to its last step.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';

const node = (playground, name) => playground.board.getByRole('button', { name });
const lit = (playground) => playground.board.locator('svg [aria-current=step]');

/** The names of the nodes as they stand in the drawing, without what they say of themselves. */
async function titles(playground) {
  const names = await playground.board.locator('svg [role=button]').evaluateAll((nodes) => nodes.map((one) => one.getAttribute('aria-label')));
  return names.map((name) => name.replace(/[:：].*/s, '').replace(/ #?\d.*/, ''));
}

async function openLoop(playground, name = 'Loop') {
  await playground.board.getByRole('tab', { name, exact: true }).click();
  await expect(playground.board.locator('svg [role=button]').first()).toBeVisible();
}

async function expectAccessible(page, state) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(bad.flatMap(({ id, nodes }) => nodes.slice(0, 4).map((one) => `${id}: ${one.target.join(' ')}`)), state).toEqual([]);
}

test('the loop of S05 has its hooks, the plan, the counter and the reminder, marked against S04', async ({ playground }) => {
  await playground.open();
  await openLoop(playground);
  expect(await titles(playground)).toEqual([
    'UserPromptSubmit', 'Prompt', 'Request', 'tool_use?', 'PreToolUse', 'Tool', 'todo_write', 'PostToolUse',
    'Counter', 'Reminder', 'Results', 'Stop', 'Turn over',
  ]);
  await expect(lit(playground)).toHaveCount(0);
  await expect(node(playground, /^Request: .* Changed: system prompt, tools offered\./)).toHaveAttribute('aria-disabled', 'true');
  await expect(node(playground, /^Prompt: .* Kept\./)).toBeVisible();
  for (const name of ['todo_write', 'Counter', 'Reminder']) await expect(node(playground, new RegExp(`^${name}.* Added\\.`))).toBeVisible();
  const legend = playground.board.getByRole('list', { name: 'What the marks mean' });
  await expect(legend.getByRole('listitem')).toHaveText(['=as in S04 Hooks', '~changed', '+added']);
});

test('the node at the cursor is lit, and a node leads to its last step', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openLoop(playground);
  await expect(lit(playground)).toHaveAccessibleName(/^Turn over:/);

  await node(playground, /^Counter/).click();
  await expect(playground.scrubber).toContainText('counter set to 0');
  await expect(lit(playground)).toHaveAccessibleName(/^Counter 0\/3/);
  const [last] = await playground.place();

  await node(playground, /^Reminder/).click();
  await expect(playground.scrubber).toContainText('reminder added');
  await expect(lit(playground)).toHaveAccessibleName(/^Reminder:/);
  await expect(node(playground, /^Counter 3\/3/)).toBeVisible();

  // From here the last step of the counter is another one.
  await node(playground, /^Counter/).click();
  await expect(playground.scrubber).toContainText('counter set to 3');
  expect((await playground.place())[0]).toBeLessThan(last);
  await playground.live.click();
  await expect(lit(playground)).toHaveAccessibleName(/^Turn over:/);
});

test('the drawing goes with the run', async ({ playground }) => {
  await playground.open({ scenario: 'It asks for permission' });
  await openLoop(playground);
  await playground.run.click();
  await expect(playground.permission).toBeVisible();
  await expect(lit(playground)).toHaveAccessibleName(/^PreToolUse: \(permission, log\)/);
});

test('by keyboard: one stop of Tab, arrows go from node to node, Enter and Space go to the step', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await page.getByRole('tab', { name: 'Board', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Loop', exact: true })).toBeFocused();
  await expect(playground.board.locator('svg [tabindex="0"]')).toHaveCount(1);
  await playground.board.getByRole('button', { name: 'todo_write core' }).focus();
  await page.keyboard.press('Tab');
  await expect(node(playground, /^Turn over/)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(node(playground, /^UserPromptSubmit/)).toBeFocused();
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('ArrowDown');
  await expect(node(playground, /^Counter/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(playground.scrubber).toContainText('counter set to 0');
  await expect(node(playground, /^Counter/)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(playground.scrubber).toContainText('reminder added');
  await page.keyboard.press('End');
  await expect(node(playground, /^Turn over/)).toBeFocused();
});

test('the loop before and the core stand beside it, and say where the cursor is not', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openLoop(playground);
  await node(playground, /^Reminder/).click();
  const view = (name) => playground.board.getByRole('button', { name, exact: true });
  await view('S04 Hooks loop').click();
  await expect(node(playground, /^(Counter|Reminder|todo_write):/)).toHaveCount(0);
  await expect(playground.board).toContainText('Reminder is not in this loop.');
  await view('todo_write core').click();
  expect(await titles(playground)).toEqual(['todo_write', 'Valid?', 'Replace all', 'Keep the old', 'As text', 'Counter', '≥', 'Reminder', 'Results']);
  await expect(lit(playground)).toHaveAccessibleName(/^Reminder:/);
  await node(playground, /^Replace all/).click();
  await expect(playground.scrubber).toContainText('plan replaced');
  await expect(node(playground, /^Keep the old/)).toHaveAccessibleName(/Not reached in this run\.$/);
});

test('S04 has no counter, no reminder and no plan, and nothing before it to compare with', async ({ playground }) => {
  await playground.open({ lesson: 'S04 Hooks' });
  await openLoop(playground);
  expect(await titles(playground)).toEqual([
    'UserPromptSubmit', 'Prompt', 'Request', 'tool_use?', 'PreToolUse', 'Tool', 'PostToolUse', 'Results', 'Stop', 'Turn over',
  ]);
  await expect(playground.board.getByRole('group', { name: 'What is drawn' })).toHaveCount(0);
  await expect(playground.board.getByRole('list', { name: 'What the marks mean' })).toHaveCount(0);
});

test('the older lesson has no hooks, asks for the stop reason, and stands against the one that it grew out of', async ({ playground }) => {
  await playground.open({ lesson: 'S03 Session plan' });
  await openLoop(playground);
  expect(await titles(playground)).toEqual(['Prompt', 'Request', 'stop_reason?', 'Tool', 'todo', 'Counter', 'Reminder', 'Results', 'Turn over']);
  await expect(node(playground, /^Counter/)).toHaveAccessibleName(/Changed: counter rules\./);
  const legend = playground.board.getByRole('list', { name: 'What the marks mean' });
  await expect(legend.getByRole('listitem')).toHaveText(['=as in S03 Todo list', '~changed']);
});

test('the drawing can be read as a list', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openLoop(playground);
  await node(playground, /^Counter/).click();
  await playground.board.getByText('The drawing in words').click();
  const items = playground.board.locator('details').getByRole('listitem');
  await expect(items).toHaveCount(13);
  await expect(items.nth(2)).toContainText('Request #8 (15 messages, 6 tools)');
  await expect(playground.board.locator('details [aria-current=step]')).toContainText('Counter 0/3 (rounds without todo_write)');
  await node(playground, /^Results/).click();
  await expect(playground.board.locator('details [aria-current=step]')).toContainText('Request #');
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('every node has its Chinese name', async ({ playground }) => {
    await playground.open();
    await playground.runToEnd();
    await openLoop(playground, '循环');
    expect(await titles(playground)).toEqual([
      'UserPromptSubmit', '提示词', '请求', 'tool_use?', 'PreToolUse', '工具', 'todo_write', 'PostToolUse', '计数器', '提醒', '结果', 'Stop', '回合结束',
    ]);
    await node(playground, /^计数器/).click();
    await expect(lit(playground)).toHaveAccessibleName(/^计数器 0\/3：（没有 todo_write 的轮数）所有调用都有结果之后/);
  });
});

for (const [width, locale, loop] of [[1440, 'en-US', 'Loop'], [1440, 'zh-CN', '循环'], [390, 'en-US', 'Loop'], [390, 'zh-CN', '循环']]) {
  test.describe(`${width} wide, ${locale}`, () => {
    test.use({ viewport: { width, height: 900 }, locale });

    test('every text is large enough and inside its node, in every view', async ({ playground, page }) => {
      await playground.open();
      await playground.runToEnd();
      if (width < 1000) await page.getByRole('button', { name: playground.words.plan, exact: true }).click();
      await openLoop(playground, loop);
      for (const view of await playground.board.locator('.segment').all()) {
        await view.click();
        const [small, outside] = await playground.board.locator('svg').evaluate((svg) => {
          const scale = svg.getScreenCTM().a;
          const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent);
          const within = (text) => {
            const outer = text.closest('.node').querySelector('.shape').getBoundingClientRect();
            const inner = text.getBoundingClientRect();
            return text.matches('.sign') || (inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom);
          };
          return [
            texts.filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < 11).map((text) => text.textContent),
            texts.filter((text) => text.closest('.node') && !within(text)).map((text) => text.textContent),
          ];
        });
        expect(small).toEqual([]);
        expect(outside).toEqual([]);
      }
    });
  });
}

for (const colorScheme of ['light', 'dark']) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing, in every view', async ({ playground, page }) => {
      test.slow();
      await playground.open();
      await playground.runToEnd();
      await openLoop(playground);
      await node(playground, /^Reminder/).click();
      await playground.board.getByText('The drawing in words').click();
      for (const view of await playground.board.locator('.segment').all()) {
        await view.click();
        await expectAccessible(page, await view.innerText());
      }
    });
  });
}
