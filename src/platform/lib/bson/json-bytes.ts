/**
 * JSON text of stored values, written from their bytes. The text is the same as for the values that the driver would
 * read.
 */
import {
  BSON_TYPE,
  bsonElementsEnd,
  bsonValueSize,
  MAX_DATE_MS,
  NeedsMongoDriver,
  readInt64,
  valueOffsetAfterName,
} from './elements.ts';

const [QUOTE, BACKSLASH, COMMA, SPACE, DOLLAR] = [0x22, 0x5c, 0x2c, 0x20, 0x24];
const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** A growing UTF-8 text. */
export class JsonBuffer {
  #bytes = Buffer.allocUnsafe(16 * 1024);
  length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.length++] = text.charCodeAt(i);
  }

  copy(source: Buffer): void {
    this.#reserve(source.length);
    this.#bytes.set(source, this.length);
    this.length += source.length;
  }

  comma(): void {
    this.#reserve(1);
    this.#bytes[this.length++] = COMMA;
  }

  /** Appends a quoted text; the source is UTF-8. */
  text(source: Buffer, from: number, end: number): void {
    this.#reserve(end - from + 2);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let i = from; i < end; i++) {
      const byte = source[i]!;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
        this.copy(Buffer.from(JSON.stringify(source.toString('utf8', from, end))));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.length = at;
  }

  /** Appends an id as quoted hexadecimal digits. */
  id(source: Buffer, from: number): void {
    this.#reserve(26);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let i = from; i < from + 12; i++) {
      const byte = source[i]!;
      bytes[at++] = HEX_DIGITS[byte >> 4]!;
      bytes[at++] = HEX_DIGITS[byte & 15]!;
    }
    bytes[at++] = QUOTE;
    this.length = at;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    longer.set(this.bytes);
    this.#bytes = longer;
  }
}

/** Throws NeedsMongoDriver if the driver must read the value. */
export function writeBsonValueAsJson(out: JsonBuffer, bytes: Buffer, type: number, at: number): void {
  switch (type) {
    case BSON_TYPE.string:
      out.text(bytes, at + 4, at + 3 + bytes.readInt32LE(at));
      break;
    case BSON_TYPE.int:
      out.ascii(String(bytes.readInt32LE(at)));
      break;
    case BSON_TYPE.double:
      writeNumber(out, bytes.readDoubleLE(at));
      break;
    case BSON_TYPE.boolean:
      out.ascii(bytes[at] === 1 ? 'true' : 'false');
      break;
    case BSON_TYPE.null:
      out.ascii('null');
      break;
    case BSON_TYPE.id:
      out.id(bytes, at);
      break;
    case BSON_TYPE.date:
      writeDate(out, readInt64(bytes, at));
      break;
    case BSON_TYPE.long:
      writeLong(out, readInt64(bytes, at));
      break;
    case BSON_TYPE.object:
      writeObject(out, bytes, at);
      break;
    case BSON_TYPE.array:
      writeBsonArrayAsJson(out, bytes, at, writeBsonValueAsJson);
      break;
    default:
      throw new NeedsMongoDriver();
  }
}

export type WriteValue = typeof writeBsonValueAsJson;

export function writeBsonArrayAsJson(out: JsonBuffer, bytes: Buffer, from: number, write: WriteValue): void {
  out.ascii('[');
  const end = bsonElementsEnd(bytes, from);
  for (let at = from + 4; at < end; ) {
    const type = bytes[at]!;
    const value = valueOffsetAfterName(bytes, at);
    if (at > from + 4) out.comma();
    write(out, bytes, type, value);
    at = value + bsonValueSize(bytes, type, value);
  }
  out.ascii(']');
}

function writeObject(out: JsonBuffer, bytes: Buffer, from: number): void {
  out.ascii('{');
  const end = bsonElementsEnd(bytes, from);
  for (let at = from + 4; at < end; ) {
    const type = bytes[at]!;
    const first = bytes[at + 1]!;
    // JavaScript puts integer keys first, and the driver reads some names with a dollar sign as references.
    if ((first >= DIGIT_0 && first <= DIGIT_9) || first === DOLLAR) throw new NeedsMongoDriver();
    let name = at + 1;
    while (bytes[name] !== 0) name++;
    if (at > from + 4) out.comma();
    out.text(bytes, at + 1, name);
    out.ascii(':');
    writeBsonValueAsJson(out, bytes, type, name + 1);
    at = name + 1 + bsonValueSize(bytes, type, name + 1);
  }
  out.ascii('}');
}

function writeNumber(out: JsonBuffer, value: number): void {
  out.ascii(Number.isFinite(value) ? String(value) : 'null');
}

function writeDate(out: JsonBuffer, time: number): void {
  if (Math.abs(time) > MAX_DATE_MS) throw new NeedsMongoDriver();
  out.ascii(`"${new Date(time).toISOString()}"`);
}

function writeLong(out: JsonBuffer, value: number): void {
  if (!Number.isSafeInteger(value)) throw new NeedsMongoDriver();
  out.ascii(String(value));
}
