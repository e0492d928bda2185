// Chinese and English: each is whole, follows the reader, and stays.

import { expect, Playground, test } from './playground.mjs';
import { faults, says } from './messages-server.mjs';

/** Everything that can be read or heard on the page, without what is code or in a language of its own. */
function words(page) {
  return page.evaluate(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const own = document.documentElement.lang;
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      if (element.closest('script, style, noscript, code, pre, .tool, .input, .result-line, .printed, .about, .part')) continue;
      const foreign = element.closest('[lang]');
      if (foreign && foreign.lang !== own) continue;
      if (!element.closest('option') && !element.checkVisibility({ contentVisibilityAuto: false, visibilityProperty: true })) continue;
      const said = node.textContent.trim();
      if (said) found.push(said);
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-valuetext]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) {
        if (element.hasAttribute(name)) found.push(element.getAttribute(name));
      }
    }
    found.push(document.title);
    return found;
  });
}

// Names that stay as they are in any language: the lesson's, the API's, those of files and hooks.
const NAMES = new Set(
  `TodoWrite S03 S04 S05 Hooks todo_write bash glob read_file write_file edit_file hook user assistant text tool_use tool_result
   thinking string messages content greeting.py notes.md hello.py a.txt report.txt README.md README main guard workspace shared tmp
   UserPromptSubmit PreToolUse PostToolUse Stop context permission log summary large output Enter Shift F8 B kB MB
   API CORS Anthropic Ollama Bearer Authorization x-api-key token tokens Messages https http example com api anthropic v1 localhost
   scripted JSON stream true UTF-8 MiniMax in_progress hello Python zip shell`.split(/\s+/),
);

function english(found) {
  return found.flatMap((said) => {
    const rest = said
      .replace(/https?:\/\/\S+/g, '')
      .replace(/messages\[\d+\](\.content(\[\d+\])?)?/g, '')
      .replace(/[\w./]+\.(py|md|txt)\b/g, '')
      .replace(/S03 TodoWrite \((todo|plan)\)/g, '')
      .replace(/\w+(\/\w+)+/g, '')
      // What the lesson's program says in its own words, in a question or as a refusal.
      .replace(/Access outside workspace|Permission denied by (user|deny list)|\/tmp\S*/g, '');
    const left = (rest.match(/[A-Za-z][\w'-]+(\.\w+)?/g) ?? []).filter((word) => !NAMES.has(word) && !/^v\d/.test(word));
    return left.length > 0 ? [`${left.join(' ')} — in: ${said.slice(0, 90)}`] : [];
  });
}

const chinese = (found) => found.filter((said) => /\p{Script=Han}/u.test(said));

test.describe('in a Chinese browser', () => {
  test.use({ locale: 'zh-CN' });

  test('没有一个英文界面词：开始、运行后、各个标签页', async ({ playground, page }) => {
    await playground.open();
    expect(english(await words(page))).toEqual([]);
    await playground.runToEnd();
    for (const tab of ['消息', '请求', '文件', '终端']) {
      await playground.tab(tab).click();
      expect(english(await words(page)), tab).toEqual([]);
    }
    await page.getByText('推荐的提示词').click();
    await page.getByRole('button', { name: '模型看到的样子' }).click();
    expect(english(await words(page))).toEqual([]);
  });

  test('没有一个英文界面词：设置、许可、错误、停止', async ({ playground, page, server }) => {
    await playground.open({ scenario: '请求许可' });
    await playground.run.click();
    await expect(playground.permission).toBeVisible();
    expect(english(await words(page)), '许可').toEqual([]);
    await playground.stop.click();
    await expect(playground.stop).toBeDisabled();
    expect(english(await words(page)), '停止').toEqual([]);
    await playground.openSettings();
    expect(english(await words(page)), '设置').toEqual([]);
    await page.keyboard.press('Escape');
    server.answers(faults.page);
    server.echoes = false;
    await playground.useEndpoint({ url: server.url, model: 'x' });
    await playground.ask('你好');
    await expect(playground.alert).toBeVisible();
    const said = (await words(page)).map((word) => word.replace(/开头是：.*/s, '').replace(/text\/html; charset=utf-8/, '').replace(/^x$/, ''));
    expect(english(said), '错误').toEqual([]);
  });

  test('没有一个英文界面词：没有计划的一课', async ({ playground, page }) => {
    await playground.open({ lesson: 'S04 Hooks' });
    await playground.runToEnd();
    expect(english(await words(page))).toEqual([]);
  });
});

test('no Chinese word is left in English', async ({ playground, page }) => {
  await playground.open();
  expect(chinese(await words(page))).toEqual([]);
  await playground.runToEnd();
  for (const tab of ['Messages', 'Request', 'Files', 'Terminal']) {
    await playground.tab(tab).click();
    expect(chinese(await words(page))).toEqual([]);
  }
  await playground.openSettings();
  expect(chinese(await words(page))).toEqual([]);
});

test('the language can be changed at any moment, and the run goes on', async ({ playground, page, server }) => {
  server.answers(says('A first half, and a second half.').with({ holdAfter: 4 }));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.round(1)).toContainText('A first half');
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('TodoWrite 演练场');
  await expect(page).toHaveTitle('TodoWrite 演练场');
  const zh = new Playground(page, 'zh');
  await expect(zh.round(1)).toContainText('A first half');
  server.release();
  await zh.over();
  await expect(zh.transcript).toContainText('模型没有再调用工具');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page).toHaveTitle('TodoWrite Playground');
  await expect(playground.transcript).toContainText('The model answered without a call');
  expect(server.requests).toHaveLength(1);
});

test('the choice is there again after a reload', async ({ playground, page }) => {
  await playground.open();
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('TodoWrite 演练场');
  await page.reload();
  const zh = new Playground(page, 'zh');
  await expect(zh.run).toBeEnabled();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(zh.prompt).toHaveValue(/^整理这个小项目/);
  await page.getByRole('button', { name: 'English' }).click();
  await page.reload();
  await expect(playground.run).toBeEnabled();
});

test('the language button speaks the language that it leads to', async ({ playground, page }) => {
  await playground.open();
  await expect(page.getByRole('button', { name: '中文' })).toHaveAttribute('lang', 'zh-CN');
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('button', { name: 'English' })).toHaveAttribute('lang', 'en');
});

test('the scenario\'s own prompt changes with the language, a typed one stays', async ({ playground, page }) => {
  await playground.open();
  await page.getByRole('button', { name: '中文' }).click();
  const zh = new Playground(page, 'zh');
  await expect(zh.prompt).toHaveValue(/^整理这个小项目/);
  await zh.prompt.fill('写报告 ★');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(playground.prompt).toHaveValue('写报告 ★');
});

test('what the model said stays in its language', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await page.getByRole('button', { name: '中文' }).click();
  const zh = new Playground(page, 'zh');
  await expect(zh.round(1)).toContainText("Four steps. I'll write them down first.");
  await expect(zh.column('已完成')).toHaveText(['Look at the files', 'Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md']);
});
