/**
 * What compose.yaml runs, as processes of this machine: three mongods with passwords and TLS, two processes of the
 * service in production mode, and Caddy in front. Needs `caddy` on PATH.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';
import { newAgeIdentity } from '../src/platform/lib/age/identity.ts';
import { ACCOUNT_SID, AUTH_TOKEN, SERVICE_SID, startTwilioStandIn } from '../test/auth/twilio-stand-in.ts';
import { findFreePort } from '../test/free-port.ts';
import { ensureBuilt } from './ensure-built.ts';

export const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
export const folder = mkdtempSync(join(tmpdir(), 'field-survey-topology-'));
export const keys = join(folder, 'keys');
const children = new Map<string, ChildProcess>();

export function start(name: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
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

export const signal = (name: string, what: NodeJS.Signals): unknown => children.get(name)?.kill(what);

export async function end(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const child = children.get(name);
  if (!child) return;
  child.kill(signal);
  for (let waited = 0; children.has(name) && waited < 60_000; waited += 50) await sleep(50);
  child.kill('SIGKILL');
}

let stopping: Promise<void> | undefined;
export const isStopping = (): boolean => stopping !== undefined;
export function stop(): Promise<void> {
  stopping ??= stopAll();
  return stopping;
}

async function stopAll(): Promise<void> {
  say('Stopping');
  for (const kind of ['prometheus', 'caddy', 'app', 'mongo'])
    await Promise.all([...children.keys()].filter((name) => name.startsWith(kind)).map((name) => end(name)));
  if (process.exitCode) say(`The logs are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is read as the check pleases
  body: any;
  headers: NodeJS.Dict<string | string[]>;
}

/** For messages about what went wrong. */
export let lastReply = 'none';

/** Through Caddy, whose certificate must be valid. */
export function send(
  base: string,
  method: string,
  path: string,
  body?: object | string,
  token = '',
): Promise<Reply> {
  const ca = readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((settle, failed) => {
    const clientRequest = request(base + path, {
      method,
      ca,
      agent: false,
      timeout: 20_000,
      headers: {
        ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
    clientRequest.on('timeout', () => clientRequest.destroy(new Error(`${method} ${path}: no answer`)));
    clientRequest.on('error', failed);
    clientRequest.on('response', (reply) => {
      const { statusCode: status = 0, headers } = reply;
      const isJson = headers['content-type']?.includes('json');
      readText(reply)
        .then((replyText) => {
          lastReply = `${method} ${path}: ${status} ${replyText.slice(0, 1_000)}`;
          settle({ status, headers, body: isJson ? JSON.parse(replyText) : replyText });
        })
        .catch(failed);
    });
    clientRequest.end(text);
  });
}

export async function until(what: string, isSo: () => Promise<boolean>, ms = 120_000): Promise<void> {
  const begin = Date.now();
  while (!(await isSo().catch(() => false))) {
    if (stopping) throw new Error('Stopped');
    if (Date.now() - begin > ms)
      throw new Error(`${what}: not within ${ms / 1000} s. The logs are in ${folder}`);
    await sleep(100);
  }
  say(`${what} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
}

export interface TopologyOptions {
  /** Added to MONGO_URI, such as `&w=1`. */
  uriOptions?: string;
  /** For the processes of the service, beside what they need. */
  settings?: NodeJS.ProcessEnv;
}

export async function startAll({ uriOptions = '', settings: more = {} }: TopologyOptions = {}) {
  ensureBuilt();
  const log = { info: say, warn: say };
  const mongod = await findMongod({ binary: process.env.MONGOD_BINARY, dataDir: resolve('.data'), log });
  const owner = userInfo().username;
  execFileSync(resolve('deploy', 'make-keys.sh'), [keys, '127.0.0.1'], {
    env: { ...process.env, MONGO_OWNER: owner },
  });

  const members = [await findFreePort(), await findFreePort(), await findFreePort()];
  const startMember = (index: number) => {
    const name = `mongo${index + 1}`;
    mkdirSync(join(folder, name), { recursive: true });
    const files = { keyFile: 'keyfile', tlsCertificateKeyFile: '127.0.0.1.pem', tlsCAFile: 'ca.pem' };
    start(name, mongod, [
      ...['--config', 'deploy/mongod.conf', '--dbpath', join(folder, name), '--port', String(members[index])],
      ...Object.entries(files).flatMap(([option, file]) => [`--${option}`, join(keys, file)]),
      ...['--bind_ip', '127.0.0.1', '--nounixsocket'],
    ]);
  };
  for (const index of members.keys()) startMember(index);
  const password = randomBytes(24).toString('base64url');
  const hosts = members.map((port) => `127.0.0.1:${port}`).join(',');
  const mongoUri = `mongodb://field_survey:${password}@${hosts}/field_survey?replicaSet=rs0&tls=true&tlsCAFile=${join(keys, 'ca.pem')}${uriOptions}`;

  const twilio = await startTwilioStandIn();
  const [https, http, ...ports] = await Promise.all([1, 2, 3, 4].map(findFreePort));
  const url = `https://localhost:${https}`;
  const dataDir = join(folder, 'data');
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    JWT_SECRET: randomBytes(48).toString('base64url'),
    IDENTITY_KEY: randomBytes(48).toString('base64url'),
    CONTACT_KEY: randomBytes(48).toString('base64url'),
    FIELD_KEY: newAgeIdentity(),
    MONGO_URI: mongoUri,
    DATA_DIR: dataDir,
    TRUST_PROXY: '1',
    METRICS_TOKEN: randomBytes(24).toString('base64url'),
    TWILIO_ACCOUNT_SID: ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
    TWILIO_BASE_URL: twilio.url,
    ...more,
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

  const startApp = (index: number, env: NodeJS.ProcessEnv = {}, main = 'dist/src/main.js') =>
    start(`app${index + 1}`, process.execPath, [main], {
      ...settings,
      PORT: String(ports[index]),
      ...env,
    });
  for (const index of ports.keys()) startApp(index);
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
  return { url, setupToken, twilio, command, members, startMember, ports, startApp, settings };
}

export type Topology = Awaited<ReturnType<typeof startAll>>;
