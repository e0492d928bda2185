// End-to-end tests of the release build in ../dist, in the Chromium that ./dev found (CHROME), served as a static host would.

import { defineConfig } from '@playwright/test';

// Another folder or port, to test a build that another one must not replace meanwhile.
const dist = process.env.PLAYGROUND_DIST || '../dist';
const port = Number(process.env.PLAYGROUND_PORT || 4705);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.mjs',
  outputDir: 'test-results',
  timeout: 30_000,
  expect: { timeout: 10_000 },
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // ./dev counts from the JSON file.
  reporter: [['list'], ['json', { outputFile: '.report.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    browserName: 'chromium',
    headless: true,
    locale: 'en-US',
    screenshot: 'only-on-failure',
    // Traces cost half of the time. `./dev test e2e --trace retain-on-failure` makes them.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROME || '/usr/bin/chromium',
      // Chromium refuses to start its sandbox as root; the rest keeps it from looking for hosts that no test needs.
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `node serve.mjs ${JSON.stringify(dist)} ${port}`,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
  },
});
