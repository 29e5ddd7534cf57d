/** The interview itself: who may hold it, the way through its questions, the coupons that end it. */
import {
  choose,
  decline,
  done,
  enter,
  expect,
  next,
  skipToEnd,
  startInterview,
  startWork,
  test,
  untilSurveys,
} from './world.ts';

test('an administrator holds an interview on the phone like anyone else', async ({ page, world }) => {
  const admin = await world.person({ role: 'ADMIN' });
  await enter(page, world, admin);
  await startInterview(page, null);
  await decline(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await untilSurveys(world, admin, 1);
});

test('who does not know the network size says so on the same screen, and no number is stored', async ({
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
  // A walk-in is not asked who gave the coupon.
  await expect(page.getByText(/How many people do you know in this county/)).toBeVisible();
  await next(page);
  await next(page);
  const asked = page.getByText(/how many have you seen or talked to/);
  await expect(asked).toBeVisible();
  await next(page);
  await expect(page.getByText('Please give a number, or choose below why there is none.')).toBeVisible();
  await choose(page, 'I do not know');
  // The answer survives a reload, on the same screen.
  await page.reload();
  await expect(asked).toBeVisible();
  await expect(page.getByRole('radio', { name: 'I do not know' })).toBeChecked();
  await next(page);
  await expect(asked).toBeHidden();
  await skipToEnd(page);
  await done(page);
  const [survey] = (await untilSurveys(world, person, 1)) as unknown as Record<string, unknown>[];
  expect(survey?.networkSize).toBeNull();
  expect(survey?.responses).not.toHaveProperty('networkSize');
  expect(survey?.responses).toHaveProperty('networkSizeMissing', 'dontKnow');
});
