/** The interview itself: who may hold it, navigation through its questions, coupons at its end. */
import {
  activate,
  answerAll,
  call,
  choose,
  draftsHere,
  enter,
  expect,
  follow,
  newSeed,
  next,
  skipToEnd,
  startInterview,
  startWork,
  surveysOf,
  tapDone,
  test,
  untilSurveys,
} from './world.ts';

test('an unknown network size can be given on the same screen, and no number is stored', async ({
  page,
  world,
}) => {
  const person = await startWork(page, world);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  for (const answer of ['Yes', 'Yes', 'No']) {
    await choose(page, answer);
    await next(page);
  }
  // A walk-in is not asked about a recruiter.
  await expect(page.getByText(/offered you a coupon for this interview/)).toBeVisible();
  await next(page);
  await expect(page.getByText(/How many people do you know in this county/)).toBeVisible();
  await next(page);
  await next(page);
  const sizeQuestion = page.getByText(/how many have you seen or talked to/);
  await expect(sizeQuestion).toBeVisible();
  // A phone then shows its numeric keyboard.
  await expect(page.locator('.interview input[data-number]')).toHaveAttribute('inputmode', 'numeric');
  await next(page);
  await expect(page.getByText('Please give a number, or choose below why there is none.')).toBeVisible();
  await choose(page, 'I do not know');
  // It is stored at once and survives a reload, on the same screen.
  await expect
    .poll(() => draftsHere(page))
    .toMatchObject([{ responses: { networkSizeMissing: 'dontKnow' } }]);
  await page.reload();
  await expect(sizeQuestion).toBeVisible();
  await expect(page.getByRole('radio', { name: 'I do not know' })).toBeChecked();
  await next(page);
  await expect(sizeQuestion).toBeHidden();
  await skipToEnd(page);
  await tapDone(page);
  const [survey] = (await untilSurveys(world, person, 1)) as unknown as Record<string, unknown>[];
  expect(survey?.networkSize).toBeNull();
  expect(survey?.responses).not.toHaveProperty('networkSize');
  expect(survey?.responses).toHaveProperty('networkSizeMissing', 'dontKnow');
});

test('printed coupons scanned after the interview was sent are added to it, and a refused one can be replaced', async ({
  page,
  context,
  world,
}) => {
  const person = await startWork(page, world);
  const { codes } = await call<{ codes: string[] }>(
    world,
    world.admin.token,
    'POST',
    '/api/referral-codes/batches',
    { count: 5, location: world.sites.harbor },
  );
  const [first = '', second = '', third = '', fourth = '', withdrawn = ''] = codes;
  const lost = { void: true, reason: 'lost' };
  await call(world, world.admin.token, 'PATCH', `/api/referral-codes/${withdrawn}`, lost);
  await startInterview(page, null);
  await answerAll(page);
  await page.getByText('Printed', { exact: true }).click();
  const place = (number: number) => page.getByLabel(`Printed coupon ${number} of 3`, { exact: true });
  // A voided coupon cannot be handed out, and the message is about handing out.
  await place(1).fill(withdrawn);
  await expect(page.getByText('was voided')).toBeVisible();
  await expect(page.getByText('Put it aside and take another one.')).toBeVisible();
  await expect(page.getByText('start without a coupon')).toBeHidden();
  await place(1).fill(first);
  await expect(place(2)).toBeVisible();

  // With one coupon scanned the app is left, and the interview is sent without the others.
  const address = page.url();
  await page.goto(`${world.url}/outbox`);
  await page.getByRole('button', { name: 'Send now' }).click();
  const [firstSurvey] = await untilSurveys(world, person, 1);
  expect(firstSurvey?.issuedCodes).toContain(first);

  const { token } = world.admin;
  const codeRequests: string[][] = [];
  let reachable = false;
  await context.route('**/api/surveys/*', async (route, request) => {
    if (request.method() !== 'PATCH') return route.fallback();
    if (!reachable) return route.abort();
    codeRequests.push((request.postDataJSON() as { issuedCodes: string[] }).issuedCodes);
    return route.continue();
  });
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Replace' })).toBeHidden();
  // Offline it is kept, also through a restart, and sent with the next one.
  await place(2).fill(second);
  await expect(
    page.getByText('1 coupon will be added to the interview next time you’re online'),
  ).toBeVisible();
  await page.reload();
  await expect(
    page.getByText('1 coupon will be added to the interview next time you’re online'),
  ).toBeVisible();
  await place(3).fill(third);
  await expect(
    page.getByText('2 coupons will be added to the interview next time you’re online'),
  ).toBeVisible();
  // Meanwhile one is voided, and the other one is presented.
  await call(world, token, 'PATCH', `/api/referral-codes/${third}`, lost);
  const comesWith = (referralCode: string) =>
    call<{ id: string; recruiter: string | null }>(world, token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: { consent: 'no' },
      referralCode,
    });
  const early = await comesWith(second);
  reachable = true;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('1 coupon couldn’t be added')).toBeVisible();
  await expect.poll(() => codeRequests).toEqual([[second, third], [second]]);
  await page.goto(`${world.url}/outbox`);
  await expect(page.getByText('Needs attention', { exact: true })).toBeVisible();
  await expect(page.getByText('1 coupon couldn’t be added').first()).toBeVisible();
  await expect(page.getByText('All interviews are sent')).toBeHidden();
  await page.getByRole('link', { name: 'Show coupons' }).click();
  await page.getByRole('region', { name: 'Coupon 3 of' }).getByRole('button', { name: 'Replace' }).click();
  await place(3).fill(fourth);
  await expect.poll(() => codeRequests.at(-1)).toEqual([fourth]);
  await expect(page.getByText('couldn’t be added')).toBeHidden();
  await expect(page.getByText('added to the interview next time you’re online')).toBeHidden();
  const [late] = await surveysOf(world, person);
  expect(late?.issuedCodes).toEqual(expect.arrayContaining([first, second, fourth]));
  expect(late?.issuedCodes).not.toContain(third);
  expect(await call(world, token, 'GET', `/api/surveys/${early.id}`)).toHaveProperty(
    'recruiter',
    firstSurvey?.id,
  );
  expect(await comesWith(fourth)).toHaveProperty('recruiter', firstSurvey?.id);
});

test('too few coupons on the phone are reported before the interview starts, and printed ones can be used instead', async ({
  page,
  context,
  world,
}) => {
  await context.route('**/api/referral-codes/blocks', (route) => route.abort());
  await enter(page, world, await world.person(), '/start');
  await expect(page.getByText('Not enough coupons on this phone for another person')).toBeVisible();
  await page.getByRole('button', { name: 'I have printed coupons' }).click();
  await expect(page.getByText('Not enough coupons on this phone')).toBeHidden();
});

for (const [who, came] of [
  ['a coupon holder', 'yes'],
  ['a walk-in', 'no'],
] as const) {
  test(`an answer that only ${who} is asked for is stored, and kept when another one is corrected`, async ({
    page,
    world,
  }) => {
    const visibleIf = `{cameWithCoupon} = '${came}'`;
    const { back } = await activate(world, {
      name: `Only ${who}`,
      definition: {
        elements: [
          { type: 'text', name: 'who', title: 'Who told you about us?', visibleIf, isRequired: true },
          { type: 'text', inputType: 'number', name: 'size', title: 'How many?' },
        ],
      },
      networkSizeQuestion: 'size',
    });
    try {
      const person = await startWork(page, world);
      await startInterview(page, came === 'yes' ? await newSeed(world) : null);
      await page.getByLabel('Who told you about us?').fill('A friend');
      await next(page);
      await page.getByLabel('How many?').fill('3');
      await page.getByRole('button', { name: 'Finish' }).click();
      await tapDone(page);
      const [survey] = await untilSurveys(world, person, 1);
      expect(survey?.responses).toEqual({ who: 'A friend', size: 3 });
      await follow(page, `/work/${survey?.id}`);
      await page.getByRole('button', { name: 'Correct answers' }).click();
      await page.getByLabel('How many?').fill('4');
      await page.getByRole('button', { name: 'Misheard' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Saved')).toBeVisible();
      expect((await surveysOf(world, person))[0]?.responses).toEqual({ who: 'A friend', size: 4 });
    } finally {
      await back();
    }
  });
}

test('default answers are stored unless they were removed, and the closing text names the contact', async ({
  page,
  world,
}) => {
  const { back } = await activate(world, {
    name: 'With defaults',
    definition: {
      completedHtml: 'Questions? Ask {studyContact}.',
      pages: [
        {
          elements: [
            { type: 'text', name: 'spoken', title: 'Which language?', defaultValue: 'English' },
            { type: 'text', inputType: 'number', name: 'size', title: 'How many?', isRequired: true },
          ],
        },
        {
          visibleIf: '{size} > 1',
          elements: [
            { type: 'text', name: 'city', title: 'Which city?', defaultValue: 'Seattle' },
            { type: 'text', name: 'area', title: 'Which area?', defaultValue: 'North' },
          ],
        },
      ],
    },
    networkSizeQuestion: 'size',
  });
  try {
    const person = await startWork(page, world);
    await startInterview(page, null);
    await expect(page.getByLabel('Which language?')).toHaveValue('English');
    await next(page);
    await page.getByLabel('How many?').fill('3');
    await next(page);
    await expect(page.getByLabel('Which city?')).toHaveValue('Seattle');
    await next(page);
    await page.getByLabel('Which area?').fill('');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText(/Questions\? Ask [^{]+\./)).toBeVisible();
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toEqual({ spoken: 'English', size: 3, city: 'Seattle' });
  } finally {
    await back();
  }
});
