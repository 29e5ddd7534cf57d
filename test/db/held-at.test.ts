/** Records of an earlier version get the times by which interviews and coupons are counted now. */
import mongoose from 'mongoose';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { suspendDbValidators } from '../../src/platform/db/validators.ts';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T20:00:00Z');
const day = (n: number) => new Date(NOW + n * DAY);
const { ObjectId } = mongoose.Types;

let author: Person;
let site: string;
const collection = (name: string) => mongoose.connection.collection(name);
const oid = (hex: string) => new ObjectId(hex);

const world = worldOfFile();
// As before all migrations.
beforeAll(suspendDbValidators);
beforeAll(async () => {
  author = await world.person();
  site = await world.place();
});

/** A record as an earlier version stored it. */
async function survey(startedAt: Date, completedAt: Date | null, createdAt: Date): Promise<string> {
  const id = await insertSurvey(world, { createdBy: author.id, location: site, createdAt });
  const was = { $set: { startedAt, completedAt }, $unset: { heldAt: '' } };
  await collection('surveys').updateOne({ _id: oid(id) }, was as never);
  return id;
}

let codes = 0;
async function code(fields: object): Promise<Body> {
  const one = { code: `OLD0000${codes++}`, state: 'USED', seed: null, survey: null, ...fields };
  await collection('referralcodes').insertOne(one);
  return async () => await collection('referralcodes').findOne({ code: one.code });
}

async function run(): Promise<void> {
  const migration = MIGRATIONS.find(({ name }) => name.endsWith('-held-at'));
  const { db } = mongoose.connection;
  if (!migration || !db) throw new Error('there is no such migration');
  await migration.run({ db, progress: () => {} });
}

test('the migration sets the interview date to the start, or to the arrival if the clock is wrong; it is repeatable', async () => {
  const cases = [
    [await survey(day(-9), day(-8.9), day(-1)), day(-9)],
    [await survey(day(-366), null, day(-1)), day(-366)],
    [await survey(day(-366.001), null, day(-1)), day(-1)],
    [await survey(day(-5), day(-6), day(-1)), day(-1)],
    [await survey(day(-5), day(-5), day(-1)), day(-5)],
  ] as const;
  for (let times = 0; times < 2; times++) {
    await run();
    for (const [id, heldAt] of cases)
      expect(await collection('surveys').findOne({ _id: oid(id) })).toMatchObject({ heldAt });
  }
});

test('the migration counts days out between interview dates, not between arrivals', async () => {
  const issuer = oid(await survey(day(-20), day(-19.9), day(-10)));
  const odd = oid(await survey(new Date(0), new Date(1), day(-10)));
  const redeemedBy = oid(await survey(day(-17), day(-16.9), day(-1)));
  const back = { redeemedBy, redeemedAt: day(-1), createdAt: day(-30), daysOut: 18 };
  const block = await code({ ...back, survey: issuer, handedOutAt: day(-19.9) });
  const early = await code({ ...back, survey: issuer, handedOutAt: day(-19.9), createdAt: day(-18.5) });
  const wrong = await code({ ...back, survey: odd, handedOutAt: new Date(1) });
  const ofSeed = await code({ ...back, daysOut: undefined, seed: new ObjectId() });
  const live = await code({
    state: 'LIVE',
    survey: odd,
    redeemedBy: null,
    handedOutAt: new Date(1),
    createdAt: day(-30),
  });
  const { daysOut: _, ...never } = back;
  const reserved = await code({ ...never, redeemedBy: null, redeemedAt: null, state: 'RESERVED' });
  for (let times = 0; times < 2; times++) {
    await run();
    expect(await block()).toMatchObject({ returnedAt: day(-17), daysOut: 2, handedOutAt: day(-19.9) });
    expect(await early()).toMatchObject({ daysOut: 1, handedOutAt: day(-18.5) });
    expect(await wrong()).toMatchObject({ daysOut: 0, handedOutAt: day(-10) });
    expect(await ofSeed()).toMatchObject({ returnedAt: day(-17) });
    expect((await ofSeed()).daysOut ?? null).toBeNull();
    expect(await live()).toMatchObject({ handedOutAt: day(-10) });
    for (const one of [await live(), await reserved()]) expect(one).not.toHaveProperty('returnedAt');
  }
});
