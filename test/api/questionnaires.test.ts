/** Questionnaires: versions that never change, one of them active. */
import { Types } from 'mongoose';
import { QuestionnaireModel } from '../../src/questionnaires/model.ts';
import { prepareDatabase } from '../../src/resources.ts';
import type { Body } from '../make.ts';
import { startWorld } from '../people.ts';
import { castOfFile, draft, HEX_ID, ISO, NOBODY, read, refused, refusedAt, submit, uuid } from './kit.ts';

const cast = castOfFile();

const definition = (name = 'size') => ({
  pages: [
    {
      name: 'only',
      elements: [
        { type: 'text', name, inputType: 'number', isRequired: true },
        { type: 'radiogroup', name: 'housing', choices: ['street', 'shelter', 'other'] },
        { type: 'text', name: 'why', visibleIf: "{housing} = 'other'", isRequired: true },
      ],
    },
  ],
});
const valid = (fields: Record<string, unknown> = {}) => ({
  name: `Questions ${uuid()}`,
  definition: definition(),
  networkSizeQuestion: 'size',
  ...fields,
});
const post = async (fields: Record<string, unknown> = {}): Promise<Body> => {
  const answer = await cast.admin.post('/api/questionnaires', valid(fields));
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body;
};
const active = async (): Promise<Body> =>
  (await cast.volunteer.get('/api/questionnaires/active').expect(200)).body;

test('a questionnaire has exactly these fields, and reading returns the same as creating', async () => {
  const fields = valid();
  const answer = await cast.admin.post('/api/questionnaires', fields);
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(HEX_ID),
    ...fields,
    takesPartIf: null,
    identityQuestions: null,
    version: 1,
    active: false,
    createdAt: expect.stringMatching(ISO),
  });
  expect(answer.headers.location).toBe(`/api/questionnaires/${answer.body.id}`);
  expect((await cast.volunteer.get(`/api/questionnaires/${answer.body.id}`).expect(200)).body).toEqual(
    answer.body,
  );
});

test('the version is one more than the last with that name', async () => {
  const first = await post();
  expect(await post({ name: first.name })).toMatchObject({ version: 2 });
  expect(
    await post({ name: first.name, definition: definition('other'), networkSizeQuestion: 'other' }),
  ).toMatchObject({
    version: 3,
  });
  expect(await post()).toMatchObject({ version: 1 });
  expect((await cast.admin.get(`/api/questionnaires/${first.id}`).expect(200)).body).toEqual(first);
});

test('exactly one version is active: activating another deactivates the last', async () => {
  const before = await active();
  const next = await post();
  const { body } = await cast.admin
    .patch(`/api/questionnaires/${next.id}`, { active: true, confirm: true })
    .expect(200);
  expect(body).toEqual({ ...next, active: true });
  expect((await active()).id).toBe(next.id);
  expect((await cast.admin.get(`/api/questionnaires/${before.id}`).expect(200)).body.active).toBe(false);
  const { data } = (await cast.volunteer.get('/api/questionnaires?limit=200').expect(200)).body;
  expect(data.filter((one: Body) => one.active).map((one: Body) => one.id)).toEqual([next.id]);
  await cast.admin.patch(`/api/questionnaires/${next.id}`, { active: true, confirm: true }).expect(200);
  await cast.admin.patch(`/api/questionnaires/${before.id}`, { active: true, confirm: true }).expect(200);
});

test('a new survey uses the active version; an older survey keeps its own', async () => {
  const before = await active();
  const survey = await submit(cast, { status: 'IN_PROGRESS', responses: {} });
  const next = await post();
  await cast.admin.patch(`/api/questionnaires/${next.id}`, { active: true, confirm: true }).expect(200);
  expect(await submit(cast, { responses: { size: 4 } })).toMatchObject({
    questionnaire: next.id,
    networkSize: 4,
  });
  const completion = { status: 'COMPLETED', responses: { networkSize: 6 } };
  await cast.volunteer.patch(`/api/surveys/${survey.id}`, completion).expect(200);
  expect(await read(cast, survey.id)).toMatchObject({ questionnaire: before.id, networkSize: 6 });
  await cast.admin.patch(`/api/questionnaires/${before.id}`, { active: true, confirm: true }).expect(200);
});

test.each([
  ['name', { name: 'Renamed', active: true }],
  ['definition', { definition: definition() }],
  ['networkSizeQuestion', { networkSizeQuestion: 'size' }],
  ['version', { version: 9 }],
  ['active', { active: false }],
  ['active', { active: 'true' }],
])('versions are immutable; PATCH accepts only active: true (%s)', async (path, change) => {
  const one = await post();
  refusedAt(await cast.admin.patch(`/api/questionnaires/${one.id}`, change), path);
  expect((await cast.admin.get(`/api/questionnaires/${one.id}`).expect(200)).body).toEqual(one);
});

test('deleting a questionnaire is 405', async () => {
  const { id } = await post();
  refused(await cast.root.delete(`/api/questionnaires/${id}`), 405);
});

test.each([
  ['no question at all', {}],
  ['an unknown question type', { elements: [{ type: 'mystery', name: 'size' }] }],
  [
    'two questions of one name',
    {
      elements: [
        { type: 'text', name: 'size' },
        { type: 'text', name: 'size' },
      ],
    },
  ],
  ['a question without a name', { elements: [{ type: 'text' }, { type: 'text', name: 'size' }] }],
  ['a page that is null', { pages: [null] }],
  ['an element that is null', { elements: [null, { type: 'text', name: 'size' }] }],
  ['an element that is a list', { elements: [[null], { type: 'text', name: 'size', isRequired: true }] }],
  ['questions that are null', { questions: [null, { type: 'text', name: 'size' }] }],
  [
    'a nested element that is null',
    {
      elements: [
        { type: 'panel', name: 'p', elements: [null] },
        { type: 'text', name: 'size', isRequired: true },
      ],
    },
  ],
  [
    'a validator that is null',
    { elements: [{ type: 'text', name: 'size', isRequired: true, validators: [null] }] },
  ],
  ['an array', []],
  ['a text', '{}'],
  ['null', null],
])('an invalid definition is 400: %s', async (_, broken) => {
  refused(
    await cast.admin.post('/api/questionnaires', valid({ definition: broken })),
    400,
    'VALIDATION_ERROR',
  );
});

test.each([
  ['networkSizeQuestion', { networkSizeQuestion: 'nowhere' }],
  ['networkSizeQuestion', { networkSizeQuestion: undefined }],
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['version', { version: 4 }],
  ['active', { active: true }],
])('an invalid %s is 400 at its path (%j)', async (path, fault) => {
  refusedAt(await cast.admin.post('/api/questionnaires', valid(fault)), path);
});

const size = { type: 'text', name: 'size', inputType: 'number' };
const referring = (key: string, value: unknown) => ({
  pages: [{ name: 'only', elements: [size, { type: 'text', name: 'why', [key]: value }] }],
});
const ELEMENT = 'definition.pages.0.elements.1';
test.each([
  [`${ELEMENT}.visibleIf`, referring('visibleIf', '{gone} = 1')],
  [`${ELEMENT}.title.es`, referring('title', { default: 'Why?', es: '¿Por qué {gone}?' })],
  [
    `${ELEMENT}.validators.0.expression`,
    referring('validators', [{ type: 'expression', expression: '{gone.row} > {size}' }]),
  ],
  ['definition.completedHtml', { elements: [size], completedHtml: '<p>Thanks, {gone}</p>' }],
  [
    'definition.completedHtmlOnCondition.0.expression',
    { elements: [size], completedHtmlOnCondition: [{ expression: '{gone-Comment} empty', html: 'Bye' }] },
  ],
  [
    'definition.calculatedValues.0.expression',
    { elements: [size], calculatedValues: [{ name: 'twice', expression: '{gone} * 2' }] },
  ],
  [
    'definition.triggers.0.setToName',
    {
      elements: [size],
      triggers: [{ type: 'setvalue', expression: '{size} > 1', setToName: 'gone', setValue: 1 }],
    },
  ],
])('rejects a new questionnaire with a reference to an unknown question: %s', async (path, definition) => {
  const answer = await cast.admin.post('/api/questionnaires', valid({ definition }));
  refused(answer, 400, 'VALIDATION_ERROR');
  expect(answer.body.errors).toEqual([
    { path, code: 'REFERENCE_UNKNOWN', message: expect.any(String), params: { name: 'gone' } },
  ]);
});

test('rejects a new version with unknown references, listing at most 100', async () => {
  const { name } = await post();
  const definition = {
    elements: [
      size,
      ...Array.from({ length: 150 }, (_, at) => ({
        type: 'text',
        name: `q${at}`,
        visibleIf: `{gone${at}} = 1`,
      })),
    ],
  };
  const answer = await cast.admin.post('/api/questionnaires', valid({ name, definition }));
  refused(answer, 400, 'VALIDATION_ERROR');
  expect(answer.body.errors).toHaveLength(100);
});

test('accepts references to parts of answers, calculated values, variables and built-in names', async () => {
  const inPanel = {
    type: 'text',
    name: 'age',
    title: '{panelIndex}: {panel.first}',
    visibleIf: '{parentPanel.x} empty and {PANEL.first} notempty',
  };
  const columns = [
    { name: 'often', cellType: 'text', visibleIf: '{row.ever} = 1 and {rowIndex} > 0' },
    { name: 'ever', cellType: 'text' },
  ];
  const condition =
    "{Size} > 0 and {table.bus.ever} = 1 and {people[0].age} > 3 and {why-Comment} notempty and {twice} > 1 and {cameWithCoupon} = 'yes' and {stored as} notempty and {$why.isVisible} = true";
  await post({
    definition: {
      pages: [
        {
          name: 'only',
          elements: [
            size,
            {
              type: 'radiogroup',
              name: 'why',
              choices: [1, { value: 2, visibleIf: '{item} = {size}' }],
              showOtherItem: true,
            },
            {
              type: 'paneldynamic',
              name: 'people',
              templateElements: [{ type: 'text', name: 'first' }, inPanel],
            },
            { type: 'matrixdropdown', name: 'table', rows: ['bus'], columns },
            { type: 'text', name: 'elsewhere', valueName: 'stored as' },
            { type: 'text', name: 'last', visibleIf: condition, title: 'Ask {studyContact}, page {pageno}' },
            {
              type: 'text',
              name: 'pattern',
              validators: [{ type: 'regex', regex: '^a{2,3}b{x}$', text: 'Use { , }, {0} or {a b}' }],
            },
          ],
        },
      ],
      calculatedValues: [{ name: 'twice', expression: '{size} * 2' }],
      triggers: [
        {
          type: 'setvalue',
          expression: '{size} > 1',
          setToName: 'last',
          setValue: '{as is}',
        },
      ],
    },
  });
});

test('a stored version with an unknown reference keeps working', async () => {
  const { id } = await post();
  await QuestionnaireModel.collection.updateOne(
    { _id: new Types.ObjectId(id as string) },
    { $set: { definition: referring('visibleIf', '{gone} = 1') } },
  );
  const before = await active();
  await cast.admin.patch(`/api/questionnaires/${id}`, { active: true, confirm: true }).expect(200);
  expect(await submit(cast, { responses: { size: 4 } })).toMatchObject({ questionnaire: id, networkSize: 4 });
  await cast.admin.patch(`/api/questionnaires/${before.id}`, { active: true, confirm: true }).expect(200);
});

test.each([
  ['title.en_US', { elements: [{ ...size, title: { default: 'How many?', en_US: 'How many people?' } }] }],
  ['title.logo', { elements: [{ ...size, title: { default: 'How many?', logo: 'How many?' } }] }],
  ['locale', { locale: 'en_US', elements: [size] }],
])('a text under an invalid language is 400 at its path: %s', async (place, broken) => {
  const answer = await cast.admin.post('/api/questionnaires', valid({ definition: broken }));
  refusedAt(answer, place === 'locale' ? 'definition.locale' : `definition.elements.0.${place}`);
});

test('texts can have a default and languages with or without a country', async () => {
  const title = { default: 'How many?', es: '¿Cuántas?', 'pt-br': 'Quantas?', 'zh-Hant-TW': '多少？' };
  await post({ definition: { locale: 'es', elements: [{ ...size, title }] } });
});

test('markup and URLs are validated under any language key', async () => {
  const html = { default: 'plain', 'es-logo': '<a href="https://elsewhere.example">here</a>' };
  const link = { default: 'data:image/png;base64,AAAA', 'es-html': 'https://elsewhere.example/x.png' };
  const definition = {
    logo: link,
    elements: [{ type: 'html', name: 'note', html }, size],
  };
  const answer = await cast.admin.post('/api/questionnaires', valid({ definition }));
  refusedAt(answer, 'definition.elements.0.html.es-logo');
  refusedAt(answer, 'definition.logo.es-html');
});

test('answers are validated by the definition: choices, types and hidden questions', async () => {
  const { id } = await post();
  const answers = (responses: object) =>
    cast.volunteer.post('/api/surveys', draft(cast, { questionnaire: id, responses }));
  expect((await answers({ size: 3, housing: 'street' })).status).toBe(201);
  refusedAt(await answers({ size: 3, housing: 'castle' }), 'responses.housing');
  refusedAt(await answers({ size: 3, housing: { $ne: 'street' } }), 'responses.housing');
  refusedAt(await answers({ size: 'many' }), 'responses.size');
  refusedAt(await answers({ size: 3, housing: 'other' }), 'responses.why');
  expect((await answers({ size: 3, housing: 'other', why: 'a boat' })).status).toBe(201);
});

test('any approved user can read; managers and volunteers cannot write', async () => {
  const { id } = await post();
  for (const person of [cast.volunteer, cast.manager]) {
    await person.get('/api/questionnaires').expect(200);
    await person.get(`/api/questionnaires/${id}`).expect(200);
    refused(await person.post('/api/questionnaires', valid()), 403);
    refused(await person.patch(`/api/questionnaires/${id}`, { active: true }), 403);
  }
  refused(await cast.world.anonymous.get('/api/questionnaires/active'), 401);
  refused(await cast.admin.get(`/api/questionnaires/${NOBODY}`), 404);
  refused(await cast.admin.patch(`/api/questionnaires/${NOBODY}`, { active: true }), 404);
});

test('a new service has an active default questionnaire', async () => {
  await cast.world.stop();
  cast.world = await startWorld();
  await prepareDatabase(new Date());
  await prepareDatabase(new Date()); // each start of each process does this
  const person = await cast.world.person();
  expect((await person.get('/api/questionnaires')).body.data).toHaveLength(1);
  const { body } = await person.get('/api/questionnaires/active').expect(200);
  expect(body).toMatchObject({ active: true, version: 1, networkSizeQuestion: expect.stringMatching(/\S/) });
});
