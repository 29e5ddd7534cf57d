/** XLSForm on the dashboard: importing, what was left out, saving as a draft, and exporting. */
import { readFile } from 'node:fs/promises';
import { XLSX, xlsx } from '../xlsform-file.ts';
import { expectNoFaults } from './page-checks.ts';
import { call, enter, expect, test } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const form = (name: string, size: string) =>
  xlsx({
    survey: [
      'type | name | label | required',
      'begin_group | people | People you know',
      `integer | ${size} | How many people do you know? | yes`,
      'integer | age | How old are you?',
      'select_one yn | seen | Seen lately?',
      'geopoint | place | Where are we?',
      'end_group',
    ],
    choices: ['list_name | name | label', 'yn | yes | Yes', 'yn | no | No'],
    settings: ['form_title', name],
  });

test('an XLSForm is imported as a draft with notes by sheet and row, and can be exported again', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/questionnaires');
  await page.getByRole('button', { name: 'Import a form (.xlsx)' }).click();
  const window = page.getByRole('dialog', { name: 'Import a form (.xlsx)' });
  const choose = async (buffer: Buffer) =>
    await page.locator('input[type=file]').setInputFiles({ name: 'form.xlsx', mimeType: XLSX, buffer });

  await choose(await xlsx({ survey: ['type | name | label', 'txt | a | A'] }));
  await expect(window.getByText('This form can’t be read.')).toBeVisible();
  await expect(window.getByRole('row', { name: 'survey 2 The type txt doesn’t exist.' })).toBeVisible();

  const name = `Winter ${Date.now()}`;
  await choose(await form(name, 'known'));
  await expect(window.getByText(`${name} (questions: 3, pages: 1)`)).toBeVisible();
  await expect(window.getByRole('row', { name: /^survey 6 Questions of type geopoint/ })).toBeVisible();
  await expect(
    window.getByText('Some parts of this form weren’t imported. Read the list before you use it.'),
  ).toBeVisible();
  await expect(window.getByRole('heading')).toHaveText([
    'Import a form (.xlsx)',
    'Questions, choices and texts not imported: 1',
  ]);
  await expectNoFaults(page);
  // Only a person can tell which of two numbers is the network size.
  await expect(window.getByText('Everyone will count as eligible.')).toBeVisible();
  const keep = window.getByRole('button', { name: 'Keep as draft' });
  await expect(keep).toBeDisabled();
  await expect(keep).toHaveAccessibleDescription('Choose the network size question to keep this form.');
  await window.getByRole('combobox', { name: 'Which question asks for the network size?' }).click();
  await page.getByRole('option', { name: 'How many people do you know? (known)', exact: true }).click();
  await window.getByRole('button', { name: 'Keep as draft' }).click();
  await expect(page.getByRole('heading', { name: new RegExp(name) })).toBeVisible();
  const { data } = await call<{ data: { name: string; active: boolean; networkSizeQuestion: string }[] }>(
    world,
    world.admin.token,
    'GET',
    '/api/questionnaires?limit=20',
  );
  expect(data.find((one) => one.name === name)).toMatchObject({
    active: false,
    networkSizeQuestion: 'known',
  });

  await page.goto(`${world.url}/desk/questionnaires`);
  await page.getByRole('button', { name: new RegExp(`^Save as XLSForm: ${name}`) }).click();
  const save = page.getByRole('dialog', { name: /^Save as XLSForm/ });
  await expect(save.getByText('The file contains the whole questionnaire.')).toBeVisible();
  const download = page.waitForEvent('download');
  await save.getByRole('button', { name: 'Save file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${name}-1.xlsx`);
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
});
