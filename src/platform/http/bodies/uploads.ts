/**
 * Bodies that are arriving, or waiting for the memory that their work needs (memory-budget.ts). Their bytes count as
 * they arrive, toward a separate budget, so that incomplete requests never take the place of complete ones. When the
 * budget is used up, the slowest clients are cut off (slow-clients.ts), and others are read later.
 */
import { noteSlowClientPressure, type OngoingTransfer, slowClientMonitor } from '../limits/slow-clients.ts';

const MB = 1024 * 1024;
/** Above this, only small callers and one upload at a time continue. */
const CAPACITY_BYTES = 24 * MB;
/** Maximum for one caller. */
const MAX_BYTES_EACH = CAPACITY_BYTES / 2;
/** A caller with less than this is small. */
const SMALL_BYTES = MB / 8;
/** If all small callers together hold less than this, cutting them off wouldn't help those who wait. */
const MAX_SMALL_BYTES = CAPACITY_BYTES / 2;
/** Hard limit; above it, clients are cut off. */
const MAX_ARRIVING_BYTES = 36 * MB;
/** Memory that a request takes before its body. */
const MIN_BYTES_EACH = 32 * 1024;
/** How much Node reads at once. */
const CHUNK_BYTES = 64 * 1024;
/** An upload slower than this doesn't keep the others waiting. */
const SLOW_SECONDS = 2;
/** Maximum for all pauses of an upload together. */
const TIMEOUT_MS = 9_000;

/** The client's side of an upload. */
export interface IncomingUploadControl {
  pause(): void;
  resume(): void;
  /** Refuses the request because the service has no memory for it, or the client is too slow. */
  refuse(reason: 'busy' | 'slow'): void;
}

export class Upload implements OngoingTransfer {
  readonly by: string;
  readonly source: IncomingUploadControl;
  readonly #all: UploadBudget;
  bytes = MIN_BYTES_EACH;
  isComplete = false;
  /** The timer that refuses it if it is paused for too long. */
  patience: NodeJS.Timeout | undefined;
  pausedAt = 0;
  pausedMs = 0;

  constructor(all: UploadBudget, by: string, source: IncomingUploadControl) {
    this.#all = all;
    this.by = by;
    this.source = source;
  }

  /** `isLast`: the upload is complete. */
  add(bytes: number, isLast: boolean): void {
    this.#all.add(this, bytes, isLast);
  }

  /** Stop waiting for the rest; the bytes count until `leave`. */
  complete(): void {
    this.isComplete = true;
    slowClientMonitor.delete(this);
    this.#all.hasStopped(this);
  }

  leave(): void {
    this.#all.delete(this);
  }

  bytesMoved(): number {
    return this.bytes;
  }

  isClientsTurn(): boolean {
    return !this.isComplete && this.patience === undefined;
  }

  isWanted(): boolean {
    return this.#all.isWanted(this);
  }

  disconnect(): void {
    this.#all.refuse(this, 'slow');
  }
}

export class UploadBudget {
  readonly #uploads = new Set<Upload>();
  readonly #paused = new Set<Upload>();
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  #heldBySmall = 0;
  /** The one upload that continues although there is no room, so that uploads can't deadlock. */
  #first: Upload | null = null;

  begin(by: string, source: IncomingUploadControl): Upload {
    const upload = new Upload(this, by, source);
    this.#uploads.add(upload);
    slowClientMonitor.add(upload);
    this.#take(by, upload.bytes);
    this.#makeRoom();
    return upload;
  }

  add(upload: Upload, bytes: number, isLast: boolean): void {
    if (!this.#uploads.has(upload)) return;
    upload.bytes += bytes;
    this.#take(upload.by, bytes);
    this.#makeRoom();
    if (!this.#uploads.has(upload) || isLast || this.#hasRoom(upload) || upload === this.#first) return;
    if (this.#isFirstIdle()) this.#first = upload;
    else this.#pause(upload);
  }

  delete(upload: Upload): void {
    if (!this.#uploads.delete(upload)) return;
    slowClientMonitor.delete(upload);
    this.#take(upload.by, -upload.bytes);
    this.#continue(upload);
    this.hasStopped(upload);
  }

  /** Called when an upload stops, so that others may continue. */
  hasStopped(upload: Upload): void {
    if (this.#first === upload) this.#first = null;
    let room = CAPACITY_BYTES - this.#held;
    const smallestFirst = [...this.#paused].sort((a, b) => this.#of(a) - this.#of(b));
    for (const one of smallestFirst) {
      if (this.#isFirstIdle()) this.#first = one;
      else if (room <= 0 || !this.#hasRoom(one)) continue;
      room -= CHUNK_BYTES;
      this.#continue(one);
      one.source.resume();
    }
  }

  refuse(upload: Upload, reason: 'busy' | 'slow'): void {
    if (reason === 'busy' || this.isWanted(upload)) noteSlowClientPressure();
    this.delete(upload);
    upload.source.refuse(reason);
  }

  /** Whether others are waiting for the memory of this upload. */
  isWanted(upload: Upload): boolean {
    if (this.#held > CAPACITY_BYTES) return this.#isInTheWay(upload);
    return this.#of(upload) > MAX_BYTES_EACH && [...this.#paused].some(({ by }) => by === upload.by);
  }

  #isInTheWay(upload: Upload): boolean {
    return this.#of(upload) > SMALL_BYTES || this.#heldBySmall > MAX_SMALL_BYTES;
  }

  #of({ by }: Upload): number {
    return this.#heldBy.get(by) ?? 0;
  }

  #take(by: string, bytes: number): void {
    this.#held += bytes;
    const before = this.#heldBy.get(by) ?? 0;
    const own = before + bytes;
    if (before <= SMALL_BYTES) this.#heldBySmall -= before;
    if (own <= SMALL_BYTES) this.#heldBySmall += own;
    if (own > 0) this.#heldBy.set(by, own);
    else this.#heldBy.delete(by);
  }

  #hasRoom(upload: Upload): boolean {
    const own = this.#of(upload);
    return own <= SMALL_BYTES || (this.#held <= CAPACITY_BYTES && own <= MAX_BYTES_EACH);
  }

  #isFirstIdle(): boolean {
    const first = this.#first;
    return first === null || this.#hasRoom(first) || slowClientMonitor.secondsOf(first) >= SLOW_SECONDS;
  }

  #pause(upload: Upload): void {
    if (this.#paused.has(upload)) return;
    this.#paused.add(upload);
    upload.source.pause();
    upload.pausedAt = performance.now();
    const remainingMs = Math.max(0, TIMEOUT_MS - upload.pausedMs);
    upload.patience = setTimeout(() => this.refuse(upload, 'busy'), remainingMs);
  }

  #continue(upload: Upload): void {
    if (!this.#paused.delete(upload)) return;
    clearTimeout(upload.patience);
    upload.patience = undefined;
    upload.pausedMs += performance.now() - upload.pausedAt;
  }

  /** Cuts off the slowest uploads; if equally slow, the largest of the caller who holds most; small ones last. */
  #makeRoom(): void {
    while (this.#held > MAX_ARRIVING_BYTES) {
      const arriving = [...this.#uploads].filter(({ isComplete }) => !isComplete);
      const inTheWay = arriving.filter((one) => this.#isInTheWay(one));
      const [worst] = (inTheWay.length > 0 ? inTheWay : arriving).sort(
        (a, b) =>
          slowClientMonitor.secondsOf(b) - slowClientMonitor.secondsOf(a) ||
          this.#of(b) - this.#of(a) ||
          b.bytes - a.bytes,
      );
      if (!worst) return;
      this.refuse(worst, 'busy');
    }
  }
}

export const uploadBudget = new UploadBudget();
