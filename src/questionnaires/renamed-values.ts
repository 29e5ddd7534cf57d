/**
 * Choices of the included questionnaire whose value changed in later versions, because spreadsheets turn the old one
 * into a date: 6-11 becomes June 11. Stored interviews and versions stay as they are; results and exports use the new
 * value for both.
 */
import type { AnswerShape } from './codebook/answer-shape.ts';
import type { Codebook } from './codebook.ts';

/** By question, then by old value. */
const RENAMED_VALUES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['homelessMonths', new Map([['6-11', '6to11']])],
]);

const laterValue = (key: string, value: unknown): unknown =>
  typeof value === 'string' ? (RENAMED_VALUES.get(key)?.get(value) ?? value) : value;

export const renamedAnswer = (key: string, answer: unknown): unknown =>
  RENAMED_VALUES.has(key) ? laterValue(key, answer) : answer;

/** A question's old values, each with the new one. */
export const renamedValuePairsOf = (key: string): [former: string, later: string][] => [
  ...(RENAMED_VALUES.get(key) ?? new Map<string, string>()),
];

/** The expression with new values. */
export function expressionWithRenamedValues(expression: string): string {
  let text = expression;
  for (const [key, values] of RENAMED_VALUES)
    if (text.toLowerCase().includes(`{${key.toLowerCase()}}`))
      for (const [former, later] of values)
        for (const quote of [`'`, `"`]) text = text.replaceAll(quote + former + quote, quote + later + quote);
  return text;
}

/** The codebook of a version, with new values. */
export function codebookWithRenamedValues(codebook: Codebook): Codebook {
  const countables = codebook.countables.map((one) =>
    RENAMED_VALUES.has(one.key) ? { ...one, choices: renamed(one.key, one.choices) } : one,
  );
  const shapes = codebook.shapes.map(([key, shape]): [string, AnswerShape] => [
    key,
    RENAMED_VALUES.has(key) && shape.kind === 'one'
      ? { ...shape, choices: renamed(key, shape.choices) }
      : shape,
  ]);
  return { ...codebook, countables, shapes };
}

function renamed<T extends { value: string }>(key: string, choices: T[]): T[] {
  const later = choices.map((choice) => ({ ...choice, value: String(laterValue(key, choice.value)) }));
  return later.filter(({ value }, at) => later.findIndex((other) => other.value === value) === at);
}
