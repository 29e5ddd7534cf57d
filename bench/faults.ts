/**
 * Fault drills on what compose.yaml runs (deploy/topology.ts): simulated volunteers send interviews through a network
 * that cuts, delays and drops, each until it is acknowledged, while processes are killed or frozen, a disk is full, a clock
 * is wrong, certificates are renewed and an earlier version of the service writes. At the end every acknowledged interview
 * must be there once, no code redeemed twice, every tree whole, and no incentive paid twice. Prints the longest pauses.
 * Then 200 phones deliver sealed interviews with send tokens over a line that drops every third request (devices.ts).
 *
 *   npm run test:faults -- [--short] [--interviews 2000] [--only "the primary"|"200 phones"] [--former FOLDER] [--uri-options "&w=1"]
 *
 * With `--short` only the quick faults, and no more interviews than arrive meanwhile. FOLDER has an earlier version, built. With `--uri-options "&w=1"` the promise is broken on purpose. Needs `caddy` and, for
 * a wrong clock, `faketime`; as root, a full disk too. Says what it left out.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import {
  end,
  folder,
  keys,
  say,
  send,
  signal,
  startAll,
  stop,
  type Topology,
  until,
} from '../deploy/topology.ts';
import { ANSWERS, SMALL_QUESTIONNAIRE } from '../test/make.ts';
import { deliverFromDevices } from './devices.ts';
import { personRecord } from './people.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    interviews: { type: 'string', default: '2000' },
    only: { type: 'string' },
    former: { type: 'string' },
    'uri-options': { type: 'string', default: '' },
  },
});
const INTERVIEWS = Number(values.interviews);
const DEVICE_DRILL = '200 phones';
/** Of each phone. */
const DEVICE_INTERVIEWS = values.short ? 1 : 10;
const VOLUNTEERS = 20;
const SEEDS = 40;
/** Between two interviews of one volunteer, milliseconds. */
const REST_MS = 400;
/** A phone gives up waiting after this long, and tries again. */
const TIMEOUT_MS = 15_000;

/** Most replies come as they are; some connections are cut at once, some in the middle, some only after a while. */
function startBadNetwork(to: number): Promise<{ port: number; close(): void; cut: { count: number } }> {
  const cuts = { count: 0 };
  const server: Server = createServer((near: Socket) => {
    const far = connect(to, '127.0.0.1');
    const close = () => {
      near.destroy();
      far.destroy();
    };
    near.on('error', close).on('close', close);
    far.on('error', close).on('close', close);
    const luck = randomInt(100);
    if (luck < 8) {
      // Not before the request has arrived: the reply is what gets lost.
      cuts.count += 1;
      far.once('data', () => setTimeout(close, randomInt(60)));
    } else if (luck < 12) {
      cuts.count += 1;
      setTimeout(close, randomInt(40));
    }
    const delay = luck > 90 ? randomInt(1_500) : 0;
    near.on('data', (piece) => setTimeout(() => far.destroyed || far.write(piece), delay));
    far.on('data', (piece) => near.destroyed || near.write(piece));
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        port: (server.address() as { port: number }).port,
        close: () => void server.close(),
        cut: cuts,
      }),
    ),
  );
}

interface Acknowledged {
  clientId: string;
  referralCode: string;
}

interface Work {
  acknowledged: Acknowledged[];
  refusals: string[];
  /** Milliseconds from the first try to the acknowledgement. */
  slowest: number;
  /** The longest time without any acknowledgement. */
  longestPause: number;
  last: number;
}

/** Each interview until it is acknowledged, as a phone does it. */
async function volunteer(
  at: number,
  { url, tokens, site, codes, work, remaining }: Stage & { url: string; remaining: { count: number } },
): Promise<void> {
  await sleep(at * (REST_MS / VOLUNTEERS));
  while (remaining.count > 0) {
    remaining.count -= 1;
    const referralCode = codes.shift();
    if (!referralCode) {
      remaining.count += 1;
      await sleep(200);
      continue;
    }
    const clientId = randomUUID();
    const now = new Date().toISOString();
    const body = {
      ...{ clientId, referralCode, location: site, responses: ANSWERS, startedAt: now, completedAt: now },
      incentive: { method: 'CASH' },
    };
    const begin = performance.now();
    for (;;) {
      const reply = await Promise.race([
        send(url, 'POST', '/api/surveys', body, tokens[at]).catch(() => null),
        sleep(TIMEOUT_MS).then(() => null),
      ]);
      if (reply && (reply.status === 201 || reply.status === 200)) {
        const now = performance.now();
        work.slowest = Math.max(work.slowest, now - begin);
        work.longestPause = Math.max(work.longestPause, now - work.last);
        work.last = now;
        work.acknowledged.push({ clientId, referralCode });
        codes.push(...reply.body.issuedCodes);
        break;
      }
      if (
        reply &&
        reply.status >= 400 &&
        reply.status < 500 &&
        reply.status !== 408 &&
        reply.status !== 429
      ) {
        work.refusals.push(`${reply.status} ${JSON.stringify(reply.body)}`);
        break;
      }
      await sleep(300 + randomInt(700));
    }
    await sleep(REST_MS);
  }
}

interface Stage {
  admin: string;
  /** Of each volunteer. */
  tokens: string[];
  site: string;
  /** Handed out and not redeemed. */
  codes: string[];
  work: Work;
}

async function asAdmin<T>(
  topology: Topology,
  act: (client: mongoose.mongo.MongoClient) => Promise<T>,
  member?: number,
) {
  const password = readFileSync(join(keys, 'admin-password'), 'utf8').trim();
  const hosts =
    member === undefined
      ? topology.members.map((port) => `127.0.0.1:${port}`).join(',')
      : `127.0.0.1:${topology.members[member]}`;
  const how = member === undefined ? 'replicaSet=rs0' : 'directConnection=true';
  const client = new mongoose.mongo.MongoClient(
    `mongodb://admin:${password}@${hosts}/?${how}&authSource=admin&tls=true&tlsCAFile=${join(keys, 'ca.pem')}&readPreference=primaryPreferred`,
    { serverSelectionTimeoutMS: 30_000 },
  );
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

/** The index of the member that is primary now. */
async function primaryOf(topology: Topology): Promise<number> {
  for (;;) {
    const storedCount = await asAdmin(topology, async (client) => {
      const { primary } = await client.db('admin').command({ hello: 1 });
      return topology.members.findIndex((port) => String(primary).endsWith(`:${port}`));
    }).catch(() => -1);
    if (storedCount >= 0) return storedCount;
    await sleep(500);
  }
}

interface Fault {
  name: string;
  /** It takes seconds. */
  isQuick?: true;
  /** Why it can't be done on this machine. */
  missing?(): string | null;
  act(topology: Topology): Promise<void>;
}

const has = (program: string) => spawnSync('which', [program]).status === 0;
const DISK = join(folder, 'mongo3');

const FAULTS: Fault[] = [
  {
    name: 'the primary is killed with -9',
    isQuick: true,
    async act(topology) {
      const primary = await primaryOf(topology);
      await end(`mongo${primary + 1}`, 'SIGKILL');
      await sleep(6_000);
      topology.startMember(primary);
    },
  },
  {
    name: 'a process of the service is killed with -9',
    isQuick: true,
    async act({ startApp }) {
      await end('app1', 'SIGKILL');
      await sleep(3_000);
      startApp(0);
    },
  },
  {
    name: 'the primary is cut off (frozen for 20 s) and comes back',
    async act(topology) {
      const primary = `mongo${(await primaryOf(topology)) + 1}`;
      signal(primary, 'SIGSTOP');
      await sleep(20_000);
      signal(primary, 'SIGCONT');
    },
  },
  {
    name: 'the disk of a member is full',
    missing: () => (process.getuid?.() === 0 && has('mount') ? null : 'only root can mount a small disk'),
    async act(topology) {
      await end('mongo3');
      rmSync(DISK, { recursive: true });
      execFileSync('mkdir', ['-p', DISK]);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', DISK]);
      try {
        topology.startMember(2);
        await sleep(8_000);
        // Whatever it writes next finds no space.
        spawnSync('dd', ['if=/dev/zero', `of=${join(DISK, 'full')}`, 'bs=1M']);
        await sleep(8_000);
        rmSync(join(DISK, 'full'), { force: true });
        await end('mongo3', 'SIGKILL');
      } finally {
        execFileSync('umount', ['-l', DISK]);
      }
      topology.startMember(2);
    },
  },
  {
    name: 'the clock of one process is 90 minutes ahead, then right again',
    missing: () => (has('faketime') ? null : 'faketime is not installed'),
    async act({ startApp }) {
      const library = execFileSync('faketime', ['-f', '+0', 'sh', '-c', 'echo "$LD_PRELOAD"'], {
        encoding: 'utf8',
      });
      await end('app2');
      startApp(1, { LD_PRELOAD: library.trim(), FAKETIME: '+90m', DONT_FAKE_MONOTONIC: '1' });
      await sleep(12_000);
      await end('app2');
      startApp(1);
    },
  },
  {
    name: 'the certificates of the database are renewed',
    isQuick: true,
    async act(topology) {
      rmSync(join(keys, '127.0.0.1.pem'));
      execFileSync(join(process.cwd(), 'deploy', 'make-keys.sh'), [keys, '127.0.0.1'], {
        env: { ...process.env, MONGO_OWNER: os.userInfo().username },
      });
      for (const member of topology.members.keys())
        await asAdmin(topology, (client) => client.db('admin').command({ rotateCertificates: 1 }), member);
      await sleep(3_000);
    },
  },
  {
    name: 'an earlier version of the service writes beside this one',
    missing: () => (values.former ? null : 'no folder was given (--former)'),
    async act({ startApp, ports }) {
      await end('app2');
      startApp(1, {}, join(String(values.former), 'dist/src/main.js'));
      const ready = `http://127.0.0.1:${ports[1]}/api/health/ready`;
      await until('The earlier version is ready', async () => (await fetch(ready)).ok);
      await sleep(20_000);
      await end('app2');
      startApp(1);
    },
  },
];

async function prepareStage(topology: Topology): Promise<Stage> {
  const { command, url, settings } = topology;
  const name = ['--first-name', 'Ada', '--last-name', 'Field'];
  command('users', 'create', '--phone', '+12065550101', ...name, '--role', 'SUPER_ADMIN');
  const people = <T>(act: (users: mongoose.mongo.Collection) => Promise<T>) =>
    asAdmin(topology, (client) => act(client.db('field_survey').collection('users')));
  const tokenOf = (id: unknown) =>
    jwt.sign({ sub: String(id) }, String(settings.JWT_SECRET), { expiresIn: '2h' });
  const admin = await people((users) => users.findOne({ phone: '+12065550101' }));
  const token = tokenOf(admin?._id);
  const call = async (method: string, path: string, body: object) => {
    const reply = await send(url, method, path, body, token);
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const site = (await call('POST', '/api/locations', { name: 'Harbor shelter', type: 'SHELTER' })).id;
  // Each with an account of their own: one account may send 600 requests a minute.
  const tokens = await people(async (users) => {
    const location = new mongoose.Types.ObjectId(String(site));
    const volunteers = Array.from({ length: VOLUNTEERS }, (_, at) =>
      personRecord({ role: 'VOLUNTEER', phone: `+12065551${100 + at}`, location }),
    );
    await users.insertMany(volunteers);
    return volunteers.map(({ _id }) => tokenOf(_id));
  });
  const questionnaire = await call('POST', '/api/questionnaires', SMALL_QUESTIONNAIRE);
  await call('PATCH', `/api/questionnaires/${questionnaire.id}`, { active: true, confirm: true });
  const incentives = { currency: 'USD', interview: '20.00', recruit: '5.00', recruitLimit: 3 };
  await call('PATCH', '/api/study', { incentives });
  const codes: string[] = [];
  for (let seed = 0; seed < SEEDS; seed++)
    codes.push((await call('POST', '/api/seeds', { location: site })).referralCode);
  const work = { acknowledged: [], refusals: [], slowest: 0, longestPause: 0, last: performance.now() };
  return { admin: token, tokens, site, codes, work };
}

interface Stored {
  _id: Types.ObjectId;
  clientId: string;
  referralCode: string | null;
  recruiter: Types.ObjectId | null;
  seed: Types.ObjectId | null;
  wave: number | null;
  issuedCodes: string[];
}

/** What is wrong with what is stored; empty if every promise is kept. */
async function verify(topology: Topology, { work }: Stage): Promise<string[]> {
  return await asAdmin(topology, async (client) => {
    const db = client.db('field_survey');
    const surveys = await db.collection<Stored>('surveys').find({ deletedAt: null }).toArray();
    const incentives = await db.collection('incentives').find().toArray();
    const wrong: string[] = [];
    const byClientId = new Map<string, Stored[]>();
    for (const one of surveys) byClientId.set(one.clientId, [...(byClientId.get(one.clientId) ?? []), one]);
    for (const { clientId, referralCode } of work.acknowledged) {
      const copies = byClientId.get(clientId) ?? [];
      if (copies.length !== 1) wrong.push(`the interview ${clientId} is stored ${copies.length} times`);
      else if (copies[0]?.referralCode !== referralCode) wrong.push(`${clientId} has lost its code`);
    }
    const redeemed = surveys.flatMap((one) => one.referralCode ?? []);
    const twice = redeemed.length - new Set(redeemed).size;
    if (twice > 0) wrong.push(`${twice} codes are redeemed twice`);
    const byId = new Map(surveys.map((one) => [String(one._id), one]));
    const giverOf = new Map(surveys.flatMap((one) => one.issuedCodes.map((code) => [code, one] as const)));
    for (const one of surveys) {
      const giver = one.referralCode ? giverOf.get(one.referralCode) : undefined;
      if (String(one.recruiter ?? '') !== String(giver?._id ?? ''))
        wrong.push(`${one._id} does not have whoever gave its code as recruiter`);
      const recruiter = one.recruiter ? byId.get(String(one.recruiter)) : null;
      const wave = recruiter ? Number(recruiter.wave) + 1 : 0;
      if (one.wave !== wave || (recruiter && String(recruiter.seed) !== String(one.seed)))
        wrong.push(`${one._id} has a wrong place in its tree`);
    }
    const keysOf = incentives.map(({ survey, kind, recruit }) => `${survey} ${kind} ${recruit}`);
    if (new Set(keysOf).size < keysOf.length) wrong.push('an incentive is there twice');
    const paid = incentives.filter(({ kind, state }) => kind === 'INTERVIEW' && state === 'PAID');
    if (paid.length !== surveys.length)
      wrong.push(
        `${paid.length} of ${surveys.length} interviews are paid, all of which were handed the money`,
      );
    const payments = await db
      .collection('auditevents')
      .aggregate([
        { $match: { subject: 'Incentive', 'changes.after': 'PAID' } },
        { $group: { _id: '$record', times: { $sum: 1 } } },
        { $match: { times: { $gt: 1 } } },
      ])
      .toArray();
    if (payments.length > 0) wrong.push(`${payments.length} incentives were paid twice`);
    return wrong;
  });
}

function printFaults(wrong: string[]): void {
  for (const one of wrong.slice(0, 20)) console.log(`BROKEN: ${one}`);
  if (wrong.length > 20) console.log(`… and ${wrong.length - 20} more`);
}

async function drill(topology: Topology): Promise<boolean> {
  const stage = await prepareStage(topology);
  const isDevicesAlone = values.only === DEVICE_DRILL;
  const isStored = isDevicesAlone || (await drillFaults(topology, stage));
  const isDelivered = (values.only && !isDevicesAlone) || (await drillDevices(topology, stage));
  return isStored && isDelivered;
}

async function drillDevices(topology: Topology, { admin, site }: Stage): Promise<boolean> {
  const { ports, settings } = topology;
  const withDatabase = <T>(act: (db: mongoose.mongo.Db) => Promise<T>) =>
    asAdmin(topology, (client) => act(client.db('field_survey')));
  const secret = String(settings.JWT_SECRET);
  const wrong = await deliverFromDevices(
    { ports, secret, site, token: admin, withDatabase },
    DEVICE_INTERVIEWS,
  );
  printFaults(wrong);
  return wrong.length === 0;
}

async function drillFaults(topology: Topology, stage: Stage): Promise<boolean> {
  const { work } = stage;
  const caddy = Number(new URL(topology.url).port);
  const network = await startBadNetwork(caddy);
  const url = `https://localhost:${network.port}`;
  const remaining = { count: INTERVIEWS };
  const volunteers = Promise.all(
    Array.from({ length: VOLUNTEERS }, (_, at) => volunteer(at, { ...stage, url, remaining })),
  );
  console.log(
    '| Fault | Acknowledged during the fault | Longest pause | Slowest acknowledgement |\n| --- | ---: | ---: | ---: |',
  );
  const selectedFaults = FAULTS.filter(
    ({ name, isQuick }) => (!values.only || name.includes(values.only)) && (!values.short || isQuick),
  );
  for (const { name, missing, act } of selectedFaults) {
    const obstacle = missing?.() ?? null;
    if (obstacle !== null) {
      console.log(`| ${name} | left out: ${obstacle} | | |`);
      continue;
    }
    // Each begins among interviews that are stored as usual.
    await sleep(4_000);
    const before = work.acknowledged.length;
    Object.assign(work, { slowest: 0, longestPause: 0, last: performance.now() });
    await act(topology);
    await sleep(6_000);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const acknowledgedCount = work.acknowledged.length - before;
    const pause = Math.max(work.longestPause, remaining.count > 0 ? performance.now() - work.last : 0);
    console.log(`| ${name} | ${acknowledgedCount} | ${seconds(pause)} | ${seconds(work.slowest)} |`);
  }
  if (values.only || values.short) remaining.count = 0;
  await volunteers;
  network.close();
  await until('All members are up', async () =>
    asAdmin(topology, async (client) => {
      const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
      return members.every(({ state }: { state: number }) => state === 1 || state === 2);
    }),
  );
  const wrong = await verify(topology, stage);
  console.log(
    `\n${work.acknowledged.length} interviews acknowledged, ${network.cut.count} connections cut, ${work.refusals.length} refused${work.refusals[0] ? ` (${work.refusals[0]})` : ''}`,
  );
  printFaults(wrong);
  if (wrong.length === 0)
    console.log(
      'Every acknowledged interview is stored once, no code is redeemed twice, every tree is complete, nothing is paid twice.',
    );
  return wrong.length === 0 && work.refusals.length === 0 && work.acknowledged.length > 0;
}

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => void stop().then(() => process.exit(130)));
let isKept = false;
try {
  const topology = await startAll({ uriOptions: values['uri-options'] });
  isKept = await drill(topology);
  await topology.twilio.stop();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  for (const name of ['app1', 'app2', 'mongo1']) {
    const file = join(folder, `${name}.log`);
    if (existsSync(file)) console.error(`${name}:\n${readFileSync(file, 'utf8').slice(-1_500)}`);
  }
}
await stop();
process.exit(isKept ? 0 : 1);
