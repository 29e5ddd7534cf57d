/** Changes of a field that few may know of: told with those of another field, or not at all. */
import type { ChangesApart } from '../rights/subject.ts';
import type { Change } from './model.ts';

const listOf = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [value].flat());

/** Of an event. */
export interface Told {
  changes: Change[];
  reason?: string | undefined;
}

/**
 * The reason goes with what somebody cleared: it may say of what. It stays where the service itself found something,
 * since who gave it knew of nothing, and its absence would tell that something was found.
 */
export function changesKnown(event: Told, { path, as }: ChangesApart, isKnown: () => boolean): Told {
  const { changes } = event;
  const own = changes.filter((one) => one.path === path);
  if (own.length === 0) return event;
  const others = changes.filter((one) => one.path !== path);
  if (!isKnown()) {
    const isCleared = own.some(({ after }) => after === null);
    return isCleared ? { changes: others } : { ...event, changes: others };
  }
  const beside = others.find((one) => one.path === as);
  const both = (when: 'before' | 'after', one: Change | undefined) => [
    ...listOf(beside?.[when]),
    ...listOf(one?.[when]),
  ];
  const told = { path: as, before: both('before', own[0]), after: both('after', own.at(-1)) };
  return { ...event, changes: [...others.filter((one) => one !== beside), told] };
}
