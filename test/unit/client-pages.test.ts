/** Every address outside the API is the client's, except what the service serves itself. */
import { isClientPage } from '../../src/platform/http/server/client-paths.ts';

test.each([
  '/',
  '/sign-in',
  '/sign-in/',
  '/login',
  '/some/deep/link',
  '/surveys/0123456789abcdef01234567/edit',
  '/desk/surveys/0123456789abcdef01234567',
  '/Dashboard',
  '/health',
  '/documentations',
  '/c',
  '/coupons/1?from=a.b',
])('%s is a page of the client', (path) => {
  expect(isClientPage(path)).toBe(true);
});

test.each([
  '/api',
  '/api/nothing',
  '/api?x=1',
  '/documentation',
  '/documentation/',
  '/documentation?x',
  '/metrics',
  '/c/ABCD-EFGC',
  '/c/ABCD-EFGC?lang=es',
  '/s/ABCD',
  '/.env',
  '/.git/config',
  '/.git/config.old',
  '/wp-login.php',
  '/desk/index.php',
  '/desk/app.js.map',
  '/work/.env',
  '//evil.example',
  '/favicon.ico',
  '/favicon.ico?1',
])('%s is not a page of the client', (path) => {
  expect(isClientPage(path)).toBe(false);
});
