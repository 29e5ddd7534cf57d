/** One-time codes: one use, five attempts, ten minutes, one valid code per phone. */
import mongoose from 'mongoose';
import { worldOfFile } from '../people.ts';
import { authPost, codeFor, NAMES, OTP_INVALID, wrong } from './user-kit.ts';

const MINUTE = 60_000;

const world = worldOfFile();
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:00:00Z'));

const post = (name: string, body: object) => authPost(world, name, body);

describe('a code', () => {
  const accountPhone = async () => (await world.person()).phone;
  const login = (phone: string, code: string) => post('verify-otp-login', { phone, code });

  test('can be used once', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    await login(phone, code).expect(200);
    expect((await login(phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('is used once by twenty simultaneous requests', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(phone, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  test('used to sign up cannot be used to log in', async () => {
    const phone = world.newPhone();
    const code = await codeFor(world, phone);
    await post('verify-otp-signup', { phone, code, ...NAMES }).expect(201);
    await login(phone, code).expect(400);
  });

  test('stays valid after four wrong tries', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    for (let time = 0; time < 4; time++)
      expect((await login(phone, wrong(code)).expect(400)).body).toEqual(OTP_INVALID);
    await login(phone, code).expect(200);
  });

  test('is void after five wrong tries, even with rate limits off', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    for (let time = 0; time < 5; time++) await login(phone, wrong(code)).expect(400);
    expect((await login(phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('counts wrong tries of both verify routes together', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    for (let time = 0; time < 3; time++) await login(phone, wrong(code)).expect(400);
    for (let time = 0; time < 2; time++) {
      await post('verify-otp-signup', { phone, code: wrong(code), ...NAMES }).expect(400);
    }
    await login(phone, code).expect(400);
  });

  test('is valid for ten minutes', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    world.clock.advance(10 * MINUTE - 1000);
    await login(phone, code).expect(200);
    const second = await codeFor(world, phone, 'send-otp-login');
    world.clock.advance(10 * MINUTE + 1000);
    expect((await login(phone, second).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('is replaced by a newer one, which has its own five tries', async () => {
    const phone = await accountPhone();
    const first = await codeFor(world, phone, 'send-otp-login');
    for (let time = 0; time < 3; time++) await login(phone, wrong(first)).expect(400);
    let second = await codeFor(world, phone, 'send-otp-signup');
    while (second === first) second = await codeFor(world, phone, 'send-otp-signup');
    await login(phone, first).expect(400);
    for (let time = 0; time < 3; time++)
      await login(phone, second === '000000' ? '000001' : '000000').expect(400);
    await login(phone, second).expect(200);
  });

  test('is valid only for its own phone', async () => {
    const [phone, other] = [await accountPhone(), await accountPhone()];
    const code = await codeFor(world, phone, 'send-otp-login');
    await login(other, code).expect(400);
    await login(phone, code).expect(200);
  });

  test('is not stored in plain text', async () => {
    const phone = await accountPhone();
    const code = await codeFor(world, phone, 'send-otp-login');
    for (const { name } of await mongoose.connection.listCollections()) {
      const all = await mongoose.connection.collection(name).find().toArray();
      expect(JSON.stringify(all.map((one) => Object.values(one)))).not.toContain(`"${code}"`);
    }
  });
});
