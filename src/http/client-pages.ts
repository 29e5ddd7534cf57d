/** Paths that are answered with the client's page: those of its screens. All else is not found. */

/** Where the paths of client/src/app.tsx begin. */
export const CLIENT_PATHS = [
  '',
  'c',
  'coupons',
  'desk',
  'interview',
  'me',
  'outbox',
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
