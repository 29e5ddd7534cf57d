/**
 * Marks phones that have proved their number by entering a code from an SMS or call. Older versions didn't record this.
 * People who signed up themselves, or who have interviewed, count as having done it.
 */
import type { mongo } from 'mongoose';
import type { Migration } from '../migrate.ts';

const BATCH = 1_000;

export const provedPhonesMigration: Migration = {
  name: '2026-11-28-proved-phones',
  run: async ({ db, progress }) => {
    const users = db.collection('users');
    const total = await users.estimatedDocumentCount();
    const open = { phoneProvedAt: { $exists: false } };
    let processedCount = 0;
    let batch: mongo.ObjectId[] = [];
    const flush = async () => {
      const proved = [...(await signedUp(db, batch)), ...(await interviewed(db, batch))];
      const mark = [{ $set: { phoneProvedAt: '$createdAt' } }];
      if (proved.length > 0) await users.updateMany({ _id: { $in: proved }, ...open }, mark);
      processedCount += batch.length;
      batch = [];
      progress(processedCount, total);
    };
    for await (const { _id } of users.find(open, { projection: { _id: 1 } })) {
      batch.push(_id);
      if (batch.length === BATCH) await flush();
    }
    await flush();
  },
};

/** The given people who created their own account. */
async function signedUp(db: mongo.Db, ids: mongo.ObjectId[]): Promise<mongo.ObjectId[]> {
  const events = db.collection<{ record: mongo.ObjectId; by: mongo.ObjectId | null }>('auditevents');
  const proofs = await events
    .find({ record: { $in: ids }, subject: 'User', action: 'create' } as object, {
      projection: { record: 1, by: 1 },
    })
    .toArray();
  return proofs.filter(({ record, by }) => by?.equals(record)).map(({ record }) => record);
}

const interviewed = async (db: mongo.Db, ids: mongo.ObjectId[]): Promise<mongo.ObjectId[]> =>
  await db.collection<{ createdBy: mongo.ObjectId }>('surveys').distinct('createdBy', {
    createdBy: { $in: ids },
  });
