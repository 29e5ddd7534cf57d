import { fieldProblem } from './problem.ts';

/** `"3"` or `*`; anything else is 400. Null means any version. */
export function parseIfMatch(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const version = /^"(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) throw fieldProblem('If-Match', 'NOT_VERSION');
  return Number(version);
}
