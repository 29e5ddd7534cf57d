/**
 * Sends due texts, each at most once. A text is claimed in a transaction before the provider is called. If the process
 * is killed in between, the text stays SENDING and isn't sent again (recover.ts).
 */
import type { ClientSession, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { DAY_MS, isoDateAt } from '../../platform/lib/day.ts';
import { keyedHash, openSealedText } from '../../platform/lib/sealed-text.ts';
import { hasMessages } from '../../study/settings/messages.ts';
import { ContactModel, type ContactRecord, TextedNumberModel } from '../contacts/model.ts';
import { stopQueuedMessages } from '../messages/end.ts';
import { MessageModel, type MessageRecord } from '../messages/model.ts';
import type { MessageErrorCode } from '../messages/schema.ts';
import { messageText, type TextingContext } from './message-text.ts';
import { type MessageProvider, type OutgoingText, type SendOutcome, textMessageBodyOf } from './provider.ts';
import { isInQuietHours, randomTimeAfterQuietHours } from './quiet-hours.ts';

export interface SendContext extends TextingContext {
  provider: MessageProvider;
  config: Pick<Config, 'contactKey' | 'publicUrl'>;
  log: Logger;
  clock: () => Date;
}

const BATCH_SIZE = 50;
/** A text that couldn't be sent for this long is outdated. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Maximum number of tries while the provider is busy. */
const MAX_TRIES = 50;

export const hashMessageText = (contactKey: string, body: string): string =>
  keyedHash(contactKey, 'words', body);

/** True if there may be more to send. */
export async function sendMessageBatch(sending: SendContext, stopped: () => boolean): Promise<boolean> {
  const { study, now, zone } = sending;
  if (
    !hasMessages(study.messages) &&
    !(await MessageModel.exists({ state: 'QUEUED', sendAt: { $lte: now } }))
  )
    return false;
  const due = await MessageModel.find({ state: 'QUEUED', sendAt: { $lte: now } })
    .sort({ sendAt: 1 })
    .limit(BATCH_SIZE)
    .lean<MessageRecord[]>();
  if (isInQuietHours(study.quietHours, now, zone)) {
    await scheduleRandomly(due, sending);
    return false;
  }
  const today = isoDateAt(now, zone);
  let remaining = study.messagesPerDay - (await MessageModel.countDocuments({ day: today }));
  for (const message of due) {
    if (stopped() || remaining <= 0) return false;
    if (await sendMessage(message, sending)) remaining -= 1;
  }
  return due.length === BATCH_SIZE;
}

/**
 * Spreads texts that became due during quiet hours, which would otherwise all be sent in the first minute afterwards.
 * Cards aren't delayed, because people are waiting for them.
 */
async function scheduleRandomly(due: MessageRecord[], { study, now, zone }: SendContext): Promise<void> {
  for (const { _id, kind } of due)
    if (kind !== 'CARD')
      await MessageModel.updateOne(
        { _id, state: 'QUEUED' },
        { $set: { sendAt: randomTimeAfterQuietHours(now, { quietHours: study.quietHours, zone }) } },
      );
}

interface ClaimedText {
  text: OutgoingText;
  tries: number;
  number: string;
}

/** True if the provider was called. */
export async function sendMessage(message: MessageRecord, sending: SendContext): Promise<boolean> {
  const claimed = await inTransaction((session) => claimText(session, message._id, sending));
  if (!claimed) return false;
  const outcome = await sending.provider.send(claimed.text);
  await record(message, claimed, { outcome, at: sending.clock(), log: sending.log });
  return true;
}

/** Null if the text isn't to be sent, or not now. */
async function claimText(
  session: ClientSession,
  _id: Types.ObjectId,
  sending: SendContext,
): Promise<ClaimedText | null> {
  const { now, zone, contactKey, config } = sending;
  const message = await MessageModel.findOne({ _id, state: 'QUEUED' }).session(session).lean<MessageRecord>();
  if (!message?.survey) return null;
  const { survey } = message;
  const end = async (error: MessageErrorCode, state: 'STOPPED' | 'FAILED' = 'STOPPED') => {
    await MessageModel.collection.updateOne({ _id }, { $set: { state, error } }, { session });
    return null;
  };
  const contact = await ContactModel.findById(survey).session(session).lean<ContactRecord>();
  if (!contact) return await end('NO_CONTACT');
  if (contact.state === 'INVALID') return await end('NUMBER_INVALID');
  const { number } = contact;
  const numberRecord = await TextedNumberModel.collection.findOne({ number }, { session });
  if (contact.state === 'STOPPED' || numberRecord?.stoppedAt) return await end('STOP');
  if (now.getTime() - message.createdAt.getTime() > MAX_AGE_MS || message.tries >= MAX_TRIES)
    return await end('TOO_LATE', 'FAILED');
  const day = isoDateAt(now, zone);
  // At most one text per person and day, and none about money on the day on which it became due.
  const isTooEarly = message.kind === 'MONEY_DUE' && isoDateAt(message.createdAt, zone) === day;
  if (numberRecord?.textedOn === day || isTooEarly) {
    const sendAt = randomTimeAfterQuietHours(now, { quietHours: sending.study.quietHours, zone });
    await MessageModel.collection.updateOne({ _id }, { $set: { sendAt } }, { session });
    return null;
  }
  const to = openSealedText(contactKey, survey.toHexString(), contact.phone);
  if (to === null) return await end('NO_CONTACT');
  const content = await messageText(session, { ...message, survey }, sending);
  if (typeof content === 'string') return await end(content);
  // STOP writes the same record, so that if both happen at once, one runs again and sees the other.
  await TextedNumberModel.collection.updateOne(
    { number },
    { $set: { textedOn: day }, $setOnInsert: { stoppedAt: null } },
    { session, upsert: true },
  );
  const tries = message.tries + 1;
  const wordsHash = hashMessageText(contactKey, textMessageBodyOf(content));
  await MessageModel.collection.updateOne(
    { _id },
    { $set: { state: 'SENDING', claimedAt: now, day, tries, wordsHash, sid: null, error: null } },
    { session },
  );
  const others = { _id: { $ne: _id }, survey, kind: 'MONEY_DUE', incentive: { $in: content.incentives } };
  if (content.incentives.length > 0) await stopQueuedMessages(session, others, 'TOLD_TOGETHER');
  const callback = `${config.publicUrl}/api/messages/twilio?message=${_id.toHexString()}.${tries}`;
  return { text: { to, words: content.words, card: content.card, callback }, tries, number };
}

/** Stores the result. A delivery report may have arrived first; then only the provider's id is added. */
async function record(
  { _id, survey }: MessageRecord,
  { tries, number }: ClaimedText,
  { outcome, at, log }: { outcome: SendOutcome; at: Date; log: Logger },
): Promise<void> {
  const mine = { _id, tries, state: 'SENDING' } as const;
  if (outcome.outcome === 'UNKNOWN') {
    log.warn('what became of a text is not known yet');
    return;
  }
  await inTransaction(async (session) => {
    if (outcome.outcome === 'ACCEPTED') {
      const update = { state: 'SENT', sentAt: at, sid: outcome.sid } as const;
      const { matchedCount } = await MessageModel.collection.updateOne(mine, { $set: update }, { session });
      if (matchedCount === 0)
        await MessageModel.collection.updateOne(
          { _id, tries, sid: null },
          { $set: { sid: outcome.sid } },
          { session },
        );
      return;
    }
    if (outcome.outcome === 'LATER') {
      const sendAt = new Date(at.getTime() + outcome.seconds * 1_000);
      await MessageModel.collection.updateOne(
        mine,
        { $set: { state: 'QUEUED', sendAt, day: null } },
        { session },
      );
      await TextedNumberModel.collection.updateOne({ number }, { $set: { textedOn: null } }, { session });
      return;
    }
    const { error, number: fault } = outcome;
    await MessageModel.collection.updateOne(mine, { $set: { state: 'FAILED', error } }, { session });
    if (fault === 'INVALID' && survey)
      await ContactModel.collection.updateOne({ _id: survey }, { $set: { state: 'INVALID' } }, { session });
    if (fault === 'STOPPED') await recordOptOut(session, number, at);
  });
}

/** Ends everything for this number at once. */
export async function recordOptOut(session: ClientSession, number: string, at: Date): Promise<void> {
  await TextedNumberModel.collection.updateOne(
    { number },
    { $set: { stoppedAt: at }, $setOnInsert: { textedOn: null } },
    { session, upsert: true },
  );
  await ContactModel.collection.updateMany(
    { number, state: 'ACTIVE' },
    { $set: { state: 'STOPPED', stoppedAt: at } },
    { session },
  );
  const surveys = await ContactModel.collection.distinct('_id', { number }, { session });
  await stopQueuedMessages(session, { survey: { $in: surveys } }, 'STOP');
}

/** The person replied START: texts may be sent again, but those that were ended stay ended. */
export async function recordSmsStartReply(session: ClientSession, number: string): Promise<void> {
  await TextedNumberModel.collection.updateOne({ number }, { $set: { stoppedAt: null } }, { session });
  await ContactModel.collection.updateMany(
    { number, state: 'STOPPED' },
    { $set: { state: 'ACTIVE', stoppedAt: null } },
    { session },
  );
}
