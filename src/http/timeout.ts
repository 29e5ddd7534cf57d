/**
 * The last resort for requests that take too long: 503, which means that the request may be sent again. Anything slow has
 * its own limits (the database, threads, the queue of memory-budget.ts) and is given the request's deadline.
 */
import type { Request, RequestHandler, Response } from 'express';
import { hasLargeBody } from './body.ts';
import { sendProblem } from './errors.ts';
import { problem } from './problem.ts';

/** Well below the promised 15 s, because timers of a busy process run late. */
const TIMEOUT_MS = 13_000;

/** Starts when the request arrives; for a large body when it is complete, because uploading may take a while. */
export const startTimeout: RequestHandler = (req, res, next) => {
  if (!hasLargeBody(req)) setTimer(req, res);
  next();
};

export const startTimeoutAfterBody: RequestHandler = (req, res, next) => {
  if (hasLargeBody(req)) setTimer(req, res);
  next();
};

function setTimer(req: Request, res: Response): void {
  res.locals.deadline = performance.now() + TIMEOUT_MS;
  const timer = setTimeout(() => {
    if (!res.headersSent)
      sendProblem(problem('UNAVAILABLE', { cause: new Error('it was not answered in time') }), req, res);
  }, TIMEOUT_MS);
  res.once('close', () => clearTimeout(timer));
}
