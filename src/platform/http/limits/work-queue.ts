/**
 * Limits how much work runs at once, with a queue in front. The caller with the least running work is next; among
 * equals, the caller whose last turn is longest ago, so that one with hundreds of requests doesn't hold up others.
 * Within one caller's work, the smallest is next. Work of operators' commands has no caller.
 */
import { fault } from '../problems/error-codes.ts';
import { problem } from '../problems/problem.ts';

/** The caller's id. */
export type CallerId = string | undefined;

export interface WorkQueueLimits {
  /** Total size of the work that may run at once, in any unit. */
  capacity: number;
  /** Maximum for one caller, unless a single piece of work is larger. */
  each: number;
  /** Work larger than this leaves a quarter of the capacity to smaller work. */
  small?: number;
  maxWaiting: number;
  /** Maximum for one caller, not counting running work. */
  maxWaitingEach: number;
  /** Work that has waited this long is refused. */
  maxWaitMs?: number;
  /** The problem for callers with too much work in the queue. */
  overloadProblem: 'PRINTING_ALREADY' | 'MAKING_ALREADY' | 'SENDING_TOO_MUCH';
}

/** A part of the capacity, held until it is returned. */
export interface HeldCapacity {
  /** Returns all but this much. */
  keep(size: number): void;
  leave(): void;
}

interface Waiting {
  by: CallerId;
  size: number;
  start(place: HeldCapacity): void;
}

const MAX_TURNS = 1_000;

export class WorkQueue {
  readonly #limits: WorkQueueLimits;
  #waiting: Waiting[] = [];
  #used = 0;
  readonly #usedBy = new Map<CallerId, number>();
  /** The number of each caller's last turn; cleared when the queue is empty. */
  readonly #turns = new Map<CallerId, number>();
  #turn = 0;

  constructor(limits: WorkQueueLimits) {
    this.#limits = limits;
  }

  /** Whether any work is waiting. */
  get isCrowded(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs `work` when its turn comes; a caller who hangs up leaves the queue. */
  async inTurn<T>(by: CallerId, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const place = this.enterNow(by, 1) ?? (await this.enter(by, 1, signal));
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      place.leave();
    }
  }

  /** Null if it would have to wait. */
  enterNow(by: CallerId, size: number): HeldCapacity | null {
    return this.#mayStart(by, size) ? this.#take(by, size) : null;
  }

  async enter(by: CallerId, size: number, signal?: AbortSignal): Promise<HeldCapacity> {
    signal?.throwIfAborted();
    const { maxWaiting, maxWaitingEach, overloadProblem, maxWaitMs } = this.#limits;
    const own = this.#waiting.filter((one) => one.by === by).length;
    if (by !== undefined && own >= maxWaitingEach)
      throw problem('RATE_LIMITED', { why: fault(overloadProblem), headers: { 'Retry-After': '10' } });
    if (this.#waiting.length >= maxWaiting) throw busy();
    return await new Promise<HeldCapacity>((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        end();
        reject(reason as Error);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => leave(busy()), maxWaitMs);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const start = (place: HeldCapacity) => {
        end();
        resolve(place);
      };
      const waiting = { by, size, start };
      this.#waiting.push(waiting);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #mayStart(by: CallerId, size: number): boolean {
    const { capacity, each, small = Number.POSITIVE_INFINITY } = this.#limits;
    const own = by === undefined ? 0 : (this.#usedBy.get(by) ?? 0);
    if (own > 0 && own + size > each) return false;
    return this.#used === 0 || this.#used + size <= (size > small ? 0.75 * capacity : capacity);
  }

  #take(by: CallerId, size: number): HeldCapacity {
    let places = 0;
    const keep = (count: number) => {
      const more = count - places;
      places = count;
      this.#used += more;
      const own = (this.#usedBy.get(by) ?? 0) + more;
      if (own > 0) this.#usedBy.set(by, own);
      else this.#usedBy.delete(by);
    };
    keep(size);
    if (this.#waiting.length === 0 || this.#turns.size >= MAX_TURNS) this.#turns.clear();
    if (this.#waiting.length > 0) this.#turns.set(by, ++this.#turn);
    const giveBack = (count: number) => {
      if (count >= places) return;
      keep(count);
      if (this.#waiting.length > 0) this.#callNext();
    };
    return { keep: giveBack, leave: () => giveBack(0) };
  }

  #callNext(): void {
    for (;;) {
      let next: Waiting | undefined;
      const usedBy = (one: Waiting) => this.#usedBy.get(one.by) ?? 0;
      const turn = (one: Waiting) => this.#turns.get(one.by) ?? 0;
      const isBefore = (one: Waiting, than: Waiting) =>
        one.by === than.by
          ? one.size < than.size
          : usedBy(one) < usedBy(than) || (usedBy(one) === usedBy(than) && turn(one) < turn(than));
      for (const one of this.#waiting)
        if (this.#mayStart(one.by, one.size) && (!next || isBefore(one, next))) next = one;
      if (!next) return;
      const { by, size, start } = next;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      start(this.#take(by, size));
    }
  }
}

const busy = () => problem('UNAVAILABLE', { message: 'The service is busy. Try again in a moment.' });
