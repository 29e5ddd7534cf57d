/**
 * npm run doctor on a deployment that follows docs/deploy.md: a database with passwords and TLS, set up by
 * deploy/make-keys.sh and `npm run replica-set`, and the service behind a proxy with HTTPS.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import mongoose from 'mongoose';
import pino from 'pino';
import { consoleOtp } from '../../src/access/auth/otp/otp-console.ts';
import { createApp } from '../../src/app.ts';
import { connect, disconnect } from '../../src/platform/db/connect.ts';
import { BACKUPS_COLLECTION } from '../../src/platform/db/last-backup.ts';
import { prepareDatabase } from '../../src/resources.ts';
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
} from '../auth/twilio-stand-in.ts';
import { findFreePort } from '../free-port.ts';
import { testConfig } from '../people.ts';
import { command, openFolder, SLOW, start } from './kit.ts';

const PASSWORD = 'b1c2d3e4f5a6b7c8d9e0f1a2';
const SECRETS = {
  JWT_SECRET: 'aV3ry-long.and_random=value/that+nobody,guesses',
  IDENTITY_KEY: 'An0ther-long.and_random=value/that+nobody,knows',
  CONTACT_KEY: 'A-th1rd-long.and_random=value/that+nobody,reads',
  FIELD_KEY: 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY',
};
const DAY_MS = 86_400_000;
const WAY = 'sudo ';

let folder: Awaited<ReturnType<typeof openFolder>>;
let mongod: ChildProcess;
let port: number;
let twilio: TwilioStandIn;
let proxy: Server;
/** The service behind the proxy, with a different TRUST_PROXY. */
let upstream: Server;
let env: NodeJS.ProcessEnv;
let admin: mongoose.mongo.MongoClient;
/** How the proxy changes the caller's X-Forwarded-For. */
let appends = false;

const uriFor = (user: string, password: string) =>
  `mongodb://${user}:${password}@127.0.0.1:${port}/field_survey?replicaSet=rs0&tls=true&tlsCAFile=${folder.path('keys/ca.pem')}`;

beforeAll(async () => {
  folder = await openFolder();
  port = await findFreePort();
  const keys = folder.path('keys');
  execFileSync(resolve('deploy', 'make-keys.sh'), [keys, '127.0.0.1'], {
    env: { ...process.env, MONGO_OWNER: os.userInfo().username },
  });
  await mkdir(folder.path('mongo'));
  await mkdir(folder.path('backups'), { mode: 0o700 });
  await mkdir(folder.path('data'), { mode: 0o700 });
  const files = { keyFile: 'keyfile', tlsCertificateKeyFile: '127.0.0.1.pem', tlsCAFile: 'ca.pem' };
  mongod = spawn(
    process.env.TEST_MONGOD_BINARY ?? 'mongod',
    [
      ...['--config', 'deploy/mongod.conf', '--dbpath', folder.path('mongo'), '--port', String(port)],
      ...Object.entries(files).flatMap(([option, file]) => [`--${option}`, `${keys}/${file}`]),
      ...['--bind_ip', '127.0.0.1', '--nounixsocket'],
    ],
    { stdio: 'ignore' },
  );
  twilio = await startTwilioStandIn();
  env = {
    ...SECRETS,
    NODE_ENV: 'production',
    DATA_DIR: folder.path('data'),
    MONGO_URI: uriFor('field_survey', PASSWORD),
    TRUST_PROXY: '1',
    TWILIO_ACCOUNT_SID: ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
    TWILIO_BASE_URL: twilio.url,
    NODE_EXTRA_CA_CERTS: `${keys}/ca.pem`,
    PUBLIC_URL: 'https://127.0.0.1:1',
  };
  // For the process that runs several commands in turn.
  process.env.NODE_EXTRA_CA_CERTS = env.NODE_EXTRA_CA_CERTS;
  await must('replica-set', ['--admin-password-file', `${keys}/admin-password`]);
  await connect(String(env.MONGO_URI));
  await prepareDatabase(new Date());
  const adminPassword = (await readFile(`${keys}/admin-password`, 'utf8')).trim();
  admin = new mongoose.mongo.MongoClient(`${uriFor('admin', adminPassword)}&authSource=admin`);
  const pem = await readFile(`${keys}/127.0.0.1.pem`);
  proxy = https.createServer({ key: pem, cert: pem }, forward).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  env.PUBLIC_URL = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await serveWith(1);
  const recipient = await identityToRecipient(await generateX25519Identity());
  await must('backup', ['--out', folder.path('backups/study.archive.age'), '--recipient', recipient]);
}, SLOW);

afterAll(async () => {
  delete process.env.NODE_EXTRA_CA_CERTS;
  proxy?.closeAllConnections();
  proxy?.close();
  upstream?.close();
  await twilio?.stop();
  await admin?.close();
  await disconnect();
  mongod?.kill('SIGKILL');
  await once(mongod, 'exit');
  await folder.remove();
}, SLOW);

async function must(name: string, args: string[]): Promise<void> {
  const { code, err } = await command(name, args, env);
  if (code !== 0) throw new Error(`${name}: ${err}`);
}

async function serveWith(trustProxy: number | boolean): Promise<void> {
  upstream?.closeAllConnections();
  upstream?.close();
  const config = { ...testConfig(), jwtSecret: SECRETS.JWT_SECRET, rateLimits: true, trustProxy };
  const log = pino({ level: 'silent' });
  const app = createApp({ config, log, otp: consoleOtp(() => {}), now: () => new Date() });
  upstream = app.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  // Otherwise the next requests would add to the previous count.
  await mongoose.connection.collection('ratelimits').deleteMany({});
}

function forward(req: IncomingMessage, res: http.ServerResponse): void {
  const claimed = appends ? `${req.headers['x-forwarded-for']}, ` : '';
  const headers = { ...req.headers, 'x-forwarded-for': `${claimed}${req.socket.remoteAddress}` };
  const { port: to } = upstream.address() as AddressInfo;
  const outgoing = http.request({ port: to, host: '127.0.0.1', path: req.url, headers }, (reply) => {
    res.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(res);
  });
  outgoing.on('error', () => res.writeHead(502).end());
  req.pipe(outgoing);
}

interface Examined {
  code: number | null;
  out: string;
  /** The lines of each part without its name. */
  parts: Record<string, string>;
}

async function examine(more: NodeJS.ProcessEnv = {}, args: string[] = [], cwd?: string): Promise<Examined> {
  const backups = args.includes('--backups') ? [] : ['--backups', folder.path('backups')];
  // Settings that Node or the loader reads at its start need a separate process.
  const isAlone = cwd !== undefined || 'LD_PRELOAD' in more || 'NODE_EXTRA_CA_CERTS' in more;
  const all = { ...env, ...more };
  const { code, out, err } = isAlone
    ? await start('doctor', [...backups, ...args], all, cwd).ended
    : await command('doctor', [...backups, ...args], all);
  expect(err).toBe('');
  for (const secret of [PASSWORD, ...Object.values(SECRETS), AUTH_TOKEN]) expect(out).not.toContain(secret);
  const parts: Record<string, string> = {};
  for (const line of out.split('\n')) {
    const [, state, name = '', text] = /^(OK|LOOK|WRONG) +(\w+) +(.+)$/.exec(line) ?? [];
    if (state) parts[name] = `${parts[name] ? `${parts[name]}\n` : ''}${state} ${text}`;
  }
  return { code, out, parts };
}

const ALL_PARTS = [
  ...[
    'settings',
    'secrets',
    'files',
    'disk',
    'database',
    'clock',
    'certificates',
    'proxy',
    'twilio',
    'backup',
  ],
];

test(
  'a deployment made by the guide has no problems, and the output fits one screen',
  async () => {
    const { code, out, parts } = await examine();
    expect({ code, parts }).toMatchObject({
      code: 0,
      parts: {
        settings: expect.stringMatching(/^OK production, https:/),
        secrets: expect.stringMatching(/^OK /),
        files: expect.stringMatching(/^OK /),
        database: expect.stringMatching(/^OK MongoDB \d.*one member, migrated, indexed, rights as needed$/),
        clock: expect.stringMatching(/^OK /),
        certificates: expect.stringMatching(
          /^OK .*PUBLIC_URL \d+ days left, 127\.0\.0\.1:\d+ \d+ days left$/,
        ),
        proxy: expect.stringMatching(/^OK .*counts callers by their own addresses$/),
        twilio: expect.stringMatching(/^OK /),
        backup: expect.stringMatching(/^OK less than an hour old, \d+ kB, encrypted$/),
      },
    });
    expect(Object.keys(parts)).toEqual(ALL_PARTS);
    expect(out.split('\n').length).toBeLessThan(24);
    expect(twilio.sent).toEqual([]);
  },
  SLOW,
);

test(
  'lists each invalid setting and weak secret, and still checks the other parts',
  async () => {
    const { code, parts } = await examine({
      PUBLIC_URL: 'nonsense',
      JWT_SECRET: 'a'.repeat(40),
      IDENTITY_KEY: 'short',
    });
    expect(code).toBe(1);
    expect(parts.settings).toMatch(
      /^WRONG PUBLIC_URL: an address such as .* Correct it in \.env, then: sudo systemctl/,
    );
    expect(parts.secrets).toMatch(/^WRONG JWT_SECRET: is easy to guess/m);
    expect(parts.secrets).toMatch(/^WRONG IDENTITY_KEY: at least 32 bytes/m);
    expect(parts.database).toMatch(/^OK /);
    expect(Object.keys(parts)).toEqual(ALL_PARTS);
  },
  SLOW,
);

test(
  'reports secrets readable by other accounts, unknown names in .env, and a full disk',
  async () => {
    const home = folder.path('home');
    await mkdir(home);
    await writeFile(`${home}/.env`, 'TRUSTPROXY=1\n');
    await chmod(folder.path('keys/admin-password'), 0o644);
    await chmod(folder.path('backups'), 0o755);
    const { code, parts } = await examine({}, [], home);
    await chmod(folder.path('keys/admin-password'), 0o600);
    await chmod(folder.path('backups'), 0o700);
    expect(code).toBe(1);
    expect(parts.settings).toMatch(/^LOOK \.env has names that are not settings: TRUSTPROXY/);
    for (const name of ['\\.env', 'keys/admin-password', 'backups'])
      expect(parts.files).toMatch(
        new RegExp(`^WRONG Every account on this machine can read \\S*${name}\\. Run: sudo chmod o-rwx`, 'm'),
      );
    // A file system that never has free space.
    const full = await examine({}, ['--backups', '/proc']);
    expect(full.parts.disk).toMatch(
      /^WRONG Only 0\.0 GB is free at \/proc\. Find out what fills it: sudo du/,
    );
  },
  SLOW,
);

test(
  'works while the database is down, and reports it in one line, also as JSON',
  async () => {
    const { code, parts } = await examine({
      MONGO_URI: `mongodb://127.0.0.1:${await findFreePort()}/?replicaSet=rs0`,
    });
    expect(code).toBe(1);
    expect(parts.database).toMatch(
      /^WRONG It can’t be reached: ECONNREFUSED\. Find out why: sudo systemctl status mongod/,
    );
    expect(parts.clock).toMatch(/^LOOK Not known/);
    expect(parts.settings).toMatch(/^OK /);
    expect(Object.keys(parts)).toEqual(ALL_PARTS);
    const { code: again, out } = await examine({ MONGO_URI: uriFor('field_survey', 'another') }, ['--json']);
    expect(again).toBe(1);
    const { parts: reportParts } = JSON.parse(out);
    expect(reportParts.find(({ name }: { name: string }) => name === 'database')).toMatchObject({
      state: 'WRONG',
      findings: [
        { text: 'The user or the password in MONGO_URI is wrong.', fix: expect.stringContaining(WAY) },
      ],
    });
  },
  SLOW,
);

test(
  'a user with readWrite alone works without validators, but not with those of another version',
  async () => {
    await admin.db('field_survey').command({ createUser: 'plain', pwd: PASSWORD, roles: ['readWrite'] });
    const plain = { MONGO_URI: uriFor('plain', PASSWORD) };
    const { code, parts } = await examine(plain);
    expect(code).toBe(0);
    expect(parts.database).toMatch(/^LOOK The user plain may not set validators/);
    const listSites = () => command('locations', ['list'], { ...env, ...plain });
    const setValidator = (validator: object) =>
      admin.db('field_survey').command({ collMod: 'seeds', validator });
    expect(await listSites()).toMatchObject({ code: 0, err: '' });
    await setValidator({});
    expect(await listSites()).toMatchObject({
      code: 0,
      err: expect.stringMatching(/The database user may not set validators/),
    });
    await setValidator({ $jsonSchema: { required: ['fieldOfAnotherVersion'] } });
    expect(await listSites()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The collection seeds has a validator of another version/),
    });
    await prepareDatabase(new Date());
    expect(await listSites()).toMatchObject({ code: 0, err: '' });
  },
  SLOW,
);

test(
  'reports a database user with too few or too many rights, and a database of a newer version',
  async () => {
    const users = admin.db('field_survey');
    await users.command({ createUser: 'reader', pwd: PASSWORD, roles: ['read'] });
    await users.command({ createUser: 'owner', pwd: PASSWORD, roles: [{ role: 'root', db: 'admin' }] });
    const few = await examine({ MONGO_URI: uriFor('reader', PASSWORD) });
    expect(few).toMatchObject({ code: 1 });
    expect(few.parts.database).toMatch(
      /^WRONG The user reader lacks rights on the database field_survey: insert/,
    );
    const many = await examine({ MONGO_URI: uriFor('owner', PASSWORD) });
    expect(many.parts.database).toMatch(/^LOOK The user owner has rights outside the database field_survey/);
    const migrations = mongoose.connection.collection<{ _id: string }>('migrations');
    await migrations.insertOne({ _id: '2999-01-01-from-the-future' });
    const newer = await examine();
    await migrations.deleteOne({ _id: '2999-01-01-from-the-future' });
    expect(newer).toMatchObject({ code: 1 });
    expect(newer.parts.database).toMatch(/^WRONG A newer version of the service has used it/);
    const one = await migrations.findOneAndDelete({});
    const older = await examine();
    if (one) await migrations.insertOne(one);
    expect(older.parts.database).toMatch(/^LOOK 1 migrations have not run/);
  },
  SLOW,
);

const FAKETIME = execFileSync('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null || true'], {
  encoding: 'utf8',
}).trim();
const atTime = (FAKETIME_OFFSET: string) => ({
  LD_PRELOAD: FAKETIME,
  FAKETIME: FAKETIME_OFFSET,
  DONT_FAKE_MONOTONIC: '1',
});

test(
  'reports a wrong clock, and certificates that expire soon, have expired or are not trusted',
  async () => {
    const untrusted = await examine({ NODE_EXTRA_CA_CERTS: undefined });
    expect(untrusted).toMatchObject({ code: 1 });
    expect(untrusted.parts.certificates).toMatch(
      /^WRONG PUBLIC_URL: the certificate is refused \(\w+\)\. Caddy renews/,
    );
    if (!FAKETIME) return;
    const late = await examine(atTime('+10s'));
    expect(late.parts.clock).toMatch(/^LOOK It differs from the database’s by 10 seconds\. .*timedatectl/);
    const soon = await examine(atTime('+1820d'));
    expect(soon.parts.certificates).toMatch(/^LOOK PUBLIC_URL: the certificate expires in \d days\./);
    expect(soon.parts.clock).toMatch(/^WRONG /);
    // On a single machine the database's clock is the same one.
    expect(soon.parts.clock).toMatch(/^WRONG It is \d+ minutes ahead of Twilio’s\. Run: sudo timedatectl/m);
    const over = await examine(atTime('+1830d'));
    expect(over.parts.certificates).toMatch(/^WRONG PUBLIC_URL: the certificate expired \d days ago\./m);
    expect(over.parts.database).toMatch(
      /^WRONG The certificate of the database is refused: CERT_HAS_EXPIRED/,
    );
  },
  SLOW,
);

test(
  'checks TRUST_PROXY with requests through the proxy, and reports if nothing replies there',
  async () => {
    const unset = await examine({ TRUST_PROXY: undefined });
    expect(unset).toMatchObject({ code: 1 });
    expect(unset.parts.proxy).toMatch(
      /^WRONG There is a proxy, and TRUST_PROXY is not set.* Set TRUST_PROXY=loopback in \.env/,
    );
    await serveWith(false);
    const shared = await examine();
    expect(shared.parts.proxy).toMatch(/^WRONG Everyone is counted as the proxy \(127\.0\.0\.1\)/);
    await serveWith(true);
    appends = true;
    const believing = await examine();
    appends = false;
    expect(believing.parts.proxy).toMatch(/^WRONG The service believes any address that a caller claims/);
    await serveWith(1);
    const elsewhere = await examine({ MONGO_URI: process.env.TEST_MONGO_URI });
    expect(elsewhere.parts.proxy).toMatch(/^WRONG .* leads to another service, or one with another database/);
    const otherSecret = await examine({ JWT_SECRET: `${SECRETS.JWT_SECRET}x` });
    expect(otherSecret.parts.proxy).toMatch(/^WRONG .* leads to another service, .* JWT_SECRET/);
    const network = await examine({ TRUST_PROXY: '10.0.0.0/8' });
    expect(network.parts.proxy).toMatch(/^OK /);
    await serveWith(false);
    const elsewhereToo = await examine({ TRUST_PROXY: '10.0.0.0/8' });
    expect(elsewhereToo.parts.proxy).toMatch(/Add it: TRUST_PROXY=10\.0\.0\.0\/8,127\.0\.0\.1 in \.env/);
    await serveWith(1);
    const closed = await examine({ PUBLIC_URL: `https://127.0.0.1:${await findFreePort()}` });
    expect(closed.parts.proxy).toMatch(/^WRONG .* doesn’t answer: ECONNREFUSED\. .*systemctl status caddy/);
  },
  SLOW,
);

test(
  'finds nothing wrong when it is run again, also after its counters have expired',
  async () => {
    await serveWith(1);
    expect((await examine()).parts.proxy).toMatch(/^OK /);
    expect((await examine()).parts.proxy).toMatch(/^OK /);
    // MongoDB removes expired counters only once a minute.
    const counters = mongoose.connection.collection('ratelimits');
    await counters.updateMany({}, { $set: { expire: new Date(Date.now() - 1000) } });
    expect((await examine()).parts.proxy).toMatch(/^OK /);
  },
  SLOW,
);

test(
  'names unique indexes that are missing',
  async () => {
    const users = mongoose.connection.collection('users');
    await users.dropIndex('phone_live');
    const { code, parts } = await examine();
    expect({ code, database: parts.database }).toEqual({
      code: 1,
      database: expect.stringMatching(/^WRONG Unique indexes are missing.*: users\.phone_live\. /),
    });
    await prepareDatabase(new Date());
    expect((await examine()).parts.database).toMatch(/^OK /);
  },
  SLOW,
);

test(
  'with an .env that this account can’t read, reports that alone, and no command uses a new database',
  async () => {
    const home = folder.path('closed-home');
    await mkdir(join(home, '.env'), { recursive: true });
    const settings = { MONGO_URI: undefined, DATA_DIR: undefined };
    const { code, parts } = await examine(settings, [], home);
    expect({ code, parts }).toEqual({
      code: 1,
      parts: { settings: expect.stringMatching(/^WRONG This account can’t read \.env.* sudo -u survey/) },
    });
    const backup = await start('backup', [], { ...env, ...settings }, home).ended;
    expect(backup).toMatchObject({ code: 1, err: expect.stringContaining('can’t read .env') });
    expect(await readdir(home)).toEqual(['.env']);
  },
  SLOW,
);

test(
  'reports incomplete or wrong Twilio settings, and Twilio out of reach',
  async () => {
    const part = async (more: NodeJS.ProcessEnv) => (await examine(more)).parts.twilio;
    expect(await part({ TWILIO_AUTH_TOKEN: undefined })).toMatch(
      /^WRONG TWILIO_AUTH_TOKEN: needed to send codes/,
    );
    expect(await part({ TWILIO_ACCOUNT_SID: 'AC12' })).toMatch(/^WRONG TWILIO_ACCOUNT_SID is not complete/);
    expect(await part({ TWILIO_AUTH_TOKEN: 'of another account' })).toMatch(
      /^WRONG Twilio refuses the account or its token/,
    );
    twilio.codeLength = 4;
    expect(await part({})).toMatch(/^WRONG The codes of Twilio's Verify service must have 6 digits/);
    twilio.codeLength = 6;
    expect(await part({ TWILIO_BASE_URL: `http://127.0.0.1:${await findFreePort()}` })).toMatch(
      /^LOOK Twilio is out of reach: ECONNREFUSED\. See https:\/\/status\.twilio\.com/,
    );
  },
  SLOW,
);

test(
  'reports a backup that is old, missing or not encrypted',
  async () => {
    const backups = mongoose.connection.collection(BACKUPS_COLLECTION);
    const part = async () => (await examine()).parts.backup;
    const set = (age: number) => backups.updateOne({}, { $set: { at: new Date(Date.now() - age) } });
    await set(1.5 * DAY_MS);
    expect(await part()).toMatch(
      /^LOOK The last backup is 36 hours old\. .*systemctl start field-survey-backup/,
    );
    const mistyped = `age1${'q'.repeat(58)}`;
    expect((await examine({ BACKUP_RECIPIENT: mistyped })).parts.backup).toMatch(
      /WRONG BACKUP_RECIPIENT is mistyped/,
    );
    await set(10 * DAY_MS);
    expect(await part()).toMatch(/^WRONG The last backup is 10 days old/);
    await set(0);
    const file = folder.path('backups/study.archive.age');
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, 200));
    expect(await part()).toMatch(
      /^WRONG \S+study\.archive\.age is cut or damaged: it has 1 kB, and \d+ kB were written/,
    );
    await rename(file, `${file}.gone`);
    expect(await part()).toMatch(/^WRONG A backup was recorded less than an hour ago, but there is none in /);
    await rename(`${file}.gone`, file);
    await writeFile(file, whole);
    for (const day of [1, 2, 3]) {
      const former = folder.path(`backups/study-${day}.archive.age`);
      await writeFile(former, Buffer.concat([whole, whole, whole]));
      const at = new Date(Date.now() - day * DAY_MS);
      await utimes(former, at, at);
    }
    expect(await part()).toMatch(/^LOOK \S+study\.archive\.age has \d+ kB, and those before it about \d+ kB/);
    for (const day of [1, 2, 3]) await rm(folder.path(`backups/study-${day}.archive.age`));
    await backups.deleteMany({});
    expect(await part()).toMatch(/^WRONG There has never been a backup/);
    await rm(folder.path('backups/study.archive.age'));
    await must('backup', ['--out', resolve(folder.path('backups'), 'study.archive')]);
    expect(await part()).toMatch(/^LOOK \S+study\.archive is not encrypted\. Set BACKUP_RECIPIENT/);
  },
  SLOW,
);
