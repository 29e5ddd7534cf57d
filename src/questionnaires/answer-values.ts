/**
 * Does a value have the form that its question gives, to the last choice? survey-core clears, cuts or keeps what
 * does not fit without a word, so this is asked of the answers as they were sent.
 */
import type { ItemValue, PanelModel, Question, QuestionMatrixDropdownModelBase } from 'survey-core';
import type { FieldError } from '../http/problem.ts';
import { isPlainObject } from './definition.ts';

const MAX_TEXT = 10_000;
const NUMBER_INPUTS = ['number', 'range'];

/** What survey-core's classes have and its base class does not declare. */
type Loose = Question & {
  inputType: string;
  visibleChoices: ItemValue[];
  visibleRateValues: ItemValue[];
  visibleRows: { value: unknown; rowName: unknown }[];
  rows: ItemValue[];
  columns: ItemValue[];
  areas: ItemValue[];
  items: { name: string; editor: Question }[];
  cellType: string;
  maxSelectedChoices: number;
  allowCustomChoices: boolean;
  storeOthersAsComment: boolean | string;
  multiSelect: boolean;
  valuePropertyName: string;
  valueTrue: unknown;
  valueFalse: unknown;
  sliderType: string;
  getMaxLength(): number | null;
};

type Check = (question: Loose, value: unknown, path: string) => FieldError[];

const fault = (path: string, message: string): FieldError[] => [{ path, message }];

const text: Check = (question, value, path) => {
  if (question.getType() === 'text' && NUMBER_INPUTS.includes(question.inputType)) {
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    return isNumber ? [] : fault(path, 'This must be a number.');
  }
  if (typeof value !== 'string') return fault(path, 'This must be text.');
  const most = Math.min(question.getMaxLength() || MAX_TEXT, MAX_TEXT);
  return value.length <= most ? [] : fault(path, `This can have at most ${most} characters.`);
};

export function checkComment(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return fault(path, 'This must be text.');
  return value.length <= MAX_TEXT ? [] : fault(path, `This can have at most ${MAX_TEXT} characters.`);
}

/** One choice: its value, or `{ value, comment }` where the choice takes a remark. */
function isChoice(question: Loose, choices: ItemValue[], sent: unknown): boolean {
  const hasRemark =
    isPlainObject(sent) && Object.keys(sent).every((key) => key === 'value' || key === 'comment');
  if (hasRemark && (sent.comment === undefined || typeof sent.comment === 'string')) {
    return choices.some((choice) => choice.value === sent.value);
  }
  if (choices.some((choice) => choice.value === sent)) return true;
  // Words of one's own stand in the answer itself where the questionnaire says so.
  const takesWords =
    question.allowCustomChoices ||
    (question.hasOther && [false, 'false'].includes(question.storeOthersAsComment));
  return takesWords && typeof sent === 'string' && sent.length <= MAX_TEXT;
}

const UNKNOWN_CHOICE = 'This is not one of the choices.';

const oneChoice: Check = (question, value, path) =>
  isChoice(question, question.visibleChoices, value) ? [] : fault(path, UNKNOWN_CHOICE);

const someChoices: Check = (question, value, path) => {
  if (!Array.isArray(value)) return fault(path, 'This must be a list of choices.');
  const key = question.valuePropertyName;
  const sent = value.map((item: unknown) => (key && isPlainObject(item) ? item[key] : item));
  const errors = sent.flatMap((item, index) =>
    isChoice(question, question.visibleChoices, item) ? [] : fault(`${path}.${index}`, UNKNOWN_CHOICE),
  );
  if (errors.length > 0) return errors;
  if (new Set(sent).size < sent.length) return fault(path, 'A choice is named twice.');
  const most = question.maxSelectedChoices;
  if (most > 0 && sent.length > most) return fault(path, `At most ${most} choices can be made.`);
  const alone = question.visibleChoices.filter(
    (choice) =>
      (choice as unknown as { isExclusive?: boolean }).isExclusive ||
      ['none', 'refused', 'dontknow'].includes(String(choice.id)),
  );
  const clash = sent.length > 1 && alone.some((choice) => sent.includes(choice.value as unknown));
  return clash ? fault(path, 'One of these choices can only stand alone.') : [];
};

const boolean: Check = (question, value, path) => {
  const allowed: unknown[] = [question.valueTrue ?? true, question.valueFalse ?? false];
  return allowed.includes(value) ? [] : fault(path, `This must be ${allowed.map(String).join(' or ')}.`);
};

const rating: Check = (question, value, path) =>
  question.visibleRateValues.some((rate) => rate.value === value) ? [] : fault(path, UNKNOWN_CHOICE);

const slider: Check = (question, value, path) => {
  const isNumber = (one: unknown) => typeof one === 'number' && Number.isFinite(one);
  if (question.sliderType === 'single') return isNumber(value) ? [] : fault(path, 'This must be a number.');
  const isRange = Array.isArray(value) && value.length <= 10 && value.every(isNumber);
  return isRange ? [] : fault(path, 'This must be a list of numbers.');
};

const imagemap: Check = (question, value, path) => {
  const sent: unknown[] = question.multiSelect && Array.isArray(value) ? value : [value];
  return sent.every((one) => question.areas.some((area) => area.value === one))
    ? []
    : fault(path, UNKNOWN_CHOICE);
};

const matrix: Check = (question, value, path) => {
  if (question.rows.length === 0) {
    return question.columns.some((column) => column.value === value) ? [] : fault(path, UNKNOWN_CHOICE);
  }
  if (!isPlainObject(value)) return fault(path, 'This must be an object with a row for each key.');
  return Object.entries(value).flatMap(([row, sent]) => {
    const at = `${path}.${row}`;
    if (!question.rows.some((one) => String(one.value) === row)) return fault(at, 'There is no such row.');
    const cells: unknown[] = question.cellType === 'checkbox' && Array.isArray(sent) ? sent : [sent];
    const areKnown = cells.every((cell) => question.columns.some((column) => column.value === cell));
    return areKnown ? [] : fault(at, UNKNOWN_CHOICE);
  });
};

const multipletext: Check = (question, value, path) => {
  if (!isPlainObject(value)) return fault(path, 'This must be an object with a line for each key.');
  return Object.entries(value).flatMap(([name, sent]) => {
    const item = question.items.find((one) => one.name === name);
    return item
      ? text(item.editor as Loose, sent, `${path}.${name}`)
      : fault(`${path}.${name}`, 'There is no such line.');
  });
};

/** Computed on the device, perhaps from its clock: kept as it is, as long as it is a plain value. */
const computed: Check = (_question, value, path) => {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= MAX_TEXT;
  return isPlain ? [] : fault(path, 'This must be a plain value.');
};

/** Rows and panels of questions; the questions inside are judged one by one. */
const rowList: Check = (_question, value, path) =>
  Array.isArray(value) && value.every(isPlainObject) ? [] : fault(path, 'This must be a list of objects.');

const rowObject: Check = (_question, value, path) =>
  isPlainObject(value) && Object.values(value).every(isPlainObject)
    ? []
    : fault(path, 'This must be an object with a row for each key.');

const CHECKS: Record<string, Check> = {
  text,
  comment: text,
  radiogroup: oneChoice,
  dropdown: oneChoice,
  buttongroup: oneChoice,
  imagepicker: (question, value, path) =>
    (question.multiSelect ? someChoices : oneChoice)(question, value, path),
  checkbox: someChoices,
  tagbox: someChoices,
  ranking: someChoices,
  boolean,
  rating,
  slider,
  imagemap,
  matrix,
  multipletext,
  expression: computed,
  matrixdynamic: rowList,
  paneldynamic: rowList,
  matrixdropdown: rowObject,
};

/** The value alone, without the questions inside. */
export function checkValue(question: Question, value: unknown, path: string): FieldError[] {
  if (value === null) return fault(path, 'Leave the question out where there is no answer.');
  const check = CHECKS[question.getType()];
  return check
    ? check(question as Loose, value, path)
    : fault(path, 'Answers to this kind of question are not kept.');
}

export interface Nested {
  key: string;
  questions: Question[];
}

/** The panels or rows inside a question as survey-core made them from the answers, each under its key or place. */
export function nestedIn(question: Question): Nested[] | null {
  const type = question.getType();
  if (type === 'paneldynamic') {
    const { panels } = question as unknown as { panels: PanelModel[] };
    return panels.map((panel, index) => ({ key: String(index), questions: panel.questions }));
  }
  if (type !== 'matrixdynamic' && type !== 'matrixdropdown') return null;
  const { visibleRows } = question as unknown as QuestionMatrixDropdownModelBase;
  return visibleRows.map((row, index) => ({
    key: type === 'matrixdynamic' ? String(index) : String(row.rowName),
    questions: row.questions,
  }));
}

/** A text line's own questions: their errors are found on the editor inside. */
export function linesIn(question: Question): { name: string; editor: Question }[] {
  return question.getType() === 'multipletext' ? (question as Loose).items : [];
}
