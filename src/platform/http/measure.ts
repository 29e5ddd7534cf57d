/** Counts requests and measures their duration, by the declared path of their route. */
import type { RequestHandler, Response } from 'express';
import { httpDuration, httpRequestCounter } from '../lib/metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);
/** Files of the client, and paths that don't exist. */
const NO_ROUTE = 'other';

export const measureRequests: RequestHandler = (req, res, next) => {
  const method = METHODS.has(req.method) ? req.method : 'other';
  const end = httpDuration.startTimer();
  // A streamed file adds many listeners.
  res.setMaxListeners(20).once('close', () => {
    const { route = NO_ROUTE } = res.locals as { route?: string };
    // The caller hung up before there was a response.
    const status = res.headersSent ? String(res.statusCode) : 'none';
    httpRequestCounter.inc({ method, route, status });
    end({ method, route });
  });
  next();
};

/** Sets the name of the request's route. */
export const setRouteName = (res: Response, path: string) => {
  res.locals.route = path;
};
