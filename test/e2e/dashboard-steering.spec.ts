/** Daily tasks of a coordinator, each with the clicks that it takes. */
import { countClicks } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSite, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

interface User {
  id: string;
  role: string;
  approvalStatus: string;
}

const waiting = async (world: World, location: string, firstName: string, role = 'VOLUNTEER') => {
  const body = { phone: world.newPhone(), firstName, lastName: 'Waits', role, location };
  return (await call<User>(world, world.admin.token, 'POST', '/api/users', body)).id;
};
const person = (world: World, id: string) => call<User>(world, world.admin.token, 'GET', `/api/users/${id}`);

test('approving nine people takes two clicks, a requested admin needs their name typed; both can be undone after a reload', async ({
  page,
  world,
}) => {
  const names = Array.from({ length: 9 }, (_, at) => `Nr${String.fromCharCode(65 + at)}`);
  // A new site, because other tests may have left people waiting at others.
  const site = await newSite(world, 'Pier of ten');
  const ids = await Promise.all(names.map((name) => waiting(world, site, name)));
  const boss = await waiting(world, site, 'Bosé', 'ADMIN');
  const clicks = await countClicks(page);
  // A new admin does not see decisions that others made today.
  const admin = await world.person({ role: 'ADMIN' });
  await enter(page, world, admin, `/desk/approvals?location=${site}`);
  await expect(page.locator('.notice')).toContainText('Some people requested more than the volunteer role');
  await faultless(page, 'approvals with a would-be admin');
  await page.getByLabel('Select all').check();
  await page.getByRole('region', { name: '9 selected' }).getByRole('button', { name: 'Approve' }).click();
  await expect(page.locator('.dashboard-said').getByText('9 people are approved.')).toBeVisible();
  expect(clicks.since()).toBe(2);
  expect((await person(world, boss)).approvalStatus).toBe('PENDING');

  await page.getByRole('button', { name: 'Approve: Bosé Waits' }).click();
  const ask = page.getByRole('dialog', { name: 'Approve' });
  const yes = ask.getByRole('button', { name: 'Approve' });
  await expect(yes).toBeDisabled();
  await faultless(page, 'asked for the name');
  await page.keyboard.type('bose  waits');
  await page.keyboard.press('Enter');
  await expect(ask).toHaveCount(0);
  await expect.poll(async () => (await person(world, boss)).approvalStatus).toBe('APPROVED');
  expect(clicks.since()).toBe(1);

  await page.reload();
  const decisions = page.getByRole('region', { name: 'Your decisions today' });
  await expect(decisions.getByRole('button', { name: 'Undo all 9: 9 people are approved.' })).toBeVisible();
  await faultless(page, 'what was decided today');
  await decisions.getByRole('button', { name: 'Undo: Bosé Waits' }).click();
  await expect(page.getByRole('button', { name: 'Approve: Bosé Waits' })).toBeVisible();
  expect(clicks.since()).toBe(1);
  await expect.poll(async () => (await person(world, boss)).approvalStatus).toBe('PENDING');

  // A role is reverted on the person's page, from the history.
  const [first = ''] = ids;
  await call(world, admin.token, 'PATCH', `/api/users/${first}`, { role: 'MANAGER' });
  await page.goto(`${world.url}/desk/people/${first}`);
  await expect(page.getByText('NrA Waits now has the role Site manager (before: Volunteer).')).toBeVisible();
  await faultless(page, 'a person and the last decision');
  await page.getByRole('button', { name: 'Undo: NrA Waits' }).click();
  await expect.poll(async () => (await person(world, first)).role).toBe('VOLUNTEER');
  expect(clicks.since()).toBe(1);
});
