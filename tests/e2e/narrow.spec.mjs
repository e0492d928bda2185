// From a small phone to a very wide screen.

import { expect, test } from './playground.mjs';

/** How far the page can be scrolled sideways, and what sticks out of the window. */
const overflow = (page) =>
  page.evaluate(() => {
    const sideways = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth;
    const scrolls = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (box !== document.body && /auto|scroll|hidden/.test(getComputedStyle(box).overflowX)) return true;
      }
      return false;
    };
    const out = [...document.querySelectorAll('#app *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (right > innerWidth + 1 || left < -1) && !scrolls(element);
    });
    return { sideways, out: out.map((element) => `${element.tagName}.${element.className}`) };
  });

const NONE = { sideways: 0, out: [] };

for (const [width, height] of [[390, 844], [360, 640]]) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('the parts are tabs, and the counter and the active item stay in sight', async ({ playground, page }) => {
      await playground.open();
      const tabs = page.getByRole('navigation', { name: 'Parts of the page' });
      const lamps = page.locator('.strip .lamp');
      await playground.runToEnd();
      await playground.round(3).getByRole('button', { name: 'Round 3', exact: true }).click();
      for (const name of ['Plan', 'Inspector', 'Transcript']) {
        const tab = tabs.getByRole('button', { name });
        await tab.click();
        await expect(tab).toHaveAttribute('aria-pressed', 'true');
        await expect(page.getByRole('region', { name, exact: true }).first()).toBeVisible();
        for (const other of ['Plan', 'Inspector', 'Transcript'].filter((other) => other !== name)) {
          await expect(page.getByRole('region', { name: other, exact: true })).toHaveCount(0);
        }
        await expect(lamps).toHaveText(['1', '2', '3']);
        for (const lamp of await lamps.all()) await expect(lamp).toBeInViewport({ ratio: 1 });
        await expect(page.locator('.strip .lamp.lit')).toHaveCount(1);
        await expect(page.locator('.strip').getByText('Look at the files')).toBeInViewport();
        await expect(page.locator('.strip').getByText('0/4')).toBeInViewport({ ratio: 1 });
        expect(await overflow(page), name).toEqual(NONE);
      }
    });

    test('a run works, and nothing sticks out of the screen', async ({ playground, page }) => {
      await page.goto('./');
      await expect(playground.run).toBeInViewport({ ratio: 1 });
      await expect(playground.prompt).toBeInViewport({ ratio: 1 });
      await expect(playground.send).toBeInViewport({ ratio: 1 });
      await expect(playground.live).toBeInViewport({ ratio: 1 });
      expect(await overflow(page)).toEqual(NONE);
      await playground.open();
      await playground.runToEnd();
      await expect(playground.round(9)).toBeInViewport();
      expect(await overflow(page)).toEqual(NONE);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await playground.expectBoard([], [], ['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
      await page.getByRole('button', { name: 'Inspector', exact: true }).click();
      for (const tab of ['Request', 'Files', 'Messages']) {
        await playground.tab(tab).click();
        expect(await overflow(page), tab).toEqual(NONE);
      }
    });

    test('the chip in the transcript leads to the block in the other tab', async ({ playground }) => {
      await playground.open();
      await playground.runToEnd();
      await playground.round(4).getByRole('button', { name: 'messages[8].content[1]' }).click();
      await expect(playground.inspector).toBeVisible();
      await expect(playground.block('messages[8].content[1]')).toBeInViewport();
    });

    test('every control can be reached and is large enough to touch', async ({ playground, page }) => {
      await playground.open();
      for (const control of [playground.lesson, playground.scenario, playground.speed, playground.theme, playground.run, playground.step]) {
        await control.scrollIntoViewIfNeeded();
        await expect(control).toBeInViewport();
      }
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, select, textarea, input, summary')]
          .filter((element) => element.checkVisibility() && !element.matches('.link'))
          .map((element) => [element.getBoundingClientRect(), element])
          .filter(([box, element]) => box.width > 0 && (box.height < 24 || box.width < 24) && element.type !== 'range')
          .map(([box, element]) => `${element.textContent.trim() || element.tagName} ${Math.round(box.width)}×${Math.round(box.height)}`),
      );
      expect(small).toEqual([]);
    });

    test('the settings fit', async ({ playground, page }) => {
      await playground.open();
      await playground.openSettings();
      const box = await playground.dialog.boundingBox();
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      const use = playground.dialog.getByRole('button', { name: 'Use this endpoint' });
      await use.scrollIntoViewIfNeeded();
      await expect(use).toBeInViewport({ ratio: 0.95 });
      expect(await overflow(page)).toEqual(NONE);
    });

    test('a permission question shows itself, whichever tab is open', async ({ playground, page }) => {
      await playground.open({ scenario: 'It asks for permission' });
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await playground.run.click();
      await expect(playground.permission).toBeVisible();
      await expect(playground.deny).toBeInViewport({ ratio: 1 });
      await expect(playground.allow).toBeInViewport({ ratio: 1 });
      await playground.allow.click();
      await playground.over();
    });
  });
}

test.describe('in Chinese on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, locale: 'zh-CN' });

  test('没有横向滚动，计数器一直可见', async ({ playground, page }) => {
    await playground.open();
    await playground.runToEnd();
    for (const name of ['计划', '检查器', '对话记录']) {
      await page.getByRole('button', { name, exact: true }).click();
      expect(await overflow(page), name).toEqual(NONE);
      await expect(page.locator('.strip .lamp').first()).toBeInViewport({ ratio: 1 });
    }
  });
});

test.describe('at the border of 1000 pixels', () => {
  test('1000 shows tabs, 1001 three panes', async ({ playground, page }) => {
    const tabs = page.getByRole('navigation', { name: 'Parts of the page' });
    await page.setViewportSize({ width: 1000, height: 700 });
    await playground.open();
    await playground.runToEnd();
    await expect(tabs).toBeVisible();
    await expect(playground.board).toBeHidden();
    expect(await overflow(page)).toEqual(NONE);
    await page.setViewportSize({ width: 1001, height: 700 });
    await expect(tabs).toBeHidden();
    for (const pane of [playground.transcript, playground.board, playground.inspector]) await expect(pane).toBeInViewport();
    await expect(playground.counterSaid).toBeInViewport();
    expect(await overflow(page)).toEqual(NONE);
  });
});

test.describe('3840 × 2160', () => {
  test.use({ viewport: { width: 3840, height: 2160 } });

  test('the three panes fill the screen, in larger type and no overlong lines', async ({ playground, page }) => {
    await playground.open();
    await playground.runToEnd();
    expect(await overflow(page)).toEqual(NONE);
    const [left, right] = [await playground.transcript.boundingBox(), await playground.inspector.boundingBox()];
    expect(left.x).toBe(0);
    expect(Math.round(right.x + right.width)).toBe(3840);
    expect(await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))).toBeGreaterThan(18);
    const longest = await page.locator('.said, .prompt').evaluateAll((all) =>
      Math.max(...all.map((element) => element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize))),
    );
    expect(longest).toBeLessThan(60); // in em: about 100 characters
  });
});

test('the page can be read at 200 % zoom', async ({ playground, page }) => {
  // What zoom does to a window of 1280 × 800: half as many CSS pixels.
  await page.setViewportSize({ width: 640, height: 400 });
  await playground.open();
  await playground.runToEnd();
  expect(await overflow(page)).toEqual(NONE);
  await expect(playground.round(9)).toBeInViewport();
});
