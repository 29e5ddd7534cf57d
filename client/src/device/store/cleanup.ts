/**
 * Deletes what is no longer needed from the device, for everyone who uses it: sent interviews with their codes a week
 * after they were received, codes without an interview, and questionnaires that no unfinished interview uses.
 * Unfinished and unsent interviews stay until their interviewer discards or sends them; unused codes stay reserved.
 */
import { isOlderThan } from '../clock.ts';
import { db, type OutboxRow } from './store.ts';

export const SENT_ROW_DAYS = 7;
const SENT_ROW_MS = SENT_ROW_DAYS * 86_400_000;

/** Kept while the service still has to learn of coupons handed out later. */
const isDeletable = ({ sentAt, late = [] }: OutboxRow): boolean =>
  late.length === 0 && (sentAt === null || isOlderThan(Date.parse(sentAt), SENT_ROW_MS));

export async function deleteOldRows(): Promise<void> {
  await forgetSent();
  await forgetCodes();
  await forgetQuestions();
}

function forgetSent(): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const sentIds = await db.outbox
      .orderBy('[owner+state]')
      .filter((row) => row.state === 'sent' && isDeletable(row))
      .primaryKeys();
    await db.outbox.bulkDelete(sentIds);
  });
}

/** Codes that were handed out or shown, and whose interview is no longer on the device. */
function forgetCodes(): Promise<void> {
  return db.transaction('rw', db.codes, db.outbox, db.drafts, async () => {
    const here = new Set([
      ...(await db.outbox.orderBy('clientId').keys()),
      ...(await db.drafts.toCollection().primaryKeys()),
    ]);
    const over = await db.codes
      .filter(({ state, clientId }) => state !== 'free' && !here.has(clientId ?? ''))
      .primaryKeys();
    await db.codes.bulkDelete(over);
  });
}

/** Keeps the questionnaires of the next interview and of all interviews that may still be opened. */
function forgetQuestions(): Promise<void> {
  return db.transaction('rw', db.questionnaires, db.outbox, db.drafts, db.kept, async () => {
    const active = (await db.kept.get('active'))?.value;
    const drafts = await db.drafts.toArray();
    const unsent = await db.outbox.filter((row) => row.state !== 'sent').toArray();
    const needed = new Set([
      active,
      ...drafts.map(({ questionnaire }) => questionnaire),
      ...unsent.map(({ body }) => body?.questionnaire),
    ]);
    // Unless the active version is known, none can be called old.
    if (!active) return;
    const old = (await db.questionnaires.toCollection().primaryKeys()).filter((id) => !needed.has(id));
    await db.questionnaires.bulkDelete(old);
  });
}
