/** Why TREE's interval is shown before CHAIN's. Browser-safe. */
export const TREE_REASONS = ['CHAINS_DIFFER', 'LIKENESS_REACHES_FAR'] as const;
export type ReasonForTreeInterval = (typeof TREE_REASONS)[number];
