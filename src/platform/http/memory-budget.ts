/**
 * A memory budget for all requests in progress, so that the process stays small whatever callers do. When its body is
 * complete (uploads.ts), each request reserves the memory it may need until its reply is sent. Others wait, and get a
 * 503 if it takes too long.
 */
import type { Request, RequestHandler, Response } from 'express';
import { bytesNeededForBody } from './bodies/body.ts';
import { userOrNetworkOf } from './limits/caller.ts';
import { noteSlowClientPressure, type OngoingTransfer, slowClientMonitor } from './limits/slow-clients.ts';
import { type HeldCapacity, WorkQueue } from './limits/work-queue.ts';

const MB = 1024 * 1024;
/** For a request that declares nothing, including its reply. */
const DEFAULT_NEED = MB / 4;
/** A body exists as bytes, as text, parsed, validated, and in its stored form. */
const BODY_FACTOR = 12;
/** A reply waiting to be read exists as text and in its encoded form. */
const REPLY_FACTOR = 1.5;
/** The operating system buffers a smaller reply at once, whether or not the client reads it. */
const SMALL_REPLY_BYTES = 16 * 1024;

const budget = new WorkQueue({
  capacity: 80 * MB,
  each: 48 * MB,
  small: MB,
  maxWaiting: 2_000,
  maxWaitingEach: 300,
  maxWaitMs: 9_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

type Query = Record<string, unknown>;

/** Caps `limit`, because it is read before the query is validated. */
const MAX_RECORDS = 200;

/** Megabytes that a request may need in addition to its body. */
const BYTES_BY_CLASS = {
  /** A list with `limit` and small records. */
  page: ({ limit = 50 }: Query) => (Number(limit) > 0 ? Math.min(Number(limit), MAX_RECORDS) : 0) / 100,
  /** One record, or results. */
  small: () => 4,
  /** Records with answers, or a drawing. */
  large: () => 10,
  /** Several megabytes of reply, or reading a file. */
  file: () => 24,
};

/** May depend on the raw query. */
export type RequestMemoryClass =
  | keyof typeof BYTES_BY_CLASS
  | ((query: Query) => keyof typeof BYTES_BY_CLASS);

const queuePlaces = new WeakMap<Response, HeldCapacity>();

/** `maxBytes`: the maximum size of the body, if there is one. The body has already arrived. */
export function reserveRequestMemory(
  need: RequestMemoryClass | undefined,
  maxBytes?: number,
): RequestHandler {
  return (req, res, next) => {
    const size = neededBytes(req, need, maxBytes);
    const by = userOrNetworkOf(req);
    const place = budget.enterNow(by, size);
    if (place) {
      addReservation(res, place);
      next();
      return undefined;
    }
    return waitForPlace(res, by, size).then((called) => {
      if (!called) return;
      addReservation(res, called);
      next();
    });
  };
}

function addReservation(res: Response, place: HeldCapacity): void {
  queuePlaces.set(res, place);
  res.once('close', () => {
    // If the client hangs up, the work continues and keeps its memory until it ends.
    if (res.locals.work) void (res.locals.work as Promise<void>).then(place.leave, place.leave);
    else place.leave();
  });
}

/** Lets the reservation wait for the handler, which continues even if the client hangs up. */
export const holdMemoryUntilDone =
  (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res) => {
    const work = handle(req, res);
    res.locals.work = work;
    return work;
  };

/** Called when the reply is being sent: from now on only the memory for its text is reserved. */
export function keepOnlyReplyMemory(res: Response, bytes: number): void {
  const place = queuePlaces.get(res);
  if (!place) return;
  place.keep(Math.max(SMALL_REPLY_BYTES, REPLY_FACTOR * bytes));
  if (bytes > SMALL_REPLY_BYTES) cutOffSlowReader(res);
}

/** Cuts off a client that reads slowly, sooner if others are waiting for the memory. */
export function cutOffSlowReader(res: Response): void {
  const reader = new Reader(res);
  slowClientMonitor.add(reader);
  res.once('close', () => slowClientMonitor.delete(reader));
}

class Reader implements OngoingTransfer {
  readonly #res: Response;

  constructor(res: Response) {
    this.#res = res;
  }

  /** On this connection. */
  bytesMoved(): number {
    return (this.#res.socket?.bytesWritten ?? 0) - this.#queued();
  }

  isClientsTurn(): boolean {
    return this.#queued() > 0 || (this.#res.socket?.writableLength ?? 0) > 0;
  }

  isWanted(): boolean {
    return budget.isCrowded;
  }

  disconnect(): void {
    if (this.isWanted()) noteSlowClientPressure();
    this.#res.destroy();
  }

  /** Bytes that the operating system hasn't accepted yet; Node has no public name for this. */
  #queued(): number {
    const { _handle: handle } = (this.#res.socket ?? {}) as { _handle?: { writeQueueSize?: number } };
    return handle?.writeQueueSize ?? 0;
  }
}

function neededBytes(req: Request, need: RequestMemoryClass | undefined, maxBytes?: number): number {
  const name = typeof need === 'function' ? need(req.query) : need;
  const declared = name ? BYTES_BY_CLASS[name](req.query) : 0;
  const body = maxBytes === undefined ? 0 : BODY_FACTOR * bytesNeededForBody(req, maxBytes);
  return Math.max(DEFAULT_NEED, declared * MB, body);
}

/** Null if the client hangs up in the meantime. */
async function waitForPlace(res: Response, by: string, size: number): Promise<HeldCapacity | null> {
  const controller = new AbortController();
  const leave = () => controller.abort();
  res.once('close', leave);
  try {
    return await budget.enter(by, size, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return null;
    throw error;
  } finally {
    res.off('close', leave);
  }
}
