/** Counts that took long were stored until they were counted anew; figures now come from the study's table in memory. */
import type { Migration } from '../migrate.ts';

export const lastAnswers: Migration = {
  name: '2026-11-25-last-answers',
  run: async ({ db }) => {
    // True also where there is none.
    await db.dropCollection('lastanswers');
  },
};
