/** Events written by an earlier version get the site they are about. */
import mongoose from 'mongoose';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { suspendDbValidators } from '../../src/platform/db/validators.ts';
import { insertSurvey } from '../make.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();
// As before all migrations.
beforeAll(suspendDbValidators);

const collection = (name: string) => mongoose.connection.collection(name);
const { ObjectId } = mongoose.Types;

test('the migration adds the record’s site to each event; it is repeatable, and keeps existing sites', async () => {
  const [site, other] = [await world.place(), await world.place()];
  const author = await world.person({ location: site });
  const survey = await insertSurvey(world, { createdBy: author.id, location: other, createdAt: new Date() });
  const cases: [subject: string, record: string, site: string | null][] = [
    ['User', author.id, site],
    ['Survey', survey, other],
    ['Location', site, site],
    ['Survey', '0123456789abcdef01234567', null],
    ['Export', '0123456789abcdef01234568', null],
  ];
  await collection('auditevents').deleteMany({});
  const of = ([subject, record]: (typeof cases)[number]) => ({ subject, record: new ObjectId(record) });
  await collection('auditevents').insertMany(
    cases.map((one) => ({ ...of(one), action: 'update', changes: [] })),
  );
  const later = { subject: 'User', record: new ObjectId(author.id), location: new ObjectId(other) };
  await collection('auditevents').insertOne({ ...later });
  const migration = MIGRATIONS.find(({ name }) => name.endsWith('-where-it-happened'));
  const { db } = mongoose.connection;
  if (!migration || !db) throw new Error('there is no such migration');
  for (let times = 0; times < 2; times++) {
    await migration.run({ db, progress: () => {} });
    for (const one of cases) {
      const event = await collection('auditevents').findOne({ ...of(one), action: 'update' });
      expect(event?.location ?? null).toEqual(one[2] === null ? null : new ObjectId(one[2]));
      expect(event).toHaveProperty('location');
    }
  }
  expect(await collection('auditevents').countDocuments(later)).toBe(1);
});
