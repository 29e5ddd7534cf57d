/**
 * Random histories: 48 devices, most of them offline for hours, hold interviews while rounds are closed, reopened and
 * opened. Whatever the order in which everything arrives, each interview is in the round of its chain.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type Random, randomFrom } from '../../scripts/simulate/random.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../../src/coupons/referral-codes/model.ts';
import { SeedModel } from '../../src/coupons/seeds/model.ts';
import { SurveyModel, type SurveyRecord } from '../../src/interviews/surveys/model.ts';
import { loadRounds } from '../../src/study/rounds/model.ts';
import { isRoundClosedAt, roundAt } from '../../src/study/rounds/spans.ts';
import { ANSWERS, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
const DEVICES = 48;
const STEPS = 300;
const MINUTE = 60_000;
/** `HISTORIES=3,4,5` runs others. */
const HISTORIES = (process.env.HISTORIES ?? '1,2').split(',').map(Number);

interface Device {
  person: Person;
  stock: string[];
  outbox: object[];
}

let root: Person;
let site: string;

beforeAll(async () => {
  world.clock.set('2026-11-02T18:00:00Z');
  site = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN', location: site, createdAt: new Date('2025-01-01') });
  await smallQuestionnaire(world);
  const early = { $set: { createdAt: new Date('2025-01-01') } };
  await mongoose.connection.collection('studies').updateOne({}, early);
  await mongoose.connection
    .collection('rounds')
    .updateOne({}, { $set: { openedAt: new Date('2026-01-01') } });
});

async function newDevice(): Promise<Device> {
  const person = await world.person({ role: 'VOLUNTEER', location: site, createdAt: new Date('2025-01-01') });
  const { body } = await person.post('/api/referral-codes/blocks', { count: 40 }).expect(201);
  return { person, stock: body.codes, outbox: [] };
}

/** Coupons that people have in their pockets, and everything that was held. */
interface World {
  devices: Device[];
  pockets: string[];
  held: number;
}

const pick = <T>(random: Random, from: T[]): T => random.pick(from);

function holdInterview(random: Random, study: World): Device {
  const device = pick(random, study.devices);
  const at = world.clock.now().toISOString();
  const brings = random.next() < 0.7 && study.pockets.length > 0;
  const couponCodes = device.stock.splice(0, Math.floor(random.next() * 3));
  device.outbox.push({
    ...{ clientId: randomUUID(), location: site, responses: ANSWERS, onCodeProblem: 'FLAG' },
    ...{ startedAt: at, completedAt: at, issuedCodes: couponCodes },
    ...(brings ? { referralCode: pick(random, study.pockets) } : {}),
  });
  study.pockets.push(...couponCodes);
  study.held += 1;
  return device;
}

async function send({ person, outbox }: Device): Promise<void> {
  for (const body of outbox.splice(0)) await person.post('/api/surveys', body).expect(201);
}

async function changeRound(random: Random): Promise<void> {
  const latest = (await loadRounds()).at(-1);
  if (latest?.state === 'OPEN') await root.post(`/api/rounds/${latest._id}/close`).expect(200);
  else if (random.next() < 0.4) await root.post(`/api/rounds/${latest?._id}/reopen`).expect(200);
  else await root.post('/api/rounds', { name: 'Next', startsOn: '2026-11-02' }).expect(201);
}

async function violations(study: World): Promise<string[]> {
  const rounds = await loadRounds();
  const surveys = await SurveyModel.find().lean<SurveyRecord[]>();
  const byId = new Map(surveys.map((one) => [String(one._id), one]));
  const wrong: string[] = [];
  if (surveys.length !== study.held) wrong.push(`${surveys.length} of ${study.held} are stored`);
  for (const { _id, round, recruiter, referralCode, heldAt, flags } of surveys) {
    const above = recruiter && byId.get(String(recruiter));
    if (above && !above.round.equals(round)) wrong.push(`${_id} is not in the round of its recruiter`);
    const isFlagged = flags.some(({ code }) => code === 'NO_ROUND');
    if (isRoundClosedAt(rounds, round, heldAt) && !isFlagged) wrong.push(`${_id} counts in a closed round`);
    const isAlone =
      referralCode === null || (!recruiter && flags.some(({ code }) => code === 'RECRUITER_PENDING'));
    if (isAlone && !isFlagged && !roundAt(rounds, heldAt).round.equals(round))
      wrong.push(`${_id} is not in the round of its day`);
  }
  const seeds = await SeedModel.find().lean();
  for (const { _id, survey, round } of seeds)
    if (survey && !byId.get(String(survey))?.round.equals(round)) wrong.push(`seed ${_id} is elsewhere`);
  const codes = await ReferralCodeModel.find().lean<ReferralCodeRecord[]>();
  for (const { code, survey, round, state } of codes) {
    if (survey && !byId.get(String(survey))?.round.equals(round as never)) wrong.push(`${code} is elsewhere`);
    if (state === 'RESERVED' && round) wrong.push(`${code} has a round in stock`);
  }
  return wrong;
}

test.each(HISTORIES)(
  'whatever the history, each interview is in the round of its chain (%d)',
  async (seed) => {
    const random = randomFrom(`history ${seed}`);
    await SurveyModel.deleteMany({});
    await SeedModel.deleteMany({});
    await ReferralCodeModel.deleteMany({});
    const study: World = { devices: [], pockets: [], held: 0 };
    for (let at = 0; at < DEVICES; at++) study.devices.push(await newDevice());
    for (let step = 0; step < STEPS; step++) {
      world.clock.advance(MINUTE * Math.ceil(random.next() * 30));
      const chance = random.next();
      if (chance < 0.75) {
        const device = holdInterview(random, study);
        if (random.next() < 0.3) await send(device);
      } else if (chance < 0.94) await send(pick(random, study.devices));
      else await changeRound(random);
    }
    for (const device of study.devices) await send(device);
    expect(await violations(study)).toEqual([]);
    const rounds = await loadRounds();
    const used = new Set((await SurveyModel.distinct('round')).map(String));
    expect(rounds.length).toBeGreaterThan(1);
    expect(used.size).toBeGreaterThan(1);
  },
  120_000,
);
