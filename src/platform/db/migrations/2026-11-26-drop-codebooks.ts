/** Stored codebooks lacked choices that come from another question's choices. They are made again when needed. */
import type { Migration } from '../migrate.ts';

export const dropCodebooksMigration: Migration = {
  name: '2026-11-26-drop-codebooks',
  run: async ({ db }) => {
    await db.collection('questionnaires').updateMany({}, { $unset: { codebook: '' } });
  },
};
