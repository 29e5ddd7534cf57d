/** Narrow screens: the languages with the longest and the tallest words on a small phone, and large text. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectWhole } from './page-checks.ts';
import { call, enter, expect, follow, newSeed, test, type World } from './world.ts';

type Texts = { [key: string]: string | Texts };

function wordsOf(language: string): (path: string) => string {
  const texts = JSON.parse(readFileSync(`locales/${language}/field.json`, 'utf8')) as Texts;
  return (path) =>
    path.split('.').reduce<Texts | string>((all, key) => (all as Texts)[key] ?? path, texts) as string;
}

/** Visits the pages of the phone, with an interview up to its coupons. */
async function walk(page: Page, world: World, language: string, name: string): Promise<void> {
  const word = wordsOf(language);
  const look = (what: string) => expectWhole(page, `${name}, ${what}`);
  const button = (path: string) => page.getByRole('button', { name: word(path), exact: true });
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel(word('signIn.phone'))).toBeVisible();
  await look('sign-in');
  await page.goto(`${world.url}/sign-up`);
  await expect(page.getByLabel(word('names.first'))).toBeVisible();
  await look('sign-up');
  const person = await world.person();
  await call(world, person.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    clientId: crypto.randomUUID(),
    referralCode: await newSeed(world),
    responses: { consent: 'no' },
  });
  await enter(page, world, person);
  await expect(page.getByText(word('ready.yes'), { exact: true })).toBeVisible({ timeout: 40_000 });
  await look('home');
  await button('home.start').click();
  await look('start');
  await page.getByLabel(word('start.code')).fill('ABCDEFGD');
  await look('a wrong code');
  await button('start.walkIn').click();
  await expect(page.locator('.interview')).toBeVisible();
  await look('interview');
  await button('interview.next').click();
  await page.locator('.interview label').last().click();
  await look('a question');
  await button('interview.finish').click();
  await button('coupons.done').click();
  for (const path of ['/outbox', '/work', '/desk', '/me', '/nowhere']) {
    await follow(page, path);
    await look(path);
  }
  await follow(page, '/work');
  await page.locator('.row-link').last().click();
  await expect(button('workItem.correct')).toBeVisible();
  await look('one interview');
  await page.goto(`${world.url}/c/ABCDEFGC`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await look('coupon');
}

for (const language of ['ru', 'vi', 'zh']) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language, viewport: { width: 360, height: 740 } });
    test(`no phone page is wider than the screen, and no word is cut off: ${language}`, {
      tag: '@service-worker',
    }, async ({ page, world }) => {
      await walk(page, world, language, language);
    });
  });
}

test.describe('with text at twice the size', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('no phone page is wider than the screen, and no word is cut off', {
    tag: '@service-worker',
  }, async ({ page, world }) => {
    await page.addInitScript(() => {
      const enlarge = () => document.documentElement?.style.setProperty('font-size', '200%');
      document.addEventListener('readystatechange', enlarge);
    });
    await walk(page, world, 'en', 'large letters');
  });
});
