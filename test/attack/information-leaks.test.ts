/** Neither response times nor responses nor the log reveal accounts or phone numbers. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { OtpProvider } from '../../src/access/auth/otp/otp.ts';
import { asProblem } from '../../src/platform/http/problems/errors.ts';
import { invalidFieldProblem } from '../../src/platform/http/problems/problem.ts';
import { authPost } from '../api/user-kit.ts';
import { worldOfFile } from '../people.ts';

let badNumber: string;
/** A provider over the network, which takes time. */
const slow: OtpProvider = {
  name: 'twilio',
  async send(phone) {
    await sleep(400);
    if (phone === badNumber) throw invalidFieldProblem('phone', 'PHONE_NOT_TEXTED');
    return null;
  },
  async check() {
    await sleep(400);
    return false;
  },
  async checkHealth() {},
};
const world = worldOfFile({ otp: slow });
beforeAll(async () => {
  badNumber = world.newPhone();
});

async function ask(route: string, body: object): Promise<{ said: string; ms: number }> {
  const begin = Date.now();
  const answer = await authPost(world, route, body);
  return { said: `${answer.status} ${JSON.stringify(answer.body)}`, ms: Date.now() - begin };
}

test('logging in takes the same time and returns the same with and without an account', async () => {
  const account = (await world.person()).phone;
  const unreachable = (await world.person({ phone: badNumber })).phone;
  const stranger = world.newPhone();
  const names = { firstName: 'A', lastName: 'B' };
  for (const [route, more] of [
    ['send-otp-login', {}],
    ['verify-otp-login', { code: '000000' }],
    ['verify-otp-signup', { code: '000000', ...names }],
  ] as const) {
    const phones = [account, stranger, ...(route === 'send-otp-login' ? [unreachable] : [])];
    const apart: number[] = [];
    // A busy machine may delay one of them, but not each; waiting for the provider takes 400 ms each time.
    for (let tries = 0; tries < 5 && !(Math.min(...apart) < 200); tries += 1) {
      const answers = await Promise.all(phones.map((phone) => ask(route, { phone, ...more })));
      expect(new Set(answers.map(({ said: replyText }) => replyText)).size).toBe(1);
      const times = answers.map(({ ms }) => ms);
      apart.push(Math.max(...times) - Math.min(...times));
    }
    expect(Math.min(...apart)).toBeLessThan(200);
  }
});

test('an unexpected duplicate key is logged by index, without the phone number', async () => {
  const otps = mongoose.connection.collection('otps');
  const twice = { phone: '+12065559999', tries: 0, expiresAt: new Date(), createdAt: new Date() };
  await otps.insertOne({ ...twice });
  const refused: unknown = await otps.insertOne({ ...twice }).catch((error: unknown) => error);
  const { name, cause } = asProblem(refused);
  expect(name).toBe('INTERNAL');
  expect(String((cause as Error).message)).toContain('phone_1');
  expect(JSON.stringify(cause, Object.getOwnPropertyNames(cause))).not.toContain('5559999');
});
