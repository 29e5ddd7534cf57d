/** What needs attention: chains that died, sites whose coupons aren't returned, coupons presented twice. */
import { formatCode } from '../../coupons/referral-codes/code.ts';
import type { InterviewColumnStore } from '../../statistics/study-table/interviews.ts';
import type { summarizeChains } from './chains/chains.ts';
import { COUPON_RETURN_WINDOW, DAYS_UNTIL_CHAIN_DIES, MAX_ALERTS } from './limits.ts';
import type { sitesWithoutReturns } from './recruits.ts';
import type { RecruitmentAlert } from './schema.ts';

interface AlertSources {
  chains: Pick<ReturnType<typeof summarizeChains>, 'died' | 'diedTotal'>;
  sites: ReturnType<typeof sitesWithoutReturns>;
  twice: ReturnType<typeof surveysWithReusedCoupon>;
}

/** The most recent of each kind, newest first. */
export function alertsOf({ chains, sites, twice }: AlertSources): {
  alerts: RecruitmentAlert[];
  alertsTotal: number;
} {
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
  `The chain of ${code ? `seed ${formatCode(code)}` : 'a seed'} has no live coupons and has had no interviews for ${DAYS_UNTIL_CHAIN_DIES} days.`;

const couponMessage = (code: string | null) =>
  `This interview presented ${code?.length === 8 ? `the coupon ${formatCode(code)}, which` : 'a coupon that'} another interview had already used.`;

/** For callers who may not see the code. */
export function alertWithoutCode(alert: RecruitmentAlert): RecruitmentAlert {
  const message = alert.kind === 'SEED_DIED' ? chainMessage(null) : couponMessage(null);
  return { ...alert, referralCode: null, message };
}

const chainAlert = (chain: AlertSources['chains']['died'][number]): RecruitmentAlert => ({
  ...NO_REFERENCES,
  ...chain,
  kind: 'SEED_DIED',
  message: chainMessage(chain.referralCode),
});

const siteAlert = ({ site, since, due }: AlertSources['sites'][number]): RecruitmentAlert => ({
  ...NO_REFERENCES,
  kind: 'SITE_NOT_RETURNING',
  location: site,
  since,
  message: `None of the ${due} coupons handed out here ${COUPON_RETURN_WINDOW.from} to ${COUPON_RETURN_WINDOW.to} days ago have been returned.`,
});

const couponAlert = ({
  referralCode,
  ...interview
}: AlertSources['twice']['interviews'][number]): RecruitmentAlert => ({
  ...NO_REFERENCES,
  ...interview,
  kind: 'CODE_PRESENTED_TWICE',
  referralCode,
  message: couponMessage(referralCode),
});

/** Interviews stored with a coupon that another interview had redeemed, newest first; at one site or all. */
export function surveysWithReusedCoupon(interviews: InterviewColumnStore, site: string | null) {
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
