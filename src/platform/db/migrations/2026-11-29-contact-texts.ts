/**
 * `contacts` used to be the study's contact texts by language. Now it says whether respondents may be texted, and
 * `contactTexts` has the texts; the history is renamed too.
 */
import type { Migration } from '../migrate.ts';

export const contactTextsMigration: Migration = {
  name: '2026-11-29-contact-texts',
  run: async ({ db }) => {
    await db
      .collection('studies')
      .updateMany({ contacts: { $type: 'object' } }, [
        { $set: { contactTexts: '$contacts', contacts: 'OFF' } },
      ]);
    await db
      .collection('auditevents')
      .updateMany(
        { subject: 'Study', action: 'update', 'changes.path': 'contacts' },
        { $set: { 'changes.$[one].path': 'contactTexts' } },
        { arrayFilters: [{ 'one.path': 'contacts', 'one.after': { $not: { $type: 'string' } } }] },
      );
  },
};
