/** Stored codebooks treated `a or b` as a number. They are made again when needed. */
import type { Migration } from '../migrate.ts';

export const recalculateCodebooksMigration: Migration = {
  name: '2026-11-28-recalculate-codebooks',
  run: async ({ db }) => {
    await db.collection('questionnaires').updateMany({}, { $unset: { codebook: '' } });
  },
};
