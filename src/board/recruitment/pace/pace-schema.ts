/** Pace, sites and interviewers in requests and replies. Browser-safe. */
import { z } from 'zod';
import {
  Day,
  Id,
  IdInput,
  Instant,
  NonNegativeInteger,
  Share,
} from '../../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../../platform/http/lists/list-schema.ts';
import { RoundParam } from '../../../statistics/sample/schema.ts';

const fields = {
  round: RoundParam,
  location: IdInput.optional().meta({
    description: 'Only this site. Callers who may only read their own site get that one.',
    type: 'string',
  }),
};

export const PaceQuery = z.strictObject(fields);

const { limit, cursor, total } = creationSortedQuery;
export const ProgressListQuery = z.strictObject({ ...fields, limit, cursor, total });
export type ProgressListQuery = z.infer<typeof ProgressListQuery>;

const ADVICE = {
  ROUND_CLOSED: 'the round is closed, whether or not the target was reached',
  NO_TARGET: 'the study has no target, or a single site was requested',
  DONE: 'the target is reached',
  FEWER_COUPONS:
    'the coupons that are out are expected to bring more interviews than are needed: hand out fewer',
  MORE_SEEDS:
    'behind, and interviews bring less than one recruit each, or nobody came for weeks: chains will end without new seeds',
  TOO_EARLY: 'too early to say',
  NO_END_DATE: 'the study has neither an end date nor an end of its interview period',
  ON_PACE:
    'the pace is at least what is needed, or the target is within the interval of what is expected by the end date',
  BEHIND:
    'the target is above the interval of what is expected by the end date, and the pace is below what is needed',
} as const;
export const PaceAdvice = z.enum(Object.keys(ADVICE) as (keyof typeof ADVICE)[]).meta({
  description: `ROUND_CLOSED, NO_TARGET, or else the first of these that applies, from DONE on. ${Object.entries(
    ADVICE,
  )
    .map(([code, what]) => `${code}: ${what}.`)
    .join(' ')}`,
});
export type PaceAdvice = z.infer<typeof PaceAdvice>;

const range = <T extends z.ZodType>(value: T) => ({ expected: value, low: value, high: value });

const Forecast = z
  .object({
    days: NonNegativeInteger.meta({
      description: 'The number of days it is based on: 7, 14, 21 or 28.',
      example: 28,
    }),
    perDay: z.number(),
    dispersion: z.number().meta({ description: 'Variance divided by mean of the daily counts, at least 1.' }),
    atEnd: z.object(range(NonNegativeInteger)).nullable().meta({
      description:
        'Counted interviews by the end of `endsOn`. Null if there is no end date, if it has passed, or if it is over five years ahead.',
    }),
    targetMet: z.object(range(Day.nullable())).nullable().meta({
      description:
        'The earliest (`low`) and latest (`high`) day on which the target is reached; null if over five years ahead. Null as a whole without a target.',
    }),
    path: z.array(z.object({ day: Day, ...range(NonNegativeInteger) })).meta({
      description:
        'For the chart: the total after at most 61 days from today to the end date, and for at least 28 days.',
    }),
  })
  .meta({ id: 'Forecast' });

export const Pace = z
  .object({
    asOf: Instant,
    timeZone: z.string().meta({ example: 'America/Los_Angeles' }),
    day: Day.meta({ description: 'Today, in the time zone of the study.' }),
    location: Id.nullable().meta({ description: 'The site; null means the whole study.' }),
    target: NonNegativeInteger.nullable().meta({
      description: "The study's targetSampleSize; null for a single site.",
    }),
    endsOn: Day.nullable().meta({ description: "The study's `endsOn`, or its `dueTo` if there is none." }),
    total: NonNegativeInteger.meta({
      description: 'Counted interviews: completed, of eligible people, not rejected.',
    }),
    missing: NonNegativeInteger.nullable(),
    today: NonNegativeInteger,
    byDay: z.array(z.object({ day: Day, surveys: NonNegativeInteger })),
    pace: z
      .object({ perDay: z.number(), days: NonNegativeInteger })
      .nullable()
      .meta({ description: 'Average of the last 14 whole days, or of the days since the first interview.' }),
    daysLeft: NonNegativeInteger.nullable().meta({ description: 'Including today and the end date.' }),
    neededPerDay: z.number().nullable().meta({ description: '`missing` divided by `daysLeft`.' }),
    forecast: Forecast.nullable(),
    noForecast: z.enum(['NO_INTERVIEW', 'TOO_FEW_DAYS', 'NONE_LATELY', 'NO_OPEN_ROUND']).nullable().meta({
      description:
        'Why there is no forecast: fewer than 7 whole days, no interviews in the days it would be based on, or a closed round.',
    }),
    coupons: z
      .object({
        issued: NonNegativeInteger.meta({ description: 'All coupons that interviews handed out.' }),
        out: NonNegativeInteger.meta({ description: 'Live coupons that have not expired.' }),
        settled: NonNegativeInteger,
        returned: NonNegativeInteger.meta({ description: 'How many of the settled coupons came back.' }),
        returnRate: Share.nullable(),
        expected: NonNegativeInteger.nullable().meta({
          description: 'Expected interviews: `out` times `returnRate`.',
        }),
        recruitsEach: z.number().nullable().meta({
          description: 'Coupons handed out per counted interview, times `returnRate`.',
        }),
      })
      .meta({
        description:
          'A coupon is settled when it has expired or, if it never expires, 28 days after it was handed out; voided ones are left out. There is no rate with fewer than 10 settled coupons.',
      }),
    advice: PaceAdvice,
  })
  .meta({ id: 'Pace' });
export type Pace = z.infer<typeof Pace>;

export const SiteProgressRow = z
  .object({
    location: Id,
    open: z.boolean().meta({ description: 'False for a deleted site, which never falls behind.' }),
    today: NonNegativeInteger,
    last7: NonNegativeInteger.meta({ description: 'Today and the six days before it.' }),
    before7: NonNegativeInteger.meta({ description: 'The seven days before that.' }),
    week: NonNegativeInteger.meta({ description: 'The seven whole days before today.' }),
    usual: z.number().meta({
      description:
        'The number in the seven days before `week`, or the average for seven days from the first interview until `week`, whichever is larger.',
    }),
    behind: z.number().min(0).meta({
      description:
        'How far `week` is below `usual`, in units of the square root of `usual`. Over 1.3 is unlikely to be chance.',
    }),
    total: NonNegativeInteger,
    share: Share.nullable().meta({
      description:
        'Share of all counted interviews at all sites; null for callers who may only read their own site.',
    }),
    lastAt: Instant.nullable(),
    issued: NonNegativeInteger.meta({ description: 'Coupons handed out at this site.' }),
    returned: NonNegativeInteger.meta({ description: 'How many of these came back, to any site.' }),
    refusals: NonNegativeInteger.meta({
      description: 'Completed interviews of people who declined or were not eligible.',
    }),
    interviewers: NonNegativeInteger.meta({
      description: 'People who did an interview there in the last seven days.',
    }),
  })
  .meta({ id: 'SiteProgress' });

export const SiteProgressList = listSchema(SiteProgressRow)
  .extend({ asOf: Instant })
  .meta({ id: 'SiteProgressList' });

export const InterviewerRow = z
  .object({
    id: Id.meta({ description: 'The user.' }),
    name: z.string().nullable().meta({ description: 'Null if the caller may not read that user.' }),
    interviews: NonNegativeInteger.meta({
      description: 'Counted interviews: completed, of eligible people, not rejected.',
    }),
    today: NonNegativeInteger,
    last7: NonNegativeInteger,
    medianMinutes: z.number().nullable().meta({
      description:
        'Median duration of the counted interviews in whole minutes, except those with a wrong clock or that took a day or longer.',
    }),
    refusals: NonNegativeInteger,
    rejected: NonNegativeInteger.meta({
      description:
        'Interviews of eligible people that a reviewer rejected; not counted in the other numbers.',
    }),
    asked: NonNegativeInteger,
    skipped: NonNegativeInteger,
    skippedShare: Share.nullable().meta({
      description:
        'The share of unanswered questions, `skipped` divided by `asked`, in the counted interviews of the last 28 days (at most the latest 20,000). It covers the questions that every eligible person is asked (neither they nor their panel or page have a condition, unless it is about eligibility), without remarks. "Prefer not to say" counts as an answer.',
    }),
    flags: NonNegativeInteger.meta({ description: 'Interviews with an unresolved flag.' }),
  })
  .meta({ id: 'InterviewerProgress' });

export const InterviewerProgressList = listSchema(InterviewerRow).meta({ id: 'InterviewerProgressList' });
