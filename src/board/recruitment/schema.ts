/**
 * The recruitment board in requests and replies. Browser-safe.
 *
 * Terms: a coupon is a referral code that an interview handed out; it is live until it is returned (redeemed), voided
 * or expires. A chain is all interviews that go back to one seed. A seed is productive while its chain has a live
 * coupon, but silent if nobody has come for two weeks. Deleted interviews aren't counted, but the tree keeps them,
 * because their recruits are below them.
 */
import { z } from 'zod';
import { CouponCode } from '../../coupons/referral-codes/schema.ts';
import { ChainState, SeedKind } from '../../coupons/seeds/schema.ts';
import {
  Day,
  DayOrInstant,
  Id,
  IdInput,
  Instant,
  NonNegativeInteger,
} from '../../platform/http/field-schemas.ts';
import { RoundParam } from '../../statistics/sample/schema.ts';

const HELD_BY_DAY = {
  type: 'string',
  description:
    "a day in the study's time zone, or an instant; inclusive. For an interview with the flag CLOCK_ODD, when it was received.",
  example: '2026-11-21',
} as const;

export const RecruitmentSummaryQuery = z.strictObject({
  round: RoundParam,
  location: IdInput.optional().meta({ description: 'Only interviews at this site.', type: 'string' }),
  from: DayOrInstant.optional().meta({
    ...HELD_BY_DAY,
    description: `First interview date: ${HELD_BY_DAY.description}`,
  }),
  to: DayOrInstant.optional().meta({
    ...HELD_BY_DAY,
    description: `Last interview date: ${HELD_BY_DAY.description}`,
  }),
});
export type RecruitmentSummaryQuery = z.infer<typeof RecruitmentSummaryQuery>;

const Totals = z.object({
  surveys: NonNegativeInteger,
  completed: NonNegativeInteger,
  inProgress: NonNegativeInteger,
  notTakingPart: NonNegativeInteger.meta({
    description: 'Completed interviews of people who declined or were not eligible.',
  }),
  rejected: NonNegativeInteger.meta({
    description:
      'Interviews of eligible people that a reviewer rejected: neither in the sample nor counted towards the target.',
  }),
  walkIns: NonNegativeInteger.meta({ description: 'People who came without a coupon and so began a chain.' }),
  flagged: NonNegativeInteger.meta({ description: 'Interviews with an unresolved flag.' }),
  toReview: NonNegativeInteger.meta({ description: 'Completed and not yet reviewed (RECEIVED).' }),
  hasIssues: NonNegativeInteger.meta({
    description: 'Sent back by a reviewer, and not corrected yet (HAS_ISSUES).',
  }),
  target: NonNegativeInteger.nullable().meta({ description: "The study's targetSampleSize." }),
});

const Chain = z
  .object({
    seed: Id,
    referralCode: CouponCode.nullable().meta({
      description: "The seed's code; null for callers who may not read it.",
    }),
    kind: SeedKind,
    location: Id.meta({ description: "The seed's site." }),
    surveys: NonNegativeInteger,
    maxWave: NonNegativeInteger,
    lastAt: Instant.meta({ description: 'When its latest interview was received.' }),
    liveCoupons: NonNegativeInteger.meta({ description: 'Live coupons of the whole chain, now.' }),
    productive: z.boolean().meta({ description: 'Whether a coupon of the chain is live.' }),
    state: ChainState,
  })
  .meta({ id: 'Chain' });

const MAX_SEEDS = 200;

export const ChainsQuery = z.strictObject({
  seed: z
    .union([IdInput.transform((one) => [one]), z.array(IdInput).min(1).max(MAX_SEEDS)])
    .meta({ type: 'array', description: `One or more, at most ${MAX_SEEDS}.` }),
  round: RoundParam,
});
export const ForestQuery = z.strictObject({ round: RoundParam });

export const Chains = z
  .object({
    data: z
      .array(
        Chain.pick({
          seed: true,
          surveys: true,
          maxWave: true,
          lastAt: true,
          liveCoupons: true,
          state: true,
        }),
      )
      .meta({ description: 'In no particular order; unused seeds have no chain.' }),
  })
  .meta({ id: 'Chains' });

export const Forest = z
  .object({
    chains: z
      .array(
        Chain.extend({
          parents: z.array(z.int().min(-1)).meta({
            description:
              'One for each interview of the chain, recruiters before their recruits: the place of its recruiter in this list, -1 for the first. Deleted interviews are included, because others are below them.',
            example: [-1, 0, 0, 1],
          }),
          deleted: z
            .array(NonNegativeInteger)
            .meta({ description: 'The places of deleted interviews.', example: [] }),
          truncated: z.boolean().meta({ description: 'True if later waves are left out of `parents`.' }),
        }),
      )
      .meta({ description: 'The largest first, at most 500 with 5,000 interviews together.' }),
    chainsTotal: NonNegativeInteger,
  })
  .meta({ id: 'RecruitmentForest' });

export const AlertKind = z.enum(['SEED_DIED', 'SITE_NOT_RETURNING', 'CODE_PRESENTED_TWICE']);

const RecruitmentAlert = z
  .object({
    kind: AlertKind.meta({
      description: [
        'SEED_DIED: a chain without a live coupon or an interview in the last 14 days.',
        'SITE_NOT_RETURNING: interviews at a site handed out at least 10 coupons between 28 and 7 days ago, and none has come back.',
        'CODE_PRESENTED_TWICE: an interview was stored with a code that another one had redeemed, and this is unresolved.',
      ].join(' '),
    }),
    seed: Id.nullable(),
    location: Id.nullable(),
    survey: Id.nullable(),
    referralCode: z.string().nullable().meta({
      description: 'Null also for callers who may not read codes.',
      example: null,
    }),
    since: Instant,
    arrivedAt: Instant.nullable().meta({
      description: 'For an interview, its `createdAt`. Some people can only open it on that day.',
    }),
    message: z.string().meta({ example: 'Nobody of this chain has come for 14 days.' }),
  })
  .meta({ id: 'Alert' });
export type RecruitmentAlert = Omit<
  z.infer<typeof RecruitmentAlert>,
  'seed' | 'location' | 'survey' | 'since' | 'arrivedAt'
> & {
  seed: unknown;
  location: unknown;
  survey: unknown;
  since: Date;
  arrivedAt: Date | null;
};

export const RecruitmentSummary = z
  .object({
    asOf: Instant,
    timeZone: z
      .string()
      .meta({ description: 'The time zone of the days below.', example: 'America/Los_Angeles' }),
    totals: Totals.partial({ walkIns: true }),
    byDay: z
      .array(z.object({ day: Day, location: Id, surveys: NonNegativeInteger }))
      .meta({ description: 'By interview date, then site.' }),
    waves: z
      .array(z.object({ wave: NonNegativeInteger.nullable(), surveys: NonNegativeInteger }))
      .meta({ description: 'Null (last in the list) if the place in the tree is not known, or not yet.' }),
    chains: z.array(Chain).meta({ description: 'The 50 chains with the most counted interviews.' }),
    chainsTotal: NonNegativeInteger,
    chainLengths: z
      .array(z.object({ maxWave: NonNegativeInteger, chains: NonNegativeInteger }))
      .meta({ description: 'How many chains reach each wave.' }),
    recruitsEach: z.array(z.object({ recruits: NonNegativeInteger, surveys: NonNegativeInteger })).meta({
      description: 'How many counted interviews brought how many recruits, at any site.',
    }),
    coupons: z
      .object({
        reserved: NonNegativeInteger,
        live: NonNegativeInteger,
        returned: NonNegativeInteger,
        expired: NonNegativeInteger,
        void: NonNegativeInteger,
        ofSeeds: z
          .object({ live: NonNegativeInteger, returned: NonNegativeInteger })
          .meta({ description: 'How many of these belong to seeds, so no interview handed them out.' }),
      })
      .meta({ description: 'All codes of the whole study, now, including those of seeds.' }),
    bySiteCoupons: z
      .array(z.object({ location: Id, issued: NonNegativeInteger, returned: NonNegativeInteger }))
      .meta({ description: 'For the whole study, by the site of the interview that handed out the coupon.' }),
    daysToReturn: z.array(z.object({ days: NonNegativeInteger, coupons: NonNegativeInteger })).meta({
      description:
        'For the whole study: whole days of 24 hours from the end of the interview that handed out a coupon to the start of the one that redeemed it, however late either was received.',
    }),
    seeds: z
      .object({
        planned: NonNegativeInteger,
        walkIn: NonNegativeInteger,
        used: NonNegativeInteger,
        unused: NonNegativeInteger,
        productive: NonNegativeInteger,
        silent: NonNegativeInteger,
      })
      .meta({
        description:
          'For the whole study: `used` seeds have begun a chain (walk-ins always have); `productive` ones have a live coupon in their chain; `silent` ones are productive, but their chain had no interview for 14 days.',
      }),
    alerts: z
      .array(RecruitmentAlert)
      .meta({ description: 'For the whole study; the latest 50 of each kind, newest first.' }),
    alertsTotal: NonNegativeInteger,
  })
  // Omitted for callers restricted to one site, because these cross sites.
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
      'For callers who may only read their own site: the alerts and coupons of that site, without chains, recruits, seeds, walk-ins, target and the coupons of the whole study.',
  });

export const TreeQuery = z.strictObject({
  seed: IdInput,
  question: z.string().min(1).max(200).optional().meta({
    description: 'The name of a choice question of the active questionnaire, for coloring the tree.',
  }),
});

export type TreeQuery = z.infer<typeof TreeQuery>;

export const ChainTree = z
  .object({
    seed: Id,
    nodes: z.array(
      z.object({
        id: Id,
        referralCode: CouponCode.nullable().meta({
          description:
            'The coupon they came with, if the caller may read the survey or look up coupons. Null also for somebody who lost it.',
        }),
        parent: Id.nullable().meta({ description: 'The recruiter; null for the first person of the chain.' }),
        wave: NonNegativeInteger,
        location: Id,
        heldAt: Instant.meta({ description: 'The interview date: see `from` of the summary.' }),
        createdAt: Instant.meta({ description: 'When it was received.' }),
        completed: z.boolean(),
        recruits: NonNegativeInteger.meta({
          description: 'How many interviews redeemed its coupons, including deleted ones.',
        }),
        value: z.union([z.string(), z.number(), z.boolean()]).nullable().meta({
          description:
            'The answer to `question`, if the caller may read the survey; several choices as one text, separated by commas. Null if there is none.',
          example: 'shelter',
        }),
        deleted: z.boolean().meta({
          description: 'True if the interview was deleted and is only shown to keep the tree complete.',
        }),
      }),
    ),
    truncated: z
      .boolean()
      .meta({ description: 'True if there are more than 5,000; the later waves are left out.' }),
  })
  .meta({ id: 'RecruitmentTree' });
