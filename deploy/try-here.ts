/**
 * `npm run topology`: what compose.yaml runs, as processes of this machine: three mongods with passwords and TLS, two
 * processes of the service in production mode, and Caddy in front. Needs `caddy` on PATH. Runs until Ctrl-C; with
 * `-- --check` it signs in, interviews, kills a process of each kind, and ends.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMongod } from '../src/db/mongod-binary.ts';
import { ACCOUNT_SID, AUTH_TOKEN, SERVICE_SID, startTwilioStandIn } from '../test/auth/twilio-stand-in.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { findFreePort } from '../test/free-port.ts';

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const folder = mkdtempSync(join(tmpdir(), 'field-survey-topology-'));
const keys = join(folder, 'keys');
const children = new Map<string, ChildProcess>();
const isCheck = process.argv.includes('--check');

function start(name: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    // Ctrl-C goes to this process alone, which stops the others in order.
    detached: true,
  });
  children.set(name, child);
  child.on('error', (error) => say(`${name}: ${error.message}`));
  child.on('exit', (code, signal) => {
    children.delete(name);
    if (stopping) return;
    say(`${name} ended (${signal ?? code})`);
    // As systemd and Docker do; what was ended on purpose stays so.
    const again = () => {
      if (!stopping) start(name, program, args, env);
    };
    if (code) setTimeout(again, 1_000);
  });
}

async function end(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const child = children.get(name);
  if (!child) return;
  child.kill(signal);
  for (let waited = 0; children.has(name) && waited < 60_000; waited += 50) await sleep(50);
  child.kill('SIGKILL');
}

let stopping: Promise<void> | undefined;
function stop(): Promise<void> {
  stopping ??= stopAll();
  return stopping;
}

async function stopAll(): Promise<void> {
  say('Stopping');
  for (const kind of ['caddy', 'app', 'mongo'])
    await Promise.all([...children.keys()].filter((name) => name.startsWith(kind)).map((name) => end(name)));
  rmSync(folder, { recursive: true, force: true });
}

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is read as the check pleases
  body: any;
  headers: NodeJS.Dict<string | string[]>;
}

/** Through Caddy, whose certificate must be valid. */
function send(
  base: string,
  method: string,
  path: string,
  body?: object | string,
  token = '',
): Promise<Reply> {
  const ca = readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((done, failed) => {
    const sent = request(base + path, {
      method,
      ca,
      agent: false,
      timeout: 20_000,
      headers: {
        ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`)));
    sent.on('error', failed);
    sent.on('response', (reply) => {
      const { statusCode: status = 0, headers } = reply;
      const isJson = headers['content-type']?.includes('json');
      readText(reply)
        .then((said) => done({ status, headers, body: isJson ? JSON.parse(said) : said }))
        .catch(failed);
    });
    sent.end(text);
  });
}

async function until(what: string, isSo: () => Promise<boolean>, ms = 120_000): Promise<void> {
  const begin = Date.now();
  while (!(await isSo().catch(() => false))) {
    if (stopping) throw new Error('Stopped');
    if (Date.now() - begin > ms)
      throw new Error(`${what}: not within ${ms / 1000} s. The logs are in ${folder}`);
    await sleep(100);
  }
  say(`${what} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
}

async function startAll() {
  // Plain JavaScript, as nothing may be installed yet when it runs elsewhere.
  const ensure = "await (await import('./scripts/ensure.mjs')).ensure({ dev: true })";
  execFileSync(process.execPath, ['--input-type=module', '-e', ensure], { stdio: 'inherit' });
  const log = { info: say, warn: say };
  const mongod = await findMongod({ binary: process.env.MONGOD_BINARY, dataDir: resolve('.data'), log });
  const owner = userInfo().username;
  execFileSync(resolve('deploy', 'make-keys.sh'), [keys, '127.0.0.1'], {
    env: { ...process.env, MONGO_OWNER: owner },
  });

  const members = [await findFreePort(), await findFreePort(), await findFreePort()];
  for (const [index, port] of members.entries()) {
    const name = `mongo${index + 1}`;
    mkdirSync(join(folder, name));
    const files = { keyFile: 'keyfile', tlsCertificateKeyFile: '127.0.0.1.pem', tlsCAFile: 'ca.pem' };
    start(name, mongod, [
      ...['--config', 'deploy/mongod.conf', '--dbpath', join(folder, name), '--port', String(port)],
      ...Object.entries(files).flatMap(([option, file]) => [`--${option}`, join(keys, file)]),
      ...['--bind_ip', '127.0.0.1', '--nounixsocket'],
    ]);
  }
  const password = randomBytes(24).toString('base64url');
  const hosts = members.map((port) => `127.0.0.1:${port}`).join(',');
  const mongoUri = `mongodb://field_survey:${password}@${hosts}/field_survey?replicaSet=rs0&tls=true&tlsCAFile=${join(keys, 'ca.pem')}`;

  const twilio = await startTwilioStandIn();
  const [https, http, ...ports] = await Promise.all([1, 2, 3, 4].map(findFreePort));
  const url = `https://localhost:${https}`;
  const dataDir = join(folder, 'data');
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    JWT_SECRET: randomBytes(48).toString('base64url'),
    IDENTITY_KEY: randomBytes(48).toString('base64url'),
    MONGO_URI: mongoUri,
    DATA_DIR: dataDir,
    TRUST_PROXY: '1',
    TWILIO_ACCOUNT_SID: ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
    TWILIO_BASE_URL: twilio.url,
  };
  const command = (...args: string[]) =>
    execFileSync(process.execPath, ['scripts/run.mjs', ...args], {
      env: { ...process.env, ...settings },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  for (const line of command('replica-set', '--admin-password-file', join(keys, 'admin-password'))
    .trim()
    .split('\n'))
    say(line);

  const startApp = (name: string, port: number | undefined) =>
    start(name, process.execPath, ['dist/src/main.js'], { ...settings, PORT: String(port) });
  startApp('app1', ports[0]);
  startApp('app2', ports[1]);
  start('caddy', 'caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    CADDY_ADMIN: `unix/${join(folder, 'caddy.sock')}`,
    PUBLIC_URL: url,
    UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
    HTTP_PORT: String(http),
    HTTPS_PORT: String(https),
  });
  await until(
    'Ready through Caddy',
    async () => (await send(url, 'GET', '/api/health/ready')).status === 200,
  );
  const link = join(dataDir, 'setup-link');
  await until('The setup link is there', async () => existsSync(link));
  const setupToken = readFileSync(link, 'utf8').trim().split('token=')[1];
  return { url, setupToken, twilio, command, restart: () => startApp('app1', ports[0]) };
}

type Topology = Awaited<ReturnType<typeof startAll>>;

function require(isSo: unknown, what: string): void {
  if (!isSo) throw new Error(`NOT SO: ${what}`);
  say(`ok: ${what}`);
}

/** From the first sign-in to an interview, and again after each kind of process was killed. */
async function check({ url, setupToken, twilio, command, restart }: Topology): Promise<void> {
  const setup = {
    token: setupToken,
    phone: '+12065550100',
    firstName: 'Ada',
    lastName: 'Field',
  };
  require((await send(url, 'POST', '/api/setup', setup)).status === 200, 'the setup link sends a code');
  await until('The code has arrived', async () => twilio.sent.length > 0);
  const account = await send(url, 'POST', '/api/setup', { ...setup, code: twilio.sent.at(-1)?.code });
  require(account.status === 201, 'the code makes the first super-admin');

  // The first code was a moment ago, so somebody else signs in.
  const phone = '+12065550101';
  const name = ['--first-name', 'Grace', '--last-name', 'Field'];
  command('users', 'create', '--phone', phone, ...name, '--role', 'SUPER_ADMIN');
  await send(url, 'POST', '/api/auth/send-otp-login', { phone });
  await until('Another code has arrived', async () => twilio.sent.length > 1);
  const login = await send(url, 'POST', '/api/auth/verify-otp-login', {
    phone,
    code: twilio.sent.at(-1)?.code,
  });
  require(login.status === 200, 'somebody whom a command created signs in');
  const { token } = login.body;
  const make = (path: string, body: object) => send(url, 'POST', path, body, token);
  const site = (await make('/api/locations', { name: 'Harbor shelter', type: 'SHELTER' })).body.id;

  let interviews = 0;
  const interview = async (): Promise<Reply> => {
    const seed = await make('/api/seeds', { location: site });
    if (seed.status !== 201) return seed;
    const { referralCode } = seed.body;
    const reply = await make('/api/surveys', { location: site, responses: EXAMPLE_RESPONSES, referralCode });
    if (reply.status === 201) interviews += 1;
    return reply;
  };
  require((await interview()).status === 201, 'an interview is stored');
  const counted = async () => {
    const { body } = await send(url, 'GET', '/api/surveys?limit=200', undefined, token);
    return body.data.length === interviews;
  };

  const page = await send(url, 'GET', '/');
  require(page.status === 200 && String(page.body).includes('<html'), 'the client is served');
  require(page.headers['strict-transport-security'] &&
    page.headers['content-security-policy'], 'with HSTS and a content policy');
  require(!page.headers.server && !page.headers.via, 'and without the name of a server');
  const large = (megabytes: number) =>
    send(url, 'POST', '/api/surveys', JSON.stringify('x'.repeat(megabytes * 1e6)), token);
  require((await large(2)).body.message, 'a body of 2 MB is refused by the service');
  // Caddy closes the connection, also while the body is still being sent.
  const tooLarge = await large(4).then(
    ({ status }) => status,
    ({ code }) => code,
  );
  require([413, 'ECONNRESET', 'EPIPE'].includes(
    tooLarge,
  ), `a body of 4 MB is refused by Caddy (${tooLarge})`);
  const isReady = async () => (await send(url, 'GET', '/api/health/ready')).status === 200;
  require((await Promise.all([1, 2, 3, 4].map(isReady))).every(Boolean), 'and harms nobody else');

  await end('app1', 'SIGKILL');
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => send(url, 'GET', '/api/surveys', undefined, token)),
  );
  require(replies.every(
    ({ status }) => status === 200,
  ), 'with one process of the service killed, 40 of 40 requests are answered');
  require((await interview()).status === 201, 'and an interview is stored');
  restart();

  await end('mongo1', 'SIGKILL');
  await until(
    'With the primary killed, an interview is stored',
    async () => (await interview()).status === 201,
    30_000,
  );
  await until('and the service is ready', isReady);
  require(await counted(), `${interviews} interviews were acknowledged, and are all there`);

  const archive = join(folder, 'study.archive');
  command('backup', '--out', archive);
  await end('app1');
  await end('app2');
  const down = await send(url, 'GET', '/api/health/ready');
  require(down.status === 503 &&
    down.headers['retry-after'] &&
    down.body.code === 'UNAVAILABLE', 'without a process, Caddy says when to try again');
  command('restore', '--from', archive, '--force');
  restart();
  await until('Ready again', isReady);
  require(await counted(), 'backup and restore work with the rights that the service has');
  require(twilio.faults.length === 0, 'Twilio would have refused nothing');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().then(() => process.exit(130)));
try {
  const topology = await startAll();
  say(`Open ${topology.url}/setup#token=${topology.setupToken}`);
  if (isCheck) {
    await check(topology);
    await topology.twilio.stop();
    await stop();
    say('All checks passed.');
  } else {
    say(`Codes appear here. The logs are in ${folder}. Ctrl-C stops everything.`);
    for (let shown = 0; !stopping; await sleep(200))
      for (; shown < topology.twilio.sent.length; shown++)
        say(`OTP ${topology.twilio.sent[shown]?.to} ${topology.twilio.sent[shown]?.code}`);
  }
} catch (error) {
  if (!stopping) {
    console.error(error instanceof Error ? error.message : error);
    for (const name of ['caddy', 'app1', 'mongo1']) {
      const file = join(folder, `${name}.log`);
      if (existsSync(file)) console.error(`${name}:\n${readFileSync(file, 'utf8').slice(-1500)}`);
    }
    await stop();
    process.exit(1);
  }
}
await stop();
process.exit(0);
