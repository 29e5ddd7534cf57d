/**
 * What the own mongod says, written down without what it was told. Its lines quote commands and records: slow ones, and
 * those of a client that hung up. So its words come through a pipe; of each line the time, the component and the fixed
 * text of the message are kept, and of a warning of its storage the reason with quoted values and numbers blotted out.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Of the present file; the one before it is kept beside it. */
const LARGEST = 1024 * 1024;
/** mongod's own limit of a line is 10 kB and some. */
const LONGEST_LINE = 64 * 1024;
/** They speak of files, ports and the settings; the others speak of what clients sent. */
const OF_THE_MACHINE = /^(CONTROL|NETWORK|STORAGE|WT\w*)$/;

/** Writes down what comes through the pipe. Nothing waits for it: a full disk costs lines, not the database. */
export function keepMongodLog(words: Readable, file: string): void {
  tidyLast(file);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let size = 0;
  const write = (text: string) => {
    try {
      if (size + text.length > LARGEST) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, text, { mode: 0o600 });
      size += text.length;
    } catch {
      // The next line is tried again.
    }
  };
  words.on('data', (bytes: Buffer) => {
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    const kept = lines.flatMap((line) => withoutValues(line) ?? []);
    if (kept.length > 0) write(`${kept.join('\n')}\n`);
  });
  words.on('error', () => {});
}

/** A line as it may be kept; null for what is no line of mongod's log. */
export function withoutValues(line: string): string | null {
  const said = parse(line);
  if (typeof said?.msg !== 'string') return null;
  const { t, s, c, id, msg, attr } = said;
  const isOfMachine = s !== 'I' && OF_THE_MACHINE.test(String(c));
  const reasons = [attr?.error, attr?.message, said.reason].flatMap(
    (one) => (isOfMachine && textOf(one)) || [],
  );
  const reason = reasons.length > 0 ? blotted(reasons.join(' ')) : undefined;
  return JSON.stringify({ t, s, c, id, msg, ...(reason === undefined ? {} : { reason }) });
}

interface Line {
  t?: unknown;
  s?: unknown;
  c?: unknown;
  id?: unknown;
  msg?: unknown;
  reason?: unknown;
  attr?: { error?: unknown; message?: unknown };
}

function parse(line: string): Line | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** WiredTiger's reasons are objects with a `msg`, others plain text. */
const textOf = (reason: unknown): string | undefined =>
  typeof reason === 'object' ? textOf((reason as { msg?: unknown } | null)?.msg ?? '') : String(reason ?? '');

/** `index x: { phone: "+1206…" } has it 4711 times` becomes `index x: … has it … times`. */
function blotted(reason: string): string {
  return reason
    .replace(/[{"'].*[}"']/gs, '…')
    .replace(/\d{3,}/g, '…')
    .slice(0, 300);
}

/** The log of the last start is kept; one from before the service wrote it itself loses its values on the way. */
function tidyLast(file: string): void {
  try {
    const lines = tailOf(file)
      .split('\n')
      .flatMap((line) => withoutValues(line) ?? []);
    writeFileSync(`${file}.1`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    rmSync(file, { force: true });
  } catch (error) {
    // On a full disk: better none than one with values in it.
    for (const old of [`${file}.1`, file]) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') rmSync(old, { force: true });
    }
  }
}

function tailOf(file: string): string {
  const from = openSync(file, 'r');
  try {
    const { size } = fstatSync(from);
    const bytes = Buffer.alloc(Math.min(size, LARGEST));
    readSync(from, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(from);
  }
}
