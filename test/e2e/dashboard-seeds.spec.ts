/** Seeds on the dashboard: voiding many at once, and the chains of all of them side by side. */
import type { Page } from '@playwright/test';
import { expectNoFaults, faultless, leavePicture } from './page-checks.ts';
import { call, enter, expect, newSite, submit, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });
test.beforeEach(() => test.setTimeout(180_000));

interface Seed {
  id: string;
  referralCode: string;
}

const seedAt = (world: World, location: string) =>
  call<Seed>(world, world.admin.token, 'POST', '/api/seeds', { location });
const printedCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

test('many unused seeds are voided at once, after their number at each site is shown', async ({
  page,
  world,
}) => {
  const [pier, quay] = [await newSite(world, 'Old pier'), await newSite(world, 'Old quay')];
  const seeds: Seed[] = [];
  for (const site of [pier, pier, pier, quay]) seeds.push(await seedAt(world, site));
  const used = await seedAt(world, pier);
  await enter(page, world, world.admin, '/desk/seeds');
  for (const { referralCode } of [...seeds, used])
    await page.getByRole('checkbox', { name: printedCode(referralCode) }).check();
  await page.locator('.act-bar').getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void the selected seeds?' });
  await expect(dialog.getByText('Unused seeds to void: 5.')).toBeVisible();
  for (const text of ['Old pier: 4', 'Old quay: 1'])
    await expect(dialog.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  await expectNoFaults(page, 'voiding many seeds');
  await leavePicture(page, 'void-seeds');
  // Meanwhile somebody came with one of them.
  await submit(world, { location: pier, referralCode: used.referralCode });
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Seeds voided: 4.')).toBeVisible();
  await expect(page.locator('.act-refused').getByText(printedCode(used.referralCode))).toBeVisible();
  for (const { referralCode } of seeds)
    await expect(page.getByRole('checkbox', { name: printedCode(referralCode) })).toHaveCount(0);
  const { data } = await call<{ data: Seed[] }>(
    world,
    world.admin.token,
    'GET',
    `/api/seeds?location=${pier}`,
  );
  expect(data.map(({ id }) => id)).toEqual([used.id]);
});

test('seeds whose code is hidden are not offered for printing', async ({ page, world }) => {
  const [here, there] = [await newSite(world, 'Old lock'), await newSite(world, 'Old weir')];
  const own = await seedAt(world, here);
  await seedAt(world, there);
  await enter(page, world, await world.person({ role: 'MANAGER', location: here }), '/desk/seeds');
  const row = (site: string) => page.getByRole('row').filter({ hasText: site });
  const print = page.getByRole('button', { name: /^Print: / });
  await expect(row('Old lock').getByText(printedCode(own.referralCode))).toBeVisible();
  await expect(row('Old lock').locator(print)).toBeVisible();
  await expect(row('Old weir').locator(print)).toHaveCount(0);
  await expect(row('Old weir').getByRole('checkbox')).toHaveCount(0);
  const printUnused = page.getByRole('button', { name: 'Print all unused' });
  await expect(printUnused).toBeEnabled();
  await page.goto(`${world.url}/desk/seeds?location=${there}`);
  await expect(row('Old weir')).toBeVisible();
  await expect(printUnused).toBeDisabled();
});

/** As large as the service answers. */
function largeForest(world: World) {
  const chains = Array.from({ length: 300 }, (_, at) => ({
    seed: at.toString(16).padStart(24, '0'),
    referralCode: 'ABCDEFGC',
    kind: 'PLANNED',
    location: world.sites.harbor,
    surveys: 16,
    maxWave: 4,
    lastAt: new Date().toISOString(),
    liveCoupons: 1,
    productive: true,
    state: 'ALIVE',
    parents: Array.from({ length: 16 }, (_each, place) => (place === 0 ? -1 : Math.floor((place - 1) / 2))),
    deleted: [],
    truncated: false,
  }));
  return { chains, chainsTotal: chains.length };
}

const trees = (page: Page) => page.locator('.forest-chain');

test('the chains of all seeds stand side by side, and each opens its tree', async ({ page, world }) => {
  const seed = await seedAt(world, world.sites.harbor);
  const first = await submit(world, { referralCode: seed.referralCode });
  const [coupon = ''] = (first as unknown as { issuedCodes: string[] }).issuedCodes;
  await submit(world, { referralCode: coupon });
  await enter(page, world, world.admin, `/desk/tree/${seed.id}`);
  await page.getByRole('link', { name: 'All chains' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All chains' })).toBeVisible();
  const mine = trees(page).filter({ hasText: printedCode(seed.referralCode) });
  await expect(mine).toContainText('2 interviews, 1 wave');
  await expect(mine).toContainText('Harbor shelter');
  await faultless(page, 'all chains');
  await mine.click();
  await expect(page).toHaveURL(new RegExp(`/desk/tree/${seed.id}`));
  await expect(trees(page)).toHaveCount(0);
  await expect(page.getByText('2 interviews, 1 wave')).toBeVisible();
});

test('300 chains with 4,800 interviews can be looked through, on a phone too', async ({ page, world }) => {
  await page.route('**/api/recruitment/forest', (route) =>
    route.fulfill({ json: largeForest(world), headers: { 'X-Request-Id': 'large' } }),
  );
  await enter(page, world, world.admin, '/desk/tree');
  await expect(trees(page)).toHaveCount(300);
  await leavePicture(page, 'forest-large');
  await trees(page).last().scrollIntoViewIfNeeded();
  await expect(trees(page).last()).toBeInViewport();
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(trees(page).last()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await trees(page).first().scrollIntoViewIfNeeded();
  await leavePicture(page, 'forest-large-phone');
});
