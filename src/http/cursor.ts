/** Cursors of lists: where the next page begins, as an opaque text. */
import { z } from 'zod';
import { fieldError } from './error-codes.ts';
import { problem } from './problem.ts';

export const CursorId = z.string().regex(/^[0-9a-f]{24}$/);

export const writeCursor = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** `shape` refuses the cursor of another list. */
export function readCursor<Parts>(text: string, shape: z.ZodType<Parts>): Parts {
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw problem('INVALID_QUERY', { errors: [fieldError('cursor', 'NOT_CURSOR')] });
  }
}
