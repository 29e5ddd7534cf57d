/**
 * Ways in which the form library can read an answer other than by its question's name in braces: functions that take a
 * name, which may be calculated, and properties that lead from one question to all others. Browser-safe.
 */
import { ConditionsParser, type Operand } from 'survey-core';
import { namesInBraces } from './definition-references.ts';

/**
 * Functions that take a name. `isContainerReady` takes a page or panel and reveals something about each question in it.
 */
const NAME_FUNCTIONS = ['displayValue', 'propertyValue', 'getComment', 'isContainerReady'];
/** Their third argument is an expression in quotation marks. */
const EXPRESSION_FUNCTIONS = ['sumInArray', 'minInArray', 'maxInArray', 'avgInArray', 'countInArray'];
const MAX_DEPTH = 5;

interface IndirectReads {
  /** Literal names, in lower case, of questions, panels and pages. */
  names: string[];
  /** A function whose argument is not literal, or a property of a property; null if there is none. */
  unclear: string | null;
}

/** `isExpression`: whether the text is an expression, or a text that may only have names in braces. */
export function findIndirectReads(text: string, isExpression: boolean): IndirectReads {
  const reads: IndirectReads = { names: [], unclear: deepProperty(text) };
  if (isExpression) readExpression(text, reads, 1);
  return reads;
}

/** `{$size.survey.data.born}` leads from `size` to `born`. */
function deepProperty(text: string): string | null {
  const deep = namesInBraces(text).find((name) => /^#?\$[^.[]*[.[][^.[]*[.[]/.test(name));
  return deep === undefined ? null : `{${deep}}`;
}

function readExpression(text: string, reads: IndirectReads, depth: number): void {
  for (const one of functionsIn(text)) {
    const { functionName: name, paramValues: values } = one;
    const takesName = NAME_FUNCTIONS.includes(name);
    const takesExpression = EXPRESSION_FUNCTIONS.includes(name) && values.length > 2;
    if (!takesName && !takesExpression) continue;
    const argument = literal(values[takesName ? 0 : 2]);
    if (argument === null || depth > MAX_DEPTH) reads.unclear ??= name;
    else if (takesName) reads.names.push(argument.toLowerCase());
    else readExpression(argument, reads, depth + 1);
  }
}

interface FunctionCall {
  functionName: string;
  paramValues: Operand[];
}

/** Empty if the text can't be parsed: it is refused elsewhere. */
function functionsIn(text: string): FunctionCall[] {
  const operands: Operand[] = [];
  try {
    new ConditionsParser().parseExpression(text).addOperandsToList(operands);
  } catch {
    return [];
  }
  return operands.filter((one) => one.getType() === 'function').map((one) => one as unknown as FunctionCall);
}

function literal(operand: Operand | undefined): string | null {
  if (operand?.getType() !== 'const') return null;
  return String((operand as unknown as { correctValue: unknown }).correctValue);
}
