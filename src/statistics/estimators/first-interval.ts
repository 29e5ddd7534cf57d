/**
 * Which of two intervals comes first. CHAIN is narrow, and too narrow if chains stay apart or people resemble each other
 * further along the chain than its classes say; then the wide one of TREE is the honest one.
 */
import type { ChainsDiffer } from './chains-differ.ts';
import type { TreeReason } from './tree-reasons.ts';

export interface TreeReasons {
  /** Standard error of CHAIN with classes by answer alone. */
  plainError: number | null;
  /** Standard error by distance (distance.ts). */
  distanceError: number | null;
  chainsDiffer: ChainsDiffer | null;
}

/** So many times the error of CHAIN. */
const MOST_DISTANCE_ERROR = 1.6;
/** How often chains that are alike differ so much, over all levels of an outcome. */
const CHANCE = 0.01;

/** Whether chains differ at one of `levels` levels more than chance explains. */
export const doChainsDiffer = ({ chainsDiffer }: TreeReasons, levels: number): boolean =>
  chainsDiffer !== null && chainsDiffer.chance < CHANCE / levels;

/** Why TREE comes first, by all levels of an outcome; null where CHAIN does. */
export function whyTreeFirst(levels: readonly TreeReasons[]): TreeReason | null {
  if (levels.some((level) => doChainsDiffer(level, levels.length))) return 'CHAINS_DIFFER';
  const isFar = ({ plainError, distanceError }: TreeReasons) =>
    plainError !== null && plainError > 0 && (distanceError ?? 0) > MOST_DISTANCE_ERROR * plainError;
  return levels.some(isFar) ? 'LIKENESS_REACHES_FAR' : null;
}
