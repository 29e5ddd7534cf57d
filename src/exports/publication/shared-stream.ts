/**
 * Bytes that are generated once for everyone who requests them at the same time: each reader gets them from the
 * beginning. The work stops when nobody is reading anymore.
 */
import { EventEmitter, once } from 'node:events';
import type { WriteChunk } from '../../platform/http/bodies/backpressure.ts';

export type StreamProducer = (give: WriteChunk, signal: AbortSignal) => Promise<void>;

export class SharedDownload {
  readonly #pieces: Uint8Array[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #abandoned = new AbortController();
  #readers = 0;
  #end: { error?: unknown } | null = null;

  /** `onEnd` is called when the stream is complete, has failed, or has no readers left. */
  constructor(produce: StreamProducer, onEnd: () => void) {
    const give: WriteChunk = async (piece) => {
      this.#pieces.push(piece);
      this.#changes.emit('change');
    };
    const finish = (end: { error?: unknown }) => {
      this.#end = end;
      this.#changes.emit('change');
      onEnd();
    };
    this.#abandoned.signal.addEventListener('abort', onEnd);
    // Deferred, so that the caller can be the first reader.
    void Promise.resolve()
      .then(() => produce(give, this.#abandoned.signal))
      .then(
        () => finish({}),
        (error: unknown) => finish({ error }),
      );
  }

  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#readers++;
    try {
      for (let at = 0; ; at++) {
        while (at >= this.#pieces.length && !this.#end) await once(this.#changes, 'change', { signal });
        const piece = this.#pieces[at];
        if (piece) yield piece;
        else if (this.#end && 'error' in this.#end) throw this.#end.error;
        else return;
      }
    } finally {
      this.#readers--;
      if (this.#readers === 0 && !this.#end) this.#abandoned.abort();
    }
  }
}
