/** Pace, sites and interviewers on the wire. Browser-safe. */
import { z } from 'zod';
import { Count, Day, Id, IdInput, Instant, Share } from '../http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../http/list-schema.ts';

const asked = {
  location: IdInput.optional().meta({
    description: 'Of this site alone; who reads the own site only is told of that one.',
    type: 'string',
  }),
};

export const PaceQuery = z.strictObject(asked);

const { limit, cursor, total } = creationSortedQuery;
export const RankedQuery = z.strictObject({ ...asked, limit, cursor, total });
export type RankedQuery = z.infer<typeof RankedQuery>;

const ADVICE = {
  NO_TARGET: 'the study has no target, or one site is asked for',
  DONE: 'the target is met',
  FEWER_COUPONS: 'the coupons that are out are expected to bring more than is missing: hand out fewer',
  MORE_SEEDS:
    'behind, and an interview brings less than one recruit, or nobody came for weeks: chains die out without new seeds',
  TOO_EARLY: 'nothing can be said yet',
  NO_END_DATE: 'the study has neither an end date nor a last day of interviews',
  ON_PACE: 'the target is expected to be met by the end date',
  BEHIND: 'it is not',
} as const;
export const Advice = z.enum(Object.keys(ADVICE) as (keyof typeof ADVICE)[]).meta({
  description: `The first that holds of DONE and those after it. ${Object.entries(ADVICE)
    .map(([code, what]) => `${code}: ${what}.`)
    .join(' ')}`,
});
export type Advice = z.infer<typeof Advice>;

const range = <T extends z.ZodType>(value: T) => ({ expected: value, low: value, high: value });

const Forecast = z
  .object({
    days: Count.meta({ description: 'From so many days: 7, 14, 21 or 28.', example: 28 }),
    perDay: z.number(),
    dispersion: z.number().meta({ description: 'Variance by mean of the daily counts, 1 at least.' }),
    atEnd: z.object(range(Count)).nullable().meta({
      description:
        'Interviews that count by the end of `endsOn`; null without one, after it, or over five years ahead.',
    }),
    targetMet: z.object(range(Day.nullable())).nullable().meta({
      description:
        'The day on which the target is met, at the earliest (`low`) and at the latest (`high`); null where it is over five years ahead. Without a target null altogether.',
    }),
    path: z.array(z.object({ day: Day, ...range(Count) })).meta({
      description:
        'The sum after each of at most 61 days from today to the end date, 28 at least: for drawing.',
    }),
  })
  .meta({ id: 'Forecast' });

export const Pace = z
  .object({
    asOf: Instant,
    timeZone: z.string().meta({ example: 'America/Los_Angeles' }),
    day: Day.meta({ description: 'Today there.' }),
    location: Id.nullable().meta({ description: 'The site that it is told of; null: the whole study.' }),
    target: Count.nullable().meta({ description: "The study's targetSampleSize; of one site null." }),
    endsOn: Day.nullable().meta({ description: "The study's `endsOn`, else its `dueTo`." }),
    total: Count.meta({
      description: 'Interviews that count: completed, by people who take part, not rejected.',
    }),
    missing: Count.nullable(),
    today: Count,
    byDay: z.array(z.object({ day: Day, surveys: Count })),
    pace: z
      .object({ perDay: z.number(), days: Count })
      .nullable()
      .meta({ description: 'Of the last 14 whole days, or of those since the first interview.' }),
    daysLeft: Count.nullable().meta({ description: 'Today and the end date included.' }),
    neededPerDay: z.number().nullable().meta({ description: '`missing` by `daysLeft`.' }),
    forecast: Forecast.nullable(),
    noForecast: z.enum(['NO_INTERVIEW', 'TOO_FEW_DAYS', 'NONE_LATELY']).nullable().meta({
      description:
        'Why there is no forecast: fewer than 7 whole days, or no interview in those it would be made from.',
    }),
    coupons: z
      .object({
        issued: Count.meta({ description: 'All that interviews handed out.' }),
        out: Count.meta({ description: 'Live ones whose time has not passed.' }),
        settled: Count,
        returned: Count.meta({ description: 'Of the settled ones.' }),
        returnRate: Share.nullable(),
        expected: Count.nullable().meta({ description: '`out` times `returnRate`: interviews to expect.' }),
        recruitsEach: z.number().nullable().meta({
          description: 'Coupons handed out for each interview that counts, times `returnRate`.',
        }),
      })
      .meta({
        description:
          'Settled: its time has passed, as it expired or, where it never does, 28 days after it was handed out; void ones are left out. With fewer than 10 of them there is no rate.',
      }),
    advice: Advice,
  })
  .meta({ id: 'Pace' });
export type Pace = z.infer<typeof Pace>;

export const SiteRow = z
  .object({
    location: Id,
    open: z.boolean().meta({ description: 'False of a deleted site, which never falls behind.' }),
    today: Count,
    last7: Count.meta({ description: 'Today and the six days before.' }),
    before7: Count.meta({ description: 'The seven days before those.' }),
    week: Count.meta({ description: 'The seven whole days before today.' }),
    usual: z.number().meta({
      description:
        'The larger of the seven days before `week` and the average of seven days from the first interview until `week`.',
    }),
    behind: z.number().min(0).meta({
      description:
        'How far `week` lies below `usual`, in square roots of `usual`: over 1.3 is hardly chance.',
    }),
    total: Count,
    share: Share.nullable().meta({
      description: 'Of all interviews that count, at all sites; null for who reads the own site alone.',
    }),
    lastAt: Instant.nullable(),
    issued: Count.meta({ description: 'Coupons handed out there.' }),
    returned: Count.meta({ description: 'Those of them that came back, to whichever site.' }),
    refusals: Count.meta({ description: 'Completed by people who declined or were not eligible.' }),
    interviewers: Count.meta({ description: 'People who held an interview there in the last seven days.' }),
  })
  .meta({ id: 'SiteProgress' });

export const SiteProgress = listSchema(SiteRow).extend({ asOf: Instant }).meta({ id: 'SiteProgressList' });

export const InterviewerRow = z
  .object({
    id: Id.meta({ description: 'The user.' }),
    name: z.string().nullable().meta({ description: 'Null where the caller may not read that person.' }),
    interviews: Count.meta({
      description: 'Those that count: completed, of people who take part, not rejected.',
    }),
    today: Count,
    last7: Count,
    medianMinutes: z.number().nullable().meta({
      description:
        'The median of whole minutes from start to end of the interviews that count; without those whose clock was odd or that took a day and longer.',
    }),
    refusals: Count,
    rejected: Count.meta({
      description: 'Rejected in review, of people who take part: not counted in the other numbers.',
    }),
    asked: Count,
    skipped: Count,
    skippedShare: Share.nullable().meta({
      description:
        '`skipped` by `asked`, in the interviews that count of the last 28 days (the latest 20,000 at most): of the questions that everybody who takes part is asked (without a condition of their own or of a panel or page, unless it is about who takes part; remarks left out), those without an answer. "Prefer not to say" is an answer.',
    }),
    flags: Count.meta({ description: 'Interviews with a flag that nobody has resolved.' }),
  })
  .meta({ id: 'InterviewerProgress' });

export const InterviewerProgress = listSchema(InterviewerRow).meta({ id: 'InterviewerProgressList' });
