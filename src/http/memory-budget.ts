/**
 * A memory budget for all requests in progress, so that the process stays small whatever callers do. Each request reserves
 * what it may need before its body is read, until its reply is sent. Others wait, and get 503 if it takes too long.
 */
import type { Request, RequestHandler, Response } from 'express';
import { bodyBytes } from './body.ts';
import { networkOf } from './rate-limits.ts';
import { type Place, WorkQueue } from './work-queue.ts';

const MB = 1024 * 1024;
/** For a request that declares nothing, including its reply. */
const DEFAULT_NEED = MB / 4;
/** A body exists as bytes, as text, parsed, validated and as stored. */
const BODY_FACTOR = 12;
/** A reply waiting to be read exists as text and in its encoded form. */
const REPLY_FACTOR = 1.5;
/** A client that takes longer to send or read loses its place if others wait. */
const SLOW_CLIENT_MS = 20_000;

const budget = new WorkQueue({
  capacity: 80 * MB,
  each: 48 * MB,
  small: MB,
  mostWaiting: 2_000,
  mostWaitingEach: 300,
  patienceMs: 9_000,
  enough: 'SENDING_TOO_MUCH',
});

/** Megabytes that a request may need in addition to its body; may depend on the raw query. */
export type Need = number | ((query: Record<string, unknown>) => number);

/** Caps `limit`, because it is read before the query is validated. */
const MAX_RECORDS = 200;

/** For a list with `limit` and small records. */
export const PAGE_MEMORY = ({ limit = 50 }: Record<string, unknown>): number =>
  (Number(limit) > 0 ? Math.min(Number(limit), MAX_RECORDS) : 0) / 100;

interface Reservation {
  place: Place;
  /** Checks whether the client of a large request is too slow. */
  timer?: NodeJS.Timeout;
}

const reservations = new WeakMap<Response, Reservation>();

/** Must come before the body is read. */
export function reserveMemory(need: Need | undefined, maxBytes?: number): RequestHandler {
  return (req, res, next) => {
    const size = neededBytes(req, need, maxBytes);
    const by = callerOf(req);
    const place = budget.enterNow(by, size);
    if (place) {
      addReservation(res, place, size);
      next();
      return undefined;
    }
    return waitForPlace(res, by, size).then((called) => {
      if (!called) return;
      addReservation(res, called, size);
      next();
    });
  };
}

function addReservation(res: Response, place: Place, size: number): void {
  const mine: Reservation = { place };
  reservations.set(res, mine);
  if (size > MB) evictSlowClient(res, mine);
  res.once('close', () => {
    clearInterval(mine.timer);
    // If the client hangs up, the work goes on and keeps its memory until it ends.
    if (res.locals.work) void (res.locals.work as Promise<void>).then(place.leave, place.leave);
    else place.leave();
  });
}

/** While the handler works, the client does not count as slow. */
export const whileWorking =
  (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res) => {
    clearInterval(reservations.get(res)?.timer);
    const work = handle(req, res);
    res.locals.work = work;
    return work;
  };

/** The reply is ready: keep only the memory for its text. */
export function reserveReply(res: Response, bytes: number): void {
  const mine = reservations.get(res);
  mine?.place.keep(Math.max(DEFAULT_NEED, REPLY_FACTOR * bytes));
  if (mine && bytes > DEFAULT_NEED) evictSlowClient(res, mine);
}

/** The reply is sent while it is created. */
export function startStreaming(res: Response): void {
  const mine = reservations.get(res);
  if (mine) evictSlowClient(res, mine);
}

function evictSlowClient(res: Response, mine: Reservation): void {
  const since = performance.now();
  clearInterval(mine.timer);
  mine.timer = setInterval(() => {
    if (budget.isCrowded && performance.now() - since > SLOW_CLIENT_MS) res.destroy();
  }, 1_000).unref();
}

function neededBytes(req: Request, need: Need = 0, maxBytes?: number): number {
  const declared = typeof need === 'number' ? need : need(req.query);
  const body = maxBytes === undefined ? 0 : BODY_FACTOR * Math.min(bodyBytes(req), maxBytes);
  return Math.max(DEFAULT_NEED, declared * MB, body);
}

/** Null if the client has gone meanwhile. */
async function waitForPlace(res: Response, by: string, size: number): Promise<Place | null> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  res.once('close', leave);
  try {
    return await budget.enter(by, size, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return null;
    throw error;
  } finally {
    res.off('close', leave);
  }
}

function callerOf(req: Request): string {
  const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
  return user ?? networkOf(req.ip ?? '');
}
