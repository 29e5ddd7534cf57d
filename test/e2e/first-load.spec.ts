/** What a phone fetches before anybody has signed in: field workers pay for it by the megabyte. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './world.ts';

const MOST_BYTES = 220_000;

// The app that is stored for work without a signal comes later, and is not waited for.
test.use({ serviceWorkers: 'block' });

test('before the sign-in less than 220 kB of compressed script are fetched, each file packed when it was built', async ({
  page,
  world,
}) => {
  const scripts: { path: string; encoding: string | undefined }[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js'))
      scripts.push({ path: pathname, encoding: response.headers()['content-encoding'] });
  });
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel('Your phone number')).toBeVisible();
  await page.waitForLoadState('networkidle');

  expect(scripts.length).toBeGreaterThan(5);
  const packed = (path: string) =>
    statSync(join('client-dist', `${path}.gz`), { throwIfNoEntry: false })?.size;
  const sizes = scripts.map(({ path, encoding }) => ({
    path,
    encoding,
    // What is too small to be packed is sent as it is.
    bytes: packed(path) ?? statSync(join('client-dist', path)).size,
  }));
  const large = sizes.filter(({ path }) => packed(path) !== undefined);
  expect(large.filter(({ encoding }) => encoding !== 'br')).toEqual([]);
  expect(new Set(sizes.map(({ path }) => path)).size).toBe(sizes.length);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(all, JSON.stringify(sizes, null, 1)).toBeLessThan(MOST_BYTES);
  console.log(`${all} bytes of script before the sign-in, in ${sizes.length} files`);
});
