/** What the board reads. */
import type { z } from 'zod';
import type { Summary as SummarySchema } from '../../../src/recruitment/schema.ts';
import { withQuery } from '../api.ts';

export type Summary = z.infer<typeof SummarySchema>;
export const BOARD_FILTERS = ['location', 'from', 'to'] as const;

export const summaryPath = (filters: Record<(typeof BOARD_FILTERS)[number], string>) =>
  withQuery('/api/recruitment/summary', filters);

export type ChainRow = Summary['chains'][number];
export type AlertRow = Summary['alerts'][number];

/**
 * Coupons that interviews handed out: those still out, and all. The service counts the codes of seeds among them, which
 * are live until someone comes with them, and have come back then.
 */
export function inPeoplesHands({ coupons }: Pick<Summary, 'coupons'>) {
  const { ofSeeds } = coupons;
  const [live, returned] = [coupons.live - ofSeeds.live, coupons.returned - ofSeeds.returned];
  return { live, handedOut: live + returned + coupons.expired };
}
