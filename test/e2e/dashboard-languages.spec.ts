/** The dashboard in other languages, on a phone and on a computer; in Spanish also in dark mode. */
import type { Page } from '@playwright/test';
import { expectNoFaults, expectWhole } from './page-checks.ts';
import { call, enter, expect, follow, setIncentives, test, type World } from './world.ts';

/** Filtered by a site of this test where possible, because records of other tests may be of any width. */
const pagesAt = (site: string) => [
  '/board',
  `/surveys?location=${site}`,
  '/people',
  '/approvals?status=APPROVED',
  `/seeds?location=${site}`,
  '/coupons?view=codes',
  '/results',
  '/questionnaires',
  '/audit',
  '/sites',
  '/quality',
  // None is due at a site.
  '/payments?state=DUE',
  '/study',
];

async function fill(world: World, name: string) {
  const person = await world.person();
  const asAdmin = <T>(path: string, body: object) => call<T>(world, world.admin.token, 'POST', path, body);
  const { id: site } = await asAdmin<{ id: string }>('/api/locations', { name });
  const seed = () => asAdmin<{ referralCode: string }>('/api/seeds', { location: site });
  await seed();
  const { id } = await call<{ id: string }>(world, person.token, 'POST', '/api/surveys', {
    location: site,
    referralCode: (await seed()).referralCode,
    responses: {
      consent: 'yes',
      isAdult: 'yes',
      sleptOutside: 'yes',
      interviewedBefore: 'no',
      networkSize: 5,
    },
  });
  return { site, survey: id };
}

/** Padding of a cell; long names from other tests may use some of it. */
const PADDING = 10;

/** The last column must not be cut off: it has the actions of a row or its outcome. */
async function expectWholeTables(page: Page, name: string): Promise<void> {
  const over = await page
    .locator('.dashboard-scroll')
    .evaluateAll((frames) => frames.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  expect.soft(Math.max(0, ...over), `a table of ${name} is cut off`).toBeLessThan(PADDING);
}

/** On a phone: at most two rows of buttons beside the title, and enough width for column labels. */
async function expectRoomOnPhone(page: Page, name: string): Promise<void> {
  const tops = await page
    .locator('.dashboard-beside button:visible, .dashboard-beside a:visible')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  expect.soft(new Set(tops).size, `rows of buttons at the head of ${name}`).toBeLessThanOrEqual(2);
  const boxes = await page
    .locator('thead .dashboard-pick label:visible')
    .evaluateAll((all) => all.map((one) => one.clientHeight));
  expect.soft(Math.max(0, ...boxes), `the box above the list of ${name} stands in a column`).toBeLessThan(60);
  const apart = await page.locator('.nav a:visible').evaluateAll((all) => {
    const words = all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect();
    });
    return words.slice(1).map(({ left }, at) => left - (words[at]?.right ?? 0));
  });
  expect(apart.length).toBeGreaterThan(2);
  expect.soft(Math.min(...apart), `pixels between the names at the foot of ${name}`).toBeGreaterThan(6);
}

test.afterAll(({ world }) => setIncentives(world, { currency: 'USD' }));

for (const language of ['es', 'ru', 'vi', 'zh']) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language, viewport: { width: 1280, height: 900 } });
    test(`dashboard pages fit a phone and a computer: ${language}`, async ({ page, world }) => {
      test.setTimeout(120_000);
      await setIncentives(world, { currency: 'USD', interview: '20.00' });
      const { site, survey } = await fill(world, `Hill Street ${crypto.randomUUID().slice(0, 8)}`);
      const activeVersion = await call<{ id: string }>(
        world,
        world.admin.token,
        'GET',
        '/api/questionnaires/active',
      );
      const builder = `/questionnaires/${activeVersion.id}?tab=edit`;
      if (language === 'es') await page.emulateMedia({ colorScheme: 'dark' });
      await enter(page, world, world.admin, '/desk');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      for (const path of [...pagesAt(site), `/surveys/${survey}`, builder]) {
        await follow(page, `/desk${path}`);
        await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
        const name = `desk${path.replace(/[0-9a-f]{24}/, 'one')}, ${language}`;
        await expectWhole(page, name);
        await expectWholeTables(page, name);
        await page.setViewportSize({ width: 360, height: 740 });
        await expectWhole(page, `${name}, 360`);
        // The buttons of payments take a third row in long languages.
        if (!path.startsWith('/payments')) await expectRoomOnPhone(page, name);
        if (language === 'es') await expectNoFaults(page, `${name}, 360, dark`);
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    });
  });
}
