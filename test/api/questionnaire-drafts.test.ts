/** Unfinished questionnaires, which people continue on other computers. */
import mongoose from 'mongoose';
import { MAX_QUESTIONNAIRE_DRAFTS, QUESTIONNAIRE_DRAFT_DAYS } from '../../src/questionnaires/drafts/model.ts';
import { makeDraft, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const PATH = '/api/questionnaire-drafts';

const world = worldOfFile();
let ada: Person;
let ben: Person;
beforeAll(async () => {
  ada = await world.person({ role: 'ADMIN' });
  ben = await world.person({ role: 'ADMIN' });
});
const drafts = () => mongoose.connection.collection('questionnairedrafts');
beforeEach(async () => void (await drafts().deleteMany({})));

const create = async (fields: object = {}) =>
  (await ada.post(PATH, { ...makeDraft(), ...fields }).expect(201)).body as { id: string; version: number };

test('a draft is stored as it is written, with its errors, and another admin goes on with it', async () => {
  const { id, version } = await create({ text: '{"pages": [' });
  expect(version).toBe(1);
  const { body: list } = await ben.get(PATH).expect(200);
  expect(list.data).toEqual([
    expect.objectContaining({
      id,
      base: null,
      name: 'Draft',
      version: 1,
      createdBy: ada.id,
      updatedBy: ada.id,
    }),
  ]);
  expect(list.data[0]).not.toHaveProperty('text');
  const { body: read } = await ben.get(`${PATH}/${id}`).expect(200);
  expect(read).toMatchObject({ ...makeDraft(), text: '{"pages": [' });
  const { body: changed } = await ben
    .patch(`${PATH}/${id}`, { text: '{"pages": []}' })
    .set('If-Match', '"1"');
  expect(changed).toMatchObject({ id, version: 2, createdBy: ada.id, updatedBy: ben.id });
  expect((await ada.get(`${PATH}/${id}`)).body).toMatchObject({ text: '{"pages": []}', name: 'Draft' });
});

test('of two who change the same version of a draft, the later one gets 409 and nothing is lost', async () => {
  const { id } = await create();
  const both = [ada, ben].map((one) => one.patch(`${PATH}/${id}`, { name: one.id }).set('If-Match', '"1"'));
  const replies = await Promise.all(both);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body.code).toBe('EDIT_CONFLICT');
  const winner = replies[0]?.status === 200 ? ada : ben;
  expect((await ada.get(`${PATH}/${id}`)).body).toMatchObject({ name: winner.id, version: 2 });
  await ada.delete(`${PATH}/${id}`).set('If-Match', '"1"').expect(409);
  await ada.delete(`${PATH}/${id}`).set('If-Match', '"2"').expect(204);
  await ada.patch(`${PATH}/${id}`, { name: 'Late' }).set('If-Match', '"2"').expect(404);
  await ada.delete(`${PATH}/${id}`).expect(404);
  await ada.patch(`${PATH}/nonsense`, { name: 'Late' }).expect(404);
  await ada.patch(`${PATH}/${id}`, { name: 'Late' }).set('If-Match', 'two').expect(400);
});

test('a version has at most one draft, and it must exist', async () => {
  const base = await smallQuestionnaire(world);
  const replies = await Promise.all([ada, ben].map((one) => one.post(PATH, { ...makeDraft(), base })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.code).toBe('EDIT_CONFLICT');
  await create();
  const { body } = await ben.get(`${PATH}?base=${base}`).expect(200);
  expect(body.data.map((one: { base: string }) => one.base)).toEqual([base]);
  const { body: unknown } = await ada.post(PATH, { ...makeDraft(), base: ada.id }).expect(400);
  expect(unknown.errors).toEqual([expect.objectContaining({ path: 'base', code: 'NO_QUESTIONNAIRE' })]);
});

test('a draft can be as large as a questionnaire, and not larger', async () => {
  const text = '"name":"value",'.repeat(80_000).slice(0, 1024 * 1024);
  const { id } = await create({ text });
  expect((await ada.get(`${PATH}/${id}`)).body.text).toBe(text);
  const { body } = await ada.post(PATH, { ...makeDraft(), text: `${'x'.repeat(1024 * 1024)}x` }).expect(400);
  expect(body.errors).toEqual([expect.objectContaining({ path: 'text' })]);
  await ada.post(PATH, { ...makeDraft(), text: '€'.repeat(1024 * 1024) }).expect(413);
});

test('a study has a limited number of drafts, however many are stored at once', async () => {
  const { id } = await create();
  const like = await drafts().findOne({ _id: new mongoose.Types.ObjectId(id) });
  await drafts().insertMany(
    Array.from({ length: MAX_QUESTIONNAIRE_DRAFTS - 3 }, () => ({
      ...like,
      _id: new mongoose.Types.ObjectId(),
    })),
  );
  const replies = await Promise.all(Array.from({ length: 4 }, () => ben.post(PATH, makeDraft())));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'INVALID_TRANSITION',
    reason: 'TOO_MANY_DRAFTS',
    params: { most: MAX_QUESTIONNAIRE_DRAFTS },
  });
  expect(await drafts().countDocuments()).toBe(MAX_QUESTIONNAIRE_DRAFTS);
});

test('the database deletes drafts that nobody has changed for 90 days', async () => {
  const indexes = await drafts().indexes();
  const ttl = indexes.find(({ key }) => Object.keys(key).join() === 'updatedAt');
  expect(ttl?.expireAfterSeconds).toBe(QUESTIONNAIRE_DRAFT_DAYS * 86_400);
  expect(QUESTIONNAIRE_DRAFT_DAYS).toBe(90);
});
