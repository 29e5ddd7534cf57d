import { z } from 'zod';
import { Instant, NonNegativeInteger } from '../../platform/http/field-schemas.ts';
import { Amount } from '../../study/settings/incentives.ts';

export const RespondentStatusReply = z
  .object({
    study: z.object({
      name: z.string().meta({ example: 'Winter count' }),
      contact: z.string().meta({ example: 'Call or text 206 555 0142' }),
    }),
    coupons: z.object({
      given: NonNegativeInteger.meta({ description: 'Coupons that the person got.', example: 3 }),
      returned: NonNegativeInteger.nullable().meta({
        description:
          'How many of them have come back. Null while recruits are paid for, or if they were at any time since the interview: one that came back and is not paid for would tell who was not eligible.',
        example: 1,
      }),
    }),
    incentives: z
      .object({
        currency: z.string().meta({ example: 'USD' }),
        due: Amount.meta({ example: '10.00' }),
        paid: Amount,
      })
      .nullable()
      .meta({ description: 'Totals; null if the study pays nothing.' }),
    sites: z.array(
      z.object({
        name: z.string().meta({ example: 'Harbor shelter' }),
        address: z.string().nullable().meta({ example: '12 Harbor Street' }),
      }),
    ),
    asOf: Instant.meta({ description: "The last midnight in the study's time zone." }),
  })
  .meta({ id: 'Status' });
