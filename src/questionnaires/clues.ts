/** Questions by which a person is known again. Browser-safe, and without the form library. */

/** Of fewer many people have the same answers; nobody answers more. */
export const CLUES = { least: 4, most: 8 };

/** What the form library writes for a way out of a question. */
const WAYS_OUT: readonly string[] = ['refused', 'dontknow'];

const MOST_LETTERS = 200;

/** Whether anything was said: an answer, or a way out of one. */
export const isClueSaid = (value: unknown): boolean => normalised(value) !== '';

/** Whether it is an answer by which somebody could be known. */
export const isClueGiven = (value: unknown): boolean =>
  isClueSaid(value) && !WAYS_OUT.includes(normalised(value));

/** Whether none was left empty, and one refused at most. */
export const areAllSaid = (values: readonly unknown[]): boolean =>
  values.every(isClueSaid) && values.filter(isClueGiven).length >= values.length - 1;

/** Without case, accents, full-width forms, whatever is neither letter nor digit, and zeros in front. */
export function normalised(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const letters = String(value)
    .normalize('NFKD')
    // Upper case first: it also takes apart what lower case leaves together, as in Straße.
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return letters
    .replace(/\p{Nd}/gu, latinDigit)
    .replace(/^0+(?=.)/u, '')
    .slice(0, MOST_LETTERS);
}

/** Decimal digits stand in tens, from nought to nine, in every script. */
function latinDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value += 1;
  return String(value);
}
