/** Interviews of someone who left: a coordinator imports the phone's rescue file on the dashboard. */
import type { Page } from '@playwright/test';
import { fillOutbox } from './outbox-rows.ts';
import { faultless } from './page-checks.ts';
import {
  answerAll,
  call,
  enter,
  expect,
  newSeed,
  otherDevice,
  shownCodes,
  startInterview,
  startWork,
  surveysOf,
  tapDone,
  test,
} from './world.ts';

const load = (page: Page, path: string) => page.locator('input[type=file]').setInputFiles(path);
const rows = (page: Page) => page.getByRole('region', { name: 'Results by interview' }).locator('tbody tr');

test('the rescue file of a rejected volunteer can be imported in their name, also after their account is deleted', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  test.setTimeout(180_000);
  const seed = await newSeed(world);
  const vera = await startWork(page, world);
  await context.setOffline(true);
  await startInterview(page, seed);
  await answerAll(page);
  const handed = await shownCodes(page);
  expect(handed).toHaveLength(3);
  await tapDone(page);
  const others = await fillOutbox(page, world, vera, 24, (index) =>
    index === 3 ? { consent: 'perhaps' } : { consent: 'no' },
  );
  for (const approvalStatus of ['PENDING', 'REJECTED'])
    await call(world, world.admin.token, 'PATCH', `/api/users/${vera.id}`, { approvalStatus });
  await page.goto(`${world.url}/`);
  await context.setOffline(false);
  // Rejecting an account ends its sessions.
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(vera.phone));
  await expect(page.getByText('25 interviews are saved on this device and won’t be sent.')).toBeVisible({
    timeout: 40_000,
  });
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save rescue file' }).click();
  const path = await (await saving).path();
  await call(world, world.admin.token, 'DELETE', `/api/users/${vera.id}`);
  expect(await surveysOf(world, vera)).toEqual([]);

  const office = await otherDevice(context);
  const dashboard = await office.newPage();
  const ana = await world.person({ role: 'ADMIN', firstName: 'Ana' });
  await enter(dashboard, world, ana, '/desk/surveys');
  await dashboard.getByRole('button', { name: 'More', exact: true }).click();
  await dashboard.getByRole('link', { name: 'Import rescue file' }).click();
  const other = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"format":"x"}') };
  await dashboard.locator('input[type=file]').setInputFiles(other);
  await expect(dashboard.getByText('This isn’t a rescue file, or it’s incomplete.')).toBeVisible();
  await load(dashboard, path);
  await expect(dashboard.getByText('25 finished interviews')).toBeVisible();
  await expect(dashboard.getByText('From Vera Field’s phone')).toBeVisible();
  await expect(dashboard.getByLabel('Interviewer')).toHaveValue(vera.id);
  // The connection is lost after the first part.
  let parts = 0;
  await office.route('**/api/surveys/import', (route) => {
    parts += 1;
    return parts === 2 ? route.abort() : route.continue();
  });
  await dashboard.getByRole('button', { name: 'Import 25 interviews' }).click();
  await expect(dashboard.getByText('20 of 25 imported.', { exact: false })).toBeVisible();
  await expect(dashboard.getByText('You’re offline.', { exact: false }).first()).toBeVisible();
  expect(await surveysOf(world, vera)).toHaveLength(19);
  await dashboard.getByRole('button', { name: 'Import the other 5' }).click();
  await expect(dashboard.getByText('1 interview needs attention. Keep the file')).toBeVisible();
  await expect(rows(dashboard).getByText('Saved', { exact: true })).toHaveCount(24);
  await expect(rows(dashboard).filter({ hasText: 'Not accepted' })).toContainText(
    'Some answers are missing or invalid.consent: This isn’t one of the choices.',
  );
  await faultless(dashboard, 'an imported rescue file');

  const surveys = await surveysOf(world, vera);
  const clientIds = surveys.map(({ clientId }) => clientId);
  expect(clientIds.toSorted()).toEqual(expect.arrayContaining(others.toSpliced(3, 1).toSorted()));
  expect(clientIds).not.toContain(others[3]);
  const [first] = surveys.filter(({ referralCode }) => referralCode === seed);
  expect(first).toMatchObject({
    flags: [{ code: 'IMPORTED', by: ana.id }],
    issuedCodes: expect.arrayContaining(handed),
  });

  // Importing the same file again as someone else adds nothing.
  await enter(dashboard, world, world.admin, '/desk/import');
  await load(dashboard, path);
  await dashboard.getByRole('button', { name: 'Import 25 interviews' }).click();
  await expect(rows(dashboard).getByText('Already saved')).toHaveCount(24);
  expect(await surveysOf(world, vera)).toHaveLength(24);
});
