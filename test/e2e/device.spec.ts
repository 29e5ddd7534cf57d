/** The device itself: killed browser, two tabs, installed app without a signal, rescue file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pullThePlug, startBrowser } from './own-browser.ts';
import {
  call,
  choose,
  decline,
  enter,
  expect,
  next,
  otherDevice,
  skipToEnd,
  startInterview,
  startWork,
  surveysOf,
  tapDone,
  test,
  untilReady,
  untilSurveys,
  withAndWithoutPin,
} from './world.ts';

withAndWithoutPin(() => {
  test('a browser killed in the middle of an interview loses no answer', async ({ world }) => {
    const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
    const person = await world.person();
    const first = await startBrowser(profile);
    await enter(first.page, world, person);
    await untilReady(first.page);
    await startInterview(first.page, null);
    await next(first.page);
    await choose(first.page, 'Yes, I agree');
    await next(first.page);
    for (const answer of ['Yes', 'Yes', 'No']) {
      await choose(first.page, answer);
      await next(first.page);
    }
    for (
      let step = 0;
      step < 8 && !(await first.page.locator('.interview input[data-number]').count());
      step += 1
    )
      await next(first.page);
    await first.page.locator('.interview input[data-number]').first().pressSequentially('37');
    // Fast keystrokes share a write after 150 ms; this leaves time for it, and no more.
    await first.page.waitForTimeout(250);
    await pullThePlug(first.process);

    const second = await startBrowser(profile);
    await second.page.goto(world.url);
    await second.page.getByRole('button', { name: 'Continue' }).click();
    // The same question, with the answer that was being typed.
    await expect(second.page.locator('.interview input[data-number]').first()).toHaveValue('37');
    for (let step = 0; step < 4; step += 1) {
      await next(second.page);
      const number = second.page.locator('.interview input[data-number]');
      if (await number.count()) await number.first().fill('12');
    }
    await skipToEnd(second.page);
    await tapDone(second.page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toMatchObject({ consent: 'yes', couponsRefused: 37 });
    await pullThePlug(second.process);
    await rm(profile, { recursive: true, force: true });
  });
});

test('of two tabs with the same interview only one can write; the other says so and can take over', async ({
  page,
  context,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('Are you 18 years old or older?')).toBeVisible();
  await expect(page.getByText('This interview is open in another window')).toBeVisible();
  await choose(other, 'Yes');
  await next(other);
  await page.getByRole('button', { name: 'Continue here' }).click();
  // The other tab's answers are here, and that tab now shows the notice.
  await expect(page.getByText('In the past 2 weeks')).toBeVisible();
  await expect(other.getByText('This interview is open in another window')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked();
});

/** Opens the interview of the first window in a second one, which reports that it is open elsewhere. */
async function secondWindow(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(page.getByText('This interview is open in another window')).toBeVisible();
  return other;
}

/** Expects no question and no button to continue or to take over. */
async function takesNothing(page: Page): Promise<void> {
  await expect(page.locator('.interview')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Next|Finish|Continue here/ })).toHaveCount(0);
}

test('an interview finished or discarded in one window accepts no more answers in another', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await next(page);
  const finisher = await secondWindow(page);
  await choose(finisher, 'No, I do not want to take part');
  await finisher.getByRole('button', { name: 'Finish' }).click();
  await expect(finisher.getByRole('heading', { name: 'Finished' })).toBeVisible();
  await expect(page.getByText('This interview was finished in another window')).toBeVisible();
  await takesNothing(page);
  await tapDone(finisher);
  await page.reload();
  await expect(page.getByText('This interview has been finished or discarded.')).toBeVisible();
  await takesNothing(page);
  await page.getByRole('button', { name: 'Go to Home' }).click();

  // Discarded in the second window, while the first one shows its questions.
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await finisher.goto(world.url);
  await finisher.getByRole('button', { name: 'Discard' }).click();
  await finisher.getByRole('button', { name: 'Delete answers' }).click();
  await expect(page.getByText('This interview was discarded in another window')).toBeVisible();
  await takesNothing(page);
  await page.getByRole('button', { name: 'Go to Home' }).click();
  await expect(page.getByText('Unfinished interviews')).toBeHidden();
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.responses).toEqual({ consent: 'no' });
});

test('a browser killed right after switching between page and single-question view returns to the same question', async ({
  world,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  let phone = await startBrowser(profile);
  const visibleQuestions = () => phone.page.locator('.interview [data-name]:visible');
  const reopen = async () => {
    await pullThePlug(phone.process);
    phone = await startBrowser(profile);
    await phone.page.goto(world.url);
    await phone.page.getByRole('button', { name: 'Continue' }).click();
    await expect(phone.page.locator('.interview [data-name="sleptOutside"]')).toBeVisible();
    await expect(phone.page.locator('.interview [data-name="consentText"]')).toHaveCount(0);
  };
  await enter(phone.page, world, await world.person());
  await untilReady(phone.page);
  await startInterview(phone.page, null);
  const toPage = () => phone.page.getByRole('button', { name: 'Show a page of questions' });
  const toSingle = () => phone.page.getByRole('button', { name: 'Show one question at a time' });
  await toPage().click();
  await choose(phone.page, 'Yes, I agree');
  await next(phone.page);
  await phone.page.locator('[data-name="isAdult"]').getByText('Yes', { exact: true }).click();
  // The second question of the page, answered last.
  await phone.page.locator('[data-name="sleptOutside"]').getByText('Yes', { exact: true }).click();
  await toSingle().click();
  await reopen();
  if (await toSingle().count()) await toSingle().click();
  await expect(visibleQuestions()).toHaveCount(1);
  await toPage().click();
  await reopen();
  await expect(phone.page.locator('[data-name="sleptOutside"]').getByRole('radio').first()).toBeChecked();
  await pullThePlug(phone.process);
  await rm(profile, { recursive: true, force: true });
});

test('an interview keeps its questionnaire version when a new one is activated', async ({ page, world }) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await next(page);
  const before = await call<{ id: string; name: string; definition: object; networkSizeQuestion: string }>(
    world,
    person.token,
    'GET',
    '/api/questionnaires/active',
  );
  const { id: _id, name, definition, networkSizeQuestion } = before;
  const questionnaire = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name,
    definition,
    networkSizeQuestion,
  });
  await call(world, world.admin.token, 'PATCH', `/api/questionnaires/${questionnaire.id}`, {
    active: true,
    confirm: true,
  });
  await page.reload();
  await choose(page, 'No, I do not want to take part');
  await page.getByRole('button', { name: 'Finish' }).click();
  await tapDone(page);
  await untilSurveys(world, person, 1);
  const [survey] = (await surveysOf(world, person)) as unknown as { questionnaire: string }[];
  expect(survey?.questionnaire).toBe(before.id);
});

test('a rescue file restores the interviews on a cleared device, only once', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  await context.setOffline(true);
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await page.getByRole('link', { name: 'Outbox' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save rescue file' }).click();
  const path = await (await saving).path();
  await context.setOffline(false);
  // Another device, or this one after it was cleared: the same person, and nothing there.
  const cleared = await otherDevice(context);
  await page.close();
  page = await cleared.newPage();
  await enter(page, world, person);
  await page.getByRole('link', { name: 'Outbox' }).click();
  await expect(page.getByText('All interviews are sent.')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(path);
  await expect(page.getByText('1 interview was restored.')).toBeVisible();
  await untilSurveys(world, person, 1);
  await page.locator('input[type=file]').setInputFiles(path);
  await expect(page.getByText('0 interviews were restored.')).toBeVisible();
  expect(await surveysOf(world, person)).toHaveLength(1);
});
