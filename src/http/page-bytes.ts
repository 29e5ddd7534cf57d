/** For lists of possibly large records: a page ends before it has too many bytes, but has at least one record. */
import type { z } from 'zod';
import { declaredFields } from './declared-fields.ts';
import type { PageShape } from './page.ts';

/** For the cursor and the total. */
const ENVELOPE_BYTES = 1_000;
/** Of the JSON of a page's records, unless a single record is larger. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024 - ENVELOPE_BYTES;

/** For lists whose records are changed before they are sent; others use `serializedPage`. */
export function limitPageBytes<T>(item: z.ZodType): () => PageShape<T> {
  const cut = declaredFields(item);
  return () => {
    let left = MAX_PAGE_BYTES;
    let isFirst = true;
    return {
      ifItFits: (record) => {
        left -= Buffer.byteLength(JSON.stringify(cut(record))) + 1;
        if (left < 0 && !isFirst) return null;
        isFirst = false;
        return record;
      },
    };
  };
}
