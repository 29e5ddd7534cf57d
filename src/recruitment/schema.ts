/**
 * Recruitment at a glance, on the wire. Browser-safe.
 *
 * Words: a coupon is a referral code that an interview handed out; it is live until it comes back (is redeemed), is
 * declared void or expires. A chain is all interviews that go back to one seed. A seed is productive while a coupon of
 * its chain is live; it is silent all the same where nobody has come for two weeks. Deleted interviews are not counted, but the tree keeps them: their recruits hang below them.
 */
import { z } from 'zod';
import { Count, Day, DayOrInstant, Id, IdInput, Instant } from '../http/field-schemas.ts';
import { Code } from '../referral-codes/schema.ts';
import { ChainState, SeedKind } from '../seeds/schema.ts';

const HELD = {
  type: 'string',
  description:
    'a day in the time zone of the service, or an instant; inclusive. An interview with the flag CLOCK_ODD counts by its arrival.',
  example: '2026-11-21',
} as const;

export const SummaryQuery = z.strictObject({
  location: IdInput.optional().meta({ description: 'Only interviews held there.', type: 'string' }),
  from: DayOrInstant.optional().meta({
    ...HELD,
    description: `From when they were held; ${HELD.description}`,
  }),
  to: DayOrInstant.optional().meta({
    ...HELD,
    description: `Until when they were held; ${HELD.description}`,
  }),
});
export type SummaryQuery = z.infer<typeof SummaryQuery>;

const Totals = z.object({
  surveys: Count,
  completed: Count,
  inProgress: Count,
  notTakingPart: Count.meta({ description: 'Of the completed ones: who declined or was not eligible.' }),
  rejected: Count.meta({
    description:
      'Rejected in review, of people who take part: not in the sample, nor counted toward the target.',
  }),
  walkIns: Count.meta({ description: 'Those that came without a coupon and so began a chain.' }),
  flagged: Count.meta({ description: 'Those with a flag that nobody has resolved.' }),
  toReview: Count.meta({ description: 'Completed, and nobody has reviewed them (RECEIVED).' }),
  hasIssues: Count.meta({ description: 'Sent back in review, and not corrected yet (HAS_ISSUES).' }),
  target: Count.nullable().meta({ description: "The study's targetSampleSize." }),
});

const Chain = z
  .object({
    seed: Id,
    referralCode: Code.meta({ description: "The seed's code." }),
    kind: SeedKind,
    location: Id.meta({ description: "The seed's site." }),
    surveys: Count,
    maxWave: Count,
    lastAt: Instant.meta({ description: 'When its latest interview arrived.' }),
    liveCoupons: Count.meta({ description: 'Of the whole chain, now.' }),
    productive: z.boolean().meta({ description: 'A coupon of the chain is live.' }),
    state: ChainState,
  })
  .meta({ id: 'Chain' });

const MOST_SEEDS = 200;

export const ChainsQuery = z.strictObject({
  seed: z
    .union([IdInput.transform((one) => [one]), z.array(IdInput).min(1).max(MOST_SEEDS)])
    .meta({ type: 'array', description: `One or more, at most ${MOST_SEEDS}.` }),
});

export const Chains = z
  .object({
    data: z
      .array(Chain.pick({ seed: true, lastAt: true, liveCoupons: true, state: true }))
      .meta({ description: 'In no order; of a seed that nobody came with there is none.' }),
  })
  .meta({ id: 'Chains' });

export const AlertKind = z.enum(['SEED_DIED', 'SITE_NOT_RETURNING', 'CODE_PRESENTED_TWICE']);

const Alert = z
  .object({
    kind: AlertKind.meta({
      description: [
        'SEED_DIED: a chain of which no coupon is live and which had no interview in the last 14 days.',
        'SITE_NOT_RETURNING: of the coupons that interviews at a site handed out 28 to 7 days ago, 10 or more, not one has come back.',
        'CODE_PRESENTED_TWICE: an interview was stored with a code that another one had redeemed, and nobody has resolved it.',
      ].join(' '),
    }),
    seed: Id.nullable(),
    location: Id.nullable(),
    survey: Id.nullable(),
    referralCode: z.string().nullable().meta({ example: null }),
    since: Instant,
    arrivedAt: Instant.nullable().meta({
      description: 'Of an interview: its `createdAt`, by which it is open to some people today alone.',
    }),
    message: z.string().meta({ example: 'Nobody of this chain has come for 14 days.' }),
  })
  .meta({ id: 'Alert' });
export type Alert = Omit<z.infer<typeof Alert>, 'seed' | 'location' | 'survey' | 'since' | 'arrivedAt'> & {
  seed: unknown;
  location: unknown;
  survey: unknown;
  since: Date;
  arrivedAt: Date | null;
};

export const Summary = z
  .object({
    asOf: Instant,
    timeZone: z.string().meta({ description: 'Of the days below.', example: 'America/Los_Angeles' }),
    totals: Totals.partial({ walkIns: true }),
    byDay: z
      .array(z.object({ day: Day, location: Id, surveys: Count }))
      .meta({ description: 'By the day on which they were held, then site.' }),
    waves: z
      .array(z.object({ wave: Count.nullable(), surveys: Count }))
      .meta({ description: 'Null: the place in the tree is not known (yet). Last in the list.' }),
    chains: z.array(Chain).meta({ description: 'The 50 with the most of the counted interviews.' }),
    chainsTotal: Count,
    chainLengths: z
      .array(z.object({ maxWave: Count, chains: Count }))
      .meta({ description: 'How many chains reach how far.' }),
    recruitsEach: z.array(z.object({ recruits: Count, surveys: Count })).meta({
      description:
        'How many of the counted completed interviews brought how many recruits, wherever those came; those that take part.',
    }),
    coupons: z
      .object({
        reserved: Count,
        live: Count,
        returned: Count,
        expired: Count,
        void: Count,
        ofSeeds: z
          .object({ live: Count, returned: Count })
          .meta({ description: 'How many of these are codes of seeds, which no interview handed out.' }),
      })
      .meta({ description: 'Of the whole study, now: all codes, those of seeds included.' }),
    bySiteCoupons: z
      .array(z.object({ location: Id, issued: Count, returned: Count }))
      .meta({ description: 'Of the whole study, by the site of the interview that handed the coupon out.' }),
    daysToReturn: z.array(z.object({ days: Count, coupons: Count })).meta({
      description:
        'Of the whole study: whole days of 24 hours from the end of the interview that handed a coupon out to the beginning of the one that it came back to, however late either arrived.',
    }),
    seeds: z
      .object({
        planned: Count,
        walkIn: Count,
        used: Count,
        unused: Count,
        productive: Count,
        silent: Count,
      })
      .meta({
        description:
          'Of the whole study: `used` seeds have begun a chain, walk-in ones always; `productive` are those of them with a live coupon in their chain, `silent` those of the productive ones whose chain had no interview for 14 days.',
      }),
    alerts: z
      .array(Alert)
      .meta({ description: 'Of the whole study; the latest 50 of each kind, newest first.' }),
    alertsTotal: Count,
  })
  // They cross sites: left out for who reads one site alone.
  .partial({
    chains: true,
    chainsTotal: true,
    chainLengths: true,
    recruitsEach: true,
    coupons: true,
    daysToReturn: true,
    seeds: true,
  })
  .meta({
    id: 'RecruitmentSummary',
    description:
      'For who may read the own site alone: without chains, recruits, seeds, walk-ins, target and the coupons of the whole study, and with the alerts and the coupons of that site.',
  });

export const TreeQuery = z.strictObject({
  seed: IdInput,
  question: z.string().min(1).max(200).optional().meta({
    description: 'The name of a choice question of the active questionnaire, for colouring.',
  }),
});

export type TreeQuery = z.infer<typeof TreeQuery>;

export const Tree = z
  .object({
    seed: Id,
    nodes: z.array(
      z.object({
        id: Id,
        parent: Id.nullable().meta({ description: 'The recruiter; null for the first of the chain.' }),
        wave: Count,
        location: Id,
        heldAt: Instant.meta({ description: 'By which time it is counted: see `from` of the summary.' }),
        createdAt: Instant.meta({ description: 'When it arrived.' }),
        completed: z.boolean(),
        recruits: Count.meta({ description: 'How many redeemed its coupons, deleted ones included.' }),
        value: z.union([z.string(), z.number(), z.boolean()]).nullable().meta({
          description:
            'Its answer to `question`, where the caller may read the survey; several choices as one text, with commas. Null where there is none.',
          example: 'shelter',
        }),
        deleted: z.boolean().meta({ description: 'Kept for the shape of the tree alone.' }),
      }),
    ),
    truncated: z.boolean().meta({ description: 'There are more than 5,000; the later waves are left out.' }),
  })
  .meta({ id: 'RecruitmentTree' });
