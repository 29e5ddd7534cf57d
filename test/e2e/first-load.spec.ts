/** The bytes a phone loads before sign-in: field workers pay for them by the megabyte. */
import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from './world.ts';

/** Compressed sizes. */
const MAX_BYTES = { '.js': 220_000, '.css': 20_000 };

// The app stored for offline use is loaded later and does not count.
test('the sign-in page loads less than 220 kB of compressed scripts and 20 kB of styles, all precompressed', async ({
  page,
  world,
}) => {
  const files: { path: string; encoding: string | undefined }[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (extname(pathname) in MAX_BYTES)
      files.push({ path: pathname, encoding: response.headers()['content-encoding'] });
  });
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel('Your phone number')).toBeVisible();
  await page.waitForLoadState('networkidle');

  expect(files.length).toBeGreaterThan(5);
  const packed = (path: string) =>
    statSync(join('client-dist', `${path}.gz`), { throwIfNoEntry: false })?.size;
  const sizes = files.map(({ path, encoding }) => ({
    path,
    encoding,
    // Very small files are sent uncompressed.
    bytes: packed(path) ?? statSync(join('client-dist', path)).size,
  }));
  const large = sizes.filter(({ path }) => packed(path) !== undefined);
  expect(large.filter(({ encoding }) => encoding !== 'br')).toEqual([]);
  expect(new Set(sizes.map(({ path }) => path)).size).toBe(sizes.length);
  for (const [ending, most] of Object.entries(MAX_BYTES)) {
    const ofKind = sizes.filter(({ path }) => extname(path) === ending);
    const all = ofKind.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(all, JSON.stringify(ofKind, null, 1)).toBeLessThan(most);
    console.log(`${all} bytes of ${ending} before the sign-in, in ${ofKind.length} files`);
  }
});
