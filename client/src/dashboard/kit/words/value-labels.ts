/**
 * Where the texts name the values of fields: lists and filters refer to one of these (`words`), and the history uses
 * all.
 */
export const VALUE_LABELS = [
  'board.chain',
  'checks',
  'coupons.states',
  'people.status',
  'seeds.kinds',
  'sites.types',
] as const;
