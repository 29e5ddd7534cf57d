/** How many questions there are by which a person is known again. Browser-safe, and without the form library. */

/** Of fewer many people have the same answers; nobody answers more. */
export const CLUES = { least: 4, most: 8 };
