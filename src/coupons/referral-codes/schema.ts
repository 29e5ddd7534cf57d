/** Referral codes in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, IdInput, Instant, NoteText, textSchema } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';

export const CodeState = z.enum(['RESERVED', 'LIVE', 'USED', 'VOID', 'EXPIRED']);
export type CodeState = z.infer<typeof CodeState>;

export const CouponCode = z.string().meta({
  description: 'A referral code in its canonical form. The last character is a check character.',
  example: 'ABCDEFGC',
});

export const ReferralCode = z
  .object({
    code: CouponCode,
    state: CodeState,
    seed: Id.nullable().meta({ description: 'The seed that issued it.' }),
    survey: Id.nullable().meta({ description: 'The survey that issued it, or handed it out.' }),
    round: Id.nullable().default(null).meta({
      description: 'Null while it is reserved: a code gets its round when it is handed out.',
    }),
    reservedBy: Id.nullable(),
    batch: Id.nullable(),
    redeemedBy: Id.nullable().meta({ description: 'The survey that redeemed it.' }),
    validFrom: Instant.nullable(),
    expiresAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'ReferralCode' });

export const ReferralCodeList = listSchema(ReferralCode).meta({ id: 'ReferralCodeList' });

export const ReferralCodeQuery = z.strictObject({
  ...creationSortedQuery,
  state: CodeState.optional(),
  seed: IdInput.optional(),
  survey: IdInput.optional(),
  batch: IdInput.optional(),
  round: IdInput.optional(),
  code: z.string().max(64).optional().meta({ description: 'Only this code, in any spelling.' }),
});

export const CodeVerdict = z
  .object({
    code: z.string().meta({
      description: 'In canonical form if the format is right, otherwise as sent.',
      example: 'ABCDEFGC',
    }),
    isValid: z.boolean(),
    reason: z
      .enum(['MALFORMED', 'UNKNOWN', 'USED', 'VOID', 'EXPIRED', 'NOT_YET'])
      .nullable()
      .meta({ example: null }),
    message: z.string().meta({ example: 'This coupon is valid.' }),
  })
  .meta({ id: 'CodeVerdict' });
export type CodeVerdict = z.infer<typeof CodeVerdict>;
export type CodeFault = NonNullable<CodeVerdict['reason']>;

export const CodeBlockCreate = z.strictObject({
  count: z.int().min(1).max(50),
  requestId: z.guid(FAULTS.NOT_UUID).toLowerCase().optional().meta({
    type: 'string',
    format: 'uuid',
    description: 'Created by the device. Sending the same id again returns the same codes, and creates none.',
    example: '0d4f9a52-7c1e-4b6a-9f0e-2b7c5d1a8e33',
  }),
});
export const ReservedCodeBlock = z.object({ codes: z.array(CouponCode) }).meta({ id: 'CodeBlock' });

export const ReservedCodes = z
  .object({
    codes: z.array(CouponCode),
    limit: z.int().meta({ description: 'How many codes a user may have reserved.' }),
  })
  .meta({ id: 'HeldCodes' });
export const GiveUpCodes = z.strictObject({ codes: z.array(z.string().max(64)).min(1).max(100) });
export const GivenUpCodeCount = z.object({ givenUp: z.int() }).meta({ id: 'CodesGivenUp' });

export const BatchCreate = z.strictObject({
  count: z.int().min(1).max(5000),
  location: IdInput,
  note: NoteText.optional(),
});
export const Batch = z.object({ id: Id, codes: z.array(CouponCode) }).meta({ id: 'CodeBatch' });

export const CodeBatchItem = z
  .object({
    id: Id,
    count: z.int(),
    location: Id,
    note: z.string().nullable().meta({ example: 'for the winter count' }),
    createdBy: Id.nullable().meta({ description: 'Null for a batch created by a command.' }),
    createdAt: Instant,
    states: z
      .object({ RESERVED: z.int(), LIVE: z.int(), USED: z.int(), VOID: z.int(), EXPIRED: z.int() })
      .meta({
        description: 'How many of its codes are in each state; RESERVED ones have not been handed out.',
      }),
  })
  .meta({ id: 'CodeBatchItem' });
export const CodeBatchList = listSchema(CodeBatchItem).meta({ id: 'CodeBatchList' });
export const CodeBatchQuery = z.strictObject(creationSortedQuery);

export const BatchVoid = z.strictObject({ reason: textSchema(1, 1000) });
export const BatchVoided = z.object({ id: Id, voided: z.int() }).meta({ id: 'CodeBatchVoided' });

export const VoidCode = z
  .strictObject({ void: z.literal(true), reason: textSchema(1, 1000) })
  .meta({ id: 'VoidCode' });
