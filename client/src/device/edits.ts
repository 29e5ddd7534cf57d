/**
 * Unsaved changes. They are kept until the person signs out, so that people who visit another page and come back find
 * them again. The browser warns before closing.
 */

import { useCallback, useSyncExternalStore } from 'react';
import { isDeepEqual } from '../../../src/platform/lib/objects/deep-equal.ts';
import { currentWorkspace } from './workspace.ts';

const drafts = new Map<string, object | null>();
/** Changes that closing the window would lose. */
const unsavedKeys = new Set<string>();
const watchers = new Set<() => void>();

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};
const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Turns the browser's warning before closing on or off for this key. */
export function warnBeforeClosing(key: string, isFleeting: boolean): void {
  if (isFleeting) unsavedKeys.add(key);
  else unsavedKeys.delete(key);
  if (unsavedKeys.size > 0) window.addEventListener('beforeunload', confirmLeaving);
  else window.removeEventListener('beforeunload', confirmLeaving);
}

function storeDraft(key: string, draft: object | null): void {
  drafts.set(key, draft);
  warnBeforeClosing(key, draft !== null);
  for (const notify of watchers) notify();
}

// The drafts belong to the person who signed out.
currentWorkspace.watch(() => {
  drafts.clear();
  for (const key of unsavedKeys) warnBeforeClosing(key, false);
});

const draftOf = (key: string): object | null => drafts.get(key) ?? null;

type Draft<T> = [draft: T | null, set: (draft: T | null) => void];

/** `of` identifies what is edited; null means no draft. */
export function useUnsavedEdits<T extends object>(of: string): Draft<T> {
  const draft = useSyncExternalStore(watch, () => draftOf(of));
  return [draft as T | null, useCallback((next) => storeDraft(of, next), [of])];
}

/** The fields of `value` that differ from those of `stored`. */
export const pickChangedFields = <T extends object>(value: Partial<T>, stored: T) =>
  Object.fromEntries(
    Object.entries(value).filter(([key, one]) => !isDeepEqual(one, stored[key as keyof T])),
  ) as Partial<T>;

/**
 * A record being edited: only the changed fields are a draft, the rest follows the service. `maps`: fields whose
 * entries are separate drafts.
 */
export function useEdits<T extends object>(of: string, stored: T, maps: readonly (keyof T)[] = []) {
  const [edits, put] = useUnsavedEdits<Partial<T>>(of);
  const value = { ...stored, ...edits };
  for (const name of maps) value[name] = { ...stored[name], ...edits?.[name] };
  const set = (change: Partial<T>) => {
    const changes = pickChangedFields({ ...value, ...change }, stored);
    for (const name of maps)
      if (changes[name])
        changes[name] = pickChangedFields(changes[name] as object, stored[name] as object) as T[keyof T];
    put(Object.keys(changes).length > 0 ? changes : null);
  };
  return {
    value,
    set,
    edits: edits ?? ({} as Partial<T>),
    discard: () => put(null),
    /** Drops the saved changes from the draft, but keeps what was typed since. */
    saved: (sentFields: Partial<T>) => {
      const remaining = pickChangedFields((draftOf(of) ?? {}) as Partial<T>, sentFields as T);
      for (const name of maps)
        if (remaining[name] && sentFields[name])
          remaining[name] = pickChangedFields(
            remaining[name] as object,
            sentFields[name] as object,
          ) as T[keyof T];
      put(Object.keys(remaining).length > 0 ? remaining : null);
    },
  };
}
