// What somebody sees who opens the page for the first time, has no key, and presses Run once.

import { expect, test } from './playground.mjs';

test('the page opens on S05 with a scenario ready to run', async ({ playground, page }) => {
  await page.goto('./');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('TodoWrite Playground');
  await expect(playground.lesson.locator('option:checked')).toHaveText('S05 TodoWrite');
  await expect(playground.scenario.locator('option:checked')).toHaveText('The forgetful model');
  await expect(page.getByRole('button', { name: 'Scripted' })).toHaveAttribute('aria-pressed', 'true');
  await expect(playground.prompt).toHaveValue(/^Tidy up this small project/);
  await expect(playground.transcript).toContainText('Press Run');
  await expect(playground.run).toBeEnabled();
  await expect(playground.stop).toBeDisabled();
  await expect(playground.counterSaid).toHaveText('0 of 3 rounds without todo_write');
  await expect(playground.counter).toContainText('3 rounds without todo_write → reminder, counter back to 0');
  await playground.expectBoard([], [], []);
});

test('one press of Run shows the plan, moving items, the counter 1·2·3, the reminder, the next plan and the end', async ({ playground, page }) => {
  test.setTimeout(90_000); // the one run in these tests at the pace that a reader gets
  await page.goto('./');
  await expect(playground.run).toBeEnabled();
  // Writes down whatever the counter and the column of the active item show, each time it becomes something else.
  await playground.board.evaluate((board) => {
    const seen = { counter: [], active: [], lamps: [], progress: [] };
    window.seen = seen;
    const note = (list, now) => list.at(-1) !== now && list.push(now);
    const look = () => {
      note(seen.counter, board.querySelector('[role=status]').textContent);
      note(seen.lamps, board.querySelectorAll('.lamp.lit').length);
      note(seen.active, board.querySelector('.in_progress ul').textContent);
      note(seen.progress, board.querySelector('header').textContent.match(/\d+\/\d+/)?.[0] ?? '');
    };
    look();
    new MutationObserver(look).observe(board, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await playground.run.click();
  await expect(playground.pause).toBeVisible();
  await expect(playground.scrubber).toContainText('turn over', { timeout: 80_000 });

  const seen = await page.evaluate(() => window.seen);
  expect(seen.counter).toEqual([
    '0 of 3 rounds without todo_write',
    '1 of 3 rounds without todo_write',
    '2 of 3 rounds without todo_write',
    'Reminder added, counter back to 0: messages[8].content[1]',
    '0 of 3 rounds without todo_write',
    '1 of 3 rounds without todo_write',
    '0 of 3 rounds without todo_write',
  ]);
  expect(seen.lamps).toEqual([0, 1, 2, 3, 0, 1, 0]);
  expect(seen.active).toEqual(['', '[>]Look at the files', '[>]Fix the typo in notes.md', '[>]Write README.md', '']);
  expect(seen.progress).toEqual(['', '0/4', '2/4', '3/4', '4/4']);
  await playground.expectBoard([], [], ['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
  await expect(playground.round(9)).toContainText('Done: greeting.py has a docstring');
  await expect(playground.round(9)).toContainText('the turn is over');
});

test('instant plays the whole scenario at once', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await expect(playground.updates).toHaveCount(4);
  await expect(playground.updates.first()).toContainText('[>] → [x] Write README.md');
  await expect(playground.round(4)).toContainText('<reminder>Update your todos.</reminder>');
});

test('nothing is asked of any other host, and the console stays empty', async ({ playground, page, baseURL }) => {
  const requests = [];
  const said = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  await playground.open();
  await playground.runToEnd();
  expect(requests.length).toBeGreaterThan(2);
  expect(requests.filter((url) => !url.startsWith(baseURL) && !url.startsWith('data:'))).toEqual([]);
  expect(said).toEqual([]);
});

test('a browser that keeps nothing runs it all the same', async ({ playground, page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    }
  });
  await playground.open();
  await playground.runToEnd();
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('TodoWrite 演练场');
});

test('the page says so when its program does not arrive', async ({ page, trouble }) => {
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '404' }));
  await page.goto('./');
  const overlay = page.getByRole('alertdialog');
  await expect(overlay).toContainText(/The page's program (could not start|can't run)/);
  await expect(overlay).toContainText('Check the network and reload');
  await page.unroute('**/*.wasm');
  await overlay.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('group', { name: 'Run controls' })).toBeVisible();
  trouble.length = 0; // the browser's own report of the missing file
});

test.describe('in a browser that runs no scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what it needs, at its top, and does not claim to be loading', async ({ page }) => {
    await page.goto('./');
    const said = page.locator('noscript p');
    await expect(said).toBeInViewport({ ratio: 1 });
    await expect(said).toContainText('needs JavaScript and WebAssembly. 本页需要 JavaScript 和 WebAssembly。');
    await expect(page.getByText('Loading…')).toBeHidden();
  });
});

test.describe('in a Chinese browser', () => {
  test.use({ locale: 'zh-CN' });

  test('页面以中文打开，第一个场景可以直接运行', async ({ playground, page }) => {
    await playground.open();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('TodoWrite 演练场');
    await expect(playground.scenario.locator('option:checked')).toHaveText('健忘的模型');
    await expect(playground.prompt).toHaveValue(/^整理这个小项目/);
    await playground.runToEnd();
    await playground.expectBoard([], [], ['查看文件', '给 greeting.py 加文档字符串', '改正 notes.md 里的错字', '写 README.md']);
    await expect(playground.round(4)).toContainText('<reminder>Update your todos.</reminder>');
    await expect(playground.round(9)).toContainText('完成：greeting.py 有了文档字符串');
  });
});

test.describe('in a browser of a third language', () => {
  test.use({ locale: 'fr-FR' });

  test('the page opens in English', async ({ page }) => {
    await page.goto('./');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('group', { name: 'Run controls' })).toBeVisible();
  });
});
