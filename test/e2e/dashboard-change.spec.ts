/** Persons and households of a count, and what a change needs, at phone and desktop size. */
import { faultless } from './page-checks.ts';
import { call, enter, expect, follow, test } from './world.ts';

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
