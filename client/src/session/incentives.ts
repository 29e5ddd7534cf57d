/** What the study pays. */
import type { Study } from '../wire.ts';

export type IncentiveTerms = Study['incentives'] & { currency: string };

const NONE: Partial<Study['incentives']> = {};

/** Null where nothing is paid. A copy on the device may be from before there were incentives. */
export function incentiveTermsOf(
  study: Partial<Pick<Study, 'incentives'>> | undefined,
): IncentiveTerms | null {
  const { currency = null, interview = null, recruitLimit = null, ...more } = study?.incentives ?? NONE;
  const recruit = recruitLimit === 0 ? null : (more.recruit ?? null);
  if (currency === null || (interview === null && recruit === null)) return null;
  return { currency, interview, recruit, recruitLimit };
}

/** Also while nothing is paid for new interviews, something may be due for earlier ones. */
export const everPays = (study: Parameters<typeof incentiveTermsOf>[0]): boolean =>
  (study?.incentives?.currency ?? null) !== null;
