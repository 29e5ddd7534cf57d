/** What the study pays. */
import type { Study } from '../wire.ts';

export type IncentiveTerms = Study['incentives'] & { currency: string };

const NO_INCENTIVES: Partial<Study['incentives']> = {};

/** Null if nothing is paid. Copies on the device may be older than incentives. */
export function incentiveTermsOf(
  study: Partial<Pick<Study, 'incentives'>> | undefined,
): IncentiveTerms | null {
  const {
    currency = null,
    interview = null,
    recruitLimit = null,
    ...more
  } = study?.incentives ?? NO_INCENTIVES;
  const recruit = recruitLimit === 0 ? null : (more.recruit ?? null);
  if (currency === null || (interview === null && recruit === null)) return null;
  return { currency, interview, recruit, recruitLimit };
}

/** Even if new interviews aren't paid, something may be due for earlier ones. */
export const everPays = (study: Parameters<typeof incentiveTermsOf>[0]): boolean =>
  (study?.incentives?.currency ?? null) !== null;
