/** Lists whose records may be large each: a page ends before its bytes are too many, after one record at the least. */
import type { z } from 'zod';
import type { PageShape } from './page.ts';
import { onlyDeclared } from './reply.ts';

/** Around the records: cursor and total. */
const FRAME_BYTES = 1_000;
/** Of the JSON that a page's records may have, unless a single record has more. */
export const PAGE_BYTES = 2 * 1024 * 1024 - FRAME_BYTES;

/** The shape of a list of `item`s whose records are still to be added to; others are a `writtenPage`. */
export function withinBudget<T>(item: z.ZodType): () => PageShape<T> {
  const cut = onlyDeclared(item);
  return () => {
    let left = PAGE_BYTES;
    let isFirst = true;
    return {
      room: (record) => {
        left -= Buffer.byteLength(JSON.stringify(cut(record))) + 1;
        if (left < 0 && !isFirst) return null;
        isFirst = false;
        return record;
      },
    };
  };
}
