/** The phone in right-to-left layout: its pages, and an interview in Arabic. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { check } from './page-checks.ts';
import { call, enter, expect, follow, newSeed, test, untilSurveys } from './world.ts';

const app = JSON.parse(readFileSync('locales/ar/field.json', 'utf8')) as Record<
  string,
  Record<string, string>
>;
const questionTexts = JSON.parse(readFileSync('questionnaires/default.ar.json', 'utf8')) as Record<
  string,
  string
>;
const word = (section: string, key: string) => app[section]?.[key] ?? `${section}.${key}`;

test.use({ viewport: { width: 360, height: 740 }, locale: 'ar' });

const button = (page: Page, section: string, key: string) =>
  page.getByRole('button', { name: word(section, key), exact: true });

/** Distance of the first element's left edge from the second's; negative if it is further left. */
async function leftOf(page: Page, first: string, second: string): Promise<number> {
  const edge = async (one: string) => (await page.locator(one).first().boundingBox())?.x ?? Number.NaN;
  return (await edge(first)) - (await edge(second));
}

async function answerAll(page: Page): Promise<void> {
  const next = () => button(page, 'interview', 'next').click();
  const choose = (place: string) =>
    page
      .locator('.interview')
      .getByText(questionTexts[place] ?? place, { exact: true })
      .first()
      .click();
  await check(page, 'interview, text');
  await next();
  await next();
  await check(page, 'interview, an error');
  await choose('pages/consentPage/elements/consent/choices/yes/text');
  await next();
  for (const [name, answer] of [
    ['isAdult', 'yes'],
    ['sleptOutside', 'yes'],
    ['interviewedBefore', 'no'],
  ]) {
    await choose(`pages/eligibilityPage/elements/${name}/choices/${answer}/text`);
    await check(page, `interview, ${name}`);
    await next();
  }
  for (let step = 0; step < 60; step += 1) {
    const number = page.locator('.interview input[data-number]');
    if (await number.count()) await number.first().fill('12');
    if (await button(page, 'interview', 'finish').count()) break;
    if (step % 6 === 0) await check(page, `interview, screen ${step}`);
    await next();
  }
  await check(page, 'interview, the end');
  await button(page, 'interview', 'finish').click();
}

test('an interview can be done in Arabic, and every phone page is laid out right to left and passes axe', {
  tag: '@service-worker',
}, async ({ page, world }) => {
  test.setTimeout(300_000);
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel(word('signIn', 'phone'))).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await check(page, 'sign-in');
  await page.goto(`${world.url}/sign-up`);
  await expect(page.getByLabel(word('names', 'first'))).toBeVisible();
  await check(page, 'sign-up');

  const person = await world.person();
  const code = await newSeed(world);
  const setDays = (couponValidDays: number | null) =>
    call(world, world.admin.token, 'PATCH', '/api/study', { couponValidDays });
  await setDays(14);
  await enter(page, world, person);
  await expect(page.getByText(word('ready', 'yes'), { exact: true })).toBeVisible({ timeout: 40_000 });
  await check(page, 'home');
  await button(page, 'home', 'start').click();
  await page.getByLabel(word('start', 'code')).fill(code);
  await expect(button(page, 'start', 'go')).toBeVisible();
  await check(page, 'start');
  expect(await leftOf(page, '.page-head .icon-button', '.page-head h1')).toBeGreaterThan(0);
  await button(page, 'start', 'go').click();
  await expect(page.locator('.interview')).toHaveAttribute('dir', 'rtl');
  await answerAll(page);
  await expect(page.locator('.coupon')).toHaveCount(3);
  expect(
    await page
      .locator('.coupon .code')
      .first()
      .evaluate((one) => getComputedStyle(one).direction),
  ).toBe('ltr');
  await expect(page.getByText(word('coupons', 'validUntil').replace('{{to}}', '').trim())).toBeVisible();
  await check(page, 'coupons');
  await setDays(null);
  await button(page, 'coupons', 'done').click();
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.responses).toMatchObject({ consent: 'yes', networkSize: 12 });

  for (const path of ['/outbox', '/work', '/me', '/nowhere']) {
    await follow(page, path);
    await check(page, path);
  }
  await follow(page, '/work');
  await page.locator('.row-link').first().click();
  await expect(
    page.getByText(questionTexts['pages/consentPage/elements/consent/choices/yes/text'] ?? ''),
  ).toBeVisible();
  await check(page, 'one interview');
  await button(page, 'workItem', 'correct').click();
  await expect(page.locator('.interview [data-name=consent]')).toBeVisible();
  await check(page, 'correcting');
});

test('the app starts offline in the chosen language, whatever the browser language', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  await enter(page, world, person);
  await expect(page.getByText(word('ready', 'yes'), { exact: true })).toBeVisible({ timeout: 40_000 });
  await context.setOffline(true);
  await page.goto(`${world.url}/me`);
  await page.getByLabel(word('common', 'language')).selectOption('vi');
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
  await context.setOffline(false);
});
