/**
 * Searches the files of a browser's profile for texts, as someone would who has copied them: LevelDB's logs with their
 * records put together, its tables and the large values of IndexedDB uncompressed, texts in one or two bytes a letter.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** `name in file` for each of these texts (by name) that lies anywhere in the profile. */
export async function findInProfile(profile: string, texts: Record<string, string>): Promise<string[]> {
  const matches = new Set<string>();
  for (const file of await readdir(profile, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    // A running browser deletes files.
    const content = await readFile(path).catch(() => null);
    if (!content) continue;
    for (const view of viewsOf(file.name, content))
      for (const [name, text] of Object.entries(texts))
        if (holds(view, text)) matches.add(`${name} in ${relative(profile, path)}`);
  }
  return [...matches];
}

/** As bytes: by its encoding, a text in two bytes a letter would be found at even places only. */
const holds = (content: Buffer, text: string): boolean =>
  (['latin1', 'utf8', 'utf16le'] as const).some((encoding) => content.includes(Buffer.from(text, encoding)));

function viewsOf(name: string, content: Buffer): Buffer[] {
  const whole = [content];
  if (name.endsWith('.log')) whole.push(recordsOf(content));
  if (name.endsWith('.ldb')) whole.push(...blocksOf(content));
  return [...whole, ...whole.flatMap(valuesIn), ...whole.flatMap(gzippedIn)];
}

const LOG_BLOCK = 32_768;
const LOG_HEADER = 7;

/** Records are cut into pieces at the ends of blocks. */
function recordsOf(log: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let block = 0; block < log.length; block += LOG_BLOCK) {
    const end = Math.min(block + LOG_BLOCK, log.length);
    for (let at = block; at + LOG_HEADER <= end; ) {
      const length = log.readUInt16LE(at + 4);
      pieces.push(log.subarray(at + LOG_HEADER, Math.min(at + LOG_HEADER + length, end)));
      at += LOG_HEADER + length;
    }
  }
  return Buffer.concat(pieces);
}

const FOOTER = 48;
const SNAPPY = 1;

/** The footer has the place of the index, the index those of the blocks. */
function blocksOf(table: Buffer): Buffer[] {
  if (table.length < FOOTER) return [];
  const footer = cursor(table.subarray(table.length - FOOTER));
  footer.varint();
  footer.varint();
  const index = blockAt(table, footer.varint(), footer.varint());
  const entries = cursor(index);
  const blocks: Buffer[] = [];
  const end = index.length - 4 - 4 * (index.length < 4 ? 0 : index.readUInt32LE(index.length - 4));
  while (entries.at() < end) {
    entries.varint();
    const [rest, length] = [entries.varint(), entries.varint()];
    entries.take(rest);
    const handle = cursor(entries.take(length));
    blocks.push(blockAt(table, handle.varint(), handle.varint()));
  }
  return blocks;
}

function blockAt(table: Buffer, offset: number, size: number): Buffer {
  const block = table.subarray(offset, offset + size);
  return table[offset + size] === SNAPPY ? uncompress(block) : block;
}

/** Where IndexedDB has compressed a value: after the mark of its version. */
const COMPRESSED = Buffer.from([0xff, 0x11, 0x02]);
const valuesIn = (content: Buffer): Buffer[] =>
  after(content, COMPRESSED).map((at) => uncompress(content.subarray(at)));

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const gzippedIn = (content: Buffer): Buffer[] =>
  after(content, GZIP).flatMap((at) => {
    try {
      return [gunzipSync(content.subarray(at - GZIP.length), { finishFlush: 2 })];
    } catch {
      return [];
    }
  });

function after(content: Buffer, mark: Buffer): number[] {
  const places: number[] = [];
  for (let at = content.indexOf(mark); at >= 0; at = content.indexOf(mark, at + 1))
    places.push(at + mark.length);
  return places;
}

function cursor(content: Buffer) {
  let at = 0;
  const byte = () => content[at++] ?? 0;
  return {
    at: () => at,
    isAtEnd: () => at >= content.length,
    byte,
    take: (count: number) => {
      at += count;
      return content.subarray(at - count, at);
    },
    varint: () => {
      let value = 0;
      for (let scale = 1; scale < 2 ** 35; scale *= 128) {
        const next = byte();
        value += (next & 127) * scale;
        if (next < 128) break;
      }
      return value;
    },
    little: (bytes: number) => {
      let value = 0;
      for (let place = 0; place < bytes; place += 1) value += byte() * 256 ** place;
      return value;
    },
  };
}

/** More than the browser compresses at once, so that a mark that is there by chance costs nothing. */
const MAX_UNCOMPRESSED = 32 * 2 ** 20;

/** Of Snappy's format; as far as it is whole. */
export function uncompress(content: Buffer): Buffer {
  const input = cursor(content);
  const length = input.varint();
  if (length > MAX_UNCOMPRESSED) return Buffer.alloc(0);
  const output = Buffer.alloc(length);
  let at = 0;
  const copy = (offset: number, count: number) => {
    if (offset === 0 || offset > at) return false;
    for (let end = Math.min(at + count, length); at < end; at += 1) output[at] = output[at - offset] ?? 0;
    return true;
  };
  while (at < length && !input.isAtEnd()) {
    const tag = input.byte();
    const rest = tag >> 2;
    if ((tag & 3) === 0) {
      const count = (rest < 60 ? rest : input.little(rest - 59)) + 1;
      at += input.take(count).copy(output, at, 0, count);
    } else if ((tag & 3) === 1) {
      if (!copy((tag >> 5) * 256 + input.byte(), (rest & 7) + 4)) break;
    } else if (!copy(input.little((tag & 3) === 2 ? 2 : 4), rest + 1)) break;
  }
  return output.subarray(0, at);
}
