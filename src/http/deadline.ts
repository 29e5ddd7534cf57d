/**
 * No request is left without an answer. What may take long has bounds of its own (the database, threads, the line of
 * memory.ts); this stands behind all of them, for whatever slips through. 503 says that it may be sent again.
 */
import type { Request, RequestHandler, Response } from 'express';
import { hasLargeBody } from './body.ts';
import { refuse } from './errors.ts';
import { problem } from './problem.ts';

const ANSWER_MS = 14_000;

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
  const timer = setTimeout(() => {
    if (!res.headersSent)
      refuse(problem('UNAVAILABLE', { cause: new Error('it was not answered in time') }), req, res);
  }, ANSWER_MS);
  // A file that is sent in pieces has many who listen.
  res.setMaxListeners(20).once('close', () => clearTimeout(timer));
}
