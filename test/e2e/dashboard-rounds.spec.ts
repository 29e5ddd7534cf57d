/** Two rounds, at phone and desktop size: the first is closed here, so that no other file may use the service. */
import type { Browser, Page } from '@playwright/test';
import { entriesOf } from '../export/zip-reader.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, follow, test, type World } from './world.ts';

test.use({ ownService: 'dashboard-rounds' });

const FIRST_ROUND = '000000000000000000000001';

const answers = (at: number) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + at,
  ageRange: at % 2 ? '25-34' : '35-44',
  veteran: at % 3 === 0 ? 'yes' : 'no',
  household: ['alone'],
  countServiceUsed: at % 2 ? 'yes' : 'no',
});

const addCount = (world: World, name: string, known: number) =>
  call(world, world.admin.token, 'POST', '/api/analysis/counts', {
    ...{ name, outcome: 'countServiceUsed', value: 'yes', known, source: 'List of the shelters' },
    ...{ asOf: '2026-01-20', definition: 'Adults without a home' },
  });

/** Each page as a browser shows it from the folder: with its style and its figures. */
async function checkPublication(page: Page, world: World): Promise<void> {
  const headers = { Authorization: `Bearer ${world.admin.token}` };
  const reply = await fetch(`${world.url}/api/analysis/publication`, { headers });
  const files = entriesOf(Buffer.from(await reply.arrayBuffer()));
  const pages = [...files].filter(([name]) => name.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(5);
  await page.goto('about:blank');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const [name, text] of pages) {
      const styled = text
        .replace(/<link rel="stylesheet"[^>]*>/, `<style>${files.get('style.css')}</style>`)
        .replace(/src="(figures\/[^"]+)"/g, (_, figure: string) => {
          const svg = Buffer.from(files.get(figure) ?? '').toString('base64');
          return `src="data:image/svg+xml;base64,${svg}"`;
        });
      await page.setContent(styled);
      await expectNoFaults(page, `publication ${name} ${width}`);
    }
  }
}

async function inArabic(browser: Browser, world: World): Promise<void> {
  const context = await browser.newContext({ locale: 'ar' });
  const page = await context.newPage();
  await enter(page, world, world.admin, '/desk/results/change?outcome=veteran');
  await expect(page.locator('.results-sentence')).toHaveCount(2);
  await faultless(page, 'change-arabic');
  await follow(page, '/desk/rounds');
  await expect(page.getByText('Winter 2028').first()).toBeVisible();
  await faultless(page, 'rounds-arabic');
  await context.close();
}

test('a change between two rounds and the publication pass all checks; a closed round is shown by itself and offers no action that would be refused', async ({
  page,
  world,
  browser,
}) => {
  const root = world.admin.token;
  const interview = async (at: number, given: object = {}) =>
    await call(world, root, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: { ...answers(at), ...given },
    });
  for (let at = 0; at < 12; at += 1) await interview(at);
  await addCount(world, 'First night', 300);
  await enter(page, world, world.admin, '/desk/results/change?outcome=veteran');
  await expect(page.getByText('There is only one round so far')).toBeVisible();
  await expect(page.getByText('calculate the confidence interval for Round 1 first')).toBeVisible();
  await follow(page, '/desk/rounds');
  await expect(page.getByText(/days ago|1970/)).toHaveCount(0);
  await page.getByRole('button', { name: /Close the round/ }).click();
  await expect(page.getByText('Coupons still out: ')).toBeVisible();
  await faultless(page, 'rounds-closing');
  await page.getByRole('dialog').getByRole('button', { name: 'Close the round' }).click();
  await expect(page.getByText('Closed Round 1.')).toBeVisible();
  await page.getByRole('button', { name: 'Open a round' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
  await faultless(page, 'rounds-opening');
  await call(world, root, 'POST', '/api/rounds', { name: 'Winter 2028', startsOn: '2028-01-20' });
  for (let at = 0; at < 9; at += 1) await interview(at, { veteran: 'yes' });
  await addCount(world, 'Second night', 350);

  await enter(page, world, world.admin, '/desk/results/change?outcome=veteran');
  await expect(
    page.getByText(/“Yes” rose by [\d.]+ points, from [\d.]+% in Round 1 to 100\.0% in Winter 2028/),
  ).toBeVisible();
  await expect(page.getByText(/^Adults: about [\d,]+ in Round 1 and [\d,]+ in Winter 2028/)).toBeVisible();
  const figures = page.locator('.change-figures .dashboard-report').first();
  await expect(figures.getByRole('row', { name: /^Yes/ })).toBeVisible();
  expect(await figures.evaluate((table) => table.scrollHeight - table.clientHeight)).toBeLessThanOrEqual(1);
  await expect(page.getByText('These rounds are hard to compare')).toHaveCount(1);
  await page.setViewportSize({ width: 1280, height: 844 });
  expect(await page.locator('.change-figures .dashboard-report').evaluateAll(wrappedCells)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await faultless(page, 'change-rounds');

  await follow(page, '/desk/surveys');
  const round = page.getByLabel('Round');
  await expect(page.getByText('9 total.')).toBeVisible();
  await round.selectOption({ label: 'Round 1 (closed)' });
  await expect(page.getByText('Round 1 is closed.')).toBeVisible();
  await expect(page.getByText('12 total.')).toBeVisible();
  expect(page.url()).toContain(`round=${FIRST_ROUND}`);
  await round.selectOption({ label: 'All rounds' });
  await expect(page.getByText('21 total.')).toBeVisible();

  await follow(page, '/desk/seeds');
  await expect(page.getByRole('button', { name: 'Create seeds' })).toBeVisible();
  await page.getByLabel('Round').selectOption({ label: 'Round 1 (closed)' });
  await expect(page.getByText('Round 1 is closed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create seeds' })).toHaveCount(0);

  await follow(page, `/desk/results?round=${FIRST_ROUND}`);
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await expect(page.getByLabel('Round')).toHaveValue(FIRST_ROUND);
  await faultless(page, 'report-closed-round');

  await inArabic(browser, world);
  await checkPublication(page, world);
});

/** The figures that take more than one line of their cell. */
function wrappedCells(tables: Element[]): string[] {
  const cells = tables.flatMap((table) => [...table.querySelectorAll('tbody td')]);
  const isWrapped = (cell: Element) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  };
  return cells.filter(isWrapped).map(({ textContent }) => textContent);
}
