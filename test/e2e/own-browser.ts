/** A browser as a separate process, with a profile that is kept after it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { CHROMIUM } from '../../playwright.config.ts';
import { withoutTapShield } from './world.ts';

export interface OwnBrowser {
  process: ChildProcess;
  browser: Browser;
  context: BrowserContext;
  page: Page;
}

interface OwnBrowserOptions {
  /** What the browser is started by, such as a program that gives it another clock. */
  through?: string[];
  env?: Record<string, string>;
}

export async function startBrowser(profile: string, options: OwnBrowserOptions = {}): Promise<OwnBrowser> {
  const [program = '', ...args] = [
    ...(options.through ?? []),
    CHROMIUM.executablePath,
    ...CHROMIUM.args,
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--lang=en-US',
    'about:blank',
  ];
  const started = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, ...options.env },
  });
  let output = '';
  started.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await expect.poll(() => output, { timeout: 30_000 }).toContain('DevTools listening on');
  const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1] ?? '';
  const browser = await chromium.connectOverCDP(address);
  const context = browser.contexts()[0];
  if (!context) throw new Error('no context');
  await withoutTapShield(context);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return { process: started, browser, context, page };
}

/** Kills all processes of the browser at once without warning, as a dead battery does. */
export async function pullThePlug(started: ChildProcess): Promise<void> {
  if (started.pid === undefined) throw new Error('not started');
  if (started.exitCode !== null || started.signalCode !== null) return;
  const ended = once(started, 'exit');
  // Only the process group of this browser.
  process.kill(-started.pid, 'SIGKILL');
  await ended;
}
