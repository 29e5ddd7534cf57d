import { invalidFieldProblem, problem } from './problems/problem.ts';

/** `"3"` or `*`; anything else is 400. Null means any version. */
export function parseIfMatch(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const version = /^"(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) throw invalidFieldProblem('If-Match', 'NOT_VERSION');
  return Number(version);
}

/** `expected`: the version from If-Match. Throws if somebody else has changed the record since the caller read it. */
export function requireExpectedVersion(expected: number | null, { version }: { version: number }): void {
  if (expected !== null && expected !== version) throw problem('EDIT_CONFLICT');
}
