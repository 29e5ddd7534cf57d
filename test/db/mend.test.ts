/** Records stored by an earlier version running beside this one; earlier-version.json has its real output. */
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { backfillRecords } from '../../src/platform/db/backfill.ts';
import { prepareDatabase } from '../../src/resources.ts';
import { castOfFile, collection, DAY, oid, reserve, seedCode, submit } from '../api/kit.ts';

const cast = castOfFile();
const FILE = readFileSync('test/db/earlier-version.json', 'utf8');
type Stored = Record<string, unknown>;

function revived(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^[0-9a-f]{24}$/.test(value)) return new mongoose.Types.ObjectId(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value;
}

/** Replaces all records with those of the earlier version, at this site and by this volunteer. */
async function writeAsBefore(): Promise<Record<string, Stored[]>> {
  const questionnaire = (await cast.admin.get('/api/questionnaires/active').expect(200)).body.id;
  const text = FILE.replaceAll('SITE', cast.site)
    .replaceAll('VOLUNTEER', cast.volunteer.id)
    .replaceAll('QUESTIONNAIRE', questionnaire);
  const all: Record<string, Stored[]> = JSON.parse(text, revived);
  for (const [name, records] of Object.entries(all)) {
    await collection(name).deleteMany({ _id: { $in: records.map(({ _id }) => _id as never) } });
    await collection(name).insertMany(records as never);
  }
  await collection('surveycopies').deleteMany({});
  return all;
}

const lacking = async () => [
  await collection('surveys').countDocuments({ heldAt: { $exists: false } }),
  await collection('surveys').countDocuments({ 'flags.copy': { $exists: true } }),
  await collection('auditevents').countDocuments({ location: { $exists: false } }),
];

const urlsOf = ({ _id, seed }: Stored) => [
  '/api/surveys?sort=heldAt',
  '/api/surveys?sort=-heldAt&limit=2',
  `/api/surveys/${_id}`,
  `/api/surveys/${_id}/history`,
  '/api/audit',
  '/api/recruitment/summary',
  '/api/recruitment/pace',
  '/api/recruitment/sites',
  '/api/recruitment/interviewers',
  '/api/quality',
  `/api/recruitment/tree?seed=${seed}`,
  `/api/recruitment/chains?seed=${seed}`,
  '/api/exports/interviews.csv',
  '/api/exports/interviews.json',
  '/api/exports/rds.csv',
  '/api/analysis/estimates?outcome=location',
];

test('all routes work with unmigrated interviews, and a change of one migrates it', async () => {
  const { surveys = [] } = await writeAsBefore();
  expect((await lacking()).every((count) => count > 0)).toBe(true);
  const [one = {}] = surveys;
  for (const url of urlsOf(one)) expect([url, (await cast.root.get(url)).status]).toEqual([url, 200]);
  const [stored] = (await cast.root.get('/api/surveys').expect(200)).body.data;
  for (let cursor = ''; ; ) {
    const { body } = await cast.root.get(`/api/surveys?sort=-heldAt&limit=1${cursor}`).expect(200);
    if (!body.nextCursor) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  await cast.root
    .patch(`/api/surveys/${stored.id}`, { coordinates: { latitude: 1, longitude: 2 } })
    .expect(200);
  const id = new mongoose.Types.ObjectId(stored.id as string);
  expect((await collection('surveys').findOne({ _id: id }))?.heldAt).toBeInstanceOf(Date);
});

test('a start completes unmigrated interviews like the migrations; a second finds none', async () => {
  const { surveys = [], referralcodes = [] } = await writeAsBefore();
  await prepareDatabase(new Date());
  expect(await lacking()).toEqual([0, 0, 0]);
  expect(await backfillRecords()).toBe(0);
  for (const { _id, startedAt, createdAt } of surveys) {
    const isOdd = Number(createdAt) - Number(startedAt) > 365 * 86_400_000;
    const found = await collection('surveys').findOne({ _id: _id as never });
    expect(found?.heldAt).toEqual(isOdd ? createdAt : startedAt);
  }
  for (const { _id, redeemedBy } of referralcodes.filter((one) => one.redeemedBy)) {
    const survey = await collection('surveys').findOne({ _id: redeemedBy as never });
    expect((await collection('referralcodes').findOne({ _id: _id as never }))?.returnedAt).toEqual(
      survey?.heldAt,
    );
  }
  for (const { location } of await collection('auditevents').find({ subject: 'Survey' }).toArray())
    expect(String(location)).toBe(cast.site);
  expect(await collection('surveycopies').countDocuments()).toBe(1);
});

test('two processes that repair at the same time do so once', async () => {
  await writeAsBefore();
  await Promise.all([backfillRecords(), backfillRecords()]);
  expect(await lacking()).toEqual([0, 0, 0]);
  expect(await collection('surveycopies').countDocuments()).toBe(1);
});

test('finds by index that nothing needs repair, without reading complete interviews', async () => {
  await backfillRecords();
  const found = await collection('surveys')
    .find({ deletedAt: null, heldAt: null } as never)
    .hint({ deletedAt: 1, heldAt: -1, location: 1 })
    .explain('executionStats');
  expect(found.executionStats).toMatchObject({ totalDocsExamined: 0 });
});

/** Codes that do not match the interviews that presented them. */
async function codesAmiss(): Promise<unknown[]> {
  const surveys = await collection('surveys').find({}).toArray();
  const heldOf = new Map(surveys.map(({ _id, heldAt }) => [String(_id), heldAt]));
  const codes = await collection('referralcodes')
    .find({ redeemedBy: { $ne: null } } as never)
    .toArray();
  return codes.flatMap(({ code, redeemedBy, returnedAt, handedOutAt, daysOut, createdAt }) => {
    const right = heldOf.get(String(redeemedBy));
    const days = handedOutAt ? Math.max(0, Math.floor((+right - +handedOutAt) / DAY)) : undefined;
    const isRight = +returnedAt === +right && daysOut === days && (!handedOutAt || handedOutAt >= createdAt);
    return isRight ? [] : [{ code, returnedAt, right, daysOut, days, handedOutAt, createdAt }];
  });
}

const ago = (days: number) => new Date(Date.now() - days * DAY);
const eventOf = (record: mongoose.Types.ObjectId) => ({
  by: oid(cast.volunteer.id),
  action: 'update',
  subject: 'Survey',
  record,
  changes: [],
  createdAt: new Date(),
});

/** As the earlier version counts: days until the interview arrived, not until it was held. */
async function redeemAsBefore(survey: mongoose.Types.ObjectId, code: string): Promise<void> {
  const taken = { state: 'USED', redeemedBy: survey, redeemedAt: new Date(), daysOut: 0 };
  await collection('referralcodes').updateOne({ code }, { $set: taken });
  await collection('surveys').updateOne(
    { _id: survey },
    { $set: { referralCode: code, updatedAt: new Date() }, $inc: { version: 1 } },
  );
  await collection('auditevents').insertOne(eventOf(survey));
}

test('a change of an unmigrated record leaves its code to be repaired', async () => {
  await writeAsBefore();
  for (const { _id } of await collection('surveys').find({ heldAt: null }).toArray())
    await cast.root.patch(`/api/surveys/${_id}`, { coordinates: { latitude: 1, longitude: 2 } }).expect(200);
  await backfillRecords();
  expect(await codesAmiss()).toEqual([]);
});

test('a code that an earlier version assigns to a repaired interview is repaired too', async () => {
  const startedAt = ago(3).toISOString();
  const { issuedCodes } = await submit(cast, {
    completedAt: ago(10).toISOString(),
    startedAt: ago(10).toISOString(),
  });
  const wrong = { startedAt, completedAt: startedAt, referralCode: 'ZZZZZZZZ', onCodeProblem: 'FLAG' };
  const flagged = await submit(cast, wrong);
  await backfillRecords();
  await redeemAsBefore(oid(flagged.id), issuedCodes[0]);
  expect(await codesAmiss()).toHaveLength(1);
  await backfillRecords(ago(0.01));
  expect(await codesAmiss()).toEqual([]);
});

test('a code that an earlier version hands out after its return counts days from the interview', async () => {
  const [code = ''] = await reserve(cast.volunteer, 1);
  const startedAt = ago(1).toISOString();
  await submit(cast, { startedAt, completedAt: startedAt, referralCode: code });
  const recruiter = await submit(cast);
  const handed = { survey: oid(recruiter.id), handedOutAt: ago(5), daysOut: 5 };
  await collection('referralcodes').updateOne({ code }, { $set: handed });
  await collection('auditevents').insertOne(eventOf(oid(recruiter.id)));
  await backfillRecords(ago(0.01));
  expect(await codesAmiss()).toEqual([]);
});

test('a code reassigned to an unrepaired interview is returned on its interview date', async () => {
  const startedAt = ago(2).toISOString();
  const code = await seedCode(cast);
  const first = await submit(cast, { referralCode: code });
  const times = { startedAt, completedAt: startedAt };
  const second = await submit(cast, { ...times, referralCode: code, onCodeProblem: 'FLAG' });
  await collection('surveys').updateOne({ _id: oid(second.id) }, { $unset: { heldAt: '' } });
  await cast.root
    .post(`/api/surveys/${second.id}/take-code`, { from: first.id, reason: 'mixed up' })
    .expect(200);
  await backfillRecords();
  expect(await codesAmiss()).toEqual([]);
});
