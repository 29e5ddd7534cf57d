/** Creating a questionnaire: empty, from the short template or from a copy, and only by clicking. */
import type { Page } from '@playwright/test';
import { expectNoFaults, faultless, leavePicture } from './page-checks.ts';
import { call, choose, confirmActivation, enter, expect, startInterview, test, type World } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

interface Version {
  id: string;
  name: string;
  version: number;
  definition: object;
  networkSizeQuestion: string;
  takesPartIf: string | null;
}

/** For the first one the service starts a validator process, which can take long on a busy machine. */
const VALIDATED = { timeout: 60_000 };

const activeVersion = (world: World) =>
  call<Version>(world, world.admin.token, 'GET', '/api/questionnaires/active');
const row = (page: Page, words: string | RegExp) =>
  page.getByRole('navigation', { name: 'Pages and questions' }).getByRole('button', { name: words });
const box = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save questionnaire' });

async function begin(page: Page, way: string): Promise<void> {
  await page.getByRole('button', { name: 'New questionnaire' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: way }).click();
}
const start = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();

async function add(page: Page, kind: string, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a question' }).click();
  await field(page, 'Question type').selectOption(kind);
  await field(page, 'Question').fill(words);
}

test('a calculated value and a conditional closing text can be built by clicking, saved, activated and answered', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000);
  const before = await activeVersion(world);
  await enter(page, world, world.admin, '/desk/questionnaires');
  await begin(page, 'Blank');
  await expectNoFaults(page, 'how a questionnaire is begun');
  await start(page);
  await expect(page.getByText('Before you can save')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expect(field(page, 'Network size question')).toBeDisabled();
  await expect(field(page, 'Network size question').locator('option')).toHaveText(
    'Add a number question first',
  );
  await expect(box(page, 'Eligibility').getByText('There are no questions to use yet.')).toBeVisible();
  await field(page, 'Name').fill('From nothing');
  await add(page, 'boolean', 'Do you agree?');
  await add(page, 'number', 'How many adults do you know?');
  await page.getByRole('button', { name: 'Use as network size question' }).click();
  await add(page, 'number', 'How many children do you know?');
  await row(page, 'The whole questionnaire').click();
  await field(page, 'Title').fill('A short talk');
  await box(page, 'Eligibility').getByRole('button', { name: 'Add a condition' }).click();

  const calculated = box(page, 'Calculated values');
  await calculated.getByRole('button', { name: 'Add a calculated value' }).click();
  await expect(field(page, 'Name').last()).toBeFocused();
  await page.keyboard.type('known');
  await calculated.getByRole('button', { name: 'Write a formula' }).click();
  const insert = calculated.getByLabel('Insert an answer…');
  await insert.selectOption('How many adults do you know?');
  await expect(field(page, 'Formula')).toBeFocused();
  await page.keyboard.type(' +');
  await insert.selectOption('How many children do you know?');

  const closing = box(page, 'Closing texts');
  await field(page, 'For everyone').fill('Thank you, see you soon.');
  await closing.getByRole('button', { name: 'Add a closing text with a condition' }).click();
  await page.keyboard.type('You know a lot of people: {known}.');
  await expect(page.getByText('Closing text 1 has no condition, so it is never shown.')).toBeVisible();
  await expect(page.getByText('No errors found.')).toHaveCount(0);
  const when = box(page, 'Shown when');
  await when.getByRole('button', { name: 'Add a condition' }).click();
  await when.getByLabel('The answer to').selectOption('Calculated: known');
  await when.getByLabel('Must').selectOption('be more than');
  await when.getByLabel('Value', { exact: true }).fill('10');
  await page.getByRole('textbox', { name: 'Closing text 1' }).click();
  await expect(page.getByText('No errors found.')).toBeVisible();
  await leavePicture(page, 'a questionnaire from nothing');
  await faultless(page, 'the whole questionnaire');

  // Removing a question that others refer to is an error, which undo corrects.
  await row(page, 'How many children do you know?').click();
  await page.getByRole('button', { name: /^Remove: How many children/ }).click();
  const removing = page.getByRole('dialog', { name: 'Remove “How many children do you know?”' });
  await expect(removing.getByRole('listitem')).toHaveText(['Calculated value “known”']);
  await removing.getByRole('button', { name: 'Remove' }).click();
  const brokenReference = page.getByRole('button', {
    name: 'Calculated value “known”: This uses “howManyChildrenDoYouKnow”',
  });
  await expect(brokenReference).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expect(page.getByText('No errors found.')).toHaveCount(0);
  await brokenReference.click();
  await expect(field(page, 'Formula')).toHaveValue(/howManyChildrenDoYouKnow/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('No errors found.')).toBeVisible();

  await save(page).click();
  await expect(page.getByRole('heading', { name: 'From nothing, version 1' })).toBeVisible(VALIDATED);
  await page.getByRole('button', { name: /^Activate/ }).click();
  await confirmActivation(page);
  await expect(page.getByRole('region', { name: 'Closing texts' }).getByRole('listitem')).toHaveText([
    'You know a lot of people: {known}.shown if “known (calculated)” is more than “10”',
    'Thank you, see you soon.For everyone else',
  ]);
  await expect(page.getByRole('region', { name: 'Calculated values' }).getByRole('heading')).toHaveText([
    'Calculated values',
    'known',
  ]);
  const stored = await activeVersion(world);
  expect(stored).toMatchObject({
    networkSizeQuestion: 'howManyAdultsDoYouKnow',
    takesPartIf: '{doYouAgree} = true',
    definition: {
      title: 'A short talk',
      completedHtml: 'Thank you, see you soon.',
      completedHtmlOnCondition: [{ expression: '{known} > 10', html: 'You know a lot of people: {known}.' }],
      calculatedValues: [
        { name: 'known', expression: '{howManyAdultsDoYouKnow} + {howManyChildrenDoYouKnow}' },
      ],
    },
  });

  try {
    await enter(page, world, await world.person());
    await startInterview(page, null);
    const form = page.locator('.interview');
    await form.getByText('Yes', { exact: true }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await form.getByRole('textbox', { name: 'How many adults' }).fill('9');
    await page.getByRole('button', { name: 'Next' }).click();
    await form.getByRole('textbox', { name: 'How many children' }).fill('8');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('You know a lot of people: 17.')).toBeVisible();
  } finally {
    await call(world, world.admin.token, 'PATCH', `/api/questionnaires/${before.id}`, {
      active: true,
      confirm: true,
    });
  }
});

test('the “Short interview” template saves without changes; a person who declines sees its own closing text', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000);
  await enter(page, world, world.admin, '/desk/questionnaires');
  await begin(page, 'Short interview');
  await start(page);
  await expect(page.getByText('No errors found.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Closing text 1' })).toHaveValue(/That is fine/);
  // Its questions have names of the active version, but are not shown as changed.
  await expect(row(page, /agree|part/i).first()).toBeVisible();
  await expect(page.locator('.build-marks').getByText('Changed', { exact: true })).toHaveCount(0);
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Short interview, version 1' })).toBeVisible(VALIDATED);
  await page.getByRole('tab', { name: 'Preview' }).click();
  await choose(page, 'No, I do not want to take part');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('That is fine. Thank you for your time.')).toBeVisible();
});

test('a copy has a new name and the same questions; its draft survives a reload', async ({ page, world }) => {
  const active = await activeVersion(world);
  await enter(page, world, world.admin, '/desk/questionnaires');
  await begin(page, 'Copy of a version');
  await start(page);
  await expect(field(page, 'Name').first()).toHaveValue(`${active.name} (copy)`);
  await field(page, 'Name').first().fill('My copy');
  await page.reload();
  await expect(field(page, 'Name').first()).toHaveValue('My copy');
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'My copy, version 1' })).toBeVisible(VALIDATED);
  const { data } = await call<{ data: Version[] }>(world, world.admin.token, 'GET', '/api/questionnaires');
  expect(data.find(({ name }) => name === 'My copy')?.definition).toEqual(active.definition);

  // A copy of any version, also beyond the first page of the list.
  const { definition, networkSizeQuestion, version } = active;
  const post = (name: string) =>
    call(world, world.admin.token, 'POST', '/api/questionnaires', { name, definition, networkSizeQuestion });
  await post('Old one');
  for (let more = 0; more < 20; more += 1) await post('New one');
  await page.goto(`${world.url}/desk/questionnaires`);
  await begin(page, 'Copy of a version');
  const which = page.getByRole('dialog').getByLabel('Version to copy');
  await expect(which.locator('option').first()).toHaveText(`${active.name}, version ${version}`);
  await which.selectOption('Old one, version 1');
  await start(page);
  await expect(field(page, 'Name').first()).toHaveValue('Old one (copy)');
});

test('starting a questionnaire passes axe on a phone and in Arabic', async ({ page, world }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, world, world.admin, '/desk/questionnaires');
  await begin(page, 'Short interview');
  await expectNoFaults(page, 'how a questionnaire is begun, 360');
  await start(page);
  await row(page, 'The whole questionnaire').click();
  await expect(box(page, 'Closing texts')).toBeVisible();
  await expectNoFaults(page, 'the whole questionnaire, 360');
  await page.evaluate(() => localStorage.setItem('language', 'ar'));
  await page.reload();
  await page.locator('.build-row').first().click();
  await expect(page.locator('.build-part').first()).toBeVisible();
  await expectNoFaults(page, 'the whole questionnaire, in Arabic, 360');
});
