/** The one place where a throw becomes a reply: named problems, the parser's and the database's refusals, and the rest. */
import type { ErrorRequestHandler } from 'express';
import mongoose from 'mongoose';
import { PROBLEMS, Problem, type ProblemName, problem } from './problem.ts';

/** Unique indexes (by name) whose refusal has a meaning for the caller. */
const DUPLICATES: Record<string, ProblemName> = {
  phone_live: 'PHONE_TAKEN',
  name_live: 'NAME_TAKEN',
  referral_code_once: 'REFERRAL_CODE_USED',
};

const BODY_ERRORS: Record<string, ProblemName> = {
  'entity.too.large': 'TOO_LARGE',
  'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'entity.parse.failed': 'MALFORMED_JSON',
  'entity.verify.failed': 'MALFORMED_JSON',
  'request.size.invalid': 'MALFORMED_JSON',
  'request.aborted': 'MALFORMED_JSON',
};

const { MongoServerError } = mongoose.mongo;

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
const BUSY_CODES = new Set([50, 91, 112, 189, 251, 262, 10_107, 11_600, 11_602, 13_435, 13_436]);

export function databaseOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (OUT_OF_REACH.has(error.name)) return true;
  if (error.name === 'MongooseError' && /buffering timed out|initial connection/.test(error.message))
    return true;
  return error instanceof MongoServerError && BUSY_CODES.has(Number(error.code));
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (databaseOutOfReach(error)) return problem('UNAVAILABLE', { cause: error });
  const index = refusedByIndex(error);
  if (index !== null && DUPLICATES[index]) return problem(DUPLICATES[index]);
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  if (type && BODY_ERRORS[type]) return problem(BODY_ERRORS[type]);
  // Of the router: a path that can not be decoded. Of the parser: an inflated body that is broken.
  if (status === 400) return problem('VALIDATION_ERROR', { message: 'The request can not be decoded.' });
  return problem('INTERNAL', { cause: error });
}

/** Express knows an error handler by its four parameters. */
export const answerErrors: ErrorRequestHandler = (error, req, res, _next) => {
  const refusal = asProblem(error);
  if (refusal.status >= 500) req.log?.error({ err: refusal.cause ?? refusal }, refusal.name);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  if (refusal.name === 'UNAVAILABLE' && !res.hasHeader('Retry-After')) res.setHeader('Retry-After', '5');
  res.status(refusal.status).json(refusalBody(refusal, String(req.id)));
};

function refusalBody(refusal: Problem, requestId: string): object {
  if (refusal.name === 'INTERNAL') {
    return { message: `${refusal.message} Tell the people who run it this number: ${requestId}` };
  }
  return {
    message: refusal.message,
    ...(PROBLEMS[refusal.name].wire ? { code: refusal.name } : {}),
    ...(refusal.errors ? { errors: refusal.errors } : {}),
  };
}
