/** Changes of a restricted field: shown as changes of another field, or hidden. */
import type { RestrictedAuditField } from '../rights/collection.ts';
import type { AuditedFieldChange } from './schema.ts';

const toArray = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [value].flat());

/** The part of an event that can be restricted. */
export interface RestrictableChanges {
  changes: AuditedFieldChange[];
  reason?: string | undefined;
}

/**
 * The reason is hidden if somebody cleared the restricted field, because it may mention it. It is kept if the service
 * set the field: its author didn't know about it, and a missing reason would reveal the change.
 */
export function hideChangesFromReader(
  event: RestrictableChanges,
  { path, shownAs, hiddenWith }: RestrictedAuditField,
  isKnown: () => boolean,
): RestrictableChanges {
  const { changes } = event;
  const isRevealing = (one: AuditedFieldChange) => one.path === hiddenWith;
  if (changes.some(isRevealing) && !isKnown()) return { changes: changes.filter((one) => !isRevealing(one)) };
  const own = changes.filter((one) => one.path === path);
  if (own.length === 0) return event;
  const others = changes.filter((one) => one.path !== path);
  if (!isKnown()) {
    const isCleared = own.some(({ after }) => after === null);
    return isCleared ? { changes: others } : { ...event, changes: others };
  }
  const shownChange = others.find((one) => one.path === shownAs);
  const both = (when: 'before' | 'after', one: AuditedFieldChange | undefined) => [
    ...toArray(shownChange?.[when]),
    ...toArray(one?.[when]),
  ];
  const merged = own.some(({ erased }) => erased)
    ? { path: shownAs, before: null, after: null, erased: true as const }
    : { path: shownAs, before: both('before', own[0]), after: both('after', own.at(-1)) };
  return { ...event, changes: [...others.filter((one) => one !== shownChange), merged] };
}
