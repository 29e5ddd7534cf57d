import { Model } from 'survey-core';
import { checkAnswersWithModel } from '../../src/questionnaires/answers/answers.ts';
import { clearHiddenNestedAnswers } from '../../src/questionnaires/answers/check-values.ts';
import { compileFastAnswerRules } from '../../src/questionnaires/answers/fast-validation.ts';
import { answerLines } from '../../src/questionnaires/answers/in-words.ts';
import { setAnswersAndCameWithCoupon } from '../../src/questionnaires/definition/coupon-variable.ts';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { parseNetworkSize } from '../../src/questionnaires/network-size.ts';
import {
  DEFAULT_QUESTIONNAIRE,
  MINIMAL_RESPONSES,
} from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { checkAnswers } from '../check-answers.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import fc from '../fast-check.ts';

type Answers = Record<string, unknown>;

const NUMBER = { type: 'text', inputType: 'number', name: 'size' };
const paths = (errors: { path: string }[]) => errors.map((error) => error.path);

let count = 0;
/** Each definition is a separate questionnaire, because verdicts are cached by id. */
function judge(elements: object[], responses: Answers, more: object = {}) {
  count += 1;
  return checkAnswers({ id: `test-${count}`, definition: { pages: [{ elements }], ...more } }, responses);
}

function judgeDefault(responses: Answers) {
  return checkAnswers({ id: 'default', definition: DEFAULT_QUESTIONNAIRE.definition }, responses);
}

describe('a definition', () => {
  const withElement = (element: object) => checkDefinition({ elements: [NUMBER, element] }, 'size');

  it('is an object with a network size question', () => {
    expect(checkDefinition({ elements: [NUMBER] }, 'size')).toEqual([]);
    for (const wrong of [null, 5, 'text', [], [NUMBER]]) {
      expect(paths(checkDefinition(wrong, 'size'))).toEqual(['definition']);
    }
    expect(paths(checkDefinition({}, 'size'))).toEqual(['definition']);
    expect(paths(checkDefinition({ elements: [NUMBER] }, 'other'))).toEqual(['networkSizeQuestion']);
    const words = { elements: [{ type: 'comment', name: 'size' }] };
    expect(paths(checkDefinition(words, 'size'))).toEqual(['networkSizeQuestion']);
    expect(checkDefinition({ elements: [{ type: 'text', name: 'size' }] }, 'size')).toEqual([]);
  });

  it.each([
    ['an unknown type', { type: 'telepathy', name: 'a' }],
    ['an unknown property', { type: 'text', name: 'a', visbleIf: '{size} > 1' }],
    ['no name', { type: 'text' }],
  ])('with %s is rejected at its path', (_what, element) => {
    expect(withElement(element)).toEqual([
      {
        path: 'definition.elements.1',
        message: expect.any(String) as string,
        code: expect.any(String) as string,
      },
    ]);
  });

  it.each([
    [
      'choices from another host',
      { type: 'dropdown', name: 'a', choicesByUrl: { url: 'https://example.org/' } },
    ],
    ['an image from another host', { type: 'image', name: 'a', imageLink: 'https://example.org/a.png' }],
    ['an image in one language', { type: 'image', name: 'a', imageLink: { en: '//example.org/a.png' } }],
    [
      'an image choice',
      { type: 'imagepicker', name: 'a', choices: [{ value: 1, imageLink: 'http://example.org' }] },
    ],
    ['a script link', { type: 'image', name: 'a', imageLink: 'javascript:alert(1)' }],
    ['a script', { type: 'html', name: 'a', html: '<script>alert(1)</script>' }],
    ['a handler', { type: 'html', name: 'a', html: { en: 'x', es: '<b onclick="alert(1)">x</b>' } }],
    ['an image in a text', { type: 'html', name: 'a', html: '<img src=https://example.org/a.png>' }],
    ['a frame', { type: 'html', name: 'a', html: '<iframe src="//example.org"></iframe>' }],
    ['an unclosed tag', { type: 'html', name: 'a', html: '<svg/onload=alert(1)' }],
    ['a file', { type: 'file', name: 'a' }],
    ['a signature', { type: 'signaturepad', name: 'a' }],
    ['a file in a table', { type: 'matrixdynamic', name: 'a', columns: [{ name: 'b', cellType: 'file' }] }],
    ['a long pattern', { type: 'text', name: 'a', validators: [{ type: 'regex', regex: 'a'.repeat(201) }] }],
    ['a broken pattern', { type: 'text', name: 'a', validators: [{ type: 'regex', regex: '(' }] }],
    [
      'a pattern that looks ahead',
      { type: 'text', name: 'a', validators: [{ type: 'regex', regex: '(?=a)' }] },
    ],
    ['a broken expression', { type: 'text', name: 'a', visibleIf: '{size} = = 1' }],
    ['an unknown function', { type: 'text', name: 'a', visibleIf: 'launch(1)' }],
  ])('with %s is rejected', (_what, element) => {
    const errors = withElement(element);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.path).toMatch(/^definition/);
  });

  it('fetches nothing while being validated', () => {
    const real = globalThis.fetch;
    let fetched = 0;
    globalThis.fetch = () => {
      fetched += 1;
      return Promise.reject(new Error('no fetch here'));
    };
    withElement({ type: 'dropdown', name: 'a', choicesByUrl: { url: 'http://127.0.0.1:41100/' } });
    globalThis.fetch = real;
    expect(fetched).toBe(0);
  });

  it.each([
    'a.b',
    '$where',
    '__proto__',
    'constructor',
    'x'.repeat(101),
    '',
    ' a',
    'size',
    'SIZE',
    'a-Comment',
    'cameWithCoupon',
    'studycontact',
  ])('cannot name a question %j', (name) => {
    const errors = withElement(JSON.parse(JSON.stringify({ type: 'text', name })) as object);
    expect(paths(errors)).toEqual(['definition.elements.1.name']);
  });

  it('cannot give a calculated value the name of a question, whose answer it would replace', () => {
    const named = (name: string) => ({
      elements: [NUMBER],
      calculatedValues: [{ name, expression: '{size} + 1' }],
    });
    expect(checkDefinition(named('more'), 'size')).toEqual([]);
    expect(paths(checkDefinition(named('Size'), 'size'))).toEqual(['definition.calculatedValues.0.name']);
  });

  it('can reuse names inside different panels', () => {
    const panel = (name: string) => ({
      type: 'paneldynamic',
      name,
      templateElements: [{ type: 'text', name: 'age' }],
    });
    expect(checkDefinition({ elements: [NUMBER, panel('a'), panel('b')] }, 'size')).toEqual([]);
  });

  it('rejects prototype keys, excessive depth, and ways to leave the interview', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { elements: [nested(depth - 1)] });
    const polluted = JSON.parse('{"elements":[{"__proto__":{"a":1}}]}') as object;
    expect(checkDefinition(polluted, 'size')).toHaveLength(1);
    expect(checkDefinition(nested(60), 'size').length).toBeGreaterThan(0);
    expect(paths(checkDefinition({ elements: [NUMBER], navigateToUrl: '/x' }, 'size'))).toEqual([
      'definition.navigateToUrl',
    ]);
    for (const trigger of [
      { type: 'complete' },
      { type: 'Complete' },
      { type: 'skip', gotoName: 'size' },
      { type: 'visible', questions: ['size'] },
      { type: 'setvalue', isVariable: true, setToName: 'lucky', setValue: 1 },
    ]) {
      const definition = { elements: [NUMBER], triggers: [{ ...trigger, expression: '{size} = 1' }] };
      expect(paths(checkDefinition(definition, 'size'))).toEqual(['definition.triggers.0']);
    }
    const fills = { type: 'setvalue', expression: '{size} = 1', setToName: 'size', setValue: 2 };
    expect(checkDefinition({ elements: [NUMBER], triggers: [fills] }, 'size')).toEqual([]);
  });

  it('can include a data URL image', () => {
    expect(
      withElement({ type: 'image', name: 'a', imageLink: 'data:image/png;base64,iVBORw0KGgo=' }),
    ).toEqual([]);
  });

  it('is rejected without a crash for any random JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const errors = checkDefinition({ elements: a, pages: b, title: a }, 'size');
        expect(errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });
});

describe('answers', () => {
  it.each([
    ['an unknown choice', { veteran: 'maybe' }, 'responses.veteran'],
    ['a choice of the wrong type', { homelessTimes: 2 }, 'responses.homelessTimes'],
    ['an object instead of text', { openComment: { $gt: '' } }, 'responses.openComment'],
    ['an object instead of a choice', { veteran: { $ne: 1 } }, 'responses.veteran'],
    ['an array instead of a choice', { veteran: ['yes'] }, 'responses.veteran'],
    ['a choice instead of an array', { household: 'partner' }, 'responses.household'],
    ['an unknown choice in an array', { servicesNeeded: ['food', 'gold'] }, 'responses.servicesNeeded.1'],
    ['a choice selected twice', { servicesNeeded: ['food', 'food'] }, 'responses.servicesNeeded'],
    ['a refusal along with answers', { servicesNeeded: ['food', 'refused'] }, 'responses.servicesNeeded'],
    ['"alone" along with others', { household: ['alone', 'pets'] }, 'responses.household'],
    ['an unknown key', { hobby: 'chess' }, 'responses.hobby'],
    ['the name of a text element', { consentText: 'x' }, 'responses.consentText'],
    ['null as an answer', { veteran: null }, 'responses.veteran'],
    ['a number as text', { networkSize: '12' }, 'responses.networkSize'],
    ['a number out of range', { household: ['children'], childrenCount: 21 }, 'responses.childrenCount'],
    ['an answer to a hidden question', { childrenCount: 2 }, 'responses.childrenCount'],
    ['a text that is too long', { openComment: 'x'.repeat(2001) }, 'responses.openComment'],
    ['"something else" without a comment', { language: 'other' }, 'responses.language'],
    ['a comment without "something else"', { 'language-Comment': 'Somali' }, 'responses.language-Comment'],
    [
      'a comment that is not text',
      { language: 'other', 'language-Comment': 5 },
      'responses.language-Comment',
    ],
    ['a comment on a question without comments', { 'veteran-Comment': 'x' }, 'responses.veteran-Comment'],
  ])('with %s are rejected at its path', (_what, change, path) => {
    expect(paths(judgeDefault({ ...MINIMAL_RESPONSES, ...change }))).toContain(path);
  });

  it('with a comment for "something else" are valid', () => {
    const words = { language: 'other', 'language-Comment': 'Somali' };
    expect(judgeDefault({ ...MINIMAL_RESPONSES, ...words })).toEqual([]);
    const inList = { servicesUsed: ['food', 'other'], 'servicesUsed-Comment': 'Books' };
    expect(judgeDefault({ ...MINIMAL_RESPONSES, ...inList })).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('with the key %s are rejected at any depth', (key) => {
    const nested = JSON.parse(`{"veteran":{"a":[{"${key}":{"isAdmin":true}}]}}`) as Answers;
    expect(judgeDefault({ ...MINIMAL_RESPONSES, ...nested })).toHaveLength(1);
    const top = JSON.parse(`{"consent":"no","${key}":{"isAdmin":true}}`) as Answers;
    expect(paths(judgeDefault(top))).toEqual(['responses']);
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('nested too deeply are rejected', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
    expect(judgeDefault({ consent: 'no', veteran: deep })).toHaveLength(1);
  });

  it('with a text that is too long are rejected before any pattern runs', () => {
    const question = { type: 'text', name: 'a', validators: [{ type: 'regex', regex: '^a*a*a*a*b$' }] };
    expect(judge([question], { a: 'a'.repeat(10_001) })).toEqual([
      {
        path: 'responses.a',
        message: expect.stringContaining('at most') as string,
        code: 'ANSWER_TOO_LONG',
        params: { count: 10_000 },
      },
    ]);
  });

  it('with names of object methods are rejected as unknown', () => {
    expect(paths(judgeDefault({ consent: 'no', toString: 'x', hasOwnProperty: 'y' }))).toEqual([
      'responses.toString',
      'responses.hasOwnProperty',
    ]);
  });

  it('in panels are validated per panel', () => {
    const panel = {
      type: 'paneldynamic',
      name: 'people',
      templateElements: [
        { type: 'text', name: 'nick', isRequired: true },
        { type: 'dropdown', name: 'tie', choices: ['friend', 'family'] },
        { type: 'text', name: 'since', visibleIf: "{panel.tie} = 'friend'" },
      ],
    };
    expect(judge([panel], { people: [{ nick: 'A', tie: 'friend', since: 'May' }, { nick: 'B' }] })).toEqual(
      [],
    );
    const wrong = [
      { tie: 'friend' },
      { nick: 'B', tie: 'enemy' },
      { nick: 'C', since: 'May' },
      { nick: 'D', x: 1 },
    ];
    expect(paths(judge([panel], { people: wrong })).sort()).toEqual([
      'responses.people.0.nick',
      'responses.people.1.tie',
      'responses.people.2.since',
      'responses.people.3.x',
    ]);
    for (const people of ['text', 5, [5], { 0: {} }]) {
      expect(paths(judge([panel], { people }))).toContain('responses.people');
    }
  });

  it('in tables are validated per cell', () => {
    const columns = [
      { name: 'what', cellType: 'dropdown', choices: ['bed', 'meal'], isRequired: true },
      { name: 'nights', cellType: 'text', inputType: 'number', max: 31 },
    ];
    const free = { type: 'matrixdynamic', name: 'stays', rowCount: 0, columns };
    expect(judge([free], { stays: [{ what: 'bed', nights: 3 }] })).toEqual([]);
    const wrong = [{ what: 'bed', nights: 40 }, { what: 'tent' }, { nights: 1 }];
    expect(paths(judge([free], { stays: wrong })).sort()).toEqual([
      'responses.stays.0.nights',
      'responses.stays.1.what',
      'responses.stays.2.what',
    ]);
    const fixed = { type: 'matrixdropdown', name: 'sites', rows: ['north', 'south'], columns };
    expect(judge([fixed], { sites: { north: { what: 'bed' }, south: { what: 'meal' } } })).toEqual([]);
    const elsewhere = { north: { what: 'bed' }, south: { what: 'meal' }, west: { what: 'bed' } };
    expect(paths(judge([fixed], { sites: elsewhere }))).toEqual(['responses.sites.west']);
  });

  it('of every other question type are validated by type', () => {
    const kinds: [object, unknown, unknown][] = [
      [{ type: 'boolean' }, true, 'true'],
      [{ type: 'boolean', valueTrue: 'y', valueFalse: 'n' }, 'n', false],
      [{ type: 'rating', rateMax: 5 }, 5, 6],
      [{ type: 'slider' }, 40, 'x'],
      [{ type: 'slider', sliderType: 'range' }, [1, 2], 1],
      [{ type: 'ranking', choices: ['a', 'b'] }, ['b', 'a'], ['b', 'z']],
      [{ type: 'tagbox', choices: ['a', 'b', 'c'], maxSelectedChoices: 2 }, ['a', 'b'], ['a', 'b', 'c']],
      [{ type: 'buttongroup', choices: ['a'] }, 'a', 'b'],
      [{ type: 'imagepicker', choices: ['a', 'b'] }, 'a', ['a']],
      [{ type: 'imagepicker', multiSelect: true, choices: ['a', 'b'] }, ['a'], 'a'],
      [{ type: 'multipletext', items: [{ name: 'x' }] }, { x: 'one' }, { y: 'two' }],
      [{ type: 'matrix', rows: ['r'], columns: ['k'] }, { r: 'k' }, { r: 'z' }],
      [{ type: 'matrix', rows: ['r'], columns: ['k'] }, { r: 'k' }, { q: 'k' }],
      [{ type: 'text' }, 'word', 5],
      [{ type: 'text', inputType: 'date' }, '2024-02-29', 5],
      [{ type: 'comment' }, 'words', ['words']],
      [{ type: 'expression', expression: '1 + 1' }, 2, { a: 1 }],
      [{ type: 'dropdown', choices: [1, 2] }, 1, '1'],
      [
        { type: 'dropdown', choices: ['a'], storeOthersAsComment: false, showOtherItem: true },
        'mine',
        { a: 1 },
      ],
      [{ type: 'radiogroup', choices: ['a'], showOtherItem: true, showCommentArea: true }, 'mine', { a: 1 }],
      [{ type: 'text', maskType: 'currency' }, 1_200, '1,200'],
      [{ type: 'text', maskType: 'numeric', maskSettings: { saveMaskedValue: true } }, '1,200', 1_200],
      [{ type: 'multipletext', items: [{ name: 'x', maskType: 'numeric' }] }, { x: 5 }, { x: '5' }],
    ];
    for (const [question, right, wrong] of kinds) {
      expect([question, judge([{ ...question, name: 'q' }], { q: right })]).toEqual([question, []]);
      const errors = judge([{ ...question, name: 'q' }], { q: wrong });
      expect([question, errors[0]?.path]).toEqual([
        question,
        expect.stringMatching(/^responses\.q/) as string,
      ]);
    }
  });

  it('that the form calculates itself are accepted', () => {
    const more = { calculatedValues: [{ name: 'sum', expression: '{a} + 1', includeIntoResult: true }] };
    const elements = [
      { type: 'text', inputType: 'number', name: 'a', defaultValue: 3 },
      { type: 'expression', name: 'when', expression: 'today()' },
    ];
    expect(judge(elements, { a: 4, sum: 5, when: '2024-05-01' }, more)).toEqual([]);
    expect(judge(elements, { a: 4 }, more)).toEqual([]);
  });

  it('to hidden questions are accepted with clearInvisibleValues: none', () => {
    const elements = [
      { type: 'text', name: 'a' },
      { type: 'text', name: 'b', visibleIf: "{a} = 'x'" },
    ];
    expect(paths(judge(elements, { a: 'y', b: 'z' }))).toEqual(['responses.b']);
    expect(judge(elements, { a: 'y', b: 'z' }, { clearInvisibleValues: 'none' })).toEqual([]);
  });

  it('that fail a warning are valid', () => {
    const validator = { type: 'expression', expression: '{a} < 5', text: 'Sure?' };
    const question = {
      type: 'text',
      inputType: 'number',
      name: 'a',
      validators: [{ ...validator, notificationType: 'warning' }],
    };
    expect(judge([question], { a: 9 })).toEqual([]);
    const refused = { ...question, validators: [validator] };
    expect(judge([refused], { a: 9 })).toEqual([{ path: 'responses.a', message: 'Sure?', code: 'OTHER' }]);
  });

  it('are never logged, even if invalid', () => {
    const { warn, error } = console;
    const heard: unknown[] = [];
    const listen = (...words: unknown[]) => heard.push(words);
    Object.assign(console, { warn: listen, error: listen });
    judge([{ type: 'matrixdynamic', name: 'q', columns: [{ name: 'c' }] }], { q: 'my secret' });
    expect(console.warn).toBe(listen);
    Object.assign(console, { warn, error });
    expect(heard).toEqual([]);
  });

  it('of any shape get errors, never a crash', () => {
    const names = Object.keys(EXAMPLE_RESPONSES);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { minKeys: 1, maxKeys: 12 }),
        (change) => {
          const errors = judgeDefault({ ...MINIMAL_RESPONSES, ...change });
          for (const error of errors) expect(error.message).not.toBe('');
        },
      ),
      // Each makes two models of the whole questionnaire.
      { numRuns: 10 },
    );
  });
});

/** Small questionnaires that the plain rules can validate, with answers that are often valid. */
const CONDITIONS = [
  '{b} empty',
  "{a} = 'x' and {n} notempty",
  "{b} contains 'y'",
  "{a} anyof ['x', 'other']",
  '{n} >= 2 or {flag} = true',
  "{t} <> 'w'",
  '{n} % 2 = 0',
  "!({b} notempty) or {a} = 'refused'",
];
const condition = fc.option(fc.constantFrom(...CONDITIONS), { nil: undefined });
const frame = fc.record({
  visibleIf: condition,
  requiredIf: condition,
  isRequired: fc.constantFrom(true, false, false, false),
});
const special = fc.record({ showOtherItem: fc.boolean(), showRefuseItem: fc.boolean() });
const plainDefinition = fc
  .tuple(fc.array(frame, { minLength: 4, maxLength: 4 }), special, condition, condition, fc.boolean())
  .map(([frames, items, pageIf, holds, isWarning]) => {
    const choices = ['x', { value: 'y', isExclusive: items.showRefuseItem }, 'z'];
    const validators = holds && [
      {
        type: 'expression',
        expression: holds,
        text: 'No.',
        ...(isWarning && { notificationType: 'warning' }),
      },
    ];
    const elements = [
      { type: 'radiogroup', name: 'a', choices, ...items, ...frames[0] },
      { type: 'checkbox', name: 'b', choices, ...items, ...frames[1] },
      { type: 'text', inputType: 'number', name: 'n', min: 0, max: 5, validators, ...frames[2] },
      { type: 'comment', name: 't', maxLength: 3, ...frames[3] },
    ];
    const calculatedValues = [{ name: 'flag', expression: "{a} = 'x'" }];
    const pages = [{ elements: elements.slice(0, 2) }, { elements: elements.slice(2), visibleIf: pageIf }];
    return JSON.parse(JSON.stringify({ calculatedValues, pages })) as object;
  });
const choiceValue = fc.constantFrom('x', 'y', 'z', 'other', 'refused', 'q');
const plainAnswers: fc.Arbitrary<Answers> = fc.record(
  {
    a: choiceValue,
    b: fc.array(choiceValue, { minLength: 1, maxLength: 3 }),
    n: fc.constantFrom(-1, 0, 1, 2, 3, 5, 6, '2'),
    t: fc.constantFrom('w', 'abc', 'abcd'),
    'a-Comment': fc.constantFrom('word', 'words'),
    'b-Comment': fc.constantFrom('word', 'words'),
  },
  { requiredKeys: [] },
);

describe('a question that depends on having a coupon', () => {
  const asks = (visibleIf: string, isRequired: boolean) => ({
    pages: [{ name: 'p', elements: [{ type: 'text', name: 'who', visibleIf, isRequired }] }],
  });
  /** A kind that the plain rules leave to the full model. */
  const full = (visibleIf: string, isRequired: boolean) => ({
    ...asks(visibleIf, isRequired),
    title: 'Form',
  });
  const HOLDERS = [
    "{cameWithCoupon} = 'yes'",
    "{cameWithCoupon} <> 'no'",
    "{cameWithCoupon} notempty and {cameWithCoupon} = 'yes'",
  ];
  const OTHERS = ["{cameWithCoupon} = 'no'", "{cameWithCoupon} <> 'yes'"];
  it.each(
    [...HOLDERS, ...OTHERS].flatMap((visibleIf) =>
      [true, false].map((isRequired) => [visibleIf, isRequired] as const),
    ),
  )('is valid with and without an answer: %s, required: %s', (visibleIf, isRequired) => {
    for (const definition of [asks(visibleIf, isRequired), full(visibleIf, isRequired)])
      for (const answers of [{ who: 'a friend' }, {}]) {
        expect(checkAnswersWithModel(definition, answers)).toEqual([]);
        expect(checkAnswers({ id: JSON.stringify(definition), definition }, answers)).toEqual([]);
      }
  });

  it('is listed for an incomplete interview with the answers that it has', () => {
    const [otherQuestion] = asks(OTHERS[0] as string, false).pages[0]?.elements ?? [];
    const age = { type: 'text', name: 'age', isRequired: true };
    const definition = { pages: [{ name: 'p', elements: [otherQuestion, age] }] };
    expect(answerLines(definition, { who: 'a friend' }, 'en').map(({ name }) => name)).toContain('who');
  });

  it('is rejected if one answer needs a coupon and another needs none', () => {
    const elements = [HOLDERS[0], OTHERS[0]].map((visibleIf, at) => ({
      type: 'text',
      name: `q${at}`,
      visibleIf,
    }));
    const definition = { pages: [{ name: 'p', elements }] };
    expect(checkAnswersWithModel(definition, { q0: 'a', q1: 'b' })).not.toEqual([]);
    expect(compileFastAnswerRules(definition)?.areRight({ q0: 'a', q1: 'b' })).toBe(false);
    for (const answers of [{ q0: 'a' }, { q1: 'b' }])
      expect(answerLines(definition, answers, 'en').map(({ name }) => name)).toEqual(Object.keys(answers));
  });
});

describe('a question that was asked but is hidden at the end', () => {
  const people = {
    type: 'paneldynamic',
    name: 'people',
    templateElements: [
      { type: 'dropdown', name: 'tie', choices: ['friend', 'family'] },
      { type: 'text', name: 'since', visibleIf: "{panel.tie} = 'friend'" },
    ],
  };
  const table = {
    type: 'matrixdynamic',
    name: 'stays',
    columns: [
      { name: 'where', cellType: 'dropdown', choices: ['tent', 'car'] },
      { name: 'plate', cellType: 'text', visibleIf: "{row.where} = 'car'" },
    ],
  };
  const answers = {
    size: 3,
    people: [
      { tie: 'family', since: '2020' },
      { tie: 'friend', since: '2021' },
    ],
    stays: [{ where: 'tent', plate: 'ABC' }],
  };

  it('is cleared inside repeats and tables too, so that the answers are accepted', () => {
    const definition = {
      pages: [
        { name: 'one', elements: [NUMBER] },
        { name: 'two', elements: [people, table] },
      ],
    };
    expect(paths(checkAnswersWithModel(definition, answers)).sort()).toEqual([
      'responses.people.0.since',
      'responses.stays.0.plate',
    ]);
    const model = new Model(definition);
    model.data = structuredClone(answers);
    clearHiddenNestedAnswers(model.getAllQuestions());
    expect(model.data).toEqual({
      size: 3,
      people: [{ tie: 'family' }, { tie: 'friend', since: '2021' }],
      stays: [{ where: 'tent' }],
    });
    expect(checkAnswersWithModel(definition, model.data)).toEqual([]);
  });
});

describe('a default answer', () => {
  it('that was removed does not come back when the answers are read again', () => {
    const definition = {
      pages: [
        { elements: [NUMBER] },
        { visibleIf: '{size} > 1', elements: [{ type: 'text', name: 'city', defaultValue: 'Seattle' }] },
      ],
    };
    const model = new Model(definition);
    setAnswersAndCameWithCoupon(model, 'yes', { size: 3 });
    expect(model.data).toEqual({ size: 3 });
    setAnswersAndCameWithCoupon(model, 'yes', { size: 3, city: 'Tacoma' });
    expect(model.data).toEqual({ size: 3, city: 'Tacoma' });
  });
});

describe('the fast rules', () => {
  it('accept exactly the answers that the full model accepts', () => {
    const verdicts = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(
        plainDefinition,
        fc.array(plainAnswers, { minLength: 4, maxLength: 4 }),
        (definition, sets) => {
          const rules = compileFastAnswerRules(definition);
          for (const answers of sets) {
            // Invalid answers are removed and the rest validated again, so that valid ones are frequent too.
            for (let round = 0; round < 4; round += 1) {
              const errors = checkAnswersWithModel(definition, answers);
              verdicts[errors.length === 0 ? 'right' : 'wrong'] += 1;
              expect([answers, rules?.areRight(answers)]).toEqual([answers, errors.length === 0]);
              if (errors.length === 0) break;
              for (const { path } of errors) delete answers[path.split('.')[1] ?? ''];
            }
          }
        },
      ),
      { numRuns: 20 },
    );
    expect(verdicts.right).toBeGreaterThan(20);
    expect(verdicts.wrong).toBeGreaterThan(20);
  });

  it('keep no state between interviews', () => {
    const sets: Answers[] = [
      MINIMAL_RESPONSES,
      { consent: 'no' },
      {},
      { ...EXAMPLE_RESPONSES, networkSize: -1 },
      { ...MINIMAL_RESPONSES, servicesUsed: ['food'], 'servicesUsed-Comment': 'left over' },
      { ...EXAMPLE_RESPONSES, isAdult: 'no' },
    ];
    const { definition } = DEFAULT_QUESTIONNAIRE;
    const alone = sets.map((set) => compileFastAnswerRules(definition)?.areRight(set));
    expect(alone).toEqual(sets.map((set) => checkAnswersWithModel(definition, set).length === 0));
    const rules = compileFastAnswerRules(definition);
    const order = fc.array(fc.nat({ max: sets.length - 1 }), { minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(order, (turns) => {
        for (const turn of turns) expect(rules?.areRight(sets[turn] ?? {})).toBe(alone[turn]);
      }),
    );
  });

  it('do not modify the answers', () => {
    const answers = structuredClone(EXAMPLE_RESPONSES);
    judgeDefault(answers);
    expect(answers).toEqual(EXAMPLE_RESPONSES);
    const wrong = { ...structuredClone(EXAMPLE_RESPONSES), veteran: 'maybe' };
    judgeDefault(wrong);
    expect(wrong).toEqual({ ...EXAMPLE_RESPONSES, veteran: 'maybe' });
  });

  it.each([
    ['a function', { visibleIf: 'today() > 1' }],
    ['a part of an answer', { visibleIf: '{a.length} > 1' }],
    ['an unknown name', { visibleIf: '{zzz} = 1' }],
    ['a property that is not listed', { enableIf: '{a} = 1' }],
    ['its own valueName', { valueName: 'other' }],
  ])('leave a questionnaire with %s to the full model', (_what, property) => {
    const elements = [
      { type: 'radiogroup', name: 'a', choices: ['x'] },
      { type: 'comment', name: 'b', ...property },
    ];
    expect(compileFastAnswerRules({ pages: [{ elements }] })).toBeNull();
  });
});

describe('the network size', () => {
  const size = (responses: Answers, networkSizeQuestion = 'size') =>
    parseNetworkSize({ networkSizeQuestion }, responses);

  it('is the answered number or null', () => {
    expect(size({ size: 12 })).toBe(12);
    expect(size({ size: 0 })).toBe(0);
    expect(size({ size: 1e6 })).toBe(1e6);
    expect(size({ size: ' 12 ' })).toBe(12);
    expect(size({ size: '١٢' })).toBe(12);
    expect(size({ size: '۱۲' })).toBe(12);
    for (const wrong of [-1, Number.NaN, Infinity, '12 or so', '', '-3', null, [3], {}])
      expect(size({ size: wrong })).toBeNull();
    expect(size({})).toBeNull();
    expect(size({}, 'constructor')).toBeNull();
  });
});
