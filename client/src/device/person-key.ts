/**
 * A person's key pair on this device. Their stored interviews are encrypted for its `recipient`, which is
 * known even while locked, and decrypted with its `identity`.
 *
 * Without a lock, the identity is stored on the device while its person is signed in (key-rows.ts says how),
 * until `storePersonKey` replaces it with a version encrypted by a lock. If it were only kept in memory, closing
 * the window would lose it and everything encrypted for it.
 */
import { canSeal } from './can-seal.ts';
import type { StoredKey } from './key-rows.ts';
import { observable } from './observable.ts';
import type { FieldSealer, OpenSealed } from './sealing.ts';
import { storeGeneration } from './store/open-store.ts';
import { deviceDb } from './store/store.ts';
import { currentSession } from './stored-session.ts';
import { withTabLock } from './tab-lock.ts';

export interface PersonKey {
  readonly owner: string;
  readonly recipient: string;
  /** Null while locked. */
  readonly identity: string | null;
}

/**
 * The current person's key in this window. Null until it is loaded, while nobody is signed in, and if encryption
 * isn't available.
 */
export const currentUserKey = observable<PersonKey | null>(null);

/** Loads the encryption code. */
export const loadSealingModule = () => import('./sealing.ts');

/** Kept in the store: whose keys are on this device, and which of them are unencrypted. */
interface KeyNote {
  recipient: string;
  inClear: boolean;
  /** This key is about to replace another one. */
  isNext?: boolean;
}

const NOTE_PREFIX = 'person-key-';
const noteOf = (owner: string) => NOTE_PREFIX + owner;

/**
 * The keys last stored or unlocked in this window. They are written back if the browser clears the databases while
 * the app is open. A key without its note was destroyed by another window, so it isn't restored.
 */
const lastStored = new Map<string, StoredKey>();
storeGeneration.watch(() => {
  for (const [owner, key] of lastStored) void restoreKey(owner, key).catch(() => undefined);
});

async function restoreKey(owner: string, key: StoredKey): Promise<void> {
  if ((await readNote(owner)) && !(await readKey(owner))) await writeKey(owner, key);
}

const databaseOf = (owner: string) => `key-${owner}`;
/** The key that is about to replace the current one. If the browser is killed meanwhile, one of the two survives. */
const nextDatabaseOf = (owner: string) => `${databaseOf(owner)}-next`;

/** Loaded with the first page after signing in. */
const loadRows = () => import('./key-rows.ts');

const readNote = async (owner: string): Promise<KeyNote | undefined> =>
  (await deviceDb.kept.get(noteOf(owner)))?.value as KeyNote | undefined;

const writeNote = (owner: string, { recipient, identity }: StoredKey, isNext = false) =>
  deviceDb.kept.put({
    key: noteOf(owner),
    value: { recipient, inClear: identity !== undefined, isNext } satisfies KeyNote,
  });

async function readKey(owner: string) {
  const { readKeyRow: readRow } = await loadRows();
  const [first, second] = (await readNote(owner))?.isNext
    ? [nextDatabaseOf(owner), databaseOf(owner)]
    : [databaseOf(owner), nextDatabaseOf(owner)];
  return (await readRow(first)) ?? (await readRow(second));
}

/**
 * Writes the note first: an unencrypted key without a note would survive signing out if the browser is killed in
 * between.
 */
async function writeKey(owner: string, key: StoredKey): Promise<void> {
  await writeNote(owner, key);
  await (await loadRows()).writeKeyRow(databaseOf(owner), key);
}

/** This person's key as stored on this device, possibly by another window. */
export async function findStoredKey(owner: string): Promise<StoredKey | null> {
  return (await readKey(owner)) ?? null;
}

/**
 * Replaces the stored key and leaves no trace of the old one in the browser's files. `change` runs in the same
 * transaction: if the browser is killed, either all of the old state or all of the new one remains.
 */
export const storePersonKey = (
  owner: string,
  key: StoredKey,
  change?: () => PromiseLike<unknown>,
): Promise<void> => withTabLock(`key-${owner}`, () => storeInTurn(owner, key, change));

async function storeInTurn(
  owner: string,
  key: StoredKey,
  change?: () => PromiseLike<unknown>,
): Promise<void> {
  const { writeKeyRow: writeRow } = await loadRows();
  await writeRow(nextDatabaseOf(owner), key);
  await deviceDb.transaction('rw', deviceDb.kept, async () => {
    await writeNote(owner, key, true);
    await change?.();
  });
  await replaceKey(owner, key);
}

async function replaceKey(owner: string, key: StoredKey): Promise<void> {
  const { deleteKeyRow, writeKeyRow: writeRow } = await loadRows();
  await deleteKeyRow(databaseOf(owner));
  await writeRow(databaseOf(owner), key);
  await writeNote(owner, key);
  await deleteKeyRow(nextDatabaseOf(owner));
  lastStored.set(owner, key);
}

/** Finishes a replacement that was interrupted because the browser was killed. */
const finishStoring = (owner: string): Promise<void> =>
  withTabLock(`key-${owner}`, async () => {
    const { deleteKeyRow, readKeyRow: readRow } = await loadRows();
    const key = (await readNote(owner))?.isNext ? await readRow(nextDatabaseOf(owner)) : undefined;
    if (key) await replaceKey(owner, key);
    else await deleteKeyRow(nextDatabaseOf(owner));
  });

/**
 * Deletes the key, here and in the browser's files. Data encrypted for it stays, and only the study can decrypt it.
 */
export async function destroyPersonKey(owner: string): Promise<void> {
  lastStored.delete(owner);
  loading.delete(owner);
  if (currentUserKey.get()?.owner === owner) setKey(null);
  const { deleteKeyRow, writeKeyRow: writeRow } = await loadRows();
  await deleteKeyRow(databaseOf(owner));
  // Deleting a database makes Chromium compact its files, including what earlier deletions left behind.
  await writeRow(nextDatabaseOf(owner), { recipient: '' });
  await deleteKeyRow(nextDatabaseOf(owner));
  await deviceDb.kept.delete(noteOf(owner));
}

/** Everyone with a key on this device. */
export async function keyOwnersOnDevice(): Promise<string[]> {
  const names = await deviceDb.kept.where('key').startsWith(NOTE_PREFIX).primaryKeys();
  return names.map((key) => key.slice(NOTE_PREFIX.length));
}

/** Deletes the unencrypted keys of people who are no longer signed in, however the app ended. */
export async function destroyClearKeys(isOver: (owner: string) => boolean): Promise<void> {
  const notes = await deviceDb.kept.where('key').startsWith(NOTE_PREFIX).toArray();
  for (const { key, value } of notes) {
    const owner = key.slice(NOTE_PREFIX.length);
    if ((value as KeyNote).inClear && isOver(owner)) await destroyPersonKey(owner);
    else await finishStoring(owner);
  }
}

/** Caches the opener, and thus what it has decrypted. Dropped when the key is locked. */
let opening: { identity: string; open: OpenSealed } | null = null;

function setKey(key: PersonKey | null): void {
  if (!key?.identity) opening = null;
  currentUserKey.set(key);
}

const loading = new Map<string, Promise<PersonKey | null>>();

/** Keys are only created and read for the person who is signed in. */
class NotSignedIn extends Error {
  override readonly name = 'NotAtWork';
}

/** The signed-in person's key, created if this device has none. Null if encryption isn't available. */
export async function loadUserKey(owner: string): Promise<PersonKey | null> {
  if (!canSeal()) return null;
  const current = currentUserKey.get();
  if (current?.owner === owner) return current;
  const pending = loading.get(owner);
  if (pending) return await pending;
  const isAtWork = () => currentSession.get()?.user.id === owner;
  const creation = withTabLock(`key-${owner}`, async () => {
    if (!isAtWork()) throw new NotSignedIn();
    return await readOrMake(owner);
  }).then((key) => {
    if (!isAtWork()) throw new NotSignedIn();
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
  const { newAgeIdentity, ageRecipientOf } = await loadSealingModule();
  const identity = newAgeIdentity();
  const recipient = ageRecipientOf(identity);
  await writeKey(owner, { recipient, identity });
  lastStored.set(owner, { recipient, identity });
  return { owner, recipient, identity };
}

/** From now on this window can decrypt. False if the key belongs to someone else. */
export async function activatePersonKey(owner: string, identity: string): Promise<boolean> {
  const { ageRecipientOf } = await loadSealingModule();
  const recipient = ageRecipientOf(identity);
  const stored = await findStoredKey(owner);
  if (stored?.recipient !== recipient) return false;
  lastStored.set(owner, stored);
  setKey({ owner, recipient, identity });
  return true;
}

/** From now on this window can't decrypt. It still encrypts as before. */
export function forgetDecryptionKey(): void {
  const key = currentUserKey.get();
  if (key) setKey({ ...key, identity: null });
}

/** This person is no longer the current one. */
export function leavePersonKey(owner = currentUserKey.get()?.owner): void {
  // Another window may put the key under a lock.
  if (owner && lastStored.get(owner)?.identity) lastStored.delete(owner);
  // The next person may already have unlocked.
  if (currentUserKey.get()?.owner === owner) setKey(null);
}

export interface PersonSealing {
  /** Null while locked. */
  open: OpenSealed | null;
  recipient: string;
  /** Encrypts for the person and these recipients. */
  sealer(others: readonly string[]): FieldSealer;
}

/** Encrypts and decrypts for this person, synchronously from here on. Null if encryption isn't available. */
export async function loadPersonSealing(owner: string): Promise<PersonSealing | null> {
  const key = await loadUserKey(owner);
  if (!key) return null;
  const { createSealOpener: opener, sealer } = await loadSealingModule();
  const { identity, recipient } = key;
  // The key may have been locked or replaced meanwhile.
  if (identity && currentUserKey.get()?.identity === identity && opening?.identity !== identity)
    opening = { identity, open: opener(identity) };
  return {
    open: identity && opening?.identity === identity ? opening.open : null,
    recipient,
    // The person comes first, because decrypting tries one recipient after the other.
    sealer: (others) => sealer([recipient, ...others]),
  };
}
