/** The dashboard's people: who may open what, approvals, accounts and their rights. */
import type { Page } from '@playwright/test';
import { forged } from './dashboard.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, follow, setIncentives, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const SET_UP = 'Your study';
const PAGES: [path: string, name: string, roles: string][] = [
  ['/desk/approvals', 'Approvals', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/people', 'People', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/board', 'Recruitment', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/results', 'Results', 'SUPER_ADMIN ADMIN'],
  ['/desk/quality', 'Quality', 'SUPER_ADMIN ADMIN'],
  ['/desk/surveys', 'Interviews', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/payments', 'Payments', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/seeds', 'Seeds', 'SUPER_ADMIN ADMIN MANAGER VOLUNTEER'],
  ['/desk/coupons', 'Coupons', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/sites', 'Sites', 'SUPER_ADMIN ADMIN MANAGER'],
  ['/desk/questionnaires', 'Questionnaire', 'SUPER_ADMIN ADMIN'],
  ['/desk/study', 'Study', 'SUPER_ADMIN ADMIN'],
  ['/desk/audit', 'History', 'SUPER_ADMIN ADMIN'],
  ['/desk/first-run', SET_UP, 'SUPER_ADMIN'],
];

/** Someone who signed up and waits for approval. */
async function waiting(
  world: World,
  firstName: string,
  options: { role?: string; location?: string | null } = {},
): Promise<string> {
  const { role = 'VOLUNTEER', location = world.sites.harbor } = options;
  const body = { phone: world.newPhone(), firstName, lastName: 'Waits', role, location };
  return (await call<{ id: string }>(world, world.admin.token, 'POST', '/api/users', body)).id;
}

const statusOf = async (world: World, id: string) =>
  (await call<{ approvalStatus: string }>(world, world.admin.token, 'GET', `/api/users/${id}`))
    .approvalStatus;

test.beforeAll(async ({ world }) => {
  // Without a currency there is no link to payments.
  await setIncentives(world, { currency: 'USD' });
});

/** A link of the navigation; its name may be followed by the number pending there. */
const inNavigation = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+ p.*)?$`) })
    .filter({ visible: true });

test('each role sees only the pages its permissions allow', async ({ page, world }) => {
  test.setTimeout(120_000);
  for (const role of ['ADMIN', 'MANAGER', 'VOLUNTEER']) {
    await enter(page, world, await world.person({ role }), '/desk/seeds');
    await expect(page.locator('.dashboard-table tbody tr, .dashboard-empty').first()).toBeVisible();
    await expectNoFaults(page, `seeds, ${role}`);
    for (const [path, name, roles] of PAGES) {
      const open = roles.split(' ').includes(role);
      await expect(inNavigation(page, name)).toHaveCount(open ? 1 : 0);
      if (open) continue;
      await follow(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
      await follow(page, '/desk/seeds');
    }
    // One of them also by its URL.
    await page.goto(`${world.url}/desk/first-run`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  }
});

test('the navigation with all its pages needs no scroll bar at 900 px, in any language', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, world, world.admin, '/desk/sites');
  for (const language of ['en', 'es', 'ru', 'vi', 'zh', 'ar']) {
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    await page.reload();
    const navigation = page.locator('.nav');
    await expect(navigation.locator('a:visible')).toHaveCount(17);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    const [needed, room] = await navigation.evaluate((nav) => [nav.scrollHeight, nav.clientHeight]);
    expect(needed, language).toBeLessThanOrEqual(room ?? 0);
  }
});

test('a super admin sees every page, and each passes axe', async ({ page, world }) => {
  // Every page in every size, in light and dark mode.
  test.setTimeout(240_000);
  await enter(page, world, world.admin);
  const links = page.getByRole('navigation', { name: 'Main' }).locator('a[href^="/desk/"]');
  await expect(links.first()).toBeAttached();
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(
    paths.filter((path) => !PAGES.some(([pagePath]) => pagePath === path)),
    'pages that lack a row in PAGES',
  ).toEqual([]);
  for (const [path, name] of PAGES) {
    await follow(page, path);
    await expect(inNavigation(page, name)).toHaveCount(name === SET_UP ? 0 : 1);
    // These pages have their own tests.
    if (/board|results|surveys|questionnaires|audit/.test(path)) continue;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    if (name === SET_UP) continue;
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
    await faultless(page, path);
  }
});

test('a sign-up appears without a reload, is approved with one tap and undone with another', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/approvals');
  await expect(page.getByRole('heading', { name: 'Approvals' })).toBeVisible();
  const id = await waiting(world, 'Wilma');
  await expect(page.getByRole('link', { name: /^Approvals \d+ p.+ pending approval$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Approve: Wilma Waits' }).click();
  await expect(page.locator('.dashboard-said').getByText('Wilma Waits is approved.')).toBeVisible();
  expect(await statusOf(world, id)).toBe('APPROVED');
  await expect(page.getByRole('button', { name: 'Approve: Wilma Waits' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('Undone. Wilma Waits is pending again.')).toBeVisible();
  expect(await statusOf(world, id)).toBe('PENDING');
});

test('the home page shows pending approvals only to people who can approve them', async ({ page, world }) => {
  await waiting(world, 'Wanda');
  await waiting(world, 'Wilhelm', { location: world.sites.chapel });
  const manager = await world.person({ role: 'MANAGER' });
  const { data } = await call<{ data: { role: string; location: string }[] }>(
    world,
    manager.token,
    'GET',
    '/api/users?status=PENDING&limit=200',
  );
  const own = data.filter(({ role, location }) => role === 'VOLUNTEER' && location === world.sites.harbor);
  expect(own.length).toBeLessThan(data.length);
  const lists: string[] = [];
  page.on('request', (request) => request.url().includes('/api/users?') && lists.push(request.url()));
  await enter(page, world, manager);
  const notice = page.locator('.notice').filter({ hasText: /\d+ (person|people) pending approval/ });
  // An admin decides about the others, so they are not in a manager's list.
  await expect(notice).toContainText(new RegExp(`^\\D*${own.length} (person|people)`));
  // Only the number is loaded, not the list. Flagged interviews name up to three people to ask.
  const short = /\?decidable=true&limit=1&total=true$|\?role=SUPER_ADMIN&.*&limit=3$/;
  expect(lists.filter((url) => !short.test(url))).toEqual([]);
  await expectNoFaults(page);
  await notice.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('Wanda Waits')).toBeVisible();
  const volunteer = await world.person();
  const requestedUrls: string[] = [];
  page.on('request', (request) => {
    if (request.headers().authorization === `Bearer ${volunteer.token}`) requestedUrls.push(request.url());
  });
  await enter(page, world, volunteer);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect.poll(() => requestedUrls.length).toBeGreaterThan(0);
  expect(requestedUrls.filter((url) => url.includes('/api/users'))).toEqual([]);
});

test('several people can be rejected at once by keyboard; only a super admin can undo it', async ({
  page,
  world,
}) => {
  const ids = [
    await waiting(world, 'Karl', { location: world.sites.chapel }),
    await waiting(world, 'Kim', { location: world.sites.chapel }),
  ];
  await enter(page, world, world.admin, `/desk/approvals?location=${world.sites.chapel}`);
  await page.getByLabel('Select Karl Waits').focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Select Kim Waits').focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: '2 selected' });
  await bar.getByRole('button', { name: 'Reject' }).focus();
  await page.keyboard.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Reject' });
  await expect(ask).toContainText('Karl Waits: Volunteer');
  await expect(ask).toContainText('Only a super admin can undo it.');
  for (const id of ids) expect(await statusOf(world, id)).toBe('PENDING');
  await ask.getByRole('button', { name: 'Reject' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.dashboard-said').getByText('2 people are rejected.')).toBeVisible();
  for (const id of ids) expect(await statusOf(world, id)).toBe('REJECTED');

  const admin = await world.person({ role: 'ADMIN', firstName: 'Abe' });
  await enter(page, world, admin, '/desk/approvals?status=REJECTED');
  await expect(page.getByText('Karl Waits')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Move back to pending/ })).toHaveCount(0);
  expect(await forged(world, admin, 'PATCH', `/api/users/${ids[0]}`, { approvalStatus: 'PENDING' })).toBe(
    403,
  );
});

test('the second of two simultaneous approvers sees that the person is already approved', async ({
  page,
  world,
}) => {
  const id = await waiting(world, 'Twice');
  await enter(page, world, world.admin, '/desk/approvals');
  const button = page.getByRole('button', { name: 'Approve: Twice Waits' });
  await expect(button).toBeVisible();
  await page.route(/\/api\/users\?/, (route) => route.abort());
  await call(world, world.admin.token, 'PATCH', `/api/users/${id}`, { approvalStatus: 'REJECTED' });
  await button.click();
  await expect(page.getByText('Twice Waits: Someone has already changed this account.')).toBeVisible();
  expect(await statusOf(world, id)).toBe('REJECTED');
});

test('a manager can approve only volunteers of their own site', async ({ page, world }) => {
  const here = await waiting(world, 'Hera');
  const elsewhere = await waiting(world, 'Elsa', { location: world.sites.chapel });
  const boss = await waiting(world, 'Boss', { role: 'MANAGER' });
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mona' });
  await enter(page, world, manager, '/desk/approvals');
  await expect(page.getByText('Elsa Waits')).toBeVisible();
  await expect(page.getByRole('button', { name: /Elsa Waits|Boss Waits/ })).toHaveCount(0);
  await expect(page.getByLabel(/Select (Elsa|Boss) Waits/)).toHaveCount(0);
  for (const name of ['Elsa', 'Boss'])
    await expect(page.getByRole('row', { name: `${name} Waits` })).toContainText('An admin must approve');
  const why = page.locator('.notice').filter({ hasText: 'Some people can only be approved by someone else' });
  await expect(why).toContainText('volunteers who sign up today at Harbor shelter.');
  await expect(why).toContainText(
    'An admin approves everyone else, including people who signed up on an earlier day.',
  );
  await expect(page.getByLabel('Site').locator('option')).toHaveText(['All sites', 'Harbor shelter']);
  await expectNoFaults(page);
  expect(
    await forged(world, manager, 'PATCH', `/api/users/${elsewhere}`, { approvalStatus: 'APPROVED' }),
  ).toBe(403);
  expect(await forged(world, manager, 'PATCH', `/api/users/${boss}`, { approvalStatus: 'APPROVED' })).toBe(
    403,
  );
  await page.getByRole('button', { name: 'Approve: Hera Waits' }).click();
  await expect(page.locator('.dashboard-said').getByText('Hera Waits is approved.')).toBeVisible();
  expect(await statusOf(world, here)).toBe('APPROVED');
});

test('filters are kept in the URL, and long lists are paged', async ({ page, world }) => {
  for (let at = 0; at < 53; at += 1) await waiting(world, `Zoe${at}`, { location: null });
  await enter(page, world, world.admin, '/desk/people');
  await page.getByLabel('Name or phone').fill('zoe');
  await page.getByLabel('Status').selectOption('Pending');
  await expect(page).toHaveURL(/search=zoe/);
  await expect(page).toHaveURL(/status=PENDING/);
  await expect(page.getByText('53 total.')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(50);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(3);
  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveCount(3);
  await expect(page.getByLabel('Name or phone')).toHaveValue('zoe');
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(50);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/desk\/people$/);
});

test('a rejected new account keeps the input; a manager can add only volunteers at their own site', async ({
  page,
  world,
}) => {
  const member = await world.person();
  await enter(page, world, world.admin, '/desk/people');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('First name').fill('Nadia');
  await dialog.getByLabel('Last name').fill('Novak');
  await dialog.getByLabel('Phone').fill(member.phone);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('An account with this phone number already exists.')).toBeVisible();
  await expect(dialog.getByLabel('First name')).toHaveValue('Nadia');
  await expectNoFaults(page);
  await dialog.getByLabel('Phone').fill(world.newPhone());
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Added Nadia Novak.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Nadia Novak' })).toBeVisible();

  await enter(page, world, await world.person({ role: 'MANAGER', firstName: 'Mona' }), '/desk/people');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await expect(dialog.getByLabel('Role').locator('option')).toHaveText(['Volunteer']);
  await expect(dialog.getByLabel('Site').locator('option')).toHaveText(['Choose a site', 'Harbor shelter']);
});

test('role and site can be changed together; an additional permission can be added, used and removed', async ({
  page,
  world,
}) => {
  const person = await world.person({ firstName: 'Rita' });
  await enter(page, world, world.admin, `/desk/people/${person.id}`);
  await page.getByLabel('Role', { exact: true }).selectOption('Site manager');
  await page.getByLabel('Site', { exact: true }).selectOption('Chapel meals');
  // Visiting another page loses nothing.
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.locator(`a[href="/desk/people/${person.id}"]`).click();
  await expect(page.getByText('Unsaved changes.')).toBeVisible();
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('MANAGER');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Add permission' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Action')).toHaveValue('');
  await expect(dialog.getByLabel('Applies to')).toHaveValue('');
  await expect(dialog.getByRole('button', { name: 'Add permission' })).toBeDisabled();
  await dialog.getByLabel('Applies to').selectOption('sites');
  await dialog.getByLabel('Action').selectOption('Add');
  await expect(dialog.getByRole('status')).toHaveText('Add sites (always)');
  await expectNoFaults(page);
  await dialog.getByRole('button', { name: 'Add permission' }).click();
  // It is stored at once, with nothing left to save.
  const grants = page.getByRole('region', { name: 'Additional permissions' });
  await expect(grants.getByText('Add sites')).toBeVisible();
  await expect(async () => {
    const user = await call<{ role: string; location: string; permissions: object[] }>(
      world,
      world.admin.token,
      'GET',
      `/api/users/${person.id}`,
    );
    expect(user).toMatchObject({ role: 'MANAGER', location: world.sites.chapel });
    expect(user.permissions).toEqual([{ action: 'create', subject: 'Location', conditions: [] }]);
  }).toPass();
  expect(await forged(world, person, 'POST', '/api/locations', { name: 'By Rita' })).toBe(201);
  await expectNoFaults(page);
  // What someone else removes meanwhile does not come back with another permission.
  const path = `/api/users/${person.id}`;
  await call(world, world.admin.token, 'PATCH', path, { permissions: [] });
  await grants.getByRole('button', { name: 'Reviewer' }).click();
  await expect(grants.getByText('Add sites')).toHaveCount(0);
  const { permissions } = await call<{ permissions: object[] }>(world, world.admin.token, 'GET', path);
  expect(permissions).toEqual([{ action: 'review', subject: 'Survey', conditions: [] }]);
  const both = [...permissions, { action: 'create', subject: 'Location', conditions: [] }];
  await call(world, world.admin.token, 'PATCH', path, { permissions: both });
  await page.reload();
  await page.getByRole('button', { name: 'Remove permission: Add sites' }).click();
  await dialog.getByRole('button', { name: 'Remove permission' }).click();
  await expect(page.getByText('Add sites')).toHaveCount(0);
  expect(await forged(world, person, 'POST', '/api/locations', { name: 'By Rita again' })).toBe(403);
});

test('an admin sees only actions an admin may take; deleting an account explains the effects and asks first', async ({
  page,
  world,
}) => {
  const admin = await world.person({ role: 'ADMIN', firstName: 'Abe' });
  const id = await waiting(world, 'Gone');
  await call(world, admin.token, 'PATCH', `/api/users/${id}`, { approvalStatus: 'APPROVED' });
  await enter(page, world, admin, `/desk/people/${world.admin.id}`);
  await expect(page.getByRole('heading', { name: 'Ada Field' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Save|Delete|Move back/ })).toHaveCount(0);
  await page.goto(`${world.url}/desk/people/${id}`);
  await expect(page.getByLabel('Role', { exact: true }).locator('option')).toHaveText([
    'Volunteer',
    'Site manager',
    'Admin',
  ]);
  await expect(page.getByText('Additional permissions')).toHaveCount(0);
  // There is only one way back to pending.
  await expect(page.getByText('Gone Waits is approved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move back to pending' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Their interviews stay')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/desk\/people$/);
  expect(await forged(world, admin, 'GET', `/api/users/${id}`)).toBe(404);
});
