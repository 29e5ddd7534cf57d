/** Seconds: how old an answer a page may show while it is counted anew. Browser-safe. */
export const MOST_AGE_S = 7 * 86_400;
