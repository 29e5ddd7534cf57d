/** The validators that MongoDB applies to raw calls: what they refuse, and when they are set. */
import type mongoose from 'mongoose';
import { pino } from 'pino';
import { SurveyModel, type SurveyRecord } from '../../src/interviews/surveys/model.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { collectionValidationOf } from '../../src/platform/db/validators.ts';
import { plainError } from '../../src/platform/log.ts';
import { MODELS, prepareDatabase } from '../../src/resources.ts';
import { ANSWERS, smallQuestionnaire, surveyRecord } from '../make.ts';
import { worldOfFile } from '../people.ts';
import { database, prepareProfiler, profiled } from '../profiled.ts';

const lines: string[] = [];
const world = worldOfFile({
  fresh: true,
  log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
});

const AT = new Date('2027-06-15T19:00:00Z');
const record = (fields: object = {}): SurveyRecord => surveyRecord(fields, AT);
const insert = (fields: object) => SurveyModel.collection.insertOne(record(fields));

async function refusalOf(write: Promise<unknown>) {
  const error: unknown = await write.then(
    () => null,
    (error: unknown) => error,
  );
  const { code, message } = plainError(error);
  return { code, message };
}
const refused = (fields: string) => ({
  code: 121,
  message: `refused by the validator of surveys; ${fields}`,
});

const collMod = (name: string, options: object) => database().command({ collMod: name, ...options });
const isChecked = async () => {
  const stored = (await database().listCollections().toArray()) as mongoose.mongo.CollectionInfo[];
  return MODELS.every((model) => {
    const options = stored.find(({ name }) => name === model.collection.collectionName)?.options;
    return JSON.stringify(options) === JSON.stringify(collectionValidationOf(model));
  });
};
const ANOTHER_VERSION = { $jsonSchema: { required: ['fieldOfAnotherVersion'] } };
afterEach(async () => {
  await SurveyModel.collection.deleteMany({});
  await prepareDatabase(AT);
});

test('every collection with a model has the validator of its model', async () => {
  expect(await isChecked()).toBe(true);
});

test('refuses an unknown field, a wrong type, a missing field and an unknown value', async () => {
  expect(await refusalOf(insert({ notes: 'spoken word' }))).toEqual(refused('unknown notes'));
  expect(await refusalOf(insert({ heldAt: '2027-06-15', wave: '1' }))).toEqual(refused('wrong wave, heldAt'));
  const { round: _, ...rest } = record();
  expect(await refusalOf(SurveyModel.collection.insertOne(rest as SurveyRecord))).toEqual(
    refused('missing round'),
  );
  expect(await refusalOf(insert({ createdBy: null }))).toEqual(refused('wrong createdBy'));
  expect(await refusalOf(insert({ status: 'DONE' }))).toEqual(refused('wrong status'));
  expect(await refusalOf(insert({ issuedCodes: [7] }))).toEqual(refused('wrong issuedCodes'));
  await insert({});
  const misspelled = { $set: { deletdAt: AT } } as object;
  expect(await refusalOf(SurveyModel.collection.updateMany({}, misspelled))).toEqual(
    refused('unknown deletdAt'),
  );
  const several = SurveyModel.collection.insertMany([record(), record({ notes: 'spoken word' } as object)]);
  expect(await refusalOf(several)).toEqual(refused('unknown notes'));
});

test('accepts a record whose optional fields are null or absent', async () => {
  const optional = Object.keys(SurveyModel.schema.paths).filter(
    (path) => !SurveyModel.schema.path(path)?.isRequired,
  );
  expect(optional).toEqual(
    expect.arrayContaining(['referralCode', 'wave', 'completedAt', 'note', 'takesPart']),
  );
  const absent = record();
  for (const name of optional) if (name !== '_id') delete absent[name as keyof SurveyRecord];
  await SurveyModel.collection.insertOne(absent);
  await insert(Object.fromEntries(optional.filter((name) => name !== '_id').map((name) => [name, null])));
});

test('a record that an earlier version stored differently can still be updated', async () => {
  const { _id, round: _, ...old } = record({ dataHash: 'of an earlier version' });
  await SurveyModel.collection.insertOne({ _id, ...old } as SurveyRecord, { bypassDocumentValidation: true });
  await SurveyModel.collection.updateOne({ _id }, { $set: { note: 'corrected' } });
  expect(await SurveyModel.collection.findOne({ _id })).toMatchObject({ note: 'corrected' });
});

test('a start that finds the validators in place writes none', async () => {
  await prepareProfiler(1);
  const collMods = async (work: () => Promise<unknown>) =>
    (await profiled(work)).filter(({ command }) => command.collMod).map(({ command }) => command.collMod);
  expect(await collMods(() => prepareDatabase(AT))).toEqual([]);
  await collMod('seeds', { validator: ANOTHER_VERSION });
  expect(await collMods(() => prepareDatabase(AT))).toEqual(['seeds']);
});

test('processes that start at once set the same validators', async () => {
  for (const { collection } of MODELS)
    await collMod(collection.collectionName, { validator: ANOTHER_VERSION });
  await Promise.all(Array.from({ length: 4 }, () => prepareDatabase(AT)));
  expect(await isChecked()).toBe(true);
});

test('a migration may write what the validator of an earlier version refuses', async () => {
  await insert({});
  const name = '2999-01-01-a-new-field';
  const run = async () => {
    await SurveyModel.collection.updateMany({}, { $set: { newField: 1 } } as object);
  };
  await migrate([...MIGRATIONS, { name, run }]);
  expect(await SurveyModel.collection.countDocuments({ newField: 1 } as object)).toBe(1);
  await database()
    .collection('migrations')
    .deleteOne({ _id: name as never });
  await prepareDatabase(AT);
  expect(await isChecked()).toBe(true);
});

test('a refused interview is a 500 that quotes no values, and can be sent again', async () => {
  await smallQuestionnaire(world);
  const volunteer = await world.person();
  const interview = {
    clientId: crypto.randomUUID(),
    location: await world.place(),
    responses: { ...ANSWERS, comment: 'a very private answer' },
  };
  const wrong = { bsonType: 'bool' };
  const properties = { responses: wrong, clientId: wrong };
  await collMod('surveys', { validator: { $jsonSchema: { title: 'surveys', properties } } });
  const { body } = await volunteer.post('/api/surveys', interview).expect(500);
  expect(JSON.stringify(body)).not.toMatch(/private|valid|survey/);
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject(refused('wrong responses, clientId'));
  for (const value of ['private', interview.clientId]) expect(lines.join()).not.toContain(value);
  expect(await SurveyModel.collection.countDocuments()).toBe(0);
  await prepareDatabase(AT);
  await volunteer.post('/api/surveys', interview).expect(201);
});
