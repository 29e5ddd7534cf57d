/** Tasks of a coordinator during a campaign, each starting at the first page, with the most clicks it may take. */
import type { Page } from '@playwright/test';
import { countClicks, couponTitle } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, type Person, setHeld, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

interface Stored {
  id: string;
  referralCode: string;
  issuedCodes: string[];
}

interface Campaign {
  admin: Person;
  vera: Person;
  /** Of a chain that ended three weeks ago. */
  died: string;
  /** Of a chain whose coupons are out, and of which nobody has come for three weeks. */
  silent: string;
  /** The coupon of an interview of yesterday. */
  yesterday: string;
  /** Of two interviews with one coupon: the second one has the flag. */
  twice: { code: string; first: string; second: string };
}

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const SLEPT = ['outside', 'outside', 'tent', 'shelter', 'outside', 'tent'];
const answers = (at = 0) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + ((at * 7) % 18),
  sleptLastNight: SLEPT[at % SLEPT.length],
});

const submit = (world: World, by: Person, body: object) =>
  call<Stored>(world, by.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: answers(),
    onCodeProblem: 'FLAG',
    ...body,
  });

/** Changes the times of an interview to `days` ago. */
async function backdate(world: World, { referralCode }: Stored, days: number): Promise<void> {
  const surveys = (await world.service.database()).db('field_survey').collection('surveys');
  const [createdAt, heldAt] = [ago(days), ago(days)];
  await surveys.updateOne(
    { referralCode },
    { $set: { createdAt, heldAt, startedAt: heldAt, completedAt: heldAt } },
  );
}

/** At the chapel nine interviews 9 to 11 days ago and one since; at the harbour most are recent. */
async function heldInTwoWeeks(world: World, by: Person): Promise<void> {
  const coupons = [await newSeed(world), await newSeed(world)];
  const days = [9, 9, 9, 10, 10, 10, 11, 11, 11, 1, 9, 10, 2, 3, 4, 5, 6, 6];
  for (const [at, before] of days.entries()) {
    const stored = await submit(world, by, {
      location: at < 10 ? world.sites.chapel : world.sites.harbor,
      referralCode: coupons.shift(),
      responses: answers(at),
    });
    await setHeld(world, stored, ago(before));
    coupons.push(...stored.issuedCodes);
  }
}

/** Clears the flags that other tests left on coupons presented twice. */
async function settleOthers(world: World, ours: string[]): Promise<void> {
  const path = '/api/surveys?flag=REFERRAL_CODE_USED&limit=200';
  const { data } = await call<{ data: { id: string }[] }>(world, world.admin.token, 'GET', path);
  for (const { id } of data.filter((one) => !ours.includes(one.id)))
    await call(world, world.admin.token, 'PATCH', `/api/surveys/${id}`, {
      clearFlags: ['REFERRAL_CODE_USED'],
    });
}

async function aDiedChain(world: World, by: Person): Promise<string> {
  const died = await submit(world, by, { referralCode: await newSeed(world) });
  for (const code of died.issuedCodes)
    await call(world, world.admin.token, 'PATCH', `/api/referral-codes/${code}`, {
      void: true,
      reason: 'Lost',
    });
  await backdate(world, died, 21);
  return died.referralCode;
}

/** Computes an interval, as the nightly run would, and waits for it. */
async function intervalOf(world: World, outcome: string): Promise<void> {
  const body = { outcome, method: 'TREE', samples: 100, randomSeed: 1 };
  const { id } = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/analysis/runs', body);
  await expect
    .poll(async () => (await call(world, world.admin.token, 'GET', `/api/analysis/runs/${id}`)).state, {
      timeout: 60_000,
    })
    .toBe('DONE');
}

let campaign: Campaign;
test.beforeAll(async ({ world }) => {
  test.setTimeout(180_000);
  const admin = await world.person({ role: 'ADMIN', firstName: 'Ana', location: null });
  const vera = await world.person({ firstName: 'Vera' });
  await heldInTwoWeeks(world, vera);
  const died = await aDiedChain(world, vera);
  const old = await submit(world, vera, { referralCode: await newSeed(world) });
  await backdate(world, old, 1.5);
  const silent = await submit(world, vera, { referralCode: await newSeed(world) });
  await backdate(world, silent, 21);
  const code = await newSeed(world);
  const first = await submit(world, vera, { referralCode: code });
  const second = await submit(world, vera, { referralCode: code, responses: answers(5) });
  await call(world, vera.token, 'PATCH', `/api/surveys/${first.id}`, {
    responses: { ...answers(), sleptLastNight: 'tent' },
    reason: 'Misheard',
  });
  await intervalOf(world, 'sleptLastNight');
  const twice = { code, first: first.id, second: second.id };
  campaign = { admin, vera, died, silent: silent.referralCode, yesterday: old.referralCode, twice };
});

const printedCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
const inNavigation = (page: Page, name: string) =>
  page.getByRole('navigation').first().getByRole('link', { name, exact: true });

/** Uses the search field that is on top of each page: one click, then Enter. */
async function find(page: Page, text: string, heading = text): Promise<void> {
  await page.getByRole('button', { name: 'Find a coupon, person or site' }).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}

test('assigning a person to a site takes 3 clicks, adding a permission 5, removing it 2', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  const mover = await world.person({ firstName: 'Mover' });
  await enter(page, world, campaign.admin, '/');
  await find(page, 'Mover Field');
  await page.getByLabel('Site', { exact: true }).selectOption('Chapel meals');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(clicks.since()).toBeLessThanOrEqual(3);
  const { location } = await call(world, world.admin.token, 'GET', `/api/users/${mover.id}`);
  expect(location).toBe(world.sites.chapel);

  const rights = async () =>
    (await call<{ permissions: object[] }>(world, world.admin.token, 'GET', `/api/users/${mover.id}`))
      .permissions;
  await enter(page, world, world.admin, '/');
  clicks.since();
  await find(page, 'Mover Field');
  await page.getByRole('button', { name: 'Add permission' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Action').selectOption('Edit');
  await dialog.getByLabel('Applies to').selectOption('sites');
  await dialog.getByRole('button', { name: 'Add permission' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'sites' })).toBeVisible();
  expect(clicks.since()).toBeLessThanOrEqual(5);
  expect(await rights()).toHaveLength(1);
  await page.getByRole('button', { name: /^Remove permission/ }).click();
  await dialog.getByRole('button', { name: 'Remove permission' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'sites' })).toHaveCount(0);
  expect(clicks.since()).toBeLessThanOrEqual(2);
  expect(await rights()).toEqual([]);
});

test('the site falling behind is on the home page, and first in the site table after 1 click', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  await enter(page, world, campaign.admin, '/');
  await expect(
    page.getByText(/Falling behind: Chapel meals \(1 in the last 7 days, usually 9\)\./),
  ).toBeVisible();
  expect(clicks.since()).toBe(0);
  await faultless(page, 'home of a coordinator');
  await inNavigation(page, 'Recruitment').click();
  const sites = page.getByRole('table', { name: 'Sites' });
  await expect(sites.getByRole('rowheader').first()).toHaveText(/Chapel meals\s*falling behind/);
  expect(clicks.since()).toBe(1);
});

test('ended chains are on the home page, their seed and tree 1 click each away, inactive chains 2 clicks', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  await enter(page, world, campaign.admin, '/');
  const alert = page.getByRole('listitem').filter({ hasText: 'A chain has ended' });
  await expect(alert).toContainText(printedCode(campaign.died));
  expect(clicks.since()).toBe(0);
  await inNavigation(page, 'Seeds').click();
  await expect(alert).toContainText(printedCode(campaign.died));
  await faultless(page, 'seeds, one of which died');
  await alert.getByRole('link', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Recruitment tree' })).toBeVisible();
  await expect(page.locator('.page-head')).toContainText(printedCode(campaign.died));
  expect(clicks.since()).toBe(2);

  await inNavigation(page, 'Home').click();
  clicks.since();
  await inNavigation(page, 'Recruitment').click();
  // The last part to load moves the numbers down.
  await expect(page.getByRole('table', { name: 'Interviewers' })).toBeVisible();
  const number = page.getByRole('link', { name: /^Inactive for 14 days: \d+$/ });
  const silent = Number((await number.textContent())?.match(/\d+$/)?.[0]);
  await number.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Seeds' })).toBeVisible();
  await expect(page.getByLabel('Chain')).toHaveValue('SILENT');
  const rows = page.getByRole('table', { name: 'Seeds' }).locator('tbody tr');
  await expect(rows).toHaveCount(silent);
  await expect(rows.filter({ hasText: printedCode(campaign.silent) })).toContainText('Inactive');
  await expect(rows.filter({ hasNotText: 'Inactive' })).toHaveCount(0);
  expect(clicks.since()).toBe(2);
  await page.getByLabel('Chain').selectOption('Ended');
  await expect(rows.filter({ hasText: printedCode(campaign.died) })).toContainText('Ended');
  await expect(rows.filter({ hasText: printedCode(campaign.silent) })).toHaveCount(0);
});

test('setting the end date takes 3 clicks, and the pace needed is shown', async ({ page, world }) => {
  const clicks = await countClicks(page);
  await call(world, world.admin.token, 'PATCH', '/api/study', { targetSampleSize: 200, endsOn: null });
  await enter(page, world, campaign.admin, '/');
  await page.getByRole('link', { name: 'Set it in “Study”' }).click();
  await page.getByLabel('End date', { exact: true }).click();
  await page.getByLabel('End date', { exact: true }).fill(ago(-30).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(clicks.since()).toBeLessThanOrEqual(3);
  await page.getByRole('link', { name: 'Harbor count' }).click();
  await expect(page.getByText(/You need .* per day until/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change target or end date' })).toBeVisible();
});

test('the history of an answer and an estimate are 2 clicks away each', async ({ page, world }) => {
  const clicks = await countClicks(page);
  const { code } = campaign.twice;
  const change = /Where did you sleep last night\?.*from Outside.*to In a tent or a camp.*Reason: Misheard/s;
  await enter(page, world, campaign.admin, '/');
  await find(page, code, couponTitle(code));
  await page
    .getByRole('listitem')
    .filter({ hasText: /presented it$/ })
    .getByRole('link')
    .click();
  const history = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
  await expect(history).toContainText('Vera Field');
  await expect(history).toContainText(change);
  expect(clicks.since()).toBeLessThanOrEqual(2);

  await page.goto(world.url);
  await inNavigation(page, 'History').click();
  await page.getByLabel('Coupon', { exact: true }).click();
  await page.keyboard.type(printedCode(code));
  const row = page.getByRole('row').filter({ hasText: 'Misheard' });
  await expect(row).toContainText('Vera Field');
  await expect(row).toContainText(change);
  expect(clicks.since()).toBeLessThanOrEqual(2);

  // The estimate with its interval, and labelled unweighted.
  await page.goto(world.url);
  await page.getByRole('link', { name: 'Results so far' }).click();
  await page.getByLabel('What to estimate').selectOption('Where did you sleep last night?');
  const outside = page.locator('[data-level=outside]');
  await expect(outside).toContainText(/\d%\s*Outside.*of the population.*\d+.* to \d+.*95%/s);
  await expect(outside).toContainText(/Unweighted \(interviewed people only\): \d+/);
  expect(clicks.since()).toBeLessThanOrEqual(2);
});

test('a super admin corrects yesterday’s interview in 6 clicks; an admin sees whom to ask', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  const { yesterday } = campaign;
  await enter(page, world, campaign.admin, '/');
  await find(page, yesterday, couponTitle(yesterday));
  await expect(page.getByText(/Only a super admin can open and correct.*Ask Ada Field\./)).toBeVisible();
  await faultless(page, 'a coupon whose interview is closed');
  expect(clicks.since()).toBe(1);
  const { data } = await call<{ data: Stored[] }>(
    world,
    world.admin.token,
    'GET',
    `/api/surveys?search=${yesterday}`,
  );
  await page.goto(`${world.url}/desk/surveys/${data[0]?.id}`);
  await expect(page.getByText('You don’t have access to this interview')).toBeVisible();
  await expect(page.getByText(/Ask Ada Field\./)).toBeVisible();

  await enter(page, world, world.admin, '/');
  await find(page, yesterday, couponTitle(yesterday));
  await page.getByRole('region', { name: 'Interviews' }).getByRole('link').first().click();
  const slept = page.locator('.answer-list .row').filter({ hasText: 'Where did you sleep last night?' });
  await slept.getByRole('button').click();
  await page.locator('[data-name=sleptLastNight]').getByText('In a tent or a camp').click();
  await page.getByRole('button', { name: 'Misheard' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText(
    /Ada Field.*from Outside.*to In a tent or a camp/s,
  );
  expect(clicks.since()).toBeLessThanOrEqual(6);
});

test('a coupon presented twice is assigned to the second interview, or left where it is, in 3 clicks', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  const { code, first, second } = campaign.twice;
  const codeOf = async (id: string) =>
    (await call(world, world.admin.token, 'GET', `/api/surveys/${id}`)).referralCode;
  const look = page
    .getByRole('listitem')
    .filter({ hasText: 'A coupon was presented twice' })
    .getByRole('link', { name: 'Review' });
  await settleOthers(world, [first, second]);
  await enter(page, world, campaign.admin, '/');
  await expect(look).toHaveAttribute('href', new RegExp(second), { timeout: 30_000 });
  await look.click();
  await page.getByRole('button', { name: 'Assign the coupon to this interview' }).click();
  await page.keyboard.type('The second one brought the paper.');
  await page.getByRole('button', { name: 'Assign to this interview' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Reason: The second one brought the paper.');
  expect(clicks.since()).toBeLessThanOrEqual(3);
  expect([await codeOf(first), await codeOf(second)]).toEqual([null, code]);

  // The interview that lost it is listed in the same place, after the next recount.
  await page.goto(world.url);
  await expect(look).toHaveAttribute('href', new RegExp(first), { timeout: 30_000 });
  await look.click();
  await expect(page).toHaveURL(new RegExp(first));
  await page.getByRole('button', { name: 'Leave the coupon where it is' }).click();
  await page.keyboard.type('The paper was seen.');
  await page.getByRole('button', { name: 'Leave it there' }).click();
  await expect(history).toContainText('Reason: The paper was seen.');
  expect(clicks.since()).toBeLessThanOrEqual(3);
  await page.goto(world.url);
  await expect(page.getByText('A chain has ended')).toBeVisible();
  await expect(look).toHaveCount(0, { timeout: 30_000 });
});
