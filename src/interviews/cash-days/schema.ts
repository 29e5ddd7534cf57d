/** Closed days of a site's cash box in requests and replies. Browser-safe. */
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
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { Amount } from '../../study/settings/incentives.ts';
import { IncentiveMethod } from '../incentives/schema.ts';

export const CashDayState = z.enum(['CLOSED', 'REOPENED']).meta({
  description: 'REOPENED: it no longer counts, and the day can be closed again.',
});

/** A counted amount, which may be zero. */
const Cash = z.string().regex(/^(?:0|[1-9]\d{0,9})(?:\.\d{1,4})?$/, FAULTS.NOT_CASH);

export const CashDay = z
  .object({
    id: Id,
    location: Id,
    day: Day,
    currency: z.string().meta({ description: 'ISO 4217.', example: 'USD' }),
    opening: Amount.meta({ description: 'Cash in the box at the start of the day.', example: '100.00' }),
    counted: Amount.meta({ description: 'Cash in the box at the end of the day.', example: '60.00' }),
    paid: Amount.meta({
      description: 'What was paid in cash at the site on this day, as known when it was closed.',
      example: '40.00',
    }),
    difference: Amount.meta({
      description: '`counted` minus what should have been in the box; below 0 if cash is missing.',
      example: '0.00',
    }),
    paidNow: Amount.meta({
      description:
        'What was paid in cash on this day as known now: other than `paid` if a payment was recorded or reopened since.',
      example: '40.00',
    }),
    byMethod: z
      .array(z.object({ method: IncentiveMethod, count: NonNegativeInteger, total: Amount }))
      .meta({ description: 'What was paid by any method, as known when it was closed.' }),
    state: CashDayState,
    closedBy: Id,
    closedAt: Instant,
    reopenedBy: Id.nullable(),
    reopenedAt: Instant.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was reopened.', example: null }),
  })
  .meta({ id: 'CashDay' });

export const CashDayList = listSchema(CashDay).meta({ id: 'CashDayList' });

export const CashDayQuery = z.strictObject({
  ...creationSortedQuery,
  location: IdInput.optional(),
  state: CashDayState.optional(),
  from: Day.optional().meta({ description: 'This day or later.', example: '2026-11-21' }),
  to: Day.optional().meta({ description: 'This day or earlier.', example: '2026-11-21' }),
});
export type CashDayQuery = z.infer<typeof CashDayQuery>;

export const CashDayClose = z
  .strictObject({
    location: IdInput.meta({ description: 'The site: the `id` of a location.' }),
    day: Day,
    opening: Cash.meta({ description: 'Cash in the box at the start of the day.', example: '100.00' }),
    counted: Cash.meta({ description: 'Cash in the box now.', example: '60.00' }),
  })
  .meta({ id: 'CashDayClose' });
export type CashDayClose = z.infer<typeof CashDayClose>;

export const CashDayReopen = z
  .strictObject({ reason: textSchema(1, 500).meta({ example: 'A bundle of notes was counted twice.' }) })
  .meta({ id: 'CashDayReopen' });
