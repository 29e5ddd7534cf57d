/** Read tokens of programs in the dashboard, and what is said about interviews that are still on phones. */
import { randomUUID } from 'node:crypto';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSite, setIncentives, test } from './world.ts';

test.afterAll(({ world }) => setIncentives(world, { currency: 'USD' }));

test('a super-admin creates a read token, sees it once, and ends it', async ({ page, world }) => {
  const statusOf = async (token: string) =>
    (await fetch(`${world.url}/api/recruitment/summary`, { headers: { Authorization: `Bearer ${token}` } }))
      .status;
  await enter(page, world, world.admin, '/desk/study');
  await page.getByRole('link', { name: 'Read tokens' }).click();
  await expect(page.getByText('No program has a token yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Weekly figures');
  await expect(dialog.getByRole('button', { name: 'Make a token' })).toBeDisabled();
  await dialog.getByLabel('Recruitment').check();
  await faultless(page, 'making a read token');
  await dialog.getByRole('button', { name: 'Make a token' }).click();
  await expect(page.getByRole('heading', { name: 'Copy the token now' })).toBeVisible();
  const token = (await page.locator('.read-token code').textContent()) ?? '';
  expect(token).toMatch(/^fst_/);
  expect(await statusOf(token)).toBe(200);
  await faultless(page, 'a new read token');
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('Weekly figures')).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
  await faultless(page, 'read tokens');
  await page.getByRole('button', { name: /^End: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await expect(page.getByText('Ended “Weekly figures”.').first()).toBeVisible();
  await expect(page.getByText('No program has a token yet.')).toBeVisible();
  expect(await statusOf(token)).toBe(401);
});

test('moving somebody back to pending and closing the day say what their phones have not sent', async ({
  page,
  world,
}) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00' });
  const location = await newSite(world, 'Pier');
  const person = await world.person({ location, firstName: 'Wanda' });
  const report = {
    ...{ device: randomUUID(), appVersion: '1.0.0', drafts: 1, unsent: 2, refused: 1 },
    ...{ oldestUnsentAt: new Date().toISOString(), codesLeft: 3, persisted: true },
  };
  await call(world, person.token, 'POST', '/api/devices/report', report);
  await enter(page, world, world.admin, `/desk/people/${person.id}`);
  await page.getByRole('button', { name: /pending/ }).click();
  await expect(page.getByRole('dialog').getByText('3 interviews that haven’t arrived')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${world.url}/desk/payments/day?location=${location}`);
  await expect(
    page.getByText('3 finished interviews haven’t arrived from phones yet (Wanda Field)'),
  ).toBeVisible();
  await faultless(page, 'closing a day with interviews still out');
  await page.getByRole('link', { name: 'Devices' }).click();
  await expect(page.getByRole('link', { name: 'Wanda Field' })).toBeVisible();
});
