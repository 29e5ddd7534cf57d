/**
 * The last resort for requests that take too long: a 503, which means that the request may be sent again. Anything slow
 * has its own limits (the database, threads, the queue of memory-budget.ts) and gets the request's deadline.
 */
import type { Request, RequestHandler, Response } from 'express';
import { problem } from './problems/problem.ts';
import { sendProblem } from './problems/send-problem.ts';

/** Well below the promised 15 s, because timers run late in a busy process. */
const TIMEOUT_MS = 13_000;

/** Started when the request arrives, and again when its body is complete. */
export const startRequestTimeout: RequestHandler = (req, res, next) => {
  setTimer(req, res);
  next();
};

/**
 * While a body arrives, the limits of slow-clients.ts apply instead, because that depends on the client's connection.
 */
export const pauseTimeout: RequestHandler = (_req, res, next) => {
  clearTimeout(res.locals.timer as NodeJS.Timeout | undefined);
  next();
};

function setTimer(req: Request, res: Response): void {
  res.locals.deadline = performance.now() + TIMEOUT_MS;
  res.locals.timer = setTimeout(() => {
    if (!res.headersSent)
      sendProblem(problem('UNAVAILABLE', { cause: new Error('it was not answered in time') }), req, res);
  }, TIMEOUT_MS);
  if (!res.locals.hasTimer) res.once('close', () => clearTimeout(res.locals.timer as NodeJS.Timeout));
  res.locals.hasTimer = true;
}
