/**
 * How long the results take: `npx tsx bench/estimates.ts [surveys] [--versions 5]` on a mongod of its own, or on MONGO_URI,
 * whose database is dropped. With versions, the interviews are spread over so many versions of the questionnaire. The service answers in this process, its table has a process; each number is the middle of five, with the longest turn of
 * its event loop and the most memory of the whole process meanwhile.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import pino from 'pino';
import { consoleOtp } from '../src/access/auth/otp/otp-console.ts';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/platform/config.ts';
import { connect, ensureIndexes } from '../src/platform/db/connect.ts';
import { prepareDatabase } from '../src/resources.ts';
import { writeStudy } from './data.ts';
import { withDatabase } from './database.ts';
import { openTableOf } from './table-process.ts';

const [size = '100000'] = process.argv.slice(2).filter((one) => /^\d{3,}$/.test(one));
const VERSIONS = Number(/--versions (\d+)/.exec(process.argv.join(' '))?.[1] ?? 1);
const DATABASE = 'estimates_bench';
const SECRET = 'a secret for a benchmark alone, longer than forty characters';
const say = (text: string) => process.stdout.write(`${text}\n`);
const mb = (kilobytes: number) => Math.round(kilobytes / 1024);
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function time(name: string, ask: (round: number) => Promise<Response>): Promise<void> {
  const took: number[] = [];
  let [turn, most, bytes] = [0, 0, 0];
  for (let round = 0; round < 6; round++) {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    const watch = setInterval(() => {
      most = Math.max(most, memory());
    }, 20);
    loop.enable();
    const begin = performance.now();
    const answer = await ask(round);
    const text = await answer.text();
    const time = performance.now() - begin;
    loop.disable();
    clearInterval(watch);
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
    bytes = text.length;
    // The first one of all starts the process, and compiles.
    if (round === 0) continue;
    took.push(time);
    turn = Math.max(turn, loop.max / 1e6);
  }
  const times = took.map((one) => one.toFixed(0)).join(' ');
  say(
    `${name.padEnd(34)} ${middle(took).toFixed(0).padStart(6)} ms  (${times})  turn ${turn.toFixed(0).padStart(3)} ms  ${String(mb(most)).padStart(4)} MB  ${bytes} bytes`,
  );
}

async function measure(): Promise<void> {
  await connect(process.env.MONGO_URI ?? '', DATABASE);
  if ((await mongoose.connection.collection('surveys').estimatedDocumentCount()) !== Number(size)) {
    await mongoose.connection.dropDatabase();
    await writeStudy(mongoose.connection.getClient().db(DATABASE), Number(size), new Date());
  }
  await ensureIndexes(Object.values(mongoose.models));
  await prepareDatabase(new Date());
  const latest = await spreadOverVersions();
  const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' };
  const config = readConfig(env);
  const deps = { config, log: pino({ level: 'silent' }), otp: consoleOtp(() => {}), now: () => new Date() };
  const table = openTableOf(DATABASE);
  const server = createApp(deps).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const user = await mongoose.connection.collection('users').findOne({ role: 'SUPER_ADMIN' });
  const token = jwt.sign({ sub: String(user?._id) }, SECRET, { expiresIn: '1h', algorithm: 'HS256' });
  const { port } = server.address() as AddressInfo;
  const authorization = { authorization: `Bearer ${token}` };
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}/api/analysis/${path}`, { headers: authorization });
  await get('outcomes');
  say(`before: ${mb(memory())} MB`);
  const n = Number(size);
  await time('estimates, no population size', (round) =>
    get(`estimates?outcome=veteran&randomSeed=${round}`),
  );
  await time('estimates, SS, N = 2 n', (round) =>
    get(`estimates?outcome=veteran&randomSeed=${round}&populationSize=${2 * n}`),
  );
  await time('estimates, SS of three sizes', (round) =>
    get(
      `estimates?outcome=sleptLastNight&randomSeed=${round}&populationSizeLow=${2 * n}&populationSize=${3 * n}&populationSizeHigh=${5 * n}`,
    ),
  );
  await time('estimates of a number', (round) => get(`estimates?outcome=networkSize&randomSeed=${round}`));
  await time('compare', (round) =>
    get(`compare?outcome=veteran&by=sleptLastNight&from=2000-01-${String(round + 1).padStart(2, '0')}`),
  );
  await time('answers', () => get('answers?question=veteran&question=sleptLastNight&question=networkSize'));
  await time('outcomes', () => get('outcomes'));
  await time('report', () => get('report'));
  await time('what an activation changes', () =>
    fetch(`http://127.0.0.1:${port}/api/questionnaires/${latest}/activation`, { headers: authorization }),
  );
  const [load = 0] = os.loadavg();
  say(`${size} surveys, load ${load.toFixed(1)} on ${os.cpus().length} cores`);
  server.closeAllConnections();
  server.close();
  await table.close();
}

/** The id of the latest version. */
async function spreadOverVersions(): Promise<string> {
  const { connection } = mongoose;
  const active = await connection.collection('questionnaires').findOne({ active: true });
  if (!active) throw new Error('no questionnaire is active');
  const copies = Array.from({ length: VERSIONS - 1 }, (_, at) => ({
    ...active,
    ...{ _id: new mongoose.Types.ObjectId(), active: false, version: Number(active.version) + 1 + at },
  }));
  const ids = [active, ...copies].map(({ _id }) => _id);
  if (copies.length > 0) {
    await connection.collection('questionnaires').insertMany(copies);
    const one = { $arrayElemAt: [ids, { $floor: { $multiply: [{ $rand: {} }, ids.length] } }] };
    await connection.collection('surveys').updateMany({}, [{ $set: { questionnaire: one } }]);
  }
  return String(ids.at(-1));
}

await withDatabase(say, measure);
