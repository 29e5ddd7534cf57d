/** Imports `constraint` as bounds, patterns and validators. Browser-safe. */

import type { TextOrTranslations } from '../languages.ts';
import { wholeNumberMessage, wholeNumberRule } from '../row-types.ts';
import type { ExpressionScope } from '../xpath/rule-scope.ts';
import { conditionFromXPath } from '../xpath/to-survey.ts';
import { operandsOf, type XPathNode } from '../xpath/xpath.ts';
import type { JsonObject, XlsformImportContext } from './import-context.ts';
import type { SheetRow } from './table.ts';

export interface ConstrainedQuestion {
  name: string;
  kind: 'number' | 'integer' | 'date' | 'text' | 'many' | 'other';
  scope: ExpressionScope;
}

const isSelf = (node: XPathNode | undefined, { name }: ConstrainedQuestion) =>
  node?.is === 'self' || (node?.is === 'name' && node.name === name);

/** Adds the constraint to the question; returns the exclusive choices. */
export function addConstraint(
  reading: XlsformImportContext,
  row: SheetRow,
  question: JsonObject,
  constrained: ConstrainedQuestion,
): Set<string> {
  const exclusiveNames = new Set<string>();
  const validators: JsonObject[] = [];
  if (constrained.kind === 'integer')
    validators.push({
      type: 'expression',
      expression: wholeNumberRule(constrained.name),
      text: wholeNumberMessage(reading.languages),
    });
  const message = reading.words(row, 'constraint_message', constrained.scope);
  const text = row.take('constraint');
  const node = text === '' ? null : reading.node(row, 'constraint', text);
  const rest: XPathNode[] = [];
  let isSaid = node === null;
  for (const part of node ? operandsOf(node, 'and') : []) {
    const special = exclusiveChoiceIn(part, constrained) ?? null;
    if (special !== null) exclusiveNames.add(special);
    else if (addBound(question, part, constrained, message))
      isSaid ||= 'min' in question || 'max' in question;
    else if (limitByToday(part, constrained) !== null) {
      const { op, days } = limitByToday(part, constrained) ?? { op: '<=', days: 0 };
      if (days === 0) reading.tell(row, 'DAY_MORE', { column: 'constraint' });
      const expression = `{${constrained.name}} empty or {${constrained.name}} ${op} dateAdd(today(), ${days || 1}, 'days')`;
      const limit = { type: 'expression', expression: withPanelPrefix(expression, constrained) };
      validators.push({ ...limit, ...(message && { text: message }) });
      isSaid = true;
    } else {
      const pattern = patternOf(part, constrained);
      if (pattern === null) rest.push(part);
      else {
        validators.push({ type: 'regex', regex: pattern, ...(message && { text: message }) });
        isSaid = true;
      }
    }
  }
  const [first, ...others] = rest;
  if (first) {
    const whole = others.reduce(
      (left, right): XPathNode => ({ is: 'binary', op: 'and', left, right }),
      first,
    );
    const check = reading.said(row, 'constraint', () =>
      conditionFromXPath(whole, { ...constrained.scope, answered: constrained.name }),
    );
    // XLSForm never checks a constraint without an answer.
    const expression =
      check && `{${constrained.name}} empty or ${/ (or|and) /.test(check) ? `(${check})` : check}`;
    if (expression)
      validators.push({
        type: 'expression',
        expression: withPanelPrefix(expression, constrained),
        ...(message && { text: message }),
      });
    isSaid = true;
  }
  if (message !== undefined && !isSaid) reading.tell(row, 'MESSAGE_UNUSED');
  if (validators.length > 0)
    question.validators = validators.map((one) =>
      one.expression === wholeNumberRule(constrained.name)
        ? { ...one, expression: withPanelPrefix(String(one.expression), constrained) }
        : one,
    );
  return exclusiveNames;
}

const withPanelPrefix = (expression: string, { name, scope }: ConstrainedQuestion) =>
  scope.repeat === null ? expression : expression.replaceAll(`{${name}}`, `{panel.${name}}`);

/** `not(selected(., 'none') and count-selected(.) > 1)`: an exclusive choice. */
function exclusiveChoiceIn(node: XPathNode, constrained: ConstrainedQuestion): string | null {
  if (constrained.kind !== 'many' || node.is !== 'call' || node.name !== 'not') return null;
  const [inner] = node.args;
  if (inner?.is !== 'binary' || inner.op !== 'and') return null;
  const [selected, countedNode] =
    inner.left.is === 'call' ? [inner.left, inner.right] : [inner.right, inner.left];
  const [self, choice] = selected.is === 'call' && selected.name === 'selected' ? selected.args : [];
  const isMore =
    countedNode.is === 'binary' &&
    ((countedNode.op === '>' && isNumber(countedNode.right, 1)) ||
      (countedNode.op === '>=' && isNumber(countedNode.right, 2))) &&
    counts('count-selected', countedNode.left, constrained);
  return isMore && isSelf(self, constrained) && choice?.is === 'text' ? choice.value : null;
}

const isNumber = (node: XPathNode, value: number) => node.is === 'number' && node.value === value;
const counts = (name: string, node: XPathNode, constrained: ConstrainedQuestion) =>
  node.is === 'call' && node.name === name && isSelf(node.args[0], constrained);

const MIRRORED_OPERATORS: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function addBound(
  question: JsonObject,
  node: XPathNode,
  constrained: ConstrainedQuestion,
  message: TextOrTranslations | undefined,
): boolean {
  if (node.is !== 'binary' || !(node.op in MIRRORED_OPERATORS)) return false;
  const isTurned = limitOf(node.left) !== null;
  const [subject, limited] = isTurned ? [node.right, node.left] : [node.left, node.right];
  const op = isTurned ? (MIRRORED_OPERATORS[node.op] ?? '') : node.op;
  const limit = limitOf(limited);
  if (limit === null) return false;
  const set = (key: string) => {
    if (key in question) return false;
    question[key] = limit;
    return true;
  };
  const isDate = constrained.kind === 'date';
  if (
    isSelf(subject, constrained) &&
    (isDate || constrained.kind === 'number' || constrained.kind === 'integer')
  ) {
    if (typeof limit !== (isDate ? 'string' : 'number') || !['>=', '<='].includes(op)) return false;
    const key = op === '>=' ? 'min' : 'max';
    if (!set(key)) return false;
    if (message !== undefined) question[`${key}ErrorText`] = message;
    return true;
  }
  if (typeof limit !== 'number') return false;
  if (constrained.kind === 'text' && counts('string-length', subject, constrained))
    return op === '<=' && set('maxLength');
  if (constrained.kind !== 'many' || !counts('count-selected', subject, constrained)) return false;
  if (op === '<=') return set('maxSelectedChoices');
  return op === '>=' && limit > 0 && set('minSelectedChoices');
}

/** A number, or a date as `date('2020-01-01')`. */
function limitOf(node: XPathNode): number | string | null {
  if (node.is === 'number') return node.value;
  const [day] = node.is === 'call' && node.name === 'date' ? node.args : [];
  return day?.is === 'text' && /^\d{4}-\d\d-\d\d$/.test(day.value) ? day.value : null;
}

/**
 * `. <= today() + 7`: the latest date. Where the service validates it, the day may not have begun yet, so one more day
 * is allowed. An earliest date passes in the meantime, so it can't be validated like this.
 */
function limitByToday(
  node: XPathNode,
  constrained: ConstrainedQuestion,
): { op: string; days: number } | null {
  if (constrained.kind !== 'date' || node.is !== 'binary' || !isSelf(node.left, constrained)) return null;
  const { op, right } = node;
  const [day, days] =
    right.is === 'binary' && right.op === '+' && right.right.is === 'number'
      ? [right.left, right.right.value]
      : [right, 0];
  const isToday = day.is === 'call' && ['today', 'now'].includes(day.name) && day.args.length === 0;
  return isToday && (op === '<=' || op === '<') && Number.isInteger(days) && days >= 0 ? { op, days } : null;
}

/** In XLSForm a pattern must match the whole answer. */
function patternOf(node: XPathNode, constrained: ConstrainedQuestion): string | null {
  if (constrained.kind !== 'text' || node.is !== 'call' || node.name !== 'regex') return null;
  const [self, pattern] = node.args;
  if (!isSelf(self, constrained) || pattern?.is !== 'text') return null;
  return /^\^.*\$$/s.test(pattern.value) ? pattern.value : `^(?:${pattern.value})$`;
}
