/**
 * Reads the values of a column from bytes, so that each distinct value is decoded once, without allocating objects for
 * repeats.
 */
import {
  BSON_TYPE,
  bsonValueSize,
  decodeValueAt,
  hashOfBsonValue,
} from '../../platform/lib/bson/elements.ts';
import type { DictionaryColumn } from './columns.ts';

interface ValueEntry {
  type: number;
  bytes: Buffer;
  code: number;
}

const MAX_KNOWN = 2_000;
/** Longer values are texts that rarely repeat. */
const MAX_BYTES = 64;

export class StoredValueDecoder<V> {
  readonly column: DictionaryColumn<V>;
  readonly #decode: (value: unknown) => V;
  readonly #known = new Map<number, ValueEntry>();

  constructor(column: DictionaryColumn<V>, decode: (value: unknown) => V) {
    this.column = column;
    this.#decode = decode;
  }

  set(row: number, bytes: Buffer, type: number, at: number): void {
    // This may replace `codes`.
    const code = this.codeOf(bytes, type, at);
    this.column.codes[row] = code;
  }

  /** The id at `at`; if that is 0, the row has none. */
  setId(row: number, bytes: Buffer, at: number): void {
    if (at > 0) this.set(row, bytes, BSON_TYPE.id, at);
    else this.column.codes[row] = 0;
  }

  codeOf(bytes: Buffer, type: number, at: number): number {
    const size = bsonValueSize(bytes, type, at);
    const hash = hashOfBsonValue(bytes, type, at, size);
    const entry = this.#known.get(hash);
    if (entry && isAlike(entry, bytes, type, at, size)) return entry.code;
    const code = this.column.addCode(this.#decode(decodeValueAt(bytes, type, at)));
    if (entry || size > MAX_BYTES || this.#known.size >= MAX_KNOWN) return code;
    this.#known.set(hash, { type, bytes: Buffer.from(bytes.subarray(at, at + size)), code });
    return code;
  }
}

function isAlike(entry: ValueEntry, bytes: Buffer, type: number, at: number, size: number): boolean {
  if (entry.type !== type || entry.bytes.length !== size) return false;
  for (let i = 0; i < size; i++) if (entry.bytes[i] !== bytes[at + i]) return false;
  return true;
}
