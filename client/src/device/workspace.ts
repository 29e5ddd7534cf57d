/**
 * Everything that belongs to one person: cached replies, views of the store, the sender, unsaved input, open pages. A
 * workspace opens for the signed-in person and ends when someone else signs in or nobody is signed in, together with
 * everything it owns, including running requests. An expired session changes nothing: it is still the same person.
 */

import { observable } from './observable.ts';
import { ownersAllowedToWrite } from './store/store.ts';
import { currentSession } from './stored-session.ts';

/** The request belongs to a person who is no longer the current one. */
export class PersonChanged extends Error {
  override readonly name = 'Ended';
}

export interface PersonScope {
  /** The user's id, or '' if nobody is signed in. */
  readonly owner: string;
  /** Unique per workspace, even for the same person. */
  readonly key: number;
  readonly ended: AbortSignal;
  /** Creates one instance per workspace; `make` is the key. */
  getOrCreate<T>(make: (workspace: PersonScope) => T): T;
  /** Runs at the end, while the store still accepts this person's last input. */
  onEnd(act: () => unknown): void;
}

/** The last input must be stored within this time; then the store is closed to it. */
const FINAL_WRITES_MS = 5_000;

let opened = 0;

function open(owner: string): PersonScope & { end(): void } {
  const ending = new AbortController();
  const owned = new Map<unknown, unknown>();
  const last: (() => unknown)[] = [];
  const writer = { owner };
  ownersAllowedToWrite.add(writer);
  opened += 1;
  const workspace: PersonScope = {
    owner,
    key: opened,
    ended: ending.signal,
    getOrCreate: <T>(make: (workspace: PersonScope) => T) => {
      if (!owned.has(make)) owned.set(make, make(workspace));
      return owned.get(make) as T;
    },
    onEnd: (act) => {
      last.push(act);
    },
  };
  const end = () => {
    const closing = Promise.allSettled(last.map(async (act) => act()));
    ending.abort(new PersonChanged());
    owned.clear();
    const timeout = new Promise((resolve) => setTimeout(resolve, FINAL_WRITES_MS));
    void Promise.race([closing, timeout]).then(() => ownersAllowedToWrite.delete(writer));
  };
  return Object.assign(workspace, { end });
}

let current = open('');

export const currentWorkspace = observable<PersonScope>(current);

/** The page history belongs to the previous person too. */
const clearHistoryState = () => history.replaceState(null, '', '/');

/** Registered first, so it runs before anything else sees the new session. */
currentSession.watch(() => {
  const owner = currentSession.get()?.user.id ?? '';
  if (owner === current.owner) return;
  const before = current;
  current = open(owner);
  before.end();
  if (before.owner) clearHistoryState();
  currentWorkspace.set(current);
});
