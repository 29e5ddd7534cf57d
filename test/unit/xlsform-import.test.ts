/** What becomes of a form of XLSForm: which question, which rule, and what is told of the rest. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}
import { importForm } from '../../src/questionnaires/xlsform/import.ts';
import {
  conditionOf,
  type KnownName,
  NoCounterpart,
  readRule,
} from '../../src/questionnaires/xlsform/to-survey.ts';
import { type Lines, sheetsOf } from '../xlsform-file.ts';

const read = (sheets: Lines) => importForm(sheetsOf(sheets));
const told = (sheets: Lines) => read(sheets).notes.map(({ sheet, row, code }) => [sheet, row, code]);
/** The questions of the first page. */
const asked = (sheets: Lines) => {
  const { definition, faults } = read(sheets);
  expect(faults).toEqual([]);
  return (definition as { pages: { elements: Record<string, unknown>[] }[] }).pages[0]?.elements;
};

const YES_NO = ['list_name | name | label', 'yn | yes | Yes', 'yn | no | No'];

test('each type becomes the kind of question that asks the same', () => {
  const survey = [
    'type | name | label | appearance | parameters',
    'text | a | A',
    'text | b | B | multiline',
    'integer | c | C',
    'decimal | d | D',
    'date | e | E',
    'dateTime | f | F',
    'select_one yn | g | G',
    'select_one yn or_other | h | H | minimal',
    'select_multiple yn | i | I | columns-2',
    'select one from yn | j | J | likert',
    'rank yn | k | K',
    'range | l | L | | start=1 end=10 step=0.5',
    'range | m | M | rating | start=1 end=7 step=1',
    'note | n | **Thank you** & goodbye',
    'acknowledge | o | O',
  ];
  expect(
    asked({ survey, choices: YES_NO })?.map(({ type, inputType }) =>
      [type, inputType].filter(Boolean).join(' '),
    ),
  ).toEqual([
    'text',
    'comment',
    'text number',
    'text number',
    'text date',
    'text datetime-local',
    'radiogroup',
    'dropdown',
    'checkbox',
    'radiogroup',
    'ranking',
    'slider',
    'rating',
    'html',
    'checkbox',
  ]);
  expect(asked({ survey, choices: YES_NO })).toMatchObject({
    7: { showOtherItem: true },
    8: { colCount: 2 },
    9: { colCount: 0 },
    11: { min: 1, max: 10, step: 0.5 },
    12: { rateMax: 7 },
    13: { html: '<p><b>Thank you</b> &amp; goodbye</p>' },
  });
  expect(told({ survey, choices: YES_NO })).toEqual([
    ['survey', 2, 'NOT_IN_GROUPS'],
    ['survey', 16, 'TYPE_AS'],
  ]);
});

test('what has no counterpart is told at its row, whatever stands before it: empty rows, columns of one’s own', () => {
  expect(
    told({
      survey: [
        '',
        'type | name | label | image | notes to self | appearance | trigger | calculation',
        '',
        'begin group | g | G | | | table-list',
        'start | start',
        'audio | noise | N',
        'text | a | A | a.png | hello | numbers | ${b}',
        'integer | b | B | | again',
        'calculate | c | | | | | | once(uuid())',
        'end group',
        'begin group | empty | E',
        'end group',
      ],
      choices: [...YES_NO],
      settings: ['form_title | public_key | style', 'T | secret | pages'],
      osm: ['x', 'y'],
    }),
  ).toEqual([
    ['osm', 0, 'SHEET_UNUSED'],
    ['survey', 4, 'APPEARANCE'],
    ['survey', 5, 'METADATA'],
    ['survey', 6, 'TYPE_LEFT_OUT'],
    ['survey', 7, 'APPEARANCE'],
    ['survey', 7, 'MEDIA'],
    ['survey', 7, 'COLUMN_UNKNOWN'],
    ['survey', 7, 'CELL_LEFT_OUT'],
    ['survey', 9, 'RULE_FUNCTION'],
    ['survey', 11, 'GROUP_EMPTY'],
    ['choices', 2, 'LIST_UNUSED'],
    ['settings', 2, 'SETTING_LEFT_OUT'],
  ]);
});

test('texts stand under the languages of their columns, by tag or by name; without English the form’s own stand for all', () => {
  const title = (head: string, row: string, settings: string[] = []) =>
    asked({ survey: [`type | name | ${head}`, `text | a | ${row}`], settings })?.[0]?.title;
  expect(title('label::English (en) | label:Français', 'Hi | Salut')).toEqual({ en: 'Hi', fr: 'Salut' });
  expect(title('label | label::Swahili (sw)', 'Hi | Jambo')).toEqual({ default: 'Hi', sw: 'Jambo' });
  expect(title('label::Kiswahili | label::French', 'Jambo | Salut', ['default_language', 'French'])).toEqual({
    default: 'Salut',
    sw: 'Jambo',
    fr: 'Salut',
  });
  expect(title('label::Nobody knows', 'Hi')).toBe('Hi');
});

test('bounds, patterns and choices that stand alone are told as such; the rest of a constraint as a check', () => {
  const survey = [
    'type | name | label | constraint | constraint_message',
    'integer | a | A | . >= 0 and .<=120 and . != 13 | No',
    'text | b | B | regex(., "[0-9]{3}") and string-length(.) <= 10 | Three',
    'select_multiple yn | c | C | not(selected(., "no") and count-selected(.) > 1) and count-selected(.) <= 2',
    'date | d | D | . >= date("2020-01-01")',
    'date | e | E | . <= today()',
  ];
  expect(asked({ survey, choices: YES_NO })).toMatchObject([
    {
      min: 0,
      max: 120,
      minErrorText: 'No',
      validators: [
        { expression: '{a} empty or {a} % 1 = 0' },
        { expression: '{a} empty or {a} <> 13', text: 'No' },
      ],
    },
    { maxLength: 10, validators: [{ type: 'regex', regex: '^(?:[0-9]{3})$', text: 'Three' }] },
    { maxSelectedChoices: 2, choices: [{ value: 'yes' }, { value: 'no', isExclusive: true }] },
    { min: '2020-01-01' },
    { name: 'e' },
  ]);
  expect(told({ survey, choices: YES_NO }).at(-1)).toEqual(['survey', 6, 'RULE_FUNCTION']);
});

test('a filter of choices shows each by the answer before it', () => {
  const choices = [
    'list_name | name | label | State',
    's | tx | Texas',
    's | ny | New York',
    'c | a | Austin | tx',
    'c | b | Albany | ny',
  ];
  const survey = [
    'type | name | label | choice_filter',
    'select_one s | state | S',
    'select_one c | city | C | State = ${state}',
  ];
  expect(asked({ survey, choices })?.[1]?.choices).toEqual([
    { value: 'a', text: 'Austin', visibleIf: "{state} = 'tx'" },
    { value: 'b', text: 'Albany', visibleIf: "{state} = 'ny'" },
  ]);
  expect(told({ survey, choices })).toEqual([['survey', 2, 'NOT_IN_GROUPS']]);
});

test('a repeat is asked as often as wanted; its rules speak of itself, and none from outside of it', () => {
  const survey = [
    'type | name | label | relevant | repeat_count | constraint',
    'begin_repeat | child | Child ${age} | | 2',
    'integer | age | Age | | | . < 18',
    'text | school | School of ${age} | ${age} > 5',
    'end_repeat',
    'text | last | Last | ${age} > 5',
  ];
  expect(asked({ survey })).toMatchObject([
    {
      type: 'paneldynamic',
      panelCount: 2,
      templateElements: [
        { name: 'age', validators: [{}, { expression: '{panel.age} empty or {panel.age} < 18' }] },
        { title: 'School of {panel.age}', visibleIf: '{panel.age} > 5' },
      ],
    },
    { name: 'last' },
  ]);
  expect(told({ survey })).toEqual([
    ['survey', 2, 'RULE_OUTSIDE'],
    ['survey', 2, 'NOT_IN_GROUPS'],
    ['survey', 6, 'RULE_OUTSIDE'],
  ]);
});

const known = (kind: KnownName['kind']): KnownName => ({ kind, repeat: null });
const names = new Map([
  ['one', known('one')],
  ['many', known('many')],
  ['n', known('number')],
  ['c', known('calculated')],
]);
const said = (text: string) => {
  try {
    return conditionOf(readRule(text), { names, self: 'n', repeat: null });
  } catch (error) {
    if (error instanceof NoCounterpart) return error.code;
    throw error;
  }
};

test.each([
  ["${one} = 'a'", "{one} = 'a'"],
  ['${one}=“a”', "{one} = 'a'"],
  ["selected(${one}, 'a')", "{one} = 'a'"],
  [
    "selected(${many}, 'a') and not(selected(${many}, 'b'))",
    "{many} contains 'a' and {many} notcontains 'b'",
  ],
  ["selected(${many}, 'a') or selected(${many}, 'b') or ${n} > 1", "{many} anyof ['a', 'b'] or {n} > 1"],
  ["not(${one} = 'a' or ${one} = 'b')", "{one} noneof ['a', 'b']"],
  ["${many} = 'a'", "{many} = ['a']"],
  ["${one} != ''", '{one} notempty'],
  ['string-length(${one}) = 0', '{one} empty'],
  ['count-selected(${many}) > 1', '{many.length} > 1'],
  ['. mod 2 = 1 and (. > 3 or . < 1)', '{n} % 2 = 1 and ({n} > 3 or {n} < 1)'],
  ['2 * (. - 1) div 4 >= -1', '2 * ({n} - 1) / 4 >= -1'],
  ["if(${one} = 'a', 1, 2) = 1", "iif({one} = 'a', 1, 2) = 1"],
  ["${c} = 'true'", '{c} = true'],
  ['not(. > 1 and . < 3)', '!({n} > 1 and {n} < 3)'],
  ['${one}', '{one} notempty'],
  ['${one} = "it\'s"', "{one} = 'it\\'s'"],
  ['${nobody} = 1', 'RULE_NAME'],
  ['pulldata("a", "b") = 1', 'RULE_FUNCTION'],
  ['../n = 1', 'RULE_UNREADABLE'],
  ['${n} = ', 'RULE_UNREADABLE'],
  ["${one} = 'a' ${n}", 'RULE_UNREADABLE'],
  [`${'('.repeat(100)}1`, 'RULE_LONG'],
  ['1 '.repeat(50_000), 'RULE_LONG'],
])('the rule %j is %j', (text, wanted) => {
  expect(said(text)).toBe(wanted);
});
