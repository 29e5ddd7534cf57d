/**
 * Jobs were a library's, with a queue of runs. Runs that wait are found by themselves now; of nightly work only the last day
 * for which it was done is stored.
 */
import type { Migration } from '../migrate.ts';

export const jobsByDay: Migration = {
  name: '2026-11-28-jobs-by-day',
  run: async ({ db }) => {
    // Its indexes go with it.
    await db.dropCollection('jobs').catch((error: { codeName?: string }) => {
      if (error.codeName !== 'NamespaceNotFound') throw error;
    });
  },
};
