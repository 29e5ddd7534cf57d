/** What a reader of results (access kind `results`) may request and see. */
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Actor } from '../../platform/rights/actor.ts';

const NARROWING = ['from', 'to', 'questionnaire'] as const;
/** The days and version of a sample; null if they do not narrow it. */
type Narrowing = { [Field in (typeof NARROWING)[number]]?: string | null | undefined };

export const isSampleNarrowed = (narrowing: Narrowing): boolean =>
  NARROWING.some((field) => narrowing[field]);

/**
 * 403 for everyone but super-admins: requesting the same figures for one more day reveals the answers of that day by
 * subtraction, no matter how much is hidden in each response.
 */
export function requireRightToNarrowSample(
  { user }: Pick<ResultsReader, 'user'>,
  narrowing: Narrowing,
): void {
  if (user.role === 'SUPER_ADMIN' || !isSampleNarrowed(narrowing)) return;
  const fields = NARROWING.filter((field) => narrowing[field]).join(', ');
  throw problem('FORBIDDEN', { why: fault('FIELDS_REFUSED', { fields }) });
}

/** The properties of the reader that a response depends on. */
export interface ResultsReader {
  /** No id if it is the service itself. */
  user: Pick<Actor['user'], 'role'> & Partial<Pick<Actor['user'], '_id'>>;
  /** The study's time zone. */
  zone: string;
  /** Cache, keyed by request, for one task with many figures, such as a publication. */
  memo?: Map<string, Promise<unknown>>;
}

/** Calculates a figure only once if a task needs it in several places. */
export function calculateOnce<T>(
  { memo }: ResultsReader,
  key: unknown,
  calculate: () => Promise<T>,
): Promise<T> {
  if (!memo) return calculate();
  const text = JSON.stringify(key);
  const figure = (memo.get(text) as Promise<T> | undefined) ?? calculate();
  memo.set(text, figure);
  return figure;
}

/** For fair queuing between users. */
export const readerId = ({ user }: ResultsReader): string | undefined => user._id?.toHexString();

/** The minimum number of known answers for a level to be shown to this caller; super-admins see everything. */
export const smallestCellFor = (
  { user }: { user: Pick<Actor['user'], 'role'> },
  smallestCell: number,
): number => (user.role === 'SUPER_ADMIN' ? 0 : smallestCell);
