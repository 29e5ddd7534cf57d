/** What needs attention: chains that died, sites whose coupons aren't returned, coupons presented twice. */
import { formatCode } from '../../coupons/referral-codes/code.ts';
import type { Interviews } from '../../statistics/study-table/interviews.ts';
import type { countChains } from './chains/chains.ts';
import { MAX_ALERTS, QUIET_DAYS, RETURN_DAYS } from './limits.ts';
import type { quietSites } from './recruits.ts';
import type { Alert } from './schema.ts';

interface AlertSources {
  chains: Pick<ReturnType<typeof countChains>, 'died' | 'diedTotal'>;
  sites: ReturnType<typeof quietSites>;
  twice: ReturnType<typeof couponsPresentedTwice>;
}

/** The most recent of each kind, newest first. */
export function alertsOf({ chains, sites, twice }: AlertSources): { alerts: Alert[]; alertsTotal: number } {
  const alerts = [
    ...chains.died.map(chainAlert),
    ...sites.slice(0, MAX_ALERTS).map(siteAlert),
    ...twice.interviews.map(couponAlert),
  ];
  return {
    alerts: alerts.sort((a, b) => b.since.getTime() - a.since.getTime()),
    alertsTotal: chains.diedTotal + sites.length + twice.total,
  };
}

const NO_REFERENCES = { seed: null, location: null, survey: null, referralCode: null, arrivedAt: null };

const chainMessage = (code: string | null) =>
  `The chain of ${code ? `seed ${formatCode(code)}` : 'a seed'} has no live coupons and has had no interviews for ${QUIET_DAYS} days.`;

const couponMessage = (code: string | null) =>
  `This interview presented ${code?.length === 8 ? `the coupon ${formatCode(code)}, which` : 'a coupon that'} another interview had already used.`;

/** For callers who may not see the code. */
export function alertWithoutCode(alert: Alert): Alert {
  const message = alert.kind === 'SEED_DIED' ? chainMessage(null) : couponMessage(null);
  return { ...alert, referralCode: null, message };
}

const chainAlert = (chain: AlertSources['chains']['died'][number]): Alert => ({
  ...NO_REFERENCES,
  ...chain,
  kind: 'SEED_DIED',
  message: chainMessage(chain.referralCode),
});

const siteAlert = ({ site, since, due }: AlertSources['sites'][number]): Alert => ({
  ...NO_REFERENCES,
  kind: 'SITE_NOT_RETURNING',
  location: site,
  since,
  message: `None of the ${due} coupons handed out here ${RETURN_DAYS.from} to ${RETURN_DAYS.to} days ago have been returned.`,
});

const couponAlert = ({ referralCode, ...interview }: AlertSources['twice']['interviews'][number]): Alert => ({
  ...NO_REFERENCES,
  ...interview,
  kind: 'CODE_PRESENTED_TWICE',
  referralCode,
  message: couponMessage(referralCode),
});

/** Interviews stored with a coupon that another interview had redeemed, newest first; at one site or all. */
export function couponsPresentedTwice(interviews: Interviews, site: string | null) {
  const { ids, createdAt } = interviews;
  const rows = [...interviews.presentedTwice]
    .filter(([row]) => site === null || interviews.site.valueOf(row) === site)
    .sort(([a], [b]) => createdAt[b]! - createdAt[a]! || ids.compare(b, a));
  return {
    total: rows.length,
    interviews: rows.slice(0, MAX_ALERTS).map(([row, { referralCode, at }]) => ({
      survey: ids.hex(row),
      location: interviews.site.valueOf(row),
      referralCode,
      since: at,
      arrivedAt: new Date(createdAt[row]!),
    })),
  };
}
