/** Seeds in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, IdInput, Instant, NoteText } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { CouponCode } from '../referral-codes/schema.ts';

export const SeedKind = z.enum(['PLANNED', 'WALK_IN']);

/** Calculated in src/board/recruitment/. */
export const ChainState = z.enum(['ALIVE', 'SILENT', 'NO_COUPONS', 'DIED']).meta({
  description:
    'ALIVE: a coupon is live, and somebody came in the last 14 days. SILENT: a coupon is live, but nobody came. NO_COUPONS: no coupon is live, but somebody came. DIED: neither. Does not depend on the days requested.',
});
export type ChainState = z.infer<typeof ChainState>;

export const Seed = z
  .object({
    id: Id,
    referralCode: CouponCode.nullable().meta({
      description:
        'Null for callers who may not read codes, because whoever comes with it gets it as a claim number: once the seed was used, unless the caller may read that survey; before, unless the caller created the seed or is now at its site.',
    }),
    kind: SeedKind,
    location: Id,
    round: Id,
    note: z.string().nullable().meta({ example: 'known at the soup kitchen' }),
    survey: Id.nullable().meta({ description: 'The survey that redeemed its code.' }),
    createdBy: Id.nullable().meta({ description: 'Null for a seed created by a command.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Seed' });

export const SeedList = listSchema(Seed).meta({ id: 'SeedList' });
export const SeedQuery = z.strictObject({
  ...creationSortedQuery,
  location: IdInput.optional(),
  round: IdInput.optional(),
  kind: SeedKind.optional(),
  unused: z.enum(['true', 'false']).optional().meta({ description: '`true`: only unused seeds.' }),
  chain: ChainState.optional().meta({
    description: `Only seeds whose chain is in this state; for callers who can read the recruitment of all sites. ${ChainState.description}`,
  }),
});
export const SeedCreate = z.strictObject({
  location: IdInput.meta({ description: 'The site: the `id` of a location.' }),
  note: NoteText.nullable().optional(),
});

export const SeedsDelete = z
  .strictObject({ ids: z.array(IdInput).min(1).max(200) })
  .meta({ id: 'SeedsDelete' });

export const SeedsDeleted = z
  .object({
    done: z.int(),
    refused: z.array(
      z.object({
        id: Id,
        message: z.string(),
        code: z
          .string()
          .nullable()
          .meta({ description: 'The error code, if there is one.', example: 'SEED_IN_USE' }),
      }),
    ),
  })
  .meta({ id: 'SeedsDeleted' });
