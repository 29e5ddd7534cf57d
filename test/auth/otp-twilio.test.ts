import { createServer } from 'node:net';
import { inspect } from 'node:util';
import type { OtpProvider } from '../../src/access/auth/otp/otp.ts';
import { type TwilioSettings, twilioOtp } from '../../src/access/auth/otp/otp-twilio.ts';
import { Problem } from '../../src/platform/http/problems/problem.ts';
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  type Failure,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
} from './twilio-stand-in.ts';

const PHONE = '+12065550100';
/** Long enough for the fake Twilio on a busy machine; tests of timeouts use a shorter one. */
const TIMEOUT_MS = 5_000;
const SHORT_TIMEOUT_MS = 400;
let twilio: TwilioStandIn;
let otp: OtpProvider;

const settings = (changes: Partial<TwilioSettings> = {}): TwilioSettings => ({
  accountSid: ACCOUNT_SID,
  authToken: AUTH_TOKEN,
  serviceSid: SERVICE_SID,
  baseUrl: twilio.url,
  ...changes,
});

beforeEach(async () => {
  twilio = await startTwilioStandIn();
  otp = await twilioOtp(settings(), TIMEOUT_MS);
});
afterEach(async () => {
  await twilio.stop();
  expect(twilio.faults).toEqual([]);
});

async function refusalOf(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    (value) => new Error(`no refusal but ${inspect(value)}`),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Problem);
  return outcome as Problem;
}

const lastCode = () => twilio.sent.at(-1)?.code ?? '';
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

describe('sending and checking', () => {
  test('sends a code by SMS through Twilio and stores nothing', async () => {
    expect(await otp.send(PHONE, false, 'sms')).toBeNull();
    expect(twilio.sent.map(({ to }) => to)).toEqual([PHONE]);
    expect(twilio.requests).toEqual([`POST /v2/Services/${SERVICE_SID}/Verifications`]);
  });

  test('approves the right code and rejects a wrong one', async () => {
    await otp.send(PHONE, false, 'sms');
    expect(await otp.check(PHONE, wrong(lastCode()))).toBe(false);
    expect(await otp.check(PHONE, lastCode())).toBe(true);
  });

  test('treats a code that Twilio has already approved or never sent (404) as wrong', async () => {
    expect(await otp.check(PHONE, '123456')).toBe(false);
    await otp.send(PHONE, false, 'sms');
    expect(await otp.check(PHONE, lastCode())).toBe(true);
    expect(await otp.check(PHONE, lastCode())).toBe(false);
  });

  test('treats the right code as wrong after five wrong checks (60202)', async () => {
    await otp.send(PHONE, false, 'sms');
    for (let i = 0; i < 5; i += 1) expect(await otp.check(PHONE, wrong(lastCode()))).toBe(false);
    expect(await otp.check(PHONE, lastCode())).toBe(false);
  });

  test('cancels the old verification when sending another code, so that it has its own tries', async () => {
    await otp.send(PHONE, false, 'sms');
    for (let i = 0; i < 5; i += 1) await otp.check(PHONE, wrong(lastCode()));
    await otp.send(PHONE, true, 'sms');
    expect(twilio.requests.slice(-2)).toEqual([
      `POST /v2/Services/${SERVICE_SID}/Verifications/${PHONE}`,
      `POST /v2/Services/${SERVICE_SID}/Verifications`,
    ]);
    expect(await otp.check(PHONE, lastCode())).toBe(true);
  });

  test('sends again even if Twilio has nothing to cancel', async () => {
    await otp.send(PHONE, true, 'sms');
    expect(await otp.check(PHONE, lastCode())).toBe(true);
  });

  test('accepts a base URL with a path and a trailing slash', async () => {
    const far = await twilioOtp(settings({ baseUrl: `${twilio.url}/proxy/` }), TIMEOUT_MS);
    expect((await refusalOf(far.send(PHONE, false, 'sms'))).name).toBe('UNAVAILABLE');
    expect(twilio.faults.splice(0)).toEqual([
      `no such route: POST /proxy/v2/Services/${SERVICE_SID}/Verifications`,
    ]);
  });
});

describe('errors when sending', () => {
  test.each([60200, 60205, 21211, 21614, 60605])('%i is a validation error of the phone', async (code) => {
    twilio.failures.push({ status: code === 60605 ? 403 : 400, code });
    const refusal = await refusalOf(otp.send(PHONE, false, 'sms'));
    expect(refusal.name).toBe('VALIDATION_ERROR');
    expect(refusal.errors?.map(({ path }) => path)).toEqual(['phone']);
  });

  test('the sixth send of one code is RATE_LIMITED until it has expired', async () => {
    for (let i = 0; i < 5; i += 1) await otp.send(PHONE, false, 'sms');
    const refusal = await refusalOf(otp.send(PHONE, false, 'sms'));
    expect([refusal.name, refusal.headers['Retry-After']]).toEqual(['RATE_LIMITED', '600']);
    twilio.now = () => Date.now() + 10 * 60_000;
    await otp.send(PHONE, false, 'sms');
  });

  test.each([
    [60202, '600'],
    [60203, '600'],
    [20429, '60'],
    [60212, '60'],
  ])('429 with %i gives Retry-After %s', async (code, seconds) => {
    twilio.failures.push({ status: 429, code });
    const refusal = await refusalOf(otp.send(PHONE, false, 'sms'));
    expect([refusal.name, refusal.headers['Retry-After']]).toEqual(['RATE_LIMITED', seconds]);
    expect(twilio.requests).toHaveLength(1);
  });
});

/** Responses of both routes if Twilio is unreachable or failing. */
const OUTAGES: [string, Failure, RegExp][] = [
  ['500', { status: 500, code: 20500 }, /^Twilio answered 500 \(20500\)$/],
  ['503 without a Twilio body', { status: 503, body: '<h1>Bad gateway</h1>' }, /^Twilio answered 503$/],
  ['an empty 502', 'empty', /^Twilio answered 502$/],
  ['wrong credentials', { status: 401, code: 20003 }, /^Twilio answered 401 \(20003\)$/],
  ['no access to the service', { status: 403, code: 20403 }, /^Twilio answered 403 \(20403\)$/],
  ['a redirect', { status: 302, body: '' }, /^Twilio answered 302$/],
  ['a connection reset', 'reset', /^Twilio is out of reach: ECONNRESET$/],
];

describe.each(OUTAGES)('%s', (_name, failure, cause) => {
  test.each(['send', 'check'] as const)('makes %s throw UNAVAILABLE with the cause', async (verb) => {
    twilio.failures.push(failure);
    const refusal = await refusalOf(
      verb === 'send' ? otp.send(PHONE, false, 'sms') : otp.check(PHONE, '123456'),
    );
    expect(refusal.name).toBe('UNAVAILABLE');
    expect((refusal.cause as Error).message).toMatch(cause);
    expect(twilio.requests).toHaveLength(1);
  });
});

test('an HTML page instead of JSON is UNAVAILABLE', async () => {
  twilio.failures.push('html', 'html');
  expect((await refusalOf(otp.send(PHONE, false, 'sms'))).name).toBe('UNAVAILABLE');
  expect((await refusalOf(otp.check(PHONE, '123456'))).name).toBe('UNAVAILABLE');
});

test('a response that does not confirm the send is UNAVAILABLE', async () => {
  twilio.failures.push({ status: 201, body: '{}' });
  const refusal = await refusalOf(otp.send(PHONE, false, 'sms'));
  expect((refusal.cause as Error).message).toBe('Twilio gave no usable answer');
});

test('a code that Twilio rejects as an invalid parameter counts as wrong', async () => {
  twilio.failures.push({ status: 400, code: 60200 });
  expect(await otp.check(PHONE, '123456')).toBe(false);
});

test('too many requests for the account are RATE_LIMITED, not a wrong code', async () => {
  twilio.failures.push({ status: 429, code: 20429 });
  expect((await refusalOf(otp.check(PHONE, '123456'))).name).toBe('RATE_LIMITED');
});

test('404 when sending (unknown Twilio service) is UNAVAILABLE', async () => {
  twilio.failures.push({ status: 404, code: 20404 });
  expect((await refusalOf(otp.send(PHONE, false, 'sms'))).name).toBe('UNAVAILABLE');
});

test('wrong credentials give Twilio’s 401 as the cause', async () => {
  const stranger = await twilioOtp(settings({ authToken: 'another' }), TIMEOUT_MS);
  const refusal = await refusalOf(stranger.send(PHONE, false, 'sms'));
  expect((refusal.cause as Error).message).toBe('Twilio answered 401 (20003)');
});

test('a refused connection is UNAVAILABLE at once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const far = await twilioOtp(settings({ baseUrl: `http://127.0.0.1:${port}` }), TIMEOUT_MS);
  const refusal = await refusalOf(far.send(PHONE, false, 'sms'));
  expect(refusal.name).toBe('UNAVAILABLE');
  expect((refusal.cause as Error).message).toBe('Twilio is out of reach: ECONNREFUSED');
});

describe('a Twilio response that does not finish', () => {
  test.each([
    ['hang', 'send', false],
    ['hang', 'check', false],
    ['trickle', 'send', false],
    ['trickle', 'check', false],
    ['hang', 'send', true],
  ] as const)('%s: %s (again: %s) times out', async (failure, verb, again) => {
    const hasty = await twilioOtp(settings(), SHORT_TIMEOUT_MS);
    twilio.failures.push(failure, failure);
    const start = performance.now();
    const refusal = await refusalOf(
      verb === 'send' ? hasty.send(PHONE, again, 'sms') : hasty.check(PHONE, '123456'),
    );
    // The fake Twilio would never respond.
    expect(performance.now() - start).toBeLessThan(SHORT_TIMEOUT_MS * 50);
    expect(refusal.name).toBe('UNAVAILABLE');
    expect((refusal.cause as Error).message).toMatch(/in time|ECONNABORTED|ETIMEDOUT/);
    // A cancel without a response sends nothing later, not even in the background.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(twilio.requests).toHaveLength(1);
  });
});

test('no error contains the phone, the code, the token or the header', async () => {
  const all: Failure[] = [
    'reset',
    'hang',
    'html',
    { status: 500, code: 20500 },
    { status: 400, code: 60200 },
  ];
  const hasty = await twilioOtp(settings(), SHORT_TIMEOUT_MS);
  const header = Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64');
  for (const failure of [...all, { status: 429, code: 60203 }]) {
    twilio.failures.push(failure);
    const refusal = await refusalOf(hasty.send(PHONE, false, 'sms'));
    const text = inspect(refusal, { depth: 20, showHidden: true }) + JSON.stringify(refusal);
    for (const secret of [PHONE, PHONE.slice(1), AUTH_TOKEN, header]) expect(text).not.toContain(secret);
  }
  for (const failure of all.slice(0, 4)) {
    twilio.failures.push(failure);
    const refusal = await refusalOf(hasty.check(PHONE, '918273'));
    const text = inspect(refusal, { depth: 20, showHidden: true }) + JSON.stringify(refusal);
    for (const secret of [PHONE, '918273', AUTH_TOKEN, header]) expect(text).not.toContain(secret);
  }
});

test('the Twilio stand-in rejects what Twilio would reject', async () => {
  const path = `/v2/Services/${SERVICE_SID}/Verifications`;
  const authorization = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`;
  const post = (to: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    fetch(twilio.url + to, { method: 'POST', body, headers: { authorization, ...headers } });
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const good = form({ To: PHONE, Channel: 'sms' });

  expect((await post(path, good)).status).toBe(201);
  expect((await post(path, form({ To: PHONE }))).status).toBe(400);
  expect((await post(path, form({ To: '206 555 0100', Channel: 'sms' }))).status).toBe(400);
  expect((await post(path, form({ To: PHONE, Channel: 'sms', Extra: 'x' }))).status).toBe(400);
  expect((await post(path.replace('VA', 'XX'), good)).status).toBe(400);
  expect((await post(path, '{}', { 'content-type': 'application/json' })).status).toBe(415);
  expect((await post('/v2/Elsewhere', good)).status).toBe(404);
  expect(twilio.faults.splice(0)).toHaveLength(6);
  expect((await post(path, good, { authorization: 'Basic eA==' })).status).toBe(401);
});
