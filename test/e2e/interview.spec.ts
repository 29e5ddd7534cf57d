/** The interview itself: who may hold it, the way through its questions, the coupons that end it. */
import { decline, enter, startInterview, test, untilSurveys } from './world.ts';

test('an administrator holds an interview on the phone like anyone else', async ({ page, world }) => {
  const admin = await world.person({ role: 'ADMIN' });
  await enter(page, world, admin);
  await startInterview(page, null);
  await decline(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await untilSurveys(world, admin, 1);
});
