/**
 * Everything that belongs to one person: cached replies, views of the store, the sender, unsaved input, open pages. A
 * workspace opens for the signed-in person and ends when someone else signs in or nobody is signed in, together with
 * everything it owns, including running requests. An expired session changes nothing: it is still the same person.
 */

import { observable } from './observable.ts';
import { storeWriters } from './store/store.ts';
import { currentSession } from './stored-session.ts';

/** Asked for by a person who is not the one at work any more. */
export class PersonLeft extends Error {
  override readonly name = 'Ended';
}

export interface Workspace {
  /** A user's id, or '' where nobody is signed in. */
  readonly owner: string;
  /** Another one for each workspace, also of the same person. */
  readonly key: number;
  readonly ended: AbortSignal;
  /** The thing that this makes, made once for this workspace. */
  getOrCreate<T>(make: (workspace: Workspace) => T): T;
  /** Done at the end, while the store still takes what this person typed last. */
  onEnd(act: () => unknown): void;
}

/** What is typed last is stored within this time, or the store is closed to it. */
const LAST_WRITES_MS = 5_000;

let opened = 0;

function open(owner: string): Workspace & { end(): void } {
  const ending = new AbortController();
  const owned = new Map<unknown, unknown>();
  const last: (() => unknown)[] = [];
  const writer = { owner };
  storeWriters.add(writer);
  opened += 1;
  const workspace: Workspace = {
    owner,
    key: opened,
    ended: ending.signal,
    getOrCreate: <T>(make: (workspace: Workspace) => T) => {
      if (!owned.has(make)) owned.set(make, make(workspace));
      return owned.get(make) as T;
    },
    onEnd: (act) => {
      last.push(act);
    },
  };
  const end = () => {
    const closing = Promise.allSettled(last.map(async (act) => act()));
    ending.abort(new PersonLeft());
    owned.clear();
    const timeout = new Promise((resolve) => setTimeout(resolve, LAST_WRITES_MS));
    void Promise.race([closing, timeout]).then(() => storeWriters.delete(writer));
  };
  return Object.assign(workspace, { end });
}

let current = open('');

export const workspace = observable<Workspace>(current);

/** Where one stood and would go next was the other's too. */
const forgetPlace = () => history.replaceState(null, '', '/');

/** Before anything else hears of the new session. */
currentSession.watch(() => {
  const owner = currentSession.get()?.user.id ?? '';
  if (owner === current.owner) return;
  const before = current;
  current = open(owner);
  before.end();
  if (before.owner) forgetPlace();
  workspace.set(current);
});
