/** Quality findings: their texts and links, dismissing with a comment; and the list of all that needs attention. */
import mongoose from 'mongoose';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, newSite, type Person, setIncentives, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const HOUR = 3_600_000;
const SEATTLE = { latitude: 47.6062, longitude: -122.3321 };

async function interview(world: World, by: Person, fields: object = {}): Promise<string> {
  const responses = { consent: 'no' };
  const body = { location: world.sites.harbor, responses, ...fields };
  return (await call<{ id: string }>(world, by.token, 'POST', '/api/surveys', body)).id;
}

/** Interviews for each kind of finding that needs only a few. */
async function oddInterviews(world: World, site: string) {
  const [vic, ana] = [await world.person({ firstName: 'Vic' }), await world.person({ firstName: 'Ana' })];
  const location = await newSite(world, site);
  await call(world, world.admin.token, 'PATCH', `/api/locations/${location}`, { coordinates: SEATTLE });
  const coordinates = { latitude: 47.63, longitude: -122.3321, accuracy: 12 };
  const far = await interview(world, vic, { location, coordinates });
  await interview(world, vic, { startedAt: new Date(Date.now() - 400 * 24 * HOUR).toISOString() });
  await interview(world, vic, { responses: { ...MINIMAL_RESPONSES, networkSize: 0 } });
  for (let size = 10; size <= 100; size += 10)
    await interview(world, ana, { responses: { ...MINIMAL_RESPONSES, networkSize: size } });
  return { vic, ana, far };
}

test('quality findings say what was found and what to do, link to it, and can be dismissed', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  test.setTimeout(180_000);
  const { vic, ana, far } = await oddInterviews(world, 'North pier');
  await enter(page, world, world.admin, '/desk/quality');
  const table = page.getByRole('table', { name: 'Quality' });
  const row = (name: string, by: string) =>
    table.getByRole('row').filter({ hasText: name }).filter({ hasText: by });
  const distance = row('Far from the site', 'Vic');
  await expect(distance).toContainText('Ask where the interview took place.');
  await expect(distance.getByRole('cell', { name: '1', exact: true })).toBeVisible();
  await faultless(page, 'findings by interviewer and check');

  // Two more of the same interviewer and check are one row, and are decided together.
  const sizes = row('Odd network size', 'Vic');
  for (let more = 0; more < 2; more += 1)
    await interview(world, vic, { responses: { ...MINIMAL_RESPONSES, networkSize: 0 } });
  await page.reload();
  await expect(sizes.getByRole('cell', { name: '3', exact: true })).toBeVisible();
  await sizes.getByRole('link', { name: 'Odd network size' }).click();
  await expect(table.getByRole('row')).toHaveCount(4);
  // From 30 interviews on, the largest plausible size is named too.
  await expect(sizes.first()).toContainText(/above 0|1 to \d/);
  await page.getByLabel('Select all', { exact: true }).check();
  await page.getByRole('button', { name: 'Dismiss 3 findings' }).click();
  const together = page.getByRole('dialog', { name: 'Dismiss 3 findings' });
  await together.getByLabel('Reason').fill('They live alone.');
  await together.getByRole('button', { name: 'Dismiss 3 findings' }).click();
  await expect(page.locator('.dashboard-said')).toContainText('3 findings dismissed.');
  await page.getByRole('link', { name: 'All findings' }).click();
  await expect(distance).toBeVisible();
  await expect(sizes).toHaveCount(0);
  await row('Odd network size', 'Ana').getByRole('link', { name: 'Odd network size' }).click();
  await expect(row('Odd network size', 'Ana')).toContainText('100%');
  await expect(row('Odd network size', 'Ana')).toContainText('More than 80%');

  await page.goto(`${world.url}/desk/quality?check=FAR_FROM_SITE&interviewer=${vic.id}`);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(distance).toContainText('2,646 m');
  await expect(distance).toContainText('at most 512 m');
  await distance.getByRole('link', { name: 'Far from the site' }).click();
  await expect(page).toHaveURL(new RegExp(far));
  const reasons = page.getByRole('region', { name: 'Why it may be wrong' });
  await expect(reasons).toContainText('2,646 m');
  await expect(reasons.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await faultless(page, 'an interview with a finding');
  await page.goto(`${world.url}/desk/surveys?createdBy=${vic.id}&finding=any`);
  const suspect = page.getByRole('row').filter({ hasText: 'Far from the site' });
  await expect(suspect).toBeVisible();
  await page.getByLabel('Select all', { exact: true }).check();
  await page.getByRole('button', { name: 'Approve 2' }).click();
  const approve = page.getByRole('dialog', { name: 'Approve 2' });
  await expect(approve).toContainText('2 of these interviews may be wrong.');
  await expect(approve).toContainText('Far from the site');
  await faultless(page, 'approving interviews with findings');
  await approve.getByRole('button', { name: 'Approve 2' }).click();
  await expect(page.locator('.dashboard-said')).toContainText('2 interviews are approved.');
  await page.locator('.dashboard-said').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.dashboard-said')).toContainText('2 approvals undone.');
  await expect(page.getByRole('row').filter({ hasText: 'Not reviewed' })).toHaveCount(2);
  await page.goto(`${world.url}/desk/quality?check=FAR_FROM_SITE&interviewer=${vic.id}`);

  await distance.getByRole('button', { name: 'Dismiss' }).click();
  const ask = page.getByRole('dialog', { name: 'Dismiss this finding' });
  await expect(ask.getByRole('button', { name: 'Dismiss' })).toBeDisabled();
  await ask.getByLabel('Reason').fill('The pier has two ends.');
  // Offline nothing is dismissed, and the reason is kept for the next attempt.
  await context.setOffline(true);
  await ask.getByRole('button', { name: 'Dismiss' }).click();
  await expect(ask.getByRole('alert')).toBeVisible();
  await expect(ask.getByLabel('Reason')).toHaveValue('The pier has two ends.');
  await context.setOffline(false);
  await ask.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('No findings match these filters.')).toBeVisible();
  await page.getByText('Dismissed', { exact: true }).click();
  await expect(distance).toContainText('Dismissed by Ada Field');
  await expect(distance).toContainText('The pier has two ends.');
  await expect(distance.getByRole('button')).toHaveCount(0);

  await page.goto(`${world.url}/desk/audit?record=${far}`);
  await expect(page.getByText('dismissed a finding about the interview')).toBeVisible();
  await expect(page.getByText('The pier has two ends.')).toBeVisible();

  await page.goto(`${world.url}/desk/quality?interviewer=${ana.id}`);
  await table.getByRole('link', { name: 'Odd network size' }).click();
  await expect(page).toHaveURL(/check=SIZE_ODD/);
  await table.getByRole('link', { name: 'Odd network size' }).click();
  await expect(page).toHaveURL(new RegExp(`people/${ana.id}`));
  await page.goto(`${world.url}/desk/quality?interviewer=${vic.id}`);
  await expect(table.getByRole('row')).toHaveCount(2);

  // On a phone, in dark mode and in Arabic.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => localStorage.setItem('language', 'ar'));
  await page.goto(`${world.url}/desk/quality`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('الجودة');
  await expect(page.getByRole('row').filter({ hasText: 'Vic Field' }).first()).toBeVisible();
  await expectNoFaults(page, 'findings on a phone, dark and in Arabic');
});

test('the home page lists what needs attention by urgency, with counts, links and who can act', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000);
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null });
  await oddInterviews(world, 'East pier');
  const old = await interview(world, await world.person(), { responses: MINIMAL_RESPONSES });
  await setIncentives(world, { currency: 'USD' });
  const db = (await world.service.database()).db('field_survey');
  const createdAt = new Date(Date.now() - 15 * 24 * HOUR);
  await db
    .collection('incentives')
    .updateOne({ survey: new mongoose.mongo.ObjectId(old) }, { $set: { createdAt } });
  const review = { state: 'HAS_ISSUES', comment: 'Look again.' };
  await call(world, world.admin.token, 'POST', `/api/surveys/${old}/review`, review);

  await enter(page, world, await world.person({ role: 'ADMIN', firstName: 'Ana' }));
  const list = page.getByRole('region', { name: 'Needs attention' });
  const thing = (title: RegExp) => list.locator('.notice').filter({ hasText: title });
  await expect(thing(/incentives? ha(s|ve)n’t been paid/)).toBeVisible();
  await expect(thing(/\d+ quality findings/)).toBeVisible();
  await expect(thing(/interviews? w(as|ere) sent back/)).toContainText('Ask Ada Field');
  const toReview = thing(/\d+ interviews to review/);
  await expect(toReview).toContainText(
    'Only a super admin or a reviewer can review interviews from earlier days. Ask Ada Field',
  );
  const titles = (await list.locator('.notice').allTextContents()).join('\n');
  const order = [/flagged/, /been paid/, /quality finding/, /sent back/, /to review/].map((one) =>
    titles.search(one),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(-1);
  await faultless(page, 'what needs attention');

  await thing(/been paid/)
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(/\/desk\/payments\?state=DUE&sort=createdAt/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payments');
  await page.goto(world.url);
  await toReview.getByRole('link').click();
  await expect(page).toHaveURL(/\/desk\/surveys\?review=RECEIVED&status=COMPLETED/);
});
