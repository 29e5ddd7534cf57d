import mongoose from 'mongoose';
import { SurveyModel } from '../../src/interviews/surveys/model.ts';
import { NOBODY, refused } from '../api/kit.ts';
import { type Body, insertSurvey, surveyRecord } from '../make.ts';
import { type Person, ROLES, worldOfFile } from '../people.ts';
import { chance, DAY, writeRandomStudy } from './random-study.ts';

const NOW = new Date('2027-03-22T19:00:00Z');
const QUESTIONS = {
  name: 'Colours',
  definition: {
    elements: [
      { type: 'text', name: 'networkSize', inputType: 'number' },
      { type: 'radiogroup', name: 'housing', choices: ['street', { value: 'shelter', text: 'Shelter' }] },
      { type: 'checkbox', name: 'needs', choices: [1, 2, 3] },
      { type: 'boolean', name: 'veteran' },
      { type: 'text', name: 'nickname' },
    ],
  },
  networkSizeQuestion: 'networkSize',
};

let root: Person;
let admin: Person;
let site: string;
let questionnaire: string;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(NOW);
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  site = await world.place();
  const { body } = await root.post('/api/questionnaires', QUESTIONS).expect(201);
  questionnaire = body.id;
  await root.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true }).expect(200);
});

const tree = async (person: Person, seed: string, more = ''): Promise<Body> =>
  (await person.get(`/api/recruitment/tree?seed=${seed}${more}`).expect(200)).body;

async function newSeed(): Promise<string> {
  return (await root.post('/api/seeds', { location: site }).expect(201)).body.id;
}

async function member(seed: string, fields: Record<string, unknown> = {}): Promise<string> {
  const createdBy = admin.id;
  return await insertSurvey(world, { createdBy, questionnaire, location: site, seed, wave: 0, ...fields });
}

test('the tree of each seed matches the raw records, recruiters before recruits', async () => {
  await writeRandomStudy(world, chance(7), { now: NOW, days: 30, surveys: 300, validDays: null });
  const surveys: Body[] = await mongoose.connection.collection('surveys').find().toArray();
  const seeds = [...new Set(surveys.filter((one) => one.seed).map((one) => String(one.seed)))].slice(0, 25);
  let deleted = 0;
  for (const seed of seeds) {
    const members = surveys.filter((one) => String(one.seed) === seed);
    const { nodes, truncated } = await tree(root, seed);
    expect(truncated).toBe(false);
    const expected = members.map((one) => ({
      id: String(one._id),
      referralCode: one.referralCode ?? null,
      parent: one.recruiter && String(one.recruiter),
      wave: one.wave,
      location: String(one.location),
      heldAt: one.heldAt.toISOString(),
      createdAt: one.createdAt.toISOString(),
      completed: one.status === 'COMPLETED',
      recruits: surveys.filter((other) => String(other.recruiter) === String(one._id)).length,
      value: null,
      deleted: one.deletedAt !== null,
    }));
    const byId = (a: Body, b: Body) => (a.id < b.id ? -1 : 1);
    expect([...nodes].sort(byId)).toEqual(expected.sort(byId));
    const seen = new Set<string>();
    for (const node of nodes) {
      if (node.parent) expect(seen.has(node.parent)).toBe(true);
      seen.add(node.id);
    }
    deleted += nodes.filter((node: Body) => node.deleted).length;
  }
  expect(deleted).toBeGreaterThan(0);
});

test('an unused seed has a tree without nodes', async () => {
  const seed = await newSeed();
  expect(await tree(root, seed)).toEqual({ seed, nodes: [], truncated: false });
});

test('values are only the questionnaire’s choices, never free text', async () => {
  const seed = await newSeed();
  const answers = [
    { housing: 'street', needs: [3, 1, 'my own'], veteran: true },
    { housing: 'with my sister Ana', needs: [], veteran: 'Ana' },
    { housing: { street: 1 }, needs: 2 },
    {},
  ];
  for (const [at, responses] of answers.entries())
    await member(seed, { responses, createdAt: new Date(NOW.getTime() - 1000 + at) });
  const values = async (question: string) =>
    (await tree(root, seed, `&question=${question}`)).nodes.map((one: Body) => one.value);
  expect(await values('housing')).toEqual(['street', null, null, null]);
  expect(await values('needs')).toEqual(['1, 3', null, 2, null]);
  expect(await values('veteran')).toEqual([true, null, null, null]);
});

test('a survey’s value is shown only to people who may read it, and never for deleted ones', async () => {
  const seed = await newSeed();
  const responses = { housing: 'shelter' };
  await member(seed, { responses, createdAt: new Date(NOW.getTime() - 2 * DAY) });
  await member(seed, { responses, createdAt: new Date(NOW.getTime() - 60_000), deletedAt: NOW });
  await member(seed, { responses, createdAt: NOW });
  const values = async (person: Person) =>
    (await tree(person, seed, '&question=housing')).nodes.map((one: Body) => one.value);
  expect(await values(root)).toEqual(['shelter', null, 'shelter']);
  expect(await values(admin)).toEqual([null, null, 'shelter']);
});

test('a tree colored by answers of others is recorded as a read; a tree without answers is not', async () => {
  const seed = await newSeed();
  await member(seed, { responses: { housing: 'street' } });
  const reader = await world.person({ role: 'SUPER_ADMIN' });
  const reads = async (): Promise<Body[]> =>
    (await root.get(`/api/audit?action=read&by=${reader.id}`).expect(200)).body.data;
  await tree(reader, seed);
  expect(await reads()).toEqual([]);
  await tree(reader, seed, '&question=housing');
  expect(await reads()).toMatchObject([
    { subject: 'Export', changes: [{ path: 'file', before: null, after: 'tree' }] },
  ]);
});

test('a free-text or unknown question and an invalid query are 400', async () => {
  const seed = await newSeed();
  for (const question of ['nickname', 'networkSize', 'nothing', '', '$where', 'constructor'])
    refused(await root.get(`/api/recruitment/tree?seed=${seed}&question=${question}`), 400, 'INVALID_QUERY');
  for (const query of ['', '?seed=1', `?seed=${seed}&x=1`, `?seed=${seed}&seed=${seed}`])
    refused(await root.get(`/api/recruitment/tree${query}`), 400, 'INVALID_QUERY');
});

test('an unknown seed is 404, but 403 for managers and volunteers', async () => {
  for (const role of ROLES) {
    const answer = await (await world.person({ role })).get(`/api/recruitment/tree?seed=${NOBODY}`);
    refused(answer, role === 'ADMIN' || role === 'SUPER_ADMIN' ? 404 : 403);
  }
});

test('a tree of more than 5,000 is truncated to its first waves', async () => {
  const seed = await newSeed();
  const first = await member(seed);
  const oid = (hex: string) => new mongoose.Types.ObjectId(hex);
  const place = { seed: oid(seed), recruiter: oid(first), location: oid(site), createdBy: oid(admin.id) };
  const many = Array.from({ length: 5_200 }, (_, at) =>
    surveyRecord({ ...place, wave: at < 5_100 ? 1 : 2 }, new Date(NOW.getTime() - at)),
  );
  for (const one of many.slice(5_100)) one.recruiter = many[0]?._id ?? oid(first);
  await SurveyModel.collection.insertMany(many);
  const { nodes, truncated } = await tree(root, seed);
  expect(truncated).toBe(true);
  expect(nodes).toHaveLength(5_000);
  expect(nodes[0]).toMatchObject({ id: first, recruits: 5_100 });
  expect(nodes.filter((one: Body) => one.wave > 1)).toEqual([]);
});
