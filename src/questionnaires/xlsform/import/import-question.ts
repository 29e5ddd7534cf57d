/** Imports a row of the survey sheet as a SurveyJS question. Browser-safe. */

import {
  isSpecialChoice,
  type QuestionTypeWithoutChoices,
  SPECIAL_CHOICES,
  type XlsformRowType,
} from '../row-types.ts';
import { ALWAYS_FALSE, ALWAYS_TRUE } from '../xpath/precedence.ts';
import type { ExpressionScope, KnownName } from '../xpath/rule-scope.ts';
import type { ImportedChoice, JsonObject, XlsformImportContext } from './import-context.ts';
import { addConstraint, type ConstrainedQuestion } from './import-rules.ts';
import { formatMomentForInput } from './moments.ts';
import { isNo, isYes, type SheetRow } from './table.ts';

type QuestionType = Extract<XlsformRowType, { is: 'list' | 'plain' }>;

/** How rules can use the answer. */
export function importedAnswerKindOf(type: QuestionType): KnownName['kind'] {
  if (type.is === 'list') return type.type === 'select_one' ? 'one' : 'many';
  if (type.type === 'integer' || type.type === 'decimal' || type.type === 'range') return 'number';
  if (type.type === 'acknowledge') return 'many';
  if (type.type === 'calculate') return 'calculated';
  return type.type.startsWith('date') ? 'date' : 'text';
}

/** A date question that only asks for the month or the year. */
export function datePrecisionOf(type: QuestionType, row: SheetRow): Partial<KnownName> {
  if (type.is !== 'plain' || type.type !== 'date') return {};
  const looks = appearancesOf(row);
  if (looks.includes('month-year')) return { isMonth: true };
  return looks.includes('year') ? { kind: 'number' } : {};
}

const INPUTS: Partial<Record<QuestionTypeWithoutChoices, string>> = {
  integer: 'number',
  decimal: 'number',
  date: 'date',
  time: 'time',
  datetime: 'datetime-local',
};

export function questionFromRow(
  reading: XlsformImportContext,
  row: SheetRow,
  type: QuestionType,
  scope: ExpressionScope,
): JsonObject {
  const name = scope.self ?? '';
  const question: JsonObject = { type: 'text', name };
  reading.places.set(question, row.place);
  if (type.is === 'plain' && type.type === 'note') return noteOf(reading, row, question, scope);
  const title = reading.words(row, 'label', scope);
  if (title !== undefined && title !== name) question.title = title;
  const description = reading.explanation(row, scope);
  if (description !== undefined) question.description = description;
  addVisibleIf(reading, row, question, scope);
  const isRange = type.is === 'plain' && type.type === 'range';
  const formula = isRange ? null : formulaOf(reading, row, type, scope);
  const readOnly = row.take('read_only');
  const isReadOnly = isYes(readOnly);
  if (!isReadOnly && !isNo(readOnly)) reading.tell(row, 'CELL_LEFT_OUT', { column: 'read_only' });
  if (formula !== null && isReadOnly && type.is === 'plain')
    return asCalculatedDisplay(row, question, formula);
  addRequired(reading, row, question, scope);
  if (formula !== null) question.setValueExpression = formula;
  else if (isReadOnly && (isRange || row.take('calculation') === '')) question.readOnly = true;
  const looks = appearancesOf(row);
  // It changes how a list looks, and does nothing for other types.
  if (type.is === 'plain') takes(looks, 'minimal');
  const parameters = parametersOf(row.take('parameters'));
  const constrained: ConstrainedQuestion = { name, kind: constraintKindOf(type, looks), scope };
  if (type.is === 'list') addList(reading, row, question, type, looks, parameters, constrained);
  else {
    addPlain(reading, row, question, type.type, looks, parameters);
    addConstraint(reading, row, question, constrained);
  }
  for (const value of looks) reading.tell(row, 'APPEARANCE', { value });
  for (const [key, value] of parameters) reading.tell(row, 'PARAMETER', { value: `${key}=${value}` });
  addDefault(reading, row, question, type, scope);
  return question;
}

export const appearancesOf = (row: SheetRow): string[] =>
  row.take('appearance').toLowerCase().split(/\s+/).filter(Boolean);

function constraintKindOf(type: QuestionType, looks: readonly string[]): ConstrainedQuestion['kind'] {
  if (type.is === 'plain' && type.type === 'date' && looks.includes('year')) return 'integer';
  if (looks.includes('month-year')) return 'other';
  if (type.is === 'list') return type.type === 'select_multiple' ? 'many' : 'other';
  if (type.type === 'integer' || type.type === 'text') return type.type;
  if (type.type === 'decimal') return 'number';
  return type.type === 'date' ? 'date' : 'other';
}

export function addVisibleIf(
  reading: XlsformImportContext,
  row: SheetRow,
  element: JsonObject,
  scope: ExpressionScope,
): void {
  if (['', 'yes', 'true', 'true()'].includes(row.take('relevant').toLowerCase())) return;
  const visibleIf = reading.rule(row, 'relevant', scope);
  if (visibleIf !== null) element.visibleIf = visibleIf;
}

function noteOf(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  scope: ExpressionScope,
): JsonObject {
  question.type = 'html';
  question.html = reading.information(row, scope) ?? '';
  addVisibleIf(reading, row, question, scope);
  row.take('read_only');
  return question;
}

/** The expression that recalculates the answer whenever another answer changes. The interviewer can overwrite it. */
const formulaOf = (
  reading: XlsformImportContext,
  row: SheetRow,
  type: QuestionType,
  scope: ExpressionScope,
) => reading.rule(row, 'calculation', { ...scope, once: mayAskTheDay(type) }, 'value');

/** The form library returns the current date without a time, so it can't fill in a time of day. */
const mayAskTheDay = (type: QuestionType) =>
  type.is === 'plain' && ['date', 'datetime', 'text'].includes(type.type);

/** A calculated value that the interviewer sees but doesn't answer. */
function asCalculatedDisplay(row: SheetRow, question: JsonObject, expression: string): JsonObject {
  row.take('required');
  row.take('appearance');
  return { ...question, type: 'expression', expression };
}

function addRequired(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  scope: ExpressionScope,
): void {
  const text = row.take('required');
  if (isYes(text)) question.isRequired = true;
  else if (!isNo(text)) {
    const requiredIf = reading.rule(row, 'required', scope);
    if (requiredIf !== null) question.requiredIf = requiredIf;
  }
  const message = reading.words(row, 'required_message', scope);
  if (message !== undefined) question.requiredErrorText = message;
}

function parametersOf(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)\s*=\s*([^\s,;]+)/g)];
  return new Map(pairs.map(([, key = '', value = '']) => [key.toLowerCase(), value]));
}

/** Marks an appearance as handled, so that it isn't reported. */
function takes(looks: string[], ...names: string[]): boolean {
  const at = looks.findIndex((look) => names.includes(look));
  if (at >= 0) looks.splice(at, 1);
  return at >= 0;
}

function addPlain(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  type: QuestionTypeWithoutChoices,
  looks: string[],
  parameters: Map<string, string>,
): void {
  const { name } = question as { name: string };
  const input = INPUTS[type];
  if (input) question.inputType = input;
  if (type === 'date' && takes(looks, 'month-year')) question.inputType = 'month';
  if (type === 'date' && takes(looks, 'year')) {
    question.inputType = 'number';
    reading.tell(row, 'TYPE_AS', { name, from: 'date', to: 'integer' });
  }
  if (type === 'text' && takes(looks, 'multiline')) question.type = 'comment';
  if (type === 'barcode') reading.tell(row, 'TYPE_AS', { name, from: type, to: 'text' });
  if (type === 'range') addRange(reading, row, question, looks, parameters);
  if (type !== 'acknowledge') return;
  reading.tell(row, 'TYPE_AS', { name, from: type, to: 'select_multiple' });
  Object.assign(question, { type: 'checkbox', choices: ['OK'] });
}

function addRange(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  looks: string[],
  parameters: Map<string, string>,
): void {
  const isRating = takes(looks, 'rating');
  const standard = isRating ? { start: 1, end: 5, step: 1 } : { start: 0, end: 100, step: 1 };
  const keys = isRating
    ? { start: 'rateMin', end: 'rateMax', step: 'rateStep' }
    : { start: 'min', end: 'max', step: 'step' };
  question.type = isRating ? 'rating' : 'slider';
  for (const [parameter, key] of Object.entries(keys) as [keyof typeof keys, string][]) {
    const value = Number(parameters.get(parameter) ?? { start: 1, end: 10, step: 1 }[parameter]);
    if (!Number.isFinite(value)) continue;
    parameters.delete(parameter);
    if (value !== standard[parameter]) question[key] = value;
  }
  if (row.take('calculation') !== '') reading.tell(row, 'CELL_LEFT_OUT', { column: 'calculation' });
}

const TYPES = { select_one: 'radiogroup', select_multiple: 'checkbox', rank: 'ranking' } as const;

function addList(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  type: Extract<QuestionType, { is: 'list' }>,
  looks: string[],
  parameters: Map<string, string>,
  constrained: ConstrainedQuestion,
): void {
  question.type = TYPES[type.type];
  if (type.type !== 'rank') addColumns(question, type.type === 'select_one', looks);
  if (/^(true|yes|1)/i.test(parameters.get('randomize') ?? '') && parameters.delete('randomize'))
    question.choicesOrder = 'random';
  const exclusiveNames = addConstraint(reading, row, question, constrained);
  const filter = row.take('choice_filter');
  for (const [word] of filter.matchAll(/[\p{L}_][\p{L}\p{N}_.-]*/gu))
    reading.filterColumns.add(word.toLowerCase());
  const choices = (reading.lists.get(type.list) ?? []).flatMap((choice) => {
    const isExclusive = exclusiveNames.has(choice.name);
    if (
      isSpecialChoice(choice.name) &&
      filter === '' &&
      (type.type === 'select_one' ? choice.name !== 'none' : isExclusive)
    ) {
      const { show, text, words } = SPECIAL_CHOICES[choice.name];
      question[show] = true;
      const wording = reading.choiceWords(choice, constrained.scope);
      if (wording !== undefined && wording !== words) question[text] = wording;
      return [];
    }
    if (choice.name === 'other' && type.orOther) {
      const text = reading.choiceWords(choice, constrained.scope);
      if (text !== undefined) question.otherText = text;
      return [];
    }
    const item = importChoice(reading, row, choice, filter, constrained.scope, isExclusive);
    return item === null ? [] : [item];
  });
  reading.usedLists.add(type.list);
  question.choices = choices;
  if (type.orOther) question.showOtherItem = true;
}

/** Null if the filter never shows it. */
export function importChoice(
  reading: XlsformImportContext,
  row: SheetRow,
  choice: ImportedChoice,
  filter: string,
  scope: ExpressionScope,
  isExclusive: boolean,
): JsonObject | string | null {
  const text = reading.choiceWords(choice, scope);
  const rest: JsonObject = {};
  const ways = filter === '' ? [] : conditionsShowing(reading, row, choice, filter, scope);
  if (ways.length > 0 && ways.every((way) => way === ALWAYS_FALSE)) {
    reading.tell(choice.row, 'CHOICE_HIDDEN', { name: choice.name, question: scope.self ?? '' });
    return null;
  }
  const conditions = ways.filter((way) => way !== ALWAYS_FALSE);
  if (conditions.length > 0 && !conditions.includes(ALWAYS_TRUE))
    rest.visibleIf =
      conditions.length === 1
        ? conditions[0]
        : conditions.map((way) => (/ (and|or) /.test(way) ? `(${way})` : way)).join(' or ');
  if (isExclusive) rest.isExclusive = true;
  if ((text === undefined || text === choice.name) && Object.keys(rest).length === 0) return choice.name;
  const item = { value: choice.name, ...(text !== undefined && text !== choice.name && { text }), ...rest };
  reading.places.set(item, choice.row.place);
  return item;
}

/** The conditions that show a choice, one for each of its rows. */
function conditionsShowing(
  reading: XlsformImportContext,
  row: SheetRow,
  choice: ImportedChoice,
  filter: string,
  scope: ExpressionScope,
): string[] {
  const ways = new Set<string>();
  for (const { extra } of [choice.row, ...choice.again]) {
    const empty = reading.choiceColumns.map((column) => [column, ''] as const);
    const columns = new Map([...empty, ['name', choice.name] as const, ...extra]);
    if (!reading.readsFilter(row, filter)) return [];
    const way = reading.expression(row, 'choice_filter', filter, { ...scope, columns }, 'condition');
    if (way === null) reading.refuseFilter(row, filter);
    else ways.add(way);
  }
  return reading.readsFilter(row, filter) ? [...ways] : [];
}

function addColumns(question: JsonObject, isOne: boolean, looks: string[]): void {
  if (takes(looks, 'minimal', 'autocomplete', 'search', 'quick-minimal'))
    question.type = isOne ? 'dropdown' : 'tagbox';
  else if (takes(looks, 'likert', 'columns', 'columns-pack', 'horizontal', 'horizontal-compact', 'compact'))
    question.colCount = 0;
  else {
    const count = Number(
      /^(?:columns|compact)-(\d)$/.exec(looks.find((look) => /^(columns|compact)-\d$/.test(look)) ?? '')?.[1],
    );
    if (count > 0 && takes(looks, `columns-${count}`, `compact-${count}`)) question.colCount = count;
  }
}

const isMoment = (type: QuestionType): type is QuestionType & { type: 'date' | 'time' | 'datetime' } =>
  type.is === 'plain' && ['date', 'time', 'datetime'].includes(type.type);

/** Whether the text of a default looks like a rule. */
const isRule = (text: string) => /\$\{|^[a-z][a-z0-9:-]*\(.*\)$/s.test(text);

function addDefault(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  type: QuestionType,
  scope: ExpressionScope,
): void {
  const text = row.take('default');
  if (text === '') return;
  if (isRule(text)) {
    const once = { ...scope, once: mayAskTheDay(type) };
    const expression = reading.expression(row, 'default', text, once, 'value');
    if (expression !== null) question.defaultValueExpression = expression;
    return;
  }
  const kind = importedAnswerKindOf(type);
  const number = Number(text);
  if (kind === 'number' && !Number.isFinite(number))
    reading.tell(row, 'CELL_LEFT_OUT', { column: 'default' });
  else if (kind === 'number') question.defaultValue = number;
  else if (kind === 'many') question.defaultValue = text.split(/\s+/);
  else question.defaultValue = isMoment(type) ? formatMomentForInput(type.type, text) : text;
}
