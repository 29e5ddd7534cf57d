/** Two rounds, at phone and desktop size: the first is closed here, so that no other file may use the service. */
import { faultless } from './page-checks.ts';
import { call, enter, expect, follow, test } from './world.ts';

test.use({ ownService: 'desk-rounds' });

const FIRST_ROUND = '000000000000000000000001';

const answers = (at: number) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + at,
  ageRange: at % 2 ? '25-34' : '35-44',
  veteran: at % 3 === 0 ? 'yes' : 'no',
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
  await expect(
    page.getByText(/“Yes” rose by [\d.]+ points, from [\d.]+% in Round 1 to 100% in Winter 2028/),
  ).toBeVisible();
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
