/** Activating another questionnaire says first what becomes of the results. */
import mongoose from 'mongoose';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
let root: Person;
let admin: Person;
let site: string;

const choice = (name: string, ...choices: string[]) => ({ type: 'radiogroup', name, choices });
const number = (name: string) => ({ type: 'text', inputType: 'number', name });

async function store(elements: object[], more: object = {}): Promise<string> {
  const body = { name: 'Activated', definition: { elements }, networkSizeQuestion: 'size', ...more };
  return (await admin.post('/api/questionnaires', body).expect(201)).body.id;
}
const activate = (id: string, more: object = {}) =>
  admin.patch(`/api/questionnaires/${id}`, { active: true, ...more });
const impactOf = async (id: string): Promise<Body> =>
  (await admin.get(`/api/questionnaires/${id}/activation`).expect(200)).body;

const FIRST = [number('size'), choice('home', 'yes', 'no'), choice('tent', 'yes', 'no'), number('age')];
const LATER = [number('size'), choice('home', 'yes', 'no', 'partly'), choice('age', 'young', 'old')];
let first: string;

beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  site = await world.place();
  first = await store(FIRST, { takesPartIf: '{size} > 0' });
});

test('without interviews nothing is lost, and nothing has to be confirmed', async () => {
  await activate(first).expect(200);
  const other = await store([number('known')], { networkSizeQuestion: 'known' });
  expect(await impactOf(other)).toMatchObject({ outcomes: [], needsConfirm: false });
  await activate(other).expect(200);
  await activate(first).expect(200);
});

test('each outcome with interviews is named with its change', async () => {
  for (let at = 0; at < 6; at++)
    await insertSurvey(world, {
      ...{ createdBy: root.id, location: site, questionnaire: first },
      responses: { size: 3, home: 'yes', tent: 'no', age: 30 },
    });
  const later = await store(LATER, { takesPartIf: '{size} > 1' });
  const impact = await impactOf(later);
  expect(impact).toMatchObject({
    networkSize: 'KEPT',
    eligibility: 'CHANGED',
    counts: [],
    needsConfirm: false,
  });
  expect(impact.outcomes.map(({ name, change, interviews }: Body) => [name, change, interviews])).toEqual([
    ['size', 'KEPT', 6],
    ['home', 'CHOICES', 6],
    ['tent', 'NOT_ASKED', 6],
    ['age', 'KIND', 6],
  ]);
});

test('an outcome used by a count, the network size or eligibility is lost only after a confirmation', async () => {
  const count = {
    ...{ name: 'Tents', outcome: 'tent', value: 'no', known: 40, source: 'A list' },
    ...{ asOf: '2026-01-01', definition: 'People in tents' },
  };
  await root.post('/api/analysis/counts', count).expect(201);
  const rule = { takesPartIf: '{size} > 0' };
  const lossy = [
    await store(LATER, rule),
    await store([...FIRST, number('known')], { ...rule, networkSizeQuestion: 'known' }),
    await store(FIRST),
  ];
  for (const id of lossy) {
    const { body } = await activate(id).expect(409);
    expect(body).toMatchObject({ code: 'INVALID_TRANSITION', reason: 'ACTIVATION_LOSES' });
    expect(body.params.outcomes).toContainEqual({ name: 'home', change: expect.any(String), interviews: 6 });
    expect((await impactOf(id)).needsConfirm).toBe(true);
  }
  const [first = ''] = lossy;
  expect((await impactOf(first)).counts).toEqual([{ name: 'Tents', outcome: 'tent' }]);
  await activate(first, { confirm: false }).expect(400);
  await activate(first, { confirm: true }).expect(200);
  // Active already: nothing changes.
  await activate(first).expect(200);
});

test('a version that stops being active during its activation is checked again', async () => {
  const [lossy = '', other = ''] = [await store(FIRST), await store(FIRST, { takesPartIf: '{size} > 0' })];
  await activate(lossy, { confirm: true }).expect(200);
  const { connection } = mongoose;
  const aborted = async () =>
    Number((await connection.db?.admin().serverStatus())?.transactions.totalAborted);
  const session = await connection.startSession();
  session.startTransaction();
  const locks = connection.collection<{ _id: string; count: number }>('locks');
  await locks.updateOne({ _id: 'questionnaires' }, { $inc: { count: 1 } }, { session, upsert: true });
  const before = await aborted();
  // Active until now: alone this would change nothing.
  const late = activate(lossy).then(({ status, body }) => [status, body.reason]);
  while ((await aborted()) === before) await new Promise(setImmediate);
  const questionnaires = connection.collection('questionnaires');
  await questionnaires.updateMany({ active: true }, { $set: { active: false } }, { session });
  const next = { _id: new mongoose.Types.ObjectId(other) };
  await questionnaires.updateOne(next, { $set: { active: true } }, { session });
  await session.commitTransaction();
  await session.endSession();
  expect(await late).toEqual([409, 'ACTIVATION_LOSES']);
});

test('eligibility has changed if a value that it uses is calculated differently', async () => {
  const version = (expression: string) => ({
    definition: {
      calculatedValues: [
        { name: 'isAdult', expression },
        { name: 'isEligible', expression: '{isAdult} and {size} > 0' },
      ],
      elements: FIRST,
    },
    takesPartIf: '{isEligible} = true',
  });
  const adults = await store([], version('{age} >= 18'));
  await activate(adults, { confirm: true }).expect(200);
  const survey = {
    createdBy: root.id,
    location: site,
    questionnaire: adults,
    responses: { size: 3, age: 30 },
  };
  await insertSurvey(world, survey);
  expect((await impactOf(await store([], version('{age} >= 18')))).eligibility).toBe('KEPT');
  expect((await impactOf(await store([], version('{age} >= 16')))).eligibility).toBe('CHANGED');
});
