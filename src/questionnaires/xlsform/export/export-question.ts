/**
 * Exports a SurveyJS question as a row of the survey sheet, and its choices as rows of the choices sheet.
 * Browser-safe.
 */

import { isSpecialChoice, SPECIAL_CHOICES } from '../row-types.ts';
import type { WrittenSheetRow } from '../sheets.ts';
import { exportChoices, type WrittenChoice, xlsformChoiceRenames } from './export-choices.ts';
import type { ExportedElement, XlsformExportContext } from './export-element.ts';
import { asksWholeNumber, constraintOf } from './export-rules.ts';
import { markdownOfHtml } from './html-markdown.ts';

const INPUTS: Record<string, string> = {
  date: 'date',
  month: 'date',
  time: 'time',
  'datetime-local': 'dateTime',
};
const CHOICE_ROWS: Record<string, { type: string; appearance?: string }> = {
  radiogroup: { type: 'select_one' },
  dropdown: { type: 'select_one', appearance: 'minimal' },
  checkbox: { type: 'select_multiple' },
  tagbox: { type: 'select_multiple', appearance: 'minimal' },
  ranking: { type: 'rank' },
};
/** Types exported as another type. This is reported, since importing the file won't restore them. */
const AS_LIST = ['boolean', 'buttongroup'];

/** Null if the question type has no counterpart. */
export function exportQuestion(
  writing: XlsformExportContext,
  element: ExportedElement,
): WrittenSheetRow | null {
  const type = String(element.json.type);
  if (type === 'html') return noteOf(element);
  const row = kindOf(writing, element, type);
  if (!row) {
    element.tell('KIND_LEFT_OUT', { kind: type });
    return null;
  }
  const title = element.takeWords('title');
  const described = { hint: element.takeWords('description'), relevant: element.takeRule('visibleIf') };
  const { required, ...demands } = requiredColumns(element);
  element.tellRest();
  return { name: element.name, label: title ?? element.name, ...described, required, ...demands, ...row };
}

function noteOf(element: ExportedElement): WrittenSheetRow {
  const label = element.takeWords('html', markdownOfHtml);
  const relevant = element.takeRule('visibleIf');
  element.tellRest();
  return { type: 'note', name: element.name, label, relevant };
}

function requiredColumns(element: ExportedElement): WrittenSheetRow {
  const isRequired = element.takeFlag('isRequired');
  const requiredIf = element.takeRule('requiredIf');
  const isReadOnly = element.takeFlag('readOnly');
  if (isReadOnly && typeof element.json.setValueExpression === 'string')
    element.tell('KIND_AS', { kind: String(element.json.type), type: 'expression' });
  return {
    required: requiredIf ?? (isRequired ? 'yes' : undefined),
    required_message: element.takeWords('requiredErrorText'),
    read_only: isReadOnly ? 'yes' : undefined,
    calculation: element.takeRule('setValueExpression'),
    default: defaultOf(element),
  };
}

function defaultOf(element: ExportedElement): string | undefined {
  const { defaultValue: value, type } = element.json;
  const renames = xlsformChoiceRenames(element.json);
  const newNameOf = (one: unknown) => renames.get(String(one)) ?? String(one);
  if (typeof value === 'string' || typeof value === 'number') {
    if (typeof value === 'string' && /\$\{|^[a-z][a-z0-9:-]*\(.*\)$/s.test(value)) return undefined;
    return newNameOf(element.take('defaultValue'));
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string') && type !== 'ranking') {
    element.take('defaultValue');
    return value.map(newNameOf).join(' ');
  }
  return element.takeRule('defaultValueExpression');
}

function kindOf(
  writing: XlsformExportContext,
  element: ExportedElement,
  type: string,
): WrittenSheetRow | null {
  const list = CHOICE_ROWS[type];
  if (list) return listRow(writing, element, list);
  if (type === 'text') return textRow(element);
  if (type === 'comment') return { type: 'text', appearance: 'multiline', ...constraintOf(element) };
  if (type === 'slider' && (element.json.sliderType ?? 'single') === 'single')
    return rangeRow(element, 'slider');
  if (type === 'rating' && element.json.rateValues === undefined) return rangeRow(element, 'rating');
  if (AS_LIST.includes(type)) return asList(writing, element, type);
  if (type === 'expression')
    return { type: 'text', calculation: element.takeRule('expression'), read_only: 'yes' };
  return null;
}

function textRow(element: ExportedElement): WrittenSheetRow {
  const { inputType = 'text' } = element.json;
  const type = INPUTS[String(inputType)];
  if (inputType === 'number') {
    element.take('inputType');
    return { type: asksWholeNumber(element) ? 'integer' : 'decimal', ...constraintOf(element) };
  }
  if (type || inputType === 'text') element.take('inputType');
  const appearance = inputType === 'month' ? 'month-year' : undefined;
  return { type: type ?? 'text', appearance, ...constraintOf(element) };
}

function rangeRow(element: ExportedElement, kind: 'slider' | 'rating'): WrittenSheetRow {
  const isRating = kind === 'rating';
  element.take('sliderType');
  const start = element.takeNumber(isRating ? 'rateMin' : 'min') ?? (isRating ? 1 : 0);
  const last = element.takeNumber(isRating ? 'rateMax' : 'max') ?? element.takeNumber('rateCount');
  const step = element.takeNumber(isRating ? 'rateStep' : 'step') ?? 1;
  const end = last ?? (isRating ? 5 : 100);
  return {
    type: 'range',
    parameters: `start=${start} end=${end} step=${step}`,
    appearance: isRating ? 'rating' : undefined,
  };
}

function asList(writing: XlsformExportContext, element: ExportedElement, kind: string): WrittenSheetRow {
  element.tell('KIND_AS', { kind, type: 'select_one' });
  if (kind !== 'boolean') return listRow(writing, element, { type: 'select_one' });
  const choices = [
    { name: 'true', label: element.takeWords('labelTrue') ?? 'Yes' },
    { name: 'false', label: element.takeWords('labelFalse') ?? 'No' },
  ];
  return { type: `select_one ${listNamed(writing, element, choices)}` };
}

function listRow(
  writing: XlsformExportContext,
  element: ExportedElement,
  { type, appearance }: { type: string; appearance?: string },
): WrittenSheetRow {
  const { json } = element;
  const isMany = type === 'select_multiple';
  const exclusive: string[] = [];
  const { choices, filter } = exportChoices(writing, element, exclusive);
  for (const name of Object.keys(SPECIAL_CHOICES).filter(isSpecialChoice)) {
    const { show, text, words } = SPECIAL_CHOICES[name];
    // In single-choice questions, XLSForm treats "none" like any other choice.
    if (type === 'rank' || !element.takeFlag(show)) continue;
    choices.push({ name, label: element.takeWords(text) ?? words });
    if (isMany) exclusive.push(name);
    if (!isMany && name === 'none') element.tell('PROPERTY_LEFT_OUT', { property: show });
  }
  const hasOther = type !== 'rank' && element.takeFlag('showOtherItem');
  const otherText = hasOther ? element.takeWords('otherText') : undefined;
  if (hasOther && otherText !== undefined) choices.push({ name: 'other', label: otherText });
  const isRandom = json.choicesOrder === 'random' && element.take('choicesOrder') === 'random';
  return {
    type: `${type} ${listNamed(writing, element, choices)}${hasOther ? ' or_other' : ''}`,
    appearance: appearance ?? columnsOf(element, isMany),
    choice_filter: filter,
    parameters: isRandom ? 'randomize=true' : undefined,
    ...constraintOf(element, isMany ? exclusive : []),
  };
}

function columnsOf(element: ExportedElement, isMany: boolean): string | undefined {
  if (!['radiogroup', 'checkbox'].includes(String(element.json.type))) return undefined;
  const count = element.takeNumber('colCount') ?? 1;
  if (count === 0) return isMany ? 'columns-pack' : 'likert';
  return count > 1 ? `columns-${count}` : undefined;
}

/** Identical lists are written once. */
function listNamed(
  writing: XlsformExportContext,
  element: ExportedElement,
  choices: WrittenChoice[],
): string {
  const key = JSON.stringify(choices);
  const listName = writing.lists.get(key);
  if (listName) return listName;
  writing.lists.set(key, element.name);
  for (const choice of choices) writing.sheets.choices.push({ list_name: element.name, ...choice });
  return element.name;
}
