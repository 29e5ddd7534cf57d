/** Drafts of questionnaires are stored on the service, so people continue them on other computers. */
import type { Browser, Page } from '@playwright/test';
import { expectNoFaults, leavePicture } from './page-checks.ts';
import { call, enter, expect, type Person, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** Some of these open the builder on two computers. */
test.beforeEach(() => test.setTimeout(240_000));

interface Draft {
  id: string;
  name: string;
  base: string | null;
}

const make = (world: World, name: string) =>
  call<{ id: string }>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name,
    networkSizeQuestion: 'known',
    definition: { elements: [{ type: 'text', inputType: 'number', name: 'known', title: 'How many?' }] },
  });
const drafts = async (world: World) =>
  (await call<{ data: Draft[] }>(world, world.admin.token, 'GET', '/api/questionnaire-drafts')).data;
const name = (page: Page) => page.getByLabel('Name', { exact: true }).first();
const stored = (page: Page) => page.getByText('Draft saved. You or another admin can continue it');
const button = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });

/** Another computer, with nothing stored on it. */
async function otherComputer(browser: Browser, world: World, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await enter(page, world, person, path);
  return page;
}

test('a questionnaire begun on one computer is continued by another admin on another', async ({
  page,
  browser,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/questionnaires/new?from=short');
  await name(page).fill('Begun here');
  await expect(stored(page)).toBeVisible();
  await page.goto(`${world.url}/desk/questionnaires`);
  await expect(page.getByRole('link', { name: 'Begun here' })).toBeVisible();
  await expectNoFaults(page, 'questionnaires with a draft');
  await leavePicture(page, 'questionnaires-with-a-draft');

  const other = await otherComputer(
    browser,
    world,
    await world.person({ role: 'ADMIN', firstName: 'Berta' }),
    '/desk/questionnaires',
  );
  await other.getByRole('link', { name: 'Begun here' }).click();
  await expect(name(other)).toHaveValue('Begun here');
  await name(other).fill('Finished there');
  await button(other, 'Save questionnaire').click();
  await expect(other.getByRole('heading', { name: 'Finished there, version 1' })).toBeVisible({
    timeout: 60_000,
  });
  expect((await drafts(world)).filter(({ name: one }) => /here$/.test(one))).toEqual([]);
  await other.context().close();
});

test('if two people edit one draft, nothing of the later one is stored until they choose', async ({
  page,
  browser,
  world,
}) => {
  const { id } = await make(world, 'For two');
  const path = `/desk/questionnaires/${id}?tab=edit`;
  await enter(page, world, world.admin, path);
  const other = await otherComputer(
    browser,
    world,
    await world.person({ role: 'ADMIN', firstName: 'Berta' }),
    path,
  );
  await expect(name(other)).toHaveValue('For two');
  await name(page).fill('From the first');
  await expect(stored(page)).toBeVisible();

  await name(other).fill('From the second');
  const warning = (at: Page) => at.getByText(/ changed this draft \(/);
  await expect(warning(other)).toBeVisible();
  await expect(name(other)).toHaveValue('From the second');
  await leavePicture(other, 'draft-of-two');
  // It is not lost with the window.
  await other.reload();
  await expect(warning(other)).toBeVisible();
  await expect(name(other)).toHaveValue('From the second');
  expect((await drafts(world)).find(({ base }) => base === id)?.name).toBe('From the first');
  await button(other, 'Keep this version').click();
  await expect(stored(other)).toBeVisible();

  await name(page).fill('From the first again');
  await expect(warning(page)).toBeVisible();
  await button(page, 'Use the other version').click();
  await expect(name(page)).toHaveValue('From the second');
  await button(page, 'Undo').click();
  await expect(name(page)).toHaveValue('From the first again');
  await expect(stored(page)).toBeVisible();

  await name(other).fill('From the second again');
  await button(other, 'Use the other version').click();
  await button(other, 'Save as new version').click();
  await expect(other.getByRole('heading', { name: 'From the first again, version 1' })).toBeVisible({
    timeout: 60_000,
  });
  await name(page).fill('Too late');
  await expect(page.getByText('This draft was discarded or saved as a version elsewhere')).toBeVisible();
  await button(page, 'Keep this version').click();
  await expect(stored(page)).toBeVisible();
  expect((await drafts(world)).find(({ base }) => base === id)?.name).toBe('Too late');
  await other.context().close();
});

test('a draft stays in the browser while there is no connection, and is stored once it is back', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'Without a connection');
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  await expect(name(page)).toHaveValue('Without a connection');
  await page.route('**/api/questionnaire-drafts**', (route) => route.abort());
  await name(page).fill('Written offline');
  await expect(page.getByText('We can’t save the draft right now.')).toBeVisible();
  const asks = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await asks()).toBe(false);
  await page.unroute('**/api/questionnaire-drafts**');
  await page.reload();
  await expect(name(page)).toHaveValue('Written offline');
  await expect(stored(page)).toBeVisible();
  expect((await drafts(world)).find(({ base }) => base === id)?.name).toBe('Written offline');
});

test('drafts that an earlier version of the app stored in the browser are taken over', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'From before');
  await enter(page, world, world.admin, '/desk/people');
  const earlier = (title: string) => ({
    name: title,
    sizeQuestion: 'known',
    takesPartIf: '',
    clues: [],
    text: JSON.stringify({
      elements: [{ type: 'text', inputType: 'number', name: 'known', title: 'How many?' }],
    }),
  });
  await page.evaluate(
    ([owner, version, texts]) => {
      localStorage.setItem(`draft ${owner} version ${version}`, texts?.[0] ?? '');
      localStorage.setItem(`draft ${owner} version new blank`, texts?.[1] ?? '');
    },
    [
      world.admin.id,
      id,
      [JSON.stringify(earlier('Earlier version')), JSON.stringify(earlier('Earlier new'))],
    ] as const,
  );
  await page.goto(`${world.url}/desk/questionnaires`);
  await expect(page.getByRole('link', { name: 'Earlier version' })).toBeVisible();
  await page.getByRole('link', { name: 'Earlier new' }).click();
  await expect(name(page)).toHaveValue('Earlier new');
  const remainingKeys = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('draft ')),
  );
  expect(remainingKeys).toEqual([]);
  const now = await drafts(world);
  expect(now.find(({ base }) => base === id)?.name).toBe('Earlier version');
  await button(page, 'Discard').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect
    .poll(async () => (await drafts(world)).filter(({ name: one }) => one === 'Earlier new'))
    .toEqual([]);
});
