/**
 * The question types and the shape of their answers, in one table. Everything else follows from it: validation
 * (check-values.ts), what can be counted, the columns of the export, and sample answers for trying out a form.
 */
import type { ItemValue, LocalizableString, PanelModel, Question, SurveyModel } from 'survey-core';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';

/** What survey-core's classes have and its base class does not declare. */
export type AnyQuestion = Question & {
  inputType: string;
  choices: ItemValue[] | undefined;
  visibleChoices: ItemValue[] | undefined;
  visibleRateValues: ItemValue[] | undefined;
  choicesFromQuestion: string;
  visibleRows: { value: unknown; rowName: unknown; questions: Question[] }[];
  rows: ItemValue[];
  columns: (ItemValue & { name: string; templateQuestion: Question })[];
  areas: ItemValue[];
  items: { name: string; editor: Question; locTitle: LocalizableString }[];
  template: PanelModel;
  panels: PanelModel[];
  cellType: string;
  sliderType: string;
  multiSelect: boolean;
  maxSelectedChoices: number;
  allowCustomChoices: boolean;
  maskType: string;
  maskSettings: { saveMaskedValue?: boolean } | undefined;
  valuePropertyName: string;
  valueTrue: unknown;
  valueFalse: unknown;
  locLabelTrue: LocalizableString;
  locLabelFalse: LocalizableString;
  locMinRateDescription: LocalizableString;
  locMaxRateDescription: LocalizableString;
  refuseItem: ItemValue | undefined;
  dontKnowItem: ItemValue | undefined;
  selectAllItem: ItemValue | undefined;
  getMaxLength(): number | null;
  /** Whether words for "other" are kept apart from the answer. */
  getStoreOthersAsComment(): boolean;
};

export type AnswerForm =
  | 'words'
  | 'number'
  | 'numbers'
  | 'yes or no'
  /** One of the choices; some of them; all of them in an order. */
  | 'choice'
  | 'choices'
  | 'order'
  | 'rate'
  | 'area'
  | 'areas'
  /** A line of words under each name. */
  | 'lines'
  /** One of the columns; one or some of them for each row. */
  | 'column'
  | 'columns'
  /** Questions under the name of each row; in a list of rows; in a list of panels. */
  | 'rows'
  | 'row list'
  | 'panels'
  /** What the questionnaire works out by itself. */
  | 'computed';

const FORMS: Readonly<Record<string, AnswerForm | ((question: AnyQuestion) => AnswerForm)>> = {
  text: (question) => (isNumeric(question) ? 'number' : 'words'),
  comment: 'words',
  radiogroup: 'choice',
  dropdown: 'choice',
  buttongroup: 'choice',
  imagepicker: ({ multiSelect }) => (multiSelect ? 'choices' : 'choice'),
  checkbox: 'choices',
  tagbox: 'choices',
  ranking: 'order',
  boolean: 'yes or no',
  rating: 'rate',
  slider: ({ sliderType }) => (sliderType === 'single' ? 'number' : 'numbers'),
  imagemap: ({ multiSelect }) => (multiSelect ? 'areas' : 'area'),
  matrix: ({ rows }) => (rows.length === 0 ? 'column' : 'columns'),
  multipletext: 'lines',
  expression: 'computed',
  matrixdropdown: 'rows',
  matrixdynamic: 'row list',
  paneldynamic: 'panels',
};

/** A line whose answer is a number: the library stores the number also where a mask shows it with separators. */
export const isNumeric = ({ inputType, maskType, maskSettings }: AnyQuestion): boolean =>
  inputType === 'number' ||
  inputType === 'range' ||
  (['numeric', 'currency'].includes(maskType) && !maskSettings?.saveMaskedValue);

/** Null where answers to this kind of question are not kept. */
export function answerFormOf(question: Question): AnswerForm | null {
  const type = question.getType();
  const form = Object.hasOwn(FORMS, type) ? FORMS[type] : null;
  return typeof form === 'function' ? form(question as AnyQuestion) : (form ?? null);
}

/**
 * All that can be chosen: hidden choices too, and those of the question that they are taken from, which may take them from
 * another one. Some come twice.
 */
export function choicesOffered(question: AnyQuestion, model: SurveyModel): ItemValue[] {
  const chain = new Set([question]);
  for (const { choicesFromQuestion } of chain) {
    const source = choicesFromQuestion && model.getQuestionByName(choicesFromQuestion);
    if (source) chain.add(source as AnyQuestion);
  }
  const own = [...chain].flatMap(({ choices }) => choices ?? []);
  return [...own, ...(question.visibleChoices ?? question.visibleRateValues ?? [])];
}

/** One of several choices as it is kept: its value, or an object with the value under `property`. */
export const choiceValueOf = (item: unknown, property: string | undefined): unknown =>
  property && isPlainObject(item) ? item[property] : item;

/** Where each of several choices is kept as an object, the key of its value there. */
export const valueKeyOf = ({ valuePropertyName }: AnyQuestion): { property?: string } =>
  valuePropertyName ? { property: valuePropertyName } : {};
