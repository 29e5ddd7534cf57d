/**
 * The question types and the shape of their answers, in one table. Everything else follows from it: validation
 * (check-values.ts), what can be counted, the columns of the export, and sample answers for trying out a form.
 */
import type { ItemValue, LocalizableString, PanelModel, Question, SurveyModel } from 'survey-core';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';

/** Members of survey-core's subclasses that its base class doesn't declare. */
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
  /** Whether the text for "other" is stored separately from the answer. */
  getStoreOthersAsComment(): boolean;
};

export type AnswerValueKind =
  | 'words'
  | 'number'
  | 'numbers'
  | 'yes or no'
  /** One choice; several choices; all choices in order. */
  | 'choice'
  | 'choices'
  | 'order'
  | 'rate'
  | 'area'
  | 'areas'
  /** A text for each name. */
  | 'lines'
  /** One column; one or several columns for each row. */
  | 'column'
  | 'columns'
  /** Questions under each row's name; in a list of rows; in a list of panels. */
  | 'rows'
  | 'row list'
  | 'panels'
  /** Calculated by the questionnaire. */
  | 'computed';

const FORMS: Readonly<Record<string, AnswerValueKind | ((question: AnyQuestion) => AnswerValueKind)>> = {
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

/** A text input whose answer is a number. The library also stores the number if a mask shows it with separators. */
export const isNumeric = ({ inputType, maskType, maskSettings }: AnyQuestion): boolean =>
  inputType === 'number' ||
  inputType === 'range' ||
  (['numeric', 'currency'].includes(maskType) && !maskSettings?.saveMaskedValue);

/** Null if answers to this type of question are not stored. */
export function answerFormOf(question: Question): AnswerValueKind | null {
  const type = question.getType();
  const form = Object.hasOwn(FORMS, type) ? FORMS[type] : null;
  return typeof form === 'function' ? form(question as AnyQuestion) : (form ?? null);
}

/**
 * All possible choices, including hidden ones and those taken from another question, directly or through further
 * questions. May contain duplicates.
 */
export function allPossibleChoicesOf(question: AnyQuestion, model: SurveyModel): ItemValue[] {
  const chain = new Set([question]);
  for (const { choicesFromQuestion } of chain) {
    const source = choicesFromQuestion && model.getQuestionByName(choicesFromQuestion);
    if (source) chain.add(source as AnyQuestion);
  }
  const own = [...chain].flatMap(({ choices }) => choices ?? []);
  return [...own, ...(question.visibleChoices ?? question.visibleRateValues ?? [])];
}

/** A stored choice's value: the item itself, or its `property` if it is an object. */
export const choiceValueOf = (item: unknown, property: string | undefined): unknown =>
  property && isPlainObject(item) ? item[property] : item;

/** If choices are stored as objects, the key of the value. */
export const choiceValueProperty = ({ valuePropertyName }: AnyQuestion): { property?: string } =>
  valuePropertyName ? { property: valuePropertyName } : {};
