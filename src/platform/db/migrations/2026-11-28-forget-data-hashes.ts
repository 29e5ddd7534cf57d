/**
 * The hash of a run's data was not keyed, so with few people their answers could be guessed from it. Without the hash,
 * the next nightly run recalculates.
 */
import type { Migration } from '../migrate.ts';

export const forgetDataHashesMigration: Migration = {
  name: '2026-11-28-forget-data-hashes',
  run: async ({ db }) => {
    const old = { 'result.dataHash': { $gt: '' } };
    await db.collection('analysisruns').updateMany(old, { $set: { 'result.dataHash': '' } });
  },
};
