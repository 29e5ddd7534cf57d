/** Rejected interviews and conflicting versions: the reason is shown, and a person resolves them. */
import {
  answerAll,
  call,
  decline,
  enter,
  expect,
  next,
  startInterview,
  startWork,
  surveysOf,
  tapDone,
  test,
  untilReady,
  untilSurveys,
} from './world.ts';

test('answers that the service rejects can be corrected and sent again as the same interview', async ({
  page,
  context,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  let refused = false;
  await context.route('**/api/surveys', async (route) => {
    if (refused) return route.continue();
    const body = route.request().postDataJSON() as { responses: object };
    // The error comes from the real service, which may reply 503 first if it is busy.
    const response = await route.fetch({
      postData: JSON.stringify({ ...body, responses: { consent: 'perhaps' } }),
    });
    refused = response.status() === 400;
    await route.fulfill({ response });
  });
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await expect(page.getByText('1 interview needs your attention')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Some answers aren’t valid')).toBeVisible();
  await page.getByRole('button', { name: 'Open and correct' }).click();
  await next(page);
  await expect(page.getByRole('radio', { name: 'No, I do not want to take part' })).toBeChecked();
  await page.getByRole('button', { name: 'Finish' }).click();
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.responses).toEqual({ consent: 'no' });
});

test('discarding a rejected interview warns that its coupons may be handed out', async ({
  page,
  context,
  world,
}) => {
  await startWork(page, world);
  await context.route('**/api/surveys', async (route) => {
    const body = route.request().postDataJSON() as object;
    await route.continue({ postData: JSON.stringify({ ...body, responses: { consent: 'perhaps' } }) });
  });
  await startInterview(page, null);
  await page.getByLabel('Leave. Your answers are saved.').click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('This deletes all answers of this interview')).toBeVisible();
  await expect(page.getByText('may already have')).toBeHidden();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(page.getByText('Unfinished interviews')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Delete answers' }).click();
  await expect(page.getByText('Unfinished interviews')).toBeHidden();

  await startInterview(page, null);
  await answerAll(page);
  await tapDone(page);
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await page.getByRole('button', { name: 'Open and correct' }).click();
  await page.getByLabel('Leave. Your answers are saved.').click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('This person may already have 3 coupons from this interview.')).toBeVisible();
});

test('an interview at a deleted site can be sent with another site', { tag: '@service-worker' }, async ({
  page,
  context,
  world,
}) => {
  const { id: site } = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', {
    name: 'Closed ferry dock',
    type: 'STREET',
  });
  const person = await world.person({ location: site });
  await enter(page, world, person);
  await untilReady(page);
  await context.setOffline(true);
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await call(world, world.admin.token, 'DELETE', `/api/locations/${site}`);
  await context.setOffline(false);
  await expect(page.getByText('1 interview needs your attention')).toBeVisible();
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(page.getByText('This site no longer exists')).toBeVisible();
  await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Chapel meals' });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await untilSurveys(world, person, 1);
});

test('interviews are kept when a person loses approval, and sent once it is restored', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  await context.setOffline(true);
  await startInterview(page, null);
  await page.getByLabel('Leave. Your answers are saved.').click();
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await call(world, world.admin.token, 'PATCH', `/api/users/${person.id}`, { approvalStatus: 'PENDING' });
  await context.setOffline(false);
  // The unfinished interview is counted too.
  await expect(page.getByText('2 interviews are saved on this device')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Save rescue file' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('dialog')).toContainText('2 interviews haven’t been sent.');
  await page.getByRole('button', { name: 'No', exact: true }).click();
  expect(await surveysOf(world, person)).toHaveLength(0);
  await call(world, world.admin.token, 'PATCH', `/api/users/${person.id}`, { approvalStatus: 'APPROVED' });
  await page.reload();
  await untilSurveys(world, person, 1);
});

test('an interviewer can correct an interview of today; a conflicting change is shown side by side', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const body = { location: world.sites.harbor, responses: { consent: 'no' } };
  const createdSurvey = await call<{ id: string }>(world, person.token, 'POST', '/api/surveys', body);
  await enter(page, world, person, '/work');
  await page.getByRole('link', { name: 'Harbor shelter' }).click();
  await expect(page.getByText('No, I do not want to take part')).toBeVisible();
  await page.getByRole('button', { name: 'Correct answers' }).click();
  await page.locator('.interview').getByText('Yes, I agree').click();
  await page.locator('.interview [data-name=isAdult]').getByText('Yes', { exact: true }).click();
  await page.locator('.interview [data-name=sleptOutside]').getByText('No', { exact: true }).click();
  // Someone else saves first.
  await call(world, world.admin.token, 'PATCH', `/api/surveys/${createdSurvey.id}`, {
    responses: { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'yes' },
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a reason, or tap one below.')).toBeVisible();
  await page.getByRole('button', { name: 'Misheard' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Two versions' })).toBeVisible();
  await page
    .locator('.card', { hasText: 'In the past 2 weeks, did you sleep outside' })
    .getByRole('button', { name: 'Your version' })
    .click();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const [survey] = await surveysOf(world, person);
  expect(survey?.responses).toEqual({
    consent: 'yes',
    isAdult: 'yes',
    sleptOutside: 'no',
    interviewedBefore: 'yes',
  });
});

test('tapping an answer opens its correction; unsaved changes are kept, and "Saved" is visible', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const person = await world.person();
  const eligible = { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'no' };
  const body = { location: world.sites.harbor, responses: { ...eligible, networkSize: 7 } };
  const { id } = await call<{ id: string }>(world, person.token, 'POST', '/api/surveys', body);
  await enter(page, world, person, `/work/${id}`);
  const unansweredRows = page.locator('.answer-list .row').filter({ has: page.getByText('No answer') });
  const row = unansweredRows.filter({ hasText: 'Where did you sleep last night?' });
  const answer = row.getByRole('button', { name: 'Correct this answer' });
  // On a slow phone the layout of the form takes time to settle.
  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await answer.click();
  const form = page.locator('.interview');
  const question = form.locator('.sd-question', { hasText: 'Where did you sleep last night?' });
  const other = form.getByText('Do you agree to take part?');
  await expect(async () => {
    const [bar, title] = await Promise.all([
      page.locator('.head').boundingBox(),
      question.locator('.sd-question__title').boundingBox(),
    ]);
    expect(title?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    expect(title?.y).toBeLessThan(200);
  }).toPass();
  await slow.detach();
  // Only its page is shown; the others are one tap away.
  await expect(other).toHaveCount(0);
  await page.getByRole('button', { name: 'Show all questions' }).click();
  await expect(other).toHaveCount(1);
  // Without changes it closes without asking.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(answer).toBeInViewport();
  await answer.click();
  await question.locator('.sd-selectbase__label').first().click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeVisible();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  // After leaving and returning with the phone's back button, the change is still there and is saved.
  await page.locator('.head-name').click();
  await expect(form).toBeHidden();
  await page.goBack();
  await answer.click();
  await expect(question.getByRole('radio').first()).toBeChecked();
  await page.getByRole('button', { name: 'The person said so later' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeInViewport();
  const [survey] = await surveysOf(world, person);
  expect(Object.keys(survey?.responses ?? {})).toHaveLength(6);
});

test('two versions of one interview are both kept, and a person chooses between them', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const body = { location: world.sites.harbor, clientId: crypto.randomUUID(), responses: { consent: 'no' } };
  await call(world, person.token, 'POST', '/api/surveys', body);
  const second = {
    ...body,
    responses: { consent: 'yes', isAdult: 'no', sleptOutside: 'no', interviewedBefore: 'no' },
  };
  await expect(call(world, person.token, 'POST', '/api/surveys', second)).rejects.toThrow('EDIT_CONFLICT');
  await enter(page, world, person, '/work');
  await page.getByRole('link', { name: 'Harbor shelter' }).click();
  await page.getByRole('button', { name: 'Compare both' }).click();
  for (const question of [
    'Do you agree to take part?',
    'Are you 18',
    'In the past 2 weeks',
    'Have you done this same',
  ]) {
    await page.locator('.card', { hasText: question }).getByRole('button', { name: 'Second copy' }).click();
  }
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('We received a second version of this interview.')).toBeHidden();
  // The sheet hides the notice while saving, so its absence does not prove that the choice is stored.
  await expect(async () => {
    const [survey] = await surveysOf(world, person);
    expect(survey?.responses).toEqual(second.responses);
    expect(survey?.flags).toEqual([]);
  }).toPass({ timeout: 15_000 });
});

test('a profile change is stored, and a rejected one says why', async ({ page, world }) => {
  const person = await world.person();
  await enter(page, world, person, '/me');
  await page.getByLabel('Email').fill('not an address');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Email').fill('vera@example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const user = await call(world, world.admin.token, 'GET', `/api/users/${person.id}`);
  expect(user.email).toBe('vera@example.org');
});
