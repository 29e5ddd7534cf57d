/** What an operator typed or wrote into a file, held against the schema that a request's body must fit. */
import type { z } from 'zod';
import { refuseUnstorable } from './body.ts';
import { plainWords } from './plain-words.ts';
import { problem } from './problem.ts';
import { fieldErrors } from './route.ts';

export function checked<T extends z.ZodType>(schema: T, input: object): z.output<T> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  refuseUnstorable(given);
  const parsed = schema.safeParse(given, { error: plainWords });
  if (!parsed.success) throw problem('VALIDATION_ERROR', { errors: fieldErrors(parsed.error) });
  return parsed.data;
}
