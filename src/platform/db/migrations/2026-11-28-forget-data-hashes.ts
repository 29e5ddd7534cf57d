/**
 * The hash of a run's data was not keyed, so that the answers of a few people could be found by trying. Without one the next
 * night calculates anew.
 */
import type { Migration } from '../migrate.ts';

export const dataHashes: Migration = {
  name: '2026-11-28-forget-data-hashes',
  run: async ({ db }) => {
    const old = { 'result.dataHash': { $gt: '' } };
    await db.collection('analysisruns').updateMany(old, { $set: { 'result.dataHash': '' } });
  },
};
