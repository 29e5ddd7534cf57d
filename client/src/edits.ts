/**
 * Unsaved changes. They stay while the app is open, so people who look at another page and come back find them again.
 * The browser warns before closing, unless they are stored on the device.
 */

import { useCallback, useSyncExternalStore } from 'react';
import { isDeepEqual } from '../../src/lib/deep-equal.ts';
import { parsedJson } from '../../src/lib/parsed-json.ts';
import { dropSetting, keepSetting, readSetting } from './device/local-settings.ts';
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

/** The text on the device as this window last read or wrote it: another one is another window's. */
const known = new Map<string, string | null>();
/** Drafts that another window has changed, or dropped (null), and that this window has otherwise. */
const elsewhere = new Map<string, object | null>();

function tell(): void {
  if (fleeting.size > 0) window.addEventListener('beforeunload', askFirst);
  else window.removeEventListener('beforeunload', askFirst);
  for (const notify of watchers) notify();
}

function keep(key: string, draft: object | null, lasting: boolean): void {
  drafts.set(key, draft);
  if (lasting) hear(key, readSetting(settingOf(key)));
  const lasts = lasting && !elsewhere.has(key) && store(key, draft);
  if (draft === null || lasts) fleeting.delete(key);
  else fleeting.add(key);
  tell();
}

/** Whether it outlasts the window. */
function store(key: string, draft: object | null): boolean {
  const stored = draft !== null && keepSetting(settingOf(key), JSON.stringify(draft));
  if (draft === null) dropSetting(settingOf(key));
  known.set(key, readSetting(settingOf(key)));
  return stored;
}

/** What stands on the device now, for a draft that this window has. */
function hear(key: string, text: string | null): void {
  if (!known.has(key)) return;
  const mine = drafts.get(key) ?? null;
  const same = text === (mine && JSON.stringify(mine));
  if (same) {
    known.set(key, text);
    fleeting.delete(key);
  }
  if (same || text === known.get(key)) elsewhere.delete(key);
  else elsewhere.set(key, parsed(text));
}

window.addEventListener('storage', ({ key: setting, newValue }) => {
  const key = setting?.startsWith(settingOf('')) ? setting.slice(settingOf('').length) : null;
  if (key === null) return;
  hear(key, newValue);
  tell();
});

/** What can not be read is none. */
function parsed(text: string | null): object | null {
  const draft = parsedJson(text ?? 'null');
  return typeof draft === 'object' ? draft : null;
}

function draftOf(key: string, lasting: boolean): object | null {
  const draft = drafts.get(key);
  if (draft !== undefined || !lasting) return draft ?? null;
  // Of an earlier window.
  known.set(key, readSetting(settingOf(key)));
  drafts.set(key, parsed(known.get(key) ?? null));
  return drafts.get(key) ?? null;
}

type Draft<T> = [draft: T | null, set: (draft: T | null) => void];

/** Nobody else who signs in here gets to see it. */
const useDraftKey = (of: string): string => `${useUser().id} ${of}`;

function useDrafts<T extends object>(of: string, lasting: boolean): Draft<T> {
  const key = useDraftKey(of);
  const draft = useSyncExternalStore(watch, () => draftOf(key, lasting));
  return [draft as T | null, useCallback((next) => keep(key, next, lasting), [key, lasting])];
}

/** `of` names what is written on; null is no draft. */
export const useDraft = <T extends object>(of: string): Draft<T> => useDrafts<T>(of, false);

/** The same, for much work and nobody's data: it is found again after the window was closed. */
export const useKeptDraft = <T extends object>(of: string): Draft<T> => useDrafts<T>(of, true);

/**
 * The kept draft as another window has it; undefined where the two agree. Until `settle` says that somebody chose,
 * this window stores nothing.
 */
export function useDraftElsewhere<T extends object>(of: string) {
  const key = useDraftKey(of);
  const other = useSyncExternalStore(watch, () => elsewhere.get(key)) as T | null | undefined;
  const settle = () => {
    known.set(key, readSetting(settingOf(key)));
    elsewhere.delete(key);
  };
  return { other, settle };
}

/** The fields of `value` that differ from those of `stored`. */
export const differing = <T extends object>(value: Partial<T>, stored: T) =>
  Object.fromEntries(
    Object.entries(value).filter(([key, one]) => !isDeepEqual(one, stored[key as keyof T])),
  ) as Partial<T>;

/**
 * A record as it is being changed: only what was touched is a draft, the rest follows what the service says. `maps`:
 * fields of which each entry is a draft by itself.
 */
export function useEdits<T extends object>(of: string, stored: T, maps: readonly (keyof T)[] = []) {
  const key = useDraftKey(of);
  const [edits, put] = useDraft<Partial<T>>(of);
  const value = { ...stored, ...edits };
  for (const name of maps) value[name] = { ...stored[name], ...edits?.[name] };
  const set = (change: Partial<T>) => {
    const changed = differing({ ...value, ...change }, stored);
    for (const name of maps)
      if (changed[name])
        changed[name] = differing(changed[name] as object, stored[name] as object) as T[keyof T];
    put(Object.keys(changed).length > 0 ? changed : null);
  };
  return {
    value,
    set,
    edits: edits ?? ({} as Partial<T>),
    discard: () => put(null),
    /** What was sent is stored; what was typed since stays. */
    saved: (sent: Partial<T>) => {
      const left = differing((draftOf(key, false) ?? {}) as Partial<T>, sent as T);
      for (const name of maps)
        if (left[name] && sent[name])
          left[name] = differing(left[name] as object, sent[name] as object) as T[keyof T];
      put(Object.keys(left).length > 0 ? left : null);
    },
  };
}
