/**
 * What is written and not saved yet. It stays while the app is open: whoever looks at another page and comes back
 * finds the own words again. The browser asks before it closes over them.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { useUser } from './session.tsx';

const drafts = new Map<string, object>();
const watchers = new Set<() => void>();

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

function keep(key: string, draft: object | null): void {
  if (draft) drafts.set(key, draft);
  else drafts.delete(key);
  if (drafts.size > 0) window.addEventListener('beforeunload', askFirst);
  else window.removeEventListener('beforeunload', askFirst);
  for (const notify of watchers) notify();
}

/** `of` names what is written on; null is no draft. Nobody else who signs in here gets to see it. */
export function useDraft<T extends object>(of: string): [draft: T | null, set: (draft: T | null) => void] {
  const key = `${useUser().id} ${of}`;
  const draft = useSyncExternalStore(watch, () => drafts.get(key) ?? null);
  return [draft as T | null, useCallback((next) => keep(key, next), [key])];
}
