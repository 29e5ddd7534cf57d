/** Changes of a field that few may know of: told with those of another field, or not at all. */
import type { ChangesApart } from '../rights/subject.ts';
import type { Change } from './model.ts';

const listOf = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [value].flat());

export function changesKnown(
  changes: Change[],
  { path, as }: ChangesApart,
  isKnown: () => boolean,
): Change[] {
  const own = changes.find((one) => one.path === path);
  if (!own) return changes;
  const others = changes.filter((one) => one !== own);
  if (!isKnown()) return others;
  const beside = others.find((one) => one.path === as);
  const both = (when: 'before' | 'after') => [...listOf(beside?.[when]), ...listOf(own[when])];
  const told = { path: as, before: both('before'), after: both('after') };
  return [...others.filter((one) => one !== beside), told];
}
