/** Stored codebooks took `a or b` for a number. Each is made again when it is needed. */
import type { Migration } from '../migrate.ts';

export const yesNoCodebooks: Migration = {
  name: '2026-11-28-recalculate-codebooks',
  run: async ({ db }) => {
    await db.collection('questionnaires').updateMany({}, { $unset: { codebook: '' } });
  },
};
