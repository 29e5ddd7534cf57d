/**
 * A few places for work that takes long or much memory, and a line before them. One person has one place at a time, so
 * that nobody holds up all others; an operator's command is nobody's.
 */
import { fault } from './faults.ts';
import { problem } from './problem.ts';

/** Who asked, by id. */
export type Asker = string | undefined;

export interface Room {
  atOnce: number;
  mostWaiting: number;
  /** Of one person, beside what is under way. */
  mostWaitingEach: number;
  /** What is said to one who has enough in the line. */
  enough: 'PRINTING_ALREADY' | 'MAKING_ALREADY';
}

export class Places {
  readonly #room: Room;
  readonly #waiting: { by: Asker; go(): void }[] = [];
  /** Who has the places. */
  readonly #running: Asker[] = [];

  constructor(room: Room) {
    this.#room = room;
  }

  /** Does `work` when it is this one's turn; whoever goes away meanwhile leaves the line. */
  async inTurn<T>(by: Asker, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#turn(by, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(by), 1);
      this.#callNext();
    }
  }

  #mayGo(by: Asker): boolean {
    return this.#running.length < this.#room.atOnce && (by === undefined || !this.#running.includes(by));
  }

  #callNext(): void {
    const at = this.#waiting.findIndex(({ by }) => this.#mayGo(by));
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (!next) return;
    this.#running.push(next.by);
    next.go();
  }

  async #turn(by: Asker, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#mayGo(by)) {
      this.#running.push(by);
      return;
    }
    const { mostWaiting, mostWaitingEach, enough } = this.#room;
    const own = this.#waiting.filter((one) => one.by === by).length;
    if (by !== undefined && own >= mostWaitingEach)
      throw problem('RATE_LIMITED', { why: fault(enough), headers: { 'Retry-After': '10' } });
    if (this.#waiting.length >= mostWaiting) throw problem('UNAVAILABLE');
    await new Promise<void>((done, failed) => {
      const leave = () => {
        const at = this.#waiting.indexOf(mine);
        if (at >= 0) this.#waiting.splice(at, 1);
        failed(signal?.reason as Error);
      };
      const go = () => {
        signal?.removeEventListener('abort', leave);
        done();
      };
      const mine = { by, go };
      this.#waiting.push(mine);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
