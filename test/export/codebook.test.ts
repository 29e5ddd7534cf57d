/** The codebook of a column: its type, its values, and its texts in each of their languages. */
import { columnsOfAnswer, writeAnswerCells } from '../../src/exports/interviews/cells.ts';
import { codebookRows } from '../../src/exports/interviews/codebook.ts';
import { answerShapesIn } from '../../src/questionnaires/codebook/answer-shapes.ts';
import { countableQuestionsIn } from '../../src/questionnaires/codebook/countable.ts';
import { codebookParts } from '../../src/questionnaires/validator/validator.ts';

function bookOf(definition: object) {
  const { languages, shapes } = answerShapesIn(definition);
  const columns = [...shapes].flatMap(([key, shape]) => columnsOfAnswer(shape, key));
  const [heading = [], ...rows] = codebookRows(
    columns.map((column) => ({ ...column, questionnaires: [], isNetworkSize: false })),
    languages,
  );
  return new Map(rows.map((row) => [row[0], Object.fromEntries(heading.map((name, at) => [name, row[at]]))]));
}

const book = bookOf({
  calculatedValues: [
    { name: 'age', expression: 'age({born})', includeIntoResult: true },
    { name: 'isAdult', expression: 'age({born}) >= 18', includeIntoResult: true },
    { name: 'group', expression: "iif({size} > 5, 'large', 'small')", includeIntoResult: true },
    { name: 'helper', expression: '1 + 1' },
  ],
  elements: [
    { type: 'text', inputType: 'number', name: 'size', title: { en: 'How many?', es: '¿Cuántas?' } },
    { type: 'text', inputType: 'date', name: 'born', title: { en: 'Born?' } },
    { type: 'boolean', name: 'ill', title: { en: 'Ill?' }, labelTrue: { en: 'Sure', es: 'Claro' } },
    {
      type: 'rating',
      name: 'trust',
      rateMax: 3,
      minRateDescription: { en: 'None', es: 'Nada' },
      maxRateDescription: { en: 'Full' },
    },
    {
      type: 'radiogroup',
      name: 'one',
      choices: ['18-24', { value: 'b', text: { en: 'Both' } }],
      showOtherItem: true,
    },
    { type: 'expression', name: 'double', expression: '{size} * 2' },
  ],
});

test('number, date and yes/no have their own types, also for calculated values', () => {
  const types = Object.fromEntries([...book].map(([name, row]) => [name, row.type]));
  expect(types).toEqual({
    size: 'number',
    born: 'date',
    ill: 'yes/no',
    trust: 'rating',
    one: 'radiogroup',
    'one-Comment': 'text',
    double: 'number',
    age: 'number',
    isAdult: 'yes/no',
    group: 'text',
  });
});

test('yes/no questions and calculated values list their possible values', () => {
  expect(book.get('ill')).toMatchObject({
    values_en: 'true = Sure | false = No',
    values_es: 'true = Claro | false = ',
  });
  expect(book.get('isAdult')).toMatchObject({
    values_en: 'true = Yes | false = No',
    values_es: 'true = Sí | false = No',
  });
  expect(book.get('group')).toMatchObject({ values_en: 'large = large | small = small' });
});

test('a rating has the labels of its lowest and highest values', () => {
  expect(book.get('trust')).toMatchObject({
    values_en: '1 = None | 2 = 2 | 3 = Full',
    values_es: '1 = Nada | 2 = 2 | 3 = ',
  });
});

test('missing translations are empty, and untitled items have their code in each language', () => {
  expect(book.get('size')).toMatchObject({ text_en: 'How many?', text_es: '¿Cuántas?' });
  expect(book.get('born')).toMatchObject({ text_en: 'Born?', text_es: '' });
  expect(book.get('double')).toMatchObject({ text_en: 'double', text_es: 'double' });
  expect(book.get('one')).toMatchObject({ values_es: '18-24 = 18-24 | b =  | other = ' });
  expect(book.get('one-Comment')).toMatchObject({ text_en: 'one: (in own words)' });
});

test('an untranslated text is in the questionnaire’s own language', () => {
  const french = bookOf({ locale: 'fr', elements: [{ type: 'text', name: 'a', title: 'Salut' }] });
  expect(french.get('a')).toMatchObject({ text_fr: 'Salut', text_en: '' });
});

test('the separate process gives the same result as the model', async () => {
  const definition = {
    elements: [
      {
        type: 'checkbox',
        name: 'why',
        choices: ['a', { value: 'b', text: { en: 'Bee', es: 'Be' } }],
        showOtherItem: true,
      },
      {
        type: 'matrixdropdown',
        name: 'nights',
        rows: ['mon'],
        columns: [{ name: 'where', cellType: 'text' }],
      },
      { type: 'paneldynamic', name: 'people', templateElements: [{ type: 'text', name: 'age' }] },
    ],
  };
  expect(await codebookParts(definition)).toEqual({
    ...answerShapesIn(definition),
    countables: countableQuestionsIn(definition),
  });
});

test('choices copied from a question that copies them from another one are complete', () => {
  const choices = ['a', 'b', 'c'];
  const definition = {
    elements: [
      { type: 'checkbox', name: 'ever', choices },
      {
        type: 'checkbox',
        name: 'lately',
        choicesFromQuestion: 'ever',
        choicesFromQuestionMode: 'selected',
      },
      { type: 'radiogroup', name: 'most', choicesFromQuestion: 'lately' },
    ],
  };
  const counted = countableQuestionsIn(definition).map((one) => one.choices.map(({ value }) => value));
  expect(counted).toEqual([choices, choices, choices]);
  expect(answerShapesIn(definition).shapes.map(([, shape]) => columnsOfAnswer(shape, '').length)).toEqual([
    3, 3, 1,
  ]);
});

test('choices stored as objects have a column each, and other stored values stay', () => {
  const [[, shape] = []] = answerShapesIn({
    elements: [{ type: 'checkbox', name: 'fruits', valuePropertyName: 'fruit', choices: ['apple', 'pear'] }],
  }).shapes;
  const row: Record<string, unknown> = {};
  const answer = [{ fruit: 'apple' }, { fruit: 'pear', kilos: 2 }];
  const remaining = writeAnswerCells(shape!, 'fruits', answer, (name, value) => {
    row[name] = value;
  });
  expect(row).toEqual({ 'fruits.apple': 1, 'fruits.pear': 1 });
  expect(remaining).toEqual([{ fruit: 'pear', kilos: 2 }]);
});
