/**
 * How long take-code holds the lock of recruitment: `npx tsx bench/take-code.ts [people below ...]` on a mongod of its
 * own, or on MONGO_URI, whose database is dropped. Three recruits each; five times back and forth for each size.
 */
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import mongoose, { type Types } from 'mongoose';
import { abilityFor } from '../src/access/rules/abilities.ts';
import { generateCode } from '../src/coupons/referral-codes/code.ts';
import { takeOverCode } from '../src/interviews/surveys/change/take-code.ts';
import { newFlag, SurveyModel } from '../src/interviews/surveys/model.ts';
import { connect, ensureIndexes } from '../src/platform/db/connect.ts';
import type { Actor } from '../src/platform/rights/actor.ts';
import { surveyRecord } from '../test/make.ts';
import { withDatabase } from './database.ts';

const { ObjectId } = mongoose.Types;
const sizes = process.argv.slice(2).map(Number);
const ROUNDS = 5;
const ZONE = 'America/Los_Angeles';
const CODE = generateCode(randomBytes);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Whoever holds the code has all the people below; another one presented it too. */
async function write(below: number, now: Date): Promise<{ giver: Types.ObjectId; taker: Types.ObjectId }> {
  const seed = new ObjectId();
  const giver = surveyRecord({ referralCode: CODE, seed, wave: 0 }, now);
  const taker = surveyRecord({ flags: [newFlag('REFERRAL_CODE_USED', CODE, now)] }, now);
  const tree = [giver];
  for (let at = 0; at < below; at++) {
    const recruiter = tree[Math.floor(at / 3)] ?? giver;
    tree.push(surveyRecord({ seed, recruiter: recruiter._id, wave: (recruiter.wave ?? 0) + 1 }, now));
  }
  await SurveyModel.collection.insertMany([...tree, taker]);
  return { giver: giver._id, taker: taker._id };
}

function superAdmin(now: Date): Actor {
  const user = { _id: new ObjectId(), role: 'SUPER_ADMIN', permissions: [] } as never;
  return {
    user,
    location: null,
    now,
    zone: ZONE,
    ability: abilityFor({ user, location: null, now, timeZone: ZONE }),
  };
}

async function measure(): Promise<void> {
  await connect(process.env.MONGO_URI ?? '', 'take_code_bench');
  for (const below of sizes.length > 0 ? sizes : [1_000, 8_000]) {
    await mongoose.connection.dropDatabase();
    await ensureIndexes(Object.values(mongoose.models));
    const now = new Date();
    let { giver: from, taker: to } = await write(below, now);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      await takeOverCode(superAdmin(now), String(to), { from: String(from), reason: 'bench' }, undefined);
      took.push(performance.now() - begin);
      [from, to] = [to, from];
    }
    const times = took.map((one) => (one / 1000).toFixed(2)).join(' ');
    say(
      `${String(below).padStart(6)} below: losing the place, then getting it back, alternating (s): ${times}`,
    );
  }
  const [load = 0] = os.loadavg();
  say(`load ${load.toFixed(1)} on ${os.cpus().length} cores`);
}

await withDatabase(say, measure);
