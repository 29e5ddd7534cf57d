/** Erasing the answers of one interview on the dashboard, and who read it. */
import { oneOfEach } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, test } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('a super admin can erase the answers of an interview after confirming the consequences; the page says so', async ({
  page,
  world,
}) => {
  const { superAdmin, admin, volunteer } = await oneOfEach(world);
  const { id } = await call<{ id: string }>(world, volunteer.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: { consent: 'no' },
  });
  await enter(page, world, admin, `/desk/surveys/${id}`);
  await expect(page.getByRole('button', { name: 'Correct answers' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase answers' })).toHaveCount(0);

  await enter(page, world, superAdmin, `/desk/surveys/${id}`);
  await page.getByRole('button', { name: 'Erase answers' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('You can’t undo this');
  const erase = dialog.getByRole('button', { name: 'Erase for good' });
  await expect(erase).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Asked for in writing');
  // Changed by someone else since: the interview is loaded again, so the next try counts.
  await call(world, admin.token, 'POST', `/api/surveys/${id}/review`, { state: 'APPROVED' });
  await erase.click();
  await expect(dialog.getByRole('alert')).toContainText('changed');
  await expect(async () => {
    await erase.click();
    await expect(page.getByText(/The answers of this interview were erased on/)).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expect(page.getByText('Reason: Asked for in writing')).toBeVisible();
  for (const name of ['Correct answers', 'Erase answers'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await faultless(page, 'erased');

  await page.getByRole('link', { name: 'Who read this interview?' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'read the interview' })).toHaveCount(2);
});
