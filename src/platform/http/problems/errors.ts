/** Turns every error into a problem: errors of the parser and the database, and all others. */
import mongoose from 'mongoose';
import { fault } from './error-codes.ts';
import { Problem, type ProblemName, problem } from './problem.ts';

/** The problem to report for each unique index, by its name; null if no caller should see one. */
export type ProblemByUniqueIndex = Readonly<Record<string, ProblemName | null>>;

let indexProblems: ProblemByUniqueIndex = {};

/** Resources declare these; the app and the commands pass them in. */
export function setDuplicateKeyProblems(problems: ProblemByUniqueIndex): void {
  indexProblems = problems;
}

const { MongoError, MongoNetworkError, MongoServerError } = mongoose.mongo;

/** The name of the unique index that refused the write; null for other errors. */
export function violatedIndex(error: unknown): string | null {
  if (!(error instanceof MongoServerError) || error.code !== 11_000) return null;
  return /index: (\S+)/.exec(error.message)?.[1] ?? '';
}

const UNREACHABLE_ERRORS = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'WaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
  'ConnectionPoolClearedError',
  'DisconnectedError',
]);
/** Server codes of a database that is shutting down, has no primary or is too busy (repeated write conflicts). */
const BUSY_CODES = [
  ...[6, 7, 24, 50, 89, 91, 112, 133, 134, 189, 251, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_435],
  13_436,
];

/**
 * Codes that occur while a newer version's migration replaces a collection or index: read or written (175), looked up from
 * another collection (26, NamespaceNotFound), read in a snapshot (246, SnapshotUnavailable).
 */
const MIGRATION_CODES = [26, 175, 246];
const TEMPORARY_CODES = new Set([...BUSY_CODES, ...MIGRATION_CODES]);

/** A read with a hint for an index that is being rebuilt. This error has no code of its own. */
const NO_INDEX_YET = /hint provided does not correspond to an existing index/;

/** A record would exceed the database's 16 MB. */
const TOO_LARGE_CODES = new Set([10_334, 17_419, 17_420]);

/** The driver's labels for errors that a retry may solve. */
const TRANSIENT_CODES = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'PoolRequestedRetry',
  'RetryableError',
  'SystemOverloadedError',
];
const TOO_LARGE_MESSAGE = /bson|size|larger|cyclic/i;

/**
 * A bulk write wraps every error, so its type is lost: without a server code and without a failed record it is a connection
 * failure, unless it is about the data.
 */
function isConnectionFailure(error: Error): boolean {
  const { code, writeErrors } = error as { code?: unknown; writeErrors?: unknown[] };
  if (error.name !== 'MongoBulkWriteError' || code !== undefined || (writeErrors ?? []).length > 0)
    return false;
  return !TOO_LARGE_MESSAGE.test(error.message);
}

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof MongoError && TRANSIENT_CODES.some((label) => error.hasErrorLabel(label))) return true;
  if (isConnectionFailure(error)) return true;
  // There are many other kinds, for example when a connection pool was cleared.
  if (error instanceof MongoNetworkError || UNREACHABLE_ERRORS.has(error.name)) return true;
  if (error.name === 'MongooseError' && /buffering timed out|initial connection/.test(error.message))
    return true;
  if (!(error instanceof MongoServerError)) return false;
  return TEMPORARY_CODES.has(Number(error.code)) || NO_INDEX_YET.test(error.message);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseUnavailable(error)) return problem('UNAVAILABLE', { cause: error });
  const index = violatedIndex(error);
  const meaning = indexProblems[index ?? ''];
  if (meaning) return problem(meaning);
  // The database's message contains the value, possibly a phone number, which must not be logged.
  if (index !== null) return problem('INTERNAL', { cause: new Error(`a duplicate in the index ${index}`) });
  if (error instanceof MongoServerError && TOO_LARGE_CODES.has(Number(error.code))) {
    return problem('TOO_LARGE', { why: fault('RECORD_TOO_LARGE') });
  }
  const { status } = (error ?? {}) as { status?: number };
  // From the router: a path that can't be decoded.
  if (status === 400) return problem('VALIDATION_ERROR', { message: 'The request can’t be decoded.' });
  // From the file server.
  if (status === 403 || status === 404) return problem('NOT_FOUND');
  if (status === 412) return problem('PRECONDITION_FAILED');
  if (status === 416) return problem('RANGE_NOT_SATISFIABLE');
  return problem('INTERNAL', { cause: error });
}
