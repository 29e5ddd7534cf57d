/** The warnings that an estimate can have: see warnings.ts. Browser-safe. */
export const ESTIMATE_WARNING_CODES = [
  'STILL_MOVING',
  'ONE_CHAIN_DOMINATES',
  'SEEDS_DIFFER',
  'FEW_WAVES',
  'SAME_TO_SAME',
  'ABSORBING',
  'GROUPS_RECRUIT_DIFFERENTLY',
  'NOT_PRECISE',
  'MANY_SIZES_MISSING',
  'SIZES_HEAPED',
  'ONE_WEIGHS_MUCH',
  'SIZE_BELOW_RECRUITS',
  'SAMPLE_IS_LARGE_SHARE',
  'POPULATION_MATTERS',
  'STRANGERS',
  'FEW_KNOWN',
] as const;
export type EstimateWarningCode = (typeof ESTIMATE_WARNING_CODES)[number];
