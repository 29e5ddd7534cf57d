/** What sites need in the next days, in replies. Browser-safe. */
import { z } from 'zod';
import { Count, Day, Instant, Share } from '../../../platform/http/field-schemas.ts';
import { Amount } from '../../../study/settings/incentives.ts';

export const SitesForecast = z
  .object({
    asOf: Instant,
    days: z
      .array(
        z.object({
          day: Day,
          expected: z.number().meta({ example: 11.4 }),
          low: Count,
          high: Count,
          money: z.object({ low: Amount, high: Amount }).nullable().meta({
            description:
              'What `low` and `high` people and their recruiters are paid; null if the study pays nothing.',
          }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The next seven days, tomorrow first, with 80 % bounds. Null with fewer than 30 returns.',
      }),
    noForecast: z.enum(['TOO_FEW_RETURNS']).nullable().meta({ description: 'Why `days` is null.' }),
    liveCoupons: Count,
    returnCurve: z
      .array(z.object({ day: Count, share: Share }))
      .nullable()
      .meta({
        description:
          'The share of coupons that are back so many days after they were handed out; null like `days`.',
      }),
  })
  .meta({ id: 'SitesForecast' });
