/** A device on which a phone has signed in before gets codes and guesses that strangers cannot use up. */
import mongoose from 'mongoose';
import { authPost, OTP_INVALID, wrong } from '../api/user-kit.ts';
import { type Person, testConfig, worldOfFile } from '../people.ts';

const world = worldOfFile({ config: { ...testConfig(), rateLimits: true, trustProxy: true } });

let addresses = 0;
const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;
const from = (address: string, route: string, body: object) =>
  authPost(world, route, body).set('X-Forwarded-For', address);
const send = (phone: string, device?: string, address = newAddress()) =>
  from(address, 'send-otp-login', { phone, device });
const login = (phone: string, code: string | undefined, device?: string, address = newAddress()) =>
  from(address, 'verify-otp-login', { phone, code, device });

/** Signs in once; the device's secret. */
async function signInOn(phone: string, device?: string): Promise<string> {
  await send(phone).expect(200);
  return (await login(phone, world.otps.get(phone), device).expect(200)).body.device;
}

/** As if half a minute had passed for every phone. */
const wait = () => mongoose.connection.collection('ratelimits').deleteMany({ key: /^send-again:/ });

const strangersUseUp = async (phone: string) => {
  for (let time = 0; time < 9; time++) await send(phone).expect(200);
  await send(phone).expect(429);
};

test('every sign-in returns a device secret of 43 characters, and keeps the one that was sent', async () => {
  const { phone } = await world.person();
  const device = await signInOn(phone);
  expect(device).toMatch(/^[\w-]{43}$/);
  expect(await signInOn(phone, device)).toBe(device);
  const newPhone = world.newPhone();
  await from(newAddress(), 'send-otp-signup', { phone: newPhone }).expect(200);
  const body = {
    phone: newPhone,
    code: world.otps.get(newPhone),
    firstName: 'Ada',
    lastName: 'Field',
    device,
  };
  expect((await from(newAddress(), 'verify-otp-signup', body).expect(201)).body.device).toBe(device);
  const stored = await mongoose.connection.collection('users').find().toArray();
  expect(JSON.stringify(stored)).not.toContain(device);
  expect(JSON.stringify((await login(phone, '000000', 'short').expect(400)).body)).toContain('device');
});

test('strangers who use up a phone’s codes of the day do not lock out its own device', async () => {
  const { phone } = await world.person();
  const device = await signInOn(phone);
  await strangersUseUp(phone);
  const address = newAddress();
  await send(phone, device, address).expect(200);
  await login(phone, world.otps.get(phone), device, address).expect(200);
});

test('a known device has five codes an hour, one every 30 seconds', async () => {
  const { phone } = await world.person();
  const device = await signInOn(phone);
  for (let time = 0; time < 5; time++) {
    await send(phone, device).expect(200);
    await send(phone, device).expect(429);
    await wait();
  }
  await send(phone, device).expect(429);
  await wait();
  // Nor does it use up what others have.
  await send(phone).expect(200);
});

test('a device that is not this phone’s counts as a stranger', async () => {
  const [one, other] = [await world.person(), await world.person()];
  const device = await signInOn(one.phone);
  for (let time = 0; time < 10; time++) await send(other.phone).expect(200);
  await send(other.phone, device).expect(429);
});

test('twenty wrong guesses by strangers leave the code valid for the known device', async () => {
  const { phone } = await world.person();
  const device = await signInOn(phone);
  await wait();
  await send(phone, device).expect(200);
  const code = world.otps.get(phone) ?? '';
  for (let time = 0; time < 5; time++) {
    const address = newAddress();
    for (let guess = 0; guess < 5; guess++) await login(phone, wrong(code), undefined, address).expect(400);
  }
  expect((await login(phone, code).expect(400)).body).toEqual(OTP_INVALID);
  await login(phone, code, device).expect(200);
});

describe('a colleague’s code', () => {
  const make = async (giver: Person, person: Person) => {
    const { body } = await giver.post(`/api/users/${person.id}/sign-in-code`).expect(201);
    const link = new URLSearchParams(new URL(body.url).hash.slice(1)).get('code') ?? '';
    return { code: String(body.code), link };
  };

  test('has twelve characters in its link, which sign in too, in either case, once', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    for (const inCase of [(text: string) => text, (text: string) => text.toLowerCase()]) {
      const { code, link } = await make(root, person);
      expect(link).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
      await login(person.phone, inCase(link)).expect(200);
      for (const used of [link, code])
        expect((await login(person.phone, used).expect(400)).body).toEqual(OTP_INVALID);
    }
  });

  test('removes none of the devices on which the phone itself has signed in', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const own = await signInOn(person.phone);
    // The person's own device stays their own when a colleague helps.
    await login(person.phone, (await make(root, person)).link, own).expect(200);
    let last: string | undefined;
    for (let time = 0; time < 20; time++) {
      const { body } = await login(person.phone, (await make(root, person)).link).expect(200);
      last = body.device;
      await mongoose.connection.collection('ratelimits').deleteMany({ key: /^sign-in-codes:/ });
    }
    await strangersUseUp(person.phone);
    await send(person.phone, own).expect(200);
    // A device that a colleague's code made known has its allowance too.
    await wait();
    await send(person.phone, last).expect(200);
    for (let time = 0; time < 3; time++)
      await login(person.phone, (await make(root, person)).link).expect(200);
    const stored = await mongoose.connection.collection('users').findOne({ phone: person.phone });
    expect(stored?.knownDevices).toHaveLength(21);
  });

  test('is void as digits after twenty wrong guesses, but still valid in its link', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const { code, link } = await make(root, person);
    for (let time = 0; time < 5; time++) {
      const address = newAddress();
      for (let guess = 0; guess < 5; guess++) await login(person.phone, wrong(code), undefined, address);
    }
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
    for (let time = 0; time < 30; time++) await login(person.phone, '0123456789AB').expect(400);
    await login(person.phone, link).expect(200);
  });
});

describe('the audit trail of an account', () => {
  const failures = async (root: Person, id: string) => {
    const { body } = await root.get(`/api/audit?record=${id}`).expect(200);
    return (body.data as { action: string; reason: string; changes: { after: number }[] }[])
      .filter(({ action }) => action === 'signInFailed' || action === 'lockOut')
      .map(({ action, reason, changes }) => `${action} ${reason} ${changes[0]?.after}`)
      .sort();
  };

  test('has failed sign-ins by day and reason, and lock-outs, without the caller’s address', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    await login(person.phone, '000000').expect(400);
    await send(person.phone).expect(200);
    const code = world.otps.get(person.phone) ?? '';
    const guesses = Array.from({ length: 20 }, () => login(person.phone, wrong(code)).expect(400));
    await Promise.all(guesses);
    await login(person.phone, wrong(code)).expect(400);
    const failureLines = await failures(root, person.id);
    expect(failureLines[0]).toMatch(/^lockOut TOO_MANY_GUESSES \d+$/);
    expect(failureLines[1]).toBe('signInFailed NO_CODE 1');
    const counts = failureLines.map((line) => Number(line.split(' ')[2]));
    expect(counts.reduce((sum, one) => sum + one)).toBe(22);
    const { body } = await root.get(`/api/audit?record=${person.id}`).expect(200);
    expect(JSON.stringify(body)).not.toMatch(/198\.51|127\.0\.0/);
  });

  test('says when the codes of the day are used up', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    for (let time = 0; time < 10; time++) await send(person.phone).expect(200);
    await send(person.phone).expect(429);
    let failureLines: string[] = [];
    while (failureLines.length === 0) failureLines = await failures(root, person.id);
    expect(failureLines).toEqual(['lockOut TOO_MANY_CODES 1']);
  });

  test('has nothing about a day of successful sign-ins', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    await signInOn(person.phone);
    expect(await failures(root, person.id)).toEqual([]);
  });
});

test('a login code for an unknown phone takes the same work, and leaves its sign-up code valid', async () => {
  const phone = world.newPhone();
  await from(newAddress(), 'send-otp-signup', { phone }).expect(200);
  const code = world.otps.get(phone);
  const stored = () => mongoose.connection.collection('otps').countDocuments();
  const before = await stored();
  await send(phone).expect(200);
  expect(await stored()).toBe(before + 1);
  expect(world.otps.get(phone)).toBe(code);
  const body = { phone, code, firstName: 'Ada', lastName: 'Field' };
  await from(newAddress(), 'verify-otp-signup', body).expect(201);
});
