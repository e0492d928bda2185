// axe finds nothing serious or critical, in whatever state the page is.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './playground.mjs';
import { faults } from './messages-server.mjs';

// axe looks at every element, up to five times in a test.
test.beforeEach(() => test.slow());

async function expectAccessible(page, state) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const said = bad.flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node.target.join(' ')} — ${node.failureSummary.split('\n')[1]?.trim()}`));
  expect(said, state).toEqual([]);
}

for (const locale of ['en-US', 'zh-CN']) {
  for (const colorScheme of ['light', 'dark']) {
    test.describe(`${locale}, ${colorScheme}`, () => {
      // Colours in the middle of a change would be no one's colours.
      test.use({ locale, colorScheme, contextOptions: { reducedMotion: 'reduce' } });

      test('at the start, after the run, with the settings open', async ({ playground, page }) => {
        test.slow();
        await playground.open();
        await expectAccessible(page, 'at the start');
        await playground.runToEnd();
        await expectAccessible(page, 'after the run');
        const { words } = playground;
        for (const tab of [words.request, words.files]) {
          await playground.tab(tab).click();
          await expectAccessible(page, `the tab ${tab}`);
        }
        await playground.tab(words.terminal).click();
        await expectAccessible(page, `the tab ${words.terminal}`);
        await playground.openCommands();
        await playground.panel.getByRole('textbox').fill('seq 300');
        await page.keyboard.press('Enter');
        await expect(playground.panel.locator('.typed pre')).toContainText('300', { timeout: 60_000 });
        await expectAccessible(page, `the tab ${words.terminal} with ${words.commands}`);
        await playground.openSettings();
        await expectAccessible(page, 'with the settings open');
      });

      test('with the permission question open, at the reminder, after a fault', async ({ playground, page, server }) => {
        const scenarios = { 'en-US': 'It asks for permission', 'zh-CN': '请求许可' };
        await playground.open({ scenario: scenarios[locale] });
        await playground.run.click();
        await expect(playground.permission).toBeVisible();
        await expectAccessible(page, 'with the permission question open');
        await playground.stop.click();

        server.answers(faults.overloaded);
        server.echoes = false;
        await playground.useEndpoint({ url: server.url });
        await playground.ask('?');
        await expect(playground.alert).toBeVisible();
        await expectAccessible(page, 'after a fault');
      });

      test('at the moment of the reminder', async ({ playground, page }) => {
        await playground.open();
        await playground.runToEnd();
        await playground.round(5).getByRole('button').first().click();
        await expect(playground.lit).toHaveCount(3);
        await expectAccessible(page, 'at the reminder');
      });
    });
  }
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

  test('in each tab', async ({ playground, page }) => {
    await page.goto('./');
    await expect(playground.run).toBeEnabled();
    for (const name of ['Plan', 'Inspector', 'Transcript']) {
      await page.getByRole('button', { name, exact: true }).click();
      await expectAccessible(page, name);
    }
  });
});

test('a reader of the screen hears the counter, the reminder, questions and faults', async ({ playground, page, server }) => {
  await playground.open({ scenario: 'It asks for permission' });
  await expect(playground.counterSaid).toHaveRole('status');
  await playground.run.click();
  await expect(playground.permission).toHaveRole('alertdialog');
  await expect(playground.permission).toHaveAccessibleName('May this run?');
  await expect(playground.permission).toHaveAccessibleDescription(/write_file.*\/tmp\/report\.txt/s);
  await playground.stop.click();
  server.answers(faults.overloaded);
  server.echoes = false;
  await playground.useEndpoint({ url: server.url });
  await playground.ask('?');
  await expect(page.getByRole('alert')).toContainText('529');
});

test('numbers are words of their own in headings', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  const headings = await page.getByRole('heading').allInnerTexts();
  expect(headings.length).toBeGreaterThan(5);
  for (const name of ['To do 0', 'In progress 0', 'Done 4', 'Plan updates 4']) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
});

test('each landmark of a kind has a name of its own', async ({ playground, page }) => {
  await playground.open();
  await playground.runToEnd();
  const { violations } = await new AxeBuilder({ page }).withRules(['landmark-unique', 'region', 'landmark-one-main', 'page-has-heading-one', 'heading-order']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)).toEqual([]);
});
