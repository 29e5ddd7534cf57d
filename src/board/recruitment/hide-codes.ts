/** The code of a returned coupon is a claim number, so it is only shown to people who may read codes. */

import { permittedCodes } from '../../coupons/referral-codes/readable.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { alertWithoutCode } from './alerts.ts';
import type { RecruitmentAlert } from './schema.ts';

interface HasCode {
  referralCode: string | null;
}

async function hideIn<T extends HasCode>(actor: Actor, all: T[], hidden: (one: T) => T): Promise<T[]> {
  const readable = await permittedCodes(
    actor,
    all.flatMap(({ referralCode }) => referralCode ?? []),
  );
  return all.map((one) => (one.referralCode === null || readable.has(one.referralCode) ? one : hidden(one)));
}

export const hideChainCodes = <T extends HasCode>(actor: Actor, chains: T[]): Promise<T[]> =>
  hideIn(actor, chains, (chain) => ({ ...chain, referralCode: null }));

/** For the board's summary. */
export async function hideSummaryCodes<T extends { alerts: RecruitmentAlert[]; chains?: HasCode[] }>(
  actor: Actor,
  summary: T,
): Promise<T> {
  return {
    ...summary,
    alerts: await hideIn(actor, summary.alerts, alertWithoutCode),
    ...(summary.chains && { chains: await hideChainCodes(actor, summary.chains) }),
  };
}
