/** Writes that span records: all of them or none. */
import { AsyncLocalStorage } from 'node:async_hooks';
import mongoose, { type ClientSession } from 'mongoose';

const rehearsal = new AsyncLocalStorage<true>();

/**
 * Runs `work` with all its transactions, the database's refusals included, and takes each back at its end: what
 * `--dry-run` of the commands does, without a rule of its own.
 */
export async function rollingBack<T>(work: () => Promise<T>): Promise<T> {
  return await rehearsal.run(true, work);
}

/**
 * Runs `work` in one transaction. A write conflict runs the whole of `work` again, so it must read what it decides
 * on inside, with the session, and hold no state of its own between tries.
 */
export async function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  return await mongoose.connection.getClient().withSession(
    async (session) =>
      await session.withTransaction(
        async () => {
          const result = await work(session);
          if (rehearsal.getStore()) await session.abortTransaction();
          return result;
        },
        {
          readConcern: { level: 'snapshot' },
          writeConcern: { w: 'majority' },
          readPreference: 'primary',
        },
      ),
  );
}

/**
 * Serialises decisions that look at several records (is there another super-admin?): two transactions that lock the
 * same name can not both commit on what they saw.
 */
export async function lock(session: ClientSession, name: string): Promise<void> {
  await mongoose.connection
    .collection<{ _id: string; count: number }>('locks')
    .updateOne({ _id: name }, { $inc: { count: 1 } }, { session, upsert: true });
}
