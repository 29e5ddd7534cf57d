/** What a verdict about a coupon's code means for the interview. */
import type { VerdictKind } from '../../device/store/store.ts';

/** An interview can start with this code; a fault that shows later is flagged, and the interview kept. */
export const mayStartInterview = ({ kind }: { kind: VerdictKind }): boolean =>
  kind === 'good' || kind === 'unchecked';

/** The service will store the interview with this code and flag it; the code brings nobody to this person. */
export const willBeFlagged = (kind: VerdictKind | undefined): boolean =>
  kind !== undefined && kind !== 'malformed' && !mayStartInterview({ kind });
