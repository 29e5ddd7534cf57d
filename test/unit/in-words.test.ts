/** Answers as text on the dashboard: the fast path gives exactly the text of the form library. */

import languages from '../../locales/languages.json' with { type: 'json' };
import { answerLines } from '../../src/questionnaires/answers/in-words.ts';
import {
  DEFAULT_QUESTIONNAIRE,
  MINIMAL_RESPONSES,
} from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { answerLinesFast } from '../../src/questionnaires/validator/fast-answer-text.ts';
import { loadFormLibraryLocale } from '../../src/questionnaires/validator/library-locales.ts';
import { answersInWords } from '../../src/questionnaires/validator/validator.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import fc from '../fast-check.ts';

type Answers = Record<string, unknown>;

/** The languages of the app, a dialect, and one that neither the app nor the library has. */
const TONGUES = [...Object.keys(languages), 'es-MX', 'tlh'];

let count = 0;
/** Each definition is a separate questionnaire, because plans are cached by id. */
const asQuestionnaire = (definition: object) => ({ id: `words-${count++}`, definition });

beforeAll(async () => {
  for (const language of TONGUES) await loadFormLibraryLocale(language);
});

const SETS: Answers[] = [
  EXAMPLE_RESPONSES,
  MINIMAL_RESPONSES,
  {},
  { consent: 'no' },
  { ...EXAMPLE_RESPONSES, healthConditions: ['refused'], veteran: 'refused', networkSize: 0 },
  { consent: 'yes', isAdult: 'no', household: ['children'] },
];

test.each(TONGUES)(
  'the fast path renders the answers of the default questionnaire, in %s',
  async (language) => {
    const questionnaire = asQuestionnaire(DEFAULT_QUESTIONNAIRE.definition);
    for (const answers of SETS)
      expect(await answerLinesFast(questionnaire, answers, language)).toEqual(
        answerLines(questionnaire.definition, answers, language),
      );
  },
);

const word = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom('One', 'Two words', '<b>Three</b>', 'اربعة', 'x') },
  { weight: 1, arbitrary: fc.constant('') },
);
const texts = fc.oneof(
  word,
  fc.record({ default: word, es: word, ar: word }, { requiredKeys: [] }),
  fc.record({ default: word, en: word }),
  fc.record({ en: word, 'es-MX': word, zh: word }, { requiredKeys: [] }),
  fc.constant(undefined),
);
const condition = fc.constantFrom(
  undefined,
  '{b} empty',
  "{a} = 'x' or {late} = true",
  '{n} >= 2',
  "!({b} notempty) or {a} = 'refused'",
);
const frame = fc.record({ title: texts, visibleIf: condition });
const special = fc.record({
  showOtherItem: fc.constantFrom(true, true, false),
  otherText: texts,
  showNoneItem: fc.constantFrom(true, true, false),
  noneText: texts,
  showRefuseItem: fc.constantFrom(true, true, false),
  refuseText: texts,
  showDontKnowItem: fc.constantFrom(true, true, false),
});
const choices = fc.tuple(texts, texts, texts).map(([x, y, none]) => [
  { value: 'x', text: x },
  { value: 'y', text: y },
  'z',
  // An author's own text for the library's value.
  ...(none === undefined ? [] : [{ value: 'none', text: none }]),
]);
const form = fc
  .record({
    ...{ frames: fc.array(frame, { minLength: 6, maxLength: 6 }), items: special, listed: choices },
    ...{ yes: texts, no: texts, pageIf: condition },
    quotes: fc.constantFrom(undefined, undefined, undefined, 'Of {n}?'),
  })
  .map(({ frames, items, listed, yes, no, pageIf, quotes }) => {
    const elements = [
      { type: 'radiogroup', name: 'a', choices: listed, ...items },
      { type: 'checkbox', name: 'b', choices: listed, ...items },
      { type: 'dropdown', name: 'c', choices: listed, ...items },
      { type: 'text', inputType: 'number', name: 'n' },
      { type: 'boolean', name: 'f', labelTrue: yes, labelFalse: no },
      { type: 'comment', name: 't' },
    ].map((one, at) => ({ ...one, ...frames[at] }));
    const pages = [
      { elements: elements.slice(0, 3) },
      { elements: [{ type: 'html', name: 'h', html: 'Well.' }, ...elements.slice(3)], visibleIf: pageIf },
      { elements: [{ type: 'text', name: 'last', title: quotes }] },
    ];
    const calculatedValues = [{ name: 'late', expression: '{n} = 1' }];
    return JSON.parse(JSON.stringify({ calculatedValues, pages })) as object;
  });
const choice = fc.constantFrom('x', 'x', 'y', 'z', 'other', 'none', 'refused', 'dontknow');
const written = fc.constantFrom('{n}', 'Two\nlines', 'Of <b>');
const answers: fc.Arbitrary<Answers> = fc
  .record(
    {
      ...{ a: choice, c: choice, b: fc.uniqueArray(choice, { minLength: 1, maxLength: 2 }) },
      ...{ n: fc.constantFrom(0, 1, 2.5, -3), f: fc.boolean(), t: written },
    },
    { requiredKeys: [] },
  )
  .chain((answerSet) =>
    written.map((comment) => {
      const others = Object.entries(answerSet).filter(([, value]) => [value].flat().includes('other'));
      return { ...answerSet, ...Object.fromEntries(others.map(([name]) => [`${name}-Comment`, comment])) };
    }),
  );

test('the fast path agrees with the form library for random simple forms and answers', async () => {
  let atOnce = 0;
  await fc.assert(
    fc.asyncProperty(
      form,
      fc.array(answers, { minLength: 6, maxLength: 6 }),
      fc.constantFrom(...TONGUES),
      async (definition, sets, language) => {
        const questionnaire = asQuestionnaire(definition);
        for (const set of sets) {
          const answerText = await answerLinesFast(questionnaire, set, language);
          if (!answerText) continue;
          atOnce += 1;
          expect(answerText).toEqual(answerLines(definition, set, language));
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 25) },
  );
  expect(atOnce).toBeGreaterThan(20);
});

const KINDS = {
  elements: [
    { type: 'text', inputType: 'date', name: 'day', title: { default: 'Which day?', es: '¿Qué día?' } },
    { type: 'text', name: 'phone', maskType: 'pattern', maskSettings: { pattern: '999-999' } },
    { type: 'text', name: 'quoted', title: 'After {day}' },
    { type: 'html', name: 'note', html: 'Well.' },
    { type: 'rating', name: 'rate', rateValues: [{ value: 1, text: 'Bad' }, 2] },
    { type: 'ranking', name: 'order', choices: ['x', { value: 'y', text: 'Y!' }] },
    { type: 'tagbox', name: 'tags', choices: [{ value: 1, text: 'Uno' }, 2], showOtherItem: true },
    { type: 'imagepicker', name: 'picture', choices: [{ value: 'lion', text: 'Lion' }] },
    { type: 'dropdown', name: 'refused', choices: ['a'], showRefuseItem: true },
    { type: 'matrix', name: 'grid', columns: [{ value: 'c', text: 'Column' }], rows: ['r', 's'] },
    { type: 'multipletext', name: 'lines', items: [{ name: 'one', title: 'One' }, { name: 'two' }] },
    {
      type: 'matrixdynamic',
      name: 'table',
      columns: [{ name: 'kind', title: 'Kind', cellType: 'dropdown', choices: [{ value: 1, text: 'Cat' }] }],
    },
    {
      type: 'paneldynamic',
      name: 'people',
      templateElements: [
        { type: 'boolean', name: 'adult', title: 'Adult?' },
        { type: 'text', name: 'age', visibleIf: '{panel.adult} = false' },
      ],
    },
    { type: 'slider', name: 'between', sliderType: 'range' },
    { type: 'expression', name: 'sum', expression: '{rate} * 1000', displayStyle: 'decimal' },
    { type: 'text', name: 'never', visibleIf: '{rate} = 2' },
    { type: 'panel', name: 'hidden', visibleIf: '{rate} = 2', elements: [{ type: 'text', name: 'inside' }] },
  ],
};
const ANSWERS_BY_KIND: Answers = {
  ...{ day: '2026-03-05', phone: '123456', rate: 1, order: ['y', 'x'], tags: [1, 'other'] },
  ...{ 'tags-Comment': 'Both', picture: 'lion', refused: 'refused', grid: { r: 'c' }, lines: { one: '1' } },
  ...{ table: [{ kind: 1 }], people: [{ adult: true }, { adult: false, age: '7' }], between: [10, 20] },
};

test.each(['en', 'es', 'ar'])(
  'answers of all question types are rendered by the form library in a separate process, in %s',
  async (language) => {
    const apart = await answersInWords(asQuestionnaire(KINDS), ANSWERS_BY_KIND, language);
    expect(apart).toEqual(answerLines(KINDS, ANSWERS_BY_KIND, language));
    expect(apart.map(({ name }) => name)).toEqual(expect.not.arrayContaining(['note', 'never', 'sum']));
    expect(apart).toContainEqual({ name: 'tags', title: 'tags', answer: 'Uno, Both' });
    expect(apart).toContainEqual({ name: 'grid', title: 'grid', answer: '{"r":"Column"}' });
    expect(apart).toContainEqual({ name: 'quoted', title: expect.stringContaining('After'), answer: '' });
    expect(apart.find(({ name }) => name === 'day')?.title).toBe(
      language === 'es' ? '¿Qué día?' : 'Which day?',
    );
  },
);
