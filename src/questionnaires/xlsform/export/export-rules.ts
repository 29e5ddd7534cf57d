/** Exports a question's validators as one constraint with one message. Browser-safe. */

import { isDeepEqual } from '../../../platform/lib/objects/deep-equal.ts';
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import type { TextOrTranslations } from '../languages.ts';
import { isWholeNumberMessage, wholeNumberRule } from '../row-types.ts';
import { arrayOrEmpty, type ExportedElement, type JsonObject } from './export-element.ts';

export interface Constraint {
  constraint?: string | undefined;
  constraint_message?: TextOrTranslations | undefined;
}

interface Parts {
  rules: string[];
  messages: TextOrTranslations[];
}

/** Whether a validator requires a whole number, so that the type is integer. */
export function asksWholeNumber({ json }: ExportedElement): boolean {
  return arrayOrEmpty(json.validators).some(
    (one) => isPlainObject(one) && isWholeCheck(one, String(json.name)),
  );
}

const plain = (expression: unknown) => String(expression).replace(/\s+/g, ' ').replaceAll('{panel.', '{');

const isWholeCheck = (validator: JsonObject, name: string) =>
  validator.type === 'expression' &&
  plain(validator.expression) === wholeNumberRule(name) &&
  (validator.notificationType === undefined || validator.notificationType === 'error');

/** `exclusive`: choices that can't be combined with others. */
export function constraintOf(element: ExportedElement, exclusive: string[] = []): Constraint {
  const { json } = element;
  const parts: Parts = { rules: [], messages: [] };
  const { type, inputType } = json;
  if (type === 'text' && (inputType === 'number' || inputType === 'date')) {
    addLimit(element, parts, 'min', '>=');
    addLimit(element, parts, 'max', '<=');
  }
  const isText = type === 'comment' || (type === 'text' && (inputType ?? 'text') === 'text');
  if (isText) addSize(element, parts, 'maxLength', 'string-length(.) <=');
  if (type === 'checkbox' || type === 'tagbox') {
    addSize(element, parts, 'minSelectedChoices', 'count-selected(.) >=');
    addSize(element, parts, 'maxSelectedChoices', 'count-selected(.) <=');
  }
  for (const name of exclusive) parts.rules.push(`not(selected(., '${name}') and count-selected(.) > 1)`);
  addChecks(element, parts, isText);
  const [message, ...others] = parts.messages;
  if (others.some((one) => !isDeepEqual(one, message))) element.tell('MESSAGES_ONE');
  const whole =
    parts.rules.length > 1
      ? parts.rules.map((rule) => (rule.includes(' or ') ? `(${rule})` : rule)).join(' and ')
      : parts.rules[0];
  return { constraint: whole, constraint_message: message };
}

function addLimit(
  element: ExportedElement,
  { rules, messages }: Parts,
  key: 'min' | 'max',
  sign: string,
): void {
  const limit = element.json[key];
  const isDay = typeof limit === 'string' && /^\d{4}-\d\d-\d\d$/.test(limit);
  if (typeof limit !== 'number' && !isDay) return;
  element.take(key);
  rules.push(`. ${sign} ${isDay ? `date('${limit}')` : limit}`);
  const message = element.takeWords(`${key}ErrorText`);
  if (message !== undefined) messages.push(message);
}

function addSize(element: ExportedElement, { rules }: Parts, key: string, rule: string): void {
  const size = element.json[key];
  if (typeof size === 'number' && size > 0) {
    element.take(key);
    rules.push(`${rule} ${size}`);
  }
}

function addChecks(element: ExportedElement, parts: Parts, isText: boolean): void {
  const { json } = element;
  if (!Array.isArray(json.validators)) return;
  element.take('validators');
  const name = String(json.name);
  const isNumber = json.type === 'text' && json.inputType === 'number';
  for (const check of json.validators.filter(isPlainObject)) {
    const { type, text, notificationType, ...rest } = check;
    if (isNumber && isWholeCheck(check, name)) {
      if (!isWholeNumberMessage(text)) element.tell('PROPERTY_LEFT_OUT', { property: 'validators.text' });
      continue;
    }
    if (notificationType !== undefined && notificationType !== 'error') {
      element.tell('WARNING_LEFT_OUT');
      continue;
    }
    const rule = ruleOf(element, String(type), rest, isText);
    if (rule === undefined) continue;
    parts.rules.push(rule);
    const message = element.words(text);
    if (message !== undefined) parts.messages.push(message);
  }
}

function ruleOf(
  element: ExportedElement,
  type: string,
  { expression, regex, ...others }: JsonObject,
  isText: boolean,
): string | undefined {
  const more = Object.keys(others);
  if (type === 'expression' && typeof expression === 'string' && more.length === 0)
    return element.rule('validators', unguarded(expression, String(element.json.name)), element.name);
  if (
    type === 'regex' &&
    typeof regex === 'string' &&
    isText &&
    more.length === 0 &&
    !/'.*"|".*'/s.test(regex)
  ) {
    const whole = /^\^.*\$$/s.test(regex) ? regex : `.*(?:${regex}).*`;
    return `regex(., ${whole.includes("'") ? `"${whole}"` : `'${whole}'`})`;
  }
  element.tell('PROPERTY_LEFT_OUT', { property: `validators: ${type}` });
  return undefined;
}

/** Removes the guard for missing answers, since XLSForm never checks a constraint without an answer. */
function unguarded(expression: string, name: string): string {
  const rest = [`{${name}} empty or `, `{panel.${name}} empty or `].reduce(
    (text, guard) => (text.startsWith(guard) ? text.slice(guard.length) : text),
    expression,
  );
  // Only if the guard covers the whole rest.
  return rest === expression || /^\(.*\)$/s.test(rest) || !/ and /.test(rest) ? rest : expression;
}
