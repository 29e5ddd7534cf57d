/**
 * Serializes large replies to JSON in chunks while they are sent. The complete text is never in memory, and other
 * requests get a turn between two chunks.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { stringifyChunked } from '@discoveryjs/json-ext';
import type { ReplySerializer } from './declared-fields.ts';

export const JSON_CHUNK_BYTES = 64 * 1024;

/** `value` may be an async iterable: a list that is read while it is sent. */
export const jsonChunks = (value: object, serialize: ReplySerializer): AsyncGenerator<string> =>
  Symbol.asyncIterator in value
    ? listChunks(value as AsyncIterable<unknown>, serialize)
    : valueChunks(serialize(value));

/** All chunks joined. */
export async function jsonText(value: object, serialize: ReplySerializer): Promise<string> {
  let text = '';
  for await (const piece of jsonChunks(value, serialize)) text += piece;
  return text;
}

async function* listChunks(
  items: AsyncIterable<unknown>,
  serialize: ReplySerializer,
): AsyncGenerator<string> {
  let before = '[';
  for await (const one of items) {
    const [visible] = serialize([one]) as unknown[];
    yield before;
    yield* valueChunks(visible);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* valueChunks(value: unknown): AsyncGenerator<string> {
  for (const piece of stringifyChunked(value, { highWaterMark: JSON_CHUNK_BYTES })) {
    yield piece;
    await turn();
  }
}
