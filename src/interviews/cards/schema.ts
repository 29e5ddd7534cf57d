/** Gift cards in requests and replies. Browser-safe. */
import { z } from 'zod';
import {
  Day,
  Id,
  IdInput,
  Instant,
  NonNegativeInteger,
  textSchema,
} from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { Amount } from '../../study/settings/incentives.ts';

export const CardState = z.enum(['FREE', 'GIVEN', 'VOID']).meta({
  description: 'GIVEN: it belongs to a payment. VOID: nobody gets it, or its payment was a mistake.',
});
export type CardState = z.infer<typeof CardState>;

export const CardDelivery = z.enum(['SHOWN', 'SMS']);
export type CardDelivery = z.infer<typeof CardDelivery>;

/** What the recipient gets. */
export const CardDetails = z
  .object({
    number: z.string().nullable().meta({ example: '6039 5012 3456 7890' }),
    pin: z.string().nullable().meta({ example: '1234' }),
    link: z.string().nullable().meta({ example: 'https://cards.example.org/r/9f3c' }),
    expiresOn: Day.nullable(),
  })
  .meta({ id: 'ShownCard' });
export type CardDetails = z.infer<typeof CardDetails>;

export const MAX_CARDS_PER_IMPORT = 1_000;
export const CARD_COLUMNS = ['number', 'pin', 'link', 'amount', 'currency', 'expiresOn'] as const;

export const CardsImported = z
  .object({ imported: NonNegativeInteger.meta({ example: 200 }) })
  .meta({ id: 'CardsImported' });

export const CardSummary = z
  .object({
    data: z.array(
      z.object({
        amount: Amount,
        currency: z.string().meta({ example: 'USD' }),
        free: NonNegativeInteger.meta({ description: 'Not given, not void and not expired.', example: 42 }),
        given: NonNegativeInteger,
        void: NonNegativeInteger,
        expiresFirst: Day.nullable().meta({ description: 'When the first of the free ones expires.' }),
        isLow: z.boolean().meta({
          description: 'Fewer than 20 are free, and the study pays this amount.',
          example: false,
        }),
      }),
    ),
  })
  .meta({ id: 'CardSummary' });

export const CardVoid = z
  .strictObject({
    reason: textSchema(1, 500).meta({
      description: 'The reason, for the history. Don’t write the number of the card.',
      example: 'The vendor says it was used.',
    }),
  })
  .meta({ id: 'CardVoid' });

export const CardRecordShown = z
  .object({
    id: Id,
    lastFour: z.string().meta({ description: 'The last four characters.', example: '7890' }),
    amount: Amount,
    currency: z.string().meta({ example: 'USD' }),
    expiresOn: Day.nullable(),
    state: CardState,
    incentive: Id.nullable().meta({ description: 'The payment that it went to.' }),
    givenBy: Id.nullable(),
    givenAt: Instant.nullable(),
    delivery: CardDelivery.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it is void.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Card' });

export const GiftCardList = listSchema(CardRecordShown).meta({ id: 'CardList' });

export const CardQuery = z.strictObject({
  ...creationSortedQuery,
  state: CardState.optional(),
  amount: Amount.max(20).optional(),
  lastFour: z.string().trim().min(1).max(4).optional().meta({
    description: 'The last four characters of its number, else of its link.',
    example: '7890',
  }),
  givenBy: IdInput.optional(),
});
export type CardQuery = z.infer<typeof CardQuery>;
