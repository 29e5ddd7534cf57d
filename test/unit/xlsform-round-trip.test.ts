/** A questionnaire exported to XLSForm and imported again is the same, as far as both formats can express it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}

import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { exportForm } from '../../src/questionnaires/xlsform/export/export.ts';
import { htmlOfMarkdown, markdownOfHtml } from '../../src/questionnaires/xlsform/export/html-markdown.ts';
import { importXlsformFile } from '../../src/questionnaires/xlsform/read-form.ts';
import {
  QUESTIONNAIRE_DEFAULTS,
  wholeNumberMessage,
  wholeNumberRule,
} from '../../src/questionnaires/xlsform/row-types.ts';
import { writeXlsformFile } from '../../src/questionnaires/xlsform/write-form.ts';
import { countCalls } from '../count-calls.ts';
import fc from '../fast-check.ts';

type Json = Record<string, unknown>;
interface Form {
  name: string;
  definition: Json;
  networkSizeQuestion: string;
  takesPartIf: string | null;
}

async function roundTrip(form: Form) {
  const out = exportForm(form).notes;
  const back = await importXlsformFile(await writeXlsformFile(form));
  return { out, back };
}

/** Also texts that a spreadsheet would take for a formula. */
const LETTERS = [...'abz AZ09.,;:!?=+-@\'"&()/%éßñ中文عربпри🙂'];
const plainText = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 25 })
  .map((letters) => `${letters.join('')}.`.trim());

type Words = string | Record<string, string>;
/** All texts of a form have the same languages. */
const SPOKEN = [[], ['default', 'es'], ['en', 'ar', 'zh']];
const wordsIn = (languages: string[]): fc.Arbitrary<Words> =>
  languages.length === 0
    ? plainText
    : fc
        .tuple(...languages.map(() => plainText))
        .map((texts) => Object.fromEntries(languages.map((language, at) => [language, texts[at] ?? ''])));

/** The questions at the start of every form below. */
const ONE = '{one}';
const MANY = '{many}';
const NUMBER = '{size}';
const about = {
  one: fc.constantFrom(
    `${ONE} = 'a'`,
    `${ONE} <> 'b'`,
    `${ONE} empty`,
    `${ONE} anyof ['a', 'b']`,
    `${ONE} noneof ['a', 'c']`,
  ),
  many: fc.constantFrom(
    `${MANY} contains 'a'`,
    `${MANY} notcontains 'b'`,
    `${MANY} notempty`,
    `${MANY} anyof ['b', 'c']`,
    `${MANY}`.replace('}', '.length} > 2'),
  ),
  number: fc.constantFrom(
    `${NUMBER} >= 3`,
    `${NUMBER} < -1.5`,
    `${NUMBER} + 2 * 3 <= 10`,
    `${NUMBER} % 2 = 0`,
    `(${NUMBER} - 1) / 2 <> 4`,
  ),
  value: fc.constantFrom('{worth} = true', '{worth} <> true'),
  grid: fc.constantFrom("{grid.r1} = 'a'", '{grid.r2} empty'),
};
const rule = fc.oneof(
  about.one,
  about.many,
  about.number,
  about.value,
  about.grid,
  fc.tuple(about.one, about.many).map(([a, b]) => `${a} and ${b}`),
  fc.tuple(about.one, about.number, about.many).map(([a, b, c]) => `(${a} or ${b}) and ${c}`),
  fc.tuple(about.many, about.number).map(([a, b]) => `!(${a} or ${b})`),
);

const maybe = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
  fc.option(value, { nil: undefined, freq: 2 }).map((one) => (one === undefined ? {} : { [name]: one }));
const merged = (...parts: fc.Arbitrary<Json>[]) =>
  fc.tuple(...parts).map((all): Json => Object.assign({}, ...all));
const kind = (fields: Json) => fc.constant(fields);

function questionIn(languages: string[], name: string): fc.Arbitrary<Json> {
  const words = wordsIn(languages);
  const common = merged(
    maybe('title', words),
    maybe('description', words),
    maybe('visibleIf', rule),
    fc.oneof(kind({}), kind({ isRequired: true }), maybe('requiredIf', rule)),
    maybe('requiredErrorText', words),
    maybe('readOnly', fc.constant(true)),
  );
  const choices = fc.subarray(['a', 'b', 'c', '18-24', '=1'], { minLength: 1 }).chain((values) =>
    fc.tuple(
      ...values.map((value) =>
        fc.option(
          words.map((text) => ({ value, text })),
          { nil: value },
        ),
      ),
    ),
  );
  const special = merged(
    fc
      .boolean()
      .chain((has) => (has ? merged(kind({ showRefuseItem: true }), maybe('refuseText', words)) : kind({}))),
    fc
      .boolean()
      .chain((has) =>
        has ? merged(kind({ showDontKnowItem: true }), maybe('dontKnowText', words)) : kind({}),
      ),
    fc
      .boolean()
      .chain((has) => (has ? merged(kind({ showOtherItem: true }), maybe('otherText', words)) : kind({}))),
  );
  const check = fc.tuple(about.number, words).map(([expression, text]) => ({
    type: 'expression',
    expression: `{${name}} empty or ${expression}`,
    text,
  }));
  const checked = maybe(
    'validators',
    check.map((one) => [one]),
  );
  const whole = {
    type: 'expression',
    expression: wholeNumberRule(name),
    text: wholeNumberMessage(languages),
  };
  const bounds = words.chain((text) =>
    fc.constantFrom(
      {},
      { min: 0, minErrorText: text },
      { min: 1, max: 50, minErrorText: text, maxErrorText: text },
    ),
  );
  return fc
    .oneof(
      merged(
        kind({ type: 'text' }),
        common,
        maybe('maxLength', fc.integer({ min: 1, max: 500 })),
        // A text that begins like this is an expression, which the service rejects if it is invalid.
        maybe(
          'defaultValue',
          plainText.filter((text) => !text.startsWith('=')),
        ),
      ),
      merged(
        kind({ type: 'text' }),
        common,
        words.map((text) => ({ validators: [{ type: 'regex', regex: '^[A-Z]{2}\\d+$', text }] })),
      ),
      merged(kind({ type: 'comment' }), common, checked),
      merged(
        kind({ type: 'text', inputType: 'number' }),
        common,
        checked,
        maybe('defaultValue', fc.integer()),
      ),
      merged(
        kind({ type: 'text', inputType: 'number', validators: [whole] }),
        common,
        bounds,
        maybe('setValueExpression', fc.constant(`${NUMBER} * 2`)),
      ).map(({ readOnly: _, ...fields }) => fields),
      merged(
        kind({ type: 'text', inputType: 'date', defaultValueExpression: 'today()' }),
        common,
        words.map((text) => ({
          validators: [
            {
              type: 'expression',
              expression: `{${name}} empty or {${name}} <= dateAdd(today(), 3, 'days')`,
              text,
            },
          ],
        })),
      ),
      merged(kind({ type: 'text', inputType: 'date' }), common, maybe('min', fc.constant('2020-02-29'))),
      merged(kind({ type: 'text', inputType: 'time' }), common),
      merged(kind({ type: 'text', inputType: 'datetime-local' }), common),
      merged(
        kind({ type: 'radiogroup' }),
        common,
        special,
        choices.map((all) => ({ choices: all })),
        maybe('colCount', fc.constantFrom(0, 2, 3)),
      ),
      merged(
        kind({ type: 'radiogroup' }),
        common,
        kind({
          choices: [
            { value: 'two words', text: 'Two', visibleIf: "{one} = 'a'" },
            { value: 'other', text: 'Other', visibleIf: "{one} = 'a' or {one} = 'b'" },
          ],
        }),
      ),
      merged(
        kind({ type: 'dropdown' }),
        common,
        kind({
          choices: [
            {
              value: 'x',
              text: 'X',
              visibleIf: "({one} = 'a' and {grid.r1} = 'b') or ({one} = 'b' and {grid.r1} = 'a')",
            },
            { value: 'y', text: 'Y', visibleIf: "{one} = 'a' and {grid.r1} = 'a'" },
          ],
        }),
      ),
      merged(
        kind({ type: 'matrix', columns: ['a', 'b'] }),
        maybe('title', words),
        maybe('description', words),
        maybe('visibleIf', rule),
        fc.oneof(kind({}), kind({ isRequired: true, eachRowRequired: true })),
        fc.tuple(words, maybe('visibleIf', rule)).map(([text, visibility]) => ({
          rows: ['r1', { value: 'r2', text, ...visibility }],
        })),
      ),
      merged(
        kind({ type: 'dropdown' }),
        common,
        special,
        choices.map((all) => ({ choices: all })),
        maybe('choicesOrder', fc.constant('random')),
      ),
      merged(
        kind({ type: 'checkbox' }),
        common,
        special,
        kind({ choices: ['a', { value: 'b', text: 'B', isExclusive: true }] }),
        maybe('maxSelectedChoices', fc.constant(2)),
        checked,
      ),
      merged(
        kind({ type: 'tagbox' }),
        common,
        choices.map((all) => ({ choices: all })),
        maybe('minSelectedChoices', fc.constant(2)),
      ),
      merged(
        kind({ type: 'ranking' }),
        common,
        choices.map((all) => ({ choices: all })),
      ),
      merged(kind({ type: 'rating' }), common, maybe('rateMax', fc.integer({ min: 6, max: 10 }))),
      merged(
        kind({ type: 'slider' }),
        common,
        maybe('min', fc.integer({ min: 1, max: 9 })),
        maybe('step', fc.constantFrom(0.5, 5)),
      ),
      merged(kind({ type: 'expression', expression: `${NUMBER} * 2` }), maybe('title', words)),
      plainText
        .map((text) => text.replace(/ +/g, ' '))
        .map((text) => ({ type: 'html', html: htmlOfMarkdown(`${text}\n\n- ${text}\n- b`).text })),
    )
    .map((fields) => ({ name, ...fields }));
}

const form = fc.constantFrom(...SPOKEN).chain((languages) => {
  const words = wordsIn(languages);
  const questions = (prefix: string) =>
    fc
      .integer({ min: 1, max: 4 })
      .chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, at) => questionIn(languages, `${prefix}${at}`))),
      );
  const panel = questions('p').chain((elements) =>
    merged(kind({ type: 'panel', name: 'panel', elements }), maybe('title', words), maybe('visibleIf', rule)),
  );
  const repeat = words.map((title) => ({
    type: 'paneldynamic',
    name: 'repeat',
    title,
    panelCount: 2,
    allowAddPanel: false,
    allowRemovePanel: false,
    templateElements: [
      { type: 'radiogroup', name: 'inside', choices: ['a', 'b'] },
      { type: 'text', name: 'more', visibleIf: "{panel.inside} = 'a'" },
    ],
  }));
  const first = [
    { type: 'radiogroup', name: 'one', choices: ['a', 'b', 'c'] },
    { type: 'checkbox', name: 'many', choices: ['a', 'b', 'c'] },
    { type: 'text', inputType: 'number', name: 'size' },
    { type: 'matrix', name: 'grid', columns: ['a', 'b'], rows: ['r1', 'r2'] },
  ];
  // A form with several languages has them in at least one place.
  const spoken = words.map((title) => ({ name: 'first', title, elements: first }));
  return fc
    .tuple(spoken, questions('q'), fc.option(panel), fc.option(repeat), maybe('visibleIf', rule), plainText)
    .map(
      ([page, elements, inner, repeated, visibility, title]): Form => ({
        name: 'A form, with "marks"',
        definition: {
          title,
          ...QUESTIONNAIRE_DEFAULTS,
          calculatedValues: [
            { name: 'worth', expression: `${ONE} = 'a' and ${NUMBER} > 1` },
            { name: 'twice', expression: `${NUMBER} * 2`, includeIntoResult: true },
          ],
          pages: [
            page,
            { name: 'second', ...visibility, elements: [...elements, ...[inner, repeated].filter(Boolean)] },
          ],
        },
        networkSizeQuestion: 'size',
        takesPartIf: '{worth} = true',
      }),
    );
});

test('supported definitions survive a round trip through a file without notes', async () => {
  await fc.assert(
    fc.asyncProperty(form, async (original) => {
      expect(
        checkDefinition(original.definition, original.networkSizeQuestion, original.takesPartIf),
      ).toEqual([]);
      const { out, back } = await roundTrip(original);
      expect(out).toEqual([]);
      expect(back.notes.filter(({ code }) => code !== 'CALCULATED')).toEqual([]);
      expect(back).toMatchObject({ ...original, faults: [] });
      expect(back.definition).toEqual(original.definition);
    }),
    { numRuns: Number(process.env.RUNS ?? 12) },
  );
}, 120_000);

/** Each leaf of a definition by its path; lists by the names of their entries. */
function leaves(value: unknown, place = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[place, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => {
      const { name } = (inner ?? {}) as { name?: string };
      return [...leaves(inner, `${place}/${(Array.isArray(value) && name) || key}`)];
    }),
  );
}

test('several spaces or a line break in HTML are one space, and no formatting is reported as lost', () => {
  expect(markdownOfHtml('<p>Two  spaces\nand a line</p><ul><li>a  b</li></ul>')).toEqual({
    text: 'Two spaces and a line\n\n- a b',
    hasLoss: false,
  });
});

test('names that become equal are numbered, in linear time', () => {
  const marks = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x2190 + at));
  const elements = [
    { type: 'matrix', name: 'grid', columns: ['a', 'b'], rows: marks },
    { type: 'checkbox', name: 'several', choices: marks.map((_, at) => `a${' '.repeat(at + 1)}b`) },
    ...marks.map((name) => ({ type: 'text', name })),
  ];
  const form = { name: 'x', networkSizeQuestion: 'n', definition: { elements } };
  const { calls, result } = countCalls(Set.prototype, 'has', () => exportForm(form));
  expect(calls).toBeLessThan(300 * 40);
  const called = (sheet: string) =>
    result.sheets.find(({ name }) => name === sheet)?.rows.flatMap((row) => row.map((cell) => String(cell)));
  expect(called('survey')).toEqual(expect.arrayContaining(['grid__', 'grid___2', 'grid___300', '___300']));
  expect(called('choices')).toEqual(expect.arrayContaining(['a_b', 'a_b_2', 'a_b_300']));
});

/** The cells of each question and choice in the file, by column. */
function rowsFor(elements: Json[], expectedNotes: string[] = []) {
  const { sheets, notes } = exportForm({ name: 'x', networkSizeQuestion: 'age', definition: { elements } });
  expect(notes.map(({ code }) => code)).toEqual(expectedNotes);
  const cells = sheets
    .slice(0, 2)
    .flatMap(({ rows: [head = [], ...rows] }) =>
      rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at]]))),
    );
  return Object.fromEntries(cells.map((row) => [row.name, row]));
}

test('parts of a constraint that say "or" keep their parentheses', () => {
  const rows = rowsFor([
    { type: 'checkbox', name: 'flags', choices: ['old'] },
    {
      type: 'text',
      inputType: 'number',
      name: 'age',
      min: 0,
      validators: [
        { type: 'expression', expression: "{age} empty or ({age} < 100 or {flags} contains 'old')" },
      ],
    },
  ]);
  expect(rows.age?.constraint).toBe(". >= 0 and (. < 100 or selected(${flags}, 'old'))");
});

test('rules, filters and defaults use the choice names of the file', () => {
  const rows = rowsFor(
    [
      { type: 'text', name: 'first', visibleIf: "{help} contains 'food bank' and {town} <> 'New  York'" },
      { type: 'checkbox', name: 'help', choices: ['food bank', 'bed'], defaultValue: ['food bank', 'bed'] },
      { type: 'dropdown', name: 'town', choices: ['New  York', 'Austin'] },
      { type: 'matrix', name: 'trust', columns: ['a  lot', 'none'], rows: ['police'] },
      {
        type: 'text',
        name: 'any',
        visibleIf: "{help} anyof ['food bank', 'bed'] or {trust.police} = 'a  lot'",
      },
      {
        type: 'text',
        name: 'only',
        visibleIf: "{help} = ['food bank'] and {town} anyof ['New  York', 'Austin']",
      },
      {
        type: 'dropdown',
        name: 'part',
        choices: [{ value: 'x', text: 'X', visibleIf: "{town} = 'New  York'" }],
      },
    ],
    Array.from({ length: 3 }, () => 'CHOICE_CHANGED'),
  );
  expect(['first', 'any', 'only'].map((name) => rows[name]?.relevant)).toEqual([
    "selected(${help}, 'food_bank') and ${town} != 'New York'",
    "selected(${help}, 'food_bank') or selected(${help}, 'bed') or ${trust_police} = 'a lot'",
    "${help} = 'food_bank' and (${town} = 'New York' or ${town} = 'Austin')",
  ]);
  expect(rows.help?.default).toBe('food_bank bed');
  expect(rows.x?.by_town).toBe('New York');
});

test('a calculation keeps its condition unless it only checks that the dates exist', () => {
  const rows = rowsFor([
    { type: 'text', inputType: 'number', name: 'age' },
    { type: 'text', inputType: 'date', name: 'dob' },
    { type: 'expression', name: 'group', expression: "iif({age} >= 18, 'adult')" },
    { type: 'expression', name: 'filled', expression: "iif({age} notempty, 'yes')" },
    { type: 'expression', name: 'born', expression: 'iif({dob} notempty, year({dob}))' },
  ]);
  expect(['group', 'filled', 'born'].map((name) => rows[name]?.calculation)).toEqual([
    "if(${age} >= 18, 'adult', '')",
    "if(${age} != '', 'yes', '')",
    "format-date(${dob}, '%Y')",
  ]);
});

test('an export of the built-in questionnaire loses exactly what is listed', async () => {
  const original = DEFAULT_QUESTIONNAIRE as unknown as Form;
  const { out, back } = await roundTrip(original);
  expect(back).toMatchObject({
    faults: [],
    name: original.name,
    networkSizeQuestion: original.networkSizeQuestion,
    takesPartIf: original.takesPartIf,
  });
  const after = leaves(back.definition);
  const before = leaves(original.definition);
  expect([...after].filter(([place, leaf]) => before.get(place) !== leaf && place !== '/title')).toEqual([]);
  const lost = new Set(
    [...before.keys()].flatMap((place) => {
      if (after.has(place)) return [];
      const [, ofPages, , , question, property] = place.split('/');
      return [ofPages === 'pages' ? `${question}: ${property}` : `${ofPages}`];
    }),
  );
  const reportedLosses = out.flatMap(({ code, params = {} }) => {
    const { name, property, column } = params;
    switch (code) {
      case 'PROPERTY_LEFT_OUT':
        return [`${name}: ${property}`];
      case 'WARNING_LEFT_OUT':
        return [`${name}: validators`];
      case 'SETTING_OUT':
        return [`${property}`];
      case 'TITLE_ONE':
        return ['title'];
      case 'RULE_NAME':
        return [`${column}`];
      // It is filled in on the phone, and returns unchanged.
      case 'PLACE_LEFT':
        return [];
      default:
        return [code];
    }
  });
  expect([...lost].sort()).toEqual([...new Set(reportedLosses)].sort());
});
