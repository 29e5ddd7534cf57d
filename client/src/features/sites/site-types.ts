import type { Location } from '../../wire.ts';

export const SITE_TYPES: readonly Location['type'][] = [
  'SHELTER',
  'MEAL_SITE',
  'STREET',
  'CLINIC',
  'OFFICE',
  'OTHER',
];
