/**
 * Problems that don't prevent saving but would show up in the field: conditions about later answers, questions
 * without texts.
 */
import { referencesIn } from '../../../../../../src/questionnaires/definition/definition-references.ts';
import { type ElementPlace, elementsWithPlaces } from '../../element-paths.ts';
import { readCondition } from '../../questionnaire-logic.ts';
import { calculatedIn, closingTextsOf } from './closing-and-calculated.ts';
import { conditionSourcesBefore } from './condition.ts';
import { isChoiceless, isUntitledElement } from './element-texts.ts';
import { repeatCountRuleOf } from './repeat-count.ts';

export type DraftWarningKind =
  | 'noWords'
  | 'noChoices'
  | 'emptyPage'
  | 'askedLater'
  | 'countedLater'
  | 'unknownChoice'
  | 'noValue'
  | 'noClosingText'
  | 'noClosingCondition'
  | 'noExpression';

export interface DraftWarning {
  what: DraftWarningKind;
  place: ElementPlace;
  /** Name of the question or choice in the condition, or the number of a closing text. */
  name: string;
}

const CONDITIONS = ['visibleIf', 'requiredIf', 'enableIf'];

export function draftWarnings(definition: object): DraftWarning[] {
  const all = elementsWithPlaces(definition);
  const ofElements = all.flatMap(({ element, place }): DraftWarning[] => {
    const own: DraftWarning[] = [];
    const name = String(element.name ?? '');
    if (isUntitledElement(element, place)) own.push({ what: 'noWords', place, name });
    if (place.length > 1 && isChoiceless(element)) own.push({ what: 'noChoices', place, name });
    if (place.length === 1 && !all.some((one) => one.place.length > 1 && one.place[0] === place[0]))
      own.push({ what: 'emptyPage', place, name });
    const texts = CONDITIONS.map((key) => element[key]).filter((one) => typeof one === 'string');
    const count = repeatCountRuleOf(element);
    if (count.by === 'question' && isLater(definition, place, count.name))
      own.push({ what: 'countedLater', place, name: count.name });
    return [...own, ...conditionWarnings(definition, texts, place)];
  });
  return [...ofElements, ...questionnaireWarnings(definition)];
}

function questionnaireWarnings(definition: object): DraftWarning[] {
  const place: ElementPlace = [];
  const closings = closingTextsOf(definition);
  const calculated = calculatedIn(definition);
  return [
    ...closings.flatMap(({ html, expression }, index): DraftWarning[] => [
      ...(html === undefined ? [{ what: 'noClosingText', place, name: String(index + 1) } as const] : []),
      ...(expression === '' ? [{ what: 'noClosingCondition', place, name: String(index + 1) } as const] : []),
    ]),
    ...calculated.flatMap(({ name, expression }): DraftWarning[] =>
      expression === '' ? [{ what: 'noExpression', place, name }] : [],
    ),
    ...conditionWarnings(
      definition,
      [...closings, ...calculated].map(({ expression }) => expression),
      place,
    ),
  ];
}

function conditionWarnings(definition: object, texts: string[], place: ElementPlace): DraftWarning[] {
  if (texts.length === 0) return [];
  const sources = new Map(
    conditionSourcesBefore(definition, place.length > 0 ? place : null).map((source) => [
      source.name.toLowerCase(),
      source,
    ]),
  );
  const variables = new Set([...sources.keys(), 'studycontact']);
  return texts.flatMap((text): DraftWarning[] => {
    // A question may depend on a later one of the same page; a page can't depend on later pages.
    const later = [...new Set(referencesIn(text))].filter(
      (name) => !variables.has(name.toLowerCase()) && isLater(definition, place, name),
    );
    const clauses = readCondition(text)?.clauses ?? [];
    const open = clauses.filter(({ values }) => values.includes(''));
    const choices = clauses.flatMap(({ question, values }) => {
      const source = sources.get(question.toLowerCase());
      if (source?.answers !== 'one' && source?.answers !== 'several') return [];
      return values.filter((value) => !source.choices.some((one) => String(one.value) === value));
    });
    return [
      ...later.map((name): DraftWarning => ({ what: 'askedLater', place, name })),
      ...open.map(({ question }): DraftWarning => ({ what: 'noValue', place, name: question })),
      ...choices.map((name): DraftWarning => ({ what: 'unknownChoice', place, name })),
    ];
  });
}

function isLater(definition: object, place: ElementPlace, name: string): boolean {
  const match = elementsWithPlaces(definition).find(
    ({ element }) => String(element.valueName ?? element.name).toLowerCase() === name.toLowerCase(),
  );
  return match !== undefined && (match.place[0] ?? 0) > (place[0] ?? 0);
}
