/** The recruitment board and the tree: their numbers match the raw records, and who may see them. */
import type { Page } from '@playwright/test';
import { forged, isClosed, oneOfEach } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, follow, newSeed, newSite, submit, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

/** A chain of two waves, a walk-in, one in progress, one with a used coupon, and a deleted one. */
async function aStudy(world: World) {
  const first = await submit(world, { referralCode: await newSeed(world) });
  const [one = '', two = ''] = first.issuedCodes;
  const second = await submit(world, { referralCode: one, location: world.sites.chapel });
  const third = await submit(world, { referralCode: two });
  await submit(world, { referralCode: second.issuedCodes[0] });
  await submit(world, {});
  await submit(world, { status: 'IN_PROGRESS', responses: {} });
  const flagged = await submit(world, { referralCode: one, onCodeProblem: 'FLAG' });
  const deletedSurvey = await submit(world, { referralCode: third.issuedCodes[0] });
  await call(world, world.admin.token, 'DELETE', `/api/surveys/${deletedSurvey.id}`);
  return { first, second, third, flagged, gone: deletedSurvey };
}

/** Waits until the counts, which are cached for five seconds, are recomputed. */
async function untilCounted(world: World): Promise<void> {
  const from = Date.now();
  const counted = async () => {
    const { asOf } = await call<{ asOf: string }>(
      world,
      world.admin.token,
      'GET',
      '/api/recruitment/summary',
    );
    return Date.parse(asOf);
  };
  await expect.poll(counted).toBeGreaterThanOrEqual(from);
}

type Raw = Record<string, unknown> & { createdAt: Date; startedAt: Date };

async function raw(world: World) {
  const db = (await world.service.database()).db('field_survey');
  const surveys = await db.collection<Raw>('surveys').find({}).toArray();
  const codes = await db.collection<Raw>('referralcodes').find({}).toArray();
  return { all: surveys, surveys: surveys.filter(({ deletedAt }) => !deletedAt), codes };
}

/** The numbers of a bar table: heading → value. */
async function bars(page: Page, label: string): Promise<Record<string, number>> {
  const rows = page.getByRole('table', { name: label, exact: true }).locator('tbody tr');
  // Each part of the board is drawn when its own numbers arrive.
  await rows.first().waitFor({ state: 'attached' });
  const valueByLabel: Record<string, number> = {};
  for (const row of await rows.all()) {
    const value = ((await row.locator('td').first().textContent()) ?? '').replace(/[^\d].*$/, '');
    valueByLabel[(await row.locator('th').textContent()) ?? ''] = Number(value);
  }
  return valueByLabel;
}

interface Counted {
  seeds: Record<'planned' | 'walkIn' | 'used' | 'unused' | 'productive' | 'silent', number>;
  coupons: Record<'live' | 'expired' | 'void', number> & { ofSeeds: { live: number } };
  chainLengths: { maxWave: number; chains: number }[];
  daysToReturn: { days: number; coupons: number }[];
}

const figure = (page: Page, name: string) => page.locator(`[data-figure=${name}] .board-number`);

test('the numbers of the board match counts of the raw records', async ({ page, world }) => {
  await aStudy(world);
  await untilCounted(world);
  await enter(page, world, world.admin, '/desk/board');
  await expect(figure(page, 'surveys')).toBeVisible();
  const { surveys, all, codes } = await raw(world);
  const count = (rows: Raw[], test: (row: Raw) => boolean) => rows.filter(test).length;

  await expect(figure(page, 'surveys')).toHaveText(String(surveys.length));
  await expect(figure(page, 'completed')).toHaveText(
    String(count(surveys, ({ status }) => status === 'COMPLETED')),
  );
  await expect(figure(page, 'inProgress')).toHaveText(
    String(count(surveys, ({ status }) => status === 'IN_PROGRESS')),
  );
  await expect(figure(page, 'flagged')).toHaveText(
    String(count(surveys, ({ flags }) => (flags as unknown[]).length > 0)),
  );
  const now = new Date();
  const live = count(
    codes,
    // An unused seed's coupon was not handed out by an interview.
    ({ state, expiresAt, survey }) =>
      state === 'LIVE' && (!expiresAt || (expiresAt as Date) > now) && Boolean(survey),
  );
  await expect(figure(page, 'live')).toHaveText(String(live));

  const waves: Record<string, number> = {};
  for (const { wave } of surveys) {
    const key = wave === null ? 'unknown' : `Wave ${wave}`;
    waves[key] = (waves[key] ?? 0) + 1;
  }
  expect(await bars(page, 'Interviews by wave')).toEqual(waves);

  const recruits: Record<string, number> = {};
  for (const { _id, status, takesPart } of surveys) {
    // Skips people who declined, left by other tests: they recruit nobody.
    if (status !== 'COMPLETED' || takesPart === false) continue;
    const many = count(all, ({ recruiter, deletedAt }) => String(recruiter) === String(_id) && !deletedAt);
    const key = many === 1 ? '1 recruit' : `${many} recruits`;
    recruits[key] = (recruits[key] ?? 0) + 1;
  }
  expect(await bars(page, 'Recruits per person')).toEqual(recruits);
  const couponBars = await bars(page, 'Coupons');
  expect(couponBars.Returned).toBe(count(codes, ({ state }) => state === 'USED'));
  // These are compared with the API, whose counts test/recruitment/summary.test.ts covers.
  const { seeds, coupons, chainLengths, daysToReturn } = await call<Counted>(
    world,
    world.admin.token,
    'GET',
    '/api/recruitment/summary',
  );
  expect(await bars(page, 'Length of chains')).toEqual(
    Object.fromEntries(chainLengths.map(({ maxWave, chains }) => [`to wave ${maxWave}`, chains])),
  );
  expect(await bars(page, 'Days until a coupon is returned')).toEqual(
    Object.fromEntries(
      daysToReturn.map(({ days, coupons }) => [days === 1 ? '1 day' : `${days} days`, coupons]),
    ),
  );
  expect(couponBars).toMatchObject({
    Live: coupons.live - coupons.ofSeeds.live,
    'Of unused seeds': coupons.ofSeeds.live,
    Expired: coupons.expired,
    Voided: coupons.void,
  });
  expect(await bars(page, 'Seeds')).toEqual({
    Planned: seeds.planned,
    'Walk-in': seeds.walkIn,
    'Started a chain': seeds.used,
    Unused: seeds.unused,
    Productive: seeds.productive,
    'Of these, inactive for 14 days': seeds.silent,
  });

  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });
  await page.getByText('Show as table').click();
  for (const day of new Set(surveys.map(({ startedAt }) => dayOf.format(startedAt)))) {
    const cells = page.locator(`tr[data-row="${day}"] td`);
    await expect(cells.first()).toHaveText(
      String(count(surveys, ({ startedAt }) => dayOf.format(startedAt) === day)),
    );
  }
  await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Chapel meals' });
  const atChapel = count(surveys, ({ location }) => String(location) === world.sites.chapel);
  await expect(figure(page, 'surveys')).toHaveText(String(atChapel));
  await expect(page).toHaveURL(/location=/);
});

interface SiteRow {
  location: string;
  today: number;
  total: number;
  issued: number;
  returned: number;
}

test('the board shows what needs attention, then progress, sites and interviewers; it is shorter on a phone', async ({
  page,
  world,
}) => {
  await aStudy(world);
  await call(world, world.admin.token, 'PATCH', '/api/study', {
    targetSampleSize: 5_000,
    endsOn: '2099-12-31',
  });
  await untilCounted(world);
  const admin = await world.person({ role: 'ADMIN', location: null });
  const ask = <T>(path: string) => call<T>(world, admin.token, 'GET', `/api/recruitment/${path}`);
  await enter(page, world, admin);
  const campaign = page.getByRole('region', { name: 'Fieldwork' });
  // Both may be up to five seconds old, independently of each other.
  let total = 0;
  await expect(async () => {
    ({ total } = await ask<{ total: number }>('pace'));
    await expect(campaign).toContainText(`${total} of 5,000 interviews (0%)`, { timeout: 1_000 });
  }).toPass({ timeout: 40_000 });
  await expect(campaign).toContainText(/Too early to tell|Behind schedule|Add more seeds|On track/);
  await expect(page.getByText('No site chosen yet')).toHaveCount(0);
  // The coordinator's own button; an interview can be started too, but it is not the main thing.
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  await page.locator('.actions').getByRole('link', { name: 'Open recruitment' }).click();

  const stands = page.getByRole('region', { name: 'Progress' });
  await expect(stands).toContainText(`${total} of 5,000 interviews`);
  await expect(stands.getByRole('img', { name: /^Interviews so far/ })).toBeVisible();
  const { data } = await ask<{ data: SiteRow[] }>('sites?limit=8');
  const table = page.getByRole('table', { name: 'Sites', exact: true });
  for (const { location, today, total, issued, returned } of data) {
    const row = table.locator(`[data-row="${location}"] td`);
    await expect(row.nth(0)).toHaveText(String(today));
    await expect(row.nth(4)).toHaveText(String(total));
    await expect(row.nth(7)).toHaveText(`${returned} of ${issued}`);
  }
  await expect(page.getByRole('table', { name: 'Interviewers', exact: true })).toBeVisible();
  const order = await page.locator('main h2').allTextContents();
  const placed = ['attention', 'Progress', 'Sites', 'Interviewers', 'Interviews by day and site'];
  const places = placed.map((one) => order.findIndex((heading) => heading.includes(one)));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);

  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_200);

  // Large sections are collapsed on a phone and can be opened.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(table).toBeVisible();
  await expect(page.getByRole('region', { name: 'Largest chains' })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_300);
  await faultless(page, 'the board on a phone');
  await page.getByText('Largest chains').click();
  await expect(page.getByRole('region', { name: 'Largest chains' })).toBeVisible();
});

test('the board updates itself within ten seconds and shows coupons presented twice', async ({
  page,
  world,
}) => {
  await aStudy(world);
  await enter(page, world, world.admin, '/desk/board');
  await expect(figure(page, 'surveys')).toBeVisible();
  const { surveys } = await raw(world);
  await expect(figure(page, 'surveys')).toHaveText(String(surveys.length), { timeout: 10_000 });
  await submit(world, {});
  await expect(figure(page, 'surveys')).toHaveText(String(surveys.length + 1), { timeout: 10_000 });
  await expect(page.getByText('A coupon was presented twice').first()).toBeVisible();

  // Other flags are shown too: the board never says that all is done while something is left.
  await submit(world, { referralCode: 'ZZZZZZZZ', onCodeProblem: 'FLAG' });
  const flagged = page.locator('.notice').filter({ hasText: /interviews are flagged/ });
  await expect(flagged).toBeVisible({ timeout: 15_000 });
  await flagged.getByRole('link', { name: 'Review' }).click();
  await expect(page).toHaveURL(/\/desk\/surveys\?flag=any/);

  // As many as coupons presented twice are those, unless only one site is counted.
  await page.route('**/api/recruitment/summary*', async (route) => {
    const response = await route.fetch();
    const summary = (await response.json()) as { totals: object; alerts: { kind: string }[] };
    const twice = summary.alerts.filter(({ kind }) => kind === 'CODE_PRESENTED_TWICE').length;
    await route.fulfill({ response, json: { ...summary, totals: { ...summary.totals, flagged: twice } } });
  });
  const anyFlagged = page.locator('.notice').filter({ hasText: /interviews? (is|are) flagged/ });
  await page.goto(`${world.url}/desk/board?location=${world.sites.harbor}`);
  await expect(anyFlagged).toBeVisible();
  await page.goto(`${world.url}/desk/board`);
  await expect(page.getByText('A coupon was presented twice').first()).toBeVisible();
  await expect(anyFlagged).toHaveCount(0);
  // The board may just be asking again.
  await page.unrouteAll({ behavior: 'wait' });
});

test('admins see the board and the tree, managers the board of their own site; the API refuses everything else', async ({
  page,
  world,
}) => {
  const { first } = await aStudy(world);
  const { superAdmin, admin, manager, volunteer } = await oneOfEach(world);
  const tree = `/desk/tree/${first.seed}`;
  const routes = ['/api/recruitment/summary', `/api/recruitment/tree?seed=${first.seed}`];
  for (const person of [superAdmin, admin]) {
    await enter(page, world, person, '/desk/board');
    await expect(figure(page, 'surveys')).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Recruitment' })).toBeVisible();
    await follow(page, tree);
    await expect(page.getByRole('application')).toBeVisible();
    for (const route of routes) expect(await forged(world, person, 'GET', route)).toBe(200);
  }
  // On the home page too: for their own site, beside what a volunteer sees.
  await enter(page, world, manager);
  await expect(page.getByRole('region', { name: 'Fieldwork at Harbor shelter' })).toContainText(/interview/);
  await expect(page.getByText('No site chosen yet')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  await follow(page, '/desk/board');
  await expect(figure(page, 'surveys')).toBeVisible();
  await expect(figure(page, 'chains')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Results' })).toHaveCount(0);
  expect(await forged(world, manager, 'GET', `${routes[0]}?location=${world.sites.chapel}`)).toBe(403);
  await isClosed(page, world, volunteer, '/desk/board');
  await expect(page.getByRole('link', { name: 'Recruitment' })).toHaveCount(0);
  for (const person of [manager, volunteer]) {
    await isClosed(page, world, person, tree);
    expect(await forged(world, person, 'GET', routes[1] ?? '')).toBe(403);
  }
  expect(await forged(world, volunteer, 'GET', routes[0] ?? '')).toBe(403);
});

test('the tree can be navigated by keyboard and as a list, colored by an answer, and links to the interview', async ({
  page,
  world,
}) => {
  const { first, second, gone: deletedSurvey } = await aStudy(world);
  await enter(page, world, world.admin, `/desk/tree/${first.seed}`);
  await expect(page.getByText('5 interviews, 2 waves')).toBeVisible();
  const picture = page.getByRole('application');
  await picture.focus();
  await picture.press('ArrowRight');
  const details = page.getByRole('region', { name: 'Interview' });
  await expect(details).toContainText('Wave 0 · Harbor shelter');
  await picture.press('ArrowRight');
  await expect(details).toContainText('Wave 1 · Chapel meals');
  await picture.press('ArrowDown');
  await expect(details).toContainText('Wave 1 · Harbor shelter');
  await picture.press('+');
  await picture.press('0');

  await page.getByLabel('Color by', { exact: true }).selectOption('consent');
  await expect(page.getByRole('button', { name: 'Yes, I agree (4)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'No answer available (1)' })).toBeVisible();
  // A long question takes the width of the panel.
  const width = async (of: string) => (await details.locator(of).first().boundingBox())?.width ?? 0;
  await expect(details.locator('[data-long] dt')).toHaveText(/agree/);
  expect(await width('[data-long] dt')).toBeGreaterThan(250);
  expect(await width('dd')).toBeGreaterThan(100);
  await page.getByLabel('Color by', { exact: true }).selectOption('site');
  await expect(page.getByRole('button', { name: 'Harbor shelter (4)' })).toBeVisible();

  await page.getByText('List', { exact: true }).click();
  const list = page.getByRole('region', { name: 'Tree as a list' });
  await expect(list.getByText('Deleted')).toBeVisible();
  await list
    .getByRole('button', { name: /^\w{4}\W\w{4} · Wave 1 · Chapel meals/, pressed: false })
    .and(page.locator('.tree-pick'))
    .click();
  await page.getByRole('button', { name: 'Show this branch only' }).click();
  await expect(page.getByText('2 interviews, 1 wave')).toBeVisible();
  await page.getByRole('link', { name: 'Open interview' }).click();
  await expect(page).toHaveURL(new RegExp(`/desk/surveys/${second.id}`));
  expect(deletedSurvey.id).not.toBe(second.id);
});

test('on a phone, swiping over the tree scrolls the page until the tree is zoomed in, and a tap shows the details', async ({
  page,
  world,
}) => {
  const { first } = await aStudy(world);
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, world, world.admin, `/desk/tree/${first.seed}?as=round`);
  const picture = page.getByRole('application');
  await expect(picture).toHaveCSS('touch-action', 'pan-y');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(picture).toHaveCSS('touch-action', 'none');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(picture).toHaveCSS('touch-action', 'pan-y');
  const box = await picture.boundingBox();
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.synthesizeScrollGesture', {
    x: 60,
    y: Math.round((box?.y ?? 0) + 200),
    yDistance: -150,
    gestureSourceType: 'touch',
  });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  // The seed's own interview is at the center of the rings.
  await picture.click();
  const details = page.getByRole('region', { name: 'Interview' });
  await expect(details).toContainText('Wave 0 · Harbor shelter');
  await expect(details.getByRole('link', { name: 'Open interview' })).toBeInViewport();
});

test('an admin sees the whole tree and each coupon presented twice, but can open only interviews of today', async ({
  page,
  world,
}) => {
  const { first, flagged } = await aStudy(world);
  const { admin } = await oneOfEach(world);
  const again = await submit(world, { referralCode: first.issuedCodes[0], onCodeProblem: 'FLAG' });
  const db = (await world.service.database()).db('field_survey');
  const yesterday = new Date(Date.now() - 30 * 3_600_000);
  const old = { $set: { createdAt: yesterday, startedAt: yesterday, heldAt: yesterday } };
  await db.collection('surveys').updateOne({ clientId: flagged.clientId }, old);
  await untilCounted(world);
  await enter(page, world, admin, '/desk/board');
  const alert = page.locator('.notice').filter({ hasText: 'A coupon was presented twice' });
  // Several alerts of one kind are collapsed.
  await alert.locator('summary').click();
  await expect(alert.locator(`a[href*="${again.id}"]`)).toBeVisible();
  await expect(alert.locator(`a[href*="${flagged.id}"]`)).toHaveCount(0);
  await expect(alert.getByText('Only a super admin can correct interviews from earlier days.')).toBeVisible();

  await db.collection('surveys').updateOne({ clientId: first.clientId }, old);
  await page.goto(`${world.url}/desk/tree/${first.seed}?by=consent`);
  const picture = page.getByRole('application');
  await picture.focus();
  await picture.press('ArrowRight');
  await expect(page.getByText('You can only open today’s interviews.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Interview' })).toContainText('No answer available');
  await picture.press('ArrowRight');
  await expect(page.getByRole('link', { name: 'Open interview' })).toBeVisible();
});

test('board and tree pass axe, and many sites with long names cause no overflow', async ({ page, world }) => {
  test.setTimeout(120_000);
  const { first } = await aStudy(world);
  for (let at = 1; at <= 9; at += 1) {
    const name = `Winter shelter of the eastern neighbourhoods, house ${at}`;
    await submit(world, { location: await newSite(world, name) });
  }
  await untilCounted(world);
  await enter(page, world, world.admin, '/desk/board');
  await expect(figure(page, 'surveys')).toBeVisible();
  await page.getByText('Show as table', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'Interviews by day and site' })).toBeVisible();
  await faultless(page, 'the board');
  for (const look of ['round', 'rows', 'outline']) {
    await follow(page, `/desk/tree/${first.seed}?as=${look}&by=site`);
    await expect(page.getByText(/interviews, \d waves/)).toBeVisible();
    await faultless(page, `the tree, ${look}`);
    await follow(page, '/desk/board');
  }
});
