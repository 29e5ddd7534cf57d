/** The lock of a phone: choosing a PIN, and unlocking. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillOutbox } from './outbox-rows.ts';
import { pullThePlug, startBrowser } from './own-browser.ts';
import { check, checkBothSizes } from './page-checks.ts';
import { choosePin, guessTooOften, OTHER_PIN, PIN, signInHere, tapPin, untilLocked } from './pin.ts';
import {
  call,
  choose,
  expect,
  next,
  type Person,
  setLock,
  startInterview,
  test,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

test.use({ viewport: { width: 360, height: 740 }, lock: 'OFF' });

test.beforeAll(async ({ world }) => {
  await setLock(world, 'PIN');
});
test.afterAll(async ({ world }) => {
  await setLock(world, 'OFF');
});

/** All that lies in the app's store, as text. */
const storeText = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result } = opening;
          const request = result.transaction('kept').objectStore('kept').getAll();
          request.onsuccess = () => {
            result.close();
            resolve(JSON.stringify(request.result));
          };
        };
      }),
  );

const picture = async (page: Page, name: string) => {
  if (!process.env.LOCK_PICTURES) return;
  await mkdir(process.env.LOCK_PICTURES, { recursive: true });
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: width === 320 ? 568 : 740 });
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${process.env.LOCK_PICTURES}/${name}-${width}.png` });
  }
  await page.setViewportSize({ width: 360, height: 740 });
};

test('a PIN is chosen at sign-in and typed twice; weak ones are refused, and nothing of the session is in plaintext', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await page.goto(`${world.url}/sign-in`);
  await signInHere(page, world, person);
  await expect(page.getByRole('heading', { name: 'Choose a PIN' })).toBeVisible();
  await picture(page, 'choose');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  for (const weak of ['123456', '000000', person.phone.slice(-6)]) {
    await tapPin(page, weak);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toContainText('easy to guess');
  }
  await picture(page, 'weak');
  await tapPin(page, PIN);
  await page.getByRole('button', { name: 'Continue' }).click();
  await picture(page, 'again');
  await tapPin(page, OTHER_PIN);
  await expect(page.getByRole('alert')).toContainText('weren’t the same');
  await choosePin(page);
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await picture(page, 'home');
  const stored = await storeText(page);
  expect(stored).toContain('device-lock-');
  expect(stored).not.toContain('"session","value"');
  await page.reload();
  await untilLocked(page);
  await picture(page, 'locked');
  await page.keyboard.type('٤٨٢٩١٥');
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
});

/** A person who signs in on this phone and chooses a PIN. */
async function withPin(page: Page, world: World, firstName: string, pin = PIN): Promise<Person> {
  const person = await world.person({ firstName });
  await signInHere(page, world, person);
  await choosePin(page, pin);
  await expect(page.getByRole('heading', { name: `Hello, ${firstName}` })).toBeVisible();
  return person;
}

/** Everything on the page but the keys and the languages. */
const screenLines = async (page: Page) =>
  (await page.locator('main').ariaSnapshot())
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^- main:|combobox|option|"(\d|Delete .*)"/.test(line));

/** As if the phone were put away, or taken out again. */
const setSight = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

const expectNoNames = async (page: Page) => {
  await expect(page.locator('main')).not.toContainText(/Vera|Sam/);
};

test('two people can switch on one phone offline with two taps and the PIN, and neither sees the other’s work', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  await page.goto(`${world.url}/sign-in`);
  await withPin(page, world, 'Vera');
  await untilReady(page);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  const place = page.url();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await untilLocked(page);
  await expectNoNames(page);
  await page.getByRole('button', { name: 'Change person' }).click();
  await expect(page.getByText('by someone else')).toBeHidden();
  await withPin(page, world, 'Sam', OTHER_PIN);
  await untilReady(page);
  await expect(page.getByText('Unfinished interviews')).toBeHidden();

  await context.setOffline(true);
  await page.goto(`${world.url}/me`);
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
  expect(await screenLines(page)).toEqual([
    '- status: All finished interviews are sent',
    '- heading "Locked" [level=1]',
    '- button "Unlock"',
  ]);
  await checkBothSizes(page, 'locked for several people');
  await picture(page, 'several');
  const unlock = page.getByRole('button', { name: 'Unlock' });
  await unlock.click();
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await checkBothSizes(page, 'choosing who');
  await picture(page, 'who');
  await setSight(page, 'hidden');
  await setSight(page, 'visible');
  await expectNoNames(page);
  await unlock.click();
  await page.getByRole('button', { name: 'Sam' }).click();
  await untilLocked(page);
  await expect(page.getByText('Sam', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change person' })).toBeVisible();
  await setSight(page, 'hidden');
  await setSight(page, 'visible');
  await expectNoNames(page);
  // Sam's PIN, and Vera's after it, which opens nothing of Sam's.
  await tapPin(page, PIN);
  await expect(page.getByRole('alert')).toHaveText('Wrong PIN. 9 tries left.');
  await tapPin(page, OTHER_PIN);
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();
  await page.getByRole('button', { name: 'Change person' }).click();
  await page.getByRole('button', { name: 'Vera' }).click();
  await tapPin(page, PIN);
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(place);
  await expect(page.locator('.interview')).toBeVisible();
});

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));

test('a locked phone shows how many interviews wait, and sends them; ten wrong PINs erase the key, and the interviews are still sent', async ({
  page,
  context,
  world,
}) => {
  await page.goto(`${world.url}/sign-in`);
  const person = await withPin(page, world, 'Vera');
  await untilReady(page);
  await expect.poll(() => storeText(page)).toContain('send-token-');
  await fillOutbox(page, world, person, 1, undefined, { heldUntil: Date.now() + 3_600_000 });
  await context.setOffline(true);
  await fillOutbox(page, world, person, 1);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await untilLocked(page);
  await expect(page.getByText('2 interviews are waiting to be sent')).toBeVisible();
  expect(await screenLines(page)).toEqual([
    '- button "Change person"',
    '- status: 2 interviews are waiting to be sent',
    '- heading "Enter your PIN" [level=1]',
    '- alert',
    '- status: 0 digits entered',
    '- textbox "Enter your PIN"',
    '- button "I forgot my PIN"',
  ]);
  await guessTooOften(page, async (triesLeft) => {
    if (triesLeft === 1) await checkBothSizes(page, 'wrong PIN');
  });
  await picture(page, 'destroyed');
  expect((await databases(page)).filter((name) => name.startsWith('key-'))).toEqual([]);
  await context.setOffline(false);
  await untilSurveys(world, person, 2);
  await expect(page.getByText('All finished interviews are sent')).toBeVisible();
});

test('all windows lock with one, and each after the minutes out of sight that the study allows', async ({
  page,
  context,
  world,
}) => {
  await setLock(world, 'PIN', 2);
  await page.clock.install();
  await page.goto(`${world.url}/sign-in`);
  await withPin(page, world, 'Vera');
  const other = await context.newPage();
  await other.goto(world.url);
  await untilLocked(other);
  await other.keyboard.type(PIN);
  await expect(other.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await other.getByRole('button', { name: 'Lock', exact: true }).click();
  await untilLocked(page);
  await other.close();
  await page.keyboard.type(PIN);
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await setSight(page, 'hidden');
  await page.clock.fastForward('01:30');
  await setSight(page, 'visible');
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await setSight(page, 'hidden');
  await page.clock.fastForward('02:30');
  await untilLocked(page);
  await setLock(world, 'PIN');
});

test('someone who forgets the PIN can sign in with a colleague’s code, choose another, and continue where they were', async ({
  page,
  world,
}) => {
  await page.goto(`${world.url}/sign-in`);
  const person = await withPin(page, world, 'Vera');
  await untilReady(page);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('button', { name: 'I forgot my PIN' }).click();
  await expect(page.getByText('Nothing is lost')).toBeVisible();
  await expect(page.getByText('A code by text message lets you work')).toBeVisible();
  await checkBothSizes(page, 'forgotten PIN');
  await picture(page, 'forgot');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const { code } = await call<{ code: string }>(
    world,
    world.admin.token,
    'POST',
    `/api/users/${person.id}/sign-in-code`,
  );
  await expect(page.getByText('by someone else')).toBeHidden();
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await choosePin(page, OTHER_PIN);
  await expect(page.getByText('1 answer')).toBeVisible();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await untilLocked(page);
  await page.keyboard.type(PIN);
  await expect(page.getByRole('alert')).toContainText('Wrong PIN');
  await page.keyboard.type(OTHER_PIN);
  await expect(page.getByText('1 answer')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('.interview')).toBeVisible();
});

test('when a study turns its lock on, Home applies it and nothing is lost; when it turns the lock off, the phone opens again', async ({
  page,
  world,
}) => {
  await setLock(world, 'OFF');
  await page.goto(`${world.url}/sign-in`);
  const person = await world.person();
  await signInHere(page, world, person);
  await untilReady(page);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await setLock(world, 'PIN');
  await page.goto(world.url);
  await choosePin(page);
  await expect(page.getByText('1 answer')).toBeVisible();
  expect(await storeText(page)).not.toContain(person.phone);
  await setLock(world, 'OFF');
  await page.reload();
  await untilLocked(page);
  await page.keyboard.type(PIN);
  await expect(page.getByText('1 answer')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lock', exact: true })).toBeHidden();
  await page.reload();
  await expect(page.getByText('1 answer')).toBeVisible();
  await setLock(world, 'PIN');
});

test('the phone’s own lock opens the app in place of a PIN, without a signal, and nothing else does', async ({
  page,
  context,
  world,
}) => {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    ...({ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' } as const),
    ...{ hasResidentKey: true, hasUserVerification: true, hasPrf: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  };
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  await page.goto(`${world.url}/sign-in`);
  await signInHere(page, world, await world.person());
  await page.getByRole('button', { name: 'Use this phone’s screen lock instead' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await picture(page, 'platform');
  // Somebody else's finger.
  await page.evaluate(() => {
    const credentials = navigator.credentials as { get: unknown };
    credentials.get = () => {
      delete credentials.get;
      return Promise.reject(new DOMException('refused', 'NotAllowedError'));
    };
  });
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('didn’t open the app')).toBeVisible();
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
});

test('in Arabic the lock is laid out right to left, but its digits are not', async ({ page, world }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'ar'));
  await page.goto(`${world.url}/sign-in`);
  const person = await world.person();
  await page.locator('input[type=tel]').fill(person.phone);
  await page.locator('button[type=submit]').click();
  await page
    .locator('input[autocomplete=one-time-code]')
    .first()
    .fill(await world.service.otp(person.phone));
  await expect(page.locator('.keypad')).toBeVisible();
  await check(page, 'PIN in Arabic');
  await picture(page, 'choose-ar');
  await tapPin(page, PIN);
  await page.locator('.keypad-enter').click();
  await expect(page.locator('.pin-dots [data-typed]')).toHaveCount(0);
  await tapPin(page, PIN);
  await expect(page.locator('.lock')).toBeHidden();
  await page.reload();
  await expect(page.locator('.keypad')).toBeVisible();
  await page.keyboard.type('٠٠٠٠٠٠');
  await expect(page.getByRole('alert')).toContainText(/9|٩/);
  await check(page, 'locked in Arabic');
  await picture(page, 'locked-ar');
  await page.locator('.lock .mantine-Button-root').last().click();
  await picture(page, 'forgot-ar');
  await check(page, 'forgotten PIN in Arabic');
});

test('a browser killed while the PIN is being stored asks for it afterwards, and opens what was answered before', async ({
  world,
}) => {
  await setLock(world, 'OFF');
  const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  const first = await startBrowser(profile);
  const { page } = first;
  await page.goto(`${world.url}/sign-in`);
  await signInHere(page, world, await world.person());
  await untilReady(page);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await setLock(world, 'PIN');
  await page.goto(world.url);
  await expect(page.getByRole('heading', { name: 'Choose a PIN' })).toBeVisible();
  // From there on nothing more is written before the plug is pulled.
  const stopped = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        IDBFactory.prototype.deleteDatabase = () => {
          resolve();
          return {} as IDBOpenDBRequest;
        };
      }),
  );
  await choosePin(page);
  await stopped;
  await pullThePlug(first.process);
  const second = await startBrowser(profile);
  try {
    await second.page.goto(world.url);
    await untilLocked(second.page);
    const clear = () =>
      second.page.evaluate(async () =>
        (await indexedDB.databases()).filter(({ name }) => name?.startsWith('key-')),
      );
    await expect.poll(async () => (await clear()).length).toBe(1);
    await second.page.keyboard.type(PIN);
    await expect(second.page.getByText('1 answer')).toBeVisible();
  } finally {
    await pullThePlug(second.process);
    await rm(profile, { recursive: true, force: true });
  }
});
