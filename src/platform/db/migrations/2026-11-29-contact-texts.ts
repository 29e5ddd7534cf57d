/**
 * `contacts` was the study's contact by language. It says now whether respondents may be texted, and `contactTexts` has those
 * texts; changes in the history follow.
 */
import type { Migration } from '../migrate.ts';

export const contactTexts: Migration = {
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
