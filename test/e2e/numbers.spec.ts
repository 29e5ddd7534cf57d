/** Numbers and codes as people type them: digits of any script, comma and point, the mouse wheel, the caret. */
import type { Locator, Page } from '@playwright/test';
import {
  activate,
  call,
  draftsHere,
  enter,
  expect,
  newSeed,
  next,
  setIncentives,
  startInterview,
  startWork,
  test,
} from './world.ts';

/** ٣ for 3, as an Arabic keyboard types it, or ۳ as a Persian one. */
const inDigitsOf = (zero: string, text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
const arabic = (text: string) => inDigitsOf('٠', text);
const persian = (text: string) => inDigitsOf('۰', text);

const paste = (field: Locator, text: string) =>
  field.evaluate((input: HTMLInputElement, pasted) => {
    input.focus();
    document.execCommand('insertText', false, pasted);
  }, text);

/** The caret behind so many characters. */
const caretAt = (field: Locator, at: number) =>
  field.evaluate((input: HTMLInputElement, to) => {
    input.focus();
    input.setSelectionRange(to, to);
  }, at);
const caretOf = (field: Locator) => field.evaluate((input: HTMLInputElement) => input.selectionStart);

async function wheelOver(page: Page, field: Locator): Promise<void> {
  await field.hover();
  await page.mouse.wheel(0, 120);
  await page.mouse.wheel(0, -360);
}

const FORM = {
  name: 'Numbers',
  networkSizeQuestion: 'size',
  definition: {
    pages: [
      {
        name: 'one',
        elements: [
          {
            type: 'text',
            inputType: 'number',
            name: 'size',
            title: 'How many?',
            min: 0,
            validators: [
              { type: 'expression', expression: '{size} empty or {size} % 1 = 0', text: 'A whole number.' },
            ],
          },
        ],
      },
      {
        name: 'two',
        elements: [{ type: 'text', inputType: 'number', name: 'hours', title: 'How many hours?', min: 0 }],
      },
      {
        name: 'three',
        elements: [{ type: 'text', inputType: 'number', name: 'degrees', title: 'How cold?', min: -50 }],
      },
    ],
  },
};

test('a number question reads digits of any script, a comma and a point, and ignores the mouse wheel', async ({
  page,
  world,
}) => {
  const { back } = await activate(world, FORM);
  const stored = (responses: object) => expect.poll(() => draftsHere(page)).toMatchObject([{ responses }]);
  try {
    await startWork(page, world);
    await startInterview(page, null);
    const size = page.getByLabel('How many?');
    await expect(size).toHaveAttribute('inputmode', 'numeric');
    await size.pressSequentially('12');
    await stored({ size: 12 });
    await wheelOver(page, size);
    await page.keyboard.press('ArrowDown');
    await expect(size).toHaveValue('12');
    await stored({ size: 12 });
    // The comma stays, and the question's own check refuses the fraction.
    await size.fill('');
    await size.pressSequentially('2,5');
    await expect(size).toHaveValue('2,5');
    await stored({ size: 2.5 });
    await next(page);
    await expect(page.getByText('A whole number.')).toBeVisible();
    // What is no number is neither stored nor left out.
    await size.fill('');
    await paste(size, '2,5,1');
    await next(page);
    await expect(size).toHaveValue('2,5,1');
    await expect(size).toHaveAttribute('aria-invalid', 'true');
    for (const [text, display, value] of [
      [arabic('42'), '42', 42],
      [persian('37'), '37', 37],
      ['1,000', '1,000', 1000],
    ] as const) {
      await size.fill('');
      await size.pressSequentially(text);
      await expect(size).toHaveValue(display);
      await stored({ size: value });
    }
    // A character in the middle is corrected where it is.
    await size.fill('1234');
    await caretAt(size, 2);
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(arabic('9'));
    await expect(size).toHaveValue('1934');
    expect(await caretOf(size)).toBe(2);
    // A letter does nothing.
    await page.keyboard.press('e');
    await expect(size).toHaveValue('1934');
    await next(page);
    const hours = page.getByLabel('How many hours?');
    await expect(hours).toHaveAttribute('inputmode', 'decimal');
    await hours.pressSequentially(arabic('7٫5'));
    await stored({ hours: 7.5 });
    await hours.fill('0,25');
    await stored({ hours: 0.25 });
    await next(page);
    const degrees = page.getByLabel('How cold?');
    await degrees.pressSequentially('-3,5');
    await stored({ size: 1934, hours: 0.25, degrees: -3.5 });
    // It shows the stored number after a reload.
    await page.reload();
    await expect(degrees).toHaveValue('-3.5');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(hours).toHaveValue('0.25');
  } finally {
    await back();
  }
});

test('phone number and sign-in code can be typed in Arabic and Persian digits', async ({ page, world }) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  const path = `/api/users/${volunteer.id}/sign-in-code`;
  const { code } = await call<{ code: string }>(world, world.admin.token, 'POST', path);
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Your phone number').pressSequentially(persian(volunteer.phone));
  await expect(page.getByLabel('Your phone number')).toHaveValue(volunteer.phone);
  await page.getByRole('button', { name: 'I have a code' }).click();
  const field = page.getByLabel('Code', { exact: true });
  // The code of a colleague's link has letters.
  await expect(field).toHaveAttribute('inputmode', 'text');
  // A wrong digit in the middle is corrected where it is.
  await field.pressSequentially(arabic(code.slice(0, 2) + code.slice(3, 5)));
  await caretAt(field, 2);
  await page.keyboard.insertText(persian(code.charAt(2)));
  await expect(field).toHaveValue(code.slice(0, 5));
  expect(await caretOf(field)).toBe(3);
  await page.keyboard.press('End');
  await page.keyboard.insertText(arabic(code.charAt(5)));
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
});

test('the coupon field reads a pasted link and any digits, and a correction in the middle keeps the caret', async ({
  page,
  world,
}) => {
  const code = await newSeed(world);
  const printedCode = `${code.slice(0, 4)}-${code.slice(4)}`;
  await startWork(page, world);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  const field = page.getByLabel('Coupon code');
  await paste(field, `${world.url}/c/${code}?from=text`);
  await expect(field).toHaveValue(printedCode);
  await expect(page.getByRole('button', { name: 'Start interview' })).toBeVisible();
  await field.fill('');
  await field.pressSequentially(arabic(code));
  await expect(field).toHaveValue(printedCode);
  // The second character is wrong, and then the sixth.
  for (const [caret, at] of [
    [2, 1],
    [7, 5],
  ] as const) {
    const right = code.charAt(at);
    await caretAt(field, caret);
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(right === '7' ? '8' : '7');
    expect(await caretOf(field)).toBe(caret);
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(persian(right).toLowerCase());
    expect(await caretOf(field)).toBe(caret);
    await expect(field).toHaveValue(printedCode);
  }
});

test('numbers and amounts of the dashboard are read the same way', async ({ page, world }) => {
  const { token } = world.admin;
  const { couponsPerSurvey } = await call<{ couponsPerSurvey: number }>(world, token, 'GET', '/api/study');
  const { id } = await call<{ id: string }>(world, token, 'POST', '/api/questionnaires', FORM);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, world, world.admin, '/desk/study');
  try {
    const coupons = page.getByLabel('Coupons per person');
    await coupons.click();
    await wheelOver(page, coupons);
    await expect(coupons).toHaveValue(String(couponsPerSurvey));
    await coupons.fill('2,5');
    await page.keyboard.press('Tab');
    await expect(page.getByText('This must be a whole number.')).toBeVisible();
    await coupons.fill(arabic('4'));
    await expect(coupons).toHaveValue('4');
    await page.getByLabel('Estimated population size').fill('12,500');
    await page.getByLabel('Currency').selectOption('USD');
    await page.getByLabel('For the interview').fill(arabic('20٫50'));
    await page.getByLabel('For each recruit').fill('7,5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => call(world, token, 'GET', '/api/study'))
      .toMatchObject({
        couponsPerSurvey: 4,
        populationSize: 12_500,
        incentives: { interview: '20.50', recruit: '7.50' },
      });

    await enter(page, world, world.admin, `/desk/questionnaires/${id}`);
    await page.getByRole('button', { name: 'Edit questions in a new version' }).click();
    await page
      .getByRole('navigation', { name: 'Pages and questions' })
      .getByRole('button', { name: 'How many hours?' })
      .click();
    const max = page.getByLabel('At most', { exact: true });
    await max.fill(arabic('2٫5'));
    await page.keyboard.press('Tab');
    await expect(max).toHaveValue('2.5');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await expect(page).not.toHaveURL(new RegExp(id));
    const questionnaireId = /questionnaires\/(\w+)/.exec(page.url())?.[1] ?? '';
    const { definition } = await call<{ definition: object }>(
      world,
      token,
      'GET',
      `/api/questionnaires/${questionnaireId}`,
    );
    expect(JSON.stringify(definition)).toContain('"max":2.5');
  } finally {
    await call(world, token, 'PATCH', '/api/study', { couponsPerSurvey, populationSize: null });
    await setIncentives(world, { currency: 'USD' });
  }
});
