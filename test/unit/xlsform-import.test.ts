/** Importing XLSForm: the resulting questions and rules, and what is reported about the rest. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}
import { strToU8, zipSync } from 'fflate';
import { Model, type QuestionPanelDynamicModel } from 'survey-core';
import { withCalculated } from '../../src/questionnaires/answers/calculated.ts';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { exportForm } from '../../src/questionnaires/xlsform/export/export.ts';
import { importForm } from '../../src/questionnaires/xlsform/import/import.ts';
import { xlsformNoteSeverityOf } from '../../src/questionnaires/xlsform/notes.ts';
import { importXlsformFile } from '../../src/questionnaires/xlsform/read-form.ts';
import { type KnownName, RuleWithoutCounterpart } from '../../src/questionnaires/xlsform/xpath/rule-scope.ts';
import { conditionFromXPath, parseXPathRule } from '../../src/questionnaires/xlsform/xpath/to-survey.ts';
import { countCalls } from '../count-calls.ts';
import { type Lines, sheetsOf } from '../xlsform-file.ts';

const read = (sheets: Lines) => importForm(sheetsOf(sheets));
const notesOf = (sheets: Lines) => read(sheets).notes.map(({ sheet, row, code }) => [sheet, row, code]);
/** The questions of the first page. */
const questionsOf = (sheets: Lines) => {
  const { definition, faults } = read(sheets);
  expect(faults).toEqual([]);
  return (definition as { pages: { elements: Record<string, unknown>[] }[] }).pages[0]?.elements;
};

const YES_NO = ['list_name | name | label', 'yn | yes | Yes', 'yn | no | No'];

test('each type is imported as the equivalent question type', () => {
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
    questionsOf({ survey, choices: YES_NO })?.map(({ type, inputType }) =>
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
  expect(questionsOf({ survey, choices: YES_NO })).toMatchObject({
    7: { showOtherItem: true },
    8: { colCount: 2 },
    9: { colCount: 0 },
    11: { min: 1, max: 10, step: 0.5 },
    12: { rateMax: 7 },
    13: { html: '<p><b>Thank you</b> &amp; goodbye</p>' },
  });
  expect(notesOf({ survey, choices: YES_NO })).toEqual([
    ['survey', 2, 'NOT_IN_GROUPS'],
    ['survey', 16, 'TYPE_AS'],
  ]);
});

test('guidance is appended to the hint in each language, with a note', () => {
  const survey = [
    'type | name | label | hint::English (en) | hint::French (fr) | guidance_hint::English (en)',
    'begin group | g | G | | | Read slowly.',
    'text | a | A | Any. | Un. | Do not probe.',
    'text | b | B | | | Wait for it.',
    'text | c | C | Only this.',
    'end group',
  ];
  expect(questionsOf({ survey })?.map(({ description }) => description)).toEqual([
    { en: 'Any. Do not probe.', fr: 'Un.' },
    { en: 'Wait for it.' },
    { en: 'Only this.' },
  ]);
  expect(read({ survey }).definition).toMatchObject({ pages: [{ description: { en: 'Read slowly.' } }] });
  expect(notesOf({ survey })).toEqual([2, 3, 4].map((row) => ['survey', row, 'GUIDANCE_SHOWN']));
});

test.each([
  ['hint::English (en) | guidance_hint::French (fr)', { en: 'Any.', fr: 'Any. Non.' }],
  ['hint | guidance_hint::French (fr)', { default: 'Any.', fr: 'Any. Non.' }],
  ['hint::Spanish (es) | guidance_hint::French (fr)', { default: 'Any.', es: 'Any.', fr: 'Any. Non.' }],
])('a hint is kept if only the guidance has a language: %s', (columns, description) => {
  const survey = [`type | name | label | ${columns}`, 'text | a | A | Any. | Non.'];
  if (columns.includes('Spanish')) survey[0] = survey[0]?.replace('label', 'label::Spanish (es)') ?? '';
  expect(questionsOf({ survey })?.map((one) => one.description)).toEqual([description]);
});

test('unsupported features have notes with the right row, despite empty rows and extra columns', () => {
  expect(
    notesOf({
      survey: [
        '',
        'type | name | label | image | notes to self | appearance | trigger | calculation',
        '',
        'begin group | g | G | | | table-list',
        'start | start',
        'audio | noise | N | b.png | told once | minimal',
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

test('texts get their column’s language, by tag or name; without English the form’s language is the default', () => {
  const title = (head: string, row: string, settings: string[] = []) =>
    questionsOf({ survey: [`type | name | ${head}`, `text | a | ${row}`], settings })?.[0]?.title;
  expect(title('label::English (en) | label:Français', 'Hi | Salut')).toEqual({ en: 'Hi', fr: 'Salut' });
  expect(title('label | label::Swahili (sw)', 'Hi | Jambo')).toEqual({ default: 'Hi', sw: 'Jambo' });
  expect(title('label::Kiswahili | label::French', 'Jambo | Salut', ['default_language', 'French'])).toEqual({
    default: 'Salut',
    sw: 'Jambo',
    fr: 'Salut',
  });
  expect(title('label::Nobody knows', 'Hi')).toBe('Hi');
});

test('constraints become bounds, patterns and exclusive choices where possible, else validators', () => {
  const survey = [
    'type | name | label | constraint | constraint_message',
    'integer | a | A | . >= 0 and .<=120 and . != 13 | No',
    'text | b | B | regex(., "[0-9]{3}") and string-length(.) <= 10 | Three',
    'select_multiple yn | c | C | not(selected(., "no") and count-selected(.) > 1) and count-selected(.) <= 2',
    'date | d | D | . >= date("2020-01-01")',
    'date | e | E | . <= today() | No | ',
    'date | f | F | . >= today()',
    'date | g | G | . <= today() + 30',
  ];
  expect(questionsOf({ survey, choices: YES_NO })).toMatchObject([
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
    { validators: [{ expression: "{e} empty or {e} <= dateAdd(today(), 1, 'days')", text: 'No' }] },
    { validators: [{ expression: '{f} empty or {f} >= today()' }] },
    { validators: [{ expression: "{g} empty or {g} <= dateAdd(today(), 30, 'days')" }] },
  ]);
  expect(notesOf({ survey, choices: YES_NO })).toEqual([
    ['survey', 2, 'NOT_IN_GROUPS'],
    ['survey', 6, 'DAY_MORE'],
  ]);
});

test('a choice filter becomes a condition on each choice', () => {
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
  expect(questionsOf({ survey, choices })?.[1]?.choices).toEqual([
    { value: 'a', text: 'Austin', visibleIf: "{state} = 'tx'" },
    { value: 'b', text: 'Albany', visibleIf: "{state} = 'ny'" },
  ]);
  expect(notesOf({ survey, choices })).toEqual([['survey', 2, 'NOT_IN_GROUPS']]);
});

test('hides a choice whose filter cell is empty, unless another part of the filter shows it', () => {
  const choices = [
    'list_name | name | label | state | always',
    's | tx | Texas',
    'c | a | Austin | tx',
    'c | lost | Lost',
    'c | other | Other | | yes',
  ];
  const filtered = (filter: string) => ({
    choices,
    survey: [
      'type | name | label | choice_filter',
      'select_one s | state | S',
      `select_one c | city | C | ${filter}`,
    ],
  });
  const only = filtered('state = ${state}');
  expect(questionsOf(only)?.[1]?.choices).toEqual([
    { value: 'a', text: 'Austin', visibleIf: "{state} = 'tx'" },
  ]);
  expect(notesOf(only).filter(([, , code]) => code === 'CHOICE_HIDDEN')).toEqual([
    ['choices', 4, 'CHOICE_HIDDEN'],
    ['choices', 5, 'CHOICE_HIDDEN'],
  ]);
  expect(questionsOf(filtered("state = ${state} or always = 'yes'"))?.[1]?.choices).toEqual([
    { value: 'a', text: 'Austin', visibleIf: "{state} = 'tx'" },
    { value: 'other', text: 'Other' },
  ]);
  expect(questionsOf(filtered('state != ${state}'))?.[1]?.choices).toHaveLength(1);
  expect(questionsOf(filtered('not(state = ${state})'))?.[1]?.choices).toMatchObject([
    { value: 'a', visibleIf: "{state} <> 'tx'" },
    { value: 'lost' },
    { value: 'other' },
  ]);
});

test('a list name may end in or_other', () => {
  const survey = [
    'type | name | label',
    'select_one color_other | a | A',
    'select_one color_other or_other | b | B',
  ];
  const choices = ['list_name | name | label', 'color_other | red | Red'];
  const [a, b] = questionsOf({ survey, choices }) ?? [];
  expect(a).not.toHaveProperty('showOtherItem');
  expect(b).toMatchObject({ choices: [{ value: 'red' }], showOtherItem: true });
});

test('a question without a type is rejected, a choice without a list is reported, and comments are ignored', () => {
  const survey = [
    'type | name | label | notes',
    'select_one yn | a | A',
    '| b | | x',
    '| | C',
    '| | | a comment',
  ];
  const choices = [...YES_NO, '| maybe | Maybe', '| | | only a comment'];
  const { faults, notes } = read({ survey, choices });
  expect(faults.map(({ row, code }) => [row, code])).toEqual([
    [3, 'TYPE_MISSING'],
    [4, 'TYPE_MISSING'],
  ]);
  expect(notes.find(({ code }) => code === 'CHOICE_UNLISTED')).toMatchObject({
    row: 4,
    params: { name: 'maybe' },
  });
});

test('disabled rows are left out and reported, groups with all their rows', () => {
  const survey = [
    'type | name | label | disabled | relevant',
    'text | a | Old | yes',
    'text | a | New | no',
    'begin_group | off | Off | TRUE',
    'begin_repeat | inner | Inner',
    'text | b | B',
    'end_repeat',
    'text | c | C',
    'end_group | | | yes',
    'text | d | D | | ${c} = "x"',
  ];
  expect(questionsOf({ survey })).toMatchObject([{ name: 'a', title: 'New' }, { name: 'd' }]);
  expect(notesOf({ survey }).map(([, row, code]) => [row, code])).toEqual([
    [2, 'DISABLED'],
    [3, 'NOT_IN_GROUPS'],
    [4, 'DISABLED'],
    [10, 'RULE_NAME'],
  ]);
  const open = ['type | name | label | disabled', 'begin_group | off | Off | yes', 'text | a | A'];
  expect(read({ survey: open }).faults.map(({ row, code }) => [row, code])).toEqual([[2, 'GROUP_OPEN']]);
});

test('KoboToolbox matrices and SurveyCTO fields without a counterpart are left out, and the rest is imported', () => {
  const survey = [
    'type | name | label | kobo--matrix_list | relevant',
    'text audit | audit_1',
    'speed violations count | fast',
    'caseid | case',
    'begin_kobomatrix | m | M | yn',
    'begin_group | inner | Inner',
    'integer | m_a | A',
    'end_group',
    'end_kobomatrix',
    'begin_score | s | S',
    'score__row | s1 | S 1',
    'end_score',
    'begin_rank | r | R',
    'rank__level | r1 | First',
    'end_rank',
    'begin_repeat | child | Child',
    'text | called | Called',
    'end_repeat',
    'select_one ${called} | oldest | Oldest',
    'text | last | Last | | ${m_a} > 1',
  ];
  expect(questionsOf({ survey })).toMatchObject([{ name: 'child' }, { name: 'last' }]);
  const { notes } = read({ survey });
  expect(notes.map(({ row, code, params }) => [row, code, params?.type ?? params?.name])).toEqual([
    [2, 'METADATA', 'text audit'],
    [3, 'METADATA', 'speed violations count'],
    [4, 'TYPE_LEFT_OUT', 'caseid'],
    [5, 'TYPE_LEFT_OUT', 'kobomatrix'],
    [10, 'TYPE_LEFT_OUT', 'score'],
    [13, 'TYPE_LEFT_OUT', 'rank'],
    [16, 'NOT_IN_GROUPS', 'page1'],
    [19, 'TYPE_LEFT_OUT', 'select_one ${called}'],
    [20, 'RULE_NAME', 'm_a'],
  ]);
  const stray = ['type | name | label', 'text | a | A', 'end_kobomatrix'];
  expect(read({ survey: stray }).faults.map(({ row, code }) => [row, code])).toEqual([[3, 'GROUP_END']]);
});

test('a question with search() choices is left out and reported, but one that only looks like search() is imported', () => {
  const survey = [
    'type | name | label | appearance',
    "select_one yn | a | A | minimal search('fruits', 'matches', 'kind', ${b})",
    'select_one yn | b | B | search',
  ];
  expect(questionsOf({ survey, choices: YES_NO })).toMatchObject([{ name: 'b', type: 'dropdown' }]);
  expect(notesOf({ survey, choices: YES_NO })).toEqual([
    ['survey', 2, 'EXTERNAL_LIST'],
    ['survey', 3, 'NOT_IN_GROUPS'],
  ]);
});

test('choice columns with names of survey columns can be used in filters', () => {
  const choices = [
    'list_name | name | label | type | count | value | list | required',
    's | tx | Texas | a | b | c | d | e',
    's | ny | New York | x | y | z | v | w',
  ];
  const choicesByColumn = ['type = "a"', 'count = "b"', 'value = "c"', 'list = "d"', 'required = "e"'].map(
    (filter, at) => {
      const survey = ['type | name | label | choice_filter', `select_one s | q${at} | Q | ${filter}`];
      return questionsOf({ survey, choices })?.[0]?.choices;
    },
  );
  expect(choicesByColumn).toEqual(choicesByColumn.map(() => [{ value: 'tx', text: 'Texas' }]));
  const unfiltered = { choices, survey: ['type | name | label', 'select_one s | q | Q'] };
  expect(notesOf(unfiltered).map(([, , code]) => code)).toEqual([
    'NOT_IN_GROUPS',
    ...Array(5).fill('COLUMN_UNKNOWN'),
  ]);
  const old = ['list | value | caption', 's | tx | Texas'];
  expect(questionsOf({ ...unfiltered, choices: old })?.[0]?.choices).toEqual([
    { value: 'tx', text: 'Texas' },
  ]);
});

test('required=no on a note or group is not reported as lost', () => {
  const survey = [
    'type | name | label | required | readonly',
    'begin_group | g | G | no | false',
    'note | n | N | FALSE',
    'note | m | M | yes',
    'end_group',
  ];
  expect(notesOf({ survey })).toEqual([['survey', 4, 'CELL_LEFT_OUT']]);
});

test('a reference to something not asked is replaced by … in texts and in the exported file', () => {
  const survey = [
    'type | name | label | hint',
    'geopoint | where | Where?',
    'text | a | You live at ${where}, ${ nobody }? | ${last-saved#a}',
    'select_one yn | b | B',
    'note | n | At ${where}',
  ];
  const choices = ['list_name | name | label', 'yn | yes | Yes, at ${where}', 'yn | no | No, ${a}'];
  const { definition, notes } = read({ survey, choices });
  expect(questionsOf({ survey, choices })).toMatchObject([
    { title: 'You live at …, …?', description: '…' },
    {
      choices: [
        { value: 'yes', text: 'Yes, at …' },
        { value: 'no', text: 'No, {a}' },
      ],
    },
    { html: '<p>At …</p>' },
  ]);
  expect(notes.filter(({ code }) => code === 'PLACE_EMPTY').map(({ sheet, row }) => [sheet, row])).toEqual([
    ['survey', 3],
    ['survey', 3],
    ['survey', 3],
    ['survey', 5],
    ['choices', 2],
  ]);
  const form = { name: 'x', networkSizeQuestion: '', definition: definition ?? {} };
  const quoted = JSON.stringify(exportForm(form).sheets).match(/\$\{[^}]*\}/g);
  expect(quoted).toEqual(['${a}']);
});

test('a reference to an unknown question is exported without a dollar sign', () => {
  const definition = { elements: [{ type: 'text', name: 'a', title: 'Hi ${nobody} and {nobody}, ${a}' }] };
  const { sheets } = exportForm({ name: 'x', networkSizeQuestion: '', definition });
  expect(JSON.stringify(sheets[0])).toContain('Hi {nobody} and {nobody}, ${a}');
});

test('a note keeps its hint, alone or after its label', () => {
  const survey = [
    'type | name | label::English (en) | hint::English (en) | label::French (fr)',
    'note | alone | | Read *slowly*.',
    'note | both | Hello | Read on. | Salut',
  ];
  expect(questionsOf({ survey })?.map(({ html }) => html)).toEqual([
    { en: '<p>Read <i>slowly</i>.</p>' },
    { en: '<p>Hello</p><p>Read on.</p>', fr: '<p>Salut</p>' },
  ]);
  expect(notesOf({ survey })).toEqual([['survey', 2, 'NOT_IN_GROUPS']]);
});

test('an expression in readonly has a note that it is left out', () => {
  const survey = ['type | name | label | readonly', 'text | a | A | ${b} = 1', 'integer | b | B | no'];
  expect(notesOf({ survey })).toEqual([
    ['survey', 2, 'CELL_LEFT_OUT'],
    ['survey', 2, 'NOT_IN_GROUPS'],
  ]);
});

test('notes have a weight: rule, question or harmless', () => {
  const weights = [
    'RULE_FUNCTION',
    'CELL_LEFT_OUT',
    'TYPE_LEFT_OUT',
    'MEDIA',
    'PLACE_EMPTY',
    'METADATA',
  ] as const;
  expect(weights.map((code) => xlsformNoteSeverityOf({ code }))).toEqual([
    'RULE',
    'RULE',
    'QUESTION',
    'QUESTION',
    'QUESTION',
    'HARMLESS',
  ]);
});

test('a misspelled column has a note with the known one, listed first', () => {
  const survey = [
    'type | name | label | relevent | Constrait | requird | hint::English | hnit::Spanish | bind::calculat | notes | labels | county',
    'integer | a | A | | . > 1',
    'integer | b | B | ${a} > 1 | . > 1 | yes | H | P | 1 | n | L | Kings',
  ];
  const choices = ['list_name | name | lable::English | level | note', 'yn | yes | Yes | 1 | x'];
  const settings = ['form_title | takes_part_iff | defualt_language', 'T | ${a} > 1 | English'];
  const { notes } = read({ survey, choices, settings });
  const columnNotes = notes.filter(({ code }) =>
    ['RULE_COLUMN', 'TEXT_COLUMN', 'COLUMN_UNKNOWN'].includes(code),
  );
  expect(
    columnNotes.map((note) =>
      [note.sheet, note.row, xlsformNoteSeverityOf(note), note.params?.column, note.params?.known]
        .join(' ')
        .trim(),
    ),
  ).toEqual([
    'survey 1 RULE Constrait constraint',
    'survey 1 RULE relevent relevant',
    'survey 1 RULE requird required',
    'survey 1 QUESTION hnit::Spanish hint',
    'survey 1 RULE bind::calculat calculate',
    'survey 1 QUESTION labels label',
    'survey 3 HARMLESS notes',
    'survey 3 HARMLESS county',
    'choices 1 QUESTION lable::English label',
    'choices 2 HARMLESS level',
    'choices 2 HARMLESS note',
    'settings 1 RULE takes_part_iff takes_part_if',
    'settings 1 RULE defualt_language default_language',
  ]);
  expect(notes[0]?.message).toBe('The column Constrait isn’t imported. Did you mean constraint?');
});

test('an unused constraint message has a note', () => {
  const survey = [
    'type | name | label | constraint | constraint_message',
    'text | a | A | string-length(.) <= 5 | Too long for us',
  ];
  const lost = read({ survey }).notes.filter(({ code }) => code === 'MESSAGE_UNUSED');
  expect(lost.map((note) => xlsformNoteSeverityOf(note))).toEqual(['QUESTION']);
});

test.each(['networkSize', 'network_size', 'netsize', 'Degree'])(
  'a number named %s becomes the network size question, unless in a repeat',
  (name) => {
    const head = 'type | name | label';
    const rows = ['integer | age | Age', `integer | ${name} | How many people do you know?`];
    expect(read({ survey: [head, ...rows] }).networkSizeQuestion).toBe(name);
    const repeat = ['begin_repeat | child | Child', ...rows, 'end_repeat'];
    expect(read({ survey: [head, ...repeat] }).networkSizeQuestion).toBeNull();
  },
);

test('position(..) has a note that it is unsupported', () => {
  const survey = [
    'type | name | label | relevant | calculation',
    'begin_repeat | child | Child',
    'text | called | Called | position(..) > 1',
    'calculate | nth | | | concat("no. ", position( .. ))',
    'end_repeat',
  ];
  const named = read({ survey }).notes.filter(({ code }) => code === 'RULE_FUNCTION');
  expect(named.map(({ row, params }) => [row, params?.name])).toEqual([
    [3, 'position(..)'],
    [4, 'position(..)'],
  ]);
});

test('a choices column used by a filter is not reported as misspelled', () => {
  const survey = [
    'type | name | label | choice_filter',
    'text | a | A',
    'select_one yn | b | B | nam = ${a}',
  ];
  const choices = ['list_name | name | label | nam', 'yn | yes | Yes | x', 'yn | no | No | y'];
  expect(notesOf({ survey, choices }).filter(([, , code]) => code === 'RULE_COLUMN')).toEqual([]);
});

test('a choice listed in several rows is merged, with its conditions combined', () => {
  const choices = [
    'list_name | name | label | state',
    's | tx | Texas',
    's | ny | New York',
    'c | a | Austin | tx',
    'c | other | Other | tx',
    'c | other | Other | ny',
  ];
  const survey = [
    'type | name | label | choice_filter',
    'select_one s | state | S',
    'select_one c | city | C | state = ${state}',
  ];
  expect(questionsOf({ survey, choices })?.[1]?.choices).toEqual([
    { value: 'a', text: 'Austin', visibleIf: "{state} = 'tx'" },
    { value: 'other', text: 'Other', visibleIf: "{state} = 'tx' or {state} = 'ny'" },
  ]);
  expect(notesOf({ survey, choices })).toEqual([['survey', 2, 'NOT_IN_GROUPS']]);
});

test('a table-list group becomes a matrix that rules can refer to; mixed groups stay panels', () => {
  const choices = [...YES_NO, 'other | a | A'];
  const survey = [
    'type | name | label | appearance | required | relevant',
    'begin_group | t | Trust | table-list',
    'select_one yn | t_police | Police | | yes',
    'select_one yn | t_clinic | Clinic | | yes | ${who} > 1',
    'end_group',
    'begin_group | page | Page | field-list',
    'integer | who | Who',
    'text | why | Why | | | ${t_police} = "no"',
    'begin_group | grid | | field-list',
    'select_one yn | head | In the last week | label',
    'select_one yn | first | First | list-nolabel',
    'select_one yn | second | Second | list-nolabel',
    'end_group',
    'begin_group | mixed | Mixed | table-list',
    'select_one yn | third | Third',
    'select_one other | fourth | Fourth',
    'end_group',
    'end_group',
  ];
  const { definition, notes, faults } = read({ survey, choices });
  expect(faults).toEqual([]);
  expect((definition as { pages: unknown[] }).pages).toMatchObject([
    {
      elements: [
        {
          type: 'matrix',
          name: 't',
          title: 'Trust',
          columns: [
            { value: 'yes', text: 'Yes' },
            { value: 'no', text: 'No' },
          ],
          rows: [
            { value: 'police', text: 'Police' },
            { value: 'clinic', text: 'Clinic', visibleIf: '{who} > 1' },
          ],
          isRequired: true,
          eachRowRequired: true,
        },
      ],
    },
    {
      name: 'page',
      elements: [
        { name: 'who' },
        { name: 'why', visibleIf: "{t.police} = 'no'" },
        {
          type: 'matrix',
          name: 'grid',
          title: 'In the last week',
          rows: [
            { value: 'first', text: 'First' },
            { value: 'second', text: 'Second' },
          ],
        },
        { type: 'panel', name: 'mixed', elements: [{ name: 'third' }, { name: 'fourth' }] },
      ],
    },
  ]);
  expect(notes.map(({ row, code }) => [row, code])).toEqual([
    [2, 'NOT_IN_GROUPS'],
    [10, 'GRID_HEAD'],
    [14, 'APPEARANCE'],
  ]);
});

test('duplicate names in two groups are numbered, ambiguous rules left out, and extra group ends ignored', () => {
  const survey = [
    'type | name | label | relevant | constraint',
    'begin_group | a | A',
    'integer | litter | Here | | . < 5',
    'end_group',
    'begin_group | b | B',
    'integer | litter | There | | . < 9',
    'text | why | Why | ${litter} > 1',
    'end_group',
    'end_group',
  ];
  const { definition, notes, faults } = read({ survey });
  expect(faults).toEqual([]);
  expect(definition?.pages).toMatchObject([
    { elements: [{ name: 'litter', validators: [{}, { expression: '{litter} empty or {litter} < 5' }] }] },
    {
      elements: [
        { name: 'litter_2', validators: [{}, { expression: '{litter_2} empty or {litter_2} < 9' }] },
        { name: 'why' },
      ],
    },
  ]);
  expect(notes.map(({ row, code }) => [row, code])).toEqual([
    [6, 'NAME_TWICE'],
    [7, 'RULE_TWICE'],
    [9, 'GROUP_END'],
  ]);
});

test('a calculated question stays editable; one that cannot be calculated becomes a plain question', () => {
  const survey = [
    'type | name | label | calculation | read_only | default',
    'integer | a | A',
    'integer | double | Double | ${a} * 2',
    'text | shown | Shown | ${a} * 3 | yes',
    'calculate | from_file | | pulldata("x", "y", "z", ${a})',
    'text | filled | Filled | ${from_file} | yes',
    'date | day | Day | | | today()',
    'time | hour | Hour | | | now()',
    'today | today',
  ];
  expect(questionsOf({ survey })).toMatchObject([
    { name: 'a' },
    { type: 'text', inputType: 'number', name: 'double', setValueExpression: 'iif({a} notempty, {a} * 2)' },
    { type: 'expression', name: 'shown', expression: 'iif({a} notempty, {a} * 3)' },
    { type: 'text', name: 'filled' },
    { inputType: 'date', name: 'day', defaultValueExpression: 'today()' },
    { inputType: 'time', name: 'hour' },
  ]);
  expect(questionsOf({ survey })?.[3]).not.toHaveProperty('readOnly');
  expect(notesOf({ survey }).slice(1)).toEqual([
    ['survey', 5, 'RULE_FUNCTION'],
    ['survey', 6, 'RULE_NAME'],
    ['survey', 8, 'RULE_TIME'],
    ['survey', 9, 'METADATA'],
  ]);
});

test.each([
  ['int((today() - ${dob}) div 365.25)', 'age({dob})', { dob: '2000-02-29' }, 24],
  ['int((decimal-date-time(today()) - decimal-date-time(${dob})) div 365.25)', 'age({dob})', {}, null],
  [
    'int((${seen} - ${dob}) div 365.25)',
    "dateDiff({dob}, {seen}, 'years')",
    { dob: '2000-03-01', seen: '2010-02-28' },
    9,
  ],
  ['int((${day} - ${dob}) div 30.4375)', "dateDiff({dob}, today(), 'months')", { dob: '2024-01-15' }, 2],
  ['${seen} - ${dob}', null, { dob: '2024-03-01', seen: '2024-02-28' }, -2],
  ['(today() - ${dob}) div 365.25', null, {}, undefined],
  ["format-date(${dob}, '%Y')", 'iif({dob} notempty, year({dob}))', { dob: '2000-02-29' }, 2000],
  ['int((today() - ${month}) div 365.25)', null, { month: '2000-03' }, 24],
  ['string-length(${who})', '{who.length}', { who: 'Anna' }, 4],
  ["today() >= date('2024-01-01')", "today() >= '2024-01-01'", {}, true],
  ['today() - 7', "dateAdd(today(), -7, 'days')", {}, '2024-03-25'],
  ['sum(${amount})', null, { child: [{ amount: 2 }, { amount: 3 }] }, 5],
  ['count(${child})', '{child.length}', { child: [{ amount: 2 }, { amount: 3 }] }, 2],
  ["jr:choice-name(${town}, '${town}')", "displayValue('town')", { town: 'tx' }, 'Texas'],
] as const)('%s is imported as an equivalent calculation', (calculation, expression, answers, value) => {
  const survey = [
    'type | name | label | calculation | appearance',
    'today | day',
    'date | dob | Born',
    'date | seen | Seen',
    'date | month | Month | | month-year',
    'text | who | Who',
    'select_one s | town | Town',
    'begin_repeat | child | Child',
    'integer | amount | Amount',
    'end_repeat',
    `calculate | result | | ${calculation}`,
  ];
  const choices = ['list_name | name | label', 's | tx | Texas'];
  const { definition, faults } = read({ survey, choices });
  expect(faults).toEqual([]);
  const [calculated] = (definition?.calculatedValues ?? []) as { expression: string }[];
  if (expression !== null) expect(calculated?.expression).toBe(expression);
  expect(checkDefinition({ ...definition }, '').filter(({ path }) => path !== 'networkSizeQuestion')).toEqual(
    [],
  );
  const { result } = withCalculated(definition ?? {}, answers, { moment: '2024-04-01T12:00', came: 'yes' });
  expect(result).toBe(value ?? undefined);

  const form = { name: 'x', networkSizeQuestion: '', definition: definition ?? {} };
  const { sheets, notes } = exportForm(form);
  expect(notes).toEqual([]);
  expect(importForm(sheets).definition).toEqual(definition);
});

test('a repeat takes its count from an earlier number, and a year-only date becomes a number', () => {
  const survey = [
    'type | name | label | repeat_count | appearance | relevant',
    'integer | many | Many',
    'date | born | Born | | year | ${many} > 1',
    'begin_repeat | child | Child | ${many}',
    'text | called | Called',
    'end_repeat',
    'text | old | Old | | | ${born} < 2000 and today() > date("2020-01-01")',
  ];
  expect(questionsOf({ survey })).toMatchObject([
    { name: 'many' },
    { name: 'born', inputType: 'number' },
    {
      type: 'paneldynamic',
      bindings: { panelCount: 'many' },
      allowAddPanel: false,
      allowRemovePanel: false,
    },
    { name: 'old', visibleIf: "{born} < 2000 and today() > '2020-01-01'" },
  ]);
  expect(notesOf({ survey }).map(([, row, code]) => [row, code])).toEqual([
    [2, 'NOT_IN_GROUPS'],
    [3, 'TYPE_AS'],
  ]);
});

test('entries of a repeat with a given count cannot be added or removed', () => {
  const survey = [
    'type | name | label | repeat_count',
    'integer | many | Many',
    'begin_repeat | child | Child | ${many}',
    'text | called | Called',
    'end_repeat',
    'begin_repeat | friend | Friend | 3',
    'text | friendName | Called',
    'end_repeat',
    'begin_repeat | other | Other',
    'text | otherName | Called',
    'end_repeat',
  ];
  const { definition } = read({ survey });
  const model = new Model(definition);
  model.setValue('many', 2);
  const [child, friend, other] = ['child', 'friend', 'other'].map(
    (name) => model.getQuestionByName(name) as QuestionPanelDynamicModel,
  );
  const of = (one?: QuestionPanelDynamicModel) => [one?.panelCount, one?.canAddPanel, one?.canRemovePanel];
  expect([of(child), of(friend)]).toEqual([
    [2, false, false],
    [3, false, false],
  ]);
  expect(of(other)).toEqual([0, true, false]);
});

test.each([
  ['${calc}', 'calculate | calc | Calc | | ${many} + 1'],
  ['${many} - 1', 'note | n | Note'],
  ['${word}', 'text | word | Word'],
])('a repeat with the count %s has a note, since only a number question can give it', (count, more) => {
  const survey = [
    'type | name | label | repeat_count | calculation',
    'integer | many | Many',
    more,
    `begin_repeat | child | Child | ${count}`,
    'text | called | Called',
    'end_repeat',
  ];
  const { notes, definition } = read({ survey });
  expect(notes).toContainEqual(
    expect.objectContaining({ row: 4, code: 'RULE_COUNT', params: { name: 'child', count } }),
  );
  expect(JSON.stringify(definition)).not.toContain('bindings');
});

/** A chain of values that each use the next; the last one has no counterpart. */
const chain = (length: number) => [
  'type | name | label | calculation | relevant',
  ...Array.from({ length }, (_, at) =>
    at === length - 1
      ? `calculate | c${at} | | pulldata("x", "y", "z", 1)`
      : `calculate | c${at} | | \${c${at + 1}} + 1`,
  ),
  'text | asked | Asked | | ${c0} > 1',
];

test('a chain of calculated values is dropped if the last cannot be calculated, in linear time', () => {
  const { calls, result } = countCalls(Map.prototype, 'get', () => read({ survey: chain(400) }));
  const { definition, faults } = result;
  expect(calls).toBeLessThan(400 * 40);
  expect(faults).toEqual([]);
  expect(definition).not.toHaveProperty('calculatedValues');
  expect(questionsOf({ survey: chain(12) })).toEqual([{ type: 'text', name: 'asked', title: 'Asked' }]);
  expect(notesOf({ survey: chain(12) }).filter(([, , code]) => code !== 'NOT_IN_GROUPS')).toEqual([
    ...Array.from({ length: 11 }, (_, at) => ['survey', at + 2, 'RULE_NAME']),
    ['survey', 13, 'RULE_FUNCTION'],
    ['survey', 14, 'RULE_NAME'],
  ]);
});

test('duplicate names are numbered uniquely, in linear time', () => {
  const again = Array.from({ length: 400 }, (_, at) => [
    `begin_group | g${at % 2} | G`,
    'text | a | A',
    'end_group',
    `text | b${at} | B`,
  ]).flat();
  const survey = ['type | name | label', 'text | a_3 | A', ...again];
  const { calls, result } = countCalls(Set.prototype, 'has', () => read({ survey }));
  expect(calls).toBeLessThan(400 * 40);
  const pages = result.definition?.pages as { name: string; elements: { name: string }[] }[];
  const names = pages.flatMap(({ name, elements }) => [name, ...elements.map((one) => one.name)]);
  expect(names.slice(0, 7)).toEqual(['page1', 'a_3', 'g0', 'a', 'page2', 'b0', 'g1']);
  expect(names).toEqual(expect.arrayContaining(['a_2', 'a_4', 'a_401', 'g0__2', 'g1__200', 'page401']));
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['add text prompt', 'text'],
  ['q string', 'text'],
  ['add select one prompt using yn', 'radiogroup'],
  ['select all that apply from yn', 'checkbox'],
])('the legacy type %j is imported', (type, expected) => {
  expect(
    questionsOf({ survey: ['type | name | label', `${type} | a | A`], choices: YES_NO })?.[0]?.type,
  ).toBe(expected);
});

test('rules inside a repeat refer to its own entries, and cannot be used from outside', () => {
  const survey = [
    'type | name | label | relevant | repeat_count | constraint',
    'begin_repeat | child | Child ${age} | | 2',
    'integer | age | Age | | | . < 18',
    'text | school | School of ${age} | ${age} > 5',
    'end_repeat',
    'text | last | Last | ${age} > 5',
  ];
  expect(questionsOf({ survey })).toMatchObject([
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
  expect(notesOf({ survey })).toEqual([
    ['survey', 2, 'PLACE_EMPTY'],
    ['survey', 2, 'NOT_IN_GROUPS'],
    ['survey', 6, 'RULE_OUTSIDE'],
  ]);
});

test('rules that use per-entry calculations or empty repeats are left out', () => {
  const survey = [
    'type | name | label | relevant | calculation',
    'begin_repeat | child | Child',
    'integer | age | Age',
    'calculate | next | | | ${age} + 1',
    'calculate | two | | | 1 + 1',
    'text | school | School | ${next} > 5',
    'text | other | Other | ${two} > 5',
    'end_repeat',
    'begin_repeat | empty | Empty',
    'calculate | three | | | count(${empty}) + 1',
    'end_repeat',
    'text | last | Last | count(${empty}) > 1',
  ];
  const { definition } = read({ survey });
  expect(definition?.calculatedValues).toEqual([
    { name: 'two', expression: '1 + 1', includeIntoResult: true },
  ]);
  expect(questionsOf({ survey })).toEqual([
    expect.objectContaining({
      templateElements: [
        expect.objectContaining({ name: 'age' }),
        { type: 'text', name: 'school', title: 'School' },
        { type: 'text', name: 'other', title: 'Other', visibleIf: '{two} > 5' },
      ],
    }),
    { type: 'text', name: 'last', title: 'Last' },
  ]);
  expect(notesOf({ survey }).map(([, row, code]) => [row, code])).toEqual([
    [2, 'NOT_IN_GROUPS'],
    [4, 'RULE_OUTSIDE'],
    [5, 'CALCULATED'],
    [6, 'RULE_NAME'],
    [9, 'GROUP_EMPTY'],
    [10, 'RULE_NAME'],
    [12, 'RULE_NAME'],
  ]);
});

const knownName = (kind: KnownName['kind']): KnownName => ({ kind, repeat: null });
const names = new Map([
  ['one', knownName('one')],
  ['many', knownName('many')],
  ['n', knownName('number')],
  ['c', knownName('calculated')],
]);
const convertRule = (text: string) => {
  try {
    return conditionFromXPath(parseXPathRule(text), { names, self: 'n', repeat: null });
  } catch (error) {
    if (error instanceof RuleWithoutCounterpart) return error.code;
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
  ['. mod 2 = 1 and (. > 3 or . < 1)', '{n} notempty and {n} % 2 = 1 and ({n} > 3 or {n} < 1)'],
  ['2 * (. - 1) div 4 >= -1', '{n} notempty and 2 * ({n} - 1) / 4 >= -1'],
  ["if(${one} = 'a', 1, 2) = 1", "iif({one} = 'a', 1, 2) = 1"],
  ["${c} = 'true'", '{c} = true'],
  ['not(. > 1 and . < 3)', '!({n} > 1 and {n} < 3)'],
  ['${one}', '{one} notempty'],
  ['${one} = "it\'s"', "{one} = 'it\\'s'"],
  ['${nobody} = 1', 'RULE_NAME'],
  ['pulldata("a", "b") = 1', 'RULE_FUNCTION'],
  ['../n = 1', '{n} = 1'],
  ["/data/group/one = 'a' and ./n > 2", "{one} = 'a' and {n} > 2"],
  ['../nobody = 1', 'RULE_NAME'],
  ["instance('x')/root/item[id = ${n}]/size > 1", 'RULE_UNREADABLE'],
  ['${last-saved#n} = 1', 'RULE_FUNCTION'],
  ['${n} <= today()', '{n} <= today()'],
  ['${n} <= now()', 'RULE_TIME'],
  ['${n} = ', 'RULE_UNREADABLE'],
  ["${one} = 'a' ${n}", 'RULE_UNREADABLE'],
  [`${'('.repeat(100)}1`, 'RULE_LONG'],
  ['1 '.repeat(50_000), 'RULE_LONG'],
])('the rule %j becomes %j', (text, expected) => {
  expect(convertRule(text)).toBe(expected);
});

test.each([
  ['time', new Date('1899-12-30T22:30:00Z'), '22:30'],
  ['time', new Date('1899-12-30T14:29:59.999Z'), '14:30'],
  ['time', new Date('1904-01-01T00:00:00Z'), '00:00'],
  ['time', new Date('1904-01-01T06:15:20Z'), '06:15:20'],
  ['time', '7:05:00.000+01:00', '07:05'],
  ['datetime', new Date('2026-11-21T14:29:59.999Z'), '2026-11-21T14:30'],
  ['datetime', new Date('2026-11-21T00:00:00Z'), '2026-11-21T00:00'],
  ['datetime', '2026-11-21T14:30:00.000Z', '2026-11-21T14:30'],
  ['date', new Date('2026-11-21T00:00:00Z'), '2026-11-21'],
  ['date', new Date('2026-11-20T23:59:59.9999Z'), '2026-11-21'],
  ['date', new Date('2026-11-21T14:30:00Z'), '2026-11-21'],
  ['text', new Date('2026-11-21T00:00:00Z'), '2026-11-21'],
  ['text', new Date('1899-12-30T08:00:00Z'), '08:00'],
])('the default of a %s from the cell %s is %s', (type, cell, value) => {
  const rows = [
    ['type', 'name', 'label', 'default'],
    [type, 'a', 'A', cell],
  ];
  const { definition } = importForm([{ name: 'survey', rows }]);
  expect(definition?.pages).toMatchObject([{ elements: [{ name: 'a', defaultValue: value }] }]);
});

test.each([false, true])(
  'an .xlsx file has its dates and times as they were typed (1904 calendar: %s)',
  async (is1904) => {
    const days = (at: number) => at - (is1904 ? 1462 : 0);
    const { definition } = await importXlsformFile(
      timesFile(is1904, [0.9375, days(46347.60416666666), days(46347)]),
    );
    expect(definition?.pages).toMatchObject([
      {
        elements: [
          { name: 'size' },
          { name: 'usual', defaultValue: '22:30' },
          { name: 'last', defaultValue: '2026-11-21T14:30' },
          { name: 'day', defaultValue: '2026-11-21' },
        ],
      },
    ]);
  },
);

/** As a spreadsheet program writes it: days and their fractions as numbers, with a format that says what they are. */
function timesFile(is1904: boolean, [time, moment, day]: number[]): Uint8Array {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (at: number, words: string[], [value, style]: (number | undefined)[] = []) =>
    `<row r="${at}">${words.map((one, column) => text(`${'ABC'[column]}${at}`, one)).join('')}${
      value === undefined ? '' : `<c r="D${at}" s="${style}"><v>${value}</v></c>`
    }</row>`;
  const head = `<row r="1">${['type', 'name', 'label', 'default'].map((one, at) => text(`${'ABCD'[at]}1`, one)).join('')}</row>`;
  const rows = [
    row(2, ['integer', 'size', 'Size']),
    row(3, ['time', 'usual', 'Usual'], [time, 1]),
    row(4, ['datetime', 'last', 'Last'], [moment, 2]),
    row(5, ['date', 'day', 'Day'], [day, 3]),
  ];
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd h:mm:ss"/></numFmts><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="21"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${head}${rows.join('')}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}
