/** First contact: a participant scanning a coupon with their own phone, and a volunteer before the first interview. */
import type { Page } from '@playwright/test';
import { formatCode } from '../../src/coupons/referral-codes/code.ts';
import { expectNoFaultsInAnyLight } from './page-checks.ts';
import { call, enter, expect, test, type World } from './world.ts';

const ARABIC = 'أحضر هذه القسيمة إلى أحد مواقعنا.';
const CODE = 'ABCDEFGC';

/** Sets contact, languages, coupon text and an address, as an administrator does. */
async function tellAll(world: World): Promise<void> {
  const { token } = world.admin;
  await call(world, token, 'PATCH', '/api/study', {
    contact: 'Call 206 555 0100, 9.00-17.00\nor write to ask@example.org',
    languages: ['en', 'es', 'ar'],
    couponText: { en: 'You are invited.', es: 'Le invitamos.', ar: ARABIC },
  });
  await call(world, token, 'PATCH', `/api/locations/${world.sites.harbor}`, {
    address: '12 Harbor Street',
    coordinates: { latitude: 47.6, longitude: -122.3 },
  });
}

test.beforeAll(({ world }) => tellAll(world));
test.afterAll(async ({ world }) => {
  const { token } = world.admin;
  const [contact, languages] = ['', ['en', 'es']];
  await call(world, token, 'PATCH', '/api/study', { contact, languages });
  await call(world, token, 'PATCH', `/api/locations/${world.sites.harbor}`, {
    address: null,
    coordinates: null,
  });
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
test('the coupon page shows the study, the sites and the contact without signing in or loading the app', {
  tag: '@service-worker',
}, async ({ page, world }) => {
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  await page.goto(`${world.url}/c/${CODE}`);
  await expect(heading(page)).toHaveText('Harbor count');
  await expect(page.getByText('You are invited.')).toBeVisible();
  await expect(page.getByText(formatCode(CODE))).toBeVisible();
  await expect(page.getByText('Show this at one of these places.')).toBeVisible();
  await expect(page.getByText('12 Harbor Street')).toBeVisible();
  await expect(page.getByText('Chapel meals')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Map: Harbor shelter' })).toHaveAttribute('href', /47\.6/);
  await expect(page.getByRole('link', { name: '206 555 0100' })).toHaveAttribute('href', 'tel:2065550100');
  await expect(page.getByRole('link', { name: 'ask@example.org' })).toBeVisible();
  await expect(page.getByRole('link', { name: '9.00-17.00' })).toBeHidden();
  await page.waitForLoadState('networkidle');
  expect(requestedUrls).toEqual([`${world.url}/c/${CODE}`]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('the service worker leaves the coupon page to the service', {
  tag: '@service-worker',
}, async ({ page, world }) => {
  await page.goto(`${world.url}/sign-in`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const answer = await page.goto(`${world.url}/c/${CODE}`);
  expect(answer?.fromServiceWorker()).toBe(false);
  await expect(page.getByText('Chapel meals')).toBeVisible();
});

test('the coupon page offers the study’s languages as links', async ({ page, world }) => {
  await page.goto(`${world.url}/c/${CODE}`);
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.getByText('Le invitamos.')).toBeVisible();
  await page.getByRole('link', { name: 'العربية' }).click();
  await expect(page.getByText(ARABIC)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('the coupon page passes axe and nothing is cut off, in light and dark mode and at each width', async ({
  page,
  world,
}) => {
  for (const [code, lang] of [
    [CODE, 'en'],
    [CODE, 'ar'],
    ['ABCDEFGD', 'en'],
  ]) {
    await page.goto(`${world.url}/c/${code}?lang=${lang}`);
    await expect(page.getByText('Chapel meals')).toBeVisible();
    for (const width of [360, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoFaultsInAnyLight(page, `${code}, ${width}`);
    }
  }
});

test('the sign-up form shows all its errors at once, in a summary and at each field', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  let otpCount = 0;
  page.on('request', (request) => {
    if (request.url().includes('send-otp')) otpCount += 1;
  });
  const submit = page.getByRole('button', { name: 'Text me a code' });
  await page.goto(`${world.url}/sign-up`);
  await submit.click();
  const summary = page.getByRole('alert');
  for (const name of ['First name', 'Last name', 'Your phone number'])
    await expect(summary).toContainText(`${name}: Please fill this in.`);

  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Email').fill('nora@');
  await page.getByLabel('Your phone number').fill('12345');
  await expect(page.getByLabel('Your phone number')).toHaveAttribute('placeholder', /For example: \(\d{3}\)/);
  await submit.click();
  await expect(summary).toContainText('Last name: Please fill this in.');
  await expect(summary).toContainText('Email: This isn’t an email address.');
  await expect(summary).toContainText('Your phone number: We can’t send texts to this number.');
  for (const name of ['Last name', 'Email', 'Your phone number'])
    await expect(page.getByLabel(name)).toHaveAttribute('aria-invalid', 'true');
  // The first invalid field has the focus, and its label is visible.
  await expect(page.getByLabel('Last name')).toBeFocused();
  const [bar, label] = await Promise.all([
    page.locator('.head').boundingBox(),
    page.locator('label', { hasText: 'Last name' }).boundingBox(),
  ]);
  expect(label?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  expect(otpCount).toBe(0);

  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Email').fill('nora@example.org');
  await page.getByLabel('Your phone number').fill('2065550150');
  await submit.click();
  await expect(page.getByText('to +1 206 555 0150.')).toBeVisible();

  // If the phone can't validate the number, the service does.
  await page.route('**/phone-plan*', (route) => route.abort());
  await page.goto(`${world.url}/sign-in`);
  await submit.click();
  await expect(page.getByLabel('Your phone number')).toBeFocused();
  await page.getByLabel('Your phone number').fill('12345');
  await submit.click();
  await expect(page.getByLabel('Your phone number')).toHaveAttribute('aria-invalid', 'true');
  await expect(summary).toContainText('Your phone number: We can’t send texts');
});

test('a person without a site is asked to choose one before starting an interview', async ({
  page,
  world,
}) => {
  const person = await world.person({ location: null });
  await enter(page, world, person, '/start');
  await expect(page.getByText('Choose your site first')).toBeVisible();
  await expect(page.locator('[aria-invalid=true], [data-tone=bad], [role=alert]')).toHaveCount(0);
  await page.getByLabel('Where are you?').selectOption({ label: 'Chapel meals' });
  await expect(page.getByText('Choose your site first')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Start as walk-in' })).toBeEnabled();
});
