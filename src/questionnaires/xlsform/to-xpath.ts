/** A rule of SurveyJS as one of XLSForm. What has no counterpart is thrown, by name. Browser-safe. */
import { ConditionsParser, type Operand } from 'survey-core';
import { NoCounterpart } from './to-survey.ts';

export interface Target {
  /** As the file calls it. */
  name: string;
  kind: 'one' | 'many' | 'number' | 'text' | 'date' | 'calculated' | 'repeat';
  repeat: string | null;
}

export interface Names {
  /** By name, in lower case: expressions take any case for the same. */
  targets: ReadonlyMap<string, Target>;
  /** Within one repeat: by which `{panel.age}` is found. */
  repeat: string | null;
}

interface Parts {
  leftOperand?: Operand | null;
  rightOperand?: Operand | null;
  expression?: Operand | null;
  operator?: string;
  variable?: string;
  correctValue?: unknown;
  values?: { values?: Operand[] } | Operand[];
  functionName?: string;
  paramValues?: Operand[];
}

const COMPARES: Record<string, string> = {
  equal: '=',
  notequal: '!=',
  less: '<',
  lessorequal: '<=',
  greater: '>',
  greaterorequal: '>=',
};
const COMPUTES: Record<string, string> = { plus: '+', minus: '-', mul: '*', div: 'div', mod: 'mod' };
const CALLS: Record<string, string> = {
  round: 'round',
  trunc: 'int',
  min: 'min',
  max: 'max',
  today: 'today',
  currentDate: 'now',
};
const BINDS: Record<string, number> = { or: 1, and: 2, '+': 4, '-': 4, '*': 5, div: 5, mod: 5 };
const COMPARED = 3;
const TIGHT = 9;

interface Said {
  text: string;
  binds: number;
}
type Literal = string | number | boolean;

const unreadable = (text: string) => new NoCounterpart('RULE_UNREADABLE', { text });

/** `self` is the question whose answer is a dot. */
export function xpathOf(expression: string, names: Names, self?: string): string {
  const root = new ConditionsParser().parseExpression(expression) as Operand | null;
  if (!root) throw unreadable(expression);
  return writer(names, self?.toLowerCase(), expression).said(root).text;
}

function xpathText(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  throw unreadable(text);
}

function writer({ targets, repeat }: Names, self: string | undefined, whole: string) {
  const partsOf = (operand: Operand) => operand as unknown as Parts;
  const tell = (text: string): Said => ({ text, binds: TIGHT });
  const wrapped = (one: Said, least: number) => (one.binds < least ? `(${one.text})` : one.text);

  /** `{age}`, `{panel.age}` or `{help.length}`. */
  const variable = (operand: Operand): { target: Target; counts: boolean } | null => {
    if (operand.getType() !== 'variable') return null;
    const written = (partsOf(operand).variable ?? '').toLowerCase();
    const inPanel = written.startsWith('panel.');
    const plain = written.replace(/^panel\./, '');
    const counts = plain.endsWith('.length') && !targets.has(plain);
    const target = targets.get(counts ? plain.replace(/\.length$/, '') : plain);
    if (!target) throw new NoCounterpart('RULE_NAME', { name: partsOf(operand).variable ?? '' });
    if (target.repeat !== (inPanel ? repeat : null))
      throw new NoCounterpart('RULE_OUTSIDE', { name: target.name });
    return { target, counts };
  };
  const answer = ({ target, counts }: { target: Target; counts: boolean }): string => {
    const own = target.name.toLowerCase() === self ? '.' : `\${${target.name}}`;
    if (!counts) return own;
    if (target.kind === 'repeat') return `count(${own})`;
    if (target.kind === 'many') return `count-selected(${own})`;
    throw unreadable(whole);
  };
  const literal = (operand: Operand): Literal | null => {
    if (operand.getType() !== 'const') return null;
    const value = partsOf(operand).correctValue;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;
  };
  const listOf = (operand: Operand): Literal[] => {
    const { values } = partsOf(operand);
    const items =
      operand.getType() === 'array' ? (Array.isArray(values) ? values : (values?.values ?? [])) : [operand];
    return items.map((one) => {
      const value = literal(one);
      if (value === null) throw unreadable(whole);
      return value;
    });
  };
  const asText = (value: Literal) => (typeof value === 'number' ? String(value) : xpathText(String(value)));
  const chain = (texts: string[], op: 'and' | 'or'): Said =>
    texts.length === 1
      ? { text: texts[0] ?? '', binds: COMPARED }
      : { text: texts.join(` ${op} `), binds: BINDS[op] ?? 1 };

  const said = (operand: Operand): Said => {
    const type = operand.getType();
    const parts = partsOf(operand);
    if (type === 'const') {
      const value = literal(operand);
      if (value === null) throw unreadable(whole);
      return tell(typeof value === 'boolean' ? `${value}()` : asText(value));
    }
    const found = variable(operand);
    if (found) return tell(answer(found));
    if (type === 'unary') return unary(parts);
    if (type === 'function') return called(parts);
    if (type === 'binary' && parts.leftOperand && parts.rightOperand)
      return binary(parts.operator ?? '', parts.leftOperand, parts.rightOperand);
    throw unreadable(whole);
  };

  const unary = ({ operator = '', expression }: Parts): Said => {
    if (!expression) throw unreadable(whole);
    if (operator === 'negate') return tell(`not(${said(expression).text})`);
    const found = variable(expression);
    if (!found || found.counts || !['empty', 'notempty'].includes(operator)) throw unreadable(whole);
    return { text: `${answer(found)} ${operator === 'empty' ? '=' : '!='} ''`, binds: COMPARED };
  };

  const called = ({ functionName = '', paramValues = [] }: Parts): Said => {
    const [test, yes, no] = paramValues;
    if (functionName === 'iif' && test && yes && no)
      return tell(`if(${said(test).text}, ${said(yes).text}, ${said(no).text})`);
    const later = laterDay(functionName, paramValues);
    if (later !== null) return { text: `today() + ${later}`, binds: BINDS['+'] ?? 4 };
    const name = Object.hasOwn(CALLS, functionName) ? CALLS[functionName] : undefined;
    if (!name) throw new NoCounterpart('RULE_FUNCTION', { name: `${functionName}()` });
    return tell(`${name}(${paramValues.map((one) => said(one).text).join(', ')})`);
  };

  /** `dateAdd(today(), 7, 'days')`. */
  const laterDay = (functionName: string, [day, count, unit]: Operand[]): number | null => {
    if (functionName !== 'dateAdd' || !day || !count || !unit || literal(unit) !== 'days') return null;
    const isToday = day.getType() === 'function' && partsOf(day).functionName === 'today';
    const days = literal(count);
    return isToday && typeof days === 'number' && days > 0 ? days : null;
  };

  const binary = (operator: string, left: Operand, right: Operand): Said => {
    if (operator === 'and' || operator === 'or') {
      const binds = BINDS[operator] ?? 1;
      return { text: `${wrapped(said(left), binds)} ${operator} ${wrapped(said(right), binds)}`, binds };
    }
    const computes = COMPUTES[operator];
    if (computes) {
      const binds = BINDS[computes] ?? 4;
      return { text: `${wrapped(said(left), binds)} ${computes} ${wrapped(said(right), binds + 1)}`, binds };
    }
    const found = variable(left);
    if (found && !found.counts) {
      const special = ofAnswer(operator, found.target, answer(found), right);
      if (special) return special;
    }
    const compares = COMPARES[operator];
    if (!compares) throw unreadable(whole);
    const text = `${wrapped(said(left), COMPARED + 1)} ${compares} ${wrapped(said(right), COMPARED + 1)}`;
    return { text, binds: COMPARED };
  };

  /** What is said otherwise of an answer: a choice among several, a value that the form works out. */
  const ofAnswer = (operator: string, { kind }: Target, name: string, right: Operand): Said | null => {
    const is = (value: Literal) =>
      kind === 'many' ? `selected(${name}, ${xpathText(String(value))})` : `${name} = ${asText(value)}`;
    switch (operator) {
      case 'contains':
      case 'notcontains': {
        const texts = listOf(right).map((value) =>
          kind === 'many' ? is(value) : `contains(${name}, ${xpathText(String(value))})`,
        );
        return operator === 'contains' ? chain(texts, 'and') : tell(`not(${texts.join(' or ')})`);
      }
      case 'anyof':
        return chain(listOf(right).map(is), 'or');
      case 'noneof':
        return tell(`not(${listOf(right).map(is).join(' or ')})`);
      case 'allof':
        return chain(listOf(right).map(is), 'and');
      case 'equal':
      case 'notequal': {
        const sign = operator === 'equal' ? '=' : '!=';
        if (right.getType() === 'array') {
          const [only, ...others] = listOf(right);
          if (kind !== 'many' || only === undefined || others.length > 0) throw unreadable(whole);
          return { text: `${name} ${sign} ${xpathText(String(only))}`, binds: COMPARED };
        }
        const value = literal(right);
        // A value that was worked out is text to whoever reads the form: 'true' and 'false'.
        if (typeof value !== 'boolean') return null;
        return { text: `${name} ${sign} '${value}'`, binds: COMPARED };
      }
      default:
        return null;
    }
  };

  return { said };
}
