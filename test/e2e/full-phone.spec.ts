/** A phone whose disk is really full, and browsers that store nothing for a page. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillOutbox } from './outbox-rows.ts';
import { pullThePlug, startBrowser } from './own-browser.ts';
import { smallDisk } from './small-disk.ts';
import {
  call,
  choose,
  decline,
  enter,
  expect,
  follow,
  next,
  type Person,
  skipToEnd,
  startInterview,
  tapDone,
  test,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

interface Rescued {
  finished: { body: { sealed: string } }[];
  drafts: { sealed: string }[];
}

const number = (page: Page) => page.locator('.interview input[data-number]');
const trouble = (page: Page) => page.getByText(/out of space|couldn’t be saved/);
const answers = { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'no' };

/**
 * A browser may have deleted the store while the disk was full, and then gives an open page no new one (Chromium 156:
 * "UnknownError: Internal error"). The rescue file is imported after a reload of the app.
 */
async function putBack(page: Page, world: World, person: Person, rescue: string): Promise<void> {
  expect(await page.evaluate(() => indexedDB.databases().then(() => '', String))).toContain('UnknownError');
  // The key went with the store: the service opens the draft for whoever has just signed in.
  const { phone } = person;
  await call(world, '', 'POST', '/api/auth/send-otp-login', { phone });
  const code = await world.service.otp(phone);
  const { token } = await call<{ token: string }>(world, '', 'POST', '/api/auth/verify-otp-login', {
    phone,
    code,
  });
  await enter(page, world, { ...person, token }, '/outbox');
  const file = { name: 'rescue.txt', mimeType: 'text/plain', buffer: Buffer.from(rescue) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText('2 interviews were restored.')).toBeVisible();
  await page.goto(world.url);
  await page.getByRole('button', { name: 'Continue' }).click();
  // The place in the interview was sealed for the lost key alone.
  await expect(async () => {
    if ((await number(page).count()) === 0) await next(page);
    await expect(number(page)).toHaveValue('37', { timeout: 1_000 });
  }).toPass();
}

test('on a full disk no answer is lost: all stay on screen, can be rescued, and are stored once there is space', {
  tag: '@service-worker',
}, async ({ world }) => {
  test.setTimeout(240_000);
  const disk = await smallDisk('64m');
  test.skip(disk === null, 'mounting is not allowed here, not even in a namespace');
  if (!disk) return;
  const person = await world.person();
  const { process, context, page } = await startBrowser(`${disk.path}/profile`, { through: disk.through });
  try {
    await enter(page, world, person);
    await untilReady(page);
    // One interview waits to be sent, another one is open.
    await context.setOffline(true);
    await startInterview(page, null);
    await decline(page);
    await tapDone(page);
    await startInterview(page, null);
    await next(page);
    await choose(page, 'Yes, I agree');
    await next(page);
    const makeRoom = disk.keepFull(process.pid);
    await expect(async () => {
      // Writes fill the last block of the disk first.
      await choose(page, 'No');
      await choose(page, 'Yes');
      await expect(trouble(page)).toBeVisible({ timeout: 300 });
    }).toPass({ timeout: 60_000, intervals: [0] });
    for (const answer of ['Yes', 'Yes', 'No']) {
      await choose(page, answer);
      await next(page);
    }
    // Space freed by the browser itself may be enough to save an answer, before the disk is filled again.
    const untilFull = () =>
      expect(async () => {
        await number(page).fill('36');
        await number(page).fill('37');
        // Waits until this answer is the one that could not be saved.
        await page.waitForTimeout(500);
        await expect(trouble(page)).toBeVisible({ timeout: 300 });
      }).toPass({ timeout: 30_000, intervals: [0] });
    await untilFull();

    // A download to the same disk fails without any error for the page; its content can be copied.
    const browser = await context.browser()?.newBrowserCDPSession();
    await browser?.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: disk.path });
    await expect(async () => {
      await untilFull();
      await page.getByRole('button', { name: 'Save rescue file' }).click({ timeout: 3_000 });
      await expect(page.getByText('2 interviews')).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: 40_000 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.url });
    await page.getByRole('button', { name: 'Share or copy' }).click();
    await expect(page.getByText('Copied')).toBeVisible();
    const rescue = await page.evaluate(() => navigator.clipboard.readText());
    const copied = JSON.parse(rescue) as Rescued;
    const opened = (all: string[]) =>
      Promise.all(all.map(async (sealed) => (await world.service.openSealed(sealed)).responses));
    expect(await opened(copied.finished.map(({ body }) => body.sealed))).toEqual([{ consent: 'no' }]);
    expect(await opened(copied.drafts.map(({ sealed }) => sealed))).toEqual([
      { ...answers, couponsRefused: 37 },
    ]);
    expect(rescue).not.toContain('consent');

    await untilFull();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(number(page)).toHaveValue('37');
    await makeRoom();
    // The browser may take a moment to notice.
    const isSaved = await expect(async () => {
      if (await trouble(page).isVisible()) await page.getByRole('button', { name: 'Try again' }).click();
      await expect(trouble(page)).toBeHidden({ timeout: 3_000 });
    })
      .toPass({ timeout: 15_000 })
      .then(
        () => true,
        () => false,
      );
    await context.setOffline(false);
    if (isSaved) await page.reload();
    else await putBack(page, world, person, rescue);
    await expect(number(page)).toHaveValue('37');
    for (let step = 0; step < 4; step += 1) {
      await next(page);
      if (await number(page).count()) await number(page).fill('12');
    }
    await skipToEnd(page);
    await tapDone(page);
    const surveys = await untilSurveys(world, person, 2);
    expect(surveys.map(({ responses }) => responses)).toEqual([
      { consent: 'no' },
      expect.objectContaining({ ...answers, couponsRefused: 37 }),
    ]);
  } finally {
    await pullThePlug(process);
    await disk.remove();
  }
});

/** Makes writes to the outbox fail as in a browser without space, and counts those that failed. */
function storeNothing(isFull: boolean): void {
  const counter = globalThis as { failedWrites?: number };
  const store = IDBObjectStore.prototype as IDBObjectStore & { reallyPut?: IDBObjectStore['put'] };
  store.reallyPut ??= store.put;
  const { reallyPut: put } = store;
  store.put = function (...args) {
    if (isFull && this.name === 'outbox') {
      counter.failedWrites = (counter.failedWrites ?? 0) + 1;
      throw new DOMException('full', 'QuotaExceededError');
    }
    return put.apply(this, args);
  };
}

test('without space a scanned printed coupon shows an error, and “Done” still works', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const { codes } = await call<{ codes: string[] }>(
    world,
    world.admin.token,
    'POST',
    '/api/referral-codes/batches',
    { count: 2, location: world.sites.harbor },
  );
  const [first = '', second = ''] = codes;
  await enter(page, world, person);
  await untilReady(page);
  const [clientId = ''] = await fillOutbox(page, world, person, 1, () => ({ consent: 'no' }), {
    coupons: 3,
    couponsFrom: 'paper',
    heldUntil: Date.now() + 60_000,
  });
  await follow(page, `/coupons/${clientId}`);
  const place = (number: number) => page.getByLabel(`Printed coupon ${number} of 3`, { exact: true });
  await page.evaluate(storeNothing, true);
  await place(1).fill(first);
  await expect(page.getByText('This device is out of space')).toBeVisible();
  await page.evaluate(storeNothing, false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(place(2)).toBeVisible();
  await page.evaluate(storeNothing, true);
  await place(2).fill(second);
  await expect(page.getByText('This device is out of space')).toBeVisible();
  const failedWrites = () => page.evaluate(() => (globalThis as { failedWrites?: number }).failedWrites ?? 0);
  const before = await failedWrites();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  // “Done” and leaving the page each release the interview. With space again too early, it would be sent by itself.
  await expect.poll(failedWrites).toBeGreaterThanOrEqual(before + 2);
  await page.evaluate(storeNothing, false);
  await follow(page, '/outbox');
  await page.getByRole('button', { name: 'Send now' }).click();
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.issuedCodes).toEqual([first]);
});

/** Expects no blank page, on the coupon page or for a volunteer, who gets a warning before an interview starts. */
async function saysSo(page: Page, world: World): Promise<void> {
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await page.goto(`${world.url}/c/ABCDEFGC`);
  await expect(page.getByText('Show this at one of these places.')).toBeVisible();
  await expect(page.getByText('Chapel meals')).toBeVisible();
  const person = await world.person();
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(person.phone));
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  const warning = page.getByText('This window can’t store interviews');
  await expect(warning).toBeVisible();
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await expect(page.getByRole('heading', { name: 'This device can’t store data' })).toBeVisible();
  await expect(warning).toBeVisible();
  expect(faults).toEqual([]);
}

test('with all site data blocked in the browser settings, no page is blank and no interview starts', async ({
  world,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  await mkdir(join(profile, 'Default'));
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(blocked));
  const { process, page } = await startBrowser(profile);
  try {
    await saysSo(page, world);
    // The browser's setting is in effect.
    expect(
      await page
        .evaluate(() => Reflect.has(globalThis, 'localStorage') && String(localStorage))
        .catch(String),
    ).toMatch(/denied/);
  } finally {
    await pullThePlug(process);
    await rm(profile, { recursive: true, force: true });
  }
});

test('without IndexedDB, no page is blank and no interview starts', async ({ page, world }) => {
  await page.addInitScript('Object.defineProperty(globalThis, "indexedDB", { value: undefined })');
  await saysSo(page, world);
});
