/** Signing in with a PIN, locking and unlocking, for the tests of locked phones. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { Service } from './service.ts';

export const PIN = '482915';
export const OTHER_PIN = '730462';

/** Taps it on the keypad. */
export async function tapPin(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
}

export async function choosePin(page: Page, pin = PIN): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Choose a PIN' })).toBeVisible();
  await tapPin(page, pin);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Enter the PIN again' })).toBeVisible();
  await tapPin(page, pin);
}

export async function signInHere(
  page: Page,
  world: { service: Pick<Service, 'otp'> },
  person: { phone: string },
): Promise<void> {
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page
    .getByLabel('Code', { exact: false })
    .first()
    .fill(await world.service.otp(person.phone));
}

export const untilLocked = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Enter your PIN' })).toBeVisible();

const LAST_TRIES = ' After that, you need a sign-in code from your coordinator.';

/** Until the key is gone. */
export async function guessTooOften(
  page: Page,
  each: (triesLeft: number) => Promise<void> = () => Promise.resolve(),
) {
  await untilLocked(page);
  for (let triesLeft = 9; triesLeft > 0; triesLeft -= 1) {
    await page.keyboard.type('000000');
    await expect(page.getByRole('alert')).toHaveText(
      `Wrong PIN. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.${triesLeft > 3 ? '' : LAST_TRIES}`,
    );
    await each(triesLeft);
  }
  await page.keyboard.type('000000');
  await expect(page.getByRole('heading', { name: 'Too many wrong PINs' })).toBeVisible();
}

/** In tests of other things: whenever a page asks for a PIN, one is chosen or typed. */
export async function unlockByItself(context: BrowserContext): Promise<void> {
  const watch = async (page: Page) => {
    await page.addLocatorHandler(page.getByRole('heading', { name: 'Choose a PIN' }), () => choosePin(page));
    // Keys that are pressed before the page listens would be lost.
    await page.addLocatorHandler(page.getByRole('heading', { name: 'Enter your PIN' }), () =>
      tapPin(page, PIN),
    );
  };
  context.on('page', (page) => void watch(page));
  await Promise.all(context.pages().map(watch));
}
