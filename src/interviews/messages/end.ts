/** Ends queued texts: because the person replied STOP, their number was erased, or there is nothing to say anymore. */
import type { ClientSession, Types } from 'mongoose';
import { Contacts } from '../contacts/model.ts';
import { Messages } from './model.ts';
import type { MessageErrorCode } from './schema.ts';

/** Texts that are being sent right now are not affected. */
export async function endMessages(
  session: ClientSession,
  filter: object,
  error: MessageErrorCode,
): Promise<number> {
  const { modifiedCount } = await Messages.collection.updateMany(
    { ...filter, state: 'QUEUED' },
    { $set: { state: 'STOPPED', error } },
    { session },
  );
  return modifiedCount;
}

/** Erases these people's numbers and ends their queued texts. */
export async function eraseContacts(session: ClientSession, surveys: Types.ObjectId[]): Promise<number> {
  const { deletedCount } = await Contacts.collection.deleteMany({ _id: { $in: surveys } }, { session });
  await endMessages(session, { survey: { $in: surveys } }, 'NO_CONTACT');
  return deletedCount;
}
