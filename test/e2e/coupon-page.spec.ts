/** First contact: a participant scanning a coupon with their own phone, and a volunteer before the first interview. */
import type { Page } from '@playwright/test';
import { formatCode } from '../../src/referral-codes/code.ts';
import { expectNoFaultsInAnyLight } from './page-checks.ts';
import { call, enter, expect, newSeed, test, type World } from './world.ts';

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
/** The language menu, in any language. */
const language = (page: Page) => page.locator('.plain-select');

test('the coupon page shows the study, the sites and the contact without signing in or loading the app', {
  tag: '@service-worker',
}, async ({ page, world }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
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
  await page.waitForTimeout(1_500);
  expect(asked.filter((url) => /survey-model|interview|desk|zxing|sw\.js/.test(url))).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('the coupon page looks the same for used, voided, unknown and valid codes; only a malformed code gets an error', async ({
  page,
  world,
}) => {
  const [good, used, gone] = [await newSeed(world), await newSeed(world), await newSeed(world)];
  const body = { location: world.sites.harbor, responses: { consent: 'no' }, referralCode: used };
  await call(world, world.admin.token, 'POST', '/api/surveys', body);
  await call(world, world.admin.token, 'PATCH', `/api/referral-codes/${gone}`, {
    void: true,
    reason: 'lost',
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const seen = new Set<string>();
  for (const code of [good, used, gone, CODE]) {
    await page.goto(`${world.url}/c/${code}`);
    await expect(page.getByText('Chapel meals')).toBeVisible();
    seen.add(((await page.locator('main').textContent()) ?? '').replaceAll(formatCode(code), 'CODE'));
  }
  expect(seen.size).toBe(1);
  await page.goto(`${world.url}/c/ABCDEFGD`);
  await expect(page.getByText('This code is incomplete')).toBeVisible();
  await expect(page.getByText('ABCD')).toBeHidden();
  // The code is sent to the service only as part of the page's URL.
  const told = asked.filter((url) => url.includes('/api/'));
  expect([...new Set(told)]).toEqual([`${world.url}/api/study/public`]);
});

test('the coupon text is in the browser’s language if the study offers it, or in the chosen one', async ({
  browser,
  world,
}) => {
  const as = async (locale: string) => {
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${world.url}/c/${CODE}`);
    return page;
  };
  const spanish = await as('es-MX');
  await expect(spanish.getByText('Le invitamos.')).toBeVisible();
  await expect(spanish.getByRole('heading', { name: 'Dónde ir' })).toBeVisible();
  await spanish.getByLabel('Idioma').selectOption('en');
  await expect(spanish.getByText('You are invited.')).toBeVisible();
  await expect(spanish.getByRole('heading', { name: 'Where to go' })).toBeVisible();
  await spanish.reload();
  await expect(spanish.getByText('You are invited.')).toBeVisible();

  const arabic = await as('ar');
  const text = arabic.getByText(ARABIC);
  await expect(text).toBeVisible();
  expect(await text.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
  await expect(text).toHaveAttribute('lang', 'ar');
  await expect(arabic.locator('html')).toHaveAttribute('dir', 'rtl');
  await language(arabic).selectOption('es');
  await expect(arabic.getByText('Le invitamos.')).toBeVisible();
  await expect(arabic.locator('html')).toHaveAttribute('dir', 'ltr');

  const swahili = await as('sw');
  await expect(swahili.getByText('You are invited.')).toBeVisible();
  for (const page of [spanish, arabic, swahili]) await page.context().close();
});

test('offline, the coupon and sign-in pages show what the phone has stored, and say so if there is nothing', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const head = page.getByRole('banner');
  await page.goto(`${world.url}/sign-up`);
  await expect(head).toContainText('Harbor count');
  await page.goto(`${world.url}/sign-in`);
  await expect(head).toContainText('Harbor count');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto(`${world.url}/c/${CODE}`);
  await expect(page.getByText('Chapel meals')).toBeVisible();
  await context.setOffline(true);
  await page.goto(`${world.url}/sign-in`);
  await expect(head).toContainText('Harbor count');
  await page.goto(`${world.url}/c/${CODE}`);
  await expect(page.getByText('Chapel meals')).toBeVisible();
  await expect(page.getByText('This is what was saved on this phone.')).toBeVisible();

  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('kept', 'readwrite');
          transaction.objectStore('kept').clear();
          transaction.oncomplete = () => resolve(opening.result.close());
          transaction.onerror = () => reject(transaction.error);
        };
      }),
  );
  await page.reload();
  await expect(page.getByText('When you’re online, you’ll see here where to go')).toBeVisible();
  await expect(page.getByText(formatCode(CODE))).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('When you’re online, you’ll see here where to go')).toBeVisible();
  // It loads by itself once online.
  await context.setOffline(false);
  await expect(page.getByText('Chapel meals')).toBeVisible();
});

test('the coupon page passes axe and nothing is cut off, in light and dark mode and at each width', async ({
  page,
  world,
}) => {
  for (const code of [CODE, 'ABCDEFGD']) {
    await page.goto(`${world.url}/c/${code}`);
    await expect(page.getByText('Chapel meals')).toBeVisible();
    await language(page).selectOption('ar');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
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
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('send-otp')) sent += 1;
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
  expect(sent).toBe(0);

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
