/** List cursors: where the next page begins, as an opaque text. */
import { z } from 'zod';
import { fieldError } from '../problems/error-codes.ts';
import { queryParameterProblem } from '../problems/problem.ts';

export const CursorId = z.string().regex(/^[0-9a-f]{24}$/);

export const writeCursor = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** `shape` rejects cursors of other lists. */
export function readCursor<Parts>(text: string, shape: z.ZodType<Parts>): Parts {
  const parts = shape.safeParse(decodeCursor(text));
  if (!parts.success) throw queryParameterProblem(fieldError('cursor', 'NOT_CURSOR'));
  return parts.data;
}

function decodeCursor(text: string): unknown {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    // Decoding ignores invalid characters, so the text must match when encoded again.
    return writeCursor(parts as unknown[]) === text ? parts : null;
  } catch {
    return null;
  }
}
