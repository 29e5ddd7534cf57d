/** Ends queued texts: because the person replied STOP, their number was erased, or there is nothing to say anymore. */
import type { ClientSession, Types } from 'mongoose';
import { ContactModel } from '../contacts/model.ts';
import { MessageModel } from './model.ts';
import type { MessageErrorCode } from './schema.ts';

/** Texts that are being sent right now are not affected. */
export async function stopQueuedMessages(
  session: ClientSession,
  filter: object,
  error: MessageErrorCode,
): Promise<number> {
  const { modifiedCount } = await MessageModel.collection.updateMany(
    { ...filter, state: 'QUEUED' },
    { $set: { state: 'STOPPED', error } },
    { session },
  );
  return modifiedCount;
}

/** Erases these people's numbers and ends their queued texts. */
export async function eraseContacts(session: ClientSession, surveys: Types.ObjectId[]): Promise<number> {
  const { deletedCount } = await ContactModel.collection.deleteMany({ _id: { $in: surveys } }, { session });
  await stopQueuedMessages(session, { survey: { $in: surveys } }, 'NO_CONTACT');
  return deletedCount;
}
