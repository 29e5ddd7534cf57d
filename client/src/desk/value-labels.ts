/** What the values of fields are called: lists and filters name one of these (`words`), and the history knows all. */
export const VALUE_LABELS = [
  'board.chain',
  'checks',
  'coupons.states',
  'people.status',
  'seeds.kinds',
  'sites.types',
] as const;
