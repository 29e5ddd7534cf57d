/** Changes of a field that few may know of: told with those of another field, or not at all. */
import type { ChangesApart } from '../rights/subject.ts';
import type { Change } from './model.ts';

const listOf = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [value].flat());

/** Of an event. */
export interface Told {
  changes: Change[];
  reason?: string | undefined;
}

/** The reason goes with what is left out: it may say of what. */
export function changesKnown(event: Told, { path, as }: ChangesApart, isKnown: () => boolean): Told {
  const { changes } = event;
  const own = changes.find((one) => one.path === path);
  if (!own) return event;
  const others = changes.filter((one) => one !== own);
  if (!isKnown()) return { changes: others };
  const beside = others.find((one) => one.path === as);
  const both = (when: 'before' | 'after') => [...listOf(beside?.[when]), ...listOf(own[when])];
  const told = { path: as, before: both('before'), after: both('after') };
  return { ...event, changes: [...others.filter((one) => one !== beside), told] };
}
