/** Queues texts in the transaction of the change that they are about. Another process sends them later. */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { ContactModel } from '../contacts/model.ts';
import { MessageModel, type MessageRecord } from './model.ts';

type Queued = Pick<MessageRecord, 'kind' | 'incentive' | 'sendAt'> & { survey: Types.ObjectId };

/** The languages of these people, as far as they can be texted. */
export async function findContactLanguages(
  session: ClientSession,
  surveys: Types.ObjectId[],
): Promise<Map<string, string>> {
  const contacts = await ContactModel.collection
    .find({ _id: { $in: surveys }, state: 'ACTIVE' }, { session, projection: { language: 1 } })
    .toArray();
  return new Map(contacts.map(({ _id, language }) => [String(_id), language]));
}

export const newMessage = (queued: Queued, language: string, now: Date): MessageRecord => ({
  _id: new mongoose.Types.ObjectId(),
  ...queued,
  ...{ language, state: 'QUEUED', error: null, createdAt: now },
  ...{ claimedAt: null, day: null, tries: 0, wordsHash: null, sid: null, sentAt: null, deliveredAt: null },
});

/** Queues at most one text about each thing. */
export async function queueMessages(session: ClientSession, messages: MessageRecord[]): Promise<void> {
  if (messages.length === 0) return;
  await MessageModel.collection.bulkWrite(
    messages.map((one) => ({
      updateOne: {
        filter: { survey: one.survey, kind: one.kind, incentive: one.incentive },
        update: { $setOnInsert: one },
        upsert: true,
      },
    })),
    { session },
  );
}

/**
 * A payment that was reopened may be paid with another card, so its text is sent again. `tries` continues counting, so
 * that late reports about the previous text change nothing.
 */
export async function queueCardMessage(session: ClientSession, message: MessageRecord): Promise<void> {
  const { _id, survey, kind, incentive, tries: _, ...fields } = message;
  await MessageModel.collection.updateOne(
    { survey, kind, incentive },
    { $set: fields, $inc: { tries: 1 }, $setOnInsert: { _id } },
    { session, upsert: true },
  );
}
