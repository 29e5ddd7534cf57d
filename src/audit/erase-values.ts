import type { ClientSession, Types } from 'mongoose';
import { AuditEvents } from './model.ts';

/** Erases what changes of these records say: what was changed by whom and when stays, without values and reasons. */
export async function eraseValues(session: ClientSession, records: Types.ObjectId[]): Promise<number> {
  const erased = { path: '$$this.path', before: null, after: null, erased: true };
  const { modifiedCount } = await AuditEvents.collection.updateMany(
    { record: { $in: records }, action: 'update' },
    [
      { $set: { changes: { $map: { input: { $ifNull: ['$changes', []] }, in: erased } } } },
      { $unset: 'reason' },
    ],
    { session },
  );
  return modifiedCount;
}
