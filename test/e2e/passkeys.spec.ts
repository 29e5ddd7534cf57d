/**
 * Passkeys, with an authenticator of the browser itself: adding one, confirming, signing in, and losing it. The study requires them
 * meanwhile, so that no other file may use the service.
 */
import type { Page } from '@playwright/test';
import { faultless } from './page-checks.ts';
import { call, expect, follow, type Person, test, type World } from './world.ts';

test.use({ ownService: 'passkeys' });

interface Phone {
  /** The device is gone, with all its passkeys. */
  lose(): Promise<void>;
}

async function withAuthenticator(page: Page): Promise<Phone> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
    ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  };
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', { options });
  return { lose: async () => void (await browser.send('WebAuthn.clearCredentials', { authenticatorId })) };
}

async function signInByCode(page: Page, world: World, person: Person): Promise<void> {
  await page.goto(`${world.url}/sign-in`);
  await page.waitForLoadState('networkidle');
  await requestAndTypeCode(page, world, person);
}

/** On the page that signing out leads to. A page loaded anew might not have stored yet that the session ended. */
async function requestAndTypeCode(page: Page, world: World, { phone }: Person): Promise<void> {
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(phone));
}

/** Without loading the page again, which might not have stored yet who is signed in. */
async function openMe(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === '/me') return;
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible();
  await follow(page, '/me');
}

async function signOut(page: Page): Promise<void> {
  await openMe(page);
  // What the page asks for is drawn above the button.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/sign-in/);
}

/** As somebody who writes the codes down in another app: the page then asks the service for what has changed. */
async function lookElsewhere(page: Page): Promise<void> {
  for (const state of ['hidden', 'visible']) {
    await page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
    // The session is refreshed every three seconds at most.
    await page.waitForTimeout(4_000);
  }
}

/** It learns what the session is now, and so do all others. */
async function openAnotherWindow(page: Page, world: World, title = 'Confirm it’s you'): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(world.url);
  await expect(other.getByRole('heading', { name: title })).toBeVisible();
  await other.close();
}

/** Adds the first one under “Me”, and answers its recovery codes. */
async function addPasskey(page: Page): Promise<string[]> {
  await openMe(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const codes = await page.locator('.recovery-codes code').allTextContents();
  await lookElsewhere(page);
  await expect(page.locator('.recovery-codes code')).toHaveText(codes);
  await faultless(page, 'recovery codes');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByLabel('I’ve saved my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Recovery codes left: 10')).toBeVisible();
  return codes;
}

test.use({ viewport: { width: 360, height: 740 } });

test('a super-admin who loses the only passkey confirms with a recovery code, and the server removes it', async ({
  page,
  world,
}) => {
  const phone = await withAuthenticator(page);
  const person = await world.person({ role: 'SUPER_ADMIN' });
  await signInByCode(page, world, person);
  await expect(page).toHaveURL(/\/$/);
  const codes = await addPasskey(page);
  expect(new Set(codes).size).toBe(10);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signOut(page);

  await requestAndTypeCode(page, world, person);
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await faultless(page, 'confirming');
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signOut(page);

  await phone.lose();
  await requestAndTypeCode(page, world, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('This recovery code is wrong')).toBeVisible();
  await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await openMe(page);
  await expect(page.getByText('Recovery codes left: 9')).toBeVisible();

  await call(world, world.admin.token, 'DELETE', `/api/users/${person.id}/passkeys`);
  // This ends the session that was confirmed.
  await page.goto(world.url);
  await expect(page.getByText(/session has expired/).first()).toBeVisible();
  // Not by loading the page again, which might not have stored yet that it expired.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await requestAndTypeCode(page, world, person);
  await expect(page).toHaveURL(/\/$/);
  await openMe(page);
  await expect(page.getByText('Ada Field removed your passkeys')).toBeVisible();
});

test('an admin whose passkeys are removed while confirming adds a new one on the same page, and sees its codes', async ({
  page,
  world,
}) => {
  await withAuthenticator(page);
  const person = await world.person({ role: 'ADMIN' });
  await signInByCode(page, world, person);
  await expect(page).toHaveURL(/\/$/);
  await addPasskey(page);
  await signOut(page);
  const requirePasskeys = async (secondFactor: string) => {
    const database = (await world.service.database()).db('field_survey');
    await database.collection('studies').updateMany({}, { $set: { secondFactor } });
  };
  await requestAndTypeCode(page, world, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('7K3M-9QXF-2V0A-C5HT');
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('This recovery code is wrong, or was used before.')).toBeVisible();

  await call(world, world.admin.token, 'DELETE', `/api/users/${person.id}/passkeys`);
  await requirePasskeys('REQUIRED');
  try {
    // Processes cache the study's settings for a second.
    await page.waitForTimeout(1_500);
    await openAnotherWindow(page, world, 'Add a passkey first');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.locator('.recovery-codes code')).toHaveCount(10);
    const codes = await page.locator('.recovery-codes code').allTextContents();
    await openAnotherWindow(page, world);
    await expect(page.locator('.recovery-codes code')).toHaveText(codes);
    await page.getByLabel('I’ve saved my recovery codes').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/\/$/);
  } finally {
    await requirePasskeys('OPTIONAL');
  }
});
