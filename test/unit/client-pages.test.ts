/** The service serves the client's page at the paths of its screens and nowhere else. */
import { readFileSync } from 'node:fs';
import { CLIENT_PATHS, isClientPage } from '../../src/http/client-paths.ts';

test('the service’s client paths are exactly the first segments of the client’s routes', () => {
  const table = readFileSync('client/src/app.tsx', 'utf8');
  const firsts = [...table.matchAll(/\bpath: ['`]\/([\w-]*)/g)].map(([, first]) => first);
  expect([...new Set(firsts)].sort()).toEqual(CLIENT_PATHS);
});

test.each(['/', '/sign-in', '/sign-in/', '/c/ABCD-EFGC', '/desk/surveys/0123456789abcdef01234567'])(
  '%s is a page of the client',
  (path) => {
    expect(isClientPage(path)).toBe(true);
  },
);

test.each([
  '/metrics',
  '/.env',
  '/.git/config',
  '/health',
  '/wp-login.php',
  '/desk/index.php',
  '/desk/app.js.map',
  '/work/.env',
  '//evil.example',
  '/Desk',
  '/favicon.ico',
])('%s is not a page of the client', (path) => {
  expect(isClientPage(path)).toBe(false);
});
