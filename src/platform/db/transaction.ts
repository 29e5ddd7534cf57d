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
 * How long retries are started. The driver's own `withTransaction` retries for two minutes, and waits for the end of a
 * transaction whose database is gone: too long for a request.
 */
const RETRY_LIMIT_MS = { conflict: 10_000, lost: 4_000 };
/** For a command, which may follow one that was killed: the database gives up that one's transaction after up to a minute. */
export const COMMAND_CONFLICT_MS = 90_000;
/** Time kept for commit and reply. A request that was answered with 503 must not be stored afterwards. */
const RESERVED_FOR_COMMIT_MS = 1_500;
const WRITE_CONFLICT = 112;
const TIME_LIMIT_EXCEEDED = 50;

/** By `performance.now()`. */
interface Time {
  since: number;
  deadline: number;
  conflictMs: number;
}

/**
 * Runs `work` in one transaction. After a write conflict all of `work` runs again, so it must read everything it depends
 * on with the session, and keep no state between tries. Nothing is committed after the `deadline` of the request (Actor).
 * `conflictMs`: for how long it is tried again after write conflicts.
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

/** A commit whose reply was lost can be sent again; it takes effect once. */
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

/** Thrown in a transaction to run it again in a moment, within its limits. */
export function transientError(): Error {
  const error = new MongoError('the record is about to change');
  error.addErrorLabel('TransientTransactionError');
  return error;
}

/** If other changes keep coming in between. */
const MAX_TRIES = 10;

/** For work that checks before its transaction what may take seconds: runs it again while it returns null, because what it saw was changed. */
export async function untilUnchanged<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await work();
    if (result !== null) return result;
  }
  throw problem('EDIT_CONFLICT');
}

/**
 * Serializes transactions that depend on several records (is there another super-admin?): of two that lock the same name
 * at the same time, only one can commit.
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
