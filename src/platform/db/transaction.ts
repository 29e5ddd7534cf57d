/** Transactions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { problem } from '../http/problems/problem.ts';

const dryRun = new AsyncLocalStorage<true>();

/**
 * For `--dry-run`: runs `work` with all its transactions and checks, but rolls each of them back at its end.
 */
export async function runDry<T>(work: () => Promise<T>): Promise<T> {
  return await dryRun.run(true, work);
}

/**
 * For how long retries are started. The driver's own `withTransaction` retries for two minutes, and waits for a
 * transaction to end even if its database is gone: too long for a request.
 */
const RETRY_LIMIT_MS = { conflict: 10_000, lost: 4_000 };
/**
 * For a command that may follow one that was killed: the database takes up to a minute to abort that one's transaction.
 */
export const OPERATOR_RETRY_LIMIT_MS = 90_000;
/** Time reserved for commit and reply. A request that was answered with 503 must not be stored afterwards. */
const RESERVED_FOR_COMMIT_MS = 1_500;
const WRITE_CONFLICT = 112;
const TIME_LIMIT_EXCEEDED = 50;

/** In milliseconds of `performance.now()`. */
interface Time {
  since: number;
  deadline: number;
  conflictMs: number;
}

/**
 * Runs `work` in one transaction. After a write conflict, all of `work` runs again, so it must read everything it
 * depends on with the session, and keep no state between attempts. Nothing is committed after the `deadline` of the
 * request (Actor). `conflictMs`: for how long to retry after write conflicts.
 */
export async function inTransaction<T>(
  work: (session: ClientSession) => Promise<T>,
  deadline = Number.POSITIVE_INFINITY,
  conflictMs = RETRY_LIMIT_MS.conflict,
): Promise<T> {
  const time = { since: performance.now(), deadline, conflictMs };
  for (let tries = 0; ; tries++) {
    const session = mongoose.connection.getClient().startSession();
    try {
      const result = await attempt(session, work, time);
      await session.endSession();
      return result;
    } catch (error) {
      const ending = session.endSession();
      // Don't wait if the connection is lost: the transaction ended with it.
      if (isConnectionLost(error)) ending.catch(() => {});
      else await ending;
      if (!isTransient(error) || isPastLimit(error, time)) throw error;
    }
    await sleep(Math.random() * Math.min(5 * 1.5 ** tries, 500));
  }
}

async function attempt<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  time: Time,
): Promise<T> {
  session.startTransaction({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  });
  const result = await work(session);
  if (isOver(time)) throw problem('UNAVAILABLE');
  if (dryRun.getStore()) await session.abortTransaction();
  else await commit(session, time);
  return result;
}

/** If the reply to a commit was lost, it is sent again; it takes effect only once. */
async function commit(session: ClientSession, time: Time): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isCommitUnknown(error) || isPastLimit(error, time)) throw error;
    }
    await sleep(20);
  }
}

const { MongoError, MongoServerError } = mongoose.mongo;
const isCommitUnknown = (error: unknown) =>
  error instanceof MongoError &&
  error.hasErrorLabel('UnknownTransactionCommitResult') &&
  error.code !== TIME_LIMIT_EXCEEDED;
const isTransient = (error: unknown) =>
  error instanceof MongoError && error.hasErrorLabel('TransientTransactionError') && !isCommitUnknown(error);
const isConnectionLost = (error: unknown) =>
  error instanceof MongoError && !(error instanceof MongoServerError);
const isOver = ({ deadline }: Time) => deadline - performance.now() < RESERVED_FOR_COMMIT_MS;
const isPastLimit = (error: unknown, time: Time) => {
  const isConflict = error instanceof MongoError && error.code === WRITE_CONFLICT;
  const limit = isConflict ? time.conflictMs : RETRY_LIMIT_MS.lost;
  return isOver(time) || performance.now() - time.since > limit;
};

/** Throw this in a transaction to retry it after a short pause, within its limits. */
export function createTransientError(): Error {
  const error = new MongoError('the record is about to change');
  error.addErrorLabel('TransientTransactionError');
  return error;
}

/** Limit for work that is invalidated by other changes again and again. */
const MAX_TRIES = 10;

/**
 * For work with slow checks before its transaction: returns null if what it checked has changed since, and is then run
 * again.
 */
export async function retryUntilUnchanged<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await work();
    if (result !== null) return result;
  }
  throw problem('EDIT_CONFLICT');
}

/**
 * Serializes transactions that depend on several records (is there another super-admin?): if two lock the same name at
 * the same time, only one can commit.
 */
export async function lockInTransaction(session: ClientSession, ...names: string[]): Promise<void> {
  const locks = mongoose.connection.collection<{ _id: string; count: number }>('locks');
  const update = { $inc: { count: 1 } };
  const [name] = names;
  if (name && names.length === 1) await locks.updateOne({ _id: name }, update, { session, upsert: true });
  else
    await locks.bulkWrite(
      [...new Set(names)].sort().map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
      { session },
    );
}
