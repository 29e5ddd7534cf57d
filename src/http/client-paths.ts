/** The paths that serve the client's page. Everything else is 404. */

/** The first parts of the paths in client/src/app.tsx. */
export const CLIENT_PATHS = [
  '',
  'c',
  'coupons',
  'desk',
  'interview',
  'me',
  'outbox',
  'pay',
  'setup',
  'sign-in',
  'sign-up',
  'start',
  'waiting',
  'work',
];

const FILE_EXTENSION = /\.\w+\/?$/;

export function isClientPage(path: string): boolean {
  const [, first = ''] = path.split('/');
  return CLIENT_PATHS.includes(first) && !FILE_EXTENSION.test(path);
}
