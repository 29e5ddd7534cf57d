/**
 * The study's table (src/statistics/study-table): how soon it is ready, what it takes of memory, how long the figures of the board
 * take and how soon a stored interview is in them. `npx tsx bench/study-table.ts [interviews] [--built]` on a mongod of
 * its own, or on MONGO_URI, whose database is dropped. `--built`: the process from `dist`. Times are the median of five.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { abilityFor } from '../src/access/rules/abilities.ts';
import { listFindings } from '../src/board/quality/list.ts';
import { seedChainsFromStudyTable } from '../src/board/recruitment/chains/chains.ts';
import { readSeedTree } from '../src/board/recruitment/chains/tree.ts';
import { listInterviewerProgress } from '../src/board/recruitment/interviewers.ts';
import { paceOf } from '../src/board/recruitment/pace/pace.ts';
import { siteProgressPage } from '../src/board/recruitment/sites.ts';
import { loadBoardSummary } from '../src/board/recruitment/summary.ts';
import { connect } from '../src/platform/db/connect.ts';
import { prepareDatabase } from '../src/resources.ts';
import { queryStudyTable } from '../src/statistics/study-table/ask.ts';
import { writeStudy } from './data.ts';
import { withDatabase } from './database.ts';
import { openTableOf } from './table-process.ts';

const [size = '100000'] = process.argv.slice(2).filter((one) => /^\d+$/.test(one));
const isBuilt = process.argv.includes('--built');
const ROUNDS = 5;
const ZONE = 'America/Los_Angeles';
const DATABASE = 'table_bench';
const say = (text: string) => process.stdout.write(`${text}\n`);
const line = (name: string, value: number, unit: string) =>
  say(`${name.padEnd(34)} ${value.toFixed(0).padStart(7)} ${unit}`);

async function time(name: string, work: (round: number) => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    await work(round);
    took.push(performance.now() - begin);
  }
  line(name, took.sort((a, b) => a - b)[2] ?? 0, 'ms');
}

/** Of the table's process, from /proc. */
function procFile(name: 'status' | 'stat'): string {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const [workerPid] = pids
    .map((pid) => [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), pid] as const)
    .filter(([command]) => command.includes('table-worker'));
  return workerPid ? readFileSync(`/proc/${workerPid[1]}/${name}`, 'utf8') : '';
}

const megabytes = (): number => Number(/VmRSS:\s+(\d+)/.exec(procFile('status'))?.[1]) / 1024;

/** In milliseconds: the fields utime and stime, in hundredths of a second. */
function processorTime(): number {
  const [utime, stime] = procFile('stat').split(') ').at(-1)?.split(' ').slice(11, 13) ?? [];
  return 10 * (Number(utime) + Number(stime));
}

async function measure(): Promise<void> {
  await connect(process.env.MONGO_URI ?? '', DATABASE);
  const now = new Date();
  if ((await mongoose.connection.collection('surveys').estimatedDocumentCount()) !== Number(size)) {
    await mongoose.connection.dropDatabase();
    await writeStudy(mongoose.connection.getClient().db(DATABASE), Number(size), now);
  }
  await makeVaried();
  await prepareDatabase(now);
  const begin = performance.now();
  const table = openTableOf(DATABASE, isBuilt);
  await queryStudyTable(seedChainsFromStudyTable, { seeds: [], now });
  line('ready after', performance.now() - begin, 'ms');
  line('processor time until ready', processorTime(), 'ms');
  let max = megabytes();
  const watch = setInterval(() => {
    max = Math.max(max, megabytes());
  }, 50);
  await sleep(3_000);
  line('memory beside the service', megabytes(), 'MB');
  await timeBoard(now);
  await timeFindings(now);
  await timeChanges(now);
  clearInterval(watch);
  line('the most memory', max, 'MB');
  await timeTree(now);
  await table.close();
  const [load = 0] = os.loadavg();
  say(`${size} interviews, load ${load.toFixed(1)} on ${os.cpus().length} cores`);
}

/** As interviews are: each takes some minutes, at some distance of a site with coordinates, and people know some others. */
async function makeVaried(): Promise<void> {
  const point = { latitude: 47.6, longitude: -122.3 };
  await mongoose.connection.collection('locations').updateMany({}, { $set: { coordinates: point } });
  const random = (max: number) => ({ $multiply: [{ $rand: {} }, max] });
  const near = (degrees: number) => ({
    $add: [degrees, { $multiply: [0.02, { $pow: [{ $rand: {} }, 8] }] }],
  });
  await mongoose.connection.collection('surveys').updateMany({}, [
    {
      $set: {
        completedAt: { $add: ['$startedAt', { $toLong: { $add: [random(3_000_000), random(3_000_000)] } }] },
        coordinates: { latitude: near(point.latitude), longitude: near(point.longitude), accuracy: 20 },
      },
    },
  ]);
}

async function timeFindings(now: Date): Promise<void> {
  const query = { limit: 50, total: 'true' } as const;
  const { total = 0 } = await listFindings(superAdmin(now), query);
  await time('a page of the findings', () => listFindings(superAdmin(now), query));
  line('findings', total, '');
}

async function timeBoard(now: Date): Promise<void> {
  const actor = superAdmin(now);
  const context = { now, zone: ZONE };
  const first = { limit: 100, skip: 0 } as never;
  const everywhere = { site: null, isOnlySite: false };
  await time('nothing changed', () => queryStudyTable(seedChainsFromStudyTable, { seeds: [], now }));
  await time('summary', () => loadBoardSummary(context, {}));
  await time('summary of the last week', () =>
    loadBoardSummary(context, { from: new Date(now.getTime() - 7 * 86_400_000) }),
  );
  await time('pace', () => paceOf(context, null));
  await time('sites', () => siteProgressPage(context, first, everywhere));
  await time('interviewers', () => listInterviewerProgress(actor, context, first, null));
  await time('all that a board asks for', () =>
    Promise.all([
      loadBoardSummary(context, {}),
      paceOf(context, null),
      siteProgressPage(context, first, everywhere),
      listInterviewerProgress(actor, context, first, null),
    ]),
  );
}

/** Interviews that another process stores: until they are in the figures. */
async function timeChanges(now: Date): Promise<void> {
  const surveys = mongoose.connection.collection('surveys');
  const some = await surveys.find().limit(1_000).toArray();
  const copies = (count: number) =>
    some.slice(0, count).map((one) => ({
      ...one,
      _id: new mongoose.Types.ObjectId(),
      clientId: randomUUID(),
      referralCode: null,
    }));
  const total = async () => (await loadBoardSummary({ now, zone: ZONE }, {})).totals.surveys;
  for (const count of [1, 1_000]) {
    const records = copies(count);
    const before = await total();
    await surveys.insertMany(records);
    await time(`summary after ${count} new`, total);
    if ((await total()) !== before + count) throw new Error('a stored interview is missing');
    const begin = performance.now();
    await surveys.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } });
    if ((await total()) !== before) throw new Error('a removed interview is counted');
    line(`removing ${count}, then summary`, performance.now() - begin, 'ms');
  }
}

function superAdmin(now: Date) {
  const user = { _id: new mongoose.Types.ObjectId(), role: 'SUPER_ADMIN', permissions: [] } as never;
  const ability = abilityFor({ user, location: null, now, timeZone: ZONE });
  return { user, location: null, now, zone: ZONE, ability };
}

/** The tree of a chain of 10,000 interviews, of which 5,000 are shown; colored by an answer. From the collections. */
async function timeTree(now: Date): Promise<void> {
  const surveys = mongoose.connection.collection('surveys');
  const seed = (await surveys.findOne({ wave: 0 }))?.seed as mongoose.Types.ObjectId;
  const members = await surveys
    .find({}, { projection: { _id: 1 } })
    .limit(10_000)
    .toArray();
  await surveys.updateMany({ _id: { $in: members.map((one) => one._id) } }, { $set: { seed } });
  const questions = await mongoose.connection.collection('questionnaires').findOne({ active: true });
  const question = /"type":"radiogroup","name":"(\w+)"/.exec(JSON.stringify(questions?.definition))?.[1];
  const query = { seed: String(seed), ...(question && { question }) };
  await time('a tree of 5,000', () => readSeedTree(superAdmin(now), seed, query, pino({ level: 'silent' })));
}

await withDatabase(say, measure);
