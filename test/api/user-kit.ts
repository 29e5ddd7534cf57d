/** Helpers for tests of users and of sign-in. */
import type { Test, World } from '../people.ts';

/** The keys of a user in the API, in alphabetical order. */
export const USER_KEYS = [
  'approvalStatus',
  'approvedBy',
  'createdAt',
  'email',
  'firstName',
  'id',
  'lastName',
  'location',
  'permissions',
  'phone',
  'role',
  'updatedAt',
];

/** An id that no record has. */
export const NOBODY = '0123456789abcdef01234567';
export const GRANT = { action: 'read', subject: 'Survey', conditions: ['WAS_CREATED_TODAY'] };
export const NAMES = { firstName: 'Ada', lastName: 'Field' };

export const draftOf = (world: World, more: object = {}) => ({
  phone: world.newPhone(),
  ...NAMES,
  role: 'VOLUNTEER',
  ...more,
});
export const paths = (body: { errors: { path: string }[] }) => body.errors.map((error) => error.path);
export const ids = (body: { data: { id: string }[] }) => body.data.map((user) => user.id);

/** The error for a code: the same for wrong, expired and used codes. */
export const OTP_INVALID = { code: 'OTP_INVALID', message: expect.any(String) };

/** A different code of six digits. */
export const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

export const authPost = (world: World, route: string, body: object): Test =>
  world.anonymous.post(`/api/auth/${route}`, body);

/** Requests a code and returns it. */
export async function codeFor(world: World, phone: string, route = 'send-otp-signup'): Promise<string> {
  world.otps.delete(phone);
  await authPost(world, route, { phone }).expect(200);
  const code = world.otps.get(phone);
  if (!code) throw new Error(`no code was sent to ${phone}`);
  return code;
}

export async function signUp(world: World, more: object = {}) {
  const phone = world.newPhone();
  const code = await codeFor(world, phone);
  return authPost(world, 'verify-otp-signup', { phone, code, ...NAMES, ...more });
}
