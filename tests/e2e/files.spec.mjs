// The files: what changed since when, a file as text, as changes and by hand, in and out of the page.

import { readFile } from 'node:fs/promises';
import { expect, test } from './playground.mjs';

/** Opens the Files tab and a file in it. */
async function openFile(playground, name) {
  await playground.tab(playground.words.files).click();
  await playground.panel.locator('.tree').getByRole('button', { name, exact: true }).click();
}

const button = (playground, name) => playground.panel.getByRole('button', { name, exact: true });
const row = (playground, name) => playground.panel.locator('.tree li').filter({ hasText: name });

test('after a run each file says what became of it, and shows it as a diff', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openFile(playground, 'greeting.py');
  await expect(row(playground, 'README.md')).toContainText('new');
  await expect(row(playground, 'greeting.py')).toContainText('changed');
  await expect(playground.panel.locator('.lines li').first()).toHaveText('def greet(name):');
  await button(playground, 'Changes').click();
  await expect(playground.panel.locator('.diff .plus')).toHaveText(/2\+ {4}"""Return a greeting for name\."""/);
  await expect(playground.panel.locator('.diff .minus')).toHaveCount(0);
});

test('the marks and the diff can be those of the step, the round or the whole run', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openFile(playground, 'greeting.py');
  await button(playground, 'Changes').click();
  const since = playground.panel.getByRole('combobox', { name: 'Changes since' });
  await since.selectOption('before this step');
  await expect(playground.panel.locator('.tree .badge')).toHaveCount(0);
  await expect(playground.panel).toContainText("Nothing has changed in this file's text.");
  await since.selectOption('before this round');
  // To the last step of round 7, which wrote the README.
  await playground.round(8).getByRole('button', { name: 'Round 8' }).click();
  await playground.slider.press('ArrowLeft');
  await expect(playground.panel.locator('.tree .badge')).toHaveCount(1);
  await expect(row(playground, 'README.md')).toContainText('new');
});

test('a file edited by hand is what the next command and the model see, and the run keeps it as the reader\'s', async ({ playground }) => {
  test.slow();
  await playground.open();
  await openFile(playground, 'greeting.py');
  await button(playground, 'Edit').click();
  const field = playground.panel.getByRole('textbox', { name: '/workspace/greeting.py' });
  await expect(button(playground, 'Save')).toBeDisabled();
  await field.fill('print("by hand")\n');
  await button(playground, 'Save').click();
  await expect(playground.panel.locator('.lines')).toContainText('print("by hand")');
  await expect(playground.transcript).toContainText('You changed a file');
  await playground.openCommands();
  await playground.panel.getByRole('textbox', { name: 'Command' }).fill('cat greeting.py');
  await playground.page.keyboard.press('Enter');
  await expect(playground.panel.locator('.typed pre')).toHaveText('print("by hand")', { timeout: 60_000 });
});

test('Windows line ends stay through an edit', async ({ playground, page }) => {
  await playground.open();
  await playground.tab('Files').click();
  await playground.panel.locator('input[type=file]').setInputFiles({ name: 'dos.txt', mimeType: 'text/plain', buffer: Buffer.from('one\r\ntwo\r\n') });
  await openFile(playground, 'dos.txt');
  await button(playground, 'Edit').click();
  await playground.panel.getByRole('textbox', { name: '/workspace/dos.txt' }).fill('one\ntwo\nthree\n');
  await button(playground, 'Save').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), button(playground, 'Download').click()]);
  expect(saved.suggestedFilename()).toBe('dos.txt');
  expect((await readFile(await saved.path())).toString()).toBe('one\r\ntwo\r\nthree\r\n');
});

test('what is typed into a file stays when the reader looks at something else', async ({ playground }) => {
  await playground.open();
  await openFile(playground, 'greeting.py');
  await button(playground, 'Edit').click();
  const field = playground.panel.getByRole('textbox', { name: '/workspace/greeting.py' });
  await field.fill('half');
  await playground.tab('Messages').click();
  await playground.tab('Files').click();
  await playground.panel.locator('.tree').getByRole('button', { name: 'notes.md', exact: true }).click();
  await playground.panel.locator('.tree').getByRole('button', { name: 'greeting.py', exact: true }).click();
  await expect(field).toHaveValue('half');
  await button(playground, 'Discard').click();
  await button(playground, 'Edit').click();
  await expect(field).toHaveValue(/def greet/);
});

test('a file of several kinds of line ends is not offered for editing', async ({ playground }) => {
  await playground.open();
  await playground.tab('Files').click();
  await playground.panel.locator('input[type=file]').setInputFiles({ name: 'mixed.txt', mimeType: 'text/plain', buffer: Buffer.from('a\rb\r\nc\n') });
  await openFile(playground, 'mixed.txt');
  await expect(button(playground, 'Edit')).toBeDisabled();
  await expect(playground.panel).toContainText('one kind of line ends');
});

test('a folder that went shows what was in it', async ({ playground }) => {
  test.slow();
  await playground.open();
  await playground.openCommands();
  await playground.panel.getByRole('textbox', { name: 'Command' }).fill('rm -rf /workspace');
  await playground.page.keyboard.press('Enter');
  await expect(playground.panel.locator('.typed')).toHaveCount(1, { timeout: 60_000 });
  await openFile(playground, 'greeting.py');
  await expect(row(playground, 'greeting.py')).toContainText('removed');
  await expect(playground.panel.locator('.diff .minus').first()).toContainText('def greet');
});

test('a new file is made where its path says, and one outside is refused in words', async ({ playground, page }) => {
  await playground.open();
  await playground.tab('Files').click();
  await button(playground, 'New file').click();
  const path = playground.panel.getByRole('textbox', { name: 'Path of the new file' });
  await expect(path).toBeFocused();
  await path.fill('../outside.txt');
  await page.keyboard.press('Enter');
  await expect(playground.panel.getByRole('alert')).toContainText('no path of a file below the working directory');
  await button(playground, 'New file').click();
  await path.fill('notes/今天.md');
  await page.keyboard.press('Enter');
  await playground.panel.getByRole('textbox', { name: '/workspace/notes/今天.md' }).fill('# 今天\n');
  await button(playground, 'Save').click();
  await expect(playground.panel.locator('.lines')).toHaveText('# 今天');
  await expect(row(playground, '今天.md')).toContainText('new');
  // A folder can be folded.
  await playground.panel.locator('.tree').getByRole('button', { name: 'notes/' }).click();
  await expect(row(playground, '今天.md')).toHaveCount(0);
});

test('files are taken in by the button and by dropping, and any byte of them survives', async ({ playground, page }) => {
  await playground.open();
  await playground.tab('Files').click();
  await playground.panel.locator('input[type=file]').setInputFiles([
    { name: 'a b.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    { name: 'bytes.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 254, 10]) },
  ]);
  await expect(row(playground, 'a b.txt')).toContainText('5 B');
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], 'dropped.txt'));
    return data;
  });
  await playground.panel.locator('.files').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(row(playground, 'dropped.txt')).toContainText('7 B');
  await openFile(playground, 'bytes.bin');
  await expect(playground.panel).toContainText('Not text');
  await expect(button(playground, 'Edit')).toBeDisabled();
  const [saved] = await Promise.all([page.waitForEvent('download'), button(playground, 'Download').click()]);
  expect([...(await readFile(await saved.path()))]).toEqual([0, 255, 254, 10]);
});

test('all files are saved as a zip that unzip reads', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  await playground.tab('Files').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), button(playground, 'Download all (zip)').click()]);
  expect(saved.suggestedFilename()).toBe('workspace.zip');
  const { execFileSync } = await import('node:child_process');
  const list = execFileSync('python3', ['-c', 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*sorted(z.namelist())); print(z.read("notes.md").decode(), end="")', await saved.path()]);
  expect(list.toString()).toBe('README.md greeting.py notes.md\n# Notes\n\nThe greeting is used by every page.\n');
});

test('a file is deleted and all is taken back at the second press', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openFile(playground, 'notes.md');
  await button(playground, 'Delete').click();
  await button(playground, 'Really delete?').click();
  await expect(row(playground, 'notes.md')).toContainText('removed');
  await button(playground, 'Reset files').click();
  await button(playground, 'Take back 3 changes?').click();
  await expect(playground.panel.locator('.tree .badge')).toHaveCount(0);
  await expect(button(playground, 'Reset files')).toBeDisabled();
  await expect(playground.transcript).toContainText('You changed 3 files');
});

test('at an earlier moment files can be looked at and not changed', async ({ playground }) => {
  await playground.open();
  await playground.runToEnd();
  await openFile(playground, 'notes.md');
  await playground.slider.press('Home');
  await expect(playground.panel).toContainText('Go to Live to change files');
  await expect(button(playground, 'Edit')).toBeDisabled();
  await expect(button(playground, 'New file')).toBeDisabled();
  await playground.live.click();
  await expect(button(playground, 'Edit')).toBeEnabled();
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('文件可以对比、编辑', async ({ playground }) => {
    await playground.open();
    await playground.runToEnd();
    await openFile(playground, 'greeting.py');
    await button(playground, '改动').click();
    await expect(playground.panel.locator('.diff .plus')).toHaveCount(1);
    await button(playground, '编辑').click();
    await playground.panel.getByRole('textbox', { name: '/workspace/greeting.py' }).fill('print("你好")\n');
    await button(playground, '保存').click();
    await expect(playground.transcript).toContainText('greeting.py');
    await expect(playground.panel.locator('.lines')).toHaveText('print("你好")');
  });
});
