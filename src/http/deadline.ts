/**
 * No request is left without an answer. What may take long has bounds of its own (the database, threads, the queue of
 * memory.ts) and looks at lib/time-left.ts; this stands behind all of them, for whatever slips through. 503 says that
 * the request may be sent again.
 */
import type { Request, RequestHandler, Response } from 'express';
import { endingAt } from '../lib/time-left.ts';
import { hasLargeBody } from './body.ts';
import { refuse } from './errors.ts';
import { problem } from './problem.ts';

/** Well within the 15 s that are promised, since a busy process looks at its clock late. */
const ANSWER_MS = 13_000;

/** From the arrival on. A large body may take its client a while: see `bodyIsHere`. */
export const answeredInTime: RequestHandler = (req, res, next) => {
  if (!hasLargeBody(req)) arm(req, res);
  next();
};

export const bodyIsHere: RequestHandler = (req, res, next) => {
  if (hasLargeBody(req)) arm(req, res);
  next();
};

function arm(req: Request, res: Response): void {
  res.locals.end = performance.now() + ANSWER_MS;
  const timer = setTimeout(() => {
    if (!res.headersSent)
      refuse(problem('UNAVAILABLE', { cause: new Error('it was not answered in time') }), req, res);
  }, ANSWER_MS);
  // A file that is sent in pieces has many who listen.
  res.setMaxListeners(20).once('close', () => clearTimeout(timer));
}

/** Runs the handler so that it knows how much time it has. */
export function withinItsTime<T>(res: Response, work: () => T): T {
  const { end } = res.locals as { end?: number };
  return end === undefined ? work() : endingAt(end, work);
}
