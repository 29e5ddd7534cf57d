/** Closing the day of a site's cash box: counting, the list of closed days, reopening, and payments after closing. */
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, setIncentives, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test.beforeAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 });
});
test.afterAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD' });
});

/** An interview at this site, paid in cash there. */
async function paidAt(world: World, location: string): Promise<void> {
  const volunteer = await world.person({ location });
  const referralCode = await newSeed(world);
  const body = { location, referralCode, status: 'COMPLETED', responses: EXAMPLE_RESPONSES };
  await call(world, volunteer.token, 'POST', '/api/surveys', { ...body, incentive: { method: 'CASH' } });
}

test('an accountant closes a day of a site, sees what changed since, and reopens it with a reason', async ({
  page,
  world,
}) => {
  // Four pages, each in every size and in dark mode.
  test.setTimeout(180_000);
  const name = 'Pier kitchen';
  const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', {
    ...{ name, type: 'MEAL_SITE' },
  });
  await paidAt(world, site.id);
  await paidAt(world, site.id);
  const admin = await world.person({ role: 'ADMIN', firstName: 'Ana' });
  await enter(page, world, admin, '/desk/payments/day');
  await expect(page.getByText('Choose a site to count its cash and close the day.')).toBeVisible();
  await page.getByLabel('Site', { exact: true }).selectOption(name);
  const box = page.getByRole('region', { name: 'Cash box' });
  const button = box.getByRole('button', { name: 'Close the day' });
  await expect(box).toContainText('$40.00');
  await expect(button).toBeDisabled();
  await box.getByLabel('Cash at the start of the day').fill('100');
  await box.getByLabel('Cash counted').fill('55,50');
  await expect(box).toContainText('-$4.50');
  await faultless(page, 'counting the cash');
  await button.click();
  await expect(page.getByText('Day closed.')).toBeVisible();
  await expect(box).toContainText(/Closed by Ana Field on/);
  await expect(box).toContainText('-$4.50');
  await expect(button).toHaveCount(0);

  await paidAt(world, site.id);
  await page.reload();
  await expect(box).toContainText('Cash payments for this day changed by $20.00 since it was closed');
  await faultless(page, 'a closed day');
  await page.emulateMedia({ media: 'print' });
  await expect(box).toContainText('$55.50');
  await expect(box.getByRole('button')).toHaveCount(0);
  await page.emulateMedia({ media: null });

  await page.getByRole('link', { name: 'Closed days' }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('$40.00');
  await expect(row).toContainText('now $60.00');
  await faultless(page, 'closed days');
  await row.getByRole('button', { name: /^Reopen/ }).click();
  await page.getByLabel('Reason').fill('A bundle was counted twice.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByText('Day reopened.')).toBeVisible();
  await expect(row).toContainText('Reopened');

  await row.getByRole('link').first().click();
  await expect(box.getByRole('region', { name: 'Earlier counts' })).toContainText(
    'A bundle was counted twice.',
  );
  await box.getByLabel('Cash at the start of the day').fill('100');
  await box.getByLabel('Cash counted').fill('40');
  await button.click();
  await expect(box).toContainText(/Difference\s*\$0\.00/);
  await faultless(page, 'a day that was counted twice');

  await enter(page, world, world.admin, '/desk/audit?subject=CashDay');
  await expect(page.getByText(/reopened the day: “.*, Pier kitchen”/)).toBeVisible();
});

test('a manager closes the current day of their own site', async ({ page, world }) => {
  const body = { name: 'Dock kitchen', type: 'MEAL_SITE' };
  const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', body);
  await paidAt(world, site.id);
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mona', location: site.id });
  await page.setViewportSize({ width: 360, height: 780 });
  await enter(page, world, manager, '/desk/payments/day');
  const box = page.getByRole('region', { name: 'Cash box' });
  await box.getByLabel('Cash at the start of the day').fill('٥٠');
  await box.getByLabel('Cash counted').fill('30');
  await box.getByRole('button', { name: 'Close the day' }).click();
  await expect(box).toContainText(/Closed by Mona Field on/);
  await faultless(page, 'closing the day on a phone');
  await page.goto(`${world.url}/desk/payments/days`);
  await expect(page.getByText('Dock kitchen').filter({ visible: true }).first()).toBeVisible();
  await faultless(page, 'closed days on a phone');
});
