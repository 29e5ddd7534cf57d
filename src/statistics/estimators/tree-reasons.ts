/** Why the interval of TREE comes before that of CHAIN. Browser-safe. */
export const TREE_REASONS = ['CHAINS_DIFFER', 'LIKENESS_REACHES_FAR'] as const;
export type TreeReason = (typeof TREE_REASONS)[number];
