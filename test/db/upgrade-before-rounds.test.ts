/**
 * An upgrade in the middle of a study: what the version before rounds really stored (upgrade/write-earlier.ts), and what
 * its phones had not sent yet.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { pendingMigrations } from '../../src/platform/db/migrate.ts';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { prepareDatabase } from '../../src/resources.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { clearStudyCache } from '../../src/study/settings/cached-study.ts';
import { ANSWERS, type Body } from '../make.ts';
import { testConfig, type Verbs, worldOfFile } from '../people.ts';

const { EJSON } = mongoose.mongo.BSON;
const { writtenAt, study, collections } = EJSON.parse(
  gunzipSync(readFileSync(new URL('upgrade/before-rounds.json.gz', import.meta.url))).toString(),
) as Body;
const FIRST = String(FIRST_ROUND_ID);
const HOUR = 3_600_000;

const world = worldOfFile({ fresh: true });
let root: Verbs;
let vera: Verbs;
let pending: string[];

/** With the session that the earlier version opened. */
function signedIn(id: string): Verbs {
  const user = collections.users.find(({ _id }: Body) => String(_id) === id);
  const sid = String(user.sessions[0].id);
  return world.bearer(
    jwt.sign({ sub: id, sid }, testConfig().jwtSecret, { algorithm: 'HS256', expiresIn: '1h' }),
  );
}

beforeAll(async () => {
  await mongoose.connection.db?.dropDatabase();
  for (const [name, records] of Object.entries<object[]>(collections))
    if (records.length > 0) await mongoose.connection.collection(name).insertMany(records);
  clearStudyCache();
  pending = (await pendingMigrations(MIGRATIONS)).map(({ name }) => name);
  world.clock.set(new Date(writtenAt.getTime() + HOUR));
  await prepareDatabase(world.clock.now());
  [root, vera] = [signedIn(study.root), signedIn(study.volunteer)];
});

const roundsOf = async (name: string) =>
  (await mongoose.connection.collection(name).distinct('round')).map(String);
const reasonOf = async (code: string) =>
  (await vera.get(`/api/validate-referral-code/${code}`).expect(200)).body.reason;
const deliver = async (row: object) => (await vera.post('/api/surveys', row).expect(201)).body;
const read = async (id: string) => (await root.get(`/api/surveys/${id}`).expect(200)).body;

test('all coupons and interviews are in round 1, which is open and has the sizes of the study', async () => {
  expect(pending).toContain('2026-11-28-first-round');
  const { body } = await root.get('/api/rounds').expect(200);
  expect(body.data).toEqual([
    expect.objectContaining({
      ...{ id: FIRST, state: 'OPEN', targetSampleSize: 300, populationSize: 4000 },
      ...{ endsOn: '2027-01-31', closedAt: null, settings: null },
    }),
  ]);
  for (const name of ['surveys', 'seeds', 'incentives', 'counts', 'referralcodes'])
    expect(await roundsOf(name)).toEqual([FIRST]);
  const codes = mongoose.connection.collection('referralcodes');
  // One of these was brought back before the phone said who had handed it out.
  expect(await codes.distinct('state', { round: null, code: { $ne: study.codes[0] } })).toEqual(['RESERVED']);
  const { body: drafts } = await root.get('/api/questionnaire-drafts').expect(200);
  expect(drafts.data).toHaveLength(1);
});

test('the upgraded collections have validators, which earlier records need not fit', async () => {
  const surveys = mongoose.connection.collection('surveys');
  const first = await surveys.findOne({});
  const copy = { ...first, _id: new mongoose.Types.ObjectId(), clientId: randomUUID(), referralCode: null };
  await expect(surveys.insertOne({ ...copy, misspelled: 1 })).rejects.toMatchObject({ code: 121 });
  const old = { ...copy, fieldOfAnEarlierVersion: 1 };
  const { insertedId } = await surveys.insertOne(old, { bypassDocumentValidation: true });
  await surveys.updateOne({ _id: insertedId }, { $inc: { version: 1 } });
  await surveys.deleteOne({ _id: insertedId });
});

test('a population count still has the interval that was calculated before', async () => {
  const { body } = await root.get(`/api/analysis/counts/${study.count}/estimate`).expect(200);
  expect(body.total).toEqual({
    estimate: expect.any(Number),
    low: expect.any(Number),
    high: expect.any(Number),
  });
});

test('coupons, unused seeds and reserved codes are still valid', async () => {
  const { first, walkIn } = study.surveys;
  for (const code of [first.issuedCodes[1], walkIn.issuedCodes[1], study.unusedSeed.referralCode])
    expect(await reasonOf(code)).toBeNull();
  expect(await reasonOf(first.issuedCodes[0])).toBe('USED');
  const interview = { location: study.site, responses: { ...ANSWERS, sheltered: 'no' } };
  const bySeed = await deliver({ ...interview, referralCode: study.unusedSeed.referralCode });
  expect(bySeed).toMatchObject({ round: FIRST, wave: 0, flags: [] });
  const recruit = await deliver({
    ...{ ...interview, referralCode: walkIn.issuedCodes[1], issuedCodes: study.codes.slice(6, 8) },
  });
  expect(recruit).toMatchObject({ round: FIRST, wave: 1, recruiter: walkIn.id, flags: [] });
  const finished = await vera
    .patch(`/api/surveys/${study.surveys.unfinished.id}`, { status: 'COMPLETED' })
    .expect(200);
  expect(finished.body).toMatchObject({ status: 'COMPLETED', round: FIRST });
});

test('phones send the interviews they stored before, in plaintext and sealed, in any order and repeatedly', async () => {
  const [recruiterOfEarly, sealed, recruitOfSealed] = study.rows;
  const late = await deliver(recruitOfSealed);
  expect((await read(late.id)).flags).toMatchObject([{ code: 'RECRUITER_PENDING' }]);
  const opened = await read((await deliver(sealed)).id);
  expect(opened).toMatchObject({ round: FIRST, wave: 3, recruiter: study.surveys.third.id, flags: [] });
  expect(opened.responses).toMatchObject({ sheltered: 'yes' });
  expect(await read(late.id)).toMatchObject({ round: FIRST, wave: 4, recruiter: opened.id, flags: [] });
  const walkIn = await deliver(recruiterOfEarly);
  const early = await read(study.surveys.early.id);
  expect(early).toMatchObject({ round: FIRST, wave: 1, recruiter: walkIn.id, flags: [] });
  for (const row of study.rows) await vera.post('/api/surveys', row).expect(200);
  for (const name of ['surveys', 'seeds', 'incentives']) expect(await roundsOf(name)).toEqual([FIRST]);
});

test('incentives owed can be paid, and a payment that a phone repeats counts once', async () => {
  for (const id of study.due) {
    const payment = { method: 'CASH', clientId: randomUUID(), location: study.site };
    for (let times = 0; times < 2; times++) {
      const { body } = await root.post(`/api/incentives/${id}/pay`, payment).expect(200);
      expect(body).toMatchObject({ id, state: 'PAID' });
    }
  }
});

test('round 1 can be closed, and then its coupons are expired', async () => {
  const { body } = await root.post(`/api/rounds/${FIRST}/close`).expect(200);
  expect(body.devices).toMatchObject([{ user: study.volunteer, unsent: study.rows.length }]);
  expect(body.couponsOut).toBeGreaterThan(0);
  world.clock.advance(60_000);
  expect(await reasonOf(study.surveys.first.issuedCodes[1])).toBe('EXPIRED');
});
