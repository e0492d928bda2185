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

    test('what matters of the cursor\'s place is not cut off, and a block of the message list keeps its size in its row', async ({ playground, page }) => {
      await playground.open();
      await playground.runToEnd();
      await playground.slider.press('Home');
      const name = page.locator('.position-said .what');
      await expect(name).toHaveText('UserPromptSubmit hook: context');
      await playground.slider.press('End');
      await expect(name).toHaveText('turn over');
      expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth + 1)).toBe(true);
      await page.getByRole('button', { name: 'Inspector', exact: true }).click();
      const rows = await page.locator('.block summary').evaluateAll((all) =>
        all.map((row) => [row.querySelector('.position'), row.querySelector('.size')].map((part) => part.getBoundingClientRect())).map(([a, b]) => b.top < a.bottom && a.top < b.bottom),
      );
      expect(rows.length).toBeGreaterThan(10);
      expect(rows).not.toContain(false);
    });

    test('lesson, scenario, model and speed are all in sight', async ({ playground, page }) => {
      await playground.open();
      for (const control of [playground.lesson, playground.scenario, page.getByRole('button', { name: 'Endpoint' }), playground.speed]) {
        await expect(control).toBeInViewport({ ratio: 1 });
      }
    });

    test('cards that are there already do not arrive again when their tab is opened', async ({ playground, page }) => {
      await playground.open();
      await playground.runToEnd();
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await expect(page.locator('.card').first()).toBeVisible();
      const running = () => page.evaluate(() => document.getAnimations().filter((animation) => animation.animationName === 'arrive' && animation.playState === 'running').length);
      await expect.poll(running).toBe(0);
      for (const name of ['Transcript', 'Plan']) {
        await page.getByRole('button', { name, exact: true }).click();
        await expect(page.getByRole('region', { name, exact: true }).first()).toBeVisible();
        expect(await running(), name).toBe(0);
      }
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

/** The part of an element that is on the screen and not behind the bar of steps, in pixels of height. */
const seen = (locator) =>
  locator.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const footer = document.querySelector('.scrubber').getBoundingClientRect();
    const end = Math.min(bottom, innerHeight, element.closest('.scrubber') ? Infinity : footer.top);
    return left < innerWidth && right > 0 ? Math.max(0, end - Math.max(top, 0)) : 0;
  });

for (const [width, height, what] of [
  [844, 390, 'a phone on its side'],
  [640, 360, '200 % zoom of a small window'],
  [390, 500, 'a phone with its keyboard'],
  [360, 640, 'a small phone'],
  [1280, 420, 'a low window'],
]) {
  test.describe(`${width} × ${height}, ${what}`, () => {
    test.use({ viewport: { width, height } });

    test('the transcript can be read, and nothing lies over anything else', async ({ playground, page }) => {
      await playground.open();
      await playground.runToEnd();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await seen(page.locator('.transcript-scroll'))).toBeGreaterThan(80);
      for (const control of [page.getByRole('button', { name: 'Save log' }), playground.prompt, playground.send, playground.live]) {
        await control.scrollIntoViewIfNeeded();
        const { height } = await control.boundingBox();
        expect(await seen(control)).toBeGreaterThan(height - 1);
      }
      expect(await overflow(page)).toEqual(NONE);
      await playground.run.scrollIntoViewIfNeeded();
      await expect(playground.run).toBeInViewport({ ratio: 1 });
    });

    test('a permission question can be read to its end, above its answers', async ({ playground, page }) => {
      await playground.open({ scenario: 'It asks for permission' });
      await playground.run.click();
      await expect(playground.deny).toBeFocused();
      const title = playground.permission.getByRole('heading');
      const what = page.locator('#permission-what');
      for (const part of [title, playground.deny, playground.allow]) {
        const { height } = await part.boundingBox();
        await expect.poll(() => seen(part)).toBeGreaterThan(height - 1);
      }
      expect(await seen(what)).toBeGreaterThan(60);
      const [above, below] = [await what.boundingBox(), await playground.allow.boundingBox()];
      expect(below.y).toBeGreaterThanOrEqual(above.y + above.height - 1);
      // All of it: the text scrolls inside.
      await what.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      const end = await what.evaluate((box) => box.lastElementChild.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom);
      expect(end).toBeLessThan(1);
      await playground.allow.click();
      await playground.over();
    });
  });
}

for (const width of [1001, 1100, 1200, 1300, 1301, 1440]) {
  for (const locale of ['en-US', 'zh-CN']) {
    test.describe(`${width} pixels, ${locale}`, () => {
      test.use({ viewport: { width, height: 700 }, locale });

      test('the top bar is one row, with everything in it', async ({ playground, page }) => {
        await playground.open();
        await playground.runToEnd();
        expect((await page.getByRole('banner').boundingBox()).height).toBeLessThan(60);
        for (const control of [playground.lesson, playground.scenario, playground.speed, playground.run, playground.step, playground.stop, playground.theme]) {
          await expect(control).toBeInViewport({ ratio: 1 });
        }
        expect(await overflow(page)).toEqual(NONE);
      });
    });
  }
}

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
