/**
 * Keys as they lie on the device, each in a small database of its own, since only a database that is deleted leaves the
 * browser's files soon; a row that is deleted stays readable in them for long. That is not soon enough for a key in plaintext:
 * of it the database has only what a one-time pad makes of it, and the pad lies in a file that is overwritten in place.
 */

/** What is stored of a key. */
export interface StoredKey {
  recipient: string;
  /** In clear: without a lock. */
  identity?: string;
  /** What the lock has made of the identity. */
  wrapped?: unknown;
}

/** Browsers that can't overwrite a file in place have the key whole. */
interface Row {
  recipient: string;
  wrapped?: unknown;
  identity?: string;
  /** The identity, under the pad. */
  masked?: Uint8Array;
  /** There is no way to have a pad here. Absent in rows of earlier versions, which had none. */
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

/** Open for a moment only, so that it can be deleted at any time. */
async function inDatabase<T>(name: string, act: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
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

/** `isFromBefore`: an earlier version has stored it whole. */
export async function readRow(name: string): Promise<(StoredKey & { isFromBefore?: boolean }) | undefined> {
  const row = await inDatabase(name, (rows) => rows.get(ROW) as IDBRequest<Row | undefined>);
  if (!row?.masked) return row && toKey(row);
  const pad = await readPad(name);
  const identity = pad && new TextDecoder().decode(mask(row.masked, pad));
  // Without its pad, as where the browser was killed while it was overwritten, there is no key.
  return identity?.startsWith('AGE-') ? { recipient: row.recipient, identity } : undefined;
}

function toKey({ recipient, identity, wrapped, isPadless }: Row) {
  if (identity === undefined) return { recipient, wrapped };
  return { recipient, identity, ...(isPadless ? {} : { isFromBefore: true }) };
}

/** The pad before the row, which is nothing without it. */
export async function writeRow(name: string, { recipient, identity, wrapped }: StoredKey): Promise<void> {
  const row = identity === undefined ? { recipient, wrapped } : await underPad(name, { recipient, identity });
  await inDatabase(name, (rows) => rows.put(row, ROW));
}

async function underPad(name: string, whole: { recipient: string; identity: string }): Promise<Row> {
  const text = new TextEncoder().encode(whole.identity);
  const pad = crypto.getRandomValues(new Uint8Array(text.length));
  const { recipient } = whole;
  return (await writeInWorker(name, pad))
    ? { recipient, masked: mask(text, pad) }
    : { ...whole, isPadless: true };
}

/** The pad first: what stays of the row in the browser's files opens nothing then. */
export async function deleteRow(name: string): Promise<void> {
  if (await readPad(name).catch(() => true)) await writeInWorker(name, null);
  await resultOf(indexedDB.deleteDatabase(name));
}

const mask = (bytes: Uint8Array, pad: Uint8Array) => bytes.map((byte, at) => byte ^ (pad[at] ?? 0));

/** The browser's own files for this page; null where it has none, as in some private windows. */
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

/** Writes a pad, or overwrites and deletes it: only a worker may do so in place. False where it can't be done. */
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
