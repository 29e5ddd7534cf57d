import { enter, next, startInterview, test, choose } from './world.ts';
test('dom', async ({ page, world }) => {
  const p = await world.person();
  await enter(page, world, p);
  await startInterview(page, null);
  await next(page);
  await page.waitForTimeout(500);
  console.log(await page.evaluate(() => document.querySelector('.interview form, .interview .sd-body')!.outerHTML));
  await page.getByText('Yes, I agree').click(); await next(page);
  for (const a of ['Yes', 'Yes', 'No']) { await choose(page, a); await next(page); }
  for (let i = 0; i < 8; i++) { const num = page.locator('.interview input[type=number]'); if (await num.count()) { console.log('NUMBER', await page.evaluate(() => document.querySelector('.interview .sd-question')!.outerHTML)); break; } await next(page); }
});
