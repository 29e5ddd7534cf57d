/**
 * What can be counted in a questionnaire: single choices, yes or no, each of several choices, numbers, but not free
 * text. Builds a model of the form, which can take long, so the service calls validator.ts instead.
 */
import { type ItemValue, type LocalizableString, Model } from 'survey-core';
import { jsonCopy } from '../definition/definition.ts';
import {
  type AnyQuestion,
  allPossibleChoicesOf,
  answerFormOf,
  choiceValueProperty,
} from '../definition/question-types.ts';
import { calculatedKind } from './calculated-type.ts';
import { yesNoChoices } from './yes-no.ts';

/** By language. */
export type TextByLanguage = Record<string, string>;

export interface CountableChoice {
  /** As text, as in the export. */
  value: string;
  title: TextByLanguage;
}

export interface CountableQuestion {
  /** Key of the answer. */
  key: string;
  title: TextByLanguage;
  /** SEVERAL: each choice is counted separately. */
  kind: 'CATEGORY' | 'NUMBER' | 'SEVERAL';
  choices: CountableChoice[];
  /** For SEVERAL: if choices are stored as objects, the key of the value. */
  property?: string;
  /** Values that count as missing: the form library's own "refuse" and "don't know". */
  missing: string[];
}

type TextsOf = (text: LocalizableString) => TextByLanguage;

/** In question order. */
export function countableQuestionsIn(definition: object): CountableQuestion[] {
  const model = new Model(jsonCopy(definition));
  const usedLanguages = model.getUsedLocales();
  const languages = usedLanguages.length > 0 ? usedLanguages : [model.locale || 'en'];
  const textsOf: TextsOf = (text) =>
    Object.fromEntries(
      languages.map((language) => [
        language,
        text.getLocaleText(language) || text.getLocaleText('default') || text.textOrHtml,
      ]),
    );
  const countables = new Map<string, CountableQuestion>();
  for (const question of model.getAllQuestions() as AnyQuestion[]) {
    const item = countable(question, allPossibleChoicesOf(question, model), textsOf);
    const before = item && countables.get(item.key);
    if (item && !before) countables.set(item.key, item);
    // Several questions may write to one key.
    else if (item && before?.kind === item.kind) {
      before.choices = mergeChoices(before.choices, item.choices);
      before.missing = [...new Set([...before.missing, ...item.missing])];
    }
  }
  for (const { name, expression, includeIntoResult } of model.calculatedValues)
    if (includeIntoResult && !countables.has(name)) {
      const item = calculatedCountable(name, expression, languages);
      if (item) countables.set(name, item);
    }
  return [...countables.values()];
}

/** Null if the value can be any text. */
function calculatedCountable(key: string, expression: string, languages: string[]): CountableQuestion | null {
  const textIn = (text: string): TextByLanguage =>
    Object.fromEntries(languages.map((language) => [language, text]));
  const labels = { key, title: textIn(key), missing: [] };
  const kind = calculatedKind(expression);
  switch (kind.is) {
    case 'number':
      return { ...labels, kind: 'NUMBER', choices: [] };
    case 'yes or no': {
      const choices = yesNoChoices(languages).map(({ value, text }) => ({ value, title: text }));
      return { ...labels, kind: 'CATEGORY', choices };
    }
    case 'words':
      return {
        ...labels,
        kind: 'CATEGORY',
        choices: kind.words.map((value) => ({ value, title: textIn(value) })),
      };
    default:
      return null;
  }
}

export function mergeChoices(some: CountableChoice[], more: CountableChoice[]): CountableChoice[] {
  const knownValues = new Set(some.map(({ value }) => value));
  return [...some, ...more.filter(({ value }) => !knownValues.has(value))];
}

function countable(question: AnyQuestion, items: ItemValue[], textsOf: TextsOf): CountableQuestion | null {
  const labels = { key: question.getValueName(), title: textsOf(question.locTitle) };
  const number = { ...labels, kind: 'NUMBER' as const, choices: [], missing: [] };
  const choice = (kind: CountableQuestion['kind']): CountableQuestion => ({
    ...labels,
    kind,
    ...choicesOf(items, question, textsOf),
  });
  switch (answerFormOf(question)) {
    case 'choice':
      return choice('CATEGORY');
    case 'choices':
      return { ...choice('SEVERAL'), ...choiceValueProperty(question) };
    case 'yes or no':
      return { ...labels, kind: 'CATEGORY', choices: yesAndNo(question, textsOf), missing: [] };
    case 'rate':
      return items.every((item) => isNumber(item.value)) ? number : choice('CATEGORY');
    case 'number':
      return number;
    default:
      return null;
  }
}

const isNumber = (value: unknown) => value !== '' && Number.isFinite(Number(value));

function choicesOf(items: ItemValue[], question: AnyQuestion, textsOf: TextsOf) {
  const { refuseItem, dontKnowItem, selectAllItem } = question;
  const choices: CountableChoice[] = [];
  const missing: string[] = [];
  for (const item of items) {
    const value = String(item.value);
    // Compared by identity, because an author may give a choice of their own the same value.
    if (item === refuseItem || item === dontKnowItem) missing.push(value);
    else if (item !== selectAllItem && !choices.some((one) => one.value === value))
      choices.push({ value, title: textsOf(item.locText) });
  }
  return { choices, missing: missing.filter((value) => !choices.some((one) => one.value === value)) };
}

function yesAndNo(question: AnyQuestion, textsOf: TextsOf): CountableChoice[] {
  const { valueTrue, valueFalse, locLabelTrue, locLabelFalse } = question;
  return [
    { value: String(valueTrue ?? true), title: textsOf(locLabelTrue) },
    { value: String(valueFalse ?? false), title: textsOf(locLabelFalse) },
  ];
}
