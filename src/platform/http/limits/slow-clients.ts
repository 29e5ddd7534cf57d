/**
 * How fast clients send their bodies and read their replies. A second counts only if this process looked in it, so that
 * no client is slow because the machine was busy.
 */
const LOOK_MS = 1_000;
/** Whoever moves less than this in `LIMIT_SECONDS`, 500 bytes a second, is cut off. */
const MIN_BYTES = 10_000;
const LIMIT_SECONDS = 20;
/** The same where others wait for the memory: 2,000 bytes a second. */
const LIMIT_SECONDS_CROWDED = 5;

export interface Transfer {
  /** Bytes so far. */
  bytesMoved(): number;
  /** It waits for the client, not for this process. */
  isClientsTurn(): boolean;
  /** Others wait for its memory. */
  isWanted(): boolean;
  disconnect(): void;
}

interface Pace {
  /** Bytes at the beginning of the present period. */
  from: number;
  /** How long it has lasted. Another one begins when `MIN_BYTES` have moved. */
  seconds: number;
}

export class SlowClients {
  readonly #paces = new Map<Transfer, Pace>();
  #timer: NodeJS.Timeout | undefined;

  add(transfer: Transfer): void {
    this.#paces.set(transfer, { from: transfer.bytesMoved(), seconds: 0 });
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  delete(transfer: Transfer): void {
    this.#paces.delete(transfer);
    if (this.#paces.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** For how long less than `MIN_BYTES` have moved. */
  secondsOf(transfer: Transfer): number {
    return this.#paces.get(transfer)?.seconds ?? 0;
  }

  /** Once a second. */
  look(): void {
    for (const [transfer, pace] of this.#paces) {
      const bytesNow = transfer.bytesMoved();
      if (bytesNow - pace.from >= MIN_BYTES) Object.assign(pace, { from: bytesNow, seconds: 0 });
      else if (transfer.isClientsTurn()) pace.seconds += 1;
    }
    // The slowest first: after it the others may have room.
    const slowest = [...this.#paces].sort(([, a], [, b]) => b.seconds - a.seconds);
    for (const [transfer, { seconds }] of slowest) {
      if (seconds < LIMIT_SECONDS_CROWDED) return;
      if (seconds >= LIMIT_SECONDS || transfer.isWanted()) transfer.disconnect();
    }
  }
}

/** Requests and replies that are under way in this process. */
export const slowClients = new SlowClients();

const WARNING_MS = 5 * 60_000;
let lastCut = Number.NEGATIVE_INFINITY;

/** Slow clients took memory that others waited for. */
export function noteMemoryPressure(): void {
  lastCut = performance.now();
}

/** Within the last five minutes. */
export const hadMemoryPressure = (): boolean => performance.now() - lastCut < WARNING_MS;
