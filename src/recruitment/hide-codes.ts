/** The code of a coupon that came back is a claim number, so it is shown only to people who may read codes. */

import { readableCodes } from '../referral-codes/readable.ts';
import type { Actor } from '../rights/actor.ts';
import { withoutCode } from './alerts.ts';
import type { Alert } from './schema.ts';

interface HasCode {
  referralCode: string | null;
}

export async function hideCodes<T extends { alerts: Alert[]; chains?: HasCode[] }>(
  actor: Actor,
  summary: T,
): Promise<T> {
  const { alerts, chains = [] } = summary;
  const codes = [...alerts, ...chains].flatMap(({ referralCode }) => referralCode ?? []);
  if (codes.length === 0) return summary;
  const readable = await readableCodes(actor, codes);
  const isHidden = ({ referralCode }: HasCode) => referralCode !== null && !readable.has(referralCode);
  return {
    ...summary,
    alerts: alerts.map((alert) => (isHidden(alert) ? withoutCode(alert) : alert)),
    ...(summary.chains && {
      chains: chains.map((chain) => (isHidden(chain) ? { ...chain, referralCode: null } : chain)),
    }),
  };
}
