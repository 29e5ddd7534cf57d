/**
 * The environment as one typed object; nothing else reads process.env. All errors are reported at once. `.env` in the
 * working directory is read first (dotenv never overwrites a variable that is set).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { getCountries } from 'libphonenumber-js/max';
import { z } from 'zod';
import { newAgeIdentity, parseAgeIdentity } from './lib/age/identity.ts';
import { mongoUriFault } from './lib/mongo-uri.ts';
import { OTP_CHANNELS, type OtpChannel } from './lib/otp-channels.ts';
import { isTimeZone } from './lib/time-zone.ts';

const undefinedIfBlank = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(undefinedIfBlank, schema.optional());

/** "12h", "30m", "45s", "7d" or a number of seconds; converted to seconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,8}[smhd]?$/, 'a number of seconds, or a number followed by s, m, h or d, such as 12h')
  .transform(
    (text) =>
      Number.parseInt(text, 10) * { s: 1, m: 60, h: 3600, d: 86_400 }[text.at(-1) as 's'] || Number(text),
  );

const oneOf = <const T extends readonly [string, ...string[]]>(...names: T) =>
  z.enum(names, `one of ${names.join(', ')}`);
const ADDRESS_EXAMPLE = 'an address such as https://survey.example.org';

/** Whether Express accepts it: addresses, networks such as 10.0.0.0/8, and its own names for some. */
function isTrustProxyList(text: string): boolean {
  if (['true', 'false'].includes(text) || /^\d+$/.test(text)) return true;
  return text.split(',').every((one) => {
    const [address = '', prefix] = one.trim().split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return prefix === undefined;
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
  });
}

/** The origin as browsers send it; null if the text is not an origin. */
function originOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bare = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
  return bare ? url.origin : null;
}

const NOT_FIELD_KEY = 'an age secret key, AGE-SECRET-KEY-1…, as age-keygen makes it';
/** Each key is tried on every interview that the others can't open. */
const MAX_FIELD_KEYS_PREVIOUS = 5;

const Environment = z.object({
  NODE_ENV: optional(
    z.enum(['production', 'development', 'test'], 'production, development or test (default: development)'),
  ),
  PORT: optional(
    z
      .string()
      .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a whole number from 0 to 65535')
      .transform(Number),
  ),
  LISTEN_ADDRESS: optional(
    z.string().refine((text) => isIP(text) > 0, 'an IP address of this machine, such as 127.0.0.1'),
  ),
  MONGO_URI: optional(
    z.string().superRefine((uri, { addIssue }) => {
      const message = mongoUriFault(uri);
      if (message) addIssue({ code: 'custom', message });
    }),
  ),
  DATA_DIR: optional(z.string()),
  MONGOD_BINARY: optional(z.string()),
  JWT_SECRET: optional(z.string().refine((s) => Buffer.byteLength(s) >= 32, 'at least 32 bytes')),
  JWT_SECRET_PREVIOUS: optional(z.string().refine((s) => Buffer.byteLength(s) >= 32, 'at least 32 bytes')),
  JWT_TTL: optional(duration),
  BACKUP_RECIPIENT: optional(z.string().regex(/^age1[0-9a-z]{50,}$/, 'an age public key, age1…')),
  IDENTITY_KEY: optional(z.string().refine((s) => Buffer.byteLength(s) >= 32, 'at least 32 bytes')),
  CONTACT_KEY: optional(z.string().refine((s) => Buffer.byteLength(s) >= 32, 'at least 32 bytes')),
  FIELD_KEY: optional(
    z
      .string()
      .trim()
      .refine((key) => parseAgeIdentity(key), NOT_FIELD_KEY),
  ),
  FIELD_KEYS_PREVIOUS: optional(
    z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every((key) => parseAgeIdentity(key)), `${NOT_FIELD_KEY}, separated by commas`)
      .refine(({ length }) => length <= MAX_FIELD_KEYS_PREVIOUS, `at most ${MAX_FIELD_KEYS_PREVIOUS} keys`),
  ),
  OTP_PROVIDER: optional(oneOf('twilio', 'console')),
  TWILIO_ACCOUNT_SID: optional(z.string().regex(/^AC/, 'starts with AC')),
  TWILIO_AUTH_TOKEN: optional(z.string()),
  TWILIO_VERIFY_SERVICE_SID: optional(z.string().regex(/^VA/, 'starts with VA')),
  TWILIO_BASE_URL: optional(z.url(ADDRESS_EXAMPLE)),
  MESSAGE_PROVIDER: optional(oneOf('console', 'twilio')),
  TWILIO_MESSAGING_SERVICE_SID: optional(z.string().regex(/^MG/, 'starts with MG')),
  TIME_ZONE: optional(z.string().refine(isTimeZone, 'an IANA time zone, such as America/Los_Angeles')),
  DEFAULT_REGION: optional(
    z
      .string()
      .refine((r) => (getCountries() as string[]).includes(r), 'a two-letter country code, such as US'),
  ),
  OTP_COUNTRIES: optional(
    z
      .string()
      .transform((text) => text.split(',').map((country) => country.trim().toUpperCase()))
      .refine(
        (countries) => countries.every((one) => (getCountries() as string[]).includes(one)),
        'two-letter country codes separated by commas, such as US,CA,PR',
      ),
  ),
  OTP_CHANNELS: optional(
    z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
      .refine(
        (channels) =>
          channels.includes('sms') && channels.every((one) => OTP_CHANNELS.some((name) => name === one)),
        'sms, or sms,call',
      )
      .transform((channels) => OTP_CHANNELS.filter((name) => channels.includes(name))),
  ),
  OTP_DAILY_LIMIT: optional(
    z
      .string()
      .refine(
        (text) => /^[1-9]\d{0,6}$/.test(text) && Number(text) >= 20,
        'a whole number from 20 to 9999999',
      )
      .transform(Number),
  ),
  TRUST_PROXY: optional(
    z
      .string()
      .refine(isTrustProxyList, 'true, false, the number of proxies, or their addresses separated by commas'),
  ),
  CORS_ORIGINS: optional(
    z
      .string()
      .transform((text) => text.split(',').map((origin) => originOf(origin.trim())))
      .refine(
        (origins) => !origins.includes(null),
        'origins separated by commas, such as https://desk.example.org',
      )
      .transform((origins) => origins.filter((origin) => origin !== null)),
  ),
  LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  RATE_LIMITS: optional(oneOf('on', 'off')),
  METRICS_TOKEN: optional(z.string().trim()),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/, error: ADDRESS_EXAMPLE })),
});

export interface Config {
  production: boolean;
  port: number;
  /** Undefined: all addresses of the machine. */
  listenAddress: string | undefined;
  /** The service's public URL, without a trailing slash; links and QR codes start with it. */
  publicUrl: string;
  /** If absent, the service starts its own mongod under dataDir. */
  mongoUri: string | undefined;
  dataDir: string;
  mongodBinary: string | undefined;
  jwtSecret: string;
  /** Tokens signed with it are still accepted, but none are signed with it. */
  jwtSecretPrevious: string | undefined;
  /** In seconds. */
  jwtTtl: number;
  /** Backups are encrypted for this age public key. */
  backupRecipient: string | undefined;
  /** The key for hashing identity answers. Not stored in the database or in backups. */
  identityKey: string;
  /**
   * The key that encrypts the phone numbers of respondents, and gift cards. Not stored in the database or in backups.
   */
  contactKey: string;
  /** The age identity for which phones encrypt answers. Not stored in the database or in backups. */
  fieldKey: string;
  /** Previous keys, to open what phones have encrypted for them. */
  fieldKeysPrevious: string[];
  otp:
    | { provider: 'console' }
    | {
        provider: 'twilio';
        accountSid: string;
        authToken: string;
        serviceSid: string;
        baseUrl: string | undefined;
      };
  /** How respondents get texts. */
  messages:
    | { provider: 'console' }
    | {
        provider: 'twilio';
        accountSid: string;
        authToken: string;
        serviceSid: string;
        baseUrl: string | undefined;
      };
  /** One-time codes and texts to respondents are only sent to these countries. */
  otpCountries: string[];
  /** How people can get codes; always includes SMS. */
  otpChannels: OtpChannel[];
  /** Codes per day for all new people together, and the same number again for all people with an account. */
  otpDailyLimit: number;
  /** Used for studies without a time zone. Always read it through src/study/settings/time-zone.ts. */
  timeZone: string;
  defaultRegion: string;
  /**
   * Express's setting: false, true, a number of hops or a list of addresses. Absent: unknown whether there is a proxy.
   */
  trustProxy: boolean | number | string | undefined;
  corsOrigins: string[];
  logLevel: string;
  rateLimits: boolean;
  /** If absent, GET /metrics is 404. */
  metricsToken: string | undefined;
}

export class ConfigError extends Error {
  /** Each begins with the name of the setting. */
  readonly faults: string[];

  constructor(message: string, faults = [message]) {
    super(message);
    this.faults = faults;
  }
}

export const ENVIRONMENT_SETTINGS: readonly string[] = Object.keys(Environment.shape);

/**
 * Reads and checks the variables; throws one ConfigError with all errors and how to fix them. If `mayCreate` is false,
 * missing secrets are generated but not stored.
 */
export function readConfig(env: NodeJS.ProcessEnv, mayCreate = true): Config {
  const parsed = Environment.safeParse(env);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const e = (parsed.success ? parsed.data : {}) as Partial<z.infer<typeof Environment>>;

  const isSet = (name: string) => Boolean(env[name]?.trim());
  const production = env.NODE_ENV?.trim() === 'production';
  const twilio = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'];
  const provider = env.OTP_PROVIDER?.trim() || (production || twilio.every(isSet) ? 'twilio' : 'console');
  if (provider === 'twilio')
    for (const name of twilio)
      if (!isSet(name)) faults.push(`${name}: needed to send codes (OTP_PROVIDER=twilio)`);
  const messageProvider = env.MESSAGE_PROVIDER?.trim() || 'console';
  if (messageProvider === 'twilio')
    for (const name of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_MESSAGING_SERVICE_SID'])
      if (!isSet(name) && !faults.some((fault) => fault.startsWith(`${name}:`)))
        faults.push(`${name}: needed to text respondents (MESSAGE_PROVIDER=twilio)`);
  if (production) faults.push(...productionFaults(env, isSet, provider));
  if (faults.length > 0) {
    throw new ConfigError(
      `The settings have ${faults.length} error(s):\n${faults.map((f) => `  - ${f}`).join('\n')}`,
      faults,
    );
  }

  const port = e.PORT ?? 3000;
  const dataDir = resolve(e.DATA_DIR ?? '.data');
  return {
    production,
    port,
    listenAddress: e.LISTEN_ADDRESS,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    mongoUri: e.MONGO_URI,
    dataDir,
    mongodBinary: e.MONGOD_BINARY,
    jwtSecret: e.JWT_SECRET ?? readOrCreateSecret(dataDir, SECRETS.jwt, mayCreate),
    jwtSecretPrevious: e.JWT_SECRET_PREVIOUS,
    jwtTtl: e.JWT_TTL ?? 12 * 3600,
    backupRecipient: e.BACKUP_RECIPIENT,
    identityKey: e.IDENTITY_KEY ?? readOrCreateSecret(dataDir, SECRETS.identity, mayCreate),
    contactKey: e.CONTACT_KEY ?? readOrCreateSecret(dataDir, SECRETS.contact, mayCreate),
    fieldKey: e.FIELD_KEY ?? readOrCreateSecret(dataDir, SECRETS.field, mayCreate),
    fieldKeysPrevious: e.FIELD_KEYS_PREVIOUS ?? [],
    otp:
      provider === 'twilio'
        ? {
            provider,
            accountSid: e.TWILIO_ACCOUNT_SID ?? '',
            authToken: e.TWILIO_AUTH_TOKEN ?? '',
            serviceSid: e.TWILIO_VERIFY_SERVICE_SID ?? '',
            baseUrl: e.TWILIO_BASE_URL,
          }
        : { provider: 'console' },
    messages:
      messageProvider === 'twilio'
        ? {
            provider: messageProvider,
            accountSid: e.TWILIO_ACCOUNT_SID ?? '',
            authToken: e.TWILIO_AUTH_TOKEN ?? '',
            serviceSid: e.TWILIO_MESSAGING_SERVICE_SID ?? '',
            baseUrl: e.TWILIO_BASE_URL,
          }
        : { provider: 'console' },
    otpCountries: e.OTP_COUNTRIES ?? [e.DEFAULT_REGION ?? 'US'],
    otpChannels: e.OTP_CHANNELS ?? ['sms'],
    otpDailyLimit: e.OTP_DAILY_LIMIT ?? 2_000,
    timeZone: e.TIME_ZONE ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    defaultRegion: e.DEFAULT_REGION ?? 'US',
    trustProxy: trustProxy(e.TRUST_PROXY),
    corsOrigins: e.CORS_ORIGINS ?? [],
    logLevel: e.LOG_LEVEL ?? 'info',
    rateLimits: e.RATE_LIMITS !== 'off',
    metricsToken: e.METRICS_TOKEN,
  };
}

/** Settings that are only acceptable for trying out the service. */
function productionFaults(
  env: NodeJS.ProcessEnv,
  isSet: (name: string) => boolean,
  provider: string,
): string[] {
  const faults: string[] = [];
  if (provider === 'console')
    faults.push(
      'OTP_PROVIDER: console prints codes on the screen and is refused in production; set it to twilio',
    );
  for (const name of ['JWT_SECRET', 'IDENTITY_KEY', 'CONTACT_KEY']) {
    if (!isSet(name)) faults.push(`${name}: is required in production, 32 bytes or more`);
    else if (isGuessableSecret(env[name] ?? '')) faults.push(`${name}: ${GUESSABLE}`);
  }
  if (!isSet('FIELD_KEY')) faults.push(`FIELD_KEY: is required in production, ${NOT_FIELD_KEY}`);
  if (isSet('JWT_SECRET_PREVIOUS') && isGuessableSecret(env.JWT_SECRET_PREVIOUS ?? ''))
    faults.push('JWT_SECRET_PREVIOUS: is easy to guess; leave it out, and everybody signs in again');
  if (isSet('IDENTITY_KEY') && env.JWT_SECRET === env.IDENTITY_KEY)
    faults.push('IDENTITY_KEY: must not be the same as JWT_SECRET');
  if (isSet('CONTACT_KEY') && [env.JWT_SECRET, env.IDENTITY_KEY].includes(env.CONTACT_KEY))
    faults.push('CONTACT_KEY: must not be the same as JWT_SECRET or IDENTITY_KEY');
  if (!isSet('PUBLIC_URL'))
    faults.push(
      `PUBLIC_URL: is required in production, ${ADDRESS_EXAMPLE}: links and QR codes begin with it`,
    );
  if (env.RATE_LIMITS === 'off') faults.push('RATE_LIMITS: off is refused in production');
  return faults;
}

const GUESSABLE = `is easy to guess; make one with: node -p "crypto.randomBytes(48).toString('base64url')"`;

/** Whether the secret repeats a part or has few different characters, which random secrets don't. */
export const isGuessableSecret = (secret: string) => new Set(secret).size < 8 || /^(.+?)\1+$/s.test(secret);

function trustProxy(text: string | undefined): Config['trustProxy'] {
  if (text === undefined) return undefined;
  if (text === 'false') return false;
  if (text === 'true') return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

function randomSecret(): string {
  return randomBytes(48).toString('base64url');
}

function isLongEnough(secret: string): boolean {
  return Buffer.byteLength(secret) >= 32;
}

/** Secrets that are created if not given: their file in DATA_DIR, and the consequence of replacing a broken one. */
const SECRETS = {
  jwt: {
    name: 'jwt-secret',
    generate: randomSecret,
    isWhole: isLongEnough,
    cut: 'anyone could sign tokens with it. Delete it, and the service creates a new one; everyone then has to sign in again.',
  },
  identity: {
    name: 'identity-key',
    generate: randomSecret,
    isWhole: isLongEnough,
    cut: 'identity answers could be guessed with it. Put the old file back, or delete it, and the service creates a new one; it then no longer recognizes people interviewed before.',
  },
  contact: {
    name: 'contact-key',
    generate: randomSecret,
    isWhole: isLongEnough,
    cut: 'phone numbers and gift cards can’t be opened. Put the old file back, or delete it, and the service creates a new one; nobody can be texted then who agreed before, and stored gift cards can’t be shown.',
  },
  field: {
    name: 'field-key',
    generate: newAgeIdentity,
    isWhole: (secret: string) => parseAgeIdentity(secret) !== null,
    cut: 'interviews that phones have sealed for it can’t be opened. Put the old file back, or delete it, and the service creates a new one; phones then seal what they have again, once their people have signed in or unlocked them.',
  },
};

/** Created once and stored, so that tokens and identity hashes stay valid after a restart. */
function readOrCreateSecret(
  dataDir: string,
  { name, generate, isWhole, cut }: (typeof SECRETS)[keyof typeof SECRETS],
  mayCreate: boolean,
): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    const value = generate();
    if (!mayCreate) return value;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Written to a temporary file and linked, so that the file is never incomplete, and two processes that start at
    // once use the same secret.
    const aside = `${file}.${randomUUID()}`;
    writeFileSync(aside, value, { mode: 0o600, flag: 'wx' });
    try {
      linkSync(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(aside, { force: true });
    }
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (isWhole(secret)) return secret;
  throw new ConfigError(`${file} is cut off: ${cut}`);
}
