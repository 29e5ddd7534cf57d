/**
 * How long the recruitment board takes: `npx tsx bench/board.ts [surveys] [--expire]` on a mongod of its own, or on
 * MONGO_URI, whose database is dropped. Each number is the middle of five, first for the parts, then for the whole.
 */

import os from 'node:os';
import mongoose from 'mongoose';
import { connect, ensureIndexes } from '../src/db/connect.ts';
import { countChains } from '../src/recruitment/chains.ts';
import { countCoupons } from '../src/recruitment/coupons.ts';
import { interviewersOf } from '../src/recruitment/interviewers.ts';
import { countInterviews, presentedTwice } from '../src/recruitment/interviews.ts';
import { paceOf } from '../src/recruitment/pace.ts';
import { countRecruits } from '../src/recruitment/recruits.ts';
import { sitesOf } from '../src/recruitment/sites.ts';
import { summaryOf } from '../src/recruitment/summary.ts';
import { treeOf } from '../src/recruitment/tree.ts';
import { windowOf } from '../src/recruitment/window.ts';
import { abilityFor } from '../src/rules/abilities.ts';
import { writeStudy } from './data.ts';
import { withDatabase } from './database.ts';

const [size = '100000'] = process.argv.slice(2).filter((one) => /^\d+$/.test(one));
const expire = process.argv.includes('--expire');
const ROUNDS = 5;
const ZONE = 'America/Los_Angeles';
const DATABASE = 'board_bench';
const say = (text: string) => process.stdout.write(`${text}\n`);

async function time(name: string, work: (round: number) => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    await work(round);
    took.push(performance.now() - begin);
  }
  const [, , middle = 0] = [...took].sort((a, b) => a - b);
  say(
    `${name.padEnd(28)} ${middle.toFixed(0).padStart(6)} ms  (${took.map((one) => one.toFixed(0)).join(' ')})`,
  );
}

async function measure(): Promise<void> {
  await connect(process.env.MONGO_URI ?? '', DATABASE);
  const now = new Date();
  if ((await mongoose.connection.collection('surveys').estimatedDocumentCount()) !== Number(size)) {
    await mongoose.connection.dropDatabase();
    const db = mongoose.connection.getClient().db(DATABASE);
    await writeStudy(db, Number(size), now);
  }
  await ensureIndexes(Object.values(mongoose.models));
  const valid = expire
    ? [{ $set: { expiresAt: { $add: ['$createdAt', 14 * 86_400_000] } } }]
    : [{ $set: { expiresAt: null } }];
  await mongoose.connection.collection('referralcodes').updateMany({}, valid);

  const all = windowOf({}, ZONE);
  await time('interviews', () => countInterviews(all, ZONE));
  await time('chains', () => countChains(all, now));
  await time('recruits', () => countRecruits(all, now));
  await time('coupons', () => countCoupons());
  await time('presented twice', () => presentedTwice());
  const ask = (query: object) => (round: number) => summaryOf({ query, now, zone: ZONE, store: `${round}` });
  await time('the whole board', ask({}));
  await time('the last week of it', ask({ from: new Date(now.getTime() - 7 * 86_400_000) }));
  const actor = superAdmin(now);
  const fresh = (round: number) => ({ now, zone: ZONE, store: `${round}` });
  const first = { limit: 100, skip: 0 } as never;
  await time('pace', (round) => paceOf(fresh(round), null));
  await time('sites, counted with pace', (round) =>
    sitesOf(fresh(round), first, { site: null, alone: false }),
  );
  await time('interviewers', (round) => interviewersOf(actor, fresh(round), first, null));
  const site = (await mongoose.connection.collection('locations').findOne({}))
    ?._id as mongoose.Types.ObjectId;
  await time('interviewers of one site', (round) => interviewersOf(actor, fresh(round), first, site));
  await time('all that a board asks for', (round) => {
    const at = fresh(round + ROUNDS);
    return Promise.all([
      summaryOf({ query: {}, ...at, site: null } as never),
      paceOf(at, null),
      sitesOf(at, first, { site: null, alone: false }),
      interviewersOf(actor, at, first, null),
    ]);
  });
  await timeTree(now);
  const [load = 0] = os.loadavg();
  say(`${size} surveys, load ${load.toFixed(1)} on ${os.cpus().length} cores`);
}

function superAdmin(now: Date) {
  const user = { _id: new mongoose.Types.ObjectId(), role: 'SUPER_ADMIN', permissions: [] } as never;
  const ability = abilityFor({ user, location: null, now, timeZone: ZONE });
  return { user, location: null, now, zone: ZONE, ability };
}

/** The tree of a chain of 10,000 interviews, of which 5,000 are shown; coloured by an answer. */
async function timeTree(now: Date): Promise<void> {
  const surveys = mongoose.connection.collection('surveys');
  const seed = (await surveys.findOne({ wave: 0 }))?.seed as mongoose.Types.ObjectId;
  const members = await surveys
    .find({}, { projection: { _id: 1 } })
    .limit(10_000)
    .toArray();
  await surveys.updateMany({ _id: { $in: members.map((one) => one._id) } }, { $set: { seed } });
  const actor = superAdmin(now);
  const questions = await mongoose.connection.collection('questionnaires').findOne({ active: true });
  const question = /"type":"radiogroup","name":"(\w+)"/.exec(JSON.stringify(questions?.definition))?.[1];
  const query = { seed: String(seed), ...(question && { question }) };
  await time('a tree of 5,000', () => treeOf(actor, seed, query));
}

await withDatabase(say, measure);
