import { enter, next, startInterview, test, choose } from './world.ts';
test('dom', async ({ page, world }) => {
  const p = await world.person();
  await enter(page, world, p);
  await startInterview(page, null);
  await next(page);
  await page.waitForTimeout(500);
  console.log(await page.evaluate(() => { const out=[]; for (let el=document.querySelector('.sd-selectbase')!; el && !el.classList.contains('interview'); el=el.parentElement!) { const c=getComputedStyle(el); out.push(el.className.slice(0,50)+' pad '+c.padding+' mar '+c.margin+' w '+(el as HTMLElement).offsetWidth);} return out.join('\n'); }));
});
