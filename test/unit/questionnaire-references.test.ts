/** References to questions that do not exist are errors, and no other references are. */
import { checkQuestionnaireInBrowser } from '../../client/src/dashboard/questionnaires/questionnaire-check.ts';
import { validateDefinitionText } from '../../client/src/dashboard/questionnaires/use-validation.ts';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';

const beside = { sizeQuestion: 'known', takesPartIf: '', clues: [] };
const first = {
  name: 'first',
  elements: [
    { type: 'text', inputType: 'number', name: 'known', title: 'How many?' },
    { type: 'checkbox', name: 'places', title: 'Where?', choices: ['tent'], showOtherItem: true },
  ],
};
const withQuestion = (question: object, more: object = {}) => ({
  ...more,
  pages: [first, { name: 'second', elements: [{ type: 'text', name: 'last', ...question }] }],
});
const brokenReferences = (definition: object) =>
  checkQuestionnaireInBrowser(definition, beside).map(({ path, params }) => [path, params?.name]);
const LAST_QUESTION = 'definition.pages.1.elements.0';

it.each<[string, object, string]>([
  ['its visibility condition', { visibleIf: "{consent} = 'yes'" }, `${LAST_QUESTION}.visibleIf`],
  [
    'displayValue()',
    { setValueExpression: "displayValue('consent')" },
    `${LAST_QUESTION}.setValueExpression`,
  ],
  ['a part of an answer', { requiredIf: '{consent.part} notempty' }, `${LAST_QUESTION}.requiredIf`],
  [
    'a validator',
    { validators: [{ type: 'expression', expression: '{consent} > 1' }] },
    `${LAST_QUESTION}.validators.0.expression`,
  ],
  ['its text', { title: { en: 'You said {consent}?', es: '¿Sí?' } }, `${LAST_QUESTION}.title.en`],
  [
    'choicesFromQuestion',
    { type: 'checkbox', choicesFromQuestion: 'consent' },
    `${LAST_QUESTION}.choicesFromQuestion`,
  ],
  [
    'the count of a repeat',
    {
      type: 'paneldynamic',
      bindings: { panelCount: 'consent' },
      templateElements: [{ type: 'text', name: 'age' }],
    },
    `${LAST_QUESTION}.bindings.panelCount`,
  ],
])('rejects an unknown question in %s', (_what, question, path) => {
  const definition = withQuestion(question);
  expect(brokenReferences(definition)).toEqual([[path, 'consent']]);
  expect(checkDefinition(definition, 'known')).toMatchObject([{ path, code: 'REFERENCE_UNKNOWN' }]);
});

it('rejects unknown questions in closing texts and calculated values', () => {
  const more = {
    calculatedValues: [{ name: 'twice', expression: '{known} + {consent}' }],
    completedHtml: '<p>{consent}</p>',
    completedHtmlOnCondition: [{ expression: "{consent} = 'no'", html: '<p>{twice}</p>' }],
  };
  expect(brokenReferences(withQuestion({}, more))).toEqual([
    ['definition.calculatedValues.0.expression', 'consent'],
    ['definition.completedHtml', 'consent'],
    ['definition.completedHtmlOnCondition.0.expression', 'consent'],
  ]);
});

it('gives the path of an invalid expression in a question, calculated value or closing text', () => {
  const definition = withQuestion(
    { visibleIf: '{known} >' },
    {
      calculatedValues: [
        { name: 'fine', expression: '1' },
        { name: 'bad', expression: '{known} +' },
      ],
      completedHtmlOnCondition: [{ expression: 'nothing({known})', html: 'Bye' }],
    },
  );
  const paths = [
    'definition.calculatedValues.1.expression',
    'definition.completedHtmlOnCondition.0.expression',
    `${LAST_QUESTION}.visibleIf`,
  ];
  const faults = [checkQuestionnaireInBrowser(definition, beside), checkDefinition(definition, 'known')];
  for (const faultList of faults) expect(faultList.map(({ path }) => path).toSorted()).toEqual(paths);
});

it('accepts built-in names, and braces that are not references', () => {
  const validDefinition = withQuestion(
    {
      title: '{KNOWN} in {places-Comment}, ask {studyContact}',
      description: 'In braces { }, {1} or {a: b}',
      visibleIf: "{cameWithCoupon} = 'yes' and {places[0]} notempty and {twice} > 1",
      validators: [{ type: 'regex', regex: 'a{2}b{2,3}' }],
    },
    {
      calculatedValues: [{ name: 'twice', expression: '{known} * 2' }],
      triggers: [{ type: 'setvalue', expression: '{known} > 1', setToName: 'places', setValue: 1 }],
    },
  );
  expect(brokenReferences(validDefinition)).toEqual([]);
  const panels = {
    type: 'paneldynamic',
    bindings: { panelCount: 'known' },
    templateElements: [
      { type: 'text', name: 'age', visibleIf: '{panel.kind} = 1 and {panelIndex} = 0' },
      { type: 'text', name: 'said', setValueExpression: "displayValue('age')" },
    ],
  };
  expect(brokenReferences(withQuestion(panels))).toEqual([]);
  const { definition, networkSizeQuestion, takesPartIf } = DEFAULT_QUESTIONNAIRE;
  const shipped = { sizeQuestion: networkSizeQuestion, takesPartIf, clues: [] };
  expect(checkQuestionnaireInBrowser(definition, shipped)).toEqual([]);
});

it('still previews a questionnaire with an unknown reference', () => {
  const text = JSON.stringify(withQuestion({ visibleIf: "{consent} = 'yes'" }));
  expect(validateDefinitionText(text, beside)).toMatchObject({
    definition: JSON.parse(text),
    faults: [{ code: 'REFERENCE_UNKNOWN', params: { name: 'consent' } }],
  });
});
