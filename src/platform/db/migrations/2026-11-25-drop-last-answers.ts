/** Slow counts used to be stored until they were recounted; now they come from the study table in memory. */
import type { Migration } from '../migrate.ts';

export const dropLastAnswersMigration: Migration = {
  name: '2026-11-25-last-answers',
  run: async ({ db }) => {
    // Also succeeds if it doesn't exist.
    await db.dropCollection('lastanswers');
  },
};
