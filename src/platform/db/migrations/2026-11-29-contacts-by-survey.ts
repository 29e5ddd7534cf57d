/**
 * A contact now has the id of its survey. It used to have an id of its own, and the survey in a field with a unique
 * index.
 */
import type { Migration } from '../migrate.ts';

export const contactsBySurveyMigration: Migration = {
  name: '2026-11-29-contacts-by-survey',
  run: async ({ db }) => {
    const contacts = db.collection('contacts');
    // First, because the unique index would treat contacts without `survey` as duplicates.
    for (const name of ['contact_once', 'consentedAt_1', 'stoppedAt_1'])
      await contacts.dropIndex(name).catch((error: { codeName?: string }) => {
        if (error.codeName !== 'IndexNotFound' && error.codeName !== 'NamespaceNotFound') throw error;
      });
    for await (const { survey, ...contact } of contacts.find({ survey: { $exists: true } })) {
      await contacts.updateOne(
        { _id: survey },
        { $setOnInsert: { ...contact, _id: survey } },
        { upsert: true },
      );
      await contacts.deleteOne({ _id: contact._id });
    }
  },
};
