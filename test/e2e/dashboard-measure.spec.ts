/** The form library measures a question shortly after it changed, when it may no longer be in the page. */
import { call, enter, expect, test } from './world.ts';

test('measuring the width of a removed question throws no error', async ({ page, world }) => {
  const { id } = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: 'Rated',
    networkSizeQuestion: 'networkSize',
    definition: {
      pages: [
        {
          name: 'one',
          elements: [
            { type: 'rating', name: 'rated', title: 'How was it?', rateMin: 0, rateMax: 5 },
            { type: 'text', name: 'networkSize', title: 'How many?', inputType: 'number' },
          ],
        },
      ],
    },
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.setViewportSize({ width: 1280, height: 900 });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=try`);
  await expect(
    page.locator('[data-name=rated] [role=radio], [data-name=rated] input').first(),
  ).toBeAttached();
  // The state of the element while it is replaced by another display.
  await page.evaluate(async () => {
    const frames = (count: number): Promise<void> =>
      count === 0 ? Promise.resolve() : new Promise(requestAnimationFrame).then(() => frames(count - 1));
    const form = document.querySelector<HTMLElement>('.versions-preview');
    document.querySelector('[data-name=rated] .sd-scrollable-container')?.remove();
    for (const width of ['900px', '880px', '860px']) {
      if (form) form.style.width = width;
      await frames(3);
    }
  });
  expect(faults).toEqual([]);
});
