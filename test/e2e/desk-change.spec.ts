/** Persons and households of a count, and what a change needs, at phone and desktop size. */
import { faultless } from './page-checks.ts';
import { call, enter, expect, follow, test } from './world.ts';

const FIRST_ROUND = '000000000000000000000001';

const answers = (at: number) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + at,
  ageRange: at % 2 ? '25-34' : '35-44',
  veteran: at % 3 === 0 ? 'yes' : 'no',
  household: at % 4 === 0 ? ['partner', 'children'] : ['alone'],
  ...(at % 4 === 0
    ? { householdAdults: 2, householdInterviewed: 'no', childrenCount: 2, childrenUnder6: 1 }
    : {}),
  countServiceUsed: at % 2 ? 'yes' : 'no',
});

test('a count shows persons and households, and a change needs two rounds', async ({ page, world }) => {
  const root = world.admin.token;
  const interview = async (at: number) =>
    await call(world, world.admin.token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: answers(at),
    });
  for (let at = 0; at < 16; at += 1) await interview(at);
  const count = await call(world, root, 'POST', '/api/analysis/counts', {
    name: 'People without a home',
    outcome: 'countServiceUsed',
    value: 'yes',
    known: 300,
    source: 'List of the shelters',
    asOf: '2026-01-20',
    definition: 'Adults',
  });
  const { id } = count as { id: string };
  await enter(page, world, world.admin, `/desk/results/counts/${id}`);
  await expect(page.getByText(/^About [\d,]+ persons/)).toBeVisible();
  await page.getByLabel('Table').selectOption({ label: 'Type of household: households' });
  await faultless(page, 'count-tables');
  await follow(page, '/desk/results/change');
  await expect(page.getByText('There is only one round so far')).toBeVisible();
  await faultless(page, 'change');
});

test('a change is told between two rounds, and a closed round is shown by itself and offers nothing that is refused', async ({
  page,
  world,
}) => {
  const root = world.admin.token;
  const interview = async (at: number, given: object = {}) =>
    await call(world, root, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: { ...answers(at), ...given },
    });
  for (let at = 0; at < 12; at += 1) await interview(at);
  await call(world, root, 'POST', `/api/rounds/${FIRST_ROUND}/close`);
  await call(world, root, 'POST', '/api/rounds', { name: 'Winter 2028', startsOn: '2028-01-20' });
  for (let at = 0; at < 9; at += 1) await interview(at, { veteran: 'yes' });

  await enter(page, world, world.admin, '/desk/results/change?outcome=veteran');
  await expect(page.getByText(/“Yes” rose by [\d.]+ points from Round 1 to Winter 2028/)).toBeVisible();
  const figures = page.locator('.change-figures .desk-report');
  await expect(figures.getByRole('row', { name: /^Yes/ })).toBeVisible();
  expect(await figures.evaluate((table) => table.scrollHeight - table.clientHeight)).toBeLessThanOrEqual(1);
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
});
