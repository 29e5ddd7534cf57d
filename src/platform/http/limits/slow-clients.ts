/**
 * Measures how fast clients send their bodies and read their replies. A second only counts if this process checked
 * during it, so that no client is considered slow because the machine was busy.
 */
const LOOK_MS = 1_000;
/** A client that moves less than this in `LIMIT_SECONDS` (500 bytes a second) is cut off. */
const MIN_BYTES = 10_000;
const LIMIT_SECONDS = 20;
/** The limit if others are waiting for the memory: 2,000 bytes a second. */
const LIMIT_SECONDS_CROWDED = 5;

export interface OngoingTransfer {
  /** Bytes so far. */
  bytesMoved(): number;
  /** Whether the transfer is waiting for the client, not for this process. */
  isClientsTurn(): boolean;
  /** Whether others are waiting for its memory. */
  isWanted(): boolean;
  disconnect(): void;
}

interface Pace {
  /** Bytes at the start of the current period. */
  from: number;
  /** Duration of the current period. A new one starts once `MIN_BYTES` have moved. */
  seconds: number;
}

export class SlowClientMonitor {
  readonly #paces = new Map<OngoingTransfer, Pace>();
  #timer: NodeJS.Timeout | undefined;

  add(transfer: OngoingTransfer): void {
    this.#paces.set(transfer, { from: transfer.bytesMoved(), seconds: 0 });
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  delete(transfer: OngoingTransfer): void {
    this.#paces.delete(transfer);
    if (this.#paces.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** For how long it has taken to move less than `MIN_BYTES`. */
  secondsOf(transfer: OngoingTransfer): number {
    return this.#paces.get(transfer)?.seconds ?? 0;
  }

  /** Runs once a second. */
  look(): void {
    for (const [transfer, pace] of this.#paces) {
      const bytesNow = transfer.bytesMoved();
      if (bytesNow - pace.from >= MIN_BYTES) Object.assign(pace, { from: bytesNow, seconds: 0 });
      else if (transfer.isClientsTurn()) pace.seconds += 1;
    }
    // Slowest first: cutting it off may free enough memory for the others.
    const slowest = [...this.#paces].sort(([, a], [, b]) => b.seconds - a.seconds);
    for (const [transfer, { seconds }] of slowest) {
      if (seconds < LIMIT_SECONDS_CROWDED) return;
      if (seconds >= LIMIT_SECONDS || transfer.isWanted()) transfer.disconnect();
    }
  }
}

/** Transfers in progress in this process. */
export const slowClientMonitor = new SlowClientMonitor();

const WARNING_MS = 5 * 60_000;
let lastCut = Number.NEGATIVE_INFINITY;

/** Records that slow clients took memory that others were waiting for. */
export function noteSlowClientPressure(): void {
  lastCut = performance.now();
}

/** Within the last five minutes. */
export const hadMemoryPressure = (): boolean => performance.now() - lastCut < WARNING_MS;
