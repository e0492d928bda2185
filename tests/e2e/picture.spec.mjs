// The picture in the README: the page just after the reminder. `UPDATE_PICTURE=1 ./dev test e2e picture` takes it again;
// without that, this only checks that the page at that moment shows what the picture shows.

import { stat, writeFile } from 'node:fs/promises';
import { expect, test } from './playground.mjs';
import { withPalette } from './png.mjs';

const FILE = new URL('picture.png', import.meta.url);

test.use({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', contextOptions: { reducedMotion: 'reduce' } });

test('after the reminder: three lamps, the chip in the transcript, the marked block in the inspector', async ({ playground, page }) => {
  await playground.open();
  const prompt = await playground.prompt.inputValue();
  await playground.runToEnd();
  await playground.prompt.fill(prompt);
  await playground.speed.selectOption('Normal');
  await playground.round(5).getByRole('button', { name: 'Round 5', exact: true }).click();
  await playground.slider.press('ArrowLeft');
  await expect(playground.scrubber).toContainText('round 4 · reminder added');

  await expect(playground.lit).toHaveCount(3);
  await expect(playground.counterSaid).toContainText('Reminder added, counter back to 0');
  await expect(playground.round(4).getByText('<reminder>Update your todos.</reminder>')).toBeInViewport();
  await expect(playground.block('messages[8].content[1]')).toBeInViewport({ ratio: 0.9 });
  await playground.expectBoard(
    ['Add a docstring to greeting.py', 'Fix the typo in notes.md', 'Write README.md'],
    ['Look at the files'],
    [],
  );

  if (process.env.UPDATE_PICTURE) {
    await page.evaluate(() => document.activeElement?.blur());
    await writeFile(FILE, await withPalette(page, await page.screenshot()));
  }
  expect((await stat(FILE)).size).toBeLessThan(150_000);
});
