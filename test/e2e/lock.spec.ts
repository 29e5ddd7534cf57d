/** The lock of a phone: choosing a PIN, and unlocking. */
import { mkdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choosePin, OTHER_PIN, PIN, setLock, signInHere, tapPin, untilLocked } from './pin.ts';
import { checkBothSizes } from './page-checks.ts';
import { choose, expect, next, type Person, startInterview, test, untilReady, type World } from './world.ts';

test.use({ viewport: { width: 360, height: 740 } });

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
          const asked = result.transaction('kept').objectStore('kept').getAll();
          asked.onsuccess = () => {
            result.close();
            resolve(JSON.stringify(asked.result));
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

test('a PIN is chosen at sign-in, typed twice; weak ones are refused, and nothing of the session lies in clear', async ({
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

test('two people change over on one phone without a signal, in two taps and the PIN, and neither sees the other’s work', {
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
  await page.getByRole('button', { name: 'Someone else?' }).click();
  await picture(page, 'who');
  await page.getByRole('button', { name: 'Someone else: sign in' }).click();
  await withPin(page, world, 'Sam', OTHER_PIN);
  await untilReady(page);
  await expect(page.getByText('Unfinished')).toBeHidden();

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await checkBothSizes(page, 'choosing who');
  await page.getByRole('button', { name: 'Sam' }).click();
  await untilLocked(page);
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
