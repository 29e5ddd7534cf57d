/** What a reader of results (access kind `results`) may request and see. */
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Actor } from '../../platform/rights/actor.ts';

const NARROWING = ['from', 'to', 'questionnaire'] as const;
/** Days and versions of a sample; null where they do not narrow it. */
type Narrowing = { [Field in (typeof NARROWING)[number]]?: string | null | undefined };

export const isNarrowed = (narrowing: Narrowing): boolean => NARROWING.some((field) => narrowing[field]);

/**
 * 403 for all but a super-admin: who asks the same for one day more finds by subtraction what the people of that day
 * said, however much is hidden of each answer.
 */
export function mayNarrow({ user }: Pick<ResultsReader, 'user'>, narrowing: Narrowing): void {
  if (user.role === 'SUPER_ADMIN' || !isNarrowed(narrowing)) return;
  const fields = NARROWING.filter((field) => narrowing[field]).join(', ');
  throw problem('FORBIDDEN', { why: fault('FIELDS_REFUSED', { fields }) });
}

/** What an answer depends on, of whoever reads it. */
export interface ResultsReader {
  /** Without an id it is the service itself. */
  user: Pick<Actor['user'], 'role'> & Partial<Pick<Actor['user'], '_id'>>;
  /** The study's time zone. */
  zone: string;
  /** What was calculated in one piece of work for many figures, such as a publication, by what was asked for. */
  memo?: Map<string, Promise<unknown>>;
}

/** A figure that one piece of work needs in several places is calculated once. */
export function memoized<T>({ memo }: ResultsReader, key: unknown, calculate: () => Promise<T>): Promise<T> {
  if (!memo) return calculate();
  const text = JSON.stringify(key);
  const figure = (memo.get(text) as Promise<T> | undefined) ?? calculate();
  memo.set(text, figure);
  return figure;
}

/** For a fair order of those who ask. */
export const readerId = ({ user }: ResultsReader): string | undefined => user._id?.toHexString();

/** From how few known answers on a level is shown to this caller: to a super-admin all are. */
export const smallestCellFor = (
  { user }: { user: Pick<Actor['user'], 'role'> },
  smallestCell: number,
): number => (user.role === 'SUPER_ADMIN' ? 0 : smallestCell);
