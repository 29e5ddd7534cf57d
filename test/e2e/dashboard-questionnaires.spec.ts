/** Questionnaires on the dashboard: versions, editing with a preview, comparing, trying, activating. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { twoPages } from '../two-pages.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, follow, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

type Json = Record<string, unknown>;
interface Version {
  id: string;
  name: string;
  version: number;
  definition: { pages: { elements: Json[] }[] };
  networkSizeQuestion: string;
}

const active = (world: World) => call<Version>(world, world.admin.token, 'GET', '/api/questionnaires/active');

const make = (world: World, name: string, definition: object = twoPages()) =>
  call<Version>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name,
    definition,
    networkSizeQuestion: 'known',
  });

const outline = (page: Page) => page.getByRole('navigation', { name: 'Pages and questions' });
const open = (page: Page, question: string) => outline(page).getByRole('button', { name: question }).click();
const title = (page: Page) => page.getByLabel('Question', { exact: true });

test('texts can be changed and translated without JSON, beside a preview', async ({ page, world }) => {
  const { id } = await make(world, 'Worded');
  await enter(page, world, world.admin, '/desk/questionnaires');
  await expect(page.getByRole('row', { name: /Worded, version 1/ })).toContainText('English, Spanish');
  await page.locator(`a[href="/desk/questionnaires/${id}"]`).click();
  await expect(page.getByText('2 questions', { exact: true })).toBeVisible();
  await expect(page.getByText(/one choice · required/)).toBeVisible();
  // Mentioned once for its page.
  await expect(page.getByText('asked only if “Do you agree?” is “yes”', { exact: true })).toBeVisible();
  await expect(page.getByText('a number', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'New version' }).click();
  // Search finds texts in every language.
  await page.getByRole('searchbox', { name: 'Search' }).last().fill('acepta');
  await expect(outline(page).getByRole('button', { name: 'How many people do you know?' })).toBeHidden();
  await open(page, 'Do you agree?');
  await title(page).fill('Do you take part?');
  await page.getByLabel('Choice 1', { exact: true }).fill('Yes, gladly');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Do you take part?')).toBeVisible();
  await expect(preview.getByText('Yes, gladly')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Spanish' }).check();
  await expect(page.getByText('Translation missing').first()).toBeVisible();
  await page.getByLabel('Choice 1 · Spanish').fill('Sí, con gusto');
  await faultless(page, 'words of a questionnaire');
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByRole('heading', { name: 'Worded, version 2' })).toBeVisible();
  const versions = await call<{ data: Version[] }>(
    world,
    world.admin.token,
    'GET',
    '/api/questionnaires?limit=20',
  );
  const secondVersion = versions.data.find(({ name, version }) => name === 'Worded' && version === 2);
  expect(secondVersion?.definition.pages[0]?.elements[0]).toMatchObject({
    title: { default: 'Do you take part?', es: '¿Acepta?' },
    choices: [{ value: 'yes', text: { default: 'Yes, gladly', es: 'Sí, con gusto' } }, 'no'],
  });
});

test('an unsaved draft survives visits to other tabs and pages, and can be compared', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'Drafted');
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  const save = page.getByRole('button', { name: 'Save as new version' });
  await expect(page.getByText('No changes yet.')).toBeVisible();
  await expect(save).toBeDisabled();
  await open(page, 'Do you agree?');
  await title(page).fill('Do you say yes?');
  await expect(save).toBeEnabled();

  await page.getByRole('tab', { name: 'Compare' }).click();
  await expect(page.getByText('This compares your unsaved draft.')).toBeVisible();
  await expect(page.getByText('0 added, 0 removed, 1 changed, 1 unchanged.')).toBeVisible();
  await expect(page.getByText('+ Do you say yes?')).toBeVisible();
  await expectNoFaults(page, 'a draft compared');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible();
  // The draft is stored, so the browser does not ask before closing the window.
  const promptsToLeave = await page.evaluate(
    () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  );
  expect(promptsToLeave).toBe(false);
  await page.reload();
  await page.getByRole('link', { name: 'Questionnaire', exact: true }).click();
  await page.locator(`a[href="/desk/questionnaires/${id}"]`).click();
  await expect(page.getByText('There is an unsaved new version')).toBeVisible();
  await page.getByRole('tab', { name: 'New version' }).click();
  await open(page, 'Do you say yes?');
  await expect(title(page)).toHaveValue('Do you say yes?');

  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(title(page)).toHaveValue('Do you agree?');
  await expect(save).toBeDisabled();
});

test('a questionnaire changed as a JSON file is uploaded, its errors are shown, and it becomes the next version', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'Edited');
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Do you agree?')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save as new version' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as JSON' }).click();
  const downloaded = await readFile(await (await downloading).path(), 'utf8');
  expect(JSON.parse(downloaded)).toEqual(
    (await call<Version>(world, world.admin.token, 'GET', `/api/questionnaires/${id}`)).definition,
  );

  const upload = async (text: string) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload JSON' }).click();
    const file = { name: 'edited.json', mimeType: 'application/json', buffer: Buffer.from(text) };
    await (await choosing).setFiles(file);
  };
  await upload('{ "pages": [ }');
  await expect(page.getByText('This file isn’t JSON')).toBeVisible();
  await expect(preview.getByText('Do you agree?')).toBeVisible();

  const remote = twoPages() as unknown as Version['definition'];
  remote.pages[0]?.elements.push({
    type: 'dropdown',
    name: 'far',
    choicesByUrl: { url: 'https://example.org/x' },
  });
  await upload(JSON.stringify(remote));
  await expect(page.getByText('This file isn’t JSON')).toHaveCount(0);
  await expect(page.getByText(/Choices can’t be loaded from another website/)).toBeVisible();
  await expect(save).toBeDisabled();

  const twice = twoPages() as unknown as Version['definition'];
  twice.pages[0]?.elements.push({ type: 'text', name: 'AGREES' });
  await upload(JSON.stringify(twice));
  await expect(page.getByText(/Another element already has this name/)).toBeVisible();
  await expect(save).toBeDisabled();
  // An upload is a step that can be undone.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/Choices can’t be loaded from another website/)).toBeVisible();

  // Valid for the form library but rejected by the service.
  await upload(
    JSON.stringify({ ...twoPages(), triggers: [{ type: 'complete', expression: "{agrees} = 'no'" }] }),
  );
  await expect(page.getByText('No errors found.')).toBeVisible();
  await save.click();
  await expect(page.getByRole('listitem').filter({ hasText: /trigger/i })).toBeVisible();

  await upload(JSON.stringify(twoPages('How many of them do you know?')));
  await expect(page.getByText('No errors found.')).toBeVisible();
  await save.click();
  await expect(page.getByRole('heading', { name: 'Edited, version 2' })).toBeVisible();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByLabel('Changes since').selectOption(id);
  await expect(page.getByText('0 added, 0 removed, 1 changed, 1 unchanged.')).toBeVisible();
  await expect(page.getByText('− How many people do you know?')).toBeVisible();
  await expect(page.getByText('+ How many of them do you know?')).toBeVisible();
});

test('previewing a version stores nothing', async ({ page, world }) => {
  const { id } = await make(world, 'Tried');
  const count = async () =>
    (await call<{ total: number }>(world, world.admin.token, 'GET', '/api/surveys?total=true&limit=1')).total;
  const before = await count();
  const requestedUrls: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') requestedUrls.push(request.url());
  });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=try`);
  requestedUrls.length = 0;
  await page.getByText('yes', { exact: true }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('input[data-number]').fill('7');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('They aren’t saved.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answers' })).toContainText('7');
  expect(requestedUrls.filter((url) => url.includes('/api/surveys'))).toEqual([]);
  expect(await count()).toBe(before);
});

test('activating a version explains the effect, and interviews in progress keep their version', async ({
  page,
  world,
}) => {
  const old = await active(world);
  const underWay = await call<{ id: string; questionnaire: string }>(
    world,
    world.admin.token,
    'POST',
    '/api/surveys',
    {
      location: world.sites.harbor,
      responses: {},
      status: 'IN_PROGRESS',
    },
  );
  // Its network size is asked by another question than the next version's.
  await call(world, world.admin.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: {
      consent: 'yes',
      isAdult: 'yes',
      sleptOutside: 'yes',
      interviewedBefore: 'no',
      networkSize: 4,
    },
  });
  const next = await make(world, 'Activated');
  const patches: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches.push(request.postDataJSON());
  });
  try {
    await enter(page, world, world.admin, '/desk/questionnaires');
    await page.getByRole('button', { name: 'Activate: Activated, version 1' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Interviews in progress keep their version');
    await expect(dialog).toContainText('Another question asks for the network size.');
    await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
    await expect(dialog.getByText('Results lose something')).toBeVisible();
    expect((await active(world)).id).toBe(old.id);
    await dialog.getByRole('button', { name: 'Activate anyway' }).click();
    await expect(dialog).toBeHidden();
    expect(patches).toEqual([{ active: true }, { active: true, confirm: true }]);
    await expect(page.getByRole('row', { name: /Activated, version 1/ })).toContainText('Active');
    expect((await active(world)).id).toBe(next.id);
    const same = await call<{ questionnaire: string }>(
      world,
      world.admin.token,
      'GET',
      `/api/surveys/${underWay.id}`,
    );
    expect(same.questionnaire).toBe(old.id);
  } finally {
    await call(world, world.admin.token, 'PATCH', `/api/questionnaires/${old.id}`, {
      active: true,
      confirm: true,
    });
  }
});

test('questionnaire pages pass axe', async ({ page, world }) => {
  test.setTimeout(240_000);
  const { id } = await active(world);
  await enter(page, world, world.admin, '/desk/questionnaires');
  await expect(page.locator('.dashboard-table tbody tr').first()).toBeVisible();
  await faultless(page, 'the list');
  for (const tab of ['Questions', 'Preview', 'New version', 'Compare']) {
    if (tab === 'Questions') await follow(page, `/desk/questionnaires/${id}`);
    else await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
    // The form library is loaded after the page.
    if (tab === 'Preview' || tab === 'New version')
      await expect(page.locator('[data-name]').first()).toBeVisible();
    if (tab === 'Questions') {
      // The eligibility condition, with the texts of the questions.
      const rule = page.getByRole('region', { name: 'Eligibility' });
      await expect(rule).toContainText('“Do you agree to take part?” is “Yes, I agree”');
      await expect(rule).not.toContainText('…');
      await expect(rule.getByText('{isEligible} = true')).toBeHidden();
      await rule.getByText('Details').click();
      await expect(rule.getByText('{isEligible} = true')).toBeVisible();
    }
    await faultless(page, tab);
  }
});
