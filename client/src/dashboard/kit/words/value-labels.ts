/**
 * Keys of the texts that label field values. Lists and filters refer to one of them (`words`); the history uses all.
 */
export const VALUE_LABEL_KEYS = [
  'board.chain',
  'checks',
  'coupons.states',
  'people.status',
  'seeds.kinds',
  'sites.types',
] as const;
