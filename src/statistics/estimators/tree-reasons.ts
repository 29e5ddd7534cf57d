/** Why TREE's interval is shown before CHAIN's. Browser-safe. */
export const REASONS_TO_PREFER_TREE = ['CHAINS_DIFFER', 'LIKENESS_REACHES_FAR'] as const;
export type ReasonForTreeInterval = (typeof REASONS_TO_PREFER_TREE)[number];
