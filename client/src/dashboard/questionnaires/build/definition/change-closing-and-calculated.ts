/** Changes parts of the whole questionnaire: title, closing texts, and calculated values. */
import { ConditionsParser, type Operand } from 'survey-core';
import { type JsonObject, moveItem, numberedName } from '../../element-paths.ts';
import {
  calculatedIn,
  closingTextsOf,
  type ExpressionListName,
  entriesOfExpressionList,
} from './closing-and-calculated.ts';
import {
  replaceName,
  unusedName,
  usedNamesIn,
  type VersionContent,
  withNameReplaced,
} from './element-names.ts';
import { withTextInLanguage } from './element-texts.ts';
import type { AnswerKind } from './question-kinds.ts';

/** Removes the property if the list is empty. */
function withList(definition: object, list: ExpressionListName, entries: JsonObject[]): object {
  const { [list]: before, ...rest } = definition as JsonObject;
  if (entries.length === 0) return rest;
  return before === undefined ? { ...rest, [list]: entries } : { ...definition, [list]: entries };
}

export function withExpressionEntryChanged(
  definition: object,
  list: ExpressionListName,
  index: number,
  change: JsonObject,
): object {
  const entries = entriesOfExpressionList(definition, list);
  return withList(definition, list, entries.with(index, { ...entries[index], ...change }));
}

export const withoutExpressionEntry = (definition: object, list: ExpressionListName, index: number): object =>
  withList(definition, list, entriesOfExpressionList(definition, list).toSpliced(index, 1));

export function withEntryMoved(
  definition: object,
  list: ExpressionListName,
  index: number,
  step: -1 | 1,
): object {
  const entries = entriesOfExpressionList(definition, list);
  const after = moveItem(entries, index, index + step);
  return after === entries ? definition : withList(definition, list, after);
}

export const withNewClosingText = (definition: object): object =>
  withList(definition, 'completedHtmlOnCondition', [
    ...entriesOfExpressionList(definition, 'completedHtmlOnCondition'),
    { expression: '', html: '' },
  ]);

export function withClosingText(definition: object, index: number, language: string, text: string): object {
  const html = withTextInLanguage(closingTextsOf(definition)[index]?.html, language, text) ?? '';
  return withExpressionEntryChanged(definition, 'completedHtmlOnCondition', index, { html });
}

export const withNewCalculatedValue = (definition: object): object =>
  withList(definition, 'calculatedValues', [
    ...entriesOfExpressionList(definition, 'calculatedValues'),
    { name: numberedName(usedNamesIn(definition), 'value'), expression: '' },
  ]);

/** Renames a calculated value and all references to it. */
export function renameCalculatedValue(
  work: VersionContent,
  index: number,
  preferredName: string,
): VersionContent {
  const before = calculatedIn(work.definition)[index]?.name ?? '';
  const others = usedNamesIn(work.definition);
  others.delete(before.toLowerCase());
  const name = unusedName(others, preferredName);
  if (preferredName === '' || name === before) return work;
  const renamed = before === '' ? work.definition : replaceName(work.definition, before, name);
  return {
    ...work,
    definition: withExpressionEntryChanged(renamed, 'calculatedValues', index, { name }),
    takesPartIf: before === '' ? work.takesPartIf : withNameReplaced(work.takesPartIf, before, name),
  };
}

const NUMERIC_FUNCTION = /^(sum|min|max|avg|count|round|trunc|age|dateDiff|year|month|day)(InArray)?$/;

/** The type of an expression's result, which decides what conditions can ask about it. */
export function expressionResultKind(expression: string): AnswerKind {
  if (expression.trim() === '') return 'yes or no';
  try {
    const operand = new ConditionsParser().parseExpression(expression) as Operand & {
      isArithmetic?: boolean;
      isConjunction?: boolean;
      functionName?: string;
    };
    if (operand.getType() === 'binary')
      return operand.isArithmetic && !operand.isConjunction ? 'number' : 'yes or no';
    if (operand.getType() === 'unary') return 'yes or no';
    return NUMERIC_FUNCTION.test(operand.functionName ?? '') ? 'number' : 'other';
  } catch {
    return 'other';
  }
}
