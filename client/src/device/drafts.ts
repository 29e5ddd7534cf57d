/** Interviews that are under way: every answer is stored at once, by one tab at a time. */
import type { Answers, Coordinates } from '../wire.ts';
import { randomId } from './random-id.ts';
import { type Draft, db, type OutboxRow } from './store.ts';

/** This tab, for the question who may write. */
export const TAB = randomId();

/** The interview was opened in another tab, finished or discarded: this tab must not write any more. */
export class NotTheEditor extends Error {
  override readonly name = 'NotTheEditor';
}

export interface NewDraft {
  owner: string;
  questionnaire: string;
  location: string;
  referralCode: string | null;
  coordinates: Coordinates | null;
  language: string;
}

export async function startDraft(input: NewDraft): Promise<string> {
  const now = new Date().toISOString();
  const id = randomId();
  const fresh = {
    id,
    responses: {},
    place: null,
    startedAt: now,
    updatedAt: now,
    editor: TAB,
    issuedCodes: null,
  };
  await db.drafts.add({ ...input, ...fresh });
  return id;
}

/** Opens the interview in this tab; a tab that had it open sees that it lost it. */
export function claimDraft(owner: string, id: string): Promise<Draft | null> {
  return db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(id);
    if (draft?.owner !== owner) return null;
    await db.drafts.update(id, { editor: TAB });
    return { ...draft, editor: TAB };
  });
}

export type DraftChange = Partial<Pick<Draft, 'responses' | 'place' | 'language'>>;

function writeDraft(id: string, change: DraftChange): Promise<void> {
  return db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(id);
    if (draft?.editor !== TAB) throw new NotTheEditor();
    await db.drafts.put({ ...draft, ...change, updatedAt: new Date().toISOString() });
  });
}

export interface DraftWriter {
  /** Stores the change at once; what comes while a write is under way goes out together right after it. */
  save(change: DraftChange): void;
  /** For letters: as `save`, but those that come quickly one after the other share a write. */
  saveTyped(change: DraftChange): void;
  /** Resolves once everything is on the device, or throws what stands in the way. */
  settle(): Promise<void>;
  /** Nobody uses it any more: what is left is stored at once. */
  close(): void;
}

/**
 * On a small phone a write a letter is felt. Whoever types more slowly than this has each letter stored at once; of a
 * burst the first is, and then the rest this often, whether or not there is a pause: no more than that can be lost.
 */
const BETWEEN_LETTERS = 150;

/** `onOutcome` hears of every write: null for stored, else what stood in the way. Nothing is dropped then. */
export function draftWriter(id: string, onOutcome: (error: unknown) => void): DraftWriter {
  let pending: DraftChange | null = null;
  let running: Promise<void> | null = null;
  let lastWrite = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    // What waits for the timer is left to it.
    while (pending && !timer) {
      const change: DraftChange = pending;
      pending = null;
      lastWrite = Date.now();
      try {
        await writeDraft(id, change);
        onOutcome(null);
      } catch (error) {
        pending = { ...change, ...(pending as DraftChange | null) };
        onOutcome(error);
        throw error;
      }
    }
  }
  const start = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
  // The outcome went to onOutcome.
  const startQuietly = () => void start().catch(() => undefined);
  const onHidden = () => {
    if (document.visibilityState === 'hidden' && pending) startQuietly();
  };
  // Where a phone may end the page without another word.
  document.addEventListener('visibilitychange', onHidden);
  return {
    save: (change) => {
      pending = { ...pending, ...change };
      startQuietly();
    },
    saveTyped: (change) => {
      pending = { ...pending, ...change };
      const wait = lastWrite + BETWEEN_LETTERS - Date.now();
      // A clock that was set back must not make it wait for hours.
      if (wait <= 0 || wait > BETWEEN_LETTERS) startQuietly();
      else timer ??= setTimeout(startQuietly, wait);
    },
    settle: async () => {
      await running?.catch(() => undefined);
      if (pending) await start();
    },
    close: () => {
      document.removeEventListener('visibilitychange', onHidden);
      if (pending) startQuietly();
    },
  };
}

export async function discardDraft(owner: string, id: string): Promise<void> {
  await db.transaction('rw', db.drafts, async () => {
    if ((await db.drafts.get(id))?.owner === owner) await db.drafts.delete(id);
  });
}

/** Takes a refused interview out of the outbox, to be mended under the same clientId. */
export function reopen(row: OutboxRow): Promise<string> {
  return db.transaction('rw', db.drafts, db.outbox, async () => {
    const now = await db.outbox.get(row.seq);
    if (now?.state !== 'attention' || !now.body) throw new NotTheEditor();
    const { body } = now;
    await db.drafts.add({
      id: row.clientId,
      owner: row.owner,
      questionnaire: body.questionnaire,
      location: body.location,
      referralCode: body.referralCode ?? null,
      coordinates: body.coordinates ?? null,
      responses: body.responses as Answers,
      place: null,
      language: row.language,
      startedAt: body.startedAt,
      updatedAt: new Date().toISOString(),
      editor: TAB,
      issuedCodes: body.issuedCodes ?? [],
    });
    await db.outbox.delete(row.seq);
    return row.clientId;
  });
}
