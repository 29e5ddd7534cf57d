/** A questionnaire may quote an answer. Any answer is shown as plain text, and its markup has no effect. */
import type { Page } from '@playwright/test';
import { call, choose, enter, expect, next, startInterview, startWork, test, type World } from './world.ts';

// Markup must not run even without the content security policy.
test.use({ bypassCSP: true });

const WRITTEN = '<img src=x onerror="window.ran = true"><b id=made>bold</b> & {size}';
const definition = {
  pages: [
    {
      name: 'one',
      elements: [
        { type: 'text', name: 'said', title: 'What do you say?' },
        { type: 'text', inputType: 'number', name: 'size', title: 'How many?' },
      ],
    },
    {
      name: 'two',
      elements: [
        { type: 'html', name: 'quote', html: '<p class="quoted"><i>You said {said}</i></p>' },
        { type: 'radiogroup', name: 'sure', title: 'Sure of {said}?', choices: ['Yes', 'No, {said}'] },
      ],
    },
  ],
  completedHtml: '<h3>You said {said}</h3>',
};

const post = (world: World) =>
  call<{ id: string }>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: 'Quotes',
    definition,
    networkSizeQuestion: 'size',
  });

async function expectNoElements(page: Page): Promise<void> {
  await expect(page.locator('#made')).toHaveCount(0);
  await expect(page.locator('img[src=x]')).toHaveCount(0);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
}

test('on the phone, a quoted answer stays plain text in markup, titles, choices and closing texts', async ({
  page,
  world,
}) => {
  const admin = world.admin.token;
  const { id: before } = await call<{ id: string }>(world, admin, 'GET', '/api/questionnaires/active');
  const { id } = await post(world);
  await call(world, admin, 'PATCH', `/api/questionnaires/${id}`, { active: true, confirm: true });
  try {
    await startWork(page, world);
    await startInterview(page, null);
    await page.getByLabel('What do you say?').fill(WRITTEN);
    await next(page);
    await page.getByLabel('How many?').fill('3');
    await next(page);
    await expect(page.locator('.quoted i')).toContainText('<b id=made>bold</b>');
    await expectNoElements(page);
    await page
      .getByRole('button', { name: /Next|Finish/ })
      .first()
      .click();
    await expect(page.getByText(/Sure of <img/).first()).toBeVisible();
    await expectNoElements(page);
    await choose(page, 'Yes');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('Finish').or(page.getByText('You said')).first()).toBeVisible();
    await expectNoElements(page);
  } finally {
    await call(world, admin, 'PATCH', `/api/questionnaires/${before}`, { active: true, confirm: true });
  }
});

test('in the dashboard preview, a quoted answer stays plain text', async ({ page, world }) => {
  const { id } = await post(world);
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=try`);
  await page.getByLabel('What do you say?').fill(WRITTEN);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.locator('.quoted i')).toContainText('<b id=made>bold</b>');
  await expectNoElements(page);
});
