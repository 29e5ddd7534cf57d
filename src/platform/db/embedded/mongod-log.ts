/**
 * The log of our own mongod, without data. Its lines can quote commands and records, so they come through a pipe, and only
 * time, component and the fixed text of the message are written; for storage warnings also the reason, with quoted values
 * and numbers removed.
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
import { parsedJson } from '../../lib/objects/parsed-json.ts';

/** Of the current file. The previous one is kept. */
const MAX_FILE_BYTES = 1024 * 1024;
/** mongod's own limit is a little over 10 kB. */
const MAX_LINE_BYTES = 64 * 1024;
/** Components that log about files, ports and settings; others log what clients sent. */
const SYSTEM_COMPONENTS = /^(CONTROL|NETWORK|STORAGE|WT\w*)$/;

/** Writes what comes through the pipe. Never blocks mongod: if the disk is full, lines are lost. */
export function writeMongodLog(words: Readable, file: string): void {
  rotateLog(file);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let size = 0;
  const write = (text: string) => {
    try {
      if (size + text.length > MAX_FILE_BYTES) {
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
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_BYTES);
    const kept = lines.flatMap((line) => redactLine(line) ?? []);
    if (kept.length > 0) write(`${kept.join('\n')}\n`);
  });
  words.on('error', () => {});
}

/** The line without data; null if it is not a line of mongod's log. */
export function redactLine(line: string): string | null {
  const said = parsedJson(line) as Line | null;
  if (typeof said?.msg !== 'string') return null;
  const { t, s, c, id, msg, attr } = said;
  const isOfMachine = s !== 'I' && SYSTEM_COMPONENTS.test(String(c));
  const reasons = [attr?.error, attr?.message, said.reason].flatMap(
    (one) => (isOfMachine && textOf(one)) || [],
  );
  const reason = reasons.length > 0 ? redactValues(reasons.join(' ')) : undefined;
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

/** WiredTiger's reasons are objects with a `msg`, others plain text. */
const textOf = (reason: unknown): string | undefined =>
  typeof reason === 'object' ? textOf((reason as { msg?: unknown } | null)?.msg ?? '') : String(reason ?? '');

/** `index x: { phone: "+1206…" } has it 4711 times` becomes `index x: … has it … times`. */
function redactValues(reason: string): string {
  return reason
    .replace(/[{"'].*[}"']/gs, '…')
    .replace(/\d{3,}/g, '…')
    .slice(0, 300);
}

/** Keeps the log of the last start; removes data from one that an earlier version left. */
function rotateLog(file: string): void {
  try {
    const lines = tailOf(file)
      .split('\n')
      .flatMap((line) => redactLine(line) ?? []);
    writeFileSync(`${file}.1`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    rmSync(file, { force: true });
  } catch (error) {
    // If the disk is full, delete the logs rather than keep data in them.
    for (const old of [`${file}.1`, file]) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') rmSync(old, { force: true });
    }
  }
}

function tailOf(file: string): string {
  const from = openSync(file, 'r');
  try {
    const { size } = fstatSync(from);
    const bytes = Buffer.alloc(Math.min(size, MAX_FILE_BYTES));
    readSync(from, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(from);
  }
}
