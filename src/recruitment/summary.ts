/** The recruitment board in one answer. All counting is done in the database (interviews.ts, chains.ts, ...). */
import type mongoose from 'mongoose';
import { AuditEvents } from '../audit/model.ts';
import { formatCode } from '../referral-codes/code.ts';
import { ReferralCodes } from '../referral-codes/model.ts';
import { Seeds } from '../seeds/model.ts';
import { study } from '../study/model.ts';
import { Surveys } from '../surveys/model.ts';
import { countChains } from './chains.ts';
import { countCoupons, countSeedCodes } from './coupons.ts';
import { countInterviews, presentedTwice } from './interviews.ts';
import { MOST_ALERTS, QUIET_DAYS, RETURN_DAYS } from './limits.ts';
import { countRecruits } from './recruits.ts';
import type { Alert, SummaryQuery } from './schema.ts';
import { type Window, windowOf } from './window.ts';

const FRESH_MS = 5_000;
/** Time alone makes coupons expire and chains die. */
const UNCHANGED_MS = 60_000;

type Counting = ReturnType<typeof count>;
interface Kept extends Counting {
  at: number;
  stamp: string;
}
const kept = new Map<string, Kept>();

export interface Asked {
  query: SummaryQuery;
  now: Date;
  /** The study's time zone. */
  zone: string;
  /** Which database. */
  store: string;
}

/**
 * Ten open boards cost one: an answer to the same question is kept for five seconds, and asked for once at a time.
 * After that it is counted again if anything was written meanwhile, and else within a minute.
 */
export async function summaryOf(asked: Asked): Promise<Awaited<Counting['summary']>> {
  const { summary, unchanged } = await countingFor(asked);
  return unchanged ? { ...(await summary), asOf: asked.now } : await summary;
}

/** What is known first of the same counting: a third of the time. */
export async function totalsOf(asked: Asked): Promise<Awaited<Counting['totals']>> {
  return await (await countingFor(asked)).totals;
}

async function countingFor({ query, now, zone, store }: Asked): Promise<Counting & { unchanged?: true }> {
  const key = JSON.stringify([store, zone, query.location, query.from, query.to]);
  const time = performance.now();
  for (const [other, { at }] of kept) if (time - at > UNCHANGED_MS) kept.delete(other);
  const known = kept.get(key);
  if (known && time - known.at < FRESH_MS) return known;
  // Before the counting: what is written while it goes on makes the next stamp another one.
  const stamp = await stampOf();
  if (known && known.stamp === stamp) return { ...known, unchanged: true };
  const newer = kept.get(key);
  if (newer && newer !== known) return newer;
  const counting = count(query, now, zone);
  kept.set(key, { at: time, stamp, ...counting });
  counting.totals.catch(() => undefined);
  counting.summary.catch(() => kept.delete(key));
  return counting;
}

/** Every change of what is counted adds a record to one of these; their sizes cost nothing to ask for. */
async function stampOf(): Promise<string> {
  const models = [AuditEvents, Surveys, ReferralCodes, Seeds] as { collection: mongoose.Collection }[];
  return (await Promise.all(models.map((one) => one.collection.estimatedDocumentCount()))).join();
}

function count(query: SummaryQuery, now: Date, zone: string) {
  const window = windowOf(query, zone);
  const interviews = countInterviews(window, zone);
  const totals = firstTotals(interviews);
  return { totals, summary: countAll(window, { now, zone }, interviews, totals) };
}

async function firstTotals(counting: ReturnType<typeof countInterviews>) {
  const [{ byDay: _days, waves: _waves, ...totals }, { targetSampleSize }] = await Promise.all([
    counting,
    study(),
  ]);
  return { ...totals, target: targetSampleSize };
}

async function countAll(
  window: Window,
  { now, zone }: { now: Date; zone: string },
  counting: ReturnType<typeof countInterviews>,
  first: ReturnType<typeof firstTotals>,
) {
  // Two large passes at a time: four at once take longer on two cores, and the totals would come last.
  const [{ byDay, waves }, totals, coupons] = await Promise.all([counting, first, countCoupons()]);
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
  const nothing = { seed: null, location: null, survey: null, referralCode: null };
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
        message: `The code ${code?.length === 8 ? formatCode(code) : ''} had been redeemed when this interview named it.`,
      };
    }),
  ];
  return alerts.sort((a, b) => b.since.getTime() - a.since.getTime());
}
