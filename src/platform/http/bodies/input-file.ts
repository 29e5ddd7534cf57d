/** Reads a file of people, sites or interviews. Its size is limited, because it is read into memory. */
import { readFile, stat } from 'node:fs/promises';
import { problem } from '../problems/problem.ts';

const MAX_BYTES = 5_000_000;

export const unreadableFileProblem = (reason: string) =>
  problem('MALFORMED_JSON', { message: `The file can’t be read: ${reason}.` });

export async function readInputFile(path: string, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > maxBytes) throw unreadableFileProblem(`it is larger than ${maxBytes / 1e6} MB`);
  return await readFile(path);
}

/** Turns a SyntaxError of `read` into a problem. */
export function parseOrProblem<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SyntaxError ? unreadableFileProblem(error.message) : error;
  }
}
