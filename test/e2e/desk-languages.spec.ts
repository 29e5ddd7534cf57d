/** The dashboard in the languages that no other test reads it in, on a phone and on a computer. */
import type { Page } from '@playwright/test';
import { expectWhole } from './page-checks.ts';
import { call, enter, expect, newSeed, test, type World } from './world.ts';

const PAGES = [
  '/board',
  '/surveys',
  '/people',
  '/approvals?status=APPROVED',
  '/seeds',
  '/coupons?view=codes',
  '/results',
  '/questionnaires',
  '/audit',
];

async function fill(world: World): Promise<string> {
  const person = await world.person();
  const { id } = await call<{ id: string }>(world, person.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    referralCode: await newSeed(world),
    responses: {
      consent: 'yes',
      isAdult: 'yes',
      sleptOutside: 'yes',
      interviewedBefore: 'no',
      networkSize: 5,
    },
  });
  return id;
}

/** Around what stands in a cell; names that other tests gave may take some of it. */
const PADDING = 10;

/** Who decides about a row, or what became of it, stands in its last column. */
async function expectWholeTables(page: Page, name: string): Promise<void> {
  const over = await page
    .locator('.desk-scroll')
    .evaluateAll((frames) => frames.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  expect.soft(Math.max(0, ...over), `a table of ${name} is cut off`).toBeLessThan(PADDING);
}

for (const language of ['es', 'ru', 'vi', 'zh']) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language, viewport: { width: 1280, height: 900 } });
    test(`pages of the dashboard are whole from a phone to a computer: ${language}`, async ({
      page,
      world,
    }) => {
      const survey = await fill(world);
      await enter(page, world, world.admin, '/desk');
      for (const path of [...PAGES, `/surveys/${survey}`]) {
        await page.goto(`${world.url}/desk${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
        const name = `desk${path.replace(survey, 'one')}, ${language}`;
        await expectWhole(page, name);
        await expectWholeTables(page, name);
        await page.setViewportSize({ width: 360, height: 740 });
        await expectWhole(page, `${name}, 360`);
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    });
  });
}
