/** A questionnaire stored before the service checked the languages of its texts can still be used. */
import mongoose from 'mongoose';
import {
  call,
  choose,
  expect,
  next,
  startInterview,
  startWork,
  tapDone,
  test,
  untilSurveys,
} from './world.ts';

const definition = {
  elements: [
    {
      type: 'radiogroup',
      name: 'sure',
      title: { default: 'Are you sure?', es_MX: '¿Está seguro?', logo: 'Sure?' },
      choices: ['Yes', 'No'],
    },
    { type: 'text', name: 'size', inputType: 'number', title: { default: 'How many?', es_MX: '¿Cuántas?' } },
    {
      type: 'expression',
      name: 'worth',
      title: 'Worth',
      expression: '{size} * 2',
      displayStyle: 'currency',
      currency: 'USD',
    },
  ],
};
const harmless = { elements: [{ type: 'text', name: 'size', inputType: 'number' }] };

test('a questionnaire stored before its languages were validated can still be asked, and its language chosen by name', async ({
  page,
  world,
}) => {
  const admin = world.admin.token;
  const { id: before } = await call<{ id: string }>(world, admin, 'GET', '/api/questionnaires/active');
  const { id } = await call<{ id: string }>(world, admin, 'POST', '/api/questionnaires', {
    name: 'Languages',
    definition: harmless,
    networkSizeQuestion: 'size',
  });
  const { ObjectId } = mongoose.mongo;
  const stored = (await world.service.database()).db('field_survey').collection('questionnaires');
  await stored.updateOne({ _id: new ObjectId(id) }, { $set: { definition } });
  await call(world, admin, 'PATCH', `/api/questionnaires/${id}`, { active: true, confirm: true });
  try {
    const person = await startWork(page, world);
    await startInterview(page, null);
    await expect(page.getByText('Are you sure?')).toBeVisible();
    const language = page.getByLabel('Interview language');
    await expect(language.locator('option')).toHaveText(['English', /^Español/]);
    // The app's words in this language, which could not be had, are asked for again.
    const words = '**/assets/field-*.js';
    await page.route(words, (route) => route.abort());
    await language.selectOption('es_MX');
    await expect(page.getByText('¿Está seguro?')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    await page.unroute(words);
    await language.selectOption('en');
    await choose(page, 'Yes');
    await next(page);
    await language.selectOption('es_MX');
    await page.getByLabel('¿Cuántas?').fill('3');
    await page.getByRole('button', { name: 'Siguiente' }).click();
    // The browser does not format a currency in this language.
    await expect(page.getByText('6', { exact: true })).toBeVisible();
    await language.selectOption('en');
    await page.getByRole('button', { name: 'Finish' }).click();
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey).toMatchObject({ responses: { sure: 'Yes', size: 3, worth: 6 } });

    // Whatever the app speaks, an interview begins in the nearest language of the questionnaire.
    for (const [spoken, begins, title] of [
      ['es', 'es_MX', '¿Está seguro?'],
      ['ru', 'en', 'Are you sure?'],
    ] as const) {
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), spoken);
      await page.goto(`${world.url}/start`);
      await page.locator('.walk-in button').click();
      await expect(page.getByText(title)).toBeVisible();
      await expect(page.locator('.interview-head select')).toHaveValue(begins);
      await expect(page.locator('.interview')).toHaveAttribute('lang', begins);
    }
  } finally {
    await call(world, admin, 'PATCH', `/api/questionnaires/${before}`, { active: true, confirm: true });
  }
});
