import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type OtpProvider, sendCode, verifyCode } from '../../src/auth/otp.ts';
import { consoleOtp } from '../../src/auth/otp-console.ts';
import { Otps } from '../../src/auth/otp-model.ts';
import { twilioOtp } from '../../src/auth/otp-twilio.ts';
import { connect, disconnect, ensureIndexes } from '../../src/db/connect.ts';
import { problem } from '../../src/http/problem.ts';
import { ACCOUNT_SID, AUTH_TOKEN, SERVICE_SID, startTwilioStandIn } from './twilio-stand-in.ts';

const PHONE = '+12065550100';
const OTHER = '+12065550101';
/** The network that the one caller of most tests comes from. */
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
const storedOtp = () => Otps.findOne({ phone: PHONE }).lean().orFail();

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
beforeEach(() => Otps.deleteMany({}));

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

  test('the code that was sent is right, and good for one use', async () => {
    const verified = await verify(world.lastCode());
    await verified.consume();
    await expect(verified.consume()).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
    expect(await Otps.countDocuments()).toBe(0);
  });

  test('a right code that is not consumed stays good, and costs no try', async () => {
    for (let i = 0; i < 8; i += 1) await verify(world.lastCode());
    expect((await storedOtp()).tries).toBe(0);
    await (await verify(world.lastCode())).consume();
  });

  test('after a right code that was not consumed, a wrong one is wrong all the same', async () => {
    await verify(world.lastCode());
    await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject(INVALID);
    await (await verify(world.lastCode())).consume();
  });

  test('four wrong guesses leave one, five leave none', async () => {
    const bad = wrong(world.lastCode());
    for (let i = 0; i < 4; i += 1) await expect(verify(bad)).rejects.toMatchObject(INVALID);
    await verify(world.lastCode());
    await expect(verify(bad)).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('a code that this service can judge has five tries a caller, twenty over all', async () => {
    await verify(world.lastCode());
    const bad = wrong(world.lastCode());
    const guess = (at: number, code: string) => verifyCode(world.deps, PHONE, code, `203.0.113.${at}`);
    for (let i = 0; i < 15; i += 1) await expect(guess(i % 3, bad)).rejects.toMatchObject(INVALID);
    await verify(world.lastCode());
    for (let i = 0; i < 5; i += 1) await expect(guess(9, bad)).rejects.toMatchObject(INVALID);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('20 guesses at once get five tries together', async () => {
    const guesses = Array.from({ length: 20 }, () => verify(wrong(world.lastCode())));
    expect(await outcomes(guesses)).toEqual({ good: 0, refused: ['OTP_INVALID'] });
    expect((await storedOtp()).tries).toBe(5);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('of 20 right uses at once exactly one succeeds', async () => {
    const uses = Array.from({ length: 20 }, async () => (await verify(world.lastCode())).consume());
    expect(await outcomes(uses)).toEqual({ good: 1, refused: ['OTP_INVALID'] });
  });

  test('of parallel uses in transactions exactly one succeeds', async () => {
    const code = world.lastCode();
    await verify(code);
    const uses = Array.from({ length: 4 }, async () => {
      const verified = await verify(code);
      await mongoose.connection.transaction((session) => verified.consume(session));
    });
    expect(await outcomes(uses)).toEqual({ good: 1, refused: ['OTP_INVALID'] });
  });

  test('a transaction that fails leaves the code good', async () => {
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
    expect(await Otps.countDocuments()).toBe(0);
  });

  test('a use begun before a new code was sent does not end the new one', async () => {
    const verified = await verify(world.lastCode());
    const old = world.lastCode();
    do await sendCode(world.deps, PHONE, HERE);
    while (world.lastCode() === old);
    await expect(verified.consume()).rejects.toMatchObject(INVALID);
    await (await verify(world.lastCode())).consume();
  });

  test('a code lives for ten minutes', async () => {
    const { now } = world.deps;
    world.deps.now = later(now, 10 * MINUTE - 5_000);
    await verify(world.lastCode());
    world.deps.now = later(now, 10 * MINUTE);
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('the code of one phone is no good for another', async () => {
    const code = world.lastCode();
    await expect(verifyCode(world.deps, OTHER, code, HERE)).rejects.toMatchObject(INVALID);
    await sendCode(world.deps, OTHER, HERE);
    if (world.lastCode() !== code) {
      await expect(verifyCode(world.deps, OTHER, code, HERE)).rejects.toMatchObject(INVALID);
    }
    await verify(code);
  });

  test('the database never holds the code', async () => {
    await verify(world.lastCode());
    const stored = await storedOtp();
    expect(stored.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify({ ...stored, codeHash: '', createdAt: '', expiresAt: '' })).not.toContain(
      world.lastCode(),
    );
  });
});

describe('console provider', () => {
  test('prints exactly one line, with six digits, leading zeros among them', async () => {
    const lines: string[] = [];
    const otp = consoleOtp((line) => lines.push(line));
    const codes = await Promise.all(Array.from({ length: 300 }, () => otp.send(PHONE, false, 'sms')));
    expect(lines).toEqual(codes.map((code) => `OTP ${PHONE} ${code}\n`));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(codes.some((code) => code?.startsWith('0'))).toBe(true);
    expect(await otp.check(PHONE, '000000')).toBe(false);
  });

  test('the hash depends on the secret, so that another service can not read it', async () => {
    const world = await consoleWorld();
    await sendCode(world.deps, PHONE, HERE);
    world.deps.config.jwtSecret = 't'.repeat(32);
    await expect(verifyCode(world.deps, PHONE, world.lastCode(), HERE)).rejects.toMatchObject(INVALID);
  });

  test('20 sends at once leave one live code', async () => {
    const world = await consoleWorld();
    await Promise.all(Array.from({ length: 20 }, () => sendCode(world.deps, PHONE, HERE)));
    expect(await Otps.countDocuments()).toBe(1);
  });
});

describe('twilio provider', () => {
  let world: Awaited<ReturnType<typeof twilioWorld>>;
  beforeEach(async () => {
    world = await twilioWorld();
  });
  afterEach(() => world.stop());
  const verify = (code: string) => verifyCode(world.deps, PHONE, code, HERE);

  test('asks Twilio also for a phone without a valid code, so that neither time nor an outage reveals it', async () => {
    await expect(verify('123456')).rejects.toMatchObject(INVALID);
    expect(world.twilio.requests).toHaveLength(1);
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  });

  test('five wrong guesses from elsewhere leave the one who asked for the code three, though Twilio has five in all', async () => {
    await sendCode(world.deps, PHONE, HERE);
    const guess = (caller: string, code: string) => verifyCode(world.deps, PHONE, code, caller);
    const bad = wrong(world.lastCode());
    for (let i = 0; i < 5; i += 1) await expect(guess('203.0.113.66', bad)).rejects.toMatchObject(INVALID);
    for (let i = 0; i < 2; i += 1) await expect(guess(HERE, bad)).rejects.toMatchObject(INVALID);
    await (await guess(HERE, world.lastCode())).consume();
  });

  test('whoever asks for a code of another’s phone and guesses wrong takes no more from who needs it', async () => {
    await sendCode(world.deps, PHONE, HERE);
    await sendCode(world.deps, PHONE, '203.0.113.66');
    const guess = (caller: string, code: string) => verifyCode(world.deps, PHONE, code, caller);
    const bad = wrong(world.lastCode());
    for (const stranger of ['203.0.113.66', '203.0.113.67', '203.0.113.68'])
      for (let i = 0; i < 5; i += 1) await expect(guess(stranger, bad)).rejects.toMatchObject(INVALID);
    await (await guess(HERE, world.lastCode())).consume();
  });

  test('Twilio is asked five times a code at most', async () => {
    await sendCode(world.deps, PHONE, HERE);
    const asked: string[] = [];
    const { check } = world.deps.otp;
    world.deps.otp.check = async (phone, code) => {
      asked.push(phone);
      return await check(phone, code);
    };
    await outcomes(Array.from({ length: 20 }, () => verify(wrong(world.lastCode()))));
    expect(asked.filter((phone) => phone === PHONE)).toHaveLength(5);
  });

  test('a phone whose tries are used up is answered in an outage as one without a code', async () => {
    await sendCode(world.deps, PHONE, HERE);
    for (let i = 0; i < 5; i += 1)
      await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject(INVALID);
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
    await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
  });

  test('and so is one whose code Twilio has approved, and which was not used', async () => {
    await sendCode(world.deps, PHONE, HERE);
    await verify(world.lastCode());
    world.twilio.failures.push({ status: 500, code: 20500 });
    await expect(verify(wrong(world.lastCode()))).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  });

  test('a code that Twilio approved is kept as a hash, and Twilio is not asked again', async () => {
    await sendCode(world.deps, PHONE, HERE);
    expect((await storedOtp()).codeHash).toBeNull();
    await verify(world.lastCode());
    const asked = world.twilio.requests.length;
    await (await verify(world.lastCode())).consume();
    expect(world.twilio.requests).toHaveLength(asked);
  });

  test('a code that is out before a slow database has it is not used up by a try that comes too soon', async () => {
    const { send } = world.deps.otp;
    world.deps.otp.send = async (phone, again, channel) => {
      const sent = await send(phone, again, channel);
      await expect(verify(world.lastCode())).rejects.toMatchObject(INVALID);
      return sent;
    };
    await sendCode(world.deps, PHONE, HERE);
    await (await verify(world.lastCode())).consume();
  });

  test('an outage during a check costs no try', async () => {
    await sendCode(world.deps, PHONE, HERE);
    for (let i = 0; i < 7; i += 1) {
      world.twilio.failures.push({ status: 500, code: 20500 });
      await expect(verify('123456')).rejects.toMatchObject({ name: 'UNAVAILABLE' });
    }
    expect((await storedOtp()).tries).toBe(0);
    await (await verify(world.lastCode())).consume();
  });

  test('a send that fails stores nothing', async () => {
    world.twilio.failures.push({ status: 400, code: 60200 });
    await expect(sendCode(world.deps, PHONE, HERE)).rejects.toMatchObject({ name: 'VALIDATION_ERROR' });
    expect(await Otps.countDocuments()).toBe(0);
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
  test('holds one record a phone, and MongoDB clears away what has expired', async () => {
    const indexes = await Otps.collection.indexes();
    expect(indexes.find(({ key }) => key.phone === 1)?.unique).toBe(true);
    expect(indexes.find(({ key }) => key.expiresAt === 1)?.expireAfterSeconds).toBe(0);
  });

  test('every query goes by the phone', async () => {
    const at = new Date();
    for (const filter of [
      { phone: PHONE, codeHash: null, expiresAt: { $gt: at } },
      { phone: PHONE, tries: { $lt: 5 }, expiresAt: { $gt: at } },
      { phone: PHONE, codeHash: 'x', createdAt: at },
      { phone: PHONE, codeHash: 'x' },
    ]) {
      const plan = JSON.stringify(await Otps.find(filter).explain('queryPlanner'));
      expect(plan).toMatch(/"winningPlan":.*"indexName":"phone_1"/);
      expect(plan).not.toContain('COLLSCAN');
    }
  });
});
