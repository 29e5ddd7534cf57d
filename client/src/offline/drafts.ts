/** Unfinished interviews. Every answer is stored immediately, and only one tab may write an interview. */
import { monotonicNow, nowText } from '../device/clock.ts';
import { NotTheEditor, THIS_TAB } from '../device/editor.ts';
import { randomId } from '../device/random-id.ts';
import { openStore, storeGeneration } from '../device/store/open-store.ts';
import { type CouponVerdictKind, type Draft, deviceDb, type OutboxRow } from '../device/store/store.ts';
import { createUnsavedDrafts, type UnsavedDrafts } from '../device/unsaved.ts';
import { currentWorkspace } from '../device/workspace.ts';
import type { Answers, Coordinates } from '../wire.ts';
import {
  decryptDraft,
  isDraftUnencrypted,
  newRowEncryptionKey,
  openBody,
  openFarewellPageContent,
  plaintextFieldsOf,
  type RowEncryptionKey,
  rowSealing,
  SealedRowError,
  sealDraft,
} from './sealed-rows.ts';

export interface NewInterviewDraft {
  owner: string;
  questionnaire: string;
  location: string;
  referralCode: string | null;
  couponVerdict?: CouponVerdictKind;
  coordinates: Coordinates | null;
  language: string;
}

export async function startDraft(input: NewInterviewDraft): Promise<string> {
  const now = nowText();
  const id = randomId();
  const fresh = {
    id,
    responses: {},
    place: null,
    startedAt: now,
    updatedAt: now,
    editor: THIS_TAB,
    issuedCodes: null,
  };
  await deviceDb.drafts.add(sealDraft({ ...input, ...fresh }, await newRowEncryptionKey(input.owner)));
  return id;
}

/**
 * Opens the interview in this tab; a tab that had it open notices. 'sealed': the key to decrypt it is locked or gone.
 */
export async function claimDraft(owner: string, id: string): Promise<Draft | 'sealed' | null> {
  const sealing = await rowSealing(owner);
  return deviceDb.transaction('rw', deviceDb.drafts, async () => {
    const stored = await deviceDb.drafts.get(id);
    if (stored?.owner !== owner) return null;
    const draft = decryptDraft(stored, sealing?.open ?? null);
    if (!draft) return 'sealed';
    const claimedDraft = { ...draft, editor: THIS_TAB };
    if (sealing && isDraftUnencrypted(stored))
      await deviceDb.drafts.put(sealDraft(claimedDraft, sealing.newKey()));
    else await deviceDb.drafts.update(id, { editor: THIS_TAB });
    const unsaved = currentWorkspace.get().getOrCreate(createUnsavedDrafts).drafts.get().get(id);
    return { ...claimedDraft, ...(unsaved ? editableFields(unsaved) : {}) };
  });
}

export type InterviewDraftChange = Partial<
  Pick<Draft, 'responses' | 'place' | 'language' | 'incentive' | 'contact' | 'walkInCode'>
>;

const editableFields = ({
  responses,
  place,
  language,
  incentive,
  contact,
  walkInCode,
}: Draft): InterviewDraftChange => ({
  ...{ responses, place, language },
  ...(incentive === undefined ? {} : { incentive }),
  ...(contact === undefined ? {} : { contact }),
  ...(walkInCode ? { walkInCode } : {}),
});

/** `latest`: the complete draft, including its encrypted fields, which only this tab writes. */
function writeDraft(
  latest: Draft,
  change: InterviewDraftChange,
  key: RowEncryptionKey | null,
): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.drafts, async () => {
    const stored = await deviceDb.drafts.get(latest.id);
    if (stored?.editor !== THIS_TAB) throw new NotTheEditor();
    const { responses, coordinates, place, language, note, incentive, contact, secret } = latest;
    const draft: Draft = {
      ...plaintextFieldsOf(stored),
      ...{ responses, coordinates, place, language },
      ...(incentive === undefined ? {} : { incentive }),
      ...(contact === undefined ? {} : { contact }),
      ...(note ? { note } : {}),
      ...(secret ? { secret } : {}),
      ...change,
      updatedAt: nowText(),
    };
    await deviceDb.drafts.put(sealDraft(draft, key));
  });
}

/** Stores the service's verdict on the coupon during the interview. */
export const storeCouponVerdict = (id: string, couponVerdict: CouponVerdictKind): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.drafts, async () => {
    if ((await deviceDb.drafts.get(id))?.editor === THIS_TAB)
      await deviceDb.drafts.update(id, { couponVerdict });
  });

export interface DraftWriter {
  /** Stores the change at once. Changes during a write are stored together right after it. */
  save(change: InterviewDraftChange): void;
  /** For typing: like `save`, but changes in quick succession share a write. */
  saveTyped(change: InterviewDraftChange): void;
  /** Resolves once everything is stored, or throws the error that prevents it. */
  settle(): Promise<void>;
  /** The draft with all answers, stored or not. */
  latest(): Draft;
  /** Tries again after a failure: reopens the store if it closed, and stores everything still unsaved. */
  retry(): Promise<void>;
  /** Stores what is left and stops. */
  close(): void;
}

/**
 * On a small phone, a write per keystroke would be noticeable. Of fast typing, the first change is stored at once and
 * the rest at this interval, without waiting for a pause: at most this much typing can be lost.
 */
const WRITE_DELAY_MS = 150;

/** A store that doesn't answer for this long may hang, as browsers do when the disk is full. */
const TIMEOUT_MS = 10_000;

/**
 * Stores answers. `onOutcome` is called after every write: with null, or with the error. Nothing is dropped on an
 * error: the workspace keeps the answers for the next try and for the rescue file.
 */
export function draftWriter(draft: Draft, onOutcome: (error: unknown) => void): DraftWriter {
  const mine = currentWorkspace.get();
  const unsaved = mine.getOrCreate(createUnsavedDrafts);
  let latest = draft;
  /** One key for all versions this writer stores. */
  let key: Promise<RowEncryptionKey | null> | null = null;
  const keyOf = () => {
    key ??= newRowEncryptionKey(draft.owner).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  };
  // What an earlier writer couldn't store goes into the first write.
  let pending: InterviewDraftChange | null = unsaved.drafts.get().has(draft.id)
    ? editableFields(draft)
    : null;
  let running: Promise<void> | null = null;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const note = (change: InterviewDraftChange) => {
    pending = { ...pending, ...change };
    latest = { ...latest, ...change };
  };
  async function run(): Promise<void> {
    // Changes waiting for the timer are left to it.
    while (pending && !timer) {
      const change: InterviewDraftChange = pending;
      pending = null;
      lastWrite = monotonicNow();
      const slow = setTimeout(() => {
        unsaved.put(latest);
        onOutcome(new Error('The store does not answer.'));
      }, TIMEOUT_MS);
      try {
        await keyOf()
          .then((ownerKey) => writeDraft(latest, change, ownerKey))
          .finally(() => clearTimeout(slow));
        unsaved.drop(draft.id);
        onOutcome(null);
      } catch (error) {
        const isOurs = !(error instanceof NotTheEditor);
        if (isOurs) unsaved.put(latest);
        // A closed writer doesn't retry, since another one may have stored newer answers by then.
        pending = isOurs && !closed ? { ...change, ...(pending as InterviewDraftChange | null) } : null;
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
  // Errors were passed to onOutcome.
  const startQuietly = () => void start().catch(() => undefined);
  const onHidden = () => {
    if (document.visibilityState === 'hidden' && pending) startQuietly();
  };
  const settle = async () => {
    await running?.catch(() => undefined);
    if (pending) await start();
  };
  // A phone may end a hidden page without warning.
  document.addEventListener('visibilitychange', onHidden);
  // The store was reopened.
  const unwatch = storeGeneration.watch(() => pending && startQuietly());
  mine.onEnd(() => (closed ? storeUnsaved(unsaved, draft.id, keyOf()) : settle()));
  // Load the key now, while the person is still signed in.
  void keyOf().catch(() => undefined);
  if (pending) startQuietly();
  return {
    save: (change) => {
      note(change);
      startQuietly();
    },
    saveTyped: (change) => {
      note(change);
      const wait = lastWrite + WRITE_DELAY_MS - monotonicNow();
      if (wait <= 0) startQuietly();
      else timer ??= setTimeout(startQuietly, wait);
    },
    settle,
    latest: () => latest,
    retry: async () => {
      await running?.catch(() => undefined);
      await openStore();
      pending = editableFields(latest);
      await start().catch(() => undefined);
    },
    close: () => {
      closed = true;
      document.removeEventListener('visibilitychange', onHidden);
      unwatch();
      if (pending) startQuietly();
    },
  };
}

/** Opens the store, and stores all of this person's unsaved answers. Returns whether the store is open. */
export async function retryUnsaved(): Promise<boolean> {
  const unsaved = currentWorkspace.get().getOrCreate(createUnsavedDrafts);
  if (!(await openStore())) return false;
  for (const [id, { owner }] of unsaved.drafts.get())
    await storeUnsaved(unsaved, id, newRowEncryptionKey(owner)).catch(() => undefined);
  return true;
}

/** For an interview that is not open in this tab. */
async function storeUnsaved(
  { drafts, drop }: UnsavedDrafts,
  id: string,
  key: Promise<RowEncryptionKey | null>,
): Promise<void> {
  const draft = drafts.get().get(id);
  if (!draft) return;
  await writeDraft(draft, editableFields(draft), await key);
  drop(id);
}

/** Which tab has the interview open, or whether it was finished or discarded. */
export async function findEditingTab(id: string): Promise<{ tab: string } | 'finished' | 'discarded'> {
  const draft = await deviceDb.drafts.get(id);
  if (draft) return { tab: draft.editor };
  return (await deviceDb.outbox.where({ clientId: id }).count()) > 0 ? 'finished' : 'discarded';
}

export async function discardDraft(owner: string, id: string): Promise<void> {
  await deviceDb.transaction('rw', deviceDb.drafts, async () => {
    if ((await deviceDb.drafts.get(id))?.owner === owner) await deviceDb.drafts.delete(id);
  });
  currentWorkspace.get().getOrCreate(createUnsavedDrafts).drop(id);
}

/** A finished interview can be corrected until it is sent. */
export const mayReopenInterview = ({ state, body }: OutboxRow): boolean =>
  body !== null && (state === 'waiting' || state === 'attention');

/** Moves a finished, unsent interview from the outbox back to the drafts, to be corrected under the same clientId. */
export async function reopenFinishedInterview(row: OutboxRow): Promise<string> {
  const sealing = await rowSealing(row.owner);
  const key = sealing?.newKey() ?? null;
  return deviceDb.transaction('rw', deviceDb.drafts, deviceDb.outbox, async () => {
    const now = await deviceDb.outbox.where({ clientId: row.clientId }).first();
    if (!now?.body || !mayReopenInterview(now)) throw new NotTheEditor();
    const body = openBody(now.body, sealing?.open ?? null);
    if (!body) throw new SealedRowError();
    const view = openFarewellPageContent(now, sealing?.open ?? null);
    const draft: Draft = {
      id: row.clientId,
      owner: row.owner,
      questionnaire: body.questionnaire,
      location: body.location,
      referralCode: body.referralCode ?? null,
      ...(now.couponVerdict ? { couponVerdict: now.couponVerdict } : {}),
      coordinates: body.coordinates ?? null,
      responses: body.responses as Answers,
      place: null,
      language: view.language ?? 'en',
      startedAt: body.startedAt,
      updatedAt: nowText(),
      editor: THIS_TAB,
      // Includes coupons scanned after sending, because older app versions in other windows don't know `paper`.
      issuedCodes: [...new Set([...(body.issuedCodes ?? []), ...(now.late ?? [])])],
      ...(body.incentive ? { incentive: body.incentive } : {}),
      ...(body.walkInCode ? { walkInCode: body.walkInCode } : {}),
      ...(body.completedAt ? { completedAt: body.completedAt } : {}),
      ...(body.contact ? { contact: body.contact } : {}),
      ...(body.note ? { note: body.note } : {}),
      ...(view.secret ? { secret: view.secret } : {}),
      paper: paperCouponsOf(now),
      finished: now,
    };
    await deviceDb.drafts.add(sealDraft(draft, key));
    await deviceDb.outbox.delete(now.seq);
    return row.clientId;
  });
}

/** Undoes a correction: the original interview goes back to the outbox. */
export async function undoCorrection(owner: string, id: string): Promise<void> {
  await deviceDb.transaction('rw', deviceDb.drafts, deviceDb.outbox, async () => {
    const draft = await deviceDb.drafts.get(id);
    if (draft?.owner !== owner || !draft.finished) return;
    const { seq: _, ...row } = draft.finished;
    await deviceDb.drafts.delete(id);
    await deviceDb.outbox.add({ ...row, heldUntil: 0 });
  });
  currentWorkspace.get().getOrCreate(createUnsavedDrafts).drop(id);
}

/** Rows of older app versions lack some fields. */
function paperCouponsOf(row: OutboxRow): NonNullable<Draft['paper']> {
  const { couponsFrom, issuedCodes, late, lateRefused, aside } = row;
  const { printed = couponsFrom === 'paper' ? issuedCodes : [] } = row;
  return {
    printed,
    ...(late ? { late } : {}),
    ...(lateRefused ? { lateRefused } : {}),
    ...(aside ? { aside } : {}),
  };
}
