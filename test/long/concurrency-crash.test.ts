/**
 * The database fails midway through a request: nothing of it is stored, and the same request succeeds afterwards. A
 * separate mongod with test commands makes a chosen write fail.
 */
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import mongoose from 'mongoose';
import { type Cast, draft, reserve, seedCode, startCast, stateOf, times, uuid } from '../api/kit.ts';
import { ANSWERS } from '../make.ts';

let cast: Cast;
let replicaSet: MongoMemoryReplSet;
const outside = process.env.TEST_MONGO_URI;

beforeAll(async () => {
  replicaSet = await MongoMemoryReplSet.create({
    binary: { systemBinary: process.env.TEST_MONGOD_BINARY ?? 'mongod', checkMD5: false },
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      args: ['--setParameter', 'enableTestCommands=1', '--setParameter', 'transactionLifetimeLimitSeconds=3'],
    },
  });
  process.env.TEST_MONGO_URI = replicaSet.getUri();
  cast = await startCast();
});
afterEach(() => fail('off'));
afterAll(async () => {
  await fail('off');
  await cast.world.stop();
  process.env.TEST_MONGO_URI = outside;
  await replicaSet.stop();
});

const WRITES = ['insert', 'update', 'findAndModify', 'delete', 'bulkWrite'];

async function fail(mode: 'off' | object, data: object = {}): Promise<void> {
  await mongoose.connection
    .getClient()
    .db('admin')
    .command({
      configureFailPoint: 'failCommand',
      mode,
      ...(mode === 'off' ? {} : { data: { failCommands: WRITES, errorCode: 96, ...data } }),
    });
}

/** Counts of the collections that a survey writes to. */
async function everything(): Promise<unknown> {
  const names = ['surveys', 'seeds', 'referralcodes', 'auditevents'];
  return Promise.all(names.map((name) => mongoose.connection.collection(name).countDocuments()));
}

test('if any write of a submission fails, nothing is stored, and a retry succeeds', async () => {
  let failures = 0;
  for (const skip of times(12, Number)) {
    const [pending] = await reserve(cast.volunteer, 1);
    await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: pending })).expect(201);
    const referralCode = await seedCode(cast);
    const body = draft(cast, { clientId: uuid(), referralCode, issuedCodes: [pending] });
    const before = await everything();
    await fail({ skip });
    const broken = await cast.volunteer.post('/api/surveys', body);
    await fail('off');
    if (broken.status === 201) break;
    failures++;
    expect([500, 503]).toContain(broken.status);
    expect(JSON.stringify(broken.body)).not.toMatch(/failCommand|mongo|stack/i);
    expect(await everything()).toEqual(before);
    expect(await stateOf(cast, referralCode)).toMatchObject({ state: 'LIVE', redeemedBy: null });
    const { body: survey } = await cast.volunteer.post('/api/surveys', body).expect(201);
    expect(survey).toMatchObject({ wave: 0, responses: ANSWERS });
    expect(survey.issuedCodes).toHaveLength(3);
  }
  expect(failures).toBeGreaterThan(1);
});

test('a walk-in whose submission fails leaves no seed', async () => {
  for (const skip of times(12, Number)) {
    const before = await everything();
    await fail({ skip });
    const broken = await cast.volunteer.post('/api/surveys', draft(cast));
    await fail('off');
    if (broken.status === 201) break;
    expect(await everything()).toEqual(before);
  }
});

test('a transient write conflict is retried by the service', async () => {
  const referralCode = await seedCode(cast);
  await fail({ times: 1 }, { errorCode: 112, errorLabels: ['TransientTransactionError'] });
  const { body } = await cast.volunteer.post('/api/surveys', draft(cast, { referralCode })).expect(201);
  expect(body).toMatchObject({ wave: 0, flags: [] });
});

test('a commit whose response is lost stores the survey once', async () => {
  const clientId = uuid();
  const before = await mongoose.connection.collection('surveys').countDocuments();
  await fail(
    { times: 1 },
    { failCommands: ['commitTransaction'], errorCode: 91, errorLabels: ['RetryableWriteError'] },
  );
  await cast.volunteer.post('/api/surveys', draft(cast, { clientId })).expect(201);
  expect(await mongoose.connection.collection('surveys').countDocuments()).toBe(before + 1);
});
