import { Surveys } from '../../src/interviews/surveys/model.ts';
import { findByIdBatched } from '../../src/platform/db/batched-reads.ts';
import { Questionnaires, requireQuestionnaire } from '../../src/questionnaires/model.ts';
import { Locations } from '../../src/study/locations/model.ts';
import { STUDY_ID, Studies } from '../../src/study/settings/model.ts';
import { closeDatabase, collection, HERE, ME, newId, openDatabase, storedSurvey } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

/** How many commands `work` sends through the collections. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const restore = [Surveys, Locations, Studies, Questionnaires].map(({ collection }) => {
    const real = { find: collection.find, aggregate: collection.aggregate };
    const counted = Object.entries(real).map(([name, ask]) => [
      name,
      (...args: never[]) => {
        count += 1;
        return Reflect.apply(ask, collection, args);
      },
    ]);
    Object.assign(collection, Object.fromEntries(counted));
    return () => Object.assign(collection, real);
  });
  await work();
  for (const one of restore) one();
  return count;
}

test('records of several collections requested in one tick are read with one command', async () => {
  const survey = await storedSurvey(ME, HERE);
  await collection('locations').insertOne({ _id: HERE, name: 'Pier 9', deletedAt: null });
  await collection('studies').insertOne({ _id: STUDY_ID, name: 'Shore' } as never);
  const active = { _id: newId(), name: 'A', version: 1, active: true, definition: {}, deletedAt: null };
  const other = { ...active, _id: newId(), version: 2, active: false };
  await collection('questionnaires').insertMany([active, other]);
  await requireQuestionnaire(String(other._id)); // Its definition is read by itself, once.
  await requireQuestionnaire(undefined);

  const together = async () =>
    await Promise.all([
      findByIdBatched(Surveys, survey),
      findByIdBatched(Locations, HERE),
      findByIdBatched(Studies, STUDY_ID),
      requireQuestionnaire(undefined),
      requireQuestionnaire(String(other._id)),
      // A survey's id is not a location's, even if both are read together.
      findByIdBatched(Locations, survey),
      findByIdBatched(Surveys, HERE),
    ]);
  const results: Awaited<ReturnType<typeof together>>[] = [];
  expect(await commandsOf(async () => results.push(await together()))).toBe(1);
  expect(results[0]).toMatchObject([
    { _id: survey, createdBy: ME },
    { _id: HERE, name: 'Pier 9' },
    { name: 'Shore' },
    { version: 1, active: true },
    { version: 2, active: false },
    undefined as never,
    undefined as never,
  ]);
});

test('five hundred ids of two collections at once are all found', async () => {
  const ids = await Promise.all(Array.from({ length: 500 }, () => storedSurvey(ME, HERE)));
  const records = await Promise.all([
    ...ids.map((id) => findByIdBatched(Surveys, id)),
    findByIdBatched(Locations, newId()),
  ]);
  expect(records.slice(0, 500).map((one) => String(one?._id))).toEqual(ids.map(String));
  expect(records[500]).toBeUndefined();
});
