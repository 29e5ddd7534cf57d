/**
 * Answers that may have megabytes, made into JSON piece by piece while they are sent: they are never in memory as a
 * whole once more, and others are answered between two pieces.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { stringifyChunked } from '@discoveryjs/json-ext';
import type { Cut } from './reply.ts';

/** So much is made into JSON before others are answered. */
export const PIECE_BYTES = 64 * 1024;

/** A list that is read while it is sent is an async iterable. */
export const piecesOf = (value: object, cut: Cut): AsyncGenerator<string> =>
  Symbol.asyncIterator in value ? list(value as AsyncIterable<unknown>, cut) : pieces(cut(value));

/** All pieces together. */
export async function textOf(value: object, cut: Cut): Promise<string> {
  let text = '';
  for await (const piece of piecesOf(value, cut)) text += piece;
  return text;
}

async function* list(items: AsyncIterable<unknown>, cut: Cut): AsyncGenerator<string> {
  let before = '[';
  for await (const one of items) {
    const [shown] = cut([one]) as unknown[];
    yield before;
    yield* pieces(shown);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* pieces(value: unknown): AsyncGenerator<string> {
  for (const piece of stringifyChunked(value, { highWaterMark: PIECE_BYTES })) {
    yield piece;
    await turn();
  }
}
