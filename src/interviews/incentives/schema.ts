/** Incentives in requests and replies. Browser-safe. */
import { z } from 'zod';
import { CouponCode } from '../../coupons/referral-codes/schema.ts';
import { DayOrInstant, Id, IdInput, Instant, textSchema } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { Amount } from '../../study/settings/incentives.ts';
import { CardDetails } from '../cards/schema.ts';

export const IncentiveKind = z.enum(['INTERVIEW', 'RECRUIT']).meta({
  description:
    'INTERVIEW: for being interviewed. RECRUIT: for recruiting someone who came with a coupon from that interview.',
});
export type IncentiveKind = z.infer<typeof IncentiveKind>;

export const IncentiveState = z.enum(['DUE', 'PAID', 'WITHDRAWN']).meta({
  description: 'WITHDRAWN: no longer owed, or withdrawn by a person.',
});
export type IncentiveState = z.infer<typeof IncentiveState>;

export const IncentiveMethod = z.enum(['CASH', 'GIFT_CARD', 'TRANSFER', 'OTHER']);
export type IncentiveMethod = z.infer<typeof IncentiveMethod>;

const Reference = textSchema(1, 100).meta({
  description: 'Number of the gift card or transfer. It is in no audit event.',
  example: 'card 4711',
});
const Currency = z.string().meta({ description: 'ISO 4217.', example: 'USD' });
const Count = z.int().min(0).meta({ example: 2 });

export const Incentive = z
  .object({
    id: Id,
    survey: Id.nullable().meta({
      description:
        'The survey of the person it is owed to; null if the caller may read neither all incentives nor that survey.',
    }),
    kind: IncentiveKind,
    recruit: Id.nullable().meta({
      description: 'For a RECRUIT, the survey of the recruited person; null if the caller may not read it.',
    }),
    claimNumber: CouponCode.nullable().meta({
      description:
        'The code that the person came with. Null if they have none, or if the caller may read neither the survey nor codes.',
    }),
    coupon: CouponCode.nullable().meta({
      description:
        'For a RECRUIT, the coupon that the recruited person came with; null as for `claimNumber`.',
    }),
    interviewer: Id.nullable().meta({
      description:
        'Who held the interview that made it due: of a RECRUIT, the interview of the recruited person. Null if the caller may not know that survey.',
    }),
    round: Id.meta({ description: 'The round of the survey.' }),
    amount: Amount,
    currency: Currency,
    state: IncentiveState,
    method: IncentiveMethod.nullable(),
    reference: z.string().nullable(),
    paidBy: Id.nullable(),
    paidAt: Instant.nullable(),
    recordedAt: Instant.nullable().meta({ description: 'When the service learned of the payment.' }),
    location: Id.nullable().meta({ description: 'Where it was paid.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was withdrawn or reopened.', example: 'Entered for the wrong person.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Incentive' });

export const IncentiveList = listSchema(Incentive).meta({ id: 'IncentiveList' });

export const IncentiveQuery = z.strictObject({
  ...creationSortedQuery,
  survey: IdInput.optional().meta({
    description: 'Only incentives of this person. Callers who may update the survey see all of them.',
  }),
  state: IncentiveState.optional(),
  kind: IncentiveKind.optional(),
  round: IdInput.optional(),
  location: IdInput.optional().meta({ description: 'Where it was paid.' }),
  paidBy: IdInput.optional(),
  search: z.string().trim().min(1).max(100).optional().meta({
    description:
      'A claim number, or the coupon of a recruit, in any spelling, if the caller may read that survey or codes; or words of the name of who paid or interviewed, if the caller may list users; of their interviews, the newest 2,000.',
    example: 'ABCD-EFGC',
  }),
  from: DayOrInstant.optional().meta({ description: 'Paid at or after this time.' }),
  to: DayOrInstant.optional().meta({ description: 'Paid at or before this time.' }),
});
export type IncentiveQuery = z.infer<typeof IncentiveQuery>;

/** What was handed over at the interview. */
export const IncentiveHandedOver = z
  .strictObject({ method: IncentiveMethod, reference: Reference.optional() })
  .meta({ id: 'HandedOver' });
export type IncentiveHandedOver = z.infer<typeof IncentiveHandedOver>;

const payment = {
  method: IncentiveMethod,
  reference: Reference.optional(),
  clientId: z.guid(FAULTS.NOT_UUID).toLowerCase().meta({
    description: 'Makes it safe to send again: the same id gets 200, and nothing is paid twice.',
    example: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11',
  }),
};

const withCard = {
  card: z.literal(true).optional().meta({
    description:
      'With method GIFT_CARD: one free card of that amount goes to this payment; 409 NO_CARD_LEFT without one.',
  }),
  deliver: z.literal('SMS').optional().meta({
    description:
      'With `card`: the card is texted to the person instead of shown; 409 NO_CONTACT if they can’t be.',
  }),
};

type CardChoice = { method: IncentiveMethod; card?: true | undefined; deliver?: 'SMS' | undefined };
function requireCardChoice({ method, card, deliver }: CardChoice, context: z.RefinementCtx): void {
  if (card && method !== 'GIFT_CARD')
    context.addIssue({ code: 'custom', path: ['card'], message: FAULTS.CARD_METHOD });
  if (deliver && !card) context.addIssue({ code: 'custom', path: ['card'], message: FAULTS.MISSING });
}

export const IncentivePay = z
  .strictObject({
    ...payment,
    ...withCard,
    code: z.string().trim().max(100).optional().meta({
      description:
        'The claim number: the code that the person came with. Required if the caller may neither read all incentives nor update the survey.',
      example: 'ABCD-EFGC',
    }),
    location: IdInput.optional().meta({
      description: "Where it is paid. Default: the caller's current site.",
    }),
  })
  .superRefine(requireCardChoice)
  .meta({ id: 'IncentivePay' });
export type IncentivePay = z.infer<typeof IncentivePay>;

export const BatchPaymentRequest = z
  .strictObject({
    payments: z
      .array(
        z.strictObject({ id: IdInput, ...payment, ...withCard }).superRefine((one, context) => {
          requireCardChoice(one, context);
          // In a batch, cards must be texted, because nobody would see which card belongs to whom.
          if (one.card && !one.deliver)
            context.addIssue({ code: 'custom', path: ['deliver'], message: FAULTS.MISSING });
        }),
      )
      .min(1)
      .max(200),
    location: IdInput.optional().meta({
      description: "Where all of them are paid. Default: the caller's current site.",
    }),
  })
  .meta({ id: 'IncentivesPay' });
export type BatchPaymentRequest = z.infer<typeof BatchPaymentRequest>;

export const PaidIncentive = Incentive.extend({
  card: CardDetails.nullable().optional().meta({
    description:
      'Only for a payment with `card`: the card, for 24 hours also when the same `clientId` is sent again; null if it is texted.',
  }),
}).meta({ id: 'PaidIncentive' });

export const PayIncentivesResult = z
  .object({
    done: Count,
    refused: z.array(
      z.object({ id: Id, message: z.string().meta({ example: 'This has already been paid.' }) }),
    ),
  })
  .meta({ id: 'IncentivesPaid' });

export const IncentiveReasonInput = z
  .strictObject({ reason: textSchema(1, 500).meta({ example: 'Entered for the wrong person.' }) })
  .meta({ id: 'IncentiveReason' });

export const IncentiveReopen = IncentiveReasonInput.extend({
  paidAt: Instant.nullable().optional().meta({
    description:
      'The `paidAt` that the caller has seen. If it is another now, the incentive stays as it is (409).',
  }),
}).meta({ id: 'IncentiveReopen' });
export type IncentiveReopen = z.infer<typeof IncentiveReopen>;

export const Claim = z
  .object({
    code: CouponCode,
    due: z.array(z.object({ id: Id, kind: IncentiveKind, amount: Amount, currency: Currency })),
    paidCount: Count,
    paidTotal: Amount.nullable().meta({ description: 'Null if the study has no currency.' }),
  })
  .meta({ id: 'Claim' });

const total = { count: Count, total: Amount.nullable() };
const Total = z.object(total);

export const IncentiveSummary = z
  .object({
    currency: Currency.nullable(),
    due: Total.nullable().meta({ description: 'Null if the caller may not read all incentives.' }),
    paid: Total,
    withdrawn: Total.nullable().meta({ description: 'Null if the caller may not read all incentives.' }),
    byLocation: z.array(z.object({ location: Id, ...total })),
    byPerson: z.array(z.object({ paidBy: Id, ...total })),
    byDay: z.array(z.object({ day: z.string().meta({ example: '2026-11-21' }), ...total })),
    byMethod: z.array(z.object({ method: IncentiveMethod, ...total })),
  })
  .meta({ id: 'IncentiveSummary' });

export const IncentiveSummaryQuery = IncentiveQuery.pick({
  location: true,
  paidBy: true,
  from: true,
  to: true,
});
export type IncentiveSummaryQuery = z.infer<typeof IncentiveSummaryQuery>;
