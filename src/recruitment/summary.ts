/** The recruitment board in one answer. All counting is done in the database (interviews.ts, chains.ts, ...). */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { formatCode } from '../referral-codes/code.ts';
import { study } from '../study/model.ts';
import { countChains } from './chains.ts';
import { countCouponsNow, countSeedCodes } from './coupons.ts';
import { countAllInterviews, countInterviews, presentedTwice } from './interviews.ts';
import { keeping } from './kept.ts';
import { lastAnswers } from './last-answers.ts';
import { MOST_ALERTS, QUIET_DAYS, RETURN_DAYS } from './limits.ts';
import { countRecruits } from './recruits.ts';
import type { Alert, SummaryQuery, Summary as SummaryShape } from './schema.ts';
import { type Window, windowOf } from './window.ts';

type Counting = ReturnType<typeof count>;
type Summary = z.infer<typeof SummaryShape>;
const kept = keeping<Counting>(({ summary }) => summary);
/** As it is sent. */
const last = lastAnswers<Summary>('summary');

export interface Asked {
  query: SummaryQuery;
  now: Date;
  /** The study's time zone. */
  zone: string;
  /** Which database. */
  store: string;
  /** Who reads this site alone is told nothing of others. */
  site?: Types.ObjectId | null;
}

export async function summaryOf(asked: Asked): Promise<Awaited<Counting['summary']> | Summary> {
  const before = await last.find(keyOf(asked), asked.query.maxAge);
  if (before) return before;
  const { counting, unchanged } = await countingFor(asked);
  return unchanged ? { ...(await counting.summary), asOf: asked.now } : await counting.summary;
}

/** What is known first of the same counting: a third of the time. */
export async function totalsOf(asked: Asked): Promise<Awaited<Counting['totals']> | Summary['totals']> {
  const before = await last.find(keyOf(asked), asked.query.maxAge);
  if (before) return before.totals;
  return await (await countingFor(asked)).counting.totals;
}

const keyOf = ({ query, zone, store, site }: Asked) => [
  store,
  zone,
  site,
  query.location,
  query.from,
  query.to,
];

const countingFor = (asked: Asked) =>
  kept(keyOf(asked), () => {
    const counting = count(asked);
    counting.totals.catch(() => undefined);
    return counting;
  });

function count(asked: Asked) {
  const { query, now, zone, store, site } = asked;
  const at = new Date();
  const window = windowOf(query, zone);
  const interviews = window.whole ? countAllInterviews({ store, zone }) : countInterviews(window, zone);
  const totals = firstTotals(interviews, !site);
  const summary = site
    ? countSite(window, { now, zone, store, site }, interviews, totals)
    : countAll(window, { now, zone, store }, interviews, totals);
  return { totals, summary: summary.then((whole) => keptAsLast(whole, keyOf(asked), at)) };
}

async function keptAsLast<T>(summary: T, key: unknown[], at: Date): Promise<T> {
  await last.keep(key, at, JSON.parse(JSON.stringify(summary)));
  return summary;
}

/** The target is the whole study's. */
async function firstTotals(counting: ReturnType<typeof countInterviews>, whole: boolean) {
  const [{ byDay: _days, waves: _waves, held: _held, ...totals }, { targetSampleSize }] = await Promise.all([
    counting,
    study(),
  ]);
  return { ...totals, target: whole ? targetSampleSize : null };
}

type Counted = Pick<Asked, 'now' | 'zone' | 'store'>;

async function countAll(
  window: Window,
  { now, zone, store }: Counted,
  counting: ReturnType<typeof countInterviews>,
  first: ReturnType<typeof firstTotals>,
) {
  // Two large passes at a time: four at once take longer on two cores, and the totals would come last.
  const [{ byDay, waves }, totals, coupons] = await Promise.all([counting, first, countCouponsNow(store)]);
  const [chains, recruits, ofSeeds, twice] = await Promise.all([
    countChains(window, now),
    countRecruits(window, now),
    countSeedCodes(),
    presentedTwice(),
  ]);
  const { states, ...ofCoupons } = coupons;
  const { walkIns, died, diedTotal, live, ...ofChains } = chains;
  const { recruiters, quietSites } = recruits;
  return {
    asOf: now,
    timeZone: zone,
    totals: { ...totals, walkIns },
    byDay,
    waves,
    ...ofChains,
    recruitsEach: recruitsEach(recruiters, totals.completed - totals.notTakingPart),
    ...ofCoupons,
    coupons: {
      reserved: states.RESERVED,
      live,
      returned: states.USED,
      // Counted a moment apart, during which one more may have been issued.
      expired: Math.max(0, states.LIVE - live),
      void: states.VOID,
      ofSeeds,
    },
    alerts: alertsOf(died, quietSites.slice(0, MOST_ALERTS), twice.found),
    alertsTotal: diedTotal + quietSites.length + twice.total,
  };
}

/** What belongs to one site: its interviews, the coupons handed out there, what of it a person should look at. */
async function countSite(
  window: Window,
  { now, zone, store, site }: Counted & { site: Types.ObjectId },
  counting: ReturnType<typeof countInterviews>,
  first: ReturnType<typeof firstTotals>,
) {
  const [{ byDay, waves }, totals, { bySiteCoupons }] = await Promise.all([
    counting,
    first,
    countCouponsNow(store),
  ]);
  const [{ quietSites }, twice] = await Promise.all([countRecruits(window, now), presentedTwice(site)]);
  const quiet = quietSites.filter((one) => one.site.equals(site));
  return {
    asOf: now,
    timeZone: zone,
    totals,
    byDay,
    waves,
    bySiteCoupons: bySiteCoupons.filter(({ location }) => location.equals(site)),
    alerts: alertsOf([], quiet, twice.found),
    alertsTotal: quiet.length + twice.total,
  };
}

/** Whoever is no recruiter brought nobody. */
function recruitsEach(recruiters: Map<number, number>, completed: number) {
  const nobody = completed - [...recruiters.values()].reduce((all, one) => all + one, 0);
  return [...(nobody > 0 ? [[0, nobody] as const] : []), ...recruiters]
    .sort(([a], [b]) => a - b)
    .map(([recruits, surveys]) => ({ recruits, surveys }));
}

function alertsOf(
  died: Awaited<ReturnType<typeof countChains>>['died'],
  quietSites: Awaited<ReturnType<typeof countRecruits>>['quietSites'],
  twice: Awaited<ReturnType<typeof presentedTwice>>['found'],
): Alert[] {
  const nothing = { seed: null, location: null, survey: null, referralCode: null, arrivedAt: null };
  const alerts: Alert[] = [
    ...died.map((chain) => ({
      ...nothing,
      kind: 'SEED_DIED' as const,
      seed: chain._id,
      location: chain.location,
      referralCode: chain.referralCode,
      since: chain.lastEver,
      message: `The chain of seed ${formatCode(chain.referralCode)} has no live coupon left and had no interview for ${QUIET_DAYS} days.`,
    })),
    ...quietSites.map((site) => ({
      ...nothing,
      kind: 'SITE_NOT_RETURNING' as const,
      location: site.site,
      since: site.since,
      message: `Of ${site.due} coupons handed out here ${RETURN_DAYS.from} to ${RETURN_DAYS.to} days ago, not one has come back.`,
    })),
    ...twice.map((survey) => {
      const flag = survey.flags.find((one) => one.code === 'REFERRAL_CODE_USED');
      const code = flag?.referralCode ?? null;
      return {
        ...nothing,
        kind: 'CODE_PRESENTED_TWICE' as const,
        location: survey.location,
        survey: survey._id,
        referralCode: code,
        since: flag?.at ?? survey.createdAt,
        arrivedAt: survey.createdAt,
        message: `The code ${code?.length === 8 ? formatCode(code) : ''} had been redeemed when this interview named it.`,
      };
    }),
  ];
  return alerts.sort((a, b) => b.since.getTime() - a.since.getTime());
}
