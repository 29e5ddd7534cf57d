/** Answers to identity questions, which identify a person who was interviewed before. Browser-safe. */
import { toLatinDigits } from '../../platform/lib/text/latin-digits.ts';

/** With fewer questions, too many people would have the same answers; with more, people wouldn't answer. */
export const IDENTITY_QUESTION_LIMITS = { least: 4, most: 8 };

/** The form library's values for "refused" and "don't know". */
const NONRESPONSE_VALUES: readonly string[] = ['refused', 'dontknow'];

const MAX_LETTERS = 200;

/** Whether there is an answer, including "refused" and "don't know". */
export const isNonemptyIdentityAnswer = (value: unknown): boolean => normalizeIdentityAnswer(value) !== '';

/** Whether there is an answer that identifies somebody. */
export const isIdentifyingAnswer = (value: unknown): boolean =>
  isNonemptyIdentityAnswer(value) && !NONRESPONSE_VALUES.includes(normalizeIdentityAnswer(value));

/** Whether all are answered and at most one is refused. */
export const hasEnoughIdentityAnswers = (values: readonly unknown[]): boolean =>
  values.every(isNonemptyIdentityAnswer) && values.filter(isIdentifyingAnswer).length >= values.length - 1;

/** Removes case, accents, full-width forms, punctuation and leading zeros. */
export function normalizeIdentityAnswer(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const letters = String(value)
    .normalize('NFKD')
    // Upper case first, because it decomposes letters that lower case doesn't, as in Straße.
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return toLatinDigits(letters)
    .replace(/^0+(?=.)/u, '')
    .slice(0, MAX_LETTERS);
}
