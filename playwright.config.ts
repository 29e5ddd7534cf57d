/** Browser tests against the real service on a database of its own. Each worker starts one (test/e2e/service.ts). */
import { defineConfig } from '@playwright/test';

export const CHROMIUM = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
};

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // A shared machine may stall for seconds. A test that passes at a later try is reported as flaky: mend its race.
  retries: process.env.CI ? 2 : 0,
  globalTimeout: process.env.CI ? 33 * 60_000 : 0,
  workers: Number(process.env.E2E_WORKERS ?? 2),
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    launchOptions: CHROMIUM,
    locale: 'en-US',
    viewport: { width: 390, height: 844 },
    // A sixth of the whole time: where a failure is tried again, that one alone is recorded.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
