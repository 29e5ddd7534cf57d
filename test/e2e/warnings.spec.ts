/** Warnings of a questionnaire: the first press of Next or Finish shows them, the second goes on. */
import type { Page } from '@playwright/test';
import { SHORT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/short-questionnaire.ts';
import {
  activate,
  call,
  choose,
  draftsHere,
  enter,
  expect,
  follow,
  next,
  skipToEnd,
  startInterview,
  startWork,
  submit,
  surveysOf,
  tapDone,
  test,
  untilSurveys,
} from './world.ts';

const question = (page: Page, name: string) => page.locator(`.interview [data-name="${name}"]`);
const number = (page: Page, name: string) => question(page, name).locator('input').first();
const finish = (page: Page) => page.getByRole('button', { name: 'Finish' }).click();
const again = (page: Page, button: string) =>
  page.getByText(`Check this answer. If it’s right, tap “${button}” again.`);

const OVER_KNOWN = 'This is more than all the people you said you know.';
const OVER_ADULTS = 'This is more than all the adults you said you know.';
const OVER_HUNDRED = 'That is more than 100 people.';
const ZERO = 'You said 0. Is that right?';

async function toNetwork(page: Page): Promise<void> {
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  for (const answer of ['Yes', 'Yes', 'No']) {
    await choose(page, answer);
    await next(page);
  }
}

test('each warning of the default questionnaire stays at the first Next, and the second goes on', async ({
  page,
  world,
}) => {
  const person = await startWork(page, world);
  await startInterview(page, null);
  await toNetwork(page);
  await expect(question(page, 'couponsRefused')).toBeVisible();
  await next(page);
  await number(page, 'networkKnown').fill('10');
  await next(page);
  await number(page, 'networkAdults').fill('15');
  await next(page);
  await expect(page.getByText(OVER_KNOWN)).toBeVisible();
  await expect(again(page, 'Next')).toBeVisible();
  await expect(question(page, 'networkAdults')).toBeVisible();
  await next(page);
  await number(page, 'networkSize').fill('0');
  await expect(again(page, 'Next')).toBeHidden();
  await next(page);
  await expect(page.getByText(ZERO)).toBeVisible();
  // Another answer with another warning is asked about too.
  await number(page, 'networkSize').fill('88');
  await expect(again(page, 'Next')).toBeHidden();
  await next(page);
  await expect(page.getByText(OVER_ADULTS)).toBeVisible();
  await expect(again(page, 'Next')).toBeVisible();
  await number(page, 'networkSize').fill('101');
  await next(page);
  await expect(page.getByText(OVER_ADULTS)).toBeVisible();
  await expect(page.getByText(OVER_HUNDRED)).toBeVisible();
  await next(page);
  await expect(question(page, 'networkSize')).toBeHidden();
  // An answer that was confirmed is not asked about again, also by Finish after a reload.
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(question(page, 'networkSize')).toBeVisible();
  await next(page);
  await expect(question(page, 'networkSize')).toBeHidden();
  await page.reload();
  await skipToEnd(page);
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.responses).toMatchObject({ networkKnown: 10, networkAdults: 15, networkSize: 101 });
});

test('with a page of questions, all warnings and errors of the page are shown at the first Next', async ({
  page,
  world,
}) => {
  await startWork(page, world);
  await startInterview(page, null);
  await toNetwork(page);
  await page.getByLabel('Show a page of questions').click();
  await number(page, 'couponsRefused').fill('1.5');
  await number(page, 'networkKnown').fill('10');
  await number(page, 'networkAdults').fill('15');
  await number(page, 'networkSize').fill('88');
  await next(page);
  await expect(page.getByText('Please give a whole number.')).toBeVisible();
  await expect(page.getByText(OVER_KNOWN)).toBeVisible();
  await expect(page.getByText(OVER_ADULTS)).toBeVisible();
  await number(page, 'couponsRefused').fill('1');
  await next(page);
  await expect(question(page, 'ageRange')).toBeVisible();
  await expect
    .poll(() => draftsHere(page))
    .toMatchObject([{ responses: { couponsRefused: 1, networkAdults: 15, networkSize: 88 } }]);
});

for (const view of ['question', 'page'] as const) {
  for (const [size, warning] of [
    [0, ZERO],
    [150, OVER_HUNDRED],
  ] as const) {
    test(`Finish shows the warning about a network size of ${size} of the short questionnaire first (a ${view} at a time)`, async ({
      page,
      world,
    }) => {
      const { back } = await activate(world, SHORT_QUESTIONNAIRE);
      try {
        const person = await startWork(page, world);
        await startInterview(page, null);
        await toNetwork(page);
        if (view === 'page') await page.getByLabel('Show a page of questions').click();
        await number(page, 'networkSize').fill(String(size));
        await finish(page);
        await expect(page.getByText(warning)).toBeVisible();
        await expect(again(page, 'Finish')).toBeVisible();
        await finish(page);
        await expect(page.getByRole('heading', { name: 'Coupons' })).toBeVisible();
        await tapDone(page);
        const [survey] = await untilSurveys(world, person, 1);
        expect(survey?.responses).toMatchObject({ networkSize: size });
      } finally {
        await back();
      }
    });
  }
}

test('a warning set in the builder is shown, and inside a repeated group too', async ({ page, world }) => {
  const path = '/api/questionnaires';
  const { token } = world.admin;
  const before = await call<{ id: string }>(world, token, 'GET', `${path}/active`);
  const warning = { type: 'expression', notificationType: 'warning' };
  const { id } = await call<{ id: string }>(world, token, 'POST', path, {
    name: 'To be warned',
    networkSizeQuestion: 'known',
    definition: {
      pages: [
        {
          name: 'first',
          elements: [
            {
              type: 'paneldynamic',
              name: 'children',
              title: 'Children',
              panelCount: 1,
              templateElements: [
                {
                  type: 'text',
                  inputType: 'number',
                  name: 'age',
                  title: 'How old is the child?',
                  validators: [{ ...warning, expression: '{panel.age} < 18', text: 'That is no child.' }],
                },
              ],
            },
            { type: 'text', inputType: 'number', name: 'known', title: 'How many do you know?' },
          ],
        },
      ],
    },
  });
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, world, world.admin, `/desk/questionnaires/${id}`);
    await page.getByRole('button', { name: 'Edit questions in a new version' }).click();
    await page
      .getByRole('navigation', { name: 'Pages and questions' })
      .getByRole('button', { name: 'How many do you know?' })
      .click();
    await page.getByLabel('Ask to check if above', { exact: true }).fill('50');
    await page.getByLabel('Ask to check if below', { exact: true }).fill('2');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await expect(page).not.toHaveURL(new RegExp(id));
    const questionnaireId = /questionnaires\/(\w+)/.exec(page.url())?.[1] ?? '';
    await call(world, token, 'PATCH', `${path}/${questionnaireId}`, { active: true, confirm: true });

    await page.setViewportSize({ width: 390, height: 844 });
    const person = await startWork(page, world);
    await startInterview(page, null);
    await page.getByLabel('How old is the child?').fill('30');
    await next(page);
    await expect(page.getByText('That is no child.')).toBeVisible();
    await next(page);
    for (const unusual of ['60', '1']) {
      await page.getByLabel('How many do you know?').fill(unusual);
      await finish(page);
      await expect(page.getByText('This number is unusual. If it is right, just go on.')).toBeVisible();
      await expect(again(page, 'Finish')).toBeVisible();
    }
    await finish(page);
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toEqual({ children: [{ age: 30 }], known: 1 });
  } finally {
    await call(world, token, 'PATCH', `${path}/${before.id}`, { active: true, confirm: true });
  }
});

test('a correction shows a new warning before it is saved', async ({ page, world }) => {
  const person = await startWork(page, world);
  const survey = await submit(world, {}, person);
  await follow(page, `/work/${survey.id}`);
  await page.getByRole('button', { name: 'Correct answers' }).click();
  await number(page, 'networkSize').fill('150');
  await page.getByRole('button', { name: 'Misheard' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(OVER_HUNDRED)).toBeVisible();
  expect((await surveysOf(world, person))[0]?.responses).toMatchObject({ networkSize: 12 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  expect((await surveysOf(world, person))[0]?.responses).toMatchObject({ networkSize: 150 });
});
