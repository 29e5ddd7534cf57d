/** Each round has its own figures, files and estimates. */
import mongoose from 'mongoose';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { ANSWERS, type Body, makeSeed, makeSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
const HOUR = 3_600_000;
const first = FIRST_ROUND_ID.toHexString();
let root: Person;
let site: string;
let second: string;

const get = async (path: string): Promise<Body> => (await root.get(path).expect(200)).body;

/** Round 1 with three interviews in two chains and a seed, closed; round 2 with one interview. */
beforeAll(async () => {
  site = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN', location: site });
  await smallQuestionnaire(world);
  await root.patch('/api/study', { targetSampleSize: 10, populationSize: 500, smallestCell: 0 }).expect(200);
  const survey = (fields: object = {}) => makeSurvey(world, root, { location: site, ...fields });
  const one = await survey();
  await survey({ referralCode: one.issuedCodes[0] });
  await survey({ responses: { ...ANSWERS, networkSize: 4 } });
  await makeSeed(world, root, { location: site });
  await root.post(`/api/rounds/${first}/close`).expect(200);
  world.clock.advance(HOUR);
  const opened = await root.post('/api/rounds', {
    name: 'Two',
    startsOn: '2028-01-20',
    targetSampleSize: 40,
  });
  second = opened.body.id;
  world.clock.advance(HOUR);
  await survey();
});

test('the board counts the open round unless another one is named', async () => {
  const [now, before] = [
    await get('/api/recruitment/summary'),
    await get(`/api/recruitment/summary?round=${first}`),
  ];
  expect(now.totals).toMatchObject({ surveys: 1, target: 40 });
  expect(now.coupons).toMatchObject({ live: 3, returned: 1, expired: 0 });
  expect(before.totals).toMatchObject({ surveys: 3, target: 10, walkIns: 2 });
  expect(before.coupons).toMatchObject({ live: 0, returned: 3 });
  expect(before.seeds).toMatchObject({ planned: 1, walkIn: 2, productive: 0 });
  expect((await get(`/api/recruitment/pace?round=${first}`)).total).toBe(3);
  expect((await get('/api/recruitment/forest')).chainsTotal).toBe(1);
  expect((await get(`/api/recruitment/forest?round=${first}`)).chainsTotal).toBe(2);
  const { body } = await root.get('/api/recruitment/summary?round=665f1c2ab7e4d90012345678').expect(400);
  expect(body.errors).toEqual([expect.objectContaining({ path: 'round', code: 'UNKNOWN_ROUND' })]);
});

test('estimates, outcomes and the report are those of a round, with its population size', async () => {
  const ofRound = async (query: string) => await get(`/api/analysis/estimates?outcome=networkSize${query}`);
  expect((await ofRound('')).sample.n).toBe(1);
  const before = await ofRound(`&round=${first}`);
  expect(before.sample.n).toBe(3);
  const { data } = await get(`/api/analysis/outcomes?round=${first}`);
  expect(data.find(({ name }: Body) => name === 'networkSize')).toMatchObject({ known: 3 });
  const enrolled = async (query: string) =>
    (await get(`/api/analysis/report${query}`)).items.find(
      ({ name }: Body) => name === 'Numbers at each stage',
    ).value.enrolled;
  expect([await enrolled(''), await enrolled(`?round=${first}`)]).toEqual([1, 3]);
});

test('files have the interviews of one round', async () => {
  const rows = async (query: string) =>
    (await root.get(`/api/exports/interviews.csv${query}`).expect(200)).text.trim().split('\n').length - 1;
  expect([await rows(''), await rows(`?round=${first}`), await rows(`?round=${second}`)]).toEqual([1, 3, 1]);
  const sample = (await root.get(`/api/exports/rds.csv?round=${first}`).expect(200)).text;
  expect(sample.trim().split('\n')).toHaveLength(4);
});

test('a run keeps the round that it was requested for', async () => {
  const body = { outcome: 'networkSize', method: 'TREE', samples: 100 };
  const { request } = (await root.post('/api/analysis/runs', body).expect(202)).body;
  expect(request.round).toBe(second);
  const of = (await root.post('/api/analysis/runs', { ...body, round: first }).expect(202)).body;
  expect(of.request.round).toBe(first);
  const wrong = { ...body, round: '665f1c2ab7e4d90012345678' };
  await root.post('/api/analysis/runs', wrong).expect(400);
});

test('findings are those of a round, and the seeds by the state of their chain those of all', async () => {
  expect((await get(`/api/quality?round=${first}`)).data).toEqual(expect.any(Array));
  const alive = await get('/api/seeds?chain=ALIVE');
  expect(alive.data).toHaveLength(1);
  expect((await get(`/api/seeds?chain=NO_COUPONS&round=${first}`)).data).toHaveLength(2);
  expect(await mongoose.connection.collection('seeds').countDocuments()).toBe(4);
});
