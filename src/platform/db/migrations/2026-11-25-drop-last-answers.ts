/** Slow counts used to be stored until they were counted again; now figures come from the study table in memory. */
import type { Migration } from '../migrate.ts';

export const lastAnswers: Migration = {
  name: '2026-11-25-last-answers',
  run: async ({ db }) => {
    // True also where there is none.
    await db.dropCollection('lastanswers');
  },
};
