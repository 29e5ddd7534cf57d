/**
 * Deletes what is no longer needed from the device, for everyone who uses it: sent interviews with their codes a week
 * after they were received, codes without an interview, and questionnaires that no unfinished interview uses.
 * Unfinished and unsent interviews stay until their interviewer discards or sends them; unused codes stay reserved.
 */
import { isOlderThan } from '../clock.ts';
import { deviceDb, type OutboxRow } from './store.ts';

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
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const sentIds = await deviceDb.outbox
      .orderBy('[owner+state]')
      .filter((row) => row.state === 'sent' && isDeletable(row))
      .primaryKeys();
    await deviceDb.outbox.bulkDelete(sentIds);
  });
}

/** Codes that were handed out or shown, and whose interview is no longer on the device. */
function forgetCodes(): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.codes, deviceDb.outbox, deviceDb.drafts, async () => {
    const here = new Set([
      ...(await deviceDb.outbox.orderBy('clientId').keys()),
      ...(await deviceDb.drafts.toCollection().primaryKeys()),
    ]);
    const over = await deviceDb.codes
      .filter(({ state, clientId }) => state !== 'free' && !here.has(clientId ?? ''))
      .primaryKeys();
    await deviceDb.codes.bulkDelete(over);
  });
}

/** Keeps the questionnaires of the next interview and of all interviews that may still be opened. */
function forgetQuestions(): Promise<void> {
  return deviceDb.transaction(
    'rw',
    deviceDb.questionnaires,
    deviceDb.outbox,
    deviceDb.drafts,
    deviceDb.kept,
    async () => {
      const active = (await deviceDb.kept.get('active'))?.value;
      const drafts = await deviceDb.drafts.toArray();
      const unsent = await deviceDb.outbox.filter((row) => row.state !== 'sent').toArray();
      const needed = new Set([
        active,
        ...drafts.map(({ questionnaire }) => questionnaire),
        ...unsent.map(({ body }) => body?.questionnaire),
      ]);
      // Unless the active version is known, none can be called old.
      if (!active) return;
      const old = (await deviceDb.questionnaires.toCollection().primaryKeys()).filter(
        (id) => !needed.has(id),
      );
      await deviceDb.questionnaires.bulkDelete(old);
    },
  );
}
