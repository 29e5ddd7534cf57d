import { setImmediate as turn } from 'node:timers/promises';
import { SurveyModel } from '../../src/interviews/surveys/model.ts';
import { findByIdBatched, shareReads } from '../../src/platform/db/batched-reads.ts';
import { QuestionnaireModel, requireQuestionnaire } from '../../src/questionnaires/model.ts';
import { LocationModel } from '../../src/study/locations/model.ts';
import { STUDY_ID, StudyModel } from '../../src/study/settings/model.ts';
import { closeDatabase, collection, HERE, ME, newId, openDatabase, storedSurvey } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

/** How many commands `work` sends through the collections. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const restore = [SurveyModel, LocationModel, StudyModel, QuestionnaireModel].map(({ collection }) => {
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
      findByIdBatched(SurveyModel, survey),
      findByIdBatched(LocationModel, HERE),
      findByIdBatched(StudyModel, STUDY_ID),
      requireQuestionnaire(undefined),
      requireQuestionnaire(String(other._id)),
      // A survey's id is not a location's, even if both are read together.
      findByIdBatched(LocationModel, survey),
      findByIdBatched(SurveyModel, HERE),
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
    ...ids.map((id) => findByIdBatched(SurveyModel, id)),
    findByIdBatched(LocationModel, newId()),
  ]);
  expect(records.slice(0, 500).map((one) => String(one?._id))).toEqual(ids.map(String));
  expect(records[500]).toBeUndefined();
});

describe('a shared read', () => {
  test('serves all requests with the same query in one turn, and starts after them', async () => {
    const queries: object[] = [];
    const read = shareReads(async (query: { page: number }) => {
      queries.push(query);
      return { of: query.page };
    });
    const requests = [read({ page: 1 }), read({ page: 2 }), read({ page: 1 })];
    expect(queries).toEqual([]);
    const results = await Promise.all(requests);
    expect(results).toEqual([{ of: 1 }, { of: 2 }, { of: 1 }]);
    expect(queries).toEqual([{ page: 1 }, { page: 2 }]);
    expect(results[0]).toBe(results[2]);
    await read({ page: 1 });
    expect(queries).toHaveLength(3);
  });

  test('is repeated for a request that comes while it runs', async () => {
    let version = 1;
    let finish = () => {};
    const read = shareReads(async () => {
      const readVersion = version;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return readVersion;
    });
    const first = read({});
    await turn();
    version = 2;
    const finishFirst = finish;
    const second = read({});
    finishFirst();
    expect(await first).toBe(1);
    await turn();
    finish();
    expect(await second).toBe(2);
  });

  test('that fails rejects each of its requests, and is tried again by the next', async () => {
    let tries = 0;
    const read = shareReads(async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
      return tries;
    });
    const outcomes = await Promise.allSettled([read({}), read({})]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read({})).toBe(2);
  });
});
