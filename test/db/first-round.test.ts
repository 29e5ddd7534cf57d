/** What an earlier version stored becomes round 1, in the middle of a study. */
import mongoose from 'mongoose';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { suspendDbValidators } from '../../src/platform/db/validators.ts';
import { ensureFirstRound, FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { insertSurvey } from '../make.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();
// As before all migrations.
beforeAll(suspendDbValidators);
const collection = (name: string) => mongoose.connection.collection(name);
const { ObjectId } = mongoose.Types;

test('the migration puts interviews, seeds, incentives and coupons into round 1, and reserved codes into none', async () => {
  const { db } = mongoose.connection;
  const migration = MIGRATIONS.find(({ name }) => name.endsWith('-first-round'));
  if (!migration || !db) throw new Error('there is no such migration');
  const [person, site] = [await world.person(), await world.place()];
  const at = new Date('2026-02-01T12:00:00Z');
  const survey = new ObjectId(
    await insertSurvey(world, { createdBy: person.id, location: site, createdAt: at }),
  );
  await collection('studies').updateOne({}, { $set: { targetSampleSize: 300, endsOn: '2026-12-31' } });
  await collection('seeds').insertOne({ referralCode: 'A', survey: null });
  await collection('incentives').insertOne({ survey, kind: 'INTERVIEW', recruit: null });
  const codes = [
    { code: 'A', seed: new ObjectId(), survey: null },
    { code: 'B', seed: null, survey },
    { code: 'C', seed: null, survey: null, state: 'RESERVED' },
  ];
  await collection('referralcodes').insertMany(codes);
  await collection('rounds').deleteMany({});
  for (const name of ['surveys', 'seeds', 'incentives', 'referralcodes'])
    await collection(name).updateMany({}, { $unset: { round: '' } });
  for (let times = 0; times < 2; times++) {
    await migration.run({ db, progress: () => {} });
    const [round, ...others] = await collection('rounds').find().toArray();
    expect(others).toEqual([]);
    expect(round).toMatchObject({
      ...{ _id: FIRST_ROUND_ID, state: 'OPEN', startsOn: '2026-02-01', endsOn: '2026-12-31' },
      ...{ targetSampleSize: 300, openedAt: at, closedAt: null },
    });
    for (const name of ['surveys', 'seeds', 'incentives'])
      expect(await collection(name).findOne({})).toMatchObject({ round: FIRST_ROUND_ID });
    const storedCodes = await collection('referralcodes').find().sort({ code: 1 }).toArray();
    expect(storedCodes.map(({ round: of }) => of ?? null)).toEqual([FIRST_ROUND_ID, FIRST_ROUND_ID, null]);
  }
});

test('round 1 of a new database begins on the day that it is in the time zone of the service', async () => {
  await collection('rounds').deleteMany({});
  await ensureFirstRound(new Date('2026-02-02T05:00:00Z'), 'America/Los_Angeles');
  expect(await collection('rounds').findOne({})).toMatchObject({ startsOn: '2026-02-01' });
});
