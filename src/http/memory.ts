/**
 * One budget of memory for all requests under way in this process, so that it stays small whatever callers do. Each
 * request holds what it may need, from before its body is read until its answer is out; the others wait for their turn,
 * and are told to come again if that takes too long.
 */
import type { Request, RequestHandler, Response } from 'express';
import { bodyBytes } from './body.ts';
import { networkOf } from './limits.ts';
import { type Place, WorkQueue } from './work-queue.ts';

const MB = 1024 * 1024;
/** Of a request that declares nothing, its answer in all its forms included. */
const USUAL = MB / 4;
/** A body as bytes, as text, parsed, checked and as it is stored. */
const TIMES_ITS_BYTES = 12;
/** An answer that waits to be read: its text, and what is made of it for the wire. */
const TIMES_ITS_TEXT = 1.5;
/** A client that takes longer to send or read keeps its place only while nobody waits for it. */
const SLOW_MS = 20_000;

const budget = new WorkQueue({
  capacity: 80 * MB,
  each: 48 * MB,
  small: MB,
  mostWaiting: 2_000,
  mostWaitingEach: 300,
  patienceMs: 9_000,
  enough: 'SENDING_TOO_MUCH',
});

/** Megabytes that a request may need beside its body, by its query as it came. */
export type Need = number | ((query: Record<string, unknown>) => number);

/** What a `limit` may be at most: it is looked at before the query is checked, so that anything may stand there. */
const MOST_RECORDS = 200;

/** Of a list with `limit`, whose records are small. */
export const OF_PAGE = ({ limit = 50 }: Record<string, unknown>): number =>
  (Number(limit) > 0 ? Math.min(Number(limit), MOST_RECORDS) : 0) / 100;

interface Held {
  place: Place;
  /** Of a large one: looks whether the client is too slow. */
  timer?: NodeJS.Timeout;
}

const held = new WeakMap<Response, Held>();

/** Before the body is read. */
export function withinMemory(need: Need | undefined, maxBytes?: number): RequestHandler {
  return (req, res, next) => {
    const size = sizeOf(req, need, maxBytes);
    const by = senderOf(req);
    const place = budget.enterNow(by, size);
    if (place) {
      hold(res, place, size);
      next();
      return undefined;
    }
    return whenCalled(res, by, size).then((called) => {
      if (!called) return;
      hold(res, called, size);
      next();
    });
  };
}

function hold(res: Response, place: Place, size: number): void {
  const mine: Held = { place };
  held.set(res, mine);
  if (size > MB) watch(res, mine);
  res.once('close', () => {
    clearInterval(mine.timer);
    // Of whoever hangs up, the work goes on: the place is theirs until it has ended.
    if (res.locals.work) void (res.locals.work as Promise<void>).then(place.leave, place.leave);
    else place.leave();
  });
}

/** The handler at work: its client is not slow meanwhile. */
export const atWork =
  (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res) => {
    clearInterval(held.get(res)?.timer);
    const work = handle(req, res);
    res.locals.work = work;
    return work;
  };

/** The answer is a text of so many bytes, and all that it was made of can go. */
export function madeText(res: Response, bytes: number): void {
  const mine = held.get(res);
  mine?.place.keep(Math.max(USUAL, TIMES_ITS_TEXT * bytes));
  if (mine && bytes > USUAL) watch(res, mine);
}

/** The answer is being sent while it is made. */
export function sending(res: Response): void {
  const mine = held.get(res);
  if (mine) watch(res, mine);
}

function watch(res: Response, mine: Held): void {
  const since = performance.now();
  clearInterval(mine.timer);
  mine.timer = setInterval(() => {
    if (budget.isCrowded && performance.now() - since > SLOW_MS) res.destroy();
  }, 1_000).unref();
}

function sizeOf(req: Request, need: Need = 0, maxBytes?: number): number {
  const declared = typeof need === 'number' ? need : need(req.query);
  const body = maxBytes === undefined ? 0 : TIMES_ITS_BYTES * Math.min(bodyBytes(req), maxBytes);
  return Math.max(USUAL, declared * MB, body);
}

/** Null where the client has gone meanwhile. */
async function whenCalled(res: Response, by: string, size: number): Promise<Place | null> {
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

function senderOf(req: Request): string {
  const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
  return user ?? networkOf(req.ip ?? '');
}
