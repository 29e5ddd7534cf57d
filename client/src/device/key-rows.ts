/**
 * Keys stored on the device, each in a small database of its own: browsers remove a deleted database from their files
 * soon, but a deleted row may stay readable for a long time. That is still not soon enough for an unencrypted key, so
 * the database only holds it masked with a one-time pad, and the pad is in a file that can be overwritten in place.
 */

export interface StoredKey {
  recipient: string;
  /** Unencrypted, if there is no lock. */
  identity?: string;
  /** The identity, encrypted by the lock. */
  wrapped?: unknown;
}

/** `identity` is only set in browsers that can't overwrite a file in place. */
interface Row {
  recipient: string;
  wrapped?: unknown;
  identity?: string;
  /** The identity, masked with the pad. */
  masked?: Uint8Array;
  /** This browser can't store a pad. Absent in rows of earlier versions, which had no pads. */
  isPadless?: boolean;
}

const ROWS = 'key';
const ROW = 0;

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opened only briefly, so that it can be deleted at any time. */
async function withDatabase<T>(name: string, act: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(ROWS);
  const database = await resultOf(opening);
  try {
    const transaction = database.transaction(ROWS, 'readwrite', { durability: 'strict' });
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [value] = await Promise.all([resultOf(act(transaction.objectStore(ROWS))), committed]);
    return value;
  } finally {
    database.close();
  }
}

/** `isFromBefore`: stored unmasked by an earlier version. */
export async function readKeyRow(
  name: string,
): Promise<(StoredKey & { isFromBefore?: boolean }) | undefined> {
  const row = await withDatabase(name, (rows) => rows.get(ROW) as IDBRequest<Row | undefined>);
  if (!row?.masked) return row && toKey(row);
  const pad = await readPad(name);
  const identity = pad && new TextDecoder().decode(mask(row.masked, pad));
  // Without its pad the key is lost, for example if the browser was killed while overwriting the pad.
  return identity?.startsWith('AGE-') ? { recipient: row.recipient, identity } : undefined;
}

function toKey({ recipient, identity, wrapped, isPadless }: Row) {
  if (identity === undefined) return { recipient, wrapped };
  return { recipient, identity, ...(isPadless ? {} : { isFromBefore: true }) };
}

/** Writes the pad first, because the row is useless without it. */
export async function writeKeyRow(name: string, { recipient, identity, wrapped }: StoredKey): Promise<void> {
  const row =
    identity === undefined ? { recipient, wrapped } : await encryptWithPad(name, { recipient, identity });
  await withDatabase(name, (rows) => rows.put(row, ROW));
}

async function encryptWithPad(name: string, whole: { recipient: string; identity: string }): Promise<Row> {
  const text = new TextEncoder().encode(whole.identity);
  const pad = crypto.getRandomValues(new Uint8Array(text.length));
  const { recipient } = whole;
  return (await writeInWorker(name, pad))
    ? { recipient, masked: mask(text, pad) }
    : { ...whole, isPadless: true };
}

/** Deletes the pad first: without it, remains of the row in the browser's files are useless. */
export async function deleteKeyRow(name: string): Promise<void> {
  if (await readPad(name).catch(() => true)) await writeInWorker(name, null);
  await resultOf(indexedDB.deleteDatabase(name));
}

const mask = (bytes: Uint8Array, pad: Uint8Array) => bytes.map((byte, at) => byte ^ (pad[at] ?? 0));

/** The page's private file system, or null if there is none, as in some private windows. */
const folder = async (): Promise<FileSystemDirectoryHandle | null> =>
  (await navigator.storage?.getDirectory?.().catch(() => null)) ?? null;

async function readPad(name: string): Promise<Uint8Array | null> {
  const files = await folder();
  try {
    const file = await files?.getFileHandle(name);
    return file ? new Uint8Array(await (await file.getFile()).arrayBuffer()) : null;
  } catch (error) {
    if ((error as DOMException).name === 'NotFoundError') return null;
    throw error;
  }
}

/** Writes a pad, or overwrites and deletes it. Only a worker can write in place. False if that isn't possible. */
async function writeInWorker(name: string, pad: Uint8Array | null): Promise<boolean> {
  if (!(await folder())) return false;
  const worker = new Worker(new URL('./key-pad-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<boolean>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
      worker.onerror = () => resolve(false);
      worker.postMessage({ name, pad });
    });
  } finally {
    worker.terminate();
  }
}
