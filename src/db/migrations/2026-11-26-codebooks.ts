/** Codebooks lacked choices that are taken from another question's choices; each is made again when it is first needed. */
import type { Migration } from '../migrate.ts';

export const codebooks: Migration = {
  name: '2026-11-26-codebooks',
  run: async ({ db }) => {
    await db.collection('questionnaires').updateMany({}, { $unset: { codebook: '' } });
  },
};
