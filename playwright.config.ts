/** Browser tests against the real service on a database of its own. Each worker starts one (test/e2e/service.ts). */
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

export const CHROMIUM = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
};

/**
 * A test leaves its pages before optimized code would have paid, and before the heap for new objects has grown: a small one is
 * cleaned out again and again, by threads that take the processor from other tests. With `reducedMotion` below, it takes a
 * fifth less of the processor's time.
 */
const JS_FLAGS =
  '--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=32 --max-semi-space-size=64';

/** The same without all that draws a window, for a fifth less of the processor's time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const shell = process.env.CHROMIUM_PATH === undefined && existsSync(SHELL) ? { executablePath: SHELL } : {};

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // A test that fails by chance has a race, in itself or in the product: mend it.
  retries: 0,
  globalTimeout: process.env.CI ? 32 * 60_000 : 0,
  // One more than the processors of a small machine: a test waits for a tenth of its time.
  workers: Number(process.env.E2E_WORKERS ?? 3),
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    launchOptions: { ...CHROMIUM, args: [...CHROMIUM.args, JS_FLAGS], ...shell },
    locale: 'en-US',
    // The processor draws each frame of a transition.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 390, height: 844 },
    // A sixth of the whole time.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
