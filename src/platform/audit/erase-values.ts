import type { ClientSession, Types } from 'mongoose';
import { AuditEventModel } from './model.ts';

/**
 * Erases the content of these records' changes: who changed what and when remains, without values and reasons. With
 * `path`, only the values of that field.
 */
export async function eraseAuditValues(
  session: ClientSession,
  records: Types.ObjectId[],
  path?: string,
): Promise<number> {
  const erasedChange = { path: '$$this.path', before: null, after: null, erased: true };
  const one = path ? { $cond: [{ $eq: ['$$this.path', path] }, erasedChange, '$$this'] } : erasedChange;
  const { modifiedCount } = await AuditEventModel.collection.updateMany(
    { record: { $in: records }, action: 'update', ...(path && { 'changes.path': path }) },
    [
      { $set: { changes: { $map: { input: { $ifNull: ['$changes', []] }, in: one } } } },
      ...(path ? [] : [{ $unset: 'reason' }]),
    ],
    { session },
  );
  return modifiedCount;
}

/** Erases only the reasons, because they may name someone. */
export async function eraseReasons(session: ClientSession, records: Types.ObjectId[]): Promise<number> {
  await eraseAuditValues(session, records, 'reason');
  const { modifiedCount } = await AuditEventModel.collection.updateMany(
    { record: { $in: records }, reason: { $exists: true } },
    { $unset: { reason: '' } },
    { session },
  );
  return modifiedCount;
}
