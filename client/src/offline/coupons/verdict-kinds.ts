/** What the verdict on a coupon code means for the interview. */
import type { CouponVerdictKind } from '../../device/store/store.ts';

/** An interview can start with this code. If the code turns out to be invalid, the interview is flagged but kept. */
export const mayStartWithCoupon = ({ kind }: { kind: CouponVerdictKind }): boolean =>
  kind === 'good' || kind === 'unchecked';

/** The service will flag the interview's code, and the person won't count as recruited with it. */
export const willBeFlagged = (kind: CouponVerdictKind | undefined): boolean =>
  kind !== undefined && kind !== 'malformed' && !mayStartWithCoupon({ kind });
