/** A volunteer's day online: from signing up to handing out coupons. */
import { faultless } from './page-checks.ts';
import {
  answerAll,
  call,
  choose,
  decline,
  enter,
  expect,
  newSeed,
  next,
  shownCodes,
  skipEachQuestion,
  startInterview,
  tapDone,
  test,
  untilReady,
  untilSurveys,
} from './world.ts';

test('a new volunteer signs up, is approved, interviews and hands out coupons', {
  tag: '@service-worker',
}, async ({ page, world }) => {
  const phone = world.newPhone();
  await page.goto(world.url);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByLabel('Where will you work?').selectOption({ label: 'Harbor shelter' });
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(phone));
  await expect(page.getByText('Waiting for approval…')).toBeVisible();

  const users = await call<{ data: { id: string }[] }>(
    world,
    world.admin.token,
    'GET',
    `/api/users?search=${phone.slice(-10)}`,
  );
  const id = users.data[0]?.id ?? '';
  await call(world, world.admin.token, 'PATCH', `/api/users/${id}`, { approvalStatus: 'APPROVED' });
  // The phone notices without any tap.
  await untilReady(page);

  const code = await newSeed(world);
  await startInterview(page, code);
  const bar = await page.evaluateHandle(() => {
    const values: number[] = [];
    const look = () => values.push(Number(document.querySelector('[role=progressbar]')?.ariaValueNow ?? 100));
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return values;
  });
  await answerAll(page, 12, skipEachQuestion);
  const progress = await bar.jsonValue();
  expect(progress.length).toBeGreaterThan(20);
  expect(progress, 'the bar never falls').toEqual(progress.toSorted((a, b) => a - b));
  const codes = await shownCodes(page);
  expect(codes).toHaveLength(3);
  await tapDone(page);

  const [survey] = await untilSurveys(world, { id, phone, firstName: 'Nora', token: '' }, 1);
  expect(survey?.referralCode).toBe(code);
  expect(survey?.issuedCodes).toEqual(codes);
  expect(survey?.flags).toEqual([]);
  expect(survey?.responses).toMatchObject({ consent: 'yes', isAdult: 'yes' });
  await expect(page.getByRole('link', { name: /to send/ })).toBeHidden();

  // The outbox and "My work" show the same time, even if it is received minutes later.
  const surveys = (await world.service.database()).db('field_survey').collection('surveys');
  const createdAt = new Date(Date.now() + 5 * 60_000);
  await surveys.updateOne({ clientId: survey?.clientId }, { $set: { createdAt } });
  await page.getByRole('link', { name: 'Outbox' }).click();
  const row = page.locator('.row').first();
  await expect(row).toContainText(/\d+:\d\d\s[AP]M/);
  const [time = ''] = /\d+:\d\d\s[AP]M/.exec((await row.textContent()) ?? '') ?? [];
  await page.getByRole('link', { name: 'My work' }).click();
  await expect(page.locator('.row-link').first()).toContainText(time);
});

test('a rejected person sees that the request was not approved', async ({ page, world }) => {
  const phone = world.newPhone();
  await page.goto(`${world.url}/sign-up`);
  await page.getByLabel('First name').fill('Rex');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(phone));
  await expect(page.getByText('Waiting for approval…')).toBeVisible();
  const users = await call<{ data: { id: string }[] }>(
    world,
    world.admin.token,
    'GET',
    `/api/users?search=${phone.slice(-10)}`,
  );
  await call(world, world.admin.token, 'PATCH', `/api/users/${users.data[0]?.id}`, {
    approvalStatus: 'REJECTED',
  });
  // Rejecting an account ends its sessions.
  await page.reload();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(phone));
  await expect(page.getByText('Your request wasn’t approved.')).toBeVisible();
});

test('a wrong sign-in code is reported and can be retried; signing up with a known phone number signs in', async ({
  page,
  world,
}) => {
  const { phone } = await world.person();
  await page.goto(`${world.url}/sign-up`);
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  const otp = await world.service.otp(phone);
  await page.getByLabel('Code', { exact: true }).fill(otp === '000000' ? '111111' : '000000');
  await expect(page.getByText('This code is wrong or too old')).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(otp);
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
});

test('a coupon link leads staff to its interview, after sign-in or at once if signed in', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const code = await newSeed(world);
  await page.goto(`${world.url}/c/${code}`);
  await page.getByRole('link', { name: 'I work for this study: start the interview' }).click();
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(person.phone));
  await expect(page.getByText('is valid')).toBeVisible();
  await page.goto(`${world.url}/c/${code}`);
  await page.getByRole('link', { name: 'I work for this study' }).click();
  await expect(page.getByLabel('Coupon code')).toHaveValue(`${code.slice(0, 4)}-${code.slice(4)}`);
  await page.getByRole('button', { name: 'Start interview' }).click();
  await decline(page);
  await expect(page.getByText('This person gets no coupons.')).toBeVisible();
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.referralCode).toBe(code);
});

test('each kind of invalid coupon has its own message', async ({ page, world }) => {
  const person = await world.person();
  const [used, voidedCode, late, early] = [
    await newSeed(world),
    await newSeed(world),
    await newSeed(world),
    await newSeed(world),
  ];
  const body = { location: world.sites.harbor, responses: { consent: 'no' }, referralCode: used };
  await call(world, world.admin.token, 'POST', '/api/surveys', body);
  await call(world, world.admin.token, 'PATCH', `/api/referral-codes/${voidedCode}`, {
    void: true,
    reason: 'lost',
  });
  const codes = (await world.service.database()).db('field_survey').collection('referralcodes');
  await codes.updateOne({ code: late }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
  await codes.updateOne({ code: early }, { $set: { validFrom: new Date(Date.now() + 3_600_000) } });
  await enter(page, world, person, '/start');
  const says = async (typed: string, words: string) => {
    await page.getByLabel('Coupon code').fill(typed);
    await expect(page.getByText(words)).toBeVisible();
  };
  await says(used, 'has already been used');
  await says(voidedCode, 'was voided');
  await says(late, 'has expired');
  await says(early, 'isn’t valid yet');
  await says('0000 0000', 'isn’t one of our codes');
  await says('ABCD-EFGD', 'has a typo');
  await page.getByLabel('Coupon code').fill('ABCU');
  await expect(page.getByText('Codes never contain a U')).toBeVisible();
});

test('the interview language can be changed midway, separately from the app language', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await next(page);
  await expect(page.getByText('Do you agree to take part?')).toBeVisible();
  await page.getByLabel('Interview language').selectOption('es');
  await expect(page.getByText('¿Acepta usted participar?')).toBeVisible();
  await choose(page, 'Sí, acepto');
  await page.getByLabel('Interview language').selectOption('en');
  await expect(page.getByRole('radio', { name: 'Yes, I agree' })).toBeChecked();
  await page.getByLabel('Leave. Your answers are saved.').click();
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await page.getByLabel('Language').selectOption('es');
  await expect(page.getByRole('heading', { name: 'Yo' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Yo' })).toBeVisible();
});

test('switching between printed coupons and those on the phone keeps what was scanned', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const batch = { count: 3, location: world.sites.harbor };
  const { codes } = await call<{ codes: string[] }>(
    world,
    world.admin.token,
    'POST',
    '/api/referral-codes/batches',
    batch,
  );
  await enter(page, world, person);
  await untilReady(page);
  await startInterview(page, null);
  await answerAll(page);
  await expect(page.locator('.coupon')).toHaveCount(3);
  const own = await shownCodes(page);
  const bound = page.getByRole('button', { name: 'Replace' });
  await page.getByText('Printed', { exact: true }).click();
  await expect(page.getByText(/^Printed coupon [123] of 3$/)).toHaveCount(3);
  await expect(page.locator('.coupon')).toHaveCount(0);
  await page.getByLabel('Printed coupon 1 of 3').fill(codes[0] ?? '');
  await expect(bound).toHaveCount(1);
  await page.reload();
  await expect(bound).toHaveCount(1);
  await page.getByText('On this phone', { exact: true }).click();
  await expect(page.locator('.coupon')).toHaveCount(3);
  expect(await shownCodes(page)).toEqual(own);
  await page.getByText('Printed', { exact: true }).click();
  await expect(bound).toHaveCount(1);
  await page.getByLabel('Printed coupon 2 of 3').fill(codes[0] ?? '');
  await expect(page.getByText('This coupon has already been handed out')).toBeVisible();
  for (const index of [1, 2]) {
    await page.getByLabel(`Printed coupon ${index + 1} of 3`).fill(codes[index] ?? '');
    await expect(bound).toHaveCount(index + 1);
  }
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.issuedCodes).toEqual(codes);
  expect(survey?.flags).toEqual([]);
});

test('an answer that ends the interview shows a note, and the home page then says it is sent', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await next(page);
  const note = page.getByText('With these answers, the interview ends here.');
  await choose(page, 'No, I do not want to take part');
  await expect(note).toBeInViewport();
  await choose(page, 'Yes, I agree');
  await expect(note).toBeHidden();
  await next(page);
  for (const answer of ['Yes', 'Yes']) {
    await choose(page, answer);
    await next(page);
  }
  await choose(page, 'Yes');
  await expect(note).toBeInViewport();
  await page.getByLabel('Show a page of questions').click();
  await expect(note).toBeInViewport();
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: 'Finished' })).toBeVisible();
  await expect(page.getByText('This person gets no coupons.')).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('interview-view'));
  await tapDone(page);
  await expect(page.getByText('Today: 1 interview. Sent.')).toBeVisible();
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey).toMatchObject({ takesPart: false, issuedCodes: [] });
});

test('the outbox says why an interview left without tapping “Done” has not been sent', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await decline(page);
  await expect(page.getByText('This person gets no coupons.')).toBeVisible();
  // The app was closed, and opened again.
  await page.goto(`${world.url}/outbox`);
  const why = page.getByText('The coupons are still open.');
  await expect(why).toBeVisible();
  await faultless(page, 'an interview that is held');
  await page.getByRole('button', { name: 'Send now' }).click();
  await untilSurveys(world, person, 1);
  await expect(why).toHaveCount(0);
});
