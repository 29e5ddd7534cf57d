/** An admin who stores questionnaires cannot find out by calculated values what a few people said. */
import mongoose from 'mongoose';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
let root: Person;
let admin: Person;
let site: string;

const ELEMENTS = [
  { type: 'text', inputType: 'number', name: 'size' },
  { type: 'radiogroup', name: 'drug', choices: ['yes', 'no'] },
  { type: 'radiogroup', name: 'work', choices: ['yes', 'no'] },
];
const EITHER = "iif({drug} = 'yes' or {work} = 'yes', 'yes', 'no')";
const IS_EITHER = "iif({drug} = 'yes', true, {work} = 'yes')";
const calculatedValue = (name: string, expression: string) => ({ name, expression, includeIntoResult: true });

/** Active from now on; its id. */
async function activate(name: string, definition: object, by = admin): Promise<string> {
  const body = { name, definition: { elements: ELEMENTS, ...definition }, networkSizeQuestion: 'size' };
  const { id } = (await by.post('/api/questionnaires', body).expect(201)).body;
  await by.patch(`/api/questionnaires/${id}`, { active: true, confirm: true }).expect(200);
  return id;
}
const interviews = async (questionnaire: string, answers: object, count = 10) => {
  for (let at = 0; at < count; at++)
    await insertSurvey(world, {
      ...{ createdBy: root.id, location: site, questionnaire },
      responses: { size: 3, drug: 'yes', work: 'no', ...answers },
    });
};
const outcomes = async (by = root): Promise<Body[]> =>
  (await by.get('/api/analysis/outcomes').expect(200)).body.data;
const names = async () => (await outcomes()).map(({ name }) => name);
const name = (list: object[]) => root.patch('/api/study', { outcomes: list });

beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  site = await world.place();
});
afterEach(async () => {
  await mongoose.connection.collection('surveys').deleteMany({});
  await name([]).expect(200);
});

test.each([
  ['a calculated value', { calculatedValues: [calculatedValue('either', EITHER)] }],
  [
    'a question that an expression fills in',
    {
      elements: [
        ...ELEMENTS,
        { type: 'radiogroup', name: 'either', choices: ['yes', 'no'], setValueExpression: EITHER },
      ],
    },
  ],
  [
    'a question with a default from other answers',
    {
      elements: [
        ...ELEMENTS,
        {
          type: 'radiogroup',
          name: 'x',
          valueName: 'either',
          choices: ['yes'],
          defaultValueExpression: EITHER,
        },
      ],
    },
  ],
  [
    'a question that a trigger sets',
    {
      elements: [...ELEMENTS, { type: 'radiogroup', name: 'either', choices: ['yes', 'no'] }],
      triggers: [
        {
          type: 'setvalue',
          expression: "{drug} = 'yes' or {work} = 'yes'",
          setToName: 'either',
          setValue: 'yes',
        },
      ],
    },
  ],
])('%s is no outcome until a super-admin names it', async (_, definition) => {
  const questionnaire = await activate('Crossed', definition);
  await interviews(questionnaire, { either: 'yes' });
  expect(await names()).not.toContain('either');
  for (const by of [admin, root]) {
    await by.get('/api/analysis/estimates?outcome=either').expect(400);
    await by.get('/api/analysis/answers?question=either').expect(400);
    await by.get('/api/analysis/compare?outcome=either&by=drug').expect(400);
    await by.get('/api/analysis/compare?outcome=drug&by=either').expect(400);
    await by.post('/api/analysis/runs', { outcome: 'either', method: 'TREE' }).expect(400);
  }
  await admin.patch('/api/study', { outcomes: [{ name: 'either', fromQuestionnaire: true }] }).expect(403);
  const { body } = await name([{ name: 'either', fromQuestionnaire: true }]).expect(200);
  expect(body.outcomes).toEqual([{ name: 'either', fromQuestionnaire: true }]);
  expect(body).not.toHaveProperty('approvedFormulas');
  expect(await outcomes(admin)).toContainEqual(expect.objectContaining({ name: 'either', known: 10 }));
});

test('a named value that a later version calculates differently is not counted there until it is saved again', async () => {
  const first = await activate('Working', { calculatedValues: [calculatedValue('busy', "{work} = 'yes'")] });
  await interviews(first, { busy: true });
  await name([{ name: 'busy', fromQuestionnaire: true }]).expect(200);
  const same = await activate('Working', {
    calculatedValues: [calculatedValue('busy', "{work} = 'yes'")],
    title: 'New title',
  });
  await interviews(same, { busy: true });
  const knownCount = async () => (await outcomes(admin)).find((one) => one.name === 'busy')?.known;
  expect(await knownCount()).toBe(20);
  const crossed = await activate('Working', { calculatedValues: [calculatedValue('busy', IS_EITHER)] });
  await interviews(crossed, { busy: true });
  expect((await knownCount()) ?? 0).toBeLessThanOrEqual(20);
  const unseen = (await root.get('/api/analysis/estimates?outcome=drug').expect(200)).body;
  expect(unseen.sample.known).toBe(30);
  await name([{ name: 'busy', fromQuestionnaire: true }]).expect(200);
  expect(await knownCount()).toBe(30);
});

test.each([true, false])(
  'an own outcome is not calculated from a value that an admin changed (stored: %s)',
  async (includeIntoResult) => {
    const used = includeIntoResult ? 'usedValue' : 'usedHelper';
    const value = (expression: string) => [{ name: used, expression, includeIntoResult }];
    const first = await activate('Used', { calculatedValues: value("{work} = 'yes'") });
    await interviews(first, { [used]: true });
    const own = { name: 'isBusy', title: { en: 'Busy' }, kind: 'CATEGORY', expression: `{${used}} = true` };
    await name([own]).expect(200);
    const knownCount = async () => (await outcomes(admin)).find((one) => one.name === 'isBusy')?.known ?? 0;
    const busy = async () => {
      const { levels } = (await root.get('/api/analysis/estimates?outcome=isBusy').expect(200)).body;
      return levels.find((level: Body) => level.value === 'true')?.count ?? 0;
    };
    expect(await knownCount()).toBe(10);
    // Nobody works; a stored value says so all the same.
    const before = includeIntoResult ? 10 : 0;
    expect(await busy()).toBe(before);
    const crossed = await activate('Used', { calculatedValues: value(IS_EITHER) });
    await interviews(crossed, { [used]: true });
    // Stored values of the first version were approved, and its formula; those of the second were not.
    expect(await busy()).toBe(before);
    await name([own]).expect(200);
    expect(await knownCount()).toBe(20);
  },
);

test('only a value that some questionnaire calculates can be named, once', async () => {
  await activate('Working', { calculatedValues: [calculatedValue('busy', "{work} = 'yes'")] });
  const busy = { name: 'busy', fromQuestionnaire: true };
  const refused = async (list: object[]) => (await name(list).expect(400)).body.errors;
  expect(await refused([{ name: 'drug', fromQuestionnaire: true }])).toEqual([
    expect.objectContaining({ path: 'outcomes.0.name', code: 'NO_CALCULATED_VALUE' }),
  ]);
  expect(await refused([busy, busy])).toEqual([
    expect.objectContaining({ path: 'outcomes.1.name', code: 'OUTCOME_NAME_TAKEN' }),
  ]);
  await refused([{ ...busy, fromQuestionnaire: 'yes' }]);
  await refused([{ ...busy, expression: '1' }]);
});
