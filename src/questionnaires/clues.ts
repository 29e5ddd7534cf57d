/** Questions by which a person is known again. Browser-safe, and without the form library. */

/** Of fewer many people have the same answers; nobody answers more. */
export const CLUES = { least: 4, most: 8 };

/** What the form library writes for a way out of a question. */
const WAYS_OUT: readonly unknown[] = ['refused', 'dontknow'];

/** Whether it is an answer by which somebody could be known. */
export const isClueGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !WAYS_OUT.includes(value);
