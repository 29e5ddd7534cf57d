/** Validates an operator's input (options or a file) with the schema of the corresponding request. */

import type { z } from 'zod';
import { definedFields } from '../lib/objects/defined-fields.ts';
import { requireStorable } from './bodies/body.ts';
import { problem } from './problems/problem.ts';
import { zodMessage } from './problems/zod-messages.ts';
import { fieldErrors } from './route.ts';

export function parseInput<T extends z.ZodType>(schema: T, input: object): z.output<T> {
  const fields = definedFields(input);
  requireStorable(fields);
  const parsed = schema.safeParse(fields, { error: zodMessage });
  if (!parsed.success) throw problem('VALIDATION_ERROR', { errors: fieldErrors(parsed.error) });
  return parsed.data;
}
