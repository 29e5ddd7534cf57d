/** The operations of the questionnaire builder: each alone, and any after any other. */

import { Model } from 'survey-core';
import {
  answerLimitKeysOf,
  asksWholeNumber,
  checksEditableOnlyInJson,
  isRequired,
  requiresAnyRow,
  warningThresholdOf,
  withBound,
  withRequired,
  withUnusualBound,
  withWholeNumberCheck,
} from '../../client/src/dashboard/questionnaires/build/definition/answer-limits.ts';
import { expressionResultKind } from '../../client/src/dashboard/questionnaires/build/definition/change-closing-and-calculated.ts';
import {
  addPage,
  addQuestion,
  duplicateElement,
  moveElementBeside,
  moveElementOneStep,
  moveElementToPage,
  removeElementAt,
} from '../../client/src/dashboard/questionnaires/build/definition/change-elements.ts';
import {
  editableListKeysOf,
  withItemMoved,
  withItemValue,
  withItemValueFromText,
  withNewListItem,
  withoutListItem,
  withSpecialChoice,
} from '../../client/src/dashboard/questionnaires/build/definition/choice-lists.ts';
import {
  conditionSourcesBefore,
  formatEditableCondition,
  initialClauseFor,
  operatorsFor,
  parseClickableCondition,
  toBuilderClause,
  withOperator,
  writeClause,
} from '../../client/src/dashboard/questionnaires/build/definition/condition.ts';
import { draftWarnings } from '../../client/src/dashboard/questionnaires/build/definition/draft-warnings.ts';
import {
  nameFrom,
  unusedName,
  usedNamesIn,
  type VersionContent,
  withNewName,
} from '../../client/src/dashboard/questionnaires/build/definition/element-names.ts';
import {
  elementContainsText,
  languagesIn,
  missingTextsIn,
  questionsOfRepeat,
  standardTextFor,
  textWithoutFallback,
  withElementText,
  withItemText,
  withListItemChanged,
  withTextInLanguage,
} from '../../client/src/dashboard/questionnaires/build/definition/element-texts.ts';
import {
  QUESTION_KINDS,
  questionKindOf,
  withQuestionKind,
} from '../../client/src/dashboard/questionnaires/build/definition/question-kinds.ts';
import { usagePathsOf } from '../../client/src/dashboard/questionnaires/build/definition/references.ts';
import {
  repeatCountRuleOf,
  withRepeatCount,
} from '../../client/src/dashboard/questionnaires/build/definition/repeat-count.ts';
import { withUsualIdentityQuestions } from '../../client/src/dashboard/questionnaires/build/definition/usual-identity-questions.ts';
import USUAL from '../../client/src/dashboard/questionnaires/build/definition/usual-texts.json' with {
  type: 'json',
};
import {
  addToUndoHistory,
  newUndoHistory,
  redoStep,
  type UndoHistory,
  undoStep,
} from '../../client/src/dashboard/questionnaires/build/undo-history.ts';
import {
  type ElementPlace,
  elementAt,
  elementsWithPlaces,
  type JsonObject,
  pagesOf,
  withChangedElement,
  withElementProperty,
} from '../../client/src/dashboard/questionnaires/element-paths.ts';
import { activeFirst } from '../../client/src/dashboard/questionnaires/questionnaire-outline.ts';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import fc from '../fast-check.ts';

const small = () => ({
  title: 'Small',
  completedHtmlOnCondition: [{ expression: '1 = 1', html: '<p>Kept.</p>' }],
  calculatedValues: [{ name: 'isAdult', expression: '{age} >= 18' }],
  pages: [
    {
      name: 'first',
      elements: [
        {
          type: 'radiogroup',
          name: 'agrees',
          title: { default: 'Do you agree?', es: '¿Acepta?' },
          isRequired: true,
          choices: ['yes', { value: 'no', text: 'No' }],
        },
        { type: 'text', inputType: 'number', name: 'age', title: 'How old?', min: 0 },
      ],
    },
    {
      name: 'second',
      visibleIf: "{agrees} = 'yes' and {isAdult} = true",
      elements: [
        { type: 'text', inputType: 'number', name: 'known', title: 'Of {age} years, how many?' },
        {
          type: 'panel',
          name: 'more',
          elements: [{ type: 'comment', name: 'remark', visibleIf: '{known} > 3', rows: 2 }],
        },
      ],
    },
  ],
});
const work = (definition: object = small()): VersionContent => ({
  definition,
  sizeQuestion: 'known',
  takesPartIf: "{agrees} = 'yes'",
  clues: ['age', 'remark'],
});
const names = (definition: object) =>
  pagesOf(definition).map(
    (page) => `${page.name}: ${(page.elements as JsonObject[]).map(({ name }) => name).join(' ')}`,
  );
const faults = ({ definition, sizeQuestion, takesPartIf }: VersionContent) =>
  checkDefinition(definition, sizeQuestion, takesPartIf.trim() || null);

describe('adding, moving, duplicating and removing', () => {
  it('adds a new question after another or at the end of a page, with a unique name', () => {
    const behind = addQuestion(small(), [0, 0], 'radiogroup');
    expect(names(behind.definition)).toEqual(['first: agrees question1 age', 'second: known more']);
    expect(behind.place).toEqual([0, 1]);
    const atEnd = addQuestion(behind.definition, [1], 'html');
    expect(elementAt(atEnd.definition, atEnd.place)).toEqual({ type: 'html', name: 'question2', html: '' });
    const within = addQuestion(small(), [1, 1, 0], 'date');
    expect(elementAt(within.definition, [1, 1, 1])).toEqual({
      type: 'text',
      name: 'question1',
      inputType: 'date',
    });
    const page = addPage(small(), 0);
    expect(names(page.definition)).toEqual(['first: agrees age', 'page1: ', 'second: known more']);
    expect(page.place).toEqual([1]);
  });

  it('moves a question past its neighbors and across pages, and a page past pages', () => {
    const up = moveElementOneStep(small(), [0, 1], -1);
    expect(names(up.definition)[0]).toBe('first: age agrees');
    const over = moveElementOneStep(small(), [0, 1], 1);
    expect(names(over.definition)).toEqual(['first: agrees', 'second: age known more']);
    expect(over.place).toEqual([1, 0]);
    expect(moveElementOneStep(over.definition, over.place, -1).definition).toEqual(small());
    expect(names(moveElementOneStep(small(), [1], -1).definition)).toEqual([
      'second: known more',
      'first: agrees age',
    ]);
    for (const [place, step] of [
      [[0], -1],
      [[1], 1],
      [[0, 0], -1],
      [[1, 1], 1],
      [[7, 7], 1],
    ] as const)
      expect(names(moveElementOneStep(small(), place, step).definition)).toEqual(names(small()));
    const out = moveElementToPage(small(), [1, 1, 0], 0);
    expect(names(out.definition)[0]).toBe('first: agrees age remark');
    expect(out.place).toEqual([0, 2]);
    expect(names(moveElementToPage(small(), [0, 0], 0).definition)[0]).toBe('first: age agrees');
  });

  it('drops a dragged element before or after another, or first in a page or panel, but never into itself', () => {
    const drag = (from: ElementPlace, over: ElementPlace, side: 'before' | 'behind') =>
      moveElementBeside(small(), { from, over, side });
    for (const [from, over, side, after, place] of [
      [[0, 0], [0, 1], 'behind', ['first: age agrees', 'second: known more'], [0, 1]],
      [[0, 1], [0, 0], 'before', ['first: age agrees', 'second: known more'], [0, 0]],
      [[0, 0], [1, 0], 'before', ['first: age', 'second: agrees known more'], [1, 0]],
      [[0, 0], [1], 'behind', ['first: age', 'second: agrees known more'], [1, 0]],
      [[1, 0], [1, 1], 'behind', ['first: agrees age', 'second: more'], [1, 0, 0]],
      [[1, 1, 0], [1, 0], 'before', ['first: agrees age', 'second: remark known more'], [1, 0]],
      [[1, 1], [0, 1], 'before', ['first: agrees more age', 'second: known'], [0, 1]],
      [[0], [1], 'behind', ['second: known more', 'first: agrees age'], [1]],
      [[1], [0], 'before', ['second: known more', 'first: agrees age'], [0]],
    ] as const) {
      const moved = drag(from, over, side);
      expect([names(moved.definition), moved.place]).toEqual([after, place]);
      expect(elementAt(moved.definition, place)).toEqual(elementAt(small(), from));
    }
    const same = small();
    for (const [from, over, side] of [
      [[0, 0], [0, 0], 'behind'],
      [[0, 1], [0, 0], 'behind'],
      [[0, 0], [0, 1], 'before'],
      [[1, 1], [1, 1, 0], 'before'],
      [[0], [1], 'before'],
      [[0], [1, 0], 'before'],
      [[0, 0], [1], 'before'],
      [[7, 7], [0, 0], 'before'],
    ] as const)
      expect(moveElementBeside(same, { from, over, side }).definition).toBe(same);
  });

  it('gives a copy new names, also in its own conditions', () => {
    const copy = duplicateElement(
      withChangedElement(small(), [0, 1], (age) => withWholeNumberCheck(age, true, 'A whole number.')),
      [0, 1],
    );
    expect(elementAt(copy.definition, copy.place)).toMatchObject({
      name: 'age2',
      validators: [{ expression: '{age2} empty or {age2} % 1 = 0' }],
    });
    const page = duplicateElement(small(), [1]);
    expect(names(page.definition)[2]).toBe('second2: known2 more2');
    expect(elementAt(page.definition, [2, 1, 0])).toMatchObject({
      name: 'remark2',
      visibleIf: '{known2} > 3',
    });
    // Its references to other questions stay.
    expect(pagesOf(page.definition)[2]?.visibleIf).toBe("{agrees} = 'yes' and {isAdult} = true");
    const two = withElementProperty(small(), [0, 1], 'valueName', 'shared');
    expect(elementAt(duplicateElement(two, [0, 1]).definition, [0, 2])).not.toHaveProperty('valueName');
  });

  it('removes only the given element, and puts questions without a page on one', () => {
    expect(names(removeElementAt(small(), [1, 0]))).toEqual(['first: agrees age', 'second: more']);
    expect(names(removeElementAt(small(), [0]))).toEqual(['second: known more']);
    expect(removeElementAt(small(), [4, 4])).toEqual(small());
    const loose = { title: 'x', elements: [{ type: 'text', name: 'page1' }] };
    expect(addQuestion(loose, [0], 'comment').definition).toEqual({
      title: 'x',
      pages: [
        {
          name: 'page2',
          elements: [
            { type: 'text', name: 'page1' },
            { type: 'comment', name: 'question1' },
          ],
        },
      ],
    });
  });

  it('does not modify its input or unknown properties', () => {
    const before = small();
    const { definition } = duplicateElement(moveElementToPage(before, [0, 0], 1).definition, [1, 0]);
    expect(before).toEqual(small());
    expect((definition as ReturnType<typeof small>).completedHtmlOnCondition).toBe(
      before.completedHtmlOnCondition,
    );
  });
});

describe('names', () => {
  it('renames a question in conditions, texts, the network size question and takesPartIf', () => {
    const age = withNewName(work(), [0, 1], 'years');
    expect(age.definition).toMatchObject({
      calculatedValues: [{ name: 'isAdult', expression: '{years} >= 18' }],
      pages: [{}, { elements: [{ title: 'Of {years} years, how many?' }, {}] }],
    });
    const known = withNewName(work(), [1, 0], 'size');
    expect(known.sizeQuestion).toBe('size');
    expect(age.clues).toEqual(['years', 'remark']);
    expect(elementAt(known.definition, [1, 1, 0])?.visibleIf).toBe('{size} > 3');
    const agrees = withNewName(work(), [0, 0], "con'sent$&");
    expect(agrees.takesPartIf).toBe("{con'sent$&} = 'yes'");
    const before = {
      ...small(),
      x: {
        regex: 'a{age}',
        choicesFromQuestion: 'age',
        gotoName: 'other',
        visibleIf: "displayValue('age') = 'age'",
      },
    };
    expect(withNewName(work(before), [0, 1], 'z').definition).toMatchObject({
      x: {
        regex: 'a{age}',
        choicesFromQuestion: 'z',
        gotoName: 'other',
        visibleIf: "displayValue('z') = 'age'",
      },
    });
  });

  it('renames the question that a repeat takes its count from', () => {
    const repeat = {
      type: 'paneldynamic',
      name: 'children',
      title: 'Children',
      bindings: { panelCount: 'Known' },
      templateElements: [{ type: 'text', name: 'first', title: 'Name' }],
    };
    const { definition } = addPage(small());
    const counted = withChangedElement(definition, [2], (page) => ({ ...page, elements: [repeat] }));
    const after = withNewName(work(counted), [1, 0], 'howMany');
    expect(elementAt(after.definition, [2, 0])?.bindings).toEqual({ panelCount: 'howMany' });
    expect(faults(after)).toEqual([]);
    expect(
      faults({ ...after, definition: removeElementAt(after.definition, [1, 0]), sizeQuestion: 'age' }),
    ).toMatchObject([
      { path: 'definition.pages.1.elements.0.elements.0.visibleIf' },
      { path: 'definition.pages.2.elements.0.bindings.panelCount' },
    ]);
    const later = moveElementOneStep(after.definition, [2], -1).definition;
    expect(draftWarnings(later)).toContainEqual({ what: 'countedLater', place: [1, 0], name: 'howMany' });
  });

  it('sets a repeat’s count to a number, an answer, or left to the interviewer, who only then has buttons', () => {
    const repeat = { type: 'paneldynamic', name: 'children', maxPanelCount: 9, templateElements: [] };
    const fixed = { allowAddPanel: false, allowRemovePanel: false };
    expect(repeatCountRuleOf(repeat)).toEqual({ by: 'interviewer' });
    const three = withRepeatCount(repeat, { by: 'number', count: 3 });
    expect(three).toEqual({
      type: 'paneldynamic',
      name: 'children',
      templateElements: [],
      panelCount: 3,
      ...fixed,
    });
    const repeatByAnswer = withRepeatCount(three, { by: 'question', name: 'known' });
    expect(repeatByAnswer).toMatchObject({ bindings: { panelCount: 'known' }, ...fixed });
    expect(repeatByAnswer).not.toHaveProperty('panelCount');
    for (const one of [three, repeatByAnswer])
      expect(withRepeatCount(one, repeatCountRuleOf(one))).toEqual(one);
    const free = withRepeatCount(repeatByAnswer, { by: 'interviewer' });
    expect(free).toEqual({ type: 'paneldynamic', name: 'children', templateElements: [] });
    expect(repeatCountRuleOf({ ...repeat, minPanelCount: 9 })).toEqual({ by: 'number', count: 9 });
  });

  it('lists what uses a question or page to be removed', () => {
    const uses = (place: ElementPlace) => usagePathsOf(work(), place);
    expect(uses([0, 0])).toEqual(['definition.pages.1.visibleIf', 'takesPartIf']);
    expect(uses([1, 0])).toEqual([
      'definition.pages.1.elements.1.elements.0.visibleIf',
      'networkSizeQuestion',
    ]);
    expect(uses([1])).toEqual(['networkSizeQuestion', 'identityQuestions']);
    expect(uses([1, 1])).toEqual(['identityQuestions']);
    const twin = addQuestion(small(), [1], 'number');
    const shared = withElementProperty(twin.definition, twin.place, 'valueName', 'age');
    expect(usagePathsOf({ ...work(shared), clues: [] }, [0, 1])).toEqual([]);
  });

  it('derives names from texts, and numbers them if taken', () => {
    expect(nameFrom('Where did you sleep last night, in town?')).toBe('whereDidYouSleepLastNightIn');
    expect(nameFrom('¿Cuántos años tiene?')).toBe('cuantosAnosTiene');
    expect(nameFrom('كم عمرك؟')).toBe('');
    expect(nameFrom('18 to 24')).toBe('');
    expect(unusedName(usedNamesIn(small()), 'AGE')).toBe('AGE2');
    expect(unusedName(usedNamesIn(small()), 'isadult')).toBe('isadult2');
    expect(unusedName(usedNamesIn(small()), 'camewithcoupon')).toBe('camewithcoupon2');
  });
});

describe('types, choices and texts', () => {
  it('keeps the properties that the new type shares when the type changes', () => {
    const agrees = elementAt(small(), [0, 0]) as JsonObject;
    const several = withQuestionKind({ ...agrees, ownThing: 1, showRefuseItem: true }, 'checkbox');
    expect(several).toEqual({ ...agrees, type: 'checkbox', ownThing: 1, showRefuseItem: true });
    expect(withQuestionKind(several, 'number')).toEqual({
      type: 'text',
      inputType: 'number',
      name: 'agrees',
      title: agrees.title,
      isRequired: true,
      ownThing: 1,
    });
    const fromList = withQuestionKind({ ...agrees, colCount: 2, showRefuseItem: true }, 'dropdown');
    expect(fromList).toEqual({ ...agrees, type: 'dropdown', showRefuseItem: true });
    expect(withQuestionKind(fromList, 'radiogroup')).toEqual({ ...agrees, showRefuseItem: true });
    const { choices: _, ...rest } = agrees;
    // Yes comes before No.
    expect(withQuestionKind(agrees, 'boolean')).toEqual({ ...rest, type: 'boolean', swapOrder: true });
    expect(withQuestionKind(withQuestionKind(agrees, 'boolean'), 'dropdown')).toEqual({
      ...rest,
      type: 'dropdown',
      choices: [],
    });
    const age: JsonObject = {
      type: 'text',
      inputType: 'number',
      name: 'age',
      title: 'How old?',
      min: 0,
      max: 9,
    };
    expect(withQuestionKind(withWholeNumberCheck(age, true, 'x'), 'date')).toEqual({
      type: 'text',
      inputType: 'date',
      name: 'age',
      title: 'How old?',
    });
    const text = withQuestionKind({ ...agrees, description: 'd' }, 'html');
    expect(text).toEqual({ type: 'html', name: 'agrees', html: agrees.title });
    expect(withQuestionKind({ type: 'html', name: 'a', html: '<p>One.</p><p>Two.</p>' }, 'rating')).toEqual({
      type: 'rating',
      name: 'a',
      title: 'One. Two.',
    });
    expect(withQuestionKind({ type: 'comment', name: 'a', rows: 4, maxLength: 9 }, 'matrix')).toEqual({
      type: 'matrix',
      name: 'a',
      columns: [],
      rows: [],
    });
    expect(questionKindOf({ type: 'text', inputType: 'tel' })).toBe('text (tel)');
  });

  it('edits choices one by one, and names a new choice after its text', () => {
    const question: JsonObject = {
      type: 'radiogroup',
      name: 'q',
      choices: ['yes', { value: 2, text: 'Two', own: 1 }],
    };
    const more = withNewListItem(question, 'choices');
    expect(more.choices).toEqual([...(question.choices as unknown[]), { value: 'choice1', text: '' }]);
    const worded = withItemText(more, 'choices', 2, 'en', 'Not yet');
    expect(withItemValueFromText(worded, 'choices', 2, 'Not yet').choices).toContainEqual({
      value: 'notYet',
      text: 'Not yet',
    });
    expect(withItemValueFromText(worded, 'choices', 2, 'Yes')).toBe(worded);
    expect(withItemText(question, 'choices', 0, 'es', 'Sí').choices).toEqual([
      { value: 'yes', text: { default: 'yes', es: 'Sí' } },
      { value: 2, text: 'Two', own: 1 },
    ]);
    expect(withItemMoved(question, 'choices', 1, -1).choices).toEqual([
      { value: 2, text: 'Two', own: 1 },
      'yes',
    ]);
    expect(withItemMoved(question, 'choices', 1, 1)).toBe(question);
    expect(withoutListItem(question, 'choices', 0).choices).toEqual([{ value: 2, text: 'Two', own: 1 }]);
    expect(withItemValue(question, 'choices', 0, 'ja').choices).toContainEqual({ value: 'ja', text: 'yes' });
    const refused = withSpecialChoice(question, 'refuse', true, { default: 'Rather not', es: 'Mejor no' });
    expect(refused).toMatchObject({ showRefuseItem: true, refuseText: { es: 'Mejor no' } });
    expect(withSpecialChoice(refused, 'refuse', false, null)).toEqual(question);
  });

  it('sets and removes a text in one language', () => {
    expect(withTextInLanguage(undefined, 'en', 'A')).toBe('A');
    expect(withTextInLanguage('A', 'es', 'B')).toEqual({ default: 'A', es: 'B' });
    expect(withTextInLanguage({ default: 'A', es: 'B' }, 'en', 'C')).toEqual({ default: 'C', es: 'B' });
    expect(withTextInLanguage({ en: 'A', es: 'B' }, 'en', 'C')).toEqual({ en: 'C', es: 'B' });
    expect(withTextInLanguage({ default: 'A', es: 'B' }, 'es', '')).toEqual({ default: 'A' });
    expect(withTextInLanguage({ es: 'B' }, 'es', '')).toBeUndefined();
    const question = { type: 'text', name: 'q' };
    expect(withElementText(withElementText(question, 'title', 'es', 'B'), 'title', 'es', '')).toEqual(
      question,
    );
    expect(languagesIn(small())).toEqual(['en', 'es']);
    expect(textWithoutFallback({ default: 'Do you agree?' }, 'es')).toBe('');
  });

  it('sets, counts and finds texts inside repeats', () => {
    const question = {
      type: 'paneldynamic',
      name: 'children',
      title: { default: 'Children', es: 'Hijos' },
      templateElements: [
        { type: 'panel', name: 'one', elements: [{ type: 'text', name: 'age', title: 'How old?' }] },
        {
          type: 'radiogroup',
          name: 'school',
          title: { default: 'School?', es: '¿Escuela?' },
          choices: ['yes'],
        },
      ],
    };
    const definition = { pages: [{ name: 'p', elements: [question] }] };
    // The age and "yes".
    expect(missingTextsIn(definition, [])).toEqual([{ language: 'es', count: 2, places: [[0, 0]] }]);
    const translated = withListItemChanged(question, 'templateElements', 0, (panel) =>
      withListItemChanged(panel, 'elements', 0, (inner) =>
        withElementText(inner, 'title', 'es', '¿Qué edad?'),
      ),
    );
    const [panel] = questionsOfRepeat(translated);
    expect(questionsOfRepeat(panel?.inner ?? {})[0]?.inner.title).toEqual({
      default: 'How old?',
      es: '¿Qué edad?',
    });
    expect(elementContainsText(translated, [0, 0], 'QUÉ EDAD')).toBe(true);
    expect(elementContainsText(translated, [0, 0], 'school')).toBe(true);
    expect(elementContainsText(question, [0, 0], 'edad')).toBe(false);
  });

  it('counts missing translations by place, ignoring numbers', () => {
    // The title and the closing text; "yes", "No", both titles of numbers.
    expect(missingTextsIn(small(), [])).toEqual([
      {
        language: 'es',
        count: 6,
        places: [[], [0, 0], [0, 1], [1, 0]],
      },
    ]);
    expect(missingTextsIn(DEFAULT_QUESTIONNAIRE.definition, ['en'])).toEqual([]);
    const ages = { type: 'radiogroup', name: 'ages', title: { default: 'Age', es: 'Edad' }, choices: [1, 2] };
    const definition = { pages: [{ name: 'one', elements: [ages] }] };
    expect(missingTextsIn(definition, [])).toEqual([]);
    expect(missingTextsIn(definition, ['ar'])).toEqual([{ language: 'ar', count: 1, places: [[0, 0]] }]);
    const choice = withChangedElement(definition, [0, 0], (one) => withNewListItem(one, 'choices'));
    expect(missingTextsIn(choice, []).map(({ language, count }) => `${language} ${count}`)).toEqual([
      'en 1',
      'es 1',
    ]);
  });

  it('takes standard texts from the default questionnaire, in the languages used', () => {
    const shipped = DEFAULT_QUESTIONNAIRE.definition;
    const inEnglish = ({ default: en, ...others }: Record<string, string>) => ({ en, ...others });
    for (const key of ['refuseText', 'dontKnowText', 'noneText', 'otherText'] as const)
      expect(standardTextFor(shipped, key)).toEqual(inEnglish(USUAL[key]));
    expect(JSON.stringify(shipped)).toContain(JSON.stringify(inEnglish(USUAL.whole)));
    expect(standardTextFor(small(), 'refuseText')).toEqual({
      default: 'Prefer not to say',
      es: 'Prefiero no responder',
    });
    expect(standardTextFor({ pages: [] }, 'refuseText')).toBe('Prefer not to say');
    const own = withChangedElement(small(), [0, 0], (one) =>
      withSpecialChoice(one, 'refuse', true, 'Rather not'),
    );
    expect(standardTextFor(own, 'refuseText')).toBe('Rather not');
  });

  it('adds valid standard identity questions before the network size, in the languages used', () => {
    const shipped = withUsualIdentityQuestions({
      definition: DEFAULT_QUESTIONNAIRE.definition,
      sizeQuestion: 'networkSize',
      takesPartIf: DEFAULT_QUESTIONNAIRE.takesPartIf,
      clues: [],
    });
    expect(shipped.clues).toEqual(['firstNameStart', 'lastNameStart', 'birthDay', 'birthMonth', 'birthYear']);
    const { definition, sizeQuestion, takesPartIf, clues } = shipped;
    expect(checkDefinition(definition, sizeQuestion, takesPartIf, [...clues])).toEqual([]);
    expect(missingTextsIn(definition, [])).toEqual([]);
    expect(pagesOf(definition).map(({ name }) => name)).toEqual(
      pagesOf(DEFAULT_QUESTIONNAIRE.definition).flatMap(({ name }) =>
        name === 'networkPage' ? ['cluesPage', name] : [name],
      ),
    );
    expect(elementAt(definition, [2])).toMatchObject({ visibleIf: '{isEligible} = true' });
    const two = withUsualIdentityQuestions({ ...work(), clues: [] });
    expect(languagesIn(two.definition)).toEqual(['en', 'es']);
    // Again: under new names.
    expect(withUsualIdentityQuestions(two).clues[0]).toBe('firstNameStart2');
    expect(elementAt(withUsualIdentityQuestions(work({ pages: [] })).definition, [0, 2])).toMatchObject({
      title: 'On which day of the month were you born?',
    });
  });

  it('sets valid bounds, whole numbers and required answers', () => {
    const age: JsonObject = { type: 'text', inputType: 'number', name: 'age' };
    expect(withBound(age, 'min', 2)).toEqual({ ...age, min: 2 });
    expect(withBound(withBound(age, 'min', 2), 'min', null)).toEqual(age);
    expect(withBound(age, 'max', Number.NaN)).toBe(age);
    expect(withBound({ type: 'comment', name: 'c' }, 'maxLength', -1)).toEqual({
      type: 'comment',
      name: 'c',
    });
    const whole = withWholeNumberCheck(
      { ...age, validators: [{ type: 'regex', regex: 'x' }] },
      true,
      'Whole.',
    );
    expect(asksWholeNumber(whole)).toBe(true);
    expect(withWholeNumberCheck(whole, false, '').validators).toEqual([{ type: 'regex', regex: 'x' }]);
    expect(withWholeNumberCheck(withWholeNumberCheck(age, true, 'Whole.'), false, '')).toEqual(age);
    expect(withRequired(withRequired(age, true), false)).toEqual(age);
  });

  it('warns about numbers beyond unusual bounds, and leaves other checks alone', () => {
    const age: JsonObject = { type: 'text', inputType: 'number', name: 'age' };
    const own = { type: 'expression', notificationType: 'warning', expression: '{age} > 1', text: 'Sure?' };
    const boundedQuestion = withUnusualBound({ ...age, validators: [own] }, 'max', 90, 'Unusual.');
    expect([warningThresholdOf(boundedQuestion, 'min'), warningThresholdOf(boundedQuestion, 'max')]).toEqual([
      '',
      '90',
    ]);
    expect(checksEditableOnlyInJson(boundedQuestion)).toEqual([own]);
    const changed = withUnusualBound(
      withUnusualBound(boundedQuestion, 'max', 99.5, 'Another text.'),
      'min',
      -1,
      'Low.',
    );
    const warning = { type: 'expression', notificationType: 'warning' };
    expect(changed.validators).toEqual([
      own,
      { ...warning, text: 'Unusual.', expression: '{age} empty or {age} <= 99.5' },
      { ...warning, text: 'Low.', expression: '{age} empty or {age} >= -1' },
    ]);
    expect(withUnusualBound(changed, 'max', Number.NaN, '')).toBe(changed);
    expect(withUnusualBound(withUnusualBound(age, 'max', 9, ''), 'max', null, '')).toEqual(age);
    expect(withQuestionKind(changed, 'date').validators).toEqual([own]);
    const model = new Model({ elements: [changed] });
    model.setValue('age', 100);
    expect(model.validate()).toBe(true);
    expect(model.getQuestionByName('age').errors.map((error) => error.getText())).toEqual(['Unusual.']);
  });

  it('requires an answer in each row of a required table', () => {
    const table = { type: 'matrix', name: 'meals', columns: ['often', 'never'], rows: ['noon', 'night'] };
    const required = withRequired(table, true);
    const model = new Model({ elements: [required] });
    model.setValue('meals', { noon: 'often' });
    expect(model.validate()).toBe(false);
    model.setValue('meals', { noon: 'often', night: 'never' });
    expect(model.validate()).toBe(true);
    expect([required, table, { ...table, isRequired: true }].map(isRequired)).toEqual([true, false, false]);
    expect([required, table, { ...table, isRequired: true }].map(requiresAnyRow)).toEqual([
      false,
      false,
      true,
    ]);
    expect(withRequired({ ...required, isAllRowRequired: true }, false)).toEqual(table);
    expect(withQuestionKind({ type: 'text', name: 'meals', isRequired: true }, 'matrix')).toMatchObject({
      isRequired: true,
      eachRowRequired: true,
    });
    expect(withQuestionKind({ ...required, isAllRowRequired: true }, 'comment')).toEqual({
      type: 'comment',
      name: 'meals',
      isRequired: true,
    });
  });
});

describe('conditions', () => {
  const definition = small();
  const source = (name: string, place: ElementPlace | null = [1, 0]) => {
    const match = conditionSourcesBefore(definition, place).find((one) => one.name === name);
    if (!match) throw new Error(`no ${name}`);
    return match;
  };

  it('can use earlier answers, calculated values and whether there was a coupon', () => {
    const sourceNames = (place: ElementPlace | null) =>
      conditionSourcesBefore(definition, place).map(({ name }) => name);
    expect(sourceNames([0, 0])).toEqual(['isAdult', 'cameWithCoupon']);
    expect(sourceNames([1])).toEqual(['agrees', 'age', 'isAdult', 'cameWithCoupon']);
    expect(sourceNames([1, 1, 0])).toEqual(['agrees', 'age', 'known', 'isAdult', 'cameWithCoupon']);
    expect(sourceNames(null)).toEqual(['agrees', 'age', 'known', 'remark', 'isAdult']);
  });

  it('are written in the form library’s syntax', () => {
    const write = (question: string, operator: ReturnType<typeof operatorsFor>[number], values: string[]) =>
      writeClause({ question, operator, values }, source(question));
    expect(write('agrees', 'anyof', ['yes'])).toBe("{agrees} = 'yes'");
    expect(write('agrees', 'noneof', ['yes'])).toBe("{agrees} <> 'yes'");
    expect(write('agrees', 'anyof', ['yes', 'no'])).toBe("{agrees} anyof ['yes', 'no']");
    expect(write('age', 'greaterorequal', ['18'])).toBe('{age} >= 18');
    expect(write('isAdult', 'equal', ['true'])).toBe('{isAdult} = true');
    expect(write('age', 'notempty', [])).toBe('{age} notempty');
    expect(write('agrees', 'anyof', ["it's"])).toBe('{agrees} = "it\'s"');
    expect(write('agrees', 'anyof', ['"it\'s"'])).toBeNull();
    expect(write('agrees', 'anyof', [])).toBeNull();
  });

  it('are parsed back into clauses, and unchanged clauses keep their text', () => {
    const text = "{agrees}='yes'  and {age}  >=   18";
    const clicked = parseClickableCondition(text);
    if (!clicked) throw new Error('not read');
    expect(toBuilderClause(clicked.parts[0]?.clause as never, source('agrees'))).toMatchObject({
      operator: 'anyof',
    });
    expect(formatEditableCondition(clicked)).toBe("{agrees}='yes' and {age}  >=   18");
    const more = { ...clicked, parts: [...clicked.parts, initialClauseFor(source('isAdult'))] };
    expect(formatEditableCondition(more)).toBe("{agrees}='yes' and {age}  >=   18 and {isAdult} = true");
    expect(parseClickableCondition('')).toEqual({ join: 'and', parts: [] });
    for (const odd of ['({a} = 1)', '{a} + 1 > 2', "{a} = 1 and {b} = 2 or {c} = 'x'", 'age({a}) > 3'])
      expect(parseClickableCondition(odd)).toBeNull();
  });

  it('start with “yes” if that is an answer, else with any answer', () => {
    const form = {
      pages: [
        {
          name: 'one',
          elements: [
            { type: 'boolean', name: 'tent' },
            { type: 'radiogroup', name: 'agrees', choices: ['no', { value: 'yes', text: 'Yes' }] },
            { type: 'radiogroup', name: 'place', choices: ['tent', 'car'] },
            { type: 'text', name: 'words' },
          ],
        },
      ],
    };
    const first = conditionSourcesBefore(form, [1]).map((one) => initialClauseFor(one).text);
    expect(first).toEqual([
      '{tent} = true',
      "{agrees} = 'yes'",
      '{place} notempty',
      '{words} notempty',
      "{cameWithCoupon} = 'yes'",
    ]);
  });

  it('ask a yes/no question for the values that it stores', () => {
    const agrees = { type: 'boolean', name: 'agrees', valueTrue: 'yes', valueFalse: 'no' };
    const texts = [
      agrees,
      { ...agrees, valueTrue: 1, valueFalse: undefined },
      { ...agrees, valueTrue: undefined, valueFalse: undefined },
    ].map((element) => {
      const [source] = conditionSourcesBefore({ elements: [element] }, null);
      if (!source) throw new Error('nothing to ask for');
      const { clause } = initialClauseFor(source);
      return [initialClauseFor(source).text, withOperator(clause, 'anyof', source).text];
    });
    expect(texts.slice(0, 2)).toEqual([
      ["{agrees} = 'yes'", "{agrees} = 'yes'"],
      ['{agrees} notempty', '{agrees} = 1'],
    ]);
    expect(texts[2]?.[0]).toBe('{agrees} = true');
  });

  it.each([
    ["{consent} = 'yes' and {age} > 18", 'yes or no'],
    ['{age} >= 18', 'yes or no'],
    ['{age} notempty', 'yes or no'],
    ['{adults} + {children}', 'number'],
    ['sum({adults}, {children})', 'number'],
    ["iif({age} > 18, 'adult', 'child')", 'other'],
  ])('infer the result type of a calculated value: %s', (expression, answers) => {
    expect(expressionResultKind(expression)).toBe(answers);
  });

  it('are valid for every operator', () => {
    for (const one of conditionSourcesBefore(definition, [1, 1, 0])) {
      for (const operator of operatorsFor(one)) {
        const { text } = withOperator(initialClauseFor(one).clause, operator, one);
        const read = parseClickableCondition(text);
        expect(read?.parts).toHaveLength(1);
        expect(checkDefinition(withElementProperty(definition, [1], 'visibleIf', text), 'known')).toEqual([]);
      }
    }
  });
});

it('lists conditions on later answers, missing texts and choices, and empty pages', () => {
  const looseEndsOf = (definition: object) =>
    draftWarnings(definition).map(({ what, name, place }) => `${what} ${name} ${place}`);
  expect(looseEndsOf(small())).toEqual(['noWords remark 1,1,0']);
  expect(looseEndsOf(DEFAULT_QUESTIONNAIRE.definition)).toEqual([]);
  expect(looseEndsOf(moveElementOneStep(small(), [0], 1).definition)).toContain('askedLater agrees 0');
  expect(looseEndsOf(addQuestion(addPage(small()).definition, [0], 'radiogroup').definition)).toEqual([
    'noWords question1 0,2',
    'noChoices question1 0,2',
    'noWords remark 1,1,0',
    'emptyPage page1 2',
  ]);
  expect(
    looseEndsOf(withChangedElement(small(), [0, 0], (one) => withoutListItem(one, 'choices', 0))),
  ).toContain('unknownChoice yes 1');
});

it('consecutive typing is one undo step, and every step can be undone and redone', () => {
  let history = newUndoHistory('');
  for (const text of ['a', 'ab', 'abc']) history = addToUndoHistory(history, text, 'title');
  history = addToUndoHistory(history, 'abc!', null);
  history = addToUndoHistory(history, 'abc!x', 'title');
  expect(history.past).toEqual(['', 'abc', 'abc!']);
  history = undoStep(undoStep(history));
  expect([history.present, redoStep(history).present]).toEqual(['abc', 'abc!']);
  expect(addToUndoHistory(history, 'other').future).toEqual([]);
  expect(undoStep(newUndoHistory(1))).toEqual(newUndoHistory(1));
  expect(redoStep(newUndoHistory(1))).toEqual(newUndoHistory(1));
});

it('offers the active version first for a copy, even before the list has loaded', () => {
  const [first, active, last] = [{ id: 'first' }, { id: 'active' }, { id: 'last' }] as const;
  expect(activeFirst(active, [first, { id: 'active' }, last])).toEqual([active, first, last]);
  expect(activeFirst(active, undefined)).toEqual([active]);
  expect(activeFirst(undefined, [first, last])).toEqual([first, last]);
});

/** Errors that any sequence of clicks may cause; each is reported with its place. */
const TOLD = ['NOT_SIZE_QUESTION', 'NO_QUESTIONS', 'TAKES_PART_NAME', 'REFERENCE_UNKNOWN'];

describe('any operations in any order', () => {
  const at = fc.nat(1_000);
  const words = fc.constantFrom('Yes', '¿Sí?', 'أين؟', 'Where to?', '{agrees}, right?', '');
  const operation = fc.tuple(fc.nat(16), at, at, words);
  type Operation = [number, number, number, string];

  function act(before: VersionContent, [what, one, two, text]: Operation): VersionContent {
    const { definition } = before;
    const all = elementsWithPlaces(definition);
    const place = all[one % Math.max(1, all.length)]?.place ?? [0];
    const element = elementAt(definition, place) ?? {};
    const isQuestion = place.length > 1 && element.type !== 'panel';
    const kind = QUESTION_KINDS[two % QUESTION_KINDS.length] ?? 'text';
    const set = (change: (element: JsonObject) => JsonObject): VersionContent => ({
      ...before,
      definition: isQuestion ? withChangedElement(definition, place, change) : definition,
    });
    const changed = (next: { definition: object }) => ({ ...before, definition: next.definition });
    const lists = isQuestion ? editableListKeysOf(element) : [];
    const list = lists[two % Math.max(1, lists.length)];
    const step = two % 2 === 0 ? 1 : -1;
    switch (what) {
      case 0:
        return changed(addPage(definition, two % 2 === 0 ? null : (place[0] ?? null)));
      case 1:
        return changed(addQuestion(definition, place, kind));
      case 2:
        return changed({ definition: removeElementAt(definition, place) });
      case 3:
        return changed(moveElementOneStep(definition, place, step));
      case 4:
        return changed(moveElementToPage(definition, place, two % Math.max(1, pagesOf(definition).length)));
      case 5:
        // Copying whole pages would double their number without end.
        return all.length > 60 ? before : changed(duplicateElement(definition, place));
      case 6:
        return withNewName(before, place, unusedName(usedNamesIn(definition), nameFrom(text) || 'other'));
      case 7:
        return set((own) => withQuestionKind(own, kind));
      case 8:
        return {
          ...before,
          definition: withChangedElement(definition, place, (own) =>
            withElementText(own, 'title', 'es', text),
          ),
        };
      case 9:
        return list ? set((own) => withNewListItem(own, list)) : before;
      case 10:
        return list ? set((own) => withItemText(own, list, 0, two % 3 ? 'ar' : 'en', text)) : before;
      case 11:
        return list
          ? set((own) => (two % 3 ? withItemMoved(own, list, 0, 1) : withoutListItem(own, list, 0)))
          : before;
      case 12:
        return list === 'choices'
          ? set((own) => withSpecialChoice(own, 'refuse', two % 2 === 0, 'Rather not'))
          : before;
      case 13: {
        const [bound] = answerLimitKeysOf(element);
        const value = questionKindOf(element) === 'date' ? '2026-01-02' : two % 7;
        const bounded = bound ? set((own) => withBound(own, bound, two % 4 ? value : null)) : before;
        return questionKindOf(element) === 'number'
          ? set((own) => withWholeNumberCheck(own, two % 2 === 0, 'Whole.'))
          : bounded;
      }
      case 15: {
        const over = all[two % Math.max(1, all.length)]?.place ?? [0];
        const side = two % 3 ? 'before' : 'behind';
        return changed(moveElementBeside(definition, { from: place, over, side }));
      }
      case 14:
        return element.type === 'html' ? before : set((own) => withRequired(own, two % 2 === 0));
      default: {
        const sources = conditionSourcesBefore(definition, place);
        const source = sources[two % Math.max(1, sources.length)];
        if (!source) return before;
        const operators = operatorsFor(source);
        const { text: condition } = withOperator(
          initialClauseFor(source).clause,
          operators[one % operators.length] ?? 'empty',
          source,
        );
        return {
          ...before,
          definition: withElementProperty(definition, place, 'visibleIf', two % 5 ? condition : undefined),
        };
      }
    }
  }

  it('give a valid definition or listed errors, and undo restores the same JSON', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
        let history: UndoHistory<VersionContent> = newUndoHistory(work());
        const states = [JSON.stringify(history.present)];
        for (const one of operations) {
          const next = addToUndoHistory(history, act(history.present, one));
          if (next !== history) states.push(JSON.stringify(next.present));
          history = next;
        }
        const formFaults = faults(history.present);
        expect(formFaults.filter(({ code }) => !TOLD.includes(code ?? ''))).toEqual([]);
        expect(history.present.definition as VersionContent['definition']).toMatchObject({
          completedHtmlOnCondition: small().completedHtmlOnCondition,
        });
        for (let index = states.length - 1; index >= 0; index -= 1) {
          expect(JSON.stringify(history.present)).toBe(states[index]);
          history = undoStep(history);
        }
        expect(history.past).toEqual([]);
        for (const state of states) {
          expect(JSON.stringify(history.present)).toBe(state);
          history = redoStep(history);
        }
      }),
      { numRuns: 60 },
    );
  });
});
