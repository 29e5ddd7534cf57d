/** A phone with a wrong clock: the clock of the browser and its workers is changed while it runs. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnBrowser, pullThePlug, startBrowser } from './own-browser.ts';
import { decline, enter, expect, startInterview, tapDone, test, untilReady, untilSurveys } from './world.ts';

// Locking looks at the clock, too.
test.use({ lock: 'PIN' });

/** Debian's faketime library, for the architectures that browsers run on. */
const SHIFTS = ['x86_64', 'aarch64']
  .map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync);

interface Phone extends OwnBrowser {
  /** As faketime takes it: '-1d', '+5d'. */
  setClock(by: string): Promise<void>;
  end(): Promise<void>;
}

async function phoneWithClock(shifts: string): Promise<Phone> {
  const folder = await mkdtemp(join(tmpdir(), 'field-survey-clock-'));
  const clock = join(folder, 'clock');
  await writeFile(clock, '+0');
  const env = {
    LD_PRELOAD: shifts,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    // Monotonic clocks stay real; a browser hangs without the second setting.
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
  const own = await startBrowser(join(folder, 'profile'), { env });
  return {
    ...own,
    setClock: async (by) => {
      await writeFile(clock, by);
      const days = Number.parseInt(by, 10);
      const off = () => own.page.evaluate(() => Date.now());
      await expect
        .poll(async () => Math.round(((await off()) - Date.now()) / 86_400_000) - days)
        .toBeCloseTo(0);
    },
    end: async () => {
      await pullThePlug(own.process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Number of IndexedDB transactions within a second. */
const transactionsInASecond = (own: OwnBrowser): Promise<number> =>
  own.page.evaluate(async () => {
    const begin = IDBDatabase.prototype.transaction;
    let begun = 0;
    IDBDatabase.prototype.transaction = function (...args) {
      begun += 1;
      return begin.apply(this, args);
    };
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    IDBDatabase.prototype.transaction = begin;
    return begun;
  });

test('with a wrong clock, finished interviews are still sent, the page doesn’t poll its store, and a warning is shown', {
  tag: '@service-worker',
}, async ({ world }) => {
  test.setTimeout(100_000);
  test.skip(!SHIFTS, 'setting the browser’s clock needs the package faketime');
  const phone = await phoneWithClock(SHIFTS ?? '');
  const { page, context } = phone;
  const hold = async () => {
    await startInterview(page, null);
    await decline(page);
  };
  try {
    const person = await world.person();
    await enter(page, world, person);
    await untilReady(page);

    // Set back by a day while the coupons of a finished interview are on the screen.
    await hold();
    await phone.setClock('-1d');
    await tapDone(page);
    await untilSurveys(world, person, 1);
    await page.reload();
    await expect(page.getByText('This device’s clock is about 24 hours behind')).toBeVisible();

    // By 40 days, offline, so that pauses set under the other clock are still stored.
    await phone.setClock('+0d');
    await context.setOffline(true);
    await hold();
    await phone.setClock('-40d');
    expect(await transactionsInASecond(phone)).toBeLessThan(20);
    await page.reload();
    await expect(page.getByRole('link', { name: '1 interview to send' })).toBeVisible();
    expect(await transactionsInASecond(phone)).toBeLessThan(20);
    await context.setOffline(false);
    await untilSurveys(world, person, 2);
    await page.reload();
    await expect(page.getByText('This device’s clock is about 40 days behind')).toBeVisible();

    // Five days ahead, then corrected.
    await phone.setClock('+5d');
    await page.goto(world.url);
    await expect(page.getByText('This device’s clock is about 5 days ahead')).toBeVisible();
    await context.setOffline(true);
    await hold();
    await phone.setClock('+0d');
    await context.setOffline(false);
    await page.goto(world.url);
    // Once the PIN is entered: this session is not one that can be delivered without.
    await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
    const [latest] = (await untilSurveys(world, person, 3)).slice(-1);
    await expect(page.getByText('This device’s clock')).toBeHidden();
    expect(latest?.responses).toEqual({ consent: 'no' });
  } finally {
    await phone.end();
  }
});
