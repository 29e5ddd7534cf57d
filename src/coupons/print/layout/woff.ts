/**
 * Unpacks WOFF fonts. The library would unpack a whole table again for each glyph, which takes seconds for large fonts.
 */
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const WOFF = 0x774f4646;
const HEADER = 44;
const ENTRY = 20;

const read = new Map<string, Buffer>();

export function readFontFile(path: string): Buffer {
  const cached = read.get(path);
  if (cached) return cached;
  const file = readFileSync(path);
  const plain = file.readUInt32BE(0) === WOFF ? toSfnt(file) : file;
  read.set(path, plain);
  return plain;
}

/** Builds an sfnt file: a directory with 16 bytes per table, then the tables, aligned to four bytes. */
function toSfnt(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(12 + 16 * count);
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let at = directory.length;
  for (let index = 0; index < count; index++) {
    const entry = woff.subarray(HEADER + ENTRY * index, HEADER + ENTRY * (index + 1));
    const [offset, packed, length] = [4, 8, 12].map((field) => entry.readUInt32BE(field)) as [
      number,
      number,
      number,
    ];
    const packedBytes = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(packedBytes) : packedBytes;
    const record = directory.subarray(12 + 16 * index);
    entry.copy(record, 0, 0, 4);
    entry.copy(record, 4, 16, 20);
    record.writeUInt32BE(at, 8);
    record.writeUInt32BE(length, 12);
    const padding = Buffer.alloc(-length & 3);
    tables.push(table, padding);
    at += length + padding.length;
  }
  return Buffer.concat([directory, ...tables]);
}
