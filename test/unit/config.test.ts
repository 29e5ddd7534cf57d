/** Settings: every error is reported at once, by the variable's name and in plain words. */
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/platform/config.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'config-'));
const read = (env: Record<string, string>) => readConfig({ DATA_DIR, ...env });

const SECRET = 'Zk3vQ9-one-made-at-random-or-nearly-so';

function faultsOf(env: Record<string, string>): string {
  try {
    read(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const WRONG = {
  PORT: 'eighty',
  MONGO_URI: 'localhost',
  JWT_SECRET: 'short',
  JWT_SECRET_PREVIOUS: 'short',
  JWT_TTL: 'long',
  BACKUP_RECIPIENT: 'age1short',
  IDENTITY_KEY: 'short',
  CONTACT_KEY: 'short',
  MESSAGE_PROVIDER: 'pigeon',
  TWILIO_MESSAGING_SERVICE_SID: 'VA1',
  OTP_PROVIDER: 'pigeon',
  TIME_ZONE: 'Mars/Olympus',
  DEFAULT_REGION: 'XX',
  OTP_COUNTRIES: 'US,Elsewhere',
  OTP_CHANNELS: 'call',
  OTP_DAILY_LIMIT: '5',
  TRUST_PROXY: 'maybe',
  CORS_ORIGINS: 'https://a.example, notaurl',
  LOG_LEVEL: 'loud',
  RATE_LIMITS: 'perhaps',
  PUBLIC_URL: 'survey.example.org',
};

test('all errors are in one message, each with its variable and in plain language', () => {
  const message = faultsOf(WRONG);
  const [head, ...lines] = message.split('\n');
  expect(head).toContain('21 error(s)');
  expect(lines.map((line) => /^ {2}- (\w+): \S/.exec(line)?.[1]).sort()).toEqual(Object.keys(WRONG).sort());
  expect(message).not.toMatch(/Invalid|NaN|expected number|regex|undefined/);
});

test.each([
  ['', ['sms']],
  ['sms', ['sms']],
  ['call, SMS', ['sms', 'call']],
])('OTP_CHANNELS=%s', (OTP_CHANNELS, expected) => {
  expect(read({ OTP_CHANNELS }).otpChannels).toEqual(expected);
});

test.each(['maybe', '-1', '1.5', '10.0.0.0/99', 'loopback,nowhere'])(
  'TRUST_PROXY=%s is rejected',
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
])('TRUST_PROXY=%s is read as %j', (TRUST_PROXY, expected) => {
  expect(read({ TRUST_PROXY }).trustProxy).toBe(expected);
});

test.each(['notaurl', 'ftp://a.example', 'https://a.example/path', 'https://a.example, ,x', '*'])(
  'CORS_ORIGINS=%s is rejected',
  (CORS_ORIGINS) => {
    expect(() => read({ CORS_ORIGINS })).toThrow(/CORS_ORIGINS/);
  },
);

test('CORS origins are normalized as a browser sends them, without a trailing slash', () => {
  const { corsOrigins } = read({ CORS_ORIGINS: ' https://B.example/ ,http://localhost:5173' });
  expect(corsOrigins).toEqual(['https://b.example', 'http://localhost:5173']);
});

test('OTP_COUNTRIES defaults to the country of DEFAULT_REGION', () => {
  expect(read({ DEFAULT_REGION: 'DE' }).otpCountries).toEqual(['DE']);
  expect(read({ DEFAULT_REGION: 'DE', OTP_COUNTRIES: 'us, pr' }).otpCountries).toEqual(['US', 'PR']);
});

test('a new DATA_DIR with its secrets is for its owner alone', () => {
  const folder = join(DATA_DIR, 'new');
  readConfig({ DATA_DIR: folder });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder))
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

const FIELD_KEY = 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY';
const OTHER_FIELD_KEY = 'AGE-SECRET-KEY-1NRSS7WTPN4WTTHVF22XL3R29GKCWMJS9RN0MS080C6U3VSZRCE8QYNEXC6';

test('in production all secrets are required, different and strong', () => {
  const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_VERIFY_SERVICE_SID: 'VA1' };
  const start = (env: Record<string, string>) =>
    read({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://survey.example.org',
      CONTACT_KEY: `${SECRET}z`,
      FIELD_KEY,
      ...twilio,
      ...env,
    });
  expect(() => start({ JWT_SECRET: SECRET, IDENTITY_KEY: `${SECRET}y`, FIELD_KEY: '' })).toThrow(
    /FIELD_KEY: is required/,
  );
  expect(() => start({ IDENTITY_KEY: SECRET })).toThrow(/JWT_SECRET: is required/);
  expect(() => start({ JWT_SECRET: SECRET })).toThrow(/IDENTITY_KEY: is required/);
  expect(start({ JWT_SECRET: SECRET, IDENTITY_KEY: `${SECRET}y` }).identityKey).toBe(`${SECRET}y`);
  expect(() => start({ JWT_SECRET: SECRET, IDENTITY_KEY: SECRET })).toThrow(
    /IDENTITY_KEY: must not be the same/,
  );
  for (const weak of ['x'.repeat(48), 'changeme'.repeat(5), '0123456789abcdef'.repeat(3)])
    expect(() => start({ JWT_SECRET: weak, IDENTITY_KEY: SECRET })).toThrow(/JWT_SECRET: is easy to guess/);
});

test('field keys are age secret keys, at most five former ones', () => {
  const former = Array.from({ length: 5 }, () => OTHER_FIELD_KEY);
  const list = former.join(', ');
  expect(read({ FIELD_KEY, FIELD_KEYS_PREVIOUS: list })).toMatchObject({
    fieldKey: FIELD_KEY,
    fieldKeysPrevious: former,
  });
  for (const wrong of [
    FIELD_KEY.toLowerCase(),
    FIELD_KEY.replace('Q', 'P'),
    `${FIELD_KEY}Q`,
    'age1xyz',
    SECRET,
  ])
    expect(faultsOf({ FIELD_KEY: wrong })).toContain('- FIELD_KEY: an age secret key');
  expect(faultsOf({ FIELD_KEYS_PREVIOUS: `${OTHER_FIELD_KEY},x` })).toContain('- FIELD_KEYS_PREVIOUS: ');
  expect(faultsOf({ FIELD_KEYS_PREVIOUS: `${list},${OTHER_FIELD_KEY}` })).toContain('at most 5 keys');
});

test('in production all errors are in one message, including missing variables', () => {
  const wrong = { NODE_ENV: 'production', PORT: 'eighty', OTP_PROVIDER: 'twilio', TWILIO_ACCOUNT_SID: 'XX1' };
  const missing = [
    'TWILIO_AUTH_TOKEN',
    'TWILIO_VERIFY_SERVICE_SID',
    'JWT_SECRET',
    'IDENTITY_KEY',
    'CONTACT_KEY',
    'FIELD_KEY',
    'PUBLIC_URL',
  ];
  const message = faultsOf(wrong);
  for (const name of ['PORT', 'TWILIO_ACCOUNT_SID', ...missing]) expect(message).toContain(`- ${name}: `);
  expect(message).toContain('9 error(s)');
});

test('in production OTP_PROVIDER is Twilio, whose missing variables are listed, and console is rejected', () => {
  for (const env of [{}, { TWILIO_AUTH_TOKEN: 't' }]) {
    const message = faultsOf({ NODE_ENV: 'production', ...env });
    for (const name of ['TWILIO_ACCOUNT_SID', 'TWILIO_VERIFY_SERVICE_SID'])
      expect(message).toContain(`- ${name}: `);
    expect(message).not.toContain('OTP_PROVIDER: ');
  }
  expect(faultsOf({ NODE_ENV: 'production', OTP_PROVIDER: 'console' })).toMatch(
    /OTP_PROVIDER: .*refused in production/,
  );
});

test.each(['p@ss', 'p/ss', 'p:ss', 'p?ss', 'p#ss', '100%'])(
  'MONGO_URI with the password %s has an error that explains but does not quote it',
  (password) => {
    const message = faultsOf({
      MONGO_URI: `mongodb://clerk:${password}@db.example.org:27017/study?replicaSet=rs0`,
    });
    expect(message).toMatch(/MONGO_URI: .*percent-encode it/);
    expect(message).not.toContain(password);
    expect(message).not.toContain('clerk');
  },
);

test.each([
  'mongodb://127.0.0.1:27017/?directConnection=true',
  'mongodb://[::1]:27017',
  'mongodb://clerk:p%40ss@a.example.org,b.example.org:27018/study?replicaSet=rs0&authSource=admin',
  'mongodb+srv://clerk@cluster0.example.net/study?authMechanismProperties=ENVIRONMENT:azure,X:a@b',
])('MONGO_URI=%s is accepted', (MONGO_URI) => {
  expect(read({ MONGO_URI }).mongoUri).toBe(MONGO_URI);
});
