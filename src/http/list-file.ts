/** A file with a list of people, sites or interviews: bounded, since it is held in memory as a whole. */
import { readFile, stat } from 'node:fs/promises';
import { problem } from './problem.ts';

const MOST_BYTES = 5_000_000;

export const unreadable = (why: string) =>
  problem('MALFORMED_JSON', { message: `The file cannot be read: ${why}.` });

export async function readList(path: string, mostBytes = MOST_BYTES): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > mostBytes) throw unreadable(`it is larger than ${mostBytes / 1e6} MB`);
  return await readFile(path);
}

/** What `read` says of the text is told as a refusal of the file. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SyntaxError ? unreadable(error.message) : error;
  }
}
