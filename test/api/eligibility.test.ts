/** Eligibility: decided by the questionnaire's expression, whatever the sender says; otherwise by the sender. */
import mongoose from 'mongoose';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import type { Body } from '../make.ts';
import {
  castOfFile,
  draft,
  flagsOf,
  NOBODY,
  read,
  refused,
  refusedAt,
  reserve,
  setStudy,
  submit,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();
let screening: string;

const elements = [
  { type: 'text', name: 'size', inputType: 'number' },
  { type: 'boolean', name: 'adult' },
  { type: 'checkbox', name: 'slept', choices: ['street', 'shelter', 'home'] },
  { type: 'radiogroup', name: 'source', choices: ['friend', 'other'], showOtherItem: true },
  {
    type: 'paneldynamic',
    name: 'children',
    templateElements: [{ type: 'text', name: 'age', inputType: 'number' }],
  },
  { type: 'html', name: 'words', html: 'No question' },
];
const calculatedValues = [
  { name: 'outside', expression: "{slept} anyof ['street', 'shelter']" },
  { name: 'eligible', expression: '{adult} = true and {outside} = true' },
];
const posted = (takesPartIf: unknown, more: object = {}) =>
  cast.admin.post('/api/questionnaires', {
    name: `Screening ${uuid()}`,
    definition: { pages: [{ name: 'p', elements }], calculatedValues, ...more },
    networkSizeQuestion: 'size',
    takesPartIf,
  });
const questionnaire = async (takesPartIf: unknown, more: object = {}): Promise<string> => {
  const answer = await posted(takesPartIf, more);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.id;
};
const YES = { size: 5, adult: true, slept: ['home', 'street'] };
const NO = { size: 5, adult: false, slept: ['street'] };
const answer = (responses: object, fields: Record<string, unknown> = {}) =>
  submit(cast, { questionnaire: screening, responses, ...fields });
const change = async (id: string, body: object): Promise<Body> =>
  (await cast.volunteer.patch(`/api/surveys/${id}`, body).expect(200)).body;

beforeAll(async () => {
  screening = await questionnaire('{eligible} = true');
});

describe('the expression of a questionnaire', () => {
  test('is returned as posted, or null if there is none, also for old versions', async () => {
    const body = (id: string) => cast.volunteer.get(`/api/questionnaires/${id}`).expect(200);
    expect((await body(screening)).body.takesPartIf).toBe('{eligible} = true');
    const without = await questionnaire(undefined);
    expect((await body(without)).body.takesPartIf).toBeNull();
    expect((await body(await questionnaire(null))).body.takesPartIf).toBeNull();
    const _id = new mongoose.Types.ObjectId(without);
    await mongoose.connection
      .collection('questionnaires')
      .updateOne({ _id }, { $unset: { takesPartIf: '' } });
    expect((await body(without)).body.takesPartIf).toBeNull();
    const survey = await submit(cast, { questionnaire: without, responses: NO, takesPart: false });
    expect(survey.takesPart).toBe(false);
  });

  test.each([
    ['one question', '{size} > 0'],
    ['a question in another case', '{SIZE} > 0 and {Slept} contains "street"'],
    ['calculated values that read others', '{eligible}'],
    ['a part of an answer', '{children[0].age} > 10'],
    ['what is written beside a choice', '{source-Comment} notempty'],
    ['functions that only count', "iif({adult}, sumInArray({children}, 'age'), 0) > round({size} / 2)"],
    ['all that 1,000 characters hold', `{size} > 0${' '.repeat(989)}1`.replace(/ {3}1$/, '')],
  ])('can read %s', async (_what, takesPartIf) => {
    expect((await posted(takesPartIf)).status).toBe(201);
  });

  test.each([
    ['an unknown name', '{siez} > 0'],
    ['a text element', '{words} notempty'],
    ['a syntax error', '{size} > '],
    ['nothing', '   '],
    ['an object', { size: 1 }],
    ['an array', ['{size} > 0']],
    ['more than 1,000 characters', `{size} > ${'1'.repeat(1_000)}`],
    ['too many operations', times(120, () => '{size}=1').join(' or ')],
    ['too many answers compared with each other', times(11, () => '{slept} anyof {children}').join(' or ')],
    ['an unknown function', 'eligible({size})'],
    ['the current day', 'today() > 0'],
    ['a function of the current day', 'age({size}) > 18'],
    ['a function that needs the form', "displayValue('size') = 'five'"],
    ['an expression within a text', "sumInArray({children}, 'age', '{age} > 1') > 0"],
  ])('with %s is 400 at takesPartIf', async (_what, takesPartIf) => {
    refusedAt(await posted(takesPartIf), 'takesPartIf');
  });

  test.each([
    [
      'themselves',
      [
        { name: 'a', expression: '{b}' },
        { name: 'b', expression: '{a}' },
      ],
      '{a} = 1',
    ],
    ['an unknown name', [{ name: 'a', expression: '{nothing} = 1' }], '{a}'],
    ['the current day', [{ name: 'a', expression: 'today()' }], '{a} > 0'],
    [
      'too much',
      times(5, (n) => ({ name: `a${n}`, expression: times(70, () => '{size}=1').join(' or ') })),
      '{a0} or {a1} or {a2} or {a3} or {a4}',
    ],
  ])('with calculated values that read %s is 400 at takesPartIf', async (_what, list, takesPartIf) => {
    refusedAt(await posted(takesPartIf, { calculatedValues: list }), 'takesPartIf');
  });

  test('of the default questionnaire uses consent and eligibility', async () => {
    const { body } = await cast.volunteer.get('/api/questionnaires?limit=200').expect(200);
    const shipped = body.data.find((one: Body) => one.name === 'Field interview');
    expect(shipped.takesPartIf).toEqual(expect.any(String));
    const by = async (responses: object) => submit(cast, { questionnaire: shipped.id, responses });
    expect(await by(MINIMAL_RESPONSES)).not.toHaveProperty('takesPart');
    for (const responses of [
      { consent: 'no' },
      { ...MINIMAL_RESPONSES, isAdult: 'no', networkSize: undefined },
      { ...MINIMAL_RESPONSES, interviewedBefore: 'yes', networkSize: undefined },
    ]) {
      expect(await by(responses)).toMatchObject({ takesPart: false, issuedCodes: [] });
    }
  });
});

describe('at completion the service decides only by the answers', () => {
  test.each([
    ['takes part', YES, 3],
    ['does not', NO, 0],
    ['does not, with no answer at all', { size: 5 }, 0],
  ])('who %s, whatever takesPart is sent', async (_title, responses, codes) => {
    for (const fields of [{}, { takesPart: true }, { takesPart: false }]) {
      const survey = await answer(responses, fields);
      expect(survey.issuedCodes).toHaveLength(codes);
      expect(survey.takesPart).toBe(codes === 0 ? false : undefined);
      expect(await read(cast, survey.id)).toEqual(survey);
    }
  });

  test('does not decide on an interview in progress before it is completed', async () => {
    const begun = await answer(NO, { status: 'IN_PROGRESS', takesPart: false });
    expect(begun).not.toHaveProperty('takesPart');
    expect(await change(begun.id, { takesPart: false })).not.toHaveProperty('takesPart');
    expect(await change(begun.id, { status: 'COMPLETED' })).toMatchObject({
      takesPart: false,
      issuedCodes: [],
    });
    const other = await answer(NO, { status: 'IN_PROGRESS' });
    const completion = await change(other.id, { status: 'COMPLETED', responses: YES, takesPart: false });
    expect(completion).not.toHaveProperty('takesPart');
    expect(completion.issuedCodes).toHaveLength(3);
  });

  test('a replay with a different takesPart is 200', async () => {
    const body = draft(cast, { questionnaire: screening, responses: NO, clientId: uuid() });
    const { id } = (await cast.volunteer.post('/api/surveys', { ...body, takesPart: true }).expect(201)).body;
    for (const claim of [{}, { takesPart: false }, { takesPart: true }]) {
      expect((await cast.volunteer.post('/api/surveys', { ...body, ...claim }).expect(200)).body.id).toBe(id);
    }
    expect(flagsOf(await read(cast, id))).toEqual([]);
  });
});

describe('when answers of a completed survey change', () => {
  test('a person who newly takes part gets the missing codes, once', async () => {
    const block = await reserve(cast.volunteer, 1);
    const out = await answer(NO, { issuedCodes: block });
    expect(out).toMatchObject({ takesPart: false, issuedCodes: block });
    const taking = await change(out.id, { responses: YES });
    expect(taking).not.toHaveProperty('takesPart');
    expect(taking.issuedCodes).toHaveLength(3);
    expect(taking.issuedCodes[0]).toBe(block[0]);
    expect((await change(out.id, { responses: { ...YES, size: 6 } })).issuedCodes).toEqual(
      taking.issuedCodes,
    );
    // The stored record has no takesPart field any more.
    const stored = await mongoose.connection
      .collection('surveys')
      .findOne({ _id: new mongoose.Types.ObjectId(out.id as string) });
    expect(stored).not.toHaveProperty('takesPart');
  });

  test('a person who no longer takes part keeps the codes, and gets no more when taking part again', async () => {
    const taking = await answer(YES);
    const ceased = await change(taking.id, { responses: NO, takesPart: true });
    expect(ceased).toMatchObject({ takesPart: false, issuedCodes: taking.issuedCodes });
    expect((await change(taking.id, { responses: YES })).issuedCodes).toEqual(taking.issuedCodes);
    const { body } = await cast.volunteer.get(`/api/surveys/${taking.id}/history`).expect(200);
    const eligibilityChanges = body.map((one: Body) =>
      one.changes.filter(({ path }: Body) => path === 'takesPart'),
    );
    expect(eligibilityChanges).toEqual([
      [{ path: 'takesPart', before: null, after: false }],
      [{ path: 'takesPart', before: false, after: null }],
    ]);
  });

  test('takesPart sent for a completed survey is ignored', async () => {
    const taking = await answer(YES);
    expect(await change(taking.id, { takesPart: false })).toEqual(taking);
  });
});

describe('without an expression, takesPart is taken from POST and PATCH', () => {
  test('a person who newly takes part gets codes, and keeps them when no longer taking part', async () => {
    const out = await submit(cast, { takesPart: false });
    expect(out.issuedCodes).toEqual([]);
    const taking = await change(out.id, { takesPart: true });
    expect(taking).not.toHaveProperty('takesPart');
    expect(taking.issuedCodes).toHaveLength(3);
    const ceased = await change(out.id, { takesPart: false });
    expect(ceased).toMatchObject({ takesPart: false, issuedCodes: taking.issuedCodes, version: 3 });
    expect((await change(out.id, { takesPart: false })).version).toBe(3);
  });

  test('is applied when PATCH completes the survey', async () => {
    const begun = await submit(cast, { status: 'IN_PROGRESS' });
    const completion = await change(begun.id, { status: 'COMPLETED', takesPart: false });
    expect(completion).toMatchObject({ takesPart: false, issuedCodes: [] });
    const [again] = [await submit(cast, { status: 'IN_PROGRESS', takesPart: false })];
    expect((await change(again.id, { takesPart: true })).issuedCodes).toEqual([]);
    expect((await change(again.id, { status: 'COMPLETED' })).issuedCodes).toHaveLength(3);
  });

  test('the number of codes follows the current study settings', async () => {
    const out = await submit(cast, { takesPart: false });
    await setStudy(cast, { couponsPerSurvey: 5 });
    expect((await change(out.id, { takesPart: true })).issuedCodes).toHaveLength(5);
    await setStudy(cast, { couponsPerSurvey: 3 });
  });

  test('rejects null, non-boolean values, and callers who may not change the survey', async () => {
    const { id } = await submit(cast);
    for (const takesPart of [null, 'no', 0])
      refusedAt(await cast.volunteer.patch(`/api/surveys/${id}`, { takesPart }), 'takesPart');
    const other = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
    refused(await other.patch(`/api/surveys/${id}`, { takesPart: false }), 403);
    refused(await other.patch(`/api/surveys/${NOBODY}`, { takesPart: false }), 404);
  });
});

test('an expensive expression and answer are handled quickly', async () => {
  const slept = times(200, (n) => `place ${n}`);
  const others = times(200, (n) => `site ${n}`);
  const heavy = await questionnaire('{pairs} or {words}', {
    pages: [
      {
        name: 'p',
        elements: [
          { type: 'text', name: 'size', inputType: 'number' },
          { type: 'checkbox', name: 'slept', choices: slept },
          { type: 'text', name: 'source' },
          { type: 'checkbox', name: 'children', choices: others },
        ],
      },
    ],
    calculatedValues: [
      { name: 'pairs', expression: times(10, () => '{slept} anyof {children}').join(' or ') },
      { name: 'words', expression: times(30, () => "{source} contains 'a'").join(' or ') },
    ],
  });
  const responses = {
    size: 1,
    slept,
    source: 'b'.repeat(9_000),
    children: others,
  };
  await submit(cast, { questionnaire: heavy, responses });
  const { definition, takesPartIf } = (await cast.root.get(`/api/questionnaires/${heavy}`)).body;
  const { compileEligibility } = await import('../../src/questionnaires/definition/eligibility.ts');
  const holds = compileEligibility(definition, takesPartIf);
  const quickest = Math.min(
    ...times(5, () => {
      const start = process.cpuUsage();
      expect(holds(responses)).toBe(false);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    }),
  );
  expect(quickest).toBeLessThan(100);
});
