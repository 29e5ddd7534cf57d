import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type OtpProvider, sendCode, verifyCode } from '../../src/access/auth/otp/otp.ts';
import { consoleOtp } from '../../src/access/auth/otp/otp-console.ts';
import { OtpModel } from '../../src/access/auth/otp/otp-model.ts';
import { twilioOtp } from '../../src/access/auth/otp/otp-twilio.ts';
import { connect, disconnect, ensureIndexes } from '../../src/platform/db/connect.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';
import { ACCOUNT_SID, AUTH_TOKEN, SERVICE_SID, startTwilioStandIn } from './twilio-stand-in.ts';

const PHONE = '+12065550100';
const OTHER = '+12065550101';
/** The network of the single caller in most tests. */
const HERE = '198.51.100.1';
const MINUTE = 60_000;
const INVALID = { name: 'OTP_INVALID', status: 400 };

interface World {
  deps: { config: { jwtSecret: string }; otp: OtpProvider; now: () => Date };
  /** The code in the last text message. */
  lastCode(): string;
  stop(): Promise<void>;
}

const deps = (otp: OtpProvider) => ({ config: { jwtSecret: 's'.repeat(32) }, otp, now: () => new Date() });

async function consoleWorld(): Promise<World> {
  let code = '';
  const otp = consoleOtp((line) => {
    code = line.trim().split(' ')[2] ?? '';
  });
  return { deps: deps(otp), lastCode: () => code, stop: async () => {} };
}

async function twilioWorld() {
  const twilio = await startTwilioStandIn();
  const otp = await twilioOtp({
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    serviceSid: SERVICE_SID,
    baseUrl: twilio.url,
  });
  const stop = async () => {
    await twilio.stop();
    expect(twilio.faults).toEqual([]);
  };
  return { deps: deps(otp), lastCode: () => twilio.sent.at(-1)?.code ?? '', stop, twilio };
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const later = (at: () => Date, ms: number) => () => new Date(at().getTime() + ms);
const storedOtp = () => OtpModel.findOne({ phone: PHONE }).lean().orFail();

async function outcomes(works: Promise<unknown>[]) {
  const settled = await Promise.allSettled(works);
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
  return { good: settled.length - refused.length, refused: [...new Set(refused)] };
}

beforeAll(async () => {
  await connect(process.env.TEST_MONGO_URI ?? '', `otp_${randomUUID().slice(0, 8)}`);
  await ensureIndexes(Object.values(mongoose.models));
});
afterAll(async () => {
  await mongoose.connection.dropDatabase();
  await disconnect();
});
beforeEach(() => OtpModel.deleteMany({}));

describe.each([
  ['console', consoleWorld],
  ['twilio', twilioWorld],
] as const)('with the %s provider', (_name, start) => {
  let world: World;
  beforeEach(async () => {
    world = await start();
    await sendCode(world.deps, PHONE, HERE);
  });
  afterEach(() => world.stop());
  const verify = (code: string) => verifyCode(world.deps, PHONE, code, HERE);

  test('the code that was sent can be used once', async () => {
    const verified = await verify(world.lastCode());
    await verified.consume();
    await expect(verified.consume()).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
    expect(await OtpModel.countDocuments()).toBe(0);
  });

  test('a right code that is not consumed stays valid and uses no try', async () => {
    for (let i = 0; i < 8; i += 1) await verify(world.lastCode());
    expect((await storedOtp()).tries).toBe(0);
    await (await verify(world.lastCode())).consume();
  });

  test('a wrong code is rejected also after the right one was checked but not consumed', async () => {
    await verify(world.lastCode());
    await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject(INVALID);
    await (await verify(world.lastCode())).consume();
  });

  test('four wrong guesses leave one try, five leave none', async () => {
    const bad = wrong(world.lastCode());
    for (let i = 0; i < 4; i += 1) await expect(verify(bad)).rejects.toMatchObject(INVALID);
    await verify(world.lastCode());
    await expect(verify(bad)).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('a code known to the service has five tries per caller, twenty in total', async () => {
    await verify(world.lastCode());
    const bad = wrong(world.lastCode());
    const guess = (at: number, code: string) => verifyCode(world.deps, PHONE, code, `203.0.113.${at}`);
    for (let i = 0; i < 15; i += 1) await expect(guess(i % 3, bad)).rejects.toMatchObject(INVALID);
    await verify(world.lastCode());
    for (let i = 0; i < 5; i += 1) await expect(guess(9, bad)).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('20 simultaneous guesses get five tries in total', async () => {
    const guesses = Array.from({ length: 20 }, () => verify(wrong(world.lastCode())));
    expect(await outcomes(guesses)).toEqual({ good: 0, refused: ['OTP_INVALID'] });
    expect((await storedOtp()).tries).toBe(5);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('exactly one of 20 simultaneous uses of the right code succeeds', async () => {
    const uses = Array.from({ length: 20 }, async () => (await verify(world.lastCode())).consume());
    expect(await outcomes(uses)).toEqual({ good: 1, refused: ['OTP_INVALID'] });
  });

  test('exactly one of several simultaneous uses in transactions succeeds', async () => {
    const code = world.lastCode();
    await verify(code);
    const uses = Array.from({ length: 4 }, async () => {
      const verified = await verify(code);
      await mongoose.connection.transaction((session) => verified.consume(session));
    });
    expect(await outcomes(uses)).toEqual({ good: 1, refused: ['OTP_INVALID'] });
  });

  test('a failed transaction leaves the code valid', async () => {
    const verified = await verify(world.lastCode());
    const failing = mongoose.connection.transaction(async (session) => {
      await verified.consume(session);
      throw problem('PHONE_TAKEN');
    });
    await expect(failing).rejects.toMatchObject({ name: 'PHONE_TAKEN' });
    await (await verify(world.lastCode())).consume();
  });

  test('a new code replaces the old one and has its own five tries', async () => {
    const old = world.lastCode();
    for (let i = 0; i < 5; i += 1) await expect(verify(wrong(old))).rejects.toMatchObject(INVALID);
    await sendCode(world.deps, PHONE, HERE);
    while (world.lastCode() === old) await sendCode(world.deps, PHONE, HERE);
    await expect(verify(old)).rejects.toMatchObject(INVALID);
    await (await verify(world.lastCode())).consume();
    expect(await OtpModel.countDocuments()).toBe(0);
  });

  test('consuming an old code does not end a new one', async () => {
    const verified = await verify(world.lastCode());
    const old = world.lastCode();
    do await sendCode(world.deps, PHONE, HERE);
    while (world.lastCode() === old);
    await expect(verified.consume()).rejects.toMatchObject(INVALID);
    await (await verify(world.lastCode())).consume();
  });

  test('a code is valid for ten minutes', async () => {
    const { now } = world.deps;
    world.deps.now = later(now, 10 * MINUTE - 5_000);
    await verify(world.lastCode());
    world.deps.now = later(now, 10 * MINUTE);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('a code is not valid for another phone', async () => {
    const code = world.lastCode();
    await expect(verifyCode(world.deps, OTHER, code, HERE)).rejects.toMatchObject(INVALID);
    await sendCode(world.deps, OTHER, HERE);
    if (world.lastCode() !== code) {
      await expect(verifyCode(world.deps, OTHER, code, HERE)).rejects.toMatchObject(INVALID);
    }
    await verify(code);
  });

  test('the database stores only a hash of the code', async () => {
    await verify(world.lastCode());
    const stored = await storedOtp();
    expect(stored.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify({ ...stored, codeHash: '', createdAt: '', expiresAt: '' })).not.toContain(
      world.lastCode(),
    );
  });
});

describe('console provider', () => {
  test('prints exactly one line with a six-digit code, including leading zeros', async () => {
    const lines: string[] = [];
    const otp = consoleOtp((line) => lines.push(line));
    const codes = await Promise.all(Array.from({ length: 300 }, () => otp.send(PHONE, false, 'sms')));
    expect(lines).toEqual(codes.map((code) => `OTP ${PHONE} ${code}\n`));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(codes.some((code) => code?.startsWith('0'))).toBe(true);
    expect(await otp.check(PHONE, '000000')).toBe(false);
  });

  test('the hash depends on the service’s secret', async () => {
    const world = await consoleWorld();
    await sendCode(world.deps, PHONE, HERE);
    world.deps.config.jwtSecret = 't'.repeat(32);
    await expect(verifyCode(world.deps, PHONE, world.lastCode(), HERE)).rejects.toMatchObject(INVALID);
  });

  test('20 simultaneous sends leave one valid code', async () => {
    const world = await consoleWorld();
    await Promise.all(Array.from({ length: 20 }, () => sendCode(world.deps, PHONE, HERE)));
    expect(await OtpModel.countDocuments()).toBe(1);
  });
});

describe('twilio provider', () => {
  let world: Awaited<ReturnType<typeof twilioWorld>>;
  beforeEach(async () => {
    world = await twilioWorld();
  });
  afterEach(() => world.stop());
  const verify = (code: string) => verifyCode(world.deps, PHONE, code, HERE);

  test('asks Twilio even for a phone without a code, so that nothing reveals it', async () => {
    await expect(verify('123456')).rejects.toMatchObject(INVALID);
    expect(world.twilio.requests).toHaveLength(1);
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  });

  test('five wrong guesses from another address leave the requester three tries', async () => {
    await sendCode(world.deps, PHONE, HERE);
    const guess = (caller: string, code: string) => verifyCode(world.deps, PHONE, code, caller);
    const bad = wrong(world.lastCode());
    for (let i = 0; i < 5; i += 1) await expect(guess('203.0.113.66', bad)).rejects.toMatchObject(INVALID);
    for (let i = 0; i < 2; i += 1) await expect(guess(HERE, bad)).rejects.toMatchObject(INVALID);
    await (await guess(HERE, world.lastCode())).consume();
  });

  test('a stranger who requests a code for a phone and guesses wrong does not use up its owner’s tries', async () => {
    await sendCode(world.deps, PHONE, HERE);
    await sendCode(world.deps, PHONE, '203.0.113.66');
    const guess = (caller: string, code: string) => verifyCode(world.deps, PHONE, code, caller);
    const bad = wrong(world.lastCode());
    for (const stranger of ['203.0.113.66', '203.0.113.67', '203.0.113.68'])
      for (let i = 0; i < 5; i += 1) await expect(guess(stranger, bad)).rejects.toMatchObject(INVALID);
    await (await guess(HERE, world.lastCode())).consume();
  });

  test('Twilio is asked at most five times per code', async () => {
    await sendCode(world.deps, PHONE, HERE);
    const checkedPhones: string[] = [];
    const { check } = world.deps.otp;
    world.deps.otp.check = async (phone, code) => {
      checkedPhones.push(phone);
      return await check(phone, code);
    };
    await outcomes(Array.from({ length: 20 }, () => verify(wrong(world.lastCode()))));
    expect(checkedPhones.filter((phone) => phone === PHONE)).toHaveLength(5);
  });

  test('in an outage a phone without tries left gets the same response as one without a code', async () => {
    await sendCode(world.deps, PHONE, HERE);
    for (let i = 0; i < 5; i += 1)
      await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject(INVALID);
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('in an outage a phone with an approved but unused code gets the same response', async () => {
    await sendCode(world.deps, PHONE, HERE);
    await verify(world.lastCode());
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  });

  test('an approved code is stored as a hash, and Twilio is not asked again', async () => {
    await sendCode(world.deps, PHONE, HERE);
    expect((await storedOtp()).codeHash).toBeNull();
    await verify(world.lastCode());
    const requestCount = world.twilio.requests.length;
    await (await verify(world.lastCode())).consume();
    expect(world.twilio.requests).toHaveLength(requestCount);
  });

  test('a try before a slow database has stored the code does not use it up', async () => {
    const { send } = world.deps.otp;
    world.deps.otp.send = async (phone, again, channel) => {
      const outcome = await send(phone, again, channel);
      await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
      return outcome;
    };
    await sendCode(world.deps, PHONE, HERE);
    await (await verify(world.lastCode())).consume();
  });

  test('an outage during a check uses no try', async () => {
    await sendCode(world.deps, PHONE, HERE);
    for (let i = 0; i < 7; i += 1) {
      world.twilio.failures.push({ status: 500, code: 20500 });
      await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
    }
    expect((await storedOtp()).tries).toBe(0);
    await (await verify(world.lastCode())).consume();
  });

  test('a failed send stores nothing', async () => {
    world.twilio.failures.push({ status: 400, code: 60200 });
    await expect(sendCode(world.deps, PHONE, HERE)).rejects.toMatchObject({ name: 'VALIDATION_ERROR' });
    expect(await OtpModel.countDocuments()).toBe(0);
  });

  test('sending a first code, or one after an expired code, cancels nothing', async () => {
    await sendCode(world.deps, PHONE, HERE);
    world.deps.now = later(world.deps.now, 10 * MINUTE);
    await sendCode(world.deps, PHONE, HERE);
    expect(new Set(world.twilio.requests)).toEqual(
      new Set([`POST /v2/Services/${SERVICE_SID}/Verifications`]),
    );
  });
});

describe('the collection', () => {
  test('has one record per phone and a TTL index', async () => {
    const indexes = await OtpModel.collection.indexes();
    expect(indexes.find(({ key }) => key.phone === 1)?.unique).toBe(true);
    expect(indexes.find(({ key }) => key.expiresAt === 1)?.expireAfterSeconds).toBe(0);
  });

  test('every query uses the phone index', async () => {
    const at = new Date();
    for (const filter of [
      { phone: PHONE, codeHash: null, expiresAt: { $gt: at } },
      { phone: PHONE, tries: { $lt: 5 }, expiresAt: { $gt: at } },
      { phone: PHONE, codeHash: 'x', createdAt: at },
      { phone: PHONE, codeHash: 'x' },
    ]) {
      const plan = JSON.stringify(await OtpModel.find(filter).explain('queryPlanner'));
      expect(plan).toMatch(/"winningPlan":.*"indexName":"phone_1"/);
      expect(plan).not.toContain('COLLSCAN');
    }
  });
});
