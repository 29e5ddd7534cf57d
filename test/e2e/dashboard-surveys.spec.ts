/** Interviews on the dashboard, and the audit of changes: what each role sees, may do, and may not. */
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { forged, isClosed, oneOfEach } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import {
  call,
  enter,
  expect,
  follow,
  newSeed,
  type StoredSurvey,
  setHeld,
  submit,
  test,
  type World,
} from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const DECLINED = { consent: 'no' };
const submitDeclined = (world: World, body: object) => submit(world, { responses: DECLINED, ...body });

const stored = (world: World, id: string) =>
  call<StoredSurvey>(world, world.admin.token, 'GET', `/api/surveys/${id}`);

test('each role sees only interviews, buttons and filters that its permissions allow', async ({
  page,
  world,
}) => {
  const { superAdmin, admin, manager, volunteer } = await oneOfEach(world);
  const here = await submitDeclined(world, {});
  const away = await submitDeclined(world, { location: world.sites.chapel });
  const site = page.getByLabel('Site', { exact: true });
  for (const [person, message, days] of [
    [superAdmin, 'All interviews you have access to, most recently received first.', 1],
    [admin, /^Today’s interviews at all sites/, 0],
  ] as const) {
    await enter(page, world, person, '/desk/surveys');
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByLabel('Received from')).toHaveCount(days);
    await expect(site).toBeVisible();
    await follow(page, `/desk/surveys/${away.id}`);
    await expect(page.getByRole('button', { name: 'Correct answers' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible();
  }
  await enter(page, world, manager, '/desk/surveys');
  await expect(page.getByText(/^Today’s interviews at your site, Harbor shelter/)).toBeVisible();
  await expect(site).toHaveCount(0);
  await page.goto(`${world.url}/desk/surveys?location=${world.sites.chapel}`);
  await expect(page.getByText('You don’t have access to interviews at this site.')).toBeVisible();
  await faultless(page, 'interviews of a manager');
  await follow(page, `/desk/surveys/${here.id}`);
  await expect(page.getByRole('button', { name: 'Correct answers' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Show tree' })).toHaveCount(0);
  await page.goto(`${world.url}/desk/surveys/${away.id}`);
  await expect(page.getByText('You don’t have access to this interview')).toBeVisible();
  await isClosed(page, world, volunteer, `/desk/surveys/${here.id}`);
});

test('an interview page shows its answers as text, its recruiter, recruits and coupons, in both languages', async ({
  page,
  world,
}) => {
  const first = await submit(world, { referralCode: await newSeed(world), responses: MINIMAL_RESPONSES });
  const second = await submitDeclined(world, { referralCode: first.issuedCodes[0] });
  await enter(page, world, world.admin, `/desk/surveys/${first.id}`);
  await expect(page.getByText('Do you agree to take part?')).toBeVisible();
  await expect(page.getByText('Yes, I agree')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Coupons handed out' })).toContainText('Returned');
  await expect(page.getByRole('region', { name: 'Coupons handed out' }).getByText('Live')).toHaveCount(2);
  await page.getByRole('region', { name: 'Recruits' }).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(second.id));
  await expect(page.getByText('No, I do not want to take part')).toBeVisible();
  await page.evaluate(() => localStorage.setItem('language', 'es'));
  await page.reload();
  await expect(page.getByText('¿Acepta usted participar?')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Historial' })).toBeVisible();
});

/** A date as in lists: with the year only if it is not the current one. */
const shortDay = (at: Date) =>
  at.getFullYear() === new Date().getFullYear()
    ? new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(at)
    : dayOf(at);
const dayOf = (at: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(at);

/** Times of an interview held some days ago, for twenty minutes. */
function heldAgo(days: number) {
  const startedAt = new Date(Date.now() - days * 86_400_000);
  return { startedAt, completedAt: new Date(startedAt.getTime() + 1_200_000) };
}

test('interview date and received date are both shown for a late interview: list, page, recruits, tree, board', async ({
  page,
  world,
}) => {
  const [times, recruited] = [heldAgo(9), heldAgo(7)];
  const seed = await newSeed(world);
  const first = await submit(world, { referralCode: seed, responses: MINIMAL_RESPONSES });
  const second = await submitDeclined(world, { referralCode: first.issuedCodes[0] });
  await setHeld(world, first, times.startedAt, times.completedAt);
  await setHeld(world, second, recruited.startedAt, recruited.completedAt);
  const prompt = await submitDeclined(world, { startedAt: new Date() });
  const odd = await submitDeclined(world, { ...heldAgo(800), completedAt: new Date() });
  const [heldDay, recruitedDay, today] = [
    dayOf(times.startedAt),
    dayOf(recruited.startedAt),
    dayOf(new Date()),
  ];

  await enter(page, world, world.admin, '/desk/surveys');
  const row = ({ id }: StoredSurvey) =>
    page.locator('.dashboard-table tbody tr', { has: page.locator(`a[href$="${id}"]`) });
  await expect(row(first).getByRole('rowheader')).toContainText(shortDay(times.startedAt));
  const received = row(first)
    .getByRole('cell')
    .filter({ hasText: shortDay(new Date()) });
  await expect(received).toHaveCount(1);
  await expect(row(prompt).getByRole('rowheader')).toContainText(shortDay(new Date()));
  // An implausible time is not shown.
  await expect(row(odd).getByRole('rowheader')).toContainText(shortDay(new Date()));
  await page.goto(`${world.url}/desk/surveys/${odd.id}`);
  await expect(
    page.getByText('The phone’s clock was wrong, so we use the date received instead.'),
  ).toBeVisible();

  await page.goto(`${world.url}/desk/surveys/${first.id}`);
  const facts = page.getByRole('region', { name: 'About this interview' });
  await expect(facts).toContainText(new RegExp(`Interview date${heldDay}.*Received${today}`));
  await expect(page.getByRole('region', { name: 'Recruits' })).toContainText(
    new RegExp(`${recruitedDay}.*Received ${today}`),
  );
  await page.getByRole('link', { name: 'Show tree' }).click();
  await page.getByText('List', { exact: true }).click();
  await page
    .getByRole('button', { name: new RegExp(`^\\w{4}\\W\\w{4} · Wave 1 · Harbor shelter · ${recruitedDay}`) })
    .click();
  await expect(page.getByRole('region', { name: 'Interview' })).toContainText(
    new RegExp(`Interview date${recruitedDay}.*Received${today}`),
  );
  expect(second.id).toBeDefined();

  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(times.startedAt);
  await page.goto(`${world.url}/desk/board?from=${day}&to=${day}`);
  await expect(page.getByLabel('Interview date from')).toHaveValue(day);
  await expect(page.locator('[data-figure=surveys] .board-number')).toHaveText('1');
  const byDay = page.getByRole('region', { name: 'Interviews by day and site' });
  await expect(byDay).toContainText('By interview date');
  await byDay.getByText('Show as table').click();
  await expect(byDay.locator(`tr[data-row="${day}"] td`).first()).toHaveText('1');
});

test('a correction that conflicts with another change offers a choice, and both are in the history', async ({
  page,
  world,
}) => {
  const { id } = await submit(world, { responses: MINIMAL_RESPONSES });
  await enter(page, world, world.admin, `/desk/surveys/${id}`);
  await page.getByRole('button', { name: 'Correct answers' }).click();
  const number = page.locator('[data-name=networkSize] input');
  await number.fill('20');
  await call(world, world.admin.token, 'PATCH', `/api/surveys/${id}`, {
    responses: { ...MINIMAL_RESPONSES, networkSize: 15 },
  });
  await page.getByRole('button', { name: 'Entered incorrectly' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const clash = page.getByText('Someone else changed this interview while you were editing it.');
  await expect(clash).toBeVisible();
  // What was entered is not dropped unasked, and looking at another page doesn't make it a change of the new version.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(clash).toBeVisible();
  await follow(page, '/desk/people');
  await page.goBack();
  await expect(page.locator('.answer-list').getByText('15', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Correct answers' }).click();
  await expect(number).toHaveValue('20');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(clash).toBeVisible();
  await page.getByRole('button', { name: 'Your version 20' }).click();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  expect((await stored(world, id)).responses.networkSize).toBe(20);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('12', { exact: true })).not.toHaveCount(0);
  await expect(history.getByText('20', { exact: true })).not.toHaveCount(0);
  await expect(history).toContainText('Reason: Entered incorrectly');
  await expect(history).toContainText('Ada Field');
});

test('a coupon presented twice is found by its flag and can be corrected', async ({ page, world }) => {
  const code = await newSeed(world);
  const came = await submitDeclined(world, { referralCode: code });
  const { id } = await submitDeclined(world, { referralCode: code, onCodeProblem: 'FLAG' });
  const right = await newSeed(world);
  // The link is shown even to people who may not look up codes.
  const toFirst = page.getByRole('region', { name: 'The interview that has coupon' }).getByRole('link');
  await enter(page, world, await world.person({ role: 'MANAGER' }), `/desk/surveys/${id}`);
  await expect(toFirst).toHaveAttribute('href', `/desk/surveys/${came.id}`);
  await enter(page, world, world.admin, '/desk/surveys');
  await page.getByLabel('Flags').selectOption('REFERRAL_CODE_USED');
  await page.locator(`a[href="/desk/surveys/${id}"]`).click();
  await expect(
    page.locator('.notice').getByText('Coupon presented twice: another interview has this code.'),
  ).toBeVisible();
  await expect(toFirst.filter({ hasText: 'The interview with the coupon' })).toHaveAttribute(
    'href',
    `/desk/surveys/${came.id}`,
  );
  await page.getByLabel('Correct code').fill(right);
  await page.getByRole('button', { name: 'Use this code' }).click();
  await expect(
    page.locator('.notice').getByText('Coupon presented twice: another interview has this code.'),
  ).toHaveCount(0);
  const after = await stored(world, id);
  expect(after.referralCode).toBe(right);
  expect(after.flags).toEqual([]);
});

test('a second copy can be compared side by side and resolved', async ({ page, world }) => {
  const clientId = crypto.randomUUID();
  const { id } = await submit(world, { clientId, responses: MINIMAL_RESPONSES });
  expect(
    await forged(world, world.admin, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      clientId,
      responses: { ...MINIMAL_RESPONSES, networkSize: 30 },
    }),
  ).toBe(409);
  // The questions load slowly: the page is busy meanwhile.
  let come = () => {};
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route('**/api/questionnaires/**', async (route) => {
    await coming;
    await route.continue();
  });
  await enter(page, world, world.admin, `/desk/surveys/${id}`);
  const compare = page.getByRole('button', { name: 'Compare both' });
  await compare.click();
  await expect(compare).toHaveAttribute('data-loading', 'true');
  come();
  await page.getByRole('button', { name: 'Second copy 30' }).click();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect.poll(async () => (await stored(world, id)).responses.networkSize).toBe(30);
  expect((await stored(world, id)).flags).toEqual([]);
  await expect(page.locator('.notice').getByText('A second version')).toHaveCount(0);
});

test('the history says who changed what, can be filtered, and is for admins only', async ({
  page,
  world,
}) => {
  const { superAdmin, admin, manager, volunteer } = await oneOfEach(world);
  await call(world, admin.token, 'PATCH', `/api/users/${volunteer.id}`, { location: world.sites.chapel });
  for (const person of [superAdmin, admin]) {
    await enter(page, world, person, `/desk/audit?by=${admin.id}&subject=User`);
    const row = page.locator('.dashboard-table tbody tr').first();
    await expect(row).toContainText('Ana Field');
    await expect(row).toContainText('assigned “Vic Field” to another site');
    await expect(row).toContainText('Site: from Harbor shelter to Chapel meals');
    expect(await forged(world, person, 'GET', '/api/audit')).toBe(200);
  }
  const code = await newSeed(world);
  await submitDeclined(world, { referralCode: code });
  await page.goto(`${world.url}/desk/audit?subject=Survey`);
  await expect(page.locator('.dashboard-table tbody tr').first()).toContainText(
    `submitted the interview: “${code.slice(0, 4)}-${code.slice(4)}, Harbor shelter”`,
  );
  await page.goto(`${world.url}/desk/audit?by=${admin.id}&subject=User`);
  await page.getByLabel('Action').selectOption('delete');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await page.goto(`${world.url}/desk/audit?record=${volunteer.id}`);
  const rows = page.locator('.dashboard-table tbody tr');
  await expect(rows).toHaveCount(2);
  // By coupon: events of the coupon and of its interview. By site: all events of the site.
  await page.goto(`${world.url}/desk/audit`);
  await page.getByLabel('Coupon', { exact: true }).fill(code);
  await expect(page).toHaveURL(new RegExp(`code=${code}`));
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows.first()).toContainText('submitted the interview');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Site', { exact: true }).selectOption('Chapel meals');
  await expect(rows.first()).toContainText('assigned “Vic Field” to another site');
  // A deleted person is shown by name and as deleted.
  await call(world, superAdmin.token, 'DELETE', `/api/users/${volunteer.id}`);
  await page.goto(`${world.url}/desk/audit?record=${volunteer.id}`);
  await expect(rows.first()).toContainText('deleted the account of “Vic Field (deleted)”');
  await expect(page.locator('.dashboard')).not.toContainText(/[0-9a-f]{24}/);
  for (const person of [manager]) {
    await isClosed(page, world, person, '/desk/audit');
    expect(await forged(world, person, 'GET', '/api/audit')).toBe(403);
  }
});

test('interview and history pages pass axe', async ({ page, world }) => {
  const code = await newSeed(world);
  await submit(world, { referralCode: code, responses: MINIMAL_RESPONSES });
  const { id } = await submit(world, {
    referralCode: code,
    onCodeProblem: 'FLAG',
    responses: MINIMAL_RESPONSES,
  });
  // Their list is tested in dashboard-lists.spec.ts.
  await enter(page, world, world.admin, `/desk/surveys/${id}`);
  await expect(page.getByText('Do you agree to take part?')).toBeVisible();
  await faultless(page, 'one interview');
  await follow(page, '/desk/audit');
  await expect(page.locator('.dashboard-table tbody tr').first()).toBeVisible();
  await faultless(page, 'history');
});
