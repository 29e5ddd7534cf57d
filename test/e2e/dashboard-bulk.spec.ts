/** Bulk actions on lists: selecting, few clicks or keyboard alone, failures by name, undo. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { countClicks } from './dashboard.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

interface User {
  id: string;
  location: string | null;
  approvalStatus: string;
}

const add = async (world: World, firstName: string, options: object = {}): Promise<string> => {
  const common = {
    phone: world.newPhone(),
    lastName: 'Many',
    role: 'VOLUNTEER',
    location: world.sites.harbor,
  };
  const body = { ...common, firstName, ...options };
  return (await call<User>(world, world.admin.token, 'POST', '/api/users', body)).id;
};
const people = (world: World, ids: string[]) =>
  Promise.all(ids.map((id) => call<User>(world, world.admin.token, 'GET', `/api/users/${id}`)));
const sitesOf = async (world: World, ids: string[]) =>
  (await people(world, ids)).map(({ location }) => location);

const bar = (page: Page, count: number) => page.getByRole('region', { name: `${count} selected` });
const asksBeforeClosing = (page: Page) =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
const toast = (page: Page) => page.locator('.dashboard-said > div');

test('reassigning three people takes five clicks; failures are named and can be retried; one undo reverts all', async ({
  page,
  world,
}) => {
  const { harbor, chapel } = world.sites;
  const ids = await Promise.all(['Ada', 'Bo', 'Cy'].map((name) => add(world, `Site${name}`)));
  const admin = await world.person({ role: 'ADMIN', firstName: 'Ana' });
  const clicks = await countClicks(page);
  await enter(page, world, admin, '/desk/people?search=Site');
  for (const name of ['Ada', 'Bo', 'Cy']) await page.getByLabel(`Select Site${name} Many`).check();
  await faultless(page, 'people chosen');
  await bar(page, 3).getByRole('button', { name: 'Assign to site' }).click();
  const ask = page.getByRole('dialog', { name: 'Which site?' });
  await expect(ask).toContainText('SiteBo Many');
  await expectNoFaults(page, 'to which site');
  await ask.getByRole('button', { name: 'Chapel meals' }).click();
  await expect(toast(page)).toContainText('3 people are now assigned to Chapel meals.');
  expect(clicks.since()).toBe(5);
  expect(await sitesOf(world, ids)).toEqual([chapel, chapel, chapel]);
  await expect(page.locator('.act-bar')).toHaveCount(0);

  // Also after a reload, with one click.
  await page.reload();
  await page.getByRole('button', { name: 'Undo all 3: 3 people are now assigned to Chapel meals.' }).click();
  await expect(toast(page)).toContainText('Undone for 3 people.');
  expect(await sitesOf(world, ids)).toEqual([harbor, harbor, harbor]);

  // One of them has become a super admin, whom an admin can't reassign.
  const [first = ''] = ids;
  await page.getByLabel('Select SiteAda Many').check();
  await page.getByLabel('Select SiteBo Many').check();
  await call(world, world.admin.token, 'PATCH', `/api/users/${first}`, { role: 'SUPER_ADMIN' });
  await bar(page, 2).getByRole('button', { name: 'Assign to site' }).click();
  await ask.getByRole('button', { name: 'Chapel meals' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'Failed: 1' });
  await expect(refused).toContainText('SiteAda Many: ');
  await expectNoFaults(page, 'one was refused');
  expect(await sitesOf(world, ids)).toEqual([harbor, chapel, harbor]);
  await call(world, world.admin.token, 'PATCH', `/api/users/${first}`, { role: 'VOLUNTEER' });
  const isAnswered = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
  await refused.getByRole('button', { name: 'Retry these' }).click();
  // Its “Undo” is the one below.
  await isAnswered;
  await expect(toast(page)).toContainText('1 person is now assigned to Chapel meals.');
  await expect(refused).toHaveCount(0);
  // The message also covers the first attempt.
  await expect.poll(() => sitesOf(world, ids)).toEqual([chapel, chapel, harbor]);

  // A change someone else made since is kept.
  await call(world, world.admin.token, 'PATCH', `/api/users/${first}`, { location: null });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(refused).toContainText('SiteAda Many: Someone else changed this while you were editing it.');
  await expect(refused.getByRole('button', { name: 'Retry these' })).toHaveCount(0);
  expect(await sitesOf(world, ids)).toEqual([null, chapel, harbor]);

  // Removing people from their site needs confirmation.
  const noSite = async () => {
    await page.getByLabel('Select SiteBo Many').check();
    await page.getByLabel('Select SiteCy Many').check();
    await bar(page, 2).getByRole('button', { name: 'Assign to site' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'No site' }).click();
  };
  const really = page.getByRole('dialog', { name: 'Remove these people from their site?' });
  await noSite();
  await expect(really).toContainText('SiteBo Many');
  await expectNoFaults(page, 'to no site');
  await really.getByRole('button', { name: 'Cancel' }).click();
  expect(await sitesOf(world, ids)).toEqual([null, chapel, harbor]);
  await noSite();
  await really.getByRole('button', { name: 'Remove from site' }).click();
  await expect(toast(page)).toContainText('2 people are now assigned to No site.');
  expect(await sitesOf(world, ids)).toEqual([null, null, null]);
});

test('a bulk action continues after its page is left; the next page shows its progress and failures', async ({
  page,
  world,
}) => {
  const ids = [await add(world, 'LeftAda'), await add(world, 'LeftBo'), await add(world, 'LeftCy')];
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/api/users/*', async (route) => {
    if (route.request().method() === 'PATCH') await gate;
    await route.continue();
  });
  await enter(page, world, world.admin, '/desk/people?search=Left');
  await page.getByLabel('Select all').check();
  await bar(page, 3).getByRole('button', { name: 'Approve' }).click();
  await call(world, world.admin.token, 'PATCH', `/api/users/${ids[0]}`, { approvalStatus: 'REJECTED' });
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible();
  await expect(page.locator('.act-bar')).toContainText('0 of 3 done');
  open?.();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed: 1' })).toContainText('LeftAda Many: ');
  await expect(toast(page)).toContainText('2 people are approved.');
  await expectNoFaults(page, 'what was left behind');
  // It stays until someone closes it.
  await page.getByRole('link', { name: 'Seeds', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Seeds' })).toBeVisible();
  const alert = page.getByRole('alert').filter({ hasText: 'Failed: 1' });
  await alert.getByRole('button', { name: 'Close' }).click();
  await expect(alert).toHaveCount(0);
});

test('all matches can be selected and approved, except people requesting higher roles; the run can be stopped and resumed', async ({
  page,
  world,
}) => {
  const names = Array.from({ length: 54 }, (_, at) => `Zed${at}`);
  const ids = await Promise.all(names.map((name) => add(world, name, { location: null })));
  await add(world, 'Zedboss', { location: null, role: 'ADMIN' });
  const approved = async () =>
    (await people(world, ids)).filter(({ approvalStatus }) => approvalStatus === 'APPROVED').length;
  await enter(page, world, world.admin, '/desk/people?search=Zed&status=PENDING');
  await page.getByLabel('Select all on this page').check();
  await bar(page, 50).getByRole('button', { name: 'Select all 55 matches' }).click();
  // People requesting a higher role are approved one by one.
  await expect(bar(page, 55).getByRole('button', { name: 'Assign to site' })).toBeVisible();
  await expect(bar(page, 55).getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.act-bar')).toHaveCount(0);

  await page.goto(`${world.url}/desk/approvals`);
  const total = Number((await page.getByText(/^\d+ total\./).textContent())?.match(/\d+/)?.[0]);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: `Select all ${total} matches` }).click();
  await expect(page.locator('.act-bar')).toContainText(/\d+ of the matches can’t be selected\./);
  await expectNoFaults(page, 'all that match');
  // Requests are held back so that the run can be stopped midway.
  let requestCount = 0;
  let open: (() => void) | undefined;
  const stopped = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/api/users/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      requestCount += 1;
      if (requestCount > 6) await stopped;
      // Not counted as refused, and tried again.
      if (requestCount === 3)
        return await route.fulfill({
          status: 429,
          headers: { 'Retry-After': '4', 'X-Request-Id': 'limited' },
          json: { code: 'RATE_LIMITED', message: 'Too many requests.' },
        });
    }
    await route.continue();
  });
  await page.locator('.act-bar').getByRole('button', { name: 'Approve' }).click();
  await expect(page.locator('.act-bar')).toContainText(/This will continue within \d s\./);
  await expect(page.locator('.act-bar')).toContainText(/^5 of \d+ done/);
  await expect(page.locator('.act-bar')).not.toContainText('This will continue');
  expect(await asksBeforeClosing(page)).toBe(true);
  await page.getByRole('button', { name: 'Stop' }).click();
  open?.();
  const rest = page.getByRole('alert').filter({ hasText: /^Not attempted because you stopped: \d+/ });
  await expect(rest).toBeVisible();
  await expect(toast(page)).toContainText('9 people are approved.');
  expect(await asksBeforeClosing(page)).toBe(false);
  expect(await approved()).toBeLessThan(54);
  await rest.getByRole('button', { name: 'Retry these' }).click();
  await expect(rest).toHaveCount(0);
  await expect.poll(approved).toBe(54);
});

const makeBatch = async (world: World, note: string, count: number) =>
  await call<{ id: string; codes: string[] }>(
    world,
    world.admin.token,
    'POST',
    '/api/referral-codes/batches',
    {
      count,
      location: world.sites.harbor,
      note,
    },
  );
const statesOf = async (world: World, batch: string) =>
  (
    await call<{ data: { state: string }[] }>(
      world,
      world.admin.token,
      'GET',
      `/api/referral-codes?batch=${batch}&limit=200`,
    )
  ).data
    .map(({ state }) => state)
    .sort();

test('voiding a batch takes two clicks and a reason; the dialog says how many coupons are handed out or returned', async ({
  page,
  world,
}) => {
  const batch = await makeBatch(world, 'Lost box', 5);
  const [back = '', out = ''] = batch.codes;
  const interview = (body: object) =>
    call<{ id: string }>(world, world.admin.token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: { consent: 'no' },
      ...body,
    });
  await interview({ referralCode: await newSeed(world), issuedCodes: [back, out] });
  await interview({ referralCode: back });
  const clicks = await countClicks(page);
  await enter(page, world, world.admin, '/desk/coupons');
  await page.getByRole('button', { name: 'Void: Lost box' }).click();
  const ask = page.getByRole('dialog');
  await expect(ask).toContainText('Void the 3 coupons that weren’t handed out?');
  await expect(ask).toContainText('Handed out: 1. Returned: 1. These won’t change.');
  await page.keyboard.type('The box was lost');
  await expectNoFaults(page, 'withdrawing a batch');
  await ask.getByRole('button', { name: 'Void' }).click();
  await expect(toast(page)).toContainText('3 coupons are voided.');
  expect(clicks.since()).toBe(2);
  expect(await statesOf(world, batch.id)).toEqual(['LIVE', 'USED', 'VOID', 'VOID', 'VOID']);

  // The history has one entry that lists them.
  await page.goto(`${world.url}/desk/audit?subject=ReferralCode`);
  const once = page.getByRole('row').filter({ hasText: 'The box was lost' });
  await expect(once).toHaveCount(1);
  await once.getByText(/^voided the coupon .+ and 2 more$/).click();
  await expect(once.getByRole('listitem')).toHaveCount(3);
  await expectNoFaults(page, 'one act on many in the history');

  // Only the remaining one can be selected: a returned coupon has no checkbox.
  await page.goto(`${world.url}/desk/coupons?view=codes&batch=${batch.id}`);
  await expect(page.getByLabel(/^Select [\dA-Z]{4}-/)).toHaveCount(1);
  await page.getByLabel('Select all').check();
  await bar(page, 1).getByRole('button', { name: 'Void' }).click();
  await expect(ask).toContainText('1 of them has been handed out');
  await page.keyboard.type('Stolen');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('1 coupon is voided.');
  expect(await statesOf(world, batch.id)).toEqual(['USED', 'VOID', 'VOID', 'VOID', 'VOID']);
});

test('two batches can be selected and voided by keyboard, and the focus stays in the list', async ({
  page,
  world,
}) => {
  const batches = [await makeBatch(world, 'Keys one', 2), await makeBatch(world, 'Keys two', 3)];
  const { keyboard } = page;
  await enter(page, world, world.admin, '/desk/coupons');
  await page.getByLabel('Select Keys two').focus();
  await keyboard.press('Space');
  await expect(bar(page, 1)).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.locator('.act-bar')).toHaveCount(0);
  await expect(page.getByLabel('Select Keys two')).toBeFocused();
  await keyboard.press('Space');
  // Past the link and the two buttons of its row.
  for (let key = 0; key < 4; key += 1) await keyboard.press('Tab');
  await expect(page.getByLabel('Select Keys one')).toBeFocused();
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await expect(bar(page, 2).getByRole('button', { name: 'Void' })).toBeFocused();
  await keyboard.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Void the 5 coupons that weren’t handed out?' });
  await expect(ask.getByLabel('Reason')).toBeFocused();
  // Leaving the dialog keeps the selection.
  await keyboard.press('Escape');
  await expect(ask).toHaveCount(0);
  await expect(bar(page, 2).getByRole('button', { name: 'Void' })).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.type('Printed twice');
  await keyboard.press('Enter');
  await expect(toast(page)).toContainText('5 coupons are voided.');
  for (const { id } of batches) expect(new Set(await statesOf(world, id))).toEqual(new Set(['VOID']));
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('.dashboard-scroll') !== null))
    .toBe(true);
});

test('on a phone in dark mode, selected interviews can be downloaded and their flags dismissed with a reason', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', {
    name: 'Notices',
  });
  const submit = (body: object) =>
    call<{ id: string; flags: object[] }>(world, world.admin.token, 'POST', '/api/surveys', {
      location: site.id,
      responses: { consent: 'no' },
      ...body,
    });
  const odd = { referralCode: 'ABCDEFGC', onCodeProblem: 'FLAG' };
  const flagged = [await submit(odd), await submit(odd)];
  await submit({ referralCode: await newSeed(world) });
  await enter(page, world, world.admin, `/desk/surveys?location=${site.id}`);
  await page.getByLabel('Select all').check();
  await expectNoFaults(page, 'interviews chosen');
  const downloading = page.waitForEvent('download');
  await bar(page, 3).getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(4);
  await bar(page, 3).getByRole('button', { name: 'Dismiss flags' }).click();
  const ask = page.getByRole('dialog');
  await expect(ask.getByRole('radio')).toHaveCount(1);
  await expect(ask.getByRole('button', { name: 'Dismiss flags' })).toBeDisabled();
  await ask.getByLabel('Reason').fill('Old paper coupons');
  await expectNoFaults(page, 'taking notices away');
  await ask.getByRole('button', { name: 'Dismiss flags' }).click();
  await expect(toast(page)).toContainText('Dismissed the flag for 2 interviews.');
  for (const { id } of flagged) {
    const after = await call<{ flags: object[] }>(world, world.admin.token, 'GET', `/api/surveys/${id}`);
    expect(after.flags).toEqual([]);
    const history = await call<{ data: { reason?: string }[] }>(
      world,
      world.admin.token,
      'GET',
      `/api/surveys/${id}/history`,
    );
    expect(JSON.stringify(history)).toContain('Old paper coupons');
  }
});
