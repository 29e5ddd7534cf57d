/**
 * Jobs used to be managed by a library, with a queue of runs. Now waiting runs are found directly, and for nightly work
 * only the last day on which it was done is stored.
 */
import type { Migration } from '../migrate.ts';

export const dropJobsMigration: Migration = {
  name: '2026-11-28-jobs-by-day',
  run: async ({ db }) => {
    // Also drops its indexes.
    await db.dropCollection('jobs').catch((error: { codeName?: string }) => {
      if (error.codeName !== 'NamespaceNotFound') throw error;
    });
  },
};
