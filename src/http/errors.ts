/** The one place where a throw becomes a reply: named problems, the parser's and the database's refusals, and the rest. */
import type { ErrorRequestHandler, Request, Response } from 'express';
import mongoose from 'mongoose';
import { TOO_MANY } from './body.ts';
import { fault } from './faults.ts';
import { fieldProblem, PROBLEMS, Problem, type ProblemName, problem } from './problem.ts';

interface ParserError {
  type?: string;
  status?: number;
  limit?: number;
  most?: number;
}

/** Unique indexes (by name) whose refusal has a meaning for the caller; the subjects declare them. */
const DUPLICATES = new Map<string, ProblemName>();

export function declareRefusals(unique: Readonly<Record<string, ProblemName | null>>): void {
  for (const [index, name] of Object.entries(unique)) if (name) DUPLICATES.set(index, name);
}

const BODY_ERRORS: Record<string, ProblemName> = {
  'entity.too.large': 'TOO_LARGE',
  'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'entity.parse.failed': 'MALFORMED_JSON',
  'entity.verify.failed': 'MALFORMED_JSON',
  'request.size.invalid': 'MALFORMED_JSON',
  'request.aborted': 'MALFORMED_JSON',
};

const { MongoError, MongoNetworkError, MongoServerError } = mongoose.mongo;

/** The name of the unique index that refused, or null for any other error. */
export function refusedByIndex(error: unknown): string | null {
  if (!(error instanceof MongoServerError) || error.code !== 11_000) return null;
  return /index: (\S+)/.exec(error.message)?.[1] ?? '';
}

const OUT_OF_REACH = new Set([
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
/** Server codes of a database that is going down, has no primary or is too busy (write conflicts to the end). */
const BUSY_CODES = [
  ...[6, 7, 24, 50, 89, 91, 112, 133, 134, 189, 251, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_435],
  13_436,
];

/**
 * Of a request whose collection or index a newer version's migration replaces or drops meanwhile: read or written on (175),
 * looked up from another one (26, NamespaceNotFound), read at an instant at which it was just being replaced (246,
 * SnapshotUnavailable).
 */
const REPLACED_CODES = [26, 175, 246];
const PASSING_CODES = new Set([...BUSY_CODES, ...REPLACED_CODES]);

/** Of a read by an index that is just being made anew. No code of its own says so. */
const NO_INDEX_YET = /hint provided does not correspond to an existing index/;

/** A record that would pass the database's 16 MB. */
const TOO_LARGE_CODES = new Set([10_334, 17_419, 17_420]);

/** What the driver says of a failure that another try may mend. */
const PASSING = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'PoolRequestedRetry',
  'RetryableError',
  'SystemOverloadedError',
];
const NOT_STORABLE = /bson|size|larger|cyclic/i;

/**
 * A write of many records wraps whatever went wrong on the way, and its kind is lost: what has neither the server's
 * code nor a record at fault is a failure of the connection, unless it was about what should be written.
 */
function lostOnTheWay(error: Error): boolean {
  const { code, writeErrors } = error as { code?: unknown; writeErrors?: unknown[] };
  if (error.name !== 'MongoBulkWriteError' || code !== undefined || (writeErrors ?? []).length > 0)
    return false;
  return !NOT_STORABLE.test(error.message);
}

export function databaseOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof MongoError && PASSING.some((label) => error.hasErrorLabel(label))) return true;
  if (lostOnTheWay(error)) return true;
  // Of many kinds: a pool that was cleared while the answer was awaited is one.
  if (error instanceof MongoNetworkError || OUT_OF_REACH.has(error.name)) return true;
  if (error.name === 'MongooseError' && /buffering timed out|initial connection/.test(error.message))
    return true;
  if (!(error instanceof MongoServerError)) return false;
  return PASSING_CODES.has(Number(error.code)) || NO_INDEX_YET.test(error.message);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (databaseOutOfReach(error)) return problem('UNAVAILABLE', { cause: error });
  const index = refusedByIndex(error);
  const meaning = DUPLICATES.get(index ?? '');
  if (meaning) return problem(meaning);
  // The database's own words hold the value, a phone number perhaps: they belong in no log.
  if (index !== null) return problem('INTERNAL', { cause: new Error(`a duplicate in the index ${index}`) });
  if (error instanceof MongoServerError && TOO_LARGE_CODES.has(Number(error.code))) {
    return problem('TOO_LARGE', { why: fault('RECORD_TOO_LARGE') });
  }
  const { type, status, limit, most } = (error ?? {}) as ParserError;
  if (type === 'entity.too.large' && limit)
    return problem('TOO_LARGE', { why: fault('BODY_TOO_LARGE', { most: limit / 1024 / 1024 }) });
  if (type === TOO_MANY && most) return fieldProblem('', 'TOO_MANY_VALUES', { most });
  if (type && BODY_ERRORS[type]) return problem(BODY_ERRORS[type]);
  // Of the router: a path that can not be decoded. Of the parser: an inflated body that is broken.
  if (status === 400) return problem('VALIDATION_ERROR', { message: 'The request cannot be decoded.' });
  // Of the file server.
  if (status === 403 || status === 404) return problem('NOT_FOUND');
  if (status === 412) return problem('PRECONDITION_FAILED');
  if (status === 416) return problem('RANGE_NOT_SATISFIABLE');
  return problem('INTERNAL', { cause: error });
}

/** Express knows an error handler by its four parameters. */
export const answerErrors: ErrorRequestHandler = (error, req, res, _next) => refuse(error, req, res);

export function refuse(error: unknown, req: Request, res: Response): void {
  const refusal = asProblem(error);
  if (refusal.status >= 500) req.log?.error({ err: refusal.cause ?? refusal }, refusal.name);
  // It was answered when its time was over.
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  if (refusal.name === 'UNAVAILABLE' && !res.hasHeader('Retry-After')) res.setHeader('Retry-After', '5');
  // The file server may have said of a file what is not true of its refusal.
  res.setHeader('Cache-Control', 'no-store');
  res.removeHeader('Content-Disposition');
  res
    .status(refusal.status)
    .type('json')
    .json(refusalBody(refusal, String(req.id)));
}

function refusalBody(refusal: Problem, requestId: string): object {
  if (refusal.name === 'INTERNAL') {
    return { message: `${refusal.message} Tell the people who run it this number: ${requestId}` };
  }
  return {
    message: refusal.message,
    ...(PROBLEMS[refusal.name].wire ? { code: refusal.name } : {}),
    ...(refusal.why ? { reason: refusal.why.code } : {}),
    ...(refusal.params ? { params: refusal.params } : {}),
    ...(refusal.errors ? { errors: refusal.errors } : {}),
  };
}
