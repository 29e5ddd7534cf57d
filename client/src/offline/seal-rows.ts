/**
 * Encrypts rows that aren't encrypted, or only for an older key of the study: those of older app versions, and those
 * from before the service changed its key. Only while the person's key is unlocked.
 */
import { isOlderThan } from '../device/clock.ts';
import { THIS_TAB } from '../device/editor.ts';
import { storeOfflineCopy } from '../device/store/offline-copies.ts';
import { deviceDb, type OutboxRow, type StoredInterviewDraft } from '../device/store/store.ts';
import { RequestRefusal, request } from '../session/api.ts';
import type { Answers, PublicStudy } from '../wire.ts';
import { findOutboxRow } from './outbox.ts';
import {
  CACHED_STUDY_KEYS,
  decryptDraft,
  isDraftUnencrypted,
  isRowUnencrypted,
  type RowSealing,
  rowSealing,
  sealDraft,
  sealRow,
} from './sealed-rows.ts';

/** Within this time, a window with an older app version may still be writing the draft. */
const DRAFT_IN_USE_MS = 2 * 60_000;

const isInUse = ({ editor, updatedAt }: StoredInterviewDraft): boolean =>
  editor !== THIS_TAB && !isOlderThan(Date.parse(updatedAt), DRAFT_IN_USE_MS);

const isOutdated = ({ fieldKey = null }: StoredInterviewDraft | OutboxRow, sealing: RowSealing): boolean =>
  sealing.fieldKey !== null && fieldKey !== sealing.fieldKey && sealing.open !== null;

export async function sealStoredRows(owner: string): Promise<void> {
  const sealing = await rowSealing(owner);
  if (!sealing) return;
  const drafts = await deviceDb.drafts.where({ owner }).toArray();
  const rows = await deviceDb.outbox.where({ owner }).toArray();
  for (const { id } of drafts.filter((draft) => isDraftDue(draft, sealing))) await sealDraftRow(id, sealing);
  for (const { clientId } of rows.filter((row) => isRowDue(row, sealing)))
    await sealFinished(clientId, sealing);
}

const isDraftDue = (draft: StoredInterviewDraft, sealing: RowSealing): boolean =>
  isDraftUnencrypted(draft) ? !isInUse(draft) : isOutdated(draft, sealing);

/** A row being sent is left alone until there is a reply. */
const isRowDue = (row: OutboxRow, sealing: RowSealing): boolean =>
  row.state !== 'sending' && (isRowUnencrypted(row) || (row.body !== null && isOutdated(row, sealing)));

const sealDraftRow = (id: string, sealing: RowSealing): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.drafts, async () => {
    const stored = await deviceDb.drafts.get(id);
    const draft = stored && decryptDraft(stored, sealing.open);
    if (draft && isDraftDue(stored, sealing)) await deviceDb.drafts.put(sealDraft(draft, sealing.newKey()));
  });

const sealFinished = (clientId: string, sealing: RowSealing): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    if (row && isRowDue(row, sealing))
      await deviceDb.outbox.put(sealRow(row, sealing.newKey(), sealing.open));
  });

/** The service doesn't know the key that rows were encrypted for: fetches its current key and encrypts them again. */
export async function resealWithCurrentKey(owner: string): Promise<void> {
  const { fieldKey } = await request<PublicStudy & { fieldKey?: unknown }>('GET', '/api/study/public');
  for (const copy of await deviceDb.kept.bulkGet(CACHED_STUDY_KEYS))
    if (copy) await storeOfflineCopy(copy.key, { ...(copy.value as object), fieldKey });
  await sealStoredRows(owner);
}

/** Has the service decrypt a draft whose key is gone. The service only does this in a new session. */
export async function unsealDraftByService(owner: string, id: string): Promise<void> {
  const sealing = await rowSealing(owner);
  const stored = await deviceDb.drafts.get(id);
  if (stored?.owner !== owner || !stored.sealed || decryptDraft(stored, sealing?.open ?? null)) return;
  const { sealed } = stored;
  const fields = await request<{ responses: Answers } & Partial<StoredInterviewDraft>>(
    'POST',
    '/api/surveys/unseal',
    {
      body: { clientId: id, sealed },
    },
  );
  await deviceDb.transaction('rw', deviceDb.drafts, async () => {
    const now = await deviceDb.drafts.get(id);
    if (now?.sealed !== sealed) return;
    const read = decryptDraft(now, () => ({ ...fields }));
    if (read) await deviceDb.drafts.put(sealDraft(read, sealing?.newKey() ?? null));
  });
}

/** After signing in: recovers all drafts that can't be decrypted here, while the session is new enough. */
export async function unsealUnreadableDrafts(owner: string): Promise<void> {
  const drafts = await deviceDb.drafts.where({ owner }).toArray();
  const sealing = await rowSealing(owner);
  for (const { id } of drafts.filter((draft) => !decryptDraft(draft, sealing?.open ?? null))) {
    try {
      await unsealDraftByService(owner, id);
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error;
      if (error.status === 403) return;
    }
  }
}
