/** The lock of a phone: choosing a PIN, and unlocking. */
import { mkdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choosePin, OTHER_PIN, PIN, setLock, signInHere, tapPin, untilLocked } from './pin.ts';
import { expect, test } from './world.ts';

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
