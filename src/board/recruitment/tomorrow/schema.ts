/** What sites need in the coming days, in replies. Browser-safe. */
import { z } from 'zod';
import { Day, Instant, NonNegativeInteger, Share } from '../../../platform/http/field-schemas.ts';
import { Amount } from '../../../study/settings/incentives.ts';

export const SitesForecast = z
  .object({
    asOf: Instant,
    days: z
      .array(
        z.object({
          day: Day,
          expected: z.number().meta({ example: 11.4 }),
          low: NonNegativeInteger,
          high: NonNegativeInteger,
          money: z.object({ low: Amount, high: Amount }).nullable().meta({
            description:
              'What these people and their recruiters are paid, with the same bounds; nobody is paid for a walk-in’s recruitment. Null if the study pays nothing.',
          }),
          interviewers: NonNegativeInteger.nullable().meta({
            description:
              'For `high` people, at the number of interviews that an interviewer did on a day of work in the last four weeks; null if nobody did any.',
          }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The next seven days, tomorrow first, with 80 % bounds. Null with fewer than 30 returns in this round (of all sites), or if it is closed.',
      }),
    noForecast: z
      .enum(['TOO_FEW_RETURNS', 'NO_OPEN_ROUND'])
      .nullable()
      .meta({ description: 'Why `days` is null.' }),
    liveCoupons: NonNegativeInteger,
    returnCurve: z
      .array(z.object({ day: NonNegativeInteger, share: Share }))
      .nullable()
      .meta({
        description:
          'The share of the coupons of all sites that are back so many days after they were handed out; null like `days`.',
      }),
  })
  .meta({ id: 'SitesForecast' });
