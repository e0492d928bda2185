// Light, dark, or as the system has it.

import { expect, test } from './playground.mjs';

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

for (const [scheme, other] of [['light', 'Dark'], ['dark', 'Light']]) {
  test.describe(`on a ${scheme} system`, () => {
    test.use({ colorScheme: scheme });

    test(`the page is ${scheme}, until the reader chooses ${other}, which stays after a reload`, async ({ playground, page }) => {
      await playground.open();
      const before = await paper(page);
      await playground.theme.selectOption(other);
      await expect.poll(() => paper(page)).not.toBe(before);
      const after = await paper(page);
      await page.reload();
      await expect(playground.run).toBeEnabled();
      expect(await paper(page)).toBe(after);
      await expect(playground.theme.locator('option:checked')).toHaveText(other);
      await playground.theme.selectOption('System');
      await expect.poll(() => paper(page)).toBe(before);
      await page.reload();
      expect(await paper(page)).toBe(before);
    });
  });
}

test('nothing moves when the system asks for less motion', async ({ playground, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await playground.open();
  await playground.runToEnd();
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element);
      return style.animationName !== 'none' || style.transitionDuration.split(',').some((duration) => parseFloat(duration) > 0);
    }).length,
  );
  expect(moving).toBe(0);
});
