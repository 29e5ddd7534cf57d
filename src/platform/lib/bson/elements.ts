/** Reads fields of stored records from their bytes, without creating an object for each record. See bsonspec.org. */
import mongoose from 'mongoose';

export const BSON_TYPE = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  id: 7,
  boolean: 8,
  date: 9,
  null: 10,
  int: 16,
  long: 18,
} as const;

/** Thrown for values that only the driver can read: binary data, a regular expression, a decimal. */
export class NeedsMongoDriver extends Error {}

/** Size of the value at `at`. */
export function bsonValueSize(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case BSON_TYPE.string:
      return 4 + bytes.readInt32LE(at);
    case BSON_TYPE.object:
    case BSON_TYPE.array:
      return bytes.readInt32LE(at);
    case BSON_TYPE.double:
    case BSON_TYPE.date:
    case BSON_TYPE.long:
      return 8;
    case BSON_TYPE.id:
      return 12;
    case BSON_TYPE.int:
      return 4;
    case BSON_TYPE.boolean:
      return 1;
    case BSON_TYPE.null:
      return 0;
    default:
      return sizeOfUnusual(bytes, type, at);
  }
}

function sizeOfUnusual(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case 5: // Binary data.
      return 5 + bytes.readInt32LE(at);
    case 6: // Undefined.
      return 0;
    case 11: // A regular expression: two texts.
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    case 17: // A timestamp.
      return 8;
    case 19: // A decimal.
      return 16;
    default:
      throw new NeedsMongoDriver();
  }
}

/** A date or a 64-bit integer; exact up to 2^53. */
export const readInt64 = (bytes: Buffer, at: number): number =>
  bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);

export function readBsonNumber(bytes: Buffer, type: number, at: number): number {
  if (type === BSON_TYPE.int) return bytes.readInt32LE(at);
  return type === BSON_TYPE.long ? readInt64(bytes, at) : bytes.readDoubleLE(at);
}

/** The latest date, in milliseconds. */
export const MAX_DATE_MS = 8.64e15;

/** A date in milliseconds; NaN if it is out of range. */
export function readBsonDate(bytes: Buffer, at: number): number {
  const time = readInt64(bytes, at);
  return Math.abs(time) <= MAX_DATE_MS ? time : Number.NaN;
}

/** Where the elements of the record, object or array at `from` end. */
export const bsonElementsEnd = (bytes: Buffer, from: number): number => from + bytes.readInt32LE(from) - 1;

/** Where the value of the element at `at` begins, after its type and name. */
export function valueOffsetAfterName(bytes: Buffer, at: number): number {
  let value = at + 1;
  while (bytes[value++] !== 0);
  return value;
}

/** Looks up field names by their bytes, and numbers them. */
export class BsonFieldNames {
  readonly #names: Buffer[] = [];
  readonly #byHash = new Map<number, number>();
  /** By number, which name followed it last time: records mostly have their fields in the same order. */
  readonly #next: Int32Array;
  #last = 0;
  /** Where the name read by `find` ended, so where its value begins. */
  end = 0;

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const bytes = Buffer.from(name);
      const hash = bytes.reduce(nextHash, 0);
      if (this.#byHash.has(hash)) throw new Error(`the names of two fields have the same hash: ${name}`);
      this.#byHash.set(hash, this.#names.push(bytes) - 1);
    }
    this.#next = new Int32Array(this.#names.length);
  }

  /** The number of the name at `at`, or -1 if it isn't one of these. */
  find(bytes: Buffer, at: number): number {
    const likely = this.#next[this.#last]!;
    const number = this.#isAt(likely, bytes, at) ? likely : this.#lookUp(bytes, at);
    if (number >= 0) this.#last = number;
    return number;
  }

  #lookUp(bytes: Buffer, at: number): number {
    let end = at;
    let hash = 0;
    for (let byte = bytes[end]!; byte !== 0; byte = bytes[++end]!) hash = nextHash(hash, byte);
    this.end = end + 1;
    const number = this.#byHash.get(hash);
    if (number === undefined || !this.#isAt(number, bytes, at)) return -1;
    this.#next[this.#last] = number;
    return number;
  }

  #isAt(number: number, bytes: Buffer, at: number): boolean {
    const name = this.#names[number];
    if (!name) return false;
    for (let i = 0; i < name.length; i++) if (name[i] !== bytes[at + i]) return false;
    const end = at + name.length;
    if (bytes[end] !== 0) return false;
    this.end = end + 1;
    return true;
  }
}

const nextHash = (hash: number, byte: number) => (Math.imul(hash, 31) + byte) | 0;

/** The record as the driver would read it. */
export const decodeWholeRecord = <T>(bytes: Buffer): T => mongoose.mongo.BSON.deserialize(bytes) as T;

export interface BsonFieldPosition {
  type: number;
  /** Where its value begins. */
  at: number;
}

/** Null if the record lacks this field. */
export function findBsonField(record: Buffer, name: string): BsonFieldPosition | null {
  for (let at = 4; at < record.length - 1; ) {
    const type = record[at]!;
    let end = at + 1;
    while (record[end] !== 0) end++;
    const isAlike = end - at - 1 === name.length && record.toString('latin1', at + 1, end) === name;
    if (isAlike) return { type, at: end + 1 };
    at = end + 1 + bsonValueSize(record, type, end + 1);
  }
  return null;
}

/** The value at `at`, as the driver would read it. */
export function decodeValueAt(bytes: Buffer, type: number, at: number): unknown {
  const value = bytes.subarray(at, at + bsonValueSize(bytes, type, at));
  const record = Buffer.concat([Buffer.from([0, 0, 0, 0, type, 0x76, 0]), value, Buffer.from([0])]);
  record.writeInt32LE(record.length, 0);
  return decodeWholeRecord<{ v: unknown }>(record).v;
}

/** A hash of the type and bytes. */
export function hashOfBsonValue(bytes: Buffer, type: number, at: number, size: number): number {
  let hash = type;
  for (let i = at; i < at + size; i++) hash = nextHash(hash, bytes[i]!);
  return hash;
}
