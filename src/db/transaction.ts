/** Writes that span records: all of them or none. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { problem } from '../http/problem.ts';
import { timeLeft } from '../lib/time-left.ts';

const rehearsal = new AsyncLocalStorage<true>();

/**
 * Runs `work` with all its transactions, the database's refusals included, and takes each back at its end: what
 * `--dry-run` of the commands does, without a rule of its own.
 */
export async function rollingBack<T>(work: () => Promise<T>): Promise<T> {
  return await rehearsal.run(true, work);
}

/**
 * How long another try is begun. The driver's own `withTransaction` goes on for two minutes, and waits for the end of a
 * transaction whose database is gone: nobody waits so long for an answer.
 */
const PATIENCE_MS = { conflict: 10_000, lost: 4_000 };
/** For the commit and the answer. Whoever was told to come again must not find it stored behind their back. */
const COMMIT_MS = 1_500;
const WRITE_CONFLICT = 112;
const OUT_OF_TIME = 50;

/**
 * Runs `work` in one transaction. A write conflict runs the whole of `work` again, so it must read what it decides
 * on inside, with the session, and hold no state of its own between tries.
 */
export async function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const since = performance.now();
  for (let tries = 0; ; tries++) {
    const session = mongoose.connection.getClient().startSession();
    try {
      const result = await tried(session, work, since);
      await session.endSession();
      return result;
    } catch (error) {
      const ended = session.endSession();
      // A database that is gone has ended the transaction with itself.
      if (isLost(error)) ended.catch(() => {});
      else await ended;
      if (!isTransient(error) || isTooLate(error, since)) throw error;
    }
    await sleep(Math.random() * Math.min(5 * 1.5 ** tries, 500));
  }
}

async function tried<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  since: number,
): Promise<T> {
  session.startTransaction({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  });
  const result = await work(session);
  if (timeLeft() < COMMIT_MS) throw problem('UNAVAILABLE');
  if (rehearsal.getStore()) await session.abortTransaction();
  else await commit(session, since);
  return result;
}

/** A commit whose answer was lost may be sent again: it is done once. */
async function commit(session: ClientSession, since: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isUnknown(error) || isTooLate(error, since)) throw error;
    }
    await sleep(20);
  }
}

const { MongoError, MongoServerError } = mongoose.mongo;
const isUnknown = (error: unknown) =>
  error instanceof MongoError &&
  error.hasErrorLabel('UnknownTransactionCommitResult') &&
  error.code !== OUT_OF_TIME;
const isTransient = (error: unknown) =>
  error instanceof MongoError && error.hasErrorLabel('TransientTransactionError') && !isUnknown(error);
const isLost = (error: unknown) => error instanceof MongoError && !(error instanceof MongoServerError);
const isTooLate = (error: unknown, since: number) => {
  const isConflict = error instanceof MongoError && error.code === WRITE_CONFLICT;
  return timeLeft() < COMMIT_MS || performance.now() - since > PATIENCE_MS[isConflict ? 'conflict' : 'lost'];
};

/**
 * Serialises decisions that look at several records (is there another super-admin?): two transactions that lock the
 * same name can not both commit on what they saw.
 */
export async function lock(session: ClientSession, name: string): Promise<void> {
  await mongoose.connection
    .collection<{ _id: string; count: number }>('locks')
    .updateOne({ _id: name }, { $inc: { count: 1 } }, { session, upsert: true });
}
