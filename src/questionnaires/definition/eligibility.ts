/**
 * Eligibility, by the questionnaire's own expression (`takesPartIf`). The phone, which must know offline whether to
 * hand out coupons, and the service, which checks everything, use the same code. Browser-safe. Neither the expression's
 * author nor a respondent's answers may keep a process busy. So the size of the expression, including the calculated
 * values it uses, is limited when it is posted, and only part of the answers is read. Anything that depends on the day
 * or the device is refused, because phone and service could disagree weeks later.
 */
import { ConditionRunner, ConditionsParser, ExpressionRunner, type Operand } from 'survey-core';
import { type CodedError, fault } from '../../platform/http/problems/error-codes.ts';

type Answers = Record<string, unknown>;

/** Size limits for the expression and each calculated value that it uses, and for all of them together. */
const LIMITS = { letters: 1_000, lettersInAll: 4_000, operands: 300, pairs: 10 };
/** How many values are read: of all answers, of each answer, of a calculated value, and characters of a text. */
const SAMPLE_LIMITS = { inAll: 300, atLeast: 50, calculated: 50, letters: 500 };

const ALLOWED_FUNCTIONS = [
  'iif',
  'sum',
  'min',
  'max',
  'avg',
  'count',
  'round',
  'trunc',
  'substring',
  'year',
  'month',
  'day',
];
const IN_ARRAY = ['sumInArray', 'minInArray', 'maxInArray', 'avgInArray', 'countInArray'];

/** The expression can't be used; the fault says why. */
export class UnusableExpression extends Error {
  readonly fault: CodedError;

  constructor(why: CodedError) {
    super(why.message);
    this.fault = why;
  }
}

interface Reading {
  /** Calculated values in the order of evaluation. */
  steps: { name: string; runner: ExpressionRunner }[];
  /** Names of the answers that are read, normalized by `nameKey`. */
  names: Set<string>;
}

export const compileEligibility = (
  definition: object,
  takesPartIf: string,
): ((answers: Answers) => boolean) => compiled(definition, takesPartIf, ConditionRunner, false);

/** Evaluates an expression over the answers, with the same limits; undefined if it can't be evaluated. */
export const compileExpression = (definition: object, expression: string): ((answers: Answers) => unknown) =>
  compiled<unknown>(definition, expression, ExpressionRunner, undefined);

function compiled<T>(
  definition: object,
  expression: string,
  Runner: new (expression: string) => { runValues(values: Answers): T },
  /** Returned if the library throws, as it does on some data that no form could send. */
  otherwise: T,
): (answers: Answers) => T {
  const { steps, names } = readingOf(definition, expression);
  const neededNames = new Set([...names].flatMap((name) => mayName(name).slice(0, 2)));
  const whole = new Runner(expression);
  return (answers) => {
    try {
      const values = neededPart(answers, neededNames);
      for (const { name, runner } of steps)
        values[name] = cutValue(runner.runValues(values), SAMPLE_LIMITS.calculated);
      return whole.runValues(values);
    } catch {
      return otherwise;
    }
  };
}

/**
 * The answers that an expression reads, in lower case: the name as written, and the key it refers to. Throws
 * UnusableExpression.
 */
export function namesRead(definition: object, expression: string): { name: string; key: string }[] {
  return [...readingOf(definition, expression).names].map((name) => ({
    name,
    key: mayName(name)[1] ?? name,
  }));
}

/** Why this can't be `takesPartIf` of a questionnaire with these answer keys, or null. */
export function eligibilityRuleFault(
  definition: object,
  takesPartIf: string,
  keys: string[],
): CodedError | null {
  try {
    const knownKeys = new Set([...keys, ...calculatedIn(definition).keys()].map(nameKey));
    const { names } = readingOf(definition, takesPartIf);
    const unknown = [...names].find((name) => !mayName(name).some((one) => knownKeys.has(one)));
    return unknown === undefined ? null : fault('TAKES_PART_NAME', { name: unknown });
  } catch (error) {
    if (error instanceof UnusableExpression) return error.fault;
    throw error;
  }
}

/** Expressions ignore case in names. */
const nameKey = (name: string) => name.toLowerCase();

/** `{panel[0].age}` reads the answer to `panel`, `{source-Comment}` the remark beside `source`. */
function mayName(name: string): string[] {
  const whole = /^[^.[]*/.exec(name)?.[0] ?? name;
  return [name, whole, whole.replace(/-comment$/, '')];
}

export const calculatedNames = (definition: object): string[] => [...calculatedIn(definition).keys()];

interface Calculated {
  name: string;
  expression: string;
  /** Stored with the answers, and read like one. */
  isStored: boolean;
}

function calculatedIn(definition: object): Map<string, Calculated> {
  const { calculatedValues: list } = definition as { calculatedValues?: unknown };
  const all = (Array.isArray(list) ? list : []) as {
    name?: unknown;
    expression?: unknown;
    includeIntoResult?: unknown;
  }[];
  return new Map(
    all.map(({ name, expression, includeIntoResult }) => [
      nameKey(String(name)),
      {
        name: String(name),
        expression: typeof expression === 'string' ? expression : '',
        isStored: includeIntoResult === true,
      },
    ]),
  );
}

function readingOf(definition: object, takesPartIf: string): Reading {
  const calculated = calculatedIn(definition);
  const reading: Reading = { steps: [], names: new Set() };
  const state = new Map<string, 'open' | 'done'>();
  const total = { letters: 0, operands: 0, pairs: 0 };

  const read = (text: string): void => {
    const { operands, pairs } = sizeOf(text);
    total.letters += text.length;
    total.operands += operands.length;
    total.pairs += pairs;
    if (total.letters > LIMITS.lettersInAll || total.operands > LIMITS.operands || total.pairs > LIMITS.pairs)
      throw new UnusableExpression(fault('TAKES_PART_WORK'));
    for (const name of operands.flatMap(namesIn).map(nameKey)) {
      const key = mayName(name).find((one) => calculated.has(one));
      if (key === undefined || calculated.get(key)?.isStored) reading.names.add(name);
      else calculate(key);
    }
  };
  const calculate = (key: string): void => {
    if (state.get(key) === 'done') return;
    if (state.get(key) === 'open') throw new UnusableExpression(fault('TAKES_PART_CIRCLE', { name: key }));
    state.set(key, 'open');
    const { name, expression } = calculated.get(key) ?? { name: key, expression: '' };
    if (expression !== '') {
      read(expression);
      reading.steps.push({ name, runner: new ExpressionRunner(expression) });
    }
    state.set(key, 'done');
  };

  read(takesPartIf);
  return reading;
}

const namesIn = (operand: Operand): string[] =>
  operand.getType() === 'variable' ? [(operand as unknown as { variable: string }).variable] : [];

function sizeOf(text: string): { operands: Operand[]; pairs: number } {
  if (text.length > LIMITS.letters)
    throw new UnusableExpression(fault('EXPRESSION_TOO_LONG', { count: LIMITS.letters }));
  const operands: Operand[] = [];
  try {
    new ConditionsParser().parseExpression(text).addOperandsToList(operands);
  } catch {
    throw new UnusableExpression(fault('TAKES_PART_UNREADABLE', { text: text.slice(0, 100) }));
  }
  for (const one of operands) if (one.getType() === 'function') requireFunction(one);
  return { operands, pairs: operands.filter(comparesAnswers).length };
}

/** Whether it compares two answers: if both are lists, every item is compared with every other. */
function comparesAnswers(operand: Operand): boolean {
  if (operand.getType() !== 'binary') return false;
  const { isConjunction, isArithmetic, leftOperand, rightOperand } = operand as unknown as {
    isConjunction: boolean;
    isArithmetic: boolean;
    leftOperand: Operand | null;
    rightOperand: Operand | null;
  };
  const readsAnswers = (one: Operand | null) => {
    const variables: string[] = [];
    one?.setVariables(variables);
    return variables.length > 0;
  };
  return !isConjunction && !isArithmetic && readsAnswers(leftOperand) && readsAnswers(rightOperand);
}

function requireFunction(operand: Operand): void {
  const { functionName, paramValues } = operand as unknown as {
    functionName: string;
    paramValues: Operand[];
  };
  // A third argument would be an expression in quotation marks.
  if (IN_ARRAY.includes(functionName) && paramValues.length <= 2) return;
  if (ALLOWED_FUNCTIONS.includes(functionName)) return;
  throw new UnusableExpression(fault('TAKES_PART_FUNCTION', { name: functionName }));
}

/** The answers that are needed; the more there are, the less of each long one is read. */
function neededPart(answers: Answers, neededNames: Set<string>): Answers {
  const entries = Object.entries(answers).filter(([key]) => neededNames.has(nameKey(key)));
  const share = Math.max(
    SAMPLE_LIMITS.atLeast,
    Math.floor(SAMPLE_LIMITS.inAll / Math.max(1, entries.length)),
  );
  return Object.fromEntries(entries.map(([key, answer]) => [key, cutValue(answer, share)]));
}

/** A copy of the first `most` values; long texts are cut. */
function cutValue(value: unknown, max: number): unknown {
  let remaining = max;
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return one.slice(0, SAMPLE_LIMITS.letters);
    if (typeof one !== 'object' || one === null || one instanceof Date) return one;
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(one)) {
      if (remaining <= 0) break;
      remaining -= 1;
      entries.push([key, copy(inner)]);
    }
    return Array.isArray(one) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  };
  return copy(value);
}
