/**
 * The last line of a backup file: a SHA-256 of all bytes before it. The checksums inside verify the records, but would
 * not notice a changed bit where compression can represent the same data in more than one way.
 */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

const LENGTH = 'sha256 '.length + 64 + '\n'.length;

/** Passes on what it is given, and adds the seal. gunzip ignores what stands behind its end. */
export class ChecksumWriter extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  override _flush(callback: TransformCallback): void {
    callback(null, `sha256 ${this.#hash.digest('hex')}\n`);
  }
}

/** Passes on what stands before the seal, and knows in the end whether the seal is whole. */
export class ChecksumReader extends Transform {
  whole = false;
  readonly #hash = createHash('sha256');
  /** The last bytes so far: they may be the seal. */
  #held = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    const bytes = Buffer.concat([this.#held, chunk]);
    const before = bytes.subarray(0, Math.max(0, bytes.length - LENGTH));
    this.#hash.update(before);
    this.#held = Buffer.from(bytes.subarray(before.length));
    callback(null, before);
  }

  override _flush(callback: TransformCallback): void {
    this.whole = this.#held.equals(Buffer.from(`sha256 ${this.#hash.digest('hex')}\n`));
    // What is no seal belongs to the file: only its reader can tell what kind of file it is.
    callback(null, this.whole ? null : this.#held);
  }
}
