/** What a person gets at the end of an interview: the secret of their own page, and texts if they want them. */
import { expectNoFaultsInAnyLight, expectWhole } from './page-checks.ts';
import {
  answerAll,
  call,
  enter,
  expect,
  startInterview,
  tapDone,
  test,
  toLastQuestion,
  untilReady,
  untilSurveys,
} from './world.ts';

const SECRET = /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/;

test.beforeAll(({ world }) =>
  call(world, world.admin.token, 'PATCH', '/api/study', {
    ...{ statusPage: 'ON', contacts: 'SMS', contactConsent: { en: 'May we text you?' } },
    languages: ['en', 'es', 'ar'],
  }),
);
test.afterAll(({ world }) =>
  call(world, world.admin.token, 'PATCH', '/api/study', {
    ...{ statusPage: 'OFF', contacts: 'OFF', contactConsent: {} },
    languages: ['en', 'es'],
  }),
);

test('the phone makes the secret without a signal, asks for texts, and the page opens once the interview is sent @service-worker', async ({
  page,
  context,
  world,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const person = await world.person();
  await enter(page, world, person);
  await untilReady(page);
  const finish = page.getByRole('button', { name: 'Finish' });
  await startInterview(page, null);
  await context.setOffline(true);
  await answerAll(page, 12, async () => {
    await toLastQuestion(page);
    await finish.click();
  });
  await expect(page.getByText('May we text you?')).toBeVisible();
  await finish.click();
  await expect(page.getByText('Choose Yes or No.')).toBeVisible();
  await page.getByLabel('Yes').check();
  await finish.click();
  await expect(page.getByText('Enter the phone number, or choose No.')).toBeVisible();
  await page.getByLabel('Phone number').fill('206 555 0123');
  await expectWhole(page, 'texts, 320');
  await finish.click();
  const secretCode = page.locator('.secret-code');
  await expect(secretCode).toHaveText(SECRET);
  await expectWhole(page, 'secret, 320');
  const secret = await secretCode.textContent();
  await page.reload();
  await expect(secretCode).toHaveText(secret ?? '');
  await page.getByRole('button', { name: 'Leave the code out when printing' }).click();
  await expect(page.locator('.claim-slip')).toHaveClass(/no-print/);
  await context.setOffline(false);
  await tapDone(page);
  await untilSurveys(world, person, 1);

  for (const [lang, title] of [
    ['en', 'Your page'],
    ['ar', 'صفحتك'],
  ] as const) {
    await page.goto(`${world.url}/s/${secret}?lang=${lang}`);
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoFaultsInAnyLight(page, `own page, ${lang}, ${width}`);
    }
  }
  const { headers, text } = await fetch(`${world.url}/s/${secret}`).then(async (answer) => ({
    headers: answer.headers,
    text: await answer.text(),
  }));
  console.log(`${Buffer.byteLength(text)} bytes of /s/SECRET as served`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});
