/** Signing in with a colleague's code, and signing out everywhere: what people see, and what the phone keeps. */
import { fillOutbox } from './outbox-rows.ts';
import { check, expectNoFaults, faultless } from './page-checks.ts';
import { call, enter, expect, newSite, startWork, test, untilSurveys, withoutTapShield } from './world.ts';

test('a manager’s code signs a volunteer in and shows whose code it was', async ({
  browser,
  page,
  world,
}) => {
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mia' });
  const volunteer = await world.person({ firstName: 'Vic' });
  // Only for a phone that has signed in with a message before.
  const { phone: number } = volunteer;
  await call(world, '', 'POST', '/api/auth/send-otp-login', { phone: number });
  const texted = { phone: number, code: await world.service.otp(number) };
  await call(world, '', 'POST', '/api/auth/verify-otp-login', texted);
  await enter(page, world, manager, `/desk/people/${volunteer.id}`);
  await page.getByRole('button', { name: 'Sign-in code' }).click();
  await expectNoFaults(page, 'sign-in code, before');
  const answer = page.waitForResponse('**/sign-in-code');
  await page.getByRole('button', { name: 'Create code' }).click();
  const { code, url } = (await (await answer).json()) as { code: string; url: string };
  await expect(page.getByText(`${code.slice(0, 3)}\u00a0${code.slice(3)}`)).toBeVisible();
  await expect(page.getByText(/Valid until \d/)).toBeVisible();
  await faultless(page, 'sign-in code');

  const phone = await (await withoutTapShield(await browser.newContext())).newPage();
  await phone.goto(world.url + url.slice(url.indexOf('/sign-in')));
  await expect(phone.getByLabel('Code', { exact: true })).toHaveValue(/^[0-9A-Z]{12}$/);
  await expect(phone.getByText('from your colleague')).toBeVisible();
  await check(phone, 'sign-in by a link');
  await phone.getByRole('button', { name: 'Continue' }).click();
  await expect(phone.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  await phone.goto(`${world.url}/me`);
  await expect(phone.getByText('Signed in with a code from Mia Field')).toBeVisible();
  await check(phone, 'me, signed in with a code');
  await phone.context().close();
});

test('a code from a colleague can be typed in without asking for a text message', async ({ page, world }) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  const path = `/api/users/${volunteer.id}/sign-in-code`;
  const { code } = await call<{ code: string }>(world, world.admin.token, 'POST', path);
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByRole('link', { name: 'API' })).toHaveAttribute('href', /^\/documentation/);
  await page.getByRole('button', { name: 'I have a code' }).click();
  await expect(page.getByLabel('Your phone number')).toBeFocused();
  await expect(page.getByText('Enter your phone number first.')).toBeVisible();
  await expect(page.getByText('Something is missing')).toBeHidden();
  await page.getByLabel('Your phone number').fill(volunteer.phone);
  await expect(page.getByText('Enter your phone number first.')).toBeHidden();
  await page.getByRole('button', { name: 'I have a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
});

test('the longer code of a colleague’s link can be typed, and the link pasted, into the code field', async ({
  page,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  const path = `/api/users/${volunteer.id}/sign-in-code`;
  const { url } = await call<{ url: string }>(world, world.admin.token, 'POST', path);
  const linkCode = new URLSearchParams(new URL(url).hash.slice(1)).get('code') ?? '';
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').fill(volunteer.phone);
  await page.getByRole('button', { name: 'I have a code' }).click();
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toHaveAttribute('inputmode', 'text');
  await code.pressSequentially(`k7${linkCode.slice(2, 6).toLowerCase()}`);
  await expect(code).toHaveValue(`K7${linkCode.slice(2, 6)}`);
  // Digits are found in the words around them.
  await page.route('**/api/auth/verify-otp-login', (route) => route.abort());
  await code.fill('Your code: 123 456.');
  await expect(code).toHaveValue('123456');
  await page.unroute('**/api/auth/verify-otp-login');
  await code.fill(url);
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
});

test('if the response to the code is lost, sign-in needs no second code', async ({ page, world }) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  let lost = 0;
  await page.route('**/api/auth/session', (route) => {
    lost += 1;
    return lost > 1 ? route.continue() : route.abort();
  });
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').fill(volunteer.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  const code = page.getByLabel('Code', { exact: true });
  // A wrong code is cleared, so that the next one can be typed.
  const otp = await world.service.otp(volunteer.phone);
  await code.fill(otp === '111111' ? '222222' : '111111');
  await expect(page.getByText('This code is wrong or too old')).toBeVisible();
  await expect(code).toHaveValue('');
  await code.fill(otp);
  await expect(page.getByText('You’re offline. Try again in a moment.')).toBeVisible();
  await expect(code).toHaveValue(otp);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
});

test('signing someone out everywhere leaves unsent interviews on the phone', {
  tag: '@service-worker',
}, async ({ browser, page, world }) => {
  const phone = await (await withoutTapShield(await browser.newContext())).newPage();
  const volunteer = await startWork(phone, world);
  await phone.context().setOffline(true);
  await fillOutbox(phone, world, volunteer, 2);

  await enter(page, world, world.admin, `/desk/people/${volunteer.id}`);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('everywhere.')).toBeVisible();

  await phone.context().setOffline(false);
  await phone.goto(world.url);
  await expect(phone.getByText('Please sign in again').first()).toBeVisible();
  await phone.getByRole('link', { name: 'Sign in' }).first().click();
  await expect(phone.getByText('2 interviews on this device will be sent')).toBeVisible();
  await phone.getByRole('button', { name: 'Text me a code' }).click();
  await phone.getByLabel('Code', { exact: true }).fill(await world.service.otp(volunteer.phone));
  await untilSurveys(world, volunteer, 2);
  await phone.context().close();
});

test('someone who signs up again is offered the previous account’s interviews as a rescue file', async ({
  page,
  world,
}) => {
  const volunteer = await world.person();
  await enter(page, world, volunteer);
  await expect(page.getByText('coupons on this phone')).toBeVisible();
  await page.context().setOffline(true);
  await fillOutbox(page, world, volunteer, 2);
  await call(world, world.admin.token, 'DELETE', `/api/users/${volunteer.id}`);
  await page.context().setOffline(false);
  await expect(page.getByText('Please sign in again')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page.getByText(/on this device can’t be sent from a new account/)).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save rescue file' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^interviews-/);
});

test('signing out on all devices signs out the other devices too', async ({ browser, page, world }) => {
  const volunteer = await world.person();
  const other = await (await withoutTapShield(await browser.newContext())).newPage();
  await enter(other, world, volunteer);
  await expect(other.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  await enter(page, world, volunteer, '/me');
  await page.getByRole('button', { name: 'Sign out on all devices' }).click();
  await check(page, 'sign out on all devices');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out on all devices' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await other.reload();
  await expect(other.getByText('Please sign in again').first()).toBeVisible();
  await other.context().close();
});

test('if voice calls are offered, a person who gets no text can request one', async ({ page, world }) => {
  const volunteer = await world.person();
  await page.route('**/api/study/public', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), otpChannels: ['sms', 'call'] } });
  });
  // The test service has no voice calls.
  await page.route('**/api/auth/send-otp-login', (route) =>
    route.fulfill({
      headers: { 'X-Request-Id': 'x' },
      json: { message: 'A code is on its way.' },
    }),
  );
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').fill(volunteer.phone);
  await page.getByRole('button', { name: 'I have a code' }).click();
  const callRequest = page.waitForRequest('**/api/auth/send-otp-login');
  await page.getByRole('button', { name: 'Get a call instead' }).click();
  expect((await callRequest).postDataJSON()).toEqual({ phone: volunteer.phone, channel: 'call' });
  await expect(page.getByText('a code is on its way')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get a call instead' })).toBeDisabled();
  await check(page, 'a call');
});

test('an address that does not exist shows the app’s own page, signed in or not', async ({ page, world }) => {
  for (const path of ['/login', '/some/deep/link', '/surveys/0123456789abcdef01234567/edit']) {
    const answer = await page.goto(world.url + path);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
  await page.goto(`${world.url}/outbox`);
  await expect(page.getByLabel('Your phone number')).toBeVisible();
});

test('someone with an unknown number reads that only people who signed up get a code, and where to sign up', async ({
  page,
  world,
}) => {
  const number = world.newPhone();
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').fill(number);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await expect(page.getByText(/^If \S.* is signed up, a code is on its way\.$/)).toBeVisible();
  await expect(page.getByText('We texted')).toHaveCount(0);
  await check(page, 'a code for an unknown number');
  await page.getByText('New here?').getByRole('link', { name: 'Sign up' }).click();
  await expect(page.getByLabel('First name')).toBeVisible();
});

test('a person waiting for approval reads whom to ask, and that the page can be closed', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const { contact } = await call<{ contact: string }>(world, world.admin.token, 'GET', '/api/study');
  await call(world, world.admin.token, 'PATCH', '/api/study', { contact: 'Ask Ada: 206 555 0100' });
  await call(world, world.admin.token, 'PATCH', `/api/users/${person.id}`, { approvalStatus: 'PENDING' });
  await enter(page, world, person);
  await expect(page.getByText('You can close this page and come back later.')).toBeVisible();
  await expect(page.getByText('Questions?', { exact: true })).toBeVisible();
  await expect(page.getByText('Ask Ada: 206 555 0100')).toBeVisible();
  await check(page, 'waiting');
  await call(world, world.admin.token, 'PATCH', `/api/users/${person.id}`, { approvalStatus: 'APPROVED' });
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible({ timeout: 25_000 });
  await call(world, world.admin.token, 'PATCH', '/api/study', { contact });
});

test('if nobody is pending, the sign-up address can be scanned and copied, with advice on https', async ({
  context,
  page,
  world,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.url });
  const location = await newSite(world, `Pier ${crypto.randomUUID().slice(0, 8)}`);
  const manager = await world.person({ role: 'MANAGER', location });
  // Managers see who is pending at other sites too, and other tests leave people there.
  await enter(page, world, manager, `/desk/approvals?location=${location}`);
  await expect(page.getByRole('img', { name: 'QR code of the sign-up page' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http\S+\/sign-up$/);
  await expect(page.getByText(/over https/)).toBeVisible();
  await faultless(page, 'nobody is pending');
});
