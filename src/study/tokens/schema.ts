/** Read tokens in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Day, Id, Instant, Name } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';

/** Each scope opens the routes under one path; see `TOKEN_SCOPE_API_PATHS`. */
export const TokenScope = z.enum(['EXPORTS', 'RESULTS', 'RECRUITMENT']);
export type TokenScope = z.infer<typeof TokenScope>;

export const TOKEN_SCOPE_API_PATHS: Record<TokenScope, string> = {
  EXPORTS: '/api/exports/',
  RESULTS: '/api/analysis/',
  RECRUITMENT: '/api/recruitment/',
};

export const ReadTokenCreate = z
  .strictObject({
    name: Name.meta({ example: 'Weekly figures in R' }),
    scopes: z
      .array(TokenScope)
      .min(1)
      .max(TokenScope.options.length)
      .transform((scopes) => TokenScope.options.filter((one) => scopes.includes(one)))
      .meta({ type: 'array', items: { type: 'string', enum: TokenScope.options } }),
    expiresOn: Day.meta({
      description: 'The last day on which it is valid, in the study’s time zone: at most a year from now.',
    }),
  })
  .meta({ id: 'TokenCreate' });
export type ReadTokenCreate = z.infer<typeof ReadTokenCreate>;

export const NewToken = z
  .object({
    id: Id,
    token: z.string().meta({ description: 'Shown once; only a hash is stored.', example: 'fst_…' }),
  })
  .meta({ id: 'NewToken' });

export const ReadToken = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Weekly figures in R' }),
    scopes: z.array(TokenScope),
    expiresOn: Day,
    lastUsedAt: Instant.nullable().meta({ description: 'To the hour.' }),
    createdBy: Id,
    createdAt: Instant,
  })
  .meta({ id: 'ReadToken' });
export type ReadToken = z.infer<typeof ReadToken>;

export const TokenList = listSchema(ReadToken).meta({ id: 'TokenList' });
export const TokenQuery = z.strictObject(creationSortedQuery);
