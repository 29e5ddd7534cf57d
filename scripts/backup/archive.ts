/**
 * The format of a backup: gzip over consecutive BSON documents. A header lists the collections with their counts; then
 * come their records in the order of `_id`, and a trailer with a SHA-256 of each collection; the last line is a
 * checksum of the file (checksum.ts). Reading trusts nothing: it detects files of another kind, truncated files, and a
 * single changed bit.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Decrypter } from 'age-encryption';
import mongoose from 'mongoose';
import { ChecksumReader } from './checksum.ts';
import { BadKey, DamagedEncryption, decryptWith, isEncrypted } from './encryption.ts';

const { BSON } = mongoose.mongo;
const FORMAT = 'field-survey-backup';
const VERSION = 1;
/** MongoDB's largest record, and some room for the header of a database with many collections. */
const MAX_DOCUMENT_BYTES = 17 * 1024 * 1024;

export interface CollectionCount {
  name: string;
  count: number;
}
export interface CollectionChecksum extends CollectionCount {
  sha256: string;
}
export interface Header {
  madeAt: Date;
  collections: CollectionCount[];
}

export class BadArchive extends Error {}

/** Turns what is written into bytes, and keeps the sums. */
export class ArchiveWriter {
  readonly sums: CollectionChecksum[] = [];
  #own: Hash = createHash('sha256');
  #count = 0;

  header({ madeAt, collections }: Header): Uint8Array {
    return BSON.serialize({ format: FORMAT, version: VERSION, madeAt, collections });
  }

  record(bytes: Uint8Array): Uint8Array {
    this.#own.update(bytes);
    this.#count += 1;
    return bytes;
  }

  endOf(name: string): void {
    this.sums.push({ name, count: this.#count, sha256: this.#own.digest('hex') });
    this.#own = createHash('sha256');
    this.#count = 0;
  }

  trailer(): Uint8Array {
    return BSON.serialize({ end: true, collections: this.sums });
  }
}

export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'records'; name: string; records: Buffer[]; bytesRead: number }
  | { kind: 'trailer'; sums: CollectionChecksum[] };

/** All parts in order; throws BadArchive at the first fault, at the latest in place of the trailer. */
export async function* readArchive(path: string, decrypter?: Decrypter): AsyncGenerator<Part> {
  const sealed = await isEncrypted(path);
  if (sealed && !decrypter)
    throw new BadKey('This backup is encrypted: name the file of its secret key with --identity.');
  const file = createReadStream(path);
  // The callback must be there; a failure of the file surfaces in the loop.
  const seal = new ChecksumReader();
  const bytes: Readable =
    sealed && decrypter
      ? pipeline(file, decryptWith(decrypter), seal, createGunzip(), () => {})
      : pipeline(file, seal, createGunzip(), () => {});
  const reading = new Reading();
  try {
    for await (const chunk of bytes) {
      for (const part of reading.take(chunk as Buffer)) {
        yield part.kind === 'records' ? { ...part, bytesRead: file.bytesRead } : part;
      }
    }
  } catch (error) {
    throw readable(error, reading);
  }
  reading.finish();
  if (!seal.whole && !reading.isUnsealed) throw damaged("its last line doesn't match the data before it");
}

function readable(error: unknown, reading: Reading): unknown {
  if (error instanceof DamagedEncryption) return damaged("it can't be decrypted");
  const { code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('Z_') && !(error instanceof BSON.BSONError)) return error;
  return reading.hasBegun ? damaged('its data is inconsistent') : foreign();
}

const foreign = () => new BadArchive('This is not a backup of this service.');
const damaged = (reason: string) => new BadArchive(`The backup is damaged: ${reason}.`);

/** One pass over the bytes of an archive; holds one chunk and the sums. */
class Reading {
  #rest = Buffer.alloc(0);
  #header: Header | null = null;
  #writer = new ArchiveWriter();
  /** The collection under way and how many of its records are still to come. */
  #at = 0;
  #left = 0;
  #ended = false;
  /** Over the header and all records: backups from before the seal end with it. */
  readonly #all = createHash('sha256');
  isUnsealed = false;

  get hasBegun(): boolean {
    return this.#header !== null;
  }

  *take(chunk: Buffer): Generator<Exclude<Part, { kind: 'records' }> | (Part & { kind: 'records' })> {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let records: Buffer[] = [];
    for (let length = this.#lengthAt(bytes); length > 0; length = this.#lengthAt(bytes)) {
      const document = bytes.subarray(0, length);
      bytes = bytes.subarray(length);
      if (this.#header === null) yield { kind: 'header', header: this.#open(document) };
      else if (this.#at < this.#header.collections.length) {
        this.#all.update(document);
        records.push(Buffer.from(this.#writer.record(document)));
        this.#left -= 1;
        if (this.#left === 0) {
          yield { kind: 'records', name: this.#name(), records, bytesRead: 0 };
          records = [];
          this.#next();
        }
      } else yield { kind: 'trailer', sums: this.#close(document) };
    }
    if (records.length > 0) yield { kind: 'records', name: this.#name(), records, bytesRead: 0 };
    // A copy: the chunk itself would stay in memory with it.
    this.#rest = Buffer.from(bytes);
  }

  finish(): void {
    if (!this.hasBegun) throw foreign();
    if (!this.#ended) throw damaged('its end is missing');
    if (this.#rest.length > 0) throw damaged('there is data after its end');
  }

  /** Of the document that begins here; 0 while it is not here in full. */
  #lengthAt(bytes: Buffer): number {
    if (bytes.length < 4) return 0;
    const length = bytes.readInt32LE(0);
    if (this.#ended) throw damaged('there is data after its end');
    if (length < 5 || length > MAX_DOCUMENT_BYTES)
      throw this.hasBegun ? damaged('a record has the wrong length') : foreign();
    return bytes.length >= length ? length : 0;
  }

  #open(bytes: Buffer): Header {
    const record = BSON.deserialize(bytes);
    if (record.format !== FORMAT) throw foreign();
    if (record.version !== VERSION) {
      throw new BadArchive(
        `The backup has version ${record.version}; this service reads version ${VERSION}.`,
      );
    }
    this.#all.update(bytes);
    this.#header = { madeAt: record.madeAt as Date, collections: record.collections as CollectionCount[] };
    this.#at = -1;
    this.#next();
    return this.#header;
  }

  /** On to the next collection that has records; empty ones end at once. */
  #next(): void {
    const collections = this.#header?.collections ?? [];
    if (this.#at >= 0) this.#writer.endOf(this.#name());
    for (this.#at += 1; collections[this.#at]?.count === 0; this.#at += 1) this.#writer.endOf(this.#name());
    this.#left = collections[this.#at]?.count ?? 0;
  }

  #name(): string {
    return this.#header?.collections[this.#at]?.name ?? '';
  }

  #close(bytes: Buffer): CollectionChecksum[] {
    const record = BSON.deserialize(bytes);
    const sumsFit = JSON.stringify(record.collections) === JSON.stringify(this.#writer.sums);
    this.isUnsealed = record.sha256 !== undefined;
    const allFit = !this.isUnsealed || record.sha256 === this.#all.digest('hex');
    if (record.end !== true || !sumsFit || !allFit) throw damaged("its checksums don't match its records");
    this.#ended = true;
    return this.#writer.sums;
  }
}
