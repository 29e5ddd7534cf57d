/** The demo: from nothing to a study that each role can look at, and commands on its database meanwhile. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, processIdentityOf } from '../../src/platform/db/embedded/process-identity.ts';
import { findFreePort } from '../free-port.ts';
import { command, openFolder, type Running, SLOW, start, until } from './kit.ts';

let folder: Awaited<ReturnType<typeof openFolder>>;
let env: NodeJS.ProcessEnv;
let demo: Running;
let port: number;

beforeAll(async () => {
  folder = await openFolder();
  env = { DATA_DIR: folder.path('data'), MONGO_URI: '', MONGOD_BINARY: process.env.TEST_MONGOD_BINARY };
  port = await findFreePort();
  demo = start('demo', ['--respondents', '90', '--days', '6', '--port', String(port)], env);
  // A whole study, day by day: a busy machine takes its time.
  await until(() => demo.said().includes('Ctrl-C'), 'the demo is up', 2 * SLOW);
}, 3 * SLOW);
afterAll(async () => {
  demo.child.kill('SIGKILL');
  const { pid } = JSON.parse(readFileSync(mongodFile(), 'utf8'));
  if (pid && isProcessAlive(processIdentityOf(pid))) process.kill(pid, 'SIGKILL');
  await folder.remove();
});
const mongodFile = () => join(folder.path('data'), 'demo', 'data', 'mongod.json');

interface Round {
  id: string;
  state: string;
}

async function get<T>(path: string, token: string | undefined): Promise<T> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await (await fetch(`http://localhost:${port}${path}`, { headers })).json()) as T;
}

async function post(path: string, body: object): Promise<{ token: string }> {
  const reply = await fetch(`http://localhost:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as { token: string };
}

test(
  'each role can sign in and sees interviews; results, payments and due incentives exist',
  async () => {
    const signIns = [...demo.said().matchAll(/^(\w+) +\S+ \S+ +(\+\d+) +(\d{6})$/gm)];
    expect(signIns.map(([, role]) => role)).toEqual(['SUPER_ADMIN', 'ADMIN', 'MANAGER', 'VOLUNTEER']);
    const totals: Record<string, number> = {};
    const tokens: string[] = [];
    for (const [, role = '', phone, code] of signIns) {
      await post('/api/auth/send-otp-login', { phone });
      const { token } = await post('/api/auth/verify-otp-login', { phone, code });
      tokens.push(token);
      const rounds = await get<{ data: Round[] }>('/api/rounds', token);
      expect(rounds.data.map(({ state }) => state)).toEqual(['OPEN', 'CLOSED']);
      const open = await get<{ total: number }>(`/api/surveys?total=true&round=${rounds.data[0]?.id}`, token);
      totals[role] = open.total;
    }
    expect(totals.SUPER_ADMIN).toBe(Number(/\((\d+) interviews/.exec(demo.said())?.[1]));
    expect(totals.SUPER_ADMIN).toBeGreaterThan(20);
    expect(totals.ADMIN).toBeGreaterThan(0);
    const results = await fetch(`http://localhost:${port}/api/analysis/estimates?outcome=countServiceUsed`, {
      headers: { Authorization: `Bearer ${tokens[0]}` },
    });
    const { sample, levels, run } = (await results.json()) as {
      sample: { populationSize: number };
      levels: { ss: number | null; interval: { low: number } | null }[];
      run: string | null;
    };
    expect({ sample, run }).toMatchObject({ sample: { populationSize: 900 }, run: expect.any(String) });
    for (const { ss } of levels) expect(ss).toEqual(expect.any(Number));
    // In a small sample, a rare answer may have no interval.
    expect(levels.some(({ interval }) => typeof interval?.low === 'number')).toBe(true);
    const { data: rounds } = await get<{ data: Round[] }>('/api/rounds', tokens[0]);
    const [to, from] = rounds.map(({ id }) => id);
    const change = await get<{ levels: { difference: { estimate: number | null } }[] }>(
      `/api/analysis/change?outcome=language&from=${from}&to=${to}`,
      tokens[0],
    );
    expect(change.levels.some(({ difference }) => difference.estimate !== null)).toBe(true);
    const old = await get<{ total: number }>(`/api/incentives?total=true&state=DUE&round=${from}`, tokens[0]);
    expect(old.total).toBe(0);
    const incentives = await fetch(`http://localhost:${port}/api/incentives?limit=200`, {
      headers: { Authorization: `Bearer ${tokens[0]}` },
    });
    const { data } = (await incentives.json()) as { data: { kind: string; state: string }[] };
    // Some recruiters may have come back for what they are owed.
    const states = new Set(data.map(({ kind, state }) => `${kind} ${state}`));
    states.delete('RECRUIT PAID');
    expect(states).toEqual(new Set(['INTERVIEW PAID', 'RECRUIT DUE']));
    const about = await fetch(`http://localhost:${port}/api/study`, {
      headers: { Authorization: `Bearer ${tokens[0]}` },
    });
    const study = (await about.json()) as { targetSampleSize: number; dueTo: string };
    // Fieldwork goes on, towards a target that is not reached yet.
    expect(study.targetSampleSize).toBeGreaterThan(totals.SUPER_ADMIN ?? 0);
    expect(Date.parse(study.dueTo)).toBeGreaterThan(Date.now());
    const cash = await fetch(`http://localhost:${port}/api/cash-days`, {
      headers: { Authorization: `Bearer ${tokens[0]}` },
    });
    const days = (await cash.json()) as { data: { state: string; difference: string }[] };
    expect(days.data).toMatchObject([{ state: 'CLOSED', difference: '-10.00' }]);
  },
  SLOW,
);

test(
  'a command uses the database of the running demo and leaves it running',
  async () => {
    const beside = { ...env, DATA_DIR: join(folder.path('data'), 'demo', 'data') };
    const { code, out } = await command('users', ['list', '--role', 'SUPER_ADMIN'], beside);
    expect(code).toBe(0);
    expect(out).toMatch(/Rosa Adeyemi/);
    const reply = await fetch(`http://localhost:${port}/api/health/ready`);
    expect(reply.status).toBe(200);
  },
  SLOW,
);

test(
  'a second demo in the same folder and production are rejected',
  async () => {
    const second = await command('demo', ['--port', String(await findFreePort())], env);
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining('Another demo is running') });
    const secrets = {
      JWT_SECRET: 'Zk3vQ9-one-made-at-random-or-nearly-so',
      IDENTITY_KEY: 'another-one-Xw7-made-at-random-or-nearly-so',
      CONTACT_KEY: 'a-third-one-Pq5-made-at-random-or-nearly-so',
      FIELD_KEY: 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY',
    };
    const account = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'x', TWILIO_VERIFY_SERVICE_SID: 'VA1' };
    const twilio = { ...secrets, OTP_PROVIDER: 'twilio', ...account };
    const production = await command('demo', [], { ...env, ...twilio, NODE_ENV: 'production' });
    expect(production).toMatchObject({
      code: 1,
      err: expect.stringContaining('with NODE_ENV=production'),
    });
  },
  SLOW,
);

test(
  'Ctrl-C stops the demo and its database',
  async () => {
    const { pid } = JSON.parse(readFileSync(mongodFile(), 'utf8'));
    expect(isProcessAlive(processIdentityOf(pid))).toBe(true);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toMatchObject({ code: 0, out: expect.stringMatching(/Stopped\.$/) });
    expect(isProcessAlive(processIdentityOf(pid))).toBe(false);
  },
  SLOW,
);

test(
  'the commands in package.json exist and have a usage text',
  () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const commands = Object.entries<string>(scripts).filter(([, line]) =>
      line.startsWith('exec node scripts/run.mjs'),
    );
    expect(commands.length).toBeGreaterThan(10);
    for (const [name, line] of commands) {
      // A signal to npm must reach the command itself, not a shell in between.
      expect(line).toBe(`exec node scripts/run.mjs ${name}`);
      expect(existsSync(`scripts/${name}.ts`)).toBe(true);
    }
    const { status, stdout } = spawnSync(process.execPath, ['scripts/run.mjs', 'users', '--help'], {
      encoding: 'utf8',
    });
    expect({ status, usage: stdout.includes('Usage: users') }).toEqual({ status: 0, usage: true });
  },
  SLOW,
);
