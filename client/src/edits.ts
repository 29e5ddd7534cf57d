/**
 * What is written and not saved yet. It stays while the app is open: whoever looks at another page and comes back
 * finds the own words again. The browser asks before it closes over them, unless they are kept on the device.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { dropSetting, keepSetting, readSetting } from './device/small-store.ts';
import { useUser } from './session.tsx';

const drafts = new Map<string, object | null>();
/** Those that would be gone with the window. */
const fleeting = new Set<string>();
const watchers = new Set<() => void>();

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

const settingOf = (key: string) => `draft ${key}`;

function keep(key: string, draft: object | null, lasting: boolean): void {
  drafts.set(key, draft);
  const lasts = lasting && draft !== null && keepSetting(settingOf(key), JSON.stringify(draft));
  if (lasting && draft === null) dropSetting(settingOf(key));
  if (draft === null || lasts) fleeting.delete(key);
  else fleeting.add(key);
  if (fleeting.size > 0) window.addEventListener('beforeunload', askFirst);
  else window.removeEventListener('beforeunload', askFirst);
  for (const notify of watchers) notify();
}

/** Of an earlier window; what can not be read is none. */
function found(key: string): object | null {
  try {
    const draft: unknown = JSON.parse(readSetting(settingOf(key)) ?? 'null');
    return typeof draft === 'object' ? draft : null;
  } catch {
    return null;
  }
}

function draftOf(key: string, lasting: boolean): object | null {
  const draft = drafts.get(key);
  if (draft !== undefined || !lasting) return draft ?? null;
  drafts.set(key, found(key));
  return drafts.get(key) ?? null;
}

type Draft<T> = [draft: T | null, set: (draft: T | null) => void];

function useDrafts<T extends object>(of: string, lasting: boolean): Draft<T> {
  const key = `${useUser().id} ${of}`;
  const draft = useSyncExternalStore(watch, () => draftOf(key, lasting));
  return [draft as T | null, useCallback((next) => keep(key, next, lasting), [key, lasting])];
}

/** `of` names what is written on; null is no draft. Nobody else who signs in here gets to see it. */
export const useDraft = <T extends object>(of: string): Draft<T> => useDrafts<T>(of, false);

/** The same, for much work and nobody's data: it is found again after the window was closed. */
export const useKeptDraft = <T extends object>(of: string): Draft<T> => useDrafts<T>(of, true);
