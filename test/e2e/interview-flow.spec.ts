/** The way through an interview: the built-in questionnaire as it comes, Back, the position, and the scanner. */
import type { Page } from '@playwright/test';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import {
  activate,
  answerAll,
  call,
  choose,
  draftsHere,
  enter,
  expect,
  newSeed,
  next,
  startInterview,
  startWork,
  tapDone,
  test,
  untilSurveys,
} from './world.ts';

const question = (page: Page, name: string) => page.locator(`.interview [data-name="${name}"]`);
const screen = (page: Page, name: string) => expect(question(page, name)).toBeVisible();
const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('the built-in questionnaire goes on after a single choice, and ends at the first “no” about eligibility', async ({
  page,
  world,
}) => {
  const { back } = await activate(world, DEFAULT_QUESTIONNAIRE);
  try {
    const person = await startWork(page, world);
    await startInterview(page, null);
    const { pages } = DEFAULT_QUESTIONNAIRE.definition as { pages: { elements: object[] }[] };
    const steps = pages.flatMap(({ elements }) => elements).length;
    await expect(page.getByText(`1 of ${steps}`, { exact: true })).toBeVisible();
    await next(page);
    await choose(page, 'Yes, I agree');
    await screen(page, 'isAdult');
    await expect(page.getByText(`3 of ${steps}`, { exact: true })).toBeVisible();
    await choose(page, 'Yes');
    await screen(page, 'sleptOutside');
    await choose(page, 'No');
    await expect(page.getByText('With these answers, the interview ends here.')).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
    await screen(page, 'isAdult');
    await choose(page, 'No');
    await expect(page.getByText('With these answers, the interview ends here.')).toBeVisible();
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('This time the interview is for adults')).toBeVisible();
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toMatchObject({ consent: 'yes', isAdult: 'no' });
    expect(survey?.responses).not.toHaveProperty('interviewedBefore');
  } finally {
    await back();
  }
});

test('the browser’s Back goes to the previous question, and leaves from the first one', async ({
  page,
  world,
}) => {
  await startWork(page, world);
  const home = page.url();
  await startInterview(page, null);
  const { pathname } = new URL(page.url());
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await screen(page, 'isAdult');
  await page.goBack();
  await screen(page, 'consent');
  await page.goBack();
  await screen(page, 'consentText');
  await next(page);
  await screen(page, 'consent');
  // After a reload too, once it is stored where the interview stands.
  await expect.poll(async () => (await draftsHere(page))[0]?.place).toBe('consent');
  await page.reload();
  await screen(page, 'consent');
  await page.goBack();
  await screen(page, 'consentText');
  expect(new URL(page.url()).pathname).toBe(pathname);
  await page.goBack();
  await expect(page).toHaveURL(home);
});

test('after leaving or finishing, Back does not lead into the interview’s questions', async ({
  page,
  world,
}) => {
  await startWork(page, world);
  const home = page.url();
  await startInterview(page, null);
  await answerAll(page);
  await expect(title(page)).toHaveText('Coupons');
  await page.goBack();
  await expect(page).toHaveURL(home);
});

test('if the scanner can’t be loaded, the code can be typed, and what was typed stays', async ({
  page,
  context,
  world,
}) => {
  const code = await newSeed(world);
  await startWork(page, world);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  const field = page.getByLabel('Coupon code');
  await field.fill(code.slice(0, 5));
  await context.route(/\/scanner[^/]*\.js/, (route) => route.abort());
  await page.getByRole('button', { name: 'Scan coupon' }).click();
  await expect(page.getByText('The scanner couldn’t be loaded.')).toBeVisible();
  await expect(page.getByText('Type the code instead.')).toBeVisible();
  await expect(field).toHaveValue(`${code.slice(0, 4)}-${code.slice(4, 5)}`);
  await field.fill(code);
  await expect(page.getByRole('button', { name: 'Start interview' })).toBeVisible();
});

test('the network size fits its screen, and Clear is there only once there is something to clear', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await startWork(page, world);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  for (const answer of ['Yes', 'Yes', 'No']) {
    await choose(page, answer);
    await next(page);
  }
  await screen(page, 'couponsRefused');
  for (const name of ['networkKnown', 'networkAdults', 'networkSize']) {
    await next(page);
    await screen(page, name);
  }
  const clear = page.getByRole('button', { name: 'Clear' });
  await expect(clear).toHaveCount(0);
  await expect(page.locator('.interview').getByRole('button')).toHaveCount(0);
  const cut = await page.locator('.interview *').evaluateAll((all) =>
    all
      .filter((one) => one.textContent?.trim() && one.getBoundingClientRect().width > 0)
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 8 || right > innerWidth - 8;
      })
      .map((one) => one.className),
  );
  // The containers are as wide as the screen; no title, choice or field touches its edge.
  expect(cut.filter((name) => /title|label|formbox|item|string/.test(String(name)))).toEqual([]);
  await choose(page, 'I do not know');
  await expect(clear).toBeVisible();
  await clear.click();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(clear).toHaveCount(0);
  await choose(page, 'I do not know');
  await page.getByLabel('Interview language').selectOption('ar');
  await expect(page.getByRole('button', { name: 'مسح' })).toBeVisible();
});

test('the builder turns going on after a single choice on and off', async ({ page, world }) => {
  const { token } = world.admin;
  const { id } = await call<{ id: string }>(world, token, 'POST', '/api/questionnaires', {
    name: 'To go on',
    networkSizeQuestion: 'known',
    definition: {
      goNextPageAutomatic: true,
      elements: [{ type: 'text', inputType: 'number', name: 'known', title: 'How many do you know?' }],
    },
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  const definitionOf = async () => {
    const questionnaireId = /questionnaires\/(\w+)/.exec(page.url())?.[1] ?? '';
    const path = `/api/questionnaires/${questionnaireId}`;
    return (await call<{ definition: Record<string, unknown> }>(world, token, 'GET', path)).definition;
  };
  const save = async () => {
    const before = page.url();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await expect.poll(() => page.url()).not.toBe(before);
  };
  await enter(page, world, world.admin, `/desk/questionnaires/${id}`);
  for (const isOn of [false, true]) {
    await page.getByRole('button', { name: 'Edit questions in a new version' }).click();
    await page
      .getByRole('navigation', { name: 'Pages and questions' })
      .getByRole('button', { name: 'The whole questionnaire' })
      .click();
    await page.getByLabel('Go on after a single choice').setChecked(isOn);
    await save();
    const { autoAdvanceEnabled, goNextPageAutomatic } = await definitionOf();
    expect([autoAdvanceEnabled, goNextPageAutomatic]).toEqual([isOn ? true : undefined, undefined]);
  }
});

test('an interview begins in the language of the browser, or in the next one that its reader speaks', async ({
  browser,
  world,
}) => {
  const begin = async (locale: string, languages: string[]) => {
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
    await context.addInitScript((all) => {
      Object.defineProperty(navigator, 'languages', { get: () => all });
    }, languages);
    const page = await context.newPage();
    await enter(page, world, await world.person({ location: world.sites.harbor }), '/start');
    await page.locator('.walk-in button').click();
    await expect(page.locator('.interview')).toBeVisible();
    const language = await page.locator('.interview').getAttribute('lang');
    await context.close();
    return language;
  };
  const { back } = await activate(world, DEFAULT_QUESTIONNAIRE);
  try {
    expect(await begin('ru-RU', ['ru-RU', 'ru', 'en-US', 'en'])).toBe('ru');
  } finally {
    await back();
  }
  const title = { default: 'How many?', es: '¿Cuántas?' };
  const inTwo = await activate(world, {
    name: 'In two languages',
    definition: { elements: [{ type: 'text', name: 'size', inputType: 'number', title }] },
    networkSizeQuestion: 'size',
  });
  try {
    expect(await begin('ru-RU', ['ru-RU', 'es-MX', 'en'])).toBe('es');
    expect(await begin('ru-RU', ['ru-RU', 'ru'])).toBe('en');
  } finally {
    await inTwo.back();
  }
});
