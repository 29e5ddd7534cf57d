/** The settings: every fault is told at once, by the variable's name and in plain words. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'config-'));
const read = (env: Record<string, string>) => readConfig({ DATA_DIR, ...env });

const WRONG = {
  PORT: 'eighty',
  MONGO_URI: 'localhost',
  JWT_SECRET: 'short',
  JWT_TTL: 'long',
  IDENTITY_KEY: 'short',
  OTP_PROVIDER: 'pigeon',
  TIME_ZONE: 'Mars/Olympus',
  DEFAULT_REGION: 'XX',
  OTP_COUNTRIES: 'US,Elsewhere',
  OTP_DAILY_LIMIT: '5',
  TRUST_PROXY: 'maybe',
  CORS_ORIGINS: 'https://a.example, notaurl',
  LOG_LEVEL: 'loud',
  RATE_LIMITS: 'perhaps',
  PUBLIC_URL: 'survey.example.org',
};

test('all faults are told in one message, each with its variable and in words that are not a program’s', () => {
  const told = (() => {
    try {
      read(WRONG);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  const [head, ...lines] = told.split('\n');
  expect(head).toContain('15 fault(s)');
  expect(lines.map((line) => /^ {2}- (\w+): \S/.exec(line)?.[1]).sort()).toEqual(Object.keys(WRONG).sort());
  expect(told).not.toMatch(/Invalid|NaN|expected number|regex|undefined/);
});

test.each(['maybe', '-1', '1.5', '10.0.0.0/99', 'loopback,nowhere'])(
  'TRUST_PROXY=%s is refused',
  (TRUST_PROXY) => {
    expect(() => read({ TRUST_PROXY })).toThrow(/TRUST_PROXY/);
  },
);

test.each([
  ['', undefined],
  ['false', false],
  ['true', true],
  ['2', 2],
  ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ['::1', '::1'],
])('TRUST_PROXY=%s is taken as %j', (TRUST_PROXY, wanted) => {
  expect(read({ TRUST_PROXY }).trustProxy).toBe(wanted);
});

test.each(['notaurl', 'ftp://a.example', 'https://a.example/path', 'https://a.example, ,x', '*'])(
  'CORS_ORIGINS=%s is refused',
  (CORS_ORIGINS) => {
    expect(() => read({ CORS_ORIGINS })).toThrow(/CORS_ORIGINS/);
  },
);

test('origins are taken as a browser sends them, without the slash behind', () => {
  const { corsOrigins } = read({ CORS_ORIGINS: ' https://B.example/ ,http://localhost:5173' });
  expect(corsOrigins).toEqual(['https://b.example', 'http://localhost:5173']);
});

test('codes go to the country of DEFAULT_REGION where no others are named, and to those that are', () => {
  expect(read({ DEFAULT_REGION: 'DE' }).otpCountries).toEqual(['DE']);
  expect(read({ DEFAULT_REGION: 'DE', OTP_COUNTRIES: 'us, pr' }).otpCountries).toEqual(['US', 'PR']);
});

test('in production both secrets must be given', () => {
  const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_VERIFY_SERVICE_SID: 'VA1' };
  const secret = 'x'.repeat(32);
  const start = (env: Record<string, string>) => read({ NODE_ENV: 'production', ...twilio, ...env });
  expect(() => start({ IDENTITY_KEY: secret })).toThrow(/JWT_SECRET: must be given/);
  expect(() => start({ JWT_SECRET: secret })).toThrow(/IDENTITY_KEY: must be given/);
  expect(start({ JWT_SECRET: secret, IDENTITY_KEY: `${secret}y` }).identityKey).toBe(`${secret}y`);
});
