/** Codes by text message: allowed numbers, limits, and attacks by strangers. With a fake Twilio and limits on. */
import { Writable } from 'node:stream';
import pino from 'pino';
import supertest from 'supertest';
import { twilioOtp } from '../../src/access/auth/otp/otp-twilio.ts';
import { waitForCodeDeliveries } from '../../src/access/auth/send-code.ts';
import { createApp } from '../../src/app.ts';
import { describeUnreachablePhones } from '../../src/study/users/unreachable-phones.ts';
import { authPost, NAMES, OTP_INVALID, wrong } from '../api/user-kit.ts';
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
} from '../auth/twilio-stand-in.ts';
import { startWorld, testConfig, type World } from '../people.ts';

const PATIENCE_MS = 1_500;
const config = { ...testConfig(), rateLimits: true, trustProxy: true, otpDailyLimit: 400 };
let world: World;
let twilio: TwilioStandIn;
let log = '';
let addresses = 0;

beforeAll(async () => {
  twilio = await startTwilioStandIn();
  const account = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, serviceSid: SERVICE_SID };
  const otp = await twilioOtp({ ...account, baseUrl: twilio.url }, PATIENCE_MS);
  const lines = new Writable({
    write(line, _encoding, callback) {
      log += String(line);
      callback();
    },
  });
  world = await startWorld({ config, otp, log: pino({ level: 'warn' }, lines) });
});
afterEach(async () => {
  await waitForCodeDeliveries();
  twilio.failures.length = 0;
});
afterAll(async () => {
  await world.stop();
  await twilio.stop();
  expect(twilio.faults).toEqual([]);
});

const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;
const from = (address: string, route: string, body: object) =>
  authPost(world, route, body).set('X-Forwarded-For', address);
const send = (phone: string, address = newAddress(), route = 'send-otp-signup') =>
  from(address, route, { phone });
const BOTH = ['send-otp-signup', 'send-otp-login'];

test.each([
  ['+19002345678', 'a premium number'],
  ['+18002345678', 'a toll-free number'],
  ['+15002345678', 'a personal number'],
  ['+442079460018', 'a landline'],
  ['+33899123456', 'a premium number abroad'],
  ['+881612345678', 'a satellite phone'],
  ['+870773111632', 'a ship’s satellite phone'],
  ['+61147101234', 'a satellite phone with a national number'],
  ['+447400123456', 'a mobile number of a country not in the list'],
  ['+14165550123', 'a number of another country with the same first digit'],
])(
  '%s, %s, is 400 at phone on both routes, with an account or without, and nothing is sent',
  async (phone) => {
    const before = twilio.requests.length;
    const answers = [];
    for (const route of BOTH) answers.push(await send(phone, newAddress(), route).expect(400));
    await world.person({ phone });
    for (const route of BOTH) answers.push(await send(phone, newAddress(), route).expect(400));
    for (const { body } of answers) {
      expect(body).toEqual(answers[0]?.body);
      expect(body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'phone' }] });
    }
    expect(twilio.requests).toHaveLength(before);
  },
);

test('codes are sent to the configured countries', async () => {
  const app = createApp({ ...world.deps, config: { ...config, otpCountries: ['US', 'GB'] } });
  const ask = (phone: string) => supertest(app).post('/api/auth/send-otp-signup').send({ phone });
  await ask('+447400123456').expect(200);
  await ask('+442079460018').expect(400);
  await ask('+4915112345678').expect(400);
  await waitForCodeDeliveries();
  expect(twilio.sent.at(-1)?.to).toBe('+447400123456');
});

test.each([
  ['fails', { status: 500, code: 20500 }],
  ['hangs', 'hang'],
  ['rejects the number', { status: 400, code: 60200 }],
  ['reports too many requests', { status: 429, code: 20429 }],
] as const)(
  'if Twilio %s, phones with and without an account get the same response, and it is logged without the phone',
  async (_how, failure) => {
    const account = (await world.person()).phone;
    const stranger = world.newPhone();
    log = '';
    for (const route of BOTH) {
      const address = newAddress();
      const replies = [];
      for (const phone of [account, stranger]) {
        twilio.failures.push(failure);
        const begin = Date.now();
        const { status, body } = await send(phone, address, route);
        replies.push({ status, body });
        // The response does not wait for Twilio.
        expect(Date.now() - begin).toBeLessThan(PATIENCE_MS);
        await send(phone, address, route).expect(429);
        await waitForCodeDeliveries();
        twilio.failures.length = 0;
      }
      expect(replies[0]).toMatchObject({ status: 200 });
      expect(replies[0]).toEqual(replies[1]);
    }
    expect(log.match(/a code could not be sent/g)?.length).toBe(3);
    for (const phone of [account, stranger]) expect(log).not.toContain(phone.slice(2));
  },
  30_000,
);

test('in an outage a guess gets the same response for phones with and without a code', async () => {
  const [account, stranger] = [(await world.person()).phone, world.newPhone()];
  for (const phone of [account, stranger]) await send(phone, newAddress(), 'send-otp-login').expect(200);
  await waitForCodeDeliveries();
  for (const phone of [account, stranger]) {
    twilio.failures.push({ status: 500, code: 20500 });
    await from(newAddress(), 'verify-otp-login', { phone, code: '000000' }).expect(503);
  }
}, 30_000);

test('five wrong guesses by a stranger do not use up a code', async () => {
  const [mine, theirs] = [newAddress(), newAddress()];
  const phone = world.newPhone();
  await send(phone, mine).expect(200);
  await waitForCodeDeliveries();
  const code = twilio.sent.at(-1)?.code ?? '';
  const guesses = Array.from({ length: 5 }, () =>
    from(theirs, 'verify-otp-signup', { phone, code: wrong(code), ...NAMES }).expect(400),
  );
  for (const { body } of await Promise.all(guesses)) expect(body).toEqual(OTP_INVALID);
  await from(mine, 'verify-otp-signup', { phone, code, ...NAMES }).expect(201);
}, 30_000);

test('the 30-second limit is per address; a phone has ten sends a day over all addresses', async () => {
  const phone = world.newPhone();
  const sentCount = () => twilio.sent.filter(({ to }) => to === phone).length;
  for (let time = 0; time < 10; time++) {
    // Twilio has its own limit within ten minutes.
    twilio.now = () => Date.now() + time * 11 * 60_000;
    const address = newAddress();
    await send(phone, address, BOTH[time % 2]).expect(200);
    await send(phone, address).expect(429);
    await waitForCodeDeliveries();
  }
  expect(sentCount()).toBe(5);
  const { headers } = await send(phone).expect(429);
  expect(Number(headers['retry-after'])).toBeGreaterThan(80_000);
  await send(world.newPhone()).expect(200);
  twilio.now = Date.now;
});

test('one number range gets at most a tenth of the day’s codes; other numbers and accounts are not affected', async () => {
  const accountPhone = (await world.person()).phone;
  const range = (at: number) => `+1206777${String(1000 + at)}`;
  for (let at = 0; at < 40; at++) await send(range(at)).expect(200);
  await send(range(40)).expect(429);
  await send('+12067781000').expect(200);
  await send(accountPhone, newAddress(), 'send-otp-login').expect(200);
}, 30_000);

test('people with an account can sign in after the day’s codes for new people are used up', async () => {
  const app = createApp({ ...world.deps, config: { ...config, otpDailyLimit: 20 } });
  const ask = (kind: string, phone: string) =>
    supertest(app).post(`/api/auth/send-otp-${kind}`).set('X-Forwarded-For', newAddress()).send({ phone });
  const accountPhone = (await world.person()).phone;
  await ask('signup', '+12067791000').expect(429);
  await ask('login', accountPhone).expect(200);
  await ask('login', '+12067791001').expect(200);
});

test('GET /api/health/sms reports whether codes can be sent, asking Twilio once a minute', async () => {
  const fresh = async () => {
    const account = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, serviceSid: SERVICE_SID };
    const otp = await twilioOtp({ ...account, baseUrl: twilio.url }, PATIENCE_MS);
    const app = createApp({ ...world.deps, otp });
    return (status: number) => supertest(app).get('/api/health/sms').expect(status);
  };
  const ask = await fresh();
  const before = twilio.requests.length;
  expect((await ask(200)).body).toEqual({ status: 'ok' });
  await ask(200);
  expect(twilio.requests).toHaveLength(before + 1);
  twilio.failures.push({ status: 401, code: 20003 });
  await (await fresh())(503);
  log = '';
  twilio.codeLength = 4;
  await (await fresh())(503);
  expect(log).toContain('must have 6 digits');
  twilio.codeLength = 6;
});

test('startup logs how many accounts can get no code, by country and without numbers', async () => {
  const summary = await describeUnreachablePhones(['US']);
  expect(summary).toMatch(/^10 account\(s\) \(.*1 FR, 2 GB/);
  expect(summary).not.toMatch(/\d{5}/);
});

describe('codes by voice call', () => {
  const call = (app: World['app'], route: string, phone: string, channel = 'call') =>
    supertest(app).post(`/api/auth/${route}`).set('X-Forwarded-For', newAddress()).send({ phone, channel });

  test.each(BOTH)('%s is 400 at `channel` unless OTP_CHANNELS includes it', async (route) => {
    const { phone } = await world.person();
    for (const one of [phone, world.newPhone()]) {
      const { body } = await call(world.app, route, one).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'channel' }] });
    }
    const { body } = await call(world.app, route, phone, 'pigeon').expect(400);
    expect(body.errors).toMatchObject([{ path: 'channel' }]);
  });

  test('Twilio calls, the code signs in, and the study says that calls are offered', async () => {
    const app = createApp({ ...world.deps, config: { ...config, otpChannels: ['sms', 'call'] } });
    const { phone } = await world.person();
    const { body } = await call(app, 'send-otp-login', phone).expect(200);
    expect(body.message).toContain('by a phone call');
    await waitForCodeDeliveries();
    const { channel, code } = twilio.sent.at(-1) ?? {};
    expect(channel).toBe('call');
    await supertest(app).post('/api/auth/verify-otp-login').send({ phone, code }).expect(200);
    const offered = await supertest(app).get('/api/study/public').expect(200);
    expect(offered.body.otpChannels).toEqual(['sms', 'call']);
    const plain = await world.anonymous.get('/api/study/public').expect(200);
    expect(plain.body).not.toHaveProperty('otpChannels');
  });

  test('a call to a number that gets no messages is rejected too', async () => {
    const app = createApp({ ...world.deps, config: { ...config, otpChannels: ['sms', 'call'] } });
    const { body } = await call(app, 'send-otp-signup', '+19002345678').expect(400);
    expect(body.errors).toMatchObject([{ path: 'phone' }]);
  });

  test('calls and messages to one phone share its limits', async () => {
    const app = createApp({ ...world.deps, config: { ...config, otpChannels: ['sms', 'call'] } });
    const [phone, address] = [world.newPhone(), newAddress()];
    const ask = (channel: string) =>
      supertest(app)
        .post('/api/auth/send-otp-signup')
        .set('X-Forwarded-For', address)
        .send({ phone, channel });
    await ask('sms').expect(200);
    await ask('call').expect(429);
  });
});
