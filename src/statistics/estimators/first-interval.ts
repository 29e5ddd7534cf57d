/**
 * Which of two intervals comes first. CHAIN's is narrow, and too narrow if chains stay apart or people resemble each
 * other further along the chain than its classes imply; then TREE's wide one is more honest.
 */
import type { ChainDifferenceTest } from './chains-differ.ts';
import type { ReasonForTreeInterval } from './tree-reasons.ts';

export interface TreeReasonEvidence {
  /** Standard error of CHAIN with classes by answer alone. */
  plainError: number | null;
  /** Standard error by distance (distance.ts). */
  distanceError: number | null;
  chainsDiffer: ChainDifferenceTest | null;
}

/** Threshold, as a multiple of CHAIN's standard error. */
const MAX_DISTANCE_ERROR = 1.6;
/** Significance level of the test whether chains differ, over all levels of an outcome. */
const SIGNIFICANCE_LEVEL = 0.01;

/** Whether chains differ significantly at one level, corrected for `levels` levels. */
export const doChainsDiffer = ({ chainsDiffer }: TreeReasonEvidence, levels: number): boolean =>
  chainsDiffer !== null && chainsDiffer.chance < SIGNIFICANCE_LEVEL / levels;

/** Why TREE comes first, considering all levels of an outcome; null if CHAIN does. */
export function reasonToShowTreeInterval(
  levels: readonly TreeReasonEvidence[],
): ReasonForTreeInterval | null {
  if (levels.some((level) => doChainsDiffer(level, levels.length))) return 'CHAINS_DIFFER';
  const isFar = ({ plainError, distanceError }: TreeReasonEvidence) =>
    plainError !== null && plainError > 0 && (distanceError ?? 0) > MAX_DISTANCE_ERROR * plainError;
  return levels.some(isFar) ? 'LIKENESS_REACHES_FAR' : null;
}
