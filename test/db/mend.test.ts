/** Records that an earlier version stored beside this one: earlier-version.json is what it really wrote. */
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { mendRecords } from '../../src/db/mend.ts';
import { prepareDatabase } from '../../src/prepare.ts';
import { castOfFile, collection } from '../api/kit.ts';

const cast = castOfFile();
const FILE = readFileSync('test/db/earlier-version.json', 'utf8');
type Stored = Record<string, unknown>;

function revived(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^[0-9a-f]{24}$/.test(value)) return new mongoose.Types.ObjectId(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value;
}

/** Stores what the earlier version wrote, at this site and by this volunteer, whatever was there. */
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
  '/api/recruitment/totals',
  '/api/recruitment/pace',
  '/api/recruitment/sites',
  '/api/recruitment/interviewers',
  `/api/recruitment/tree?seed=${seed}`,
  `/api/recruitment/chains?seed=${seed}`,
  '/api/exports/interviews.csv',
  '/api/exports/interviews.json',
  '/api/exports/rds.csv',
  '/api/analysis/estimates?outcome=location',
];

test('everything answers before they are mended, and a change of one mends it', async () => {
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

test('a start adds what they lack, as the migrations do; a second one finds nothing', async () => {
  const { surveys = [], referralcodes = [] } = await writeAsBefore();
  await prepareDatabase(new Date());
  expect(await lacking()).toEqual([0, 0, 0]);
  expect(await mendRecords()).toBe(0);
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

test('two processes that mend at once do so once', async () => {
  await writeAsBefore();
  await Promise.all([mendRecords(), mendRecords()]);
  expect(await lacking()).toEqual([0, 0, 0]);
  expect(await collection('surveycopies').countDocuments()).toBe(1);
});

test('nothing to mend is found by index, without reading an interview that is complete', async () => {
  await mendRecords();
  const found = await collection('surveys')
    .find({ deletedAt: null, heldAt: null } as never)
    .hint({ deletedAt: 1, heldAt: -1, location: 1 })
    .explain('executionStats');
  expect(found.executionStats).toMatchObject({ totalDocsExamined: 0 });
});
