/** The lists of the dashboard: many rows at a glance, sorted, with the columns that one wants. */
import type { Page } from '@playwright/test';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const ROWS = 24;

/** As many people, and interviews, the first held last. */
async function fill(world: World): Promise<void> {
  for (let n = 0; n < ROWS; n += 1) {
    const phone = n === 0 ? '+525512345678' : world.newPhone();
    const body = {
      phone,
      firstName: `Pat${String(n).padStart(2, '0')}`,
      lastName: 'Lind',
      role: 'VOLUNTEER',
    };
    await call(world, world.admin.token, 'POST', '/api/users', body);
    await call(world, world.admin.token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      referralCode: await newSeed(world),
      responses: { consent: 'no' },
      startedAt: new Date(Date.now() - (n + 2) * 3_600_000),
    });
  }
}

const rowsInView = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('.desk-table tbody tr')].filter(
        (row) => row.getBoundingClientRect().bottom <= window.innerHeight,
      ).length,
  );

test('a screen shows eighteen rows and more, sorted by a heading, with the columns that someone chose', async ({
  page,
  world,
}) => {
  await fill(world);
  const rows = page.locator('.desk-table tbody tr');
  await enter(page, world, world.admin, '/desk/people');
  await expect(rows).toHaveCount(ROWS + 1);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(18);
  await faultless(page, 'people');
  const abroad = page.getByRole('row', { name: /Pat00/ });
  await expect(abroad).toContainText('55 1234 5678 MX');
  await expect(abroad.getByTitle('+525512345678')).toBeVisible();
  // By the keyboard, as by the mouse; the order is in the address.
  const name = page.getByRole('columnheader', { name: 'Name' });
  await expect(name).toHaveAttribute('aria-sort', 'none');
  await name.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText('Ada Field');
  await expect(page).toHaveURL(/sort=firstName/);
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.first()).toContainText(`Pat${ROWS - 1} Lind`);

  await page.goto(`${world.url}/desk/surveys`);
  await expect(rows).toHaveCount(ROWS);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(18);
  const [latest, oldest] = [await rows.first().textContent(), await rows.last().textContent()];
  await page.getByRole('button', { name: 'Held' }).click();
  await expect(rows.first()).toHaveText(String(oldest));
  await expect(rows.last()).toHaveText(String(latest));
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Minutes' }).check();
  await page.getByRole('checkbox', { name: 'Wave' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Minutes' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toHaveCount(0);
  // Someone else on the same device has not chosen.
  await enter(page, world, await world.person({ role: 'ADMIN' }), '/desk/surveys');
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toBeVisible();
  await faultless(page, 'interviews');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel('Order').selectOption({ label: 'Held, upwards' });
  await expect(rows.first()).toBeVisible();
  await expect(page).toHaveURL(/sort=heldAt/);
});

test('interviews are found by a coupon in any spelling, by who held them, and by id', async ({
  page,
  world,
}) => {
  const quinn = await world.person({ firstName: 'Quinn' });
  const code = await newSeed(world);
  const responses = { consent: 'no' };
  const { id } = await call<{ id: string }>(world, quinn.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    referralCode: code,
    responses,
  });
  await enter(page, world, world.admin, '/desk/surveys');
  const rows = page.locator('.desk-table tbody tr');
  for (const [text, said] of [
    [`${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase(), /^Searched for the coupon/],
    ['quinn f', /^Searched for interviewers whose name begins with “quinn f”/],
    [id, /^Searched for the interview with this id/],
  ] as const) {
    await page.getByLabel('Search').fill(text);
    await expect(page.getByText(said)).toBeVisible();
    await expect(rows).toHaveCount(1);
    await expect(rows.first().getByRole('link')).toHaveAttribute('href', `/desk/surveys/${id}`);
  }
  await page.getByLabel('Search').fill('7K3M9QX2');
  await expect(page.getByText('looks like a coupon with a wrong letter or digit')).toBeVisible();
  await expect(page.getByText('No interview matches these filters.')).toBeVisible();
});
