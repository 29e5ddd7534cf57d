/**
 * What of a questionnaire can be counted: one choice, yes or no, each choice of several, numbers. What people wrote in
 * their own words is none of it. Builds a model of the form, which may take long: the service asks judge.ts for it.
 */
import { type ItemValue, type LocalizableString, Model, type Question } from 'survey-core';
import { jsonCopy } from './definition.ts';

/** By language. */
export type Texts = Record<string, string>;

export interface CountableChoice {
  /** As text, as the export writes it. */
  value: string;
  title: Texts;
}

export interface Countable {
  /** Under which the answers hold it. */
  key: string;
  title: Texts;
  /** SEVERAL: each choice is counted by itself. */
  kind: 'CATEGORY' | 'NUMBER' | 'SEVERAL';
  choices: CountableChoice[];
  /** Answers that are none: the form library's own "refuse" and "don't know". */
  missing: string[];
}

/** What survey-core's classes have and its base class does not declare. */
type Loose = Question & {
  choices: ItemValue[] | undefined;
  visibleChoices: ItemValue[] | undefined;
  visibleRateValues: ItemValue[] | undefined;
  choicesFromQuestion: string;
  valueTrue: unknown;
  valueFalse: unknown;
  locLabelTrue: LocalizableString;
  locLabelFalse: LocalizableString;
  multiSelect: boolean;
  sliderType: string;
  refuseItem: ItemValue | undefined;
  dontKnowItem: ItemValue | undefined;
  selectAllItem: ItemValue | undefined;
};

type Told = (text: LocalizableString) => Texts;

/** In the order of the questions. */
export function countablesIn(definition: object): Countable[] {
  const model = new Model(jsonCopy(definition));
  const used = model.getUsedLocales();
  const languages = used.length > 0 ? used : [model.locale || 'en'];
  const told: Told = (text) =>
    Object.fromEntries(
      languages.map((language) => [
        language,
        text.getLocaleText(language) || text.getLocaleText('default') || text.textOrHtml,
      ]),
    );
  const found = new Map<string, Countable>();
  for (const question of model.getAllQuestions() as Loose[]) {
    const source = question.choicesFromQuestion
      ? (model.getQuestionByName(question.choicesFromQuestion) as Loose | null)
      : null;
    const made = countable(question, source, told);
    const before = made && found.get(made.key);
    if (made && !before) found.set(made.key, made);
    // Several questions may write under one key.
    else if (made && before?.kind === made.kind) {
      before.choices = united(before.choices, made.choices);
      before.missing = [...new Set([...before.missing, ...made.missing])];
    }
  }
  return [...found.values()];
}

export function united(some: CountableChoice[], more: CountableChoice[]): CountableChoice[] {
  const known = new Set(some.map(({ value }) => value));
  return [...some, ...more.filter(({ value }) => !known.has(value))];
}

function countable(question: Loose, source: Loose | null, told: Told): Countable | null {
  const about = { key: question.getValueName(), title: told(question.locTitle) };
  const number = { ...about, kind: 'NUMBER' as const, choices: [], missing: [] };
  const offered = [
    ...(question.choices ?? []),
    ...(source?.choices ?? []),
    ...(question.visibleChoices ?? question.visibleRateValues ?? []),
  ];
  const choice = (kind: Countable['kind']): Countable => ({
    ...about,
    kind,
    ...choicesOf(offered, question, told),
  });
  switch (question.getType()) {
    case 'radiogroup':
    case 'dropdown':
    case 'buttongroup':
      return choice('CATEGORY');
    case 'checkbox':
    case 'tagbox':
      return choice('SEVERAL');
    case 'imagepicker':
      return choice(question.multiSelect ? 'SEVERAL' : 'CATEGORY');
    case 'boolean':
      return { ...about, kind: 'CATEGORY', choices: yesAndNo(question, told), missing: [] };
    case 'rating':
      return offered.every((item) => isNumber(item.value)) ? number : choice('CATEGORY');
    case 'slider':
      return question.sliderType === 'single' ? number : null;
    case 'text':
      return ['number', 'range'].includes(String(question.inputType)) ? number : null;
    default:
      return null;
  }
}

const isNumber = (value: unknown) => value !== '' && Number.isFinite(Number(value));

function choicesOf(offered: ItemValue[], question: Loose, told: Told) {
  const { refuseItem, dontKnowItem, selectAllItem } = question;
  const choices: CountableChoice[] = [];
  const missing: string[] = [];
  for (const item of offered) {
    const value = String(item.value);
    // By what they are and not by their values, which an author may give to a choice of the own.
    if (item === refuseItem || item === dontKnowItem) missing.push(value);
    else if (item !== selectAllItem && !choices.some((one) => one.value === value))
      choices.push({ value, title: told(item.locText) });
  }
  return { choices, missing: missing.filter((value) => !choices.some((one) => one.value === value)) };
}

function yesAndNo(question: Loose, told: Told): CountableChoice[] {
  const { valueTrue, valueFalse, locLabelTrue, locLabelFalse } = question;
  return [
    { value: String(valueTrue ?? true), title: told(locLabelTrue) },
    { value: String(valueFalse ?? false), title: told(locLabelFalse) },
  ];
}
