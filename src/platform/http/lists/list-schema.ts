/** The schemas of a list's query and reply: `limit`, `cursor`, `sort`, `total`. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../problems/error-codes.ts';

const Limit = z
  .string()
  .regex(/^\d{1,4}$/, FAULTS.NOT_LIMIT)
  .transform(Number)
  .pipe(z.number().min(1, FAULTS.LIMIT_TOO_SMALL).max(200, FAULTS.LIMIT_TOO_BIG))
  .meta({ type: 'integer', minimum: 1, maximum: 200 });

const common = {
  cursor: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    // The handler also rejects anything that isn't a `nextCursor` of this list.
    .meta({
      description: '`nextCursor` of the previous page, with the same `sort`; anything else is refused.',
      pattern: '^[A-Za-z0-9_-]+$',
    }),
  total: z.enum(['true', 'false']).optional().meta({ description: '`true` adds the number of all matches.' }),
};

export const creationSortedQuery = {
  ...common,
  limit: Limit.meta({ description: 'Page size, 1 to 200; default 50.' }).default(50),
  sort: z.enum(['createdAt', '-createdAt']).default('-createdAt'),
};

export const nameSortedQuery = {
  ...common,
  limit: Limit.meta({ description: 'Page size, 1 to 200; default: all.' }).optional(),
  sort: z.enum(['name', '-name', 'createdAt', '-createdAt']).default('name'),
};

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  sort: string;
  total?: 'true' | 'false' | undefined;
}

export const listSchema = (item: z.ZodType) =>
  z.object({
    data: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: '`cursor` of the next page; null on the last one.', example: null }),
    total: z.int().optional().meta({ description: 'Only with `total=true`.', example: 1 }),
  });
