/** The recruitment board in one answer. All counting is done in the database (interviews.ts, chains.ts, ...). */
import { formatCode } from '../referral-codes/code.ts';
import { study } from '../study/model.ts';
import { countChains } from './chains.ts';
import { countCoupons } from './coupons.ts';
import { countInterviews, presentedTwice } from './interviews.ts';
import { MOST_ALERTS, QUIET_DAYS, RETURN_DAYS } from './limits.ts';
import { countRecruits } from './recruits.ts';
import type { Alert, SummaryQuery } from './schema.ts';
import { windowOf } from './window.ts';

const FRESH_MS = 5_000;

type Summary = Awaited<ReturnType<typeof count>>;
const kept = new Map<string, { until: number; summary: Promise<Summary> }>();

/** Ten open boards cost one: an answer to the same question is kept for five seconds, and asked for once at a time. */
export async function summaryOf(
  query: SummaryQuery,
  now: Date,
  zone: string,
  store: string,
): Promise<Summary> {
  const time = performance.now();
  for (const [key, { until }] of kept) if (until <= time) kept.delete(key);
  const key = JSON.stringify([store, zone, query.location, query.from, query.to]);
  const known = kept.get(key);
  if (known) return await known.summary;
  const summary = count(query, now, zone);
  kept.set(key, { until: time + FRESH_MS, summary });
  summary.catch(() => kept.delete(key));
  return await summary;
}

async function count(query: SummaryQuery, now: Date, zone: string) {
  const window = windowOf(query, zone);
  const [interviews, [coupons, chains], recruits, twice, settings] = await Promise.all([
    countInterviews(window, zone),
    countCoupons(now).then(async (coupons) => [coupons, await countChains(window, now, coupons)] as const),
    countRecruits(window, now),
    presentedTwice(),
    study(),
  ]);
  const { byDay, waves, ...totals } = interviews;
  const { walkIns, died, diedTotal, ...ofChains } = chains;
  const { quietSites, ...ofRecruits } = recruits;
  return {
    asOf: now,
    timeZone: zone,
    totals: { ...totals, walkIns, target: settings.targetSampleSize },
    byDay,
    waves,
    ...ofChains,
    ...ofRecruits,
    coupons: coupons.coupons,
    daysToReturn: coupons.daysToReturn,
    alerts: alertsOf(died, quietSites.slice(0, MOST_ALERTS), twice.found),
    alertsTotal: diedTotal + quietSites.length + twice.total,
  };
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
      location: site._id,
      since: site.since ?? new Date(0),
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
