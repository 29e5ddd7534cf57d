/** The dashboard's payments: what is owed and was paid, paying, withdrawing and reopening, and closing the day. */
import { readFile } from 'node:fs/promises';
import { formatCode } from '../../src/coupons/referral-codes/code.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, type Person, setIncentives, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PAYS = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 };

test.beforeAll(async ({ world }) => {
  // What other tests left due would stand in these lists.
  await (await world.service.database()).db('field_survey').collection('incentives').deleteMany({});
  await setIncentives(world, PAYS);
});
test.afterAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD' });
});

/** Submits the interview of a participant with this coupon; `more` can add a cash payment. */
async function interviewed(world: World, by: Person, referralCode: string, more: object = {}) {
  const body = { location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES, ...more };
  const path = '/api/surveys';
  return await call<{ id: string; issuedCodes: string[] }>(world, by.token, 'POST', path, {
    ...body,
    referralCode,
  });
}

test('selected incentives are paid together; single ones can be withdrawn, reopened and paid with a reason', async ({
  page,
  world,
}) => {
  const volunteer = await world.person();
  const first = await interviewed(world, volunteer, await newSeed(world));
  for (const coupon of first.issuedCodes.slice(0, 2)) await interviewed(world, volunteer, coupon);
  const admin = await world.person({ role: 'ADMIN', firstName: 'Ana' });
  await enter(page, world, admin, '/desk/payments?state=DUE');
  await expect(page.getByRole('row')).toHaveCount(6);
  await faultless(page, 'payments');
  await page.setViewportSize({ width: 360, height: 780 });
  const tops = () =>
    page.locator('.dashboard-beside a, .dashboard-beside button').evaluateAll((buttons) => {
      const boxes = buttons.map((button) => button.getBoundingClientRect()).filter(({ width }) => width > 0);
      return new Set(boxes.map(({ top }) => Math.round(top))).size;
    });
  await expect.poll(tops, { message: 'rows of buttons on a small phone' }).toBe(2);
  await page.setViewportSize({ width: 1440, height: 900 });

  const row = page.getByRole('row').filter({ hasText: 'For a recruit' }).first();
  await row.getByRole('button', { name: /^Withdraw/ }).click();
  await page.getByLabel('Reason').fill('The coupon was sold.');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Incentive withdrawn.')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(5);

  // By keyboard: select all, choose the method, pay.
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Pay selected' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('4 payments, $70.00 in total')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Transfer' }).press('Space');
  await faultless(page, 'pay selected');
  await dialog.getByRole('button', { name: 'Pay' }).press('Enter');
  await expect(page.getByText('Recorded 4 payments.')).toBeVisible();
  await expect(page.getByText('No payments match these filters.')).toBeVisible();

  await page.getByLabel('State').selectOption('Paid');
  await expect(page.getByRole('row').filter({ hasText: 'Transfer' })).toHaveCount(4);
  await expect(page.getByRole('row').filter({ hasText: 'Ana Field' })).toHaveCount(4);
  await page
    .getByRole('button', { name: /^Reopen/ })
    .first()
    .click();
  await page.getByLabel('Reason').fill('Entered for the wrong person.');
  await dialog.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByText('Incentive reopened.')).toBeVisible();
  await page.getByLabel('State').selectOption('Due');
  await page.getByRole('button', { name: /^Pay: / }).click();
  await dialog.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Payment recorded.')).toBeVisible();

  await page.getByLabel('State').selectOption('Paid');
  await page
    .getByRole('link', { name: /^Receipt/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('Ana Field');
  await faultless(page, 'receipt');
});

test('an accountant finds payments by claim number, coupon, and who paid or interviewed', async ({
  page,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Wanda' });
  const code = await newSeed(world);
  const first = await interviewed(world, volunteer, code, { incentive: { method: 'CASH' } });
  const [coupon = ''] = first.issuedCodes;
  await interviewed(world, volunteer, coupon);
  const admin = await world.person({ role: 'ADMIN', firstName: 'Ana' });
  await enter(page, world, admin, '/desk/payments');
  const search = page.getByLabel('Search', { exact: true });
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await search.fill(code.toLowerCase());
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(formatCode(code));
  await faultless(page, 'payments of a claim number');
  await search.fill(coupon);
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: 'For a recruit' })).toContainText(formatCode(code));
  await search.fill('wanda');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'Paid' })).toContainText('Wanda Field');
});

test('“Pay selected” asks a super admin, who has no site, where the money is from', async ({
  page,
  world,
}) => {
  const due = await interviewed(world, await world.person(), await newSeed(world));
  // The one of all tests may have interviewed somewhere.
  const superAdmin = await world.person({ role: 'SUPER_ADMIN', location: null });
  await enter(page, world, superAdmin, '/desk/payments?state=DUE');
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: 'Pay selected' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Pay' })).toBeDisabled();
  await dialog.getByLabel('Paid at').selectOption('Chapel meals');
  await faultless(page, 'pay selected at a site');
  await dialog.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText(/^Recorded \d+ payments?\.$/)).toBeVisible();
  await enter(page, world, world.admin, `/desk/surveys/${due.id}`);
  await expect(page.getByRole('region', { name: 'Incentives' })).toContainText('Cash');
  const path = `/api/incentives?survey=${due.id}`;
  const { data } = await call<{ data: { location: string }[] }>(world, world.admin.token, 'GET', path);
  expect(data.map(({ location }) => location)).toEqual([world.sites.chapel]);
});

test('“Close the day” totals payments by person, site and method, for admins, managers and volunteers', async ({
  page,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Vico' });
  const cash = { incentive: { method: 'CASH' } };
  await interviewed(world, volunteer, await newSeed(world), cash);
  await interviewed(world, volunteer, await newSeed(world), cash);
  const card = { incentive: { method: 'GIFT_CARD', reference: 'card 9' } };
  await interviewed(world, volunteer, await newSeed(world), card);
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mona' });

  await enter(page, world, manager, '/desk/payments');
  await page.getByRole('link', { name: 'Close the day' }).click();
  await expect(page.getByRole('heading', { name: 'Close the day' })).toBeVisible();
  await page.getByLabel('Paid by').selectOption('Vico Field');
  const paper = page.getByRole('region', { name: 'Close the day' });
  await expect(paper).toContainText('$60.00');
  await expect(paper.getByRole('region', { name: 'By method' })).toContainText('2 payments · $40.00');
  await expect(paper.getByRole('region', { name: 'By site' })).toContainText('Harbor shelter');
  await expect(paper.getByText('Not paid')).toHaveCount(0);
  await page.getByLabel('Cash at the start of the day').fill('١٠٠');
  await expect(paper.getByRole('region', { name: 'Cash box' })).toContainText('$60.00');
  await faultless(page, 'close the day');

  await enter(page, world, world.admin, '/desk/payments/day');
  await expect(paper.getByRole('region', { name: 'Not paid' })).toContainText('Withdrawn, no longer owed');
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
  const today = await to.inputValue();
  await from.fill('2026-01-01');
  await expect(to).toHaveValue(today);
  await expect(page.getByLabel('Days', { exact: true })).toHaveValue('');
  await page.getByLabel('Days', { exact: true }).selectOption('Last month');
  await expect(to).not.toHaveValue(today);
  await expect(paper).toContainText('0 payments');
  await page.getByLabel('Days', { exact: true }).selectOption('This month');
  await expect(to).toHaveValue(today);
  await page.getByLabel('Paid by').selectOption('Vico Field');
  await expect(paper).toContainText('$60.00');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const path = await (await download).path();
  expect(parseCsv(await readFile(path, 'utf8'))).toHaveLength(4);

  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, world, volunteer, '/pay/day');
  const own = page.getByRole('region', { name: 'My payments today' });
  await expect(own).toContainText('$60.00');
  await expect(own.getByRole('link', { name: /^Receipt/ })).toHaveCount(3);
  await expect(own.getByRole('listitem').first()).toContainText('Gift card · card 9');
  await faultless(page, 'own day');
});

test('in Arabic a currency is left to right; prints are black on white in dark mode too', async ({
  page,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Vida' });
  const cash = { incentive: { method: 'CASH' } };
  await interviewed(world, volunteer, await newSeed(world), cash);
  await page.emulateMedia({ colorScheme: 'dark' });
  await enter(page, world, volunteer, '/me');
  await page.getByLabel('Language').selectOption('ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await page.goto(`${world.url}/pay/day`);
  const total = page.locator('.money');
  await expect(total).toContainText('\u2066US$\u2069');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(total).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('.card')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  // If shown, it would make the page wider than the paper and cut off the amounts.
  await expect(page.locator('.skip')).toBeHidden();
});

test('an interview shows its incentives: a manager pays without the claim number, and a reviewer clears what was not due', async ({
  page,
  world,
}) => {
  const volunteer = await world.person();
  const due = await interviewed(world, volunteer, await newSeed(world));
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mona' });
  await enter(page, world, manager, `/desk/surveys/${due.id}`);
  const card = page.getByRole('region', { name: 'Incentives' });
  await expect(card.getByText('Due')).toBeVisible();
  await expect(card.getByRole('button', { name: /^Withdraw/ })).toHaveCount(0);
  await card.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await expect(card).toContainText('Cash, Mona Field');
  await expect(card.getByRole('link', { name: /^Receipt/ })).toBeVisible();
  await faultless(page, 'incentives of an interview');

  const declined = await interviewed(world, volunteer, await newSeed(world), {
    responses: { consent: 'no' },
    incentive: { method: 'GIFT_CARD', reference: 'card 12' },
  });
  await enter(page, world, manager, `/desk/surveys/${declined.id}`);
  const flag = page.locator('.notice').filter({ hasText: 'but none was due' });
  await expect(flag).toContainText('Gift card, card 12');
  await flag.getByRole('button', { name: 'Dismiss flag' }).click();
  await expect(flag).toHaveCount(0);
  await expect(card).toContainText('card 12');
});
