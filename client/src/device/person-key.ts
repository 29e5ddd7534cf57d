/**
 * The key of a person on this device: what is stored of their interviews is sealed for its `recipient`, which is known
 * also while the key is locked, and opened with its `identity`.
 *
 * Without a lock the identity lies on the device while its person is signed in, until `storeKey` stores what a lock has made
 * of it: kept in memory alone, it would be lost with the window, and with it what it has sealed. key-rows.ts says how.
 */
import { canSeal } from './can-seal.ts';
import type { StoredKey } from './key-rows.ts';
import { observable } from './observable.ts';
import type { OpenSealed, Seal } from './sealing.ts';
import { storeGeneration } from './store/open-store.ts';
import { db } from './store/store.ts';
import { currentSession } from './stored-session.ts';
import { withTabLock } from './tab-lock.ts';

export interface PersonKey {
  readonly owner: string;
  readonly recipient: string;
  /** Null while it is locked. */
  readonly identity: string | null;
}

/** Of whoever is at work in this window; null before it is loaded, without anybody, and where nothing can be sealed. */
export const personKey = observable<PersonKey | null>(null);

/** The program that seals and opens. */
export const importSealing = () => import('./sealing.ts');

/** What stays in the store: whose keys lie here, and which of them in plaintext. */
interface KeyNote {
  recipient: string;
  inClear: boolean;
  /** The key is the one that is about to take the place of another. */
  isNext?: boolean;
}

const NOTE = 'person-key-';
const noteOf = (owner: string) => NOTE + owner;

/**
 * In a window, what was stored or unlocked last: put back where the browser threw the stores away under the open app. A key
 * without its note was destroyed by another window.
 */
const lastStored = new Map<string, StoredKey>();
storeGeneration.watch(() => {
  for (const [owner, key] of lastStored) void putBack(owner, key).catch(() => undefined);
});

async function putBack(owner: string, key: StoredKey): Promise<void> {
  if ((await readNote(owner)) && !(await readKey(owner))) await writeKey(owner, key);
}

const databaseOf = (owner: string) => `key-${owner}`;
/** A key that is about to take the place of another, so that a browser that is killed meanwhile has one of them. */
const nextOf = (owner: string) => `${databaseOf(owner)}-next`;

/** Loaded with the first page after the sign-in. */
const loadRows = () => import('./key-rows.ts');

const readNote = async (owner: string): Promise<KeyNote | undefined> =>
  (await db.kept.get(noteOf(owner)))?.value as KeyNote | undefined;

const writeNote = (owner: string, { recipient, identity }: StoredKey, isNext = false) =>
  db.kept.put({
    key: noteOf(owner),
    value: { recipient, inClear: identity !== undefined, isNext } satisfies KeyNote,
  });

async function readKey(owner: string) {
  const { readRow } = await loadRows();
  const [first, second] = (await readNote(owner))?.isNext
    ? [nextOf(owner), databaseOf(owner)]
    : [databaseOf(owner), nextOf(owner)];
  return (await readRow(first)) ?? (await readRow(second));
}

/** The note first: a key in plaintext that no note tells of would stay after signing out, if the browser is killed in between. */
async function writeKey(owner: string, key: StoredKey): Promise<void> {
  await writeNote(owner, key);
  await (await loadRows()).writeRow(databaseOf(owner), key);
}

/** What lies on this device of a person's key. Another window may have stored it. */
export async function storedKey(owner: string): Promise<StoredKey | null> {
  return (await readKey(owner)) ?? null;
}

/**
 * In place of what was stored before, of which nothing stays in the browser's files. `change`: what has to change in the
 * store at the same moment, so that a browser that is killed has either all of the former state or all of the next.
 */
export const storeKey = (owner: string, key: StoredKey, change?: () => PromiseLike<unknown>): Promise<void> =>
  withTabLock(`key-${owner}`, () => storeInTurn(owner, key, change));

async function storeInTurn(
  owner: string,
  key: StoredKey,
  change?: () => PromiseLike<unknown>,
): Promise<void> {
  const { writeRow } = await loadRows();
  await writeRow(nextOf(owner), key);
  await db.transaction('rw', db.kept, async () => {
    await writeNote(owner, key, true);
    await change?.();
  });
  await replaceKey(owner, key);
}

async function replaceKey(owner: string, key: StoredKey): Promise<void> {
  const { deleteRow, writeRow } = await loadRows();
  await deleteRow(databaseOf(owner));
  await writeRow(databaseOf(owner), key);
  await writeNote(owner, key);
  await deleteRow(nextOf(owner));
  lastStored.set(owner, key);
}

/** What a browser that was killed meanwhile has left. */
const finishStoring = (owner: string): Promise<void> =>
  withTabLock(`key-${owner}`, async () => {
    const { deleteRow, readRow } = await loadRows();
    const key = (await readNote(owner))?.isNext ? await readRow(nextOf(owner)) : undefined;
    if (key) await replaceKey(owner, key);
    else await deleteRow(nextOf(owner));
  });

/** Everything of it, here and in the browser's files. What is sealed stays; only the study can open it. */
export async function destroyKey(owner: string): Promise<void> {
  lastStored.delete(owner);
  loading.delete(owner);
  if (personKey.get()?.owner === owner) setKey(null);
  const { deleteRow, writeRow } = await loadRows();
  await deleteRow(databaseOf(owner));
  // Chromium merges its files when a database is deleted, with the tables that earlier deletions have left.
  await writeRow(nextOf(owner), { recipient: '' });
  await deleteRow(nextOf(owner));
  await db.kept.delete(noteOf(owner));
}

/** Everybody whose key lies on this device. */
export async function keyOwners(): Promise<string[]> {
  const names = await db.kept.where('key').startsWith(NOTE).primaryKeys();
  return names.map((key) => key.slice(NOTE.length));
}

/** A key in plaintext lies here for no longer than its person is signed in, whatever ended the app meanwhile. */
export async function destroyClearKeys(isOver: (owner: string) => boolean): Promise<void> {
  const notes = await db.kept.where('key').startsWith(NOTE).toArray();
  for (const { key, value } of notes) {
    const owner = key.slice(NOTE.length);
    if ((value as KeyNote).inClear && isOver(owner)) await destroyKey(owner);
    else await finishStoring(owner);
  }
}

/** Forgets what the former key has opened. */
let opening: { identity: string; open: OpenSealed } | null = null;

function setKey(key: PersonKey | null): void {
  if (!key?.identity) opening = null;
  personKey.set(key);
}

const loading = new Map<string, Promise<PersonKey | null>>();

/** No key is made, nor read, for anybody else. */
class NotAtWork extends Error {
  override readonly name = 'NotAtWork';
}

/** The key of the person who is at work here; made where this device has none. Null where nothing can be sealed. */
export async function loadPersonKey(owner: string): Promise<PersonKey | null> {
  if (!canSeal()) return null;
  const current = personKey.get();
  if (current?.owner === owner) return current;
  const pending = loading.get(owner);
  if (pending) return await pending;
  const isAtWork = () => currentSession.get()?.user.id === owner;
  const creation = withTabLock(`key-${owner}`, async () => {
    if (!isAtWork()) throw new NotAtWork();
    return await readOrMake(owner);
  }).then((key) => {
    if (!isAtWork()) throw new NotAtWork();
    setKey(key);
    return key;
  });
  loading.set(owner, creation);
  creation.finally(() => loading.delete(owner)).catch(() => undefined);
  return await creation;
}

async function readOrMake(owner: string): Promise<PersonKey> {
  const stored = await readKey(owner);
  if (stored) {
    lastStored.set(owner, stored);
    if (stored.isFromBefore) await storeInTurn(owner, stored).catch(() => undefined);
    return { owner, recipient: stored.recipient, identity: stored.identity ?? null };
  }
  const { newIdentity, recipientOf } = await importSealing();
  const identity = newIdentity();
  const recipient = recipientOf(identity);
  await writeKey(owner, { recipient, identity });
  lastStored.set(owner, { recipient, identity });
  return { owner, recipient, identity };
}

/** From now on what is sealed can be opened in this window. False for the key of somebody else. */
export async function unlockPersonKey(owner: string, identity: string): Promise<boolean> {
  const { recipientOf } = await importSealing();
  const recipient = recipientOf(identity);
  const stored = await storedKey(owner);
  if (stored?.recipient !== recipient) return false;
  lastStored.set(owner, stored);
  setKey({ owner, recipient, identity });
  return true;
}

/** From now on nothing can be opened in this window; what is written is sealed as before. */
export function lockPersonKey(): void {
  const key = personKey.get();
  if (key) setKey({ ...key, identity: null });
}

/** Nobody is at work here any more, or somebody else. */
export function leavePersonKey(owner = personKey.get()?.owner): void {
  // Another window may put it under a lock.
  if (owner && lastStored.get(owner)?.identity) lastStored.delete(owner);
  // Whoever comes next may have been unlocked by now.
  if (personKey.get()?.owner === owner) setKey(null);
}

export interface PersonSealing {
  /** Null while the key is locked. */
  open: OpenSealed | null;
  recipient: string;
  /** For these readers beside the person. */
  sealer(others: readonly string[]): Seal;
}

/** What seals and opens for this person, without waiting from here on. Null where nothing can be sealed. */
export async function sealingOf(owner: string): Promise<PersonSealing | null> {
  const key = await loadPersonKey(owner);
  if (!key) return null;
  const { createOpener: opener, sealer } = await importSealing();
  const { identity, recipient } = key;
  // It may have been locked, or left, meanwhile.
  if (identity && personKey.get()?.identity === identity && opening?.identity !== identity)
    opening = { identity, open: opener(identity) };
  return {
    open: identity && opening?.identity === identity ? opening.open : null,
    recipient,
    // The person comes first: opening tries one reader after the other.
    sealer: (others) => sealer([recipient, ...others]),
  };
}
