/** The loaded sample matches a plain count of the same interviews. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { rowsWithKnownAnswer } from '../../src/statistics/estimators/outcome.ts';
import { dataHash } from '../../src/statistics/sample/data-hash.ts';
import { loadSample, type StudySample } from '../../src/statistics/sample/load.ts';
import { smallestCellFor } from '../../src/statistics/sample/right.ts';
import type { SampleFilterQuery } from '../../src/statistics/sample/schema.ts';
import type { Person, World } from '../people.ts';
import {
  activate,
  insertPeople,
  LATER,
  QUESTIONNAIRE,
  type SimulatedPerson,
  simulate,
  startSampleWorld,
} from './simulated.ts';

const ZONE = 'America/Los_Angeles';
let world: World;
let root: Person;
let admin: Person;
let questionnaire: string;
let sites: string[];
let people: SimulatedPerson[];

const load = (outcomes: Record<string, string> | 'ALL' = {}, window: SampleFilterQuery = {}) =>
  loadSample({ window, zone: ZONE, now: LATER, outcomes });
const surveys = () => mongoose.connection.collection('surveys');

beforeAll(async () => {
  ({ world, root, questionnaire, sites, people } = await startSampleWorld(1, { people: 120, seeds: 4 }));
  admin = await world.person({ role: 'ADMIN' });
});
afterAll(() => world.stop());

/** The sample with ids in place of row numbers. */
const rowsOf = (sample: StudySample) =>
  sample.ids.map((id, row) => [
    id,
    sample.ids[sample.recruiters[row]!] ?? null,
    sample.reportedSizes[row],
    sample.heldAt[row],
  ]);

test('the sample contains every counted interview in order of time, with recruiter and network size', async () => {
  const sample = await load({
    status: 'status',
    services: 'services.food',
    score: 'score',
    place: 'location',
  });
  expect(rowsOf(sample)).toEqual(
    people.map((one) => [one.id, one.recruiter, one.size ?? Number.NaN, one.startedAt.getTime()]),
  );
  const [status, food, score, place] = sample.outcomes.map(({ outcome }) => outcome);
  const levels = (one: typeof status) =>
    one?.kind === 'CATEGORY' ? [...one.codes].map((code) => one.levels[code] ?? null) : [];
  expect(levels(status)).toEqual(
    people.map(({ responses }) =>
      ['yes', 'no'].includes(String(responses.status)) ? responses.status : null,
    ),
  );
  const chosen = (answer: unknown) =>
    Array.isArray(answer) && !answer.includes('refused') ? String(Number(answer.includes('food'))) : null;
  expect(levels(food)).toEqual(people.map(({ responses }) => chosen(responses.services)));
  expect(score?.kind === 'NUMBER' && [...score.values]).toEqual(
    people.map(({ responses }) => responses.score),
  );
  expect(levels(place)).toEqual(people.map(({ location }) => location));
  expect([sample.sizeMissing, sample.sizeZero, sample.orphans]).toEqual([
    people.filter(({ size }) => size === null).length,
    people.filter(({ size }) => size === 0).length,
    0,
  ]);
});

test('an impossible network size counts as missing', async () => {
  const [one] = people.filter(({ size }) => size !== null && size > 0);
  const before = await load();
  await surveys().updateOne({ _id: new mongoose.Types.ObjectId(one!.id) }, { $set: { networkSize: 5e-324 } });
  const after = await load();
  expect(after.sizeMissing).toBe(before.sizeMissing + 1);
  expect(after.reportedSizes[after.ids.indexOf(one!.id)]).toBeNaN();
  await surveys().updateOne(
    { _id: new mongoose.Types.ObjectId(one!.id) },
    { $set: { networkSize: one!.size } },
  );
});

const SECRET = 'a secret of the service';

test('the order of arrival changes neither the sample nor its hash', async () => {
  const before = await load('ALL');
  await surveys().deleteMany({});
  await insertPeople([...people].reverse(), { questionnaire, by: root.id });
  const after = await load('ALL');
  expect(after).toEqual(before);
  expect(dataHash(after, SECRET)).toBe(dataHash(before, SECRET));
  const fewer = { ...after, outcomes: after.outcomes.slice(1) };
  expect(dataHash(fewer, SECRET)).not.toBe(dataHash(after, SECRET));
  // Or the answers of few people could be found by trying.
  expect(dataHash(after, 'another')).not.toBe(dataHash(after, SECRET));
});

test('a recruit of an uncounted recruiter is a seed of the sample, counted as an orphan', async () => {
  const recruiter = people.find(({ issued }) => issued > 1)!;
  const recruits = people.filter((one) => one.recruiter === recruiter.id).length;
  const one = { _id: new mongoose.Types.ObjectId(recruiter.id) };
  for (const [exclusion, back] of [
    [{ deletedAt: LATER }, { deletedAt: null }],
    [{ status: 'IN_PROGRESS' }, { status: 'COMPLETED' }],
    [{ takesPart: false }, null],
    [{ review: { state: 'REJECTED' } }, null],
  ] as const) {
    await surveys().updateOne(one, { $set: exclusion });
    const sample = await load();
    expect([sample.ids.includes(recruiter.id), sample.ids.length, sample.orphans]).toEqual([
      false,
      people.length - 1,
      recruits,
    ]);
    await surveys().updateOne(one, back ? { $set: back } : { $unset: { [Object.keys(exclusion)[0]!]: 1 } });
  }
  const site = await load({}, { location: sites[0]! });
  const here = people.filter(({ location }) => location === sites[0]);
  expect(site.ids).toEqual(here.map(({ id }) => id));
  const day = await load({}, { from: '2027-03-01', to: '2027-03-01' });
  expect(day.ids).toEqual(
    people.filter(({ startedAt }) => startedAt < new Date('2027-03-02T08:00:00Z')).map(({ id }) => id),
  );
});

test('dates filter the sample by received date, like the survey list', async () => {
  const late = people[7]!;
  const one = { _id: new mongoose.Types.ObjectId(late.id) };
  const before = await surveys().findOne(one);
  await surveys().updateOne(one, { $set: { createdAt: new Date('2027-05-02T06:30:00Z') } });
  const day = { from: '2027-05-01', to: '2027-05-01' };
  for (const window of [day, { ...day, location: late.location }])
    expect((await load({}, window)).ids).toEqual([late.id]);
  const heldIds = (await load({}, { to: '2027-03-31' })).ids;
  expect(heldIds).not.toContain(late.id);
  await surveys().updateOne(one, { $set: { createdAt: before?.createdAt } });
});

test('a recruitment cycle is cut and listed, and a start before the recruiter’s counts as the recruiter’s', async () => {
  const [first, second] = people.slice(4).filter(({ recruiter }) => recruiter !== null) as [
    SimulatedPerson,
    SimulatedPerson,
  ];
  const ids = [first, second].map(({ id }) => new mongoose.Types.ObjectId(id));
  await surveys().updateOne({ _id: ids[0]! }, { $set: { recruiter: ids[1]! } });
  await surveys().updateOne({ _id: ids[1]! }, { $set: { recruiter: ids[0]! } });
  const broken = await load();
  expect(broken.circles).toEqual([[first.id, second.id].sort()]);
  for (const [at, one] of [first, second].entries())
    await surveys().updateOne(
      { _id: ids[at]! },
      { $set: { recruiter: new mongoose.Types.ObjectId(one.recruiter!) } },
    );
  const early = new Date('1970-01-01');
  await surveys().updateOne({ _id: ids[1]! }, { $set: { startedAt: early, heldAt: early } });
  const odd = await load();
  const recruiter = odd.recruiters[odd.ids.indexOf(second.id)]!;
  expect(odd.times[odd.ids.indexOf(second.id)]).toBe(odd.times[recruiter]);
  expect(odd.ids.indexOf(second.id)).toBeLessThan(recruiter);
  await surveys().updateOne(
    { _id: ids[1]! },
    { $set: { startedAt: second.startedAt, heldAt: second.startedAt } },
  );
});

test('the list of outcomes has countable questions with their counts, and no free text', async () => {
  const { body } = await admin.get('/api/analysis/outcomes').expect(200);
  const names = body.data.map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`);
  expect(names).toEqual([
    'networkSize NUMBER',
    'status CATEGORY',
    'region CATEGORY',
    'score NUMBER',
    'services.food CATEGORY',
    'services.bed CATEGORY',
    'services.none CATEGORY',
    'agrees CATEGORY',
    'health NUMBER',
    'recruiterRelation CATEGORY',
    'location CATEGORY',
  ]);
  const knownCount = people.filter(({ responses }) =>
    ['yes', 'no'].includes(String(responses.status)),
  ).length;
  expect(body.data[1]).toEqual({
    name: 'status',
    title: { en: 'Positive?', es: '¿Positivo?' },
    question: 'status',
    decidesEligibility: false,
    coversEveryone: true,
    kind: 'CATEGORY',
    levels: [
      { value: 'no', title: { en: 'No', es: 'No' } },
      { value: 'yes', title: { en: 'Yes', es: 'Sí' } },
    ],
    known: knownCount,
    notAsked: 0,
    missing: people.length - knownCount,
    questionnaires: [questionnaire],
  });
  expect(body.data.find(({ name }: { name: string }) => name === 'agrees').levels).toEqual([
    { value: 'false', title: expect.anything() },
    { value: 'true', title: expect.anything() },
  ]);
});

test('the study’s own outcomes work like the others, and are validated when saved', async () => {
  const young = {
    name: 'young',
    title: { en: 'Under 40' },
    kind: 'CATEGORY',
    expression: "iif({isYoung}, 'yes', 'no')",
  };
  const positive = { ...young, name: 'positive', expression: "iif({status} empty, '', {status} = 'yes')" };
  for (const wrong of [
    { ...young, name: 'status' },
    { ...young, name: 'LOCATION' },
    { ...young, name: 'Words' },
    { ...young, name: 'services' },
    { ...young, name: 'isYoung' },
    { ...young, name: 'a.b' },
    // A column in every file of the sample.
    { ...young, name: 'Seed' },
    { ...young, expression: '{words} notempty' },
    { ...young, expression: '{nothing} = 1' },
    { ...young, expression: '{score' },
    { ...young, expression: 'today() > {score}' },
  ])
    await root.patch('/api/study', { outcomes: [wrong] }).expect(400);
  await root.patch('/api/study', { outcomes: [young, young] }).expect(400);
  const plain = { ...young, name: 'plain', expression: "{status} = 'yes'" };
  const double = {
    ...young,
    name: 'double',
    kind: 'NUMBER',
    expression: "{score} * iif({status} = 'yes', 2, 0)",
  };
  await root.patch('/api/study', { outcomes: [young, positive, plain, double] }).expect(200);
  const sample = await load({ young: 'young', positive: 'positive', plain: 'plain', double: 'double' });
  const columns = sample.outcomes.map(({ outcome }) =>
    outcome.kind === 'CATEGORY' ? [...outcome.codes].map((code) => outcome.levels[code] ?? null) : [],
  );
  expect(columns[0]).toEqual(people.map(({ responses }) => (Number(responses.score) < 40 ? 'yes' : 'no')));
  // People who refused or do not know have no answer.
  const choices = ['yes', 'no'];
  expect(columns[1]).toEqual(
    people.map(({ responses }) =>
      choices.includes(String(responses.status)) ? String(responses.status === 'yes') : null,
    ),
  );
  // A calculated value without answers, or a number with a missing part, is missing too.
  expect(columns[1]).toContain(null);
  expect(columns[2]).toEqual(columns[1]);
  const doubled = people.map(({ responses: { status, score } }) =>
    choices.includes(String(status)) ? (status === 'yes' ? 2 * Number(score) : 0) : Number.NaN,
  );
  expect(sample.outcomes[3]?.outcome).toEqual({ kind: 'NUMBER', values: Float64Array.from(doubled) });
  await admin.patch('/api/study', { smallestCell: 0 }).expect(403);
  await admin.patch('/api/study', { outcomes: [young] }).expect(403);
  await root.patch('/api/study', { smallestCell: 5, outcomes: [] }).expect(200);
});

test('the study’s own outcomes get answers as they are counted: offered choices without remarks, never own words', async () => {
  const own = {
    ...{ showOtherItem: true, storeOthersAsComment: false },
    choices: [{ value: 'tent', showCommentArea: true }, 'car'],
  };
  const elements = [
    ...QUESTIONNAIRE.definition.elements,
    { type: 'dropdown', name: 'shelter', ...own },
    { type: 'checkbox', name: 'needs', ...own },
    { type: 'dropdown', name: 'tribe', choices: ['a', 'b'], allowCustomChoices: true },
  ];
  const later = await activate(root, { ...QUESTIONNAIRE, definition: { elements } });
  const answerSets = [
    { shelter: 'tent', needs: ['tent', 'my own words'], tribe: 'a', score: 30 },
    {
      shelter: { value: 'tent', comment: 'a remark' },
      needs: [{ value: 'car', comment: 'a remark' }],
      tribe: 'b',
    },
    { shelter: 'under the bridge', needs: ['my own words'], tribe: 'my own words' },
    { shelter: 'car', needs: ['car'], tribe: { value: 'a', comment: 'a remark' } },
  ];
  const more = simulate(randomStream(4, 'own'), { people: 4, seeds: 4, locations: sites }).map((one, at) => ({
    ...one,
    id: `eeee${one.id.slice(4)}`,
    // Nobody else was received this day.
    startedAt: new Date(`2027-05-20T1${at}:00:00Z`),
    responses: answerSets[at]!,
  }));
  await insertPeople(more, { questionnaire: later, by: root.id });
  const calculated = (name: string, expression: string) => ({
    name,
    title: { en: name },
    kind: 'CATEGORY',
    expression,
  });
  const outcomes = [
    calculated('place', "iif({shelter} = 'tent', 'outside', {shelter})"),
    calculated('needsTent', "{needs} contains 'tent'"),
    calculated('needsOther', "{needs} contains 'other'"),
    calculated('firstNeed', '{needs[0]}'),
    calculated('people', '{tribe}'),
  ];
  await root.patch('/api/study', { outcomes }).expect(200);
  const names = [...outcomes.map(({ name }) => name), 'shelter', 'needs.tent', 'needs.other', 'tribe'];
  const { outcomes: loaded } = await load(Object.fromEntries(names.map((name) => [name, name])), {
    from: '2027-05-20',
    to: '2027-05-20',
  });
  const levels = loaded.map(({ name, outcome }) => [
    name,
    outcome.kind === 'CATEGORY' ? [...outcome.codes].map((code) => outcome.levels[code] ?? null) : null,
  ]);
  expect(Object.fromEntries(levels)).toEqual({
    place: ['outside', 'outside', 'other', 'car'],
    needsTent: ['true', 'false', 'false', 'false'],
    needsOther: ['true', 'false', 'true', 'false'],
    firstNeed: ['tent', 'car', 'other', 'car'],
    people: ['a', 'b', null, 'a'],
    shelter: ['tent', 'tent', 'other', 'car'],
    'needs.tent': ['1', '0', '0', '0'],
    'needs.other': ['1', '0', '1', '0'],
    tribe: ['a', 'b', null, 'a'],
  });
  expect((await root.get('/api/exports/rds.csv').expect(200)).text).not.toMatch(/bridge|own words|remark/);
  await surveys().deleteMany({ clientId: { $in: more.map(({ id }) => id) } });
  await root.patch('/api/study', { outcomes: [] }).expect(200);
  await root.patch(`/api/questionnaires/${questionnaire}`, { active: true, confirm: true }).expect(200);
});

test('versions are merged by name with all choices; if types differ, the questionnaire must be given', async () => {
  const elements = QUESTIONNAIRE.definition.elements.map((one) =>
    one.name === 'region'
      ? { ...one, choices: ['north', 'far'] }
      : one.name === 'agrees'
        ? { type: 'text', inputType: 'number', name: 'agrees' }
        : one.name === 'services'
          ? { ...one, choices: ['bed', 'shower'] }
          : one,
  );
  const later = await activate(root, { ...QUESTIONNAIRE, definition: { elements } });
  const [extra] = simulate(randomStream(2, 'extra'), { people: 1, seeds: 1, locations: sites });
  const more = { ...extra!, id: 'f'.repeat(24), responses: { region: 'far', agrees: 3 } };
  await insertPeople([more], { questionnaire: later, by: root.id });
  const joined = await load({ outcome: 'region' });
  const [region] = joined.outcomes;
  expect(region?.outcome).toMatchObject({ levels: ['east', 'far', 'north', 'south', 'west'] });
  expect(region?.questionnaires).toEqual([later, questionnaire]);
  await expect(load({ outcome: 'agrees' })).rejects.toMatchObject({
    errors: [{ path: 'outcome', message: expect.stringContaining(`${QUESTIONNAIRE.name}@1`) }],
  });
  await admin.post('/api/analysis/runs', { outcome: 'agrees', method: 'TREE' }).expect(400);
  await root.post('/api/analysis/runs', { outcome: 'agrees', method: 'TREE', questionnaire }).expect(202);
  // Choices that were removed are still answers.
  const services = await load({ food: 'services.food', shower: 'services.shower' });
  const respondents = people.filter(
    ({ responses: { services: of } }) => of && !String(of).includes('refused'),
  );
  expect(services.outcomes.map(({ outcome }) => rowsWithKnownAnswer(outcome).length)).toEqual([
    respondents.length,
    0,
  ]);
  expect(services.outcomes[0]?.levelTitles).toMatchObject([{ en: '(not chosen)' }, { en: 'food' }]);
  const named = await load({ outcome: 'agrees' }, { questionnaire });
  // The others are in the sample too, without an answer.
  expect(named.ids).toHaveLength(people.length + 1);
  expect(rowsWithKnownAnswer(named.outcomes[0]!.outcome)).toHaveLength(people.length);
  await surveys().deleteOne({ clientId: more.id });

  // The other outcome's name does not matter; only its question does.
  const named2 = { ...QUESTIONNAIRE, name: 'Another questionnaire', definition: { elements } };
  const another = await activate(root, named2);
  await root.patch(`/api/questionnaires/${questionnaire}`, { active: true, confirm: true }).expect(200);
  await insertPeople([more], { questionnaire: another, by: root.id });
  await expect(load({ outcome: 'agrees' })).rejects.toMatchObject({
    errors: [{ path: 'outcome', message: expect.stringContaining('Another questionnaire@1') }],
  });
  const run = { outcome: 'agrees', method: 'TREE' };
  const { body } = await admin.post('/api/analysis/runs', run).expect(400);
  expect(body.errors).toMatchObject([
    { path: 'outcome', message: expect.stringContaining('Another questionnaire@1') },
  ]);
  await admin
    .post('/api/analysis/runs', { ...run, location: sites.find((site) => site !== more.location) })
    .expect(202);
  await surveys().deleteOne({ clientId: more.id });
});

test('each of thousands of people is in the sample once, with their own answers', async () => {
  const other = (id: string) => `ffff${id.slice(4)}`;
  const many = simulate(randomStream(3, 'many'), { people: 2_500, seeds: 9, locations: sites }).map(
    ({ id, recruiter, ...one }) => ({ ...one, id: other(id), recruiter: recruiter && other(recruiter) }),
  );
  const ids = many.map(({ id }) => new mongoose.Types.ObjectId(id));
  await insertPeople(many, { questionnaire, by: root.id });
  const outcomes = { status: 'status', score: 'score', place: 'location' };
  const untilThere = async () => {
    for (;;) {
      const parts = await load(outcomes);
      // New interviews are in the numbers within seconds, not at once.
      if (parts.ids.length >= people.length + many.length) return parts;
      await sleep(100);
    }
  };
  const parts = await untilThere();
  const whole = await load(outcomes, { from: '2000-01-01' });
  expect(parts.ids).toHaveLength(people.length + many.length);
  expect(rowsOf(parts)).toEqual(rowsOf(whole));
  expect(parts.outcomes).toEqual(whole.outcomes);
  await surveys().deleteMany({ _id: { $in: ids } });
});

test('counted=false lists outcomes without counts', async () => {
  const { body } = await admin.get('/api/analysis/outcomes?counted=false').expect(200);
  const counted = await admin.get('/api/analysis/outcomes').expect(200);
  const names = ({ data }: { data: { name: string; title: object; kind: string }[] }) =>
    data.map(({ name, title, kind }) => [name, title, kind]);
  expect(names(body)).toEqual(names(counted.body));
  expect(body.data[1]).toMatchObject({ known: null, missing: null, levels: counted.body.data[1].levels });
});

test('coversEveryone marks outcomes asked of everyone, except eligibility and recruitment questions', async () => {
  const condition = "{status} = 'yes'";
  const elements = [
    { type: 'boolean', name: 'agrees' },
    { type: 'radiogroup', name: 'seldomAsked', choices: ['a', 'b'], visibleIf: condition },
    { type: 'radiogroup', name: 'recruiterRelation', choices: ['friend', 'stranger'] },
    { type: 'radiogroup', name: 'status', choices: ['yes', 'no'] },
    { type: 'radiogroup', name: 'asked', valueName: 'underAnotherName', choices: ['a', 'b'] },
    { type: 'panel', name: 'aPanel', visibleIf: condition, elements: [{ type: 'boolean', name: 'inPanel' }] },
  ];
  const network = {
    elements: [
      { type: 'text', inputType: 'number', name: 'networkSize' },
      { type: 'boolean', name: 'knowsRecruiter' },
    ],
  };
  const definition = { pages: [network, { elements }] };
  const id = await activate(root, { ...QUESTIONNAIRE, definition, takesPartIf: '{agrees} = true' });
  const { body } = await root.get(`/api/analysis/outcomes?counted=false&questionnaire=${id}`).expect(200);
  const telling = body.data.filter((one: { coversEveryone: boolean }) => one.coversEveryone);
  expect(telling.map(({ name }: { name: string }) => name)).toEqual(['status', 'underAnotherName']);
  await root.patch(`/api/questionnaires/${questionnaire}`, { active: true, confirm: true }).expect(200);
});

test('decidesEligibility marks questions that decide who takes part', async () => {
  await activate(root, { ...QUESTIONNAIRE, takesPartIf: '{Agrees} = true or {services} contains "food"' });
  const { body } = await admin.get('/api/analysis/outcomes?counted=false').expect(200);
  const deciding = body.data.filter((one: { decidesEligibility: boolean }) => one.decidesEligibility);
  const names = deciding.map(({ question }: { question: string }) => question);
  expect([...new Set(names)]).toEqual(['services', 'agrees']);
  await root.patch(`/api/questionnaires/${questionnaire}`, { active: true, confirm: true }).expect(200);
});

test('only a super admin sees the smallest cells, whatever the study’s setting', () => {
  const person = (role: string) => ({ user: { role } }) as never;
  expect([smallestCellFor(person('SUPER_ADMIN'), 5), smallestCellFor(person('ADMIN'), 5)]).toEqual([0, 5]);
});

test('results need permission to read all of recruitment', async () => {
  const granted = (...conditions: string[]) =>
    world.person({ permissions: [{ action: 'read', subject: 'Recruitment', conditions }] });
  for (const [person, status] of [
    [await world.person({ role: 'MANAGER' }), 403],
    [await world.person(), 403],
    [await granted('WAS_CREATED_TODAY'), 403],
    [await granted(), 200],
  ] as const) {
    await person.get('/api/analysis/outcomes').expect(status);
    await person.get('/api/recruitment/summary').expect(status);
  }
});
