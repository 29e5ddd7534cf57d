/** The query and the reply of lists: `limit`, `cursor`, `sort`, `total`. Browser-safe. */
import { z } from 'zod';

const Limit = z
  .string()
  .regex(/^\d{1,4}$/, 'a whole number from 1 to 200')
  .transform(Number)
  .pipe(z.number().min(1, 'at least 1').max(200, 'at most 200'))
  .meta({ description: 'How many at most, 1 to 200.', type: 'string', example: '50' });

const common = {
  cursor: z.string().min(1).max(1000).optional().meta({ description: '`nextCursor` of the page before.' }),
  total: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true` adds the number of all that match.' }),
};

export const byCreation = {
  ...common,
  limit: Limit.default(50),
  sort: z.enum(['createdAt', '-createdAt']).default('-createdAt'),
};

export const byName = { ...common, limit: Limit.optional(), sort: z.enum(['name', '-name']).default('name') };

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  sort: string;
  total?: 'true' | 'false' | undefined;
}

export const listOf = (item: z.ZodType) =>
  z.object({
    data: z.array(item),
    nextCursor: z.string().nullable().meta({ description: 'Opaque; null on the last page.' }),
    total: z.int().optional().meta({ description: 'Only where the query says `total=true`.' }),
  });
