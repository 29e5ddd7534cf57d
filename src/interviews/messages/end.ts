/** Ends texts that wait: because the person replied STOP, their number was erased, or there is nothing to say any more. */
import type { ClientSession, Types } from 'mongoose';
import { Contacts } from '../contacts/model.ts';
import { Messages } from './model.ts';
import type { MessageError } from './schema.ts';

/** What is being sent at this moment is not among them. */
export async function endMessages(
  session: ClientSession,
  filter: object,
  error: MessageError,
): Promise<number> {
  const { modifiedCount } = await Messages.collection.updateMany(
    { ...filter, state: 'QUEUED' },
    { $set: { state: 'STOPPED', error } },
    { session },
  );
  return modifiedCount;
}

/** Erases the numbers of these people, and what they were to be told. */
export async function eraseContacts(session: ClientSession, surveys: Types.ObjectId[]): Promise<number> {
  const { deletedCount } = await Contacts.collection.deleteMany({ _id: { $in: surveys } }, { session });
  await endMessages(session, { survey: { $in: surveys } }, 'NO_CONTACT');
  return deletedCount;
}
