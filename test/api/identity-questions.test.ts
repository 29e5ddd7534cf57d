/** Which questions can be used to recognise repeat participants. */
import { exportForm } from '../../src/questionnaires/xlsform/export/export.ts';
import { castOfFile, refusedAt, uuid } from './kit.ts';

const cast = castOfFile();

const CLUES = ['nameStart', 'surnameStart', 'day', 'month', 'year'];

const clue = (name: string) => ({ type: 'text', name, maxLength: 10 });
const questionnaire = (change: { of?: string; to?: object; more?: object[]; top?: object } = {}) => ({
  name: `Clues ${uuid()}`,
  networkSizeQuestion: 'size',
  identityQuestions: CLUES as unknown,
  definition: {
    elements: [
      { type: 'text', name: 'size', inputType: 'number', isRequired: true },
      { type: 'radiogroup', name: 'housing', choices: ['street', 'shelter'] },
      { type: 'checkbox', name: 'services', choices: ['food', 'health'] },
      ...CLUES.map((name) => ({ ...clue(name), ...(name === change.of && change.to) })),
      ...(change.more ?? []),
    ],
    ...change.top,
  },
});

test('a questionnaire’s identity questions are stored, and kept in an XLSForm', async () => {
  const form = questionnaire();
  const { body } = await cast.admin.post('/api/questionnaires', form).expect(201);
  expect(body.identityQuestions).toEqual(CLUES);
  const read = (await cast.volunteer.get(`/api/questionnaires/${body.id}`).expect(200)).body;
  expect(read.identityQuestions).toEqual(CLUES);
  const { sheets } = exportForm(form as never);
  expect(JSON.stringify(sheets)).toContain(CLUES.join(' '));
  const file = await cast.admin
    .get(`/api/questionnaires/${body.id}/xlsform`)
    .buffer()
    .parse((answer, callback) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => callback(null, Buffer.concat(parts)));
    });
  const back = await cast.admin
    .post('/api/questionnaires/xlsform')
    .type('application/octet-stream')
    .send(file.body as Buffer);
  expect(back.body).toMatchObject({ faults: [], identityQuestions: CLUES });
});

test.each([
  ['fewer than four', CLUES.slice(0, 3), 'identityQuestions'],
  ['more than eight', [...'123456789'], 'identityQuestions'],
  ['one twice', [...CLUES.slice(0, 4), 'day'], 'identityQuestions.4'],
  ['one that is not asked', [...CLUES, 'shoes'], 'identityQuestions.5'],
  ['the network size', [...CLUES, 'size'], 'identityQuestions.5'],
  ['one with several answers', [...CLUES, 'services'], 'identityQuestions.5'],
])('%s is rejected', async (_, identityQuestions, path) => {
  const body = { ...questionnaire(), identityQuestions };
  refusedAt(await cast.admin.post('/api/questionnaires', body), path);
});

const second = clue('other');
test.each([
  ['it is required', { of: 'day', to: { isRequired: true } }],
  ['it is conditionally required', { of: 'day', to: { requiredIf: "{housing} = 'street'" } }],
  ['its panel is required', { more: [{ type: 'panel', name: 'p', isRequired: true, elements: [second] }] }],
  ['a condition reads it', { of: 'size', more: [{ ...second, visibleIf: '{DAY} > 3' }] }],
  ['it checks itself', { of: 'day', to: { validators: [{ type: 'expression', expression: '{day} < 32' }] } }],
  ['a text repeats it', { more: [{ type: 'html', name: 'h', html: '<p>Born on {day}</p>' }] }],
  ['a calculated value reads it', { top: { calculatedValues: [{ name: 'v', expression: '{day} + 1' }] } }],
  ['a function names it', { more: [{ ...second, visibleIf: "displayValue('day') = '3'" }] }],
  [
    'a trigger copies it',
    {
      top: {
        triggers: [{ type: 'copyvalue', expression: '{size} > 1', setToName: 'housing', fromName: 'day' }],
      },
    },
  ],
  ['another question writes under its name', { more: [{ ...second, valueName: 'day' }] }],
])('an identity question is rejected if %s', async (_, change) => {
  const body = questionnaire(change);
  const named = JSON.stringify(change).includes('isRequired":true,"elements') ? 'other' : 'day';
  body.identityQuestions = [...CLUES.filter((name) => name !== named), named];
  const place = (body.identityQuestions as string[]).length - 1;
  refusedAt(await cast.admin.post('/api/questionnaires', body), `identityQuestions.${place}`);
});

test('takesPartIf cannot read an identity question', async () => {
  const body = { ...questionnaire(), takesPartIf: '{year} < 2008' };
  refusedAt(await cast.admin.post('/api/questionnaires', body), 'identityQuestions.4');
});

const calculated = (expression: string) => [{ name: 'v', expression, includeIntoResult: true }];
const spelled = { name: 'n', expression: "'da' + 'y'" };
test.each([
  [
    'a function takes a calculated name',
    { top: { calculatedValues: [spelled, ...calculated('displayValue({n})')] } },
  ],
  [
    'a function takes an answer for a name',
    { more: [{ ...second, setValueExpression: 'getComment({housing})' }] },
  ],
  [
    'a function takes an expression',
    { more: [{ ...second, visibleIf: "displayValue({housing} + 'y') = '3'" }] },
  ],
  ['a function takes a list', { more: [{ ...second, visibleIf: "displayValue(['day']) = '3'" }] }],
  [
    'a list is filtered by an expression in a text',
    { top: { calculatedValues: calculated("countInArray({services}, 'a', {housing})") } },
  ],
  ['a property leads to others', { top: { calculatedValues: calculated('{$size.survey.data.day}') } }],
  [
    'a text follows a property',
    { more: [{ type: 'html', name: 'h', html: '{$size.parent.elements[3].value}' }] },
  ],
])('a questionnaire with identity questions is rejected if %s', async (_, change) => {
  const answer = await cast.admin.post('/api/questionnaires', questionnaire(change));
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ code: 'CLUE_INDIRECT' }));
  const { identityQuestions: __, ...without } = questionnaire(change);
  await cast.admin.post('/api/questionnaires', without).expect(201);
});

test.each([
  ['without quotation marks', { more: [{ ...second, visibleIf: 'displayValue(day) = 3' }] }],
  ['with two signs before it', { top: { calculatedValues: calculated('{#$day}') } }],
  ['by its page', { more: [{ ...second, visibleIf: "isContainerReady('page1')" }] }],
])('an identity question is rejected if it is read %s', async (_, change) => {
  const place = CLUES.indexOf('day');
  refusedAt(
    await cast.admin.post('/api/questionnaires', questionnaire(change)),
    `identityQuestions.${place}`,
  );
});

test('a function that names another question is accepted beside identity questions', async () => {
  const change = {
    more: [{ ...second, visibleIf: "displayValue('housing') = 'street' and {$size.isVisible}" }],
  };
  await cast.admin.post('/api/questionnaires', questionnaire(change)).expect(201);
});
