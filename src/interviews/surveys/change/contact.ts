import type { ClientSession } from 'mongoose';
import type { AuditedFieldChange } from '../../../platform/audit/schema.ts';
import { invalidFieldProblem } from '../../../platform/http/problems/problem.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import {
  type ContactStorageConfig,
  findContactState,
  newContact,
  parseContact,
  replaceContact,
} from '../../contacts/store.ts';
import { eraseContacts, stopQueuedMessages } from '../../messages/end.ts';
import type { SurveyRecord } from '../model.ts';
import type { SurveyPatch } from '../schema.ts';

/** Stores or deletes how the person can be texted. Returns the audit entry, which only says that it changed. */
export async function changeContact(
  session: ClientSession,
  { _id }: SurveyRecord,
  contact: SurveyPatch['contact'],
  { config, now }: { config: ContactStorageConfig; now: Date },
): Promise<AuditedFieldChange[]> {
  if (contact === undefined) return [];
  const isKnown = (await findContactState(_id, session)) !== null;
  if (contact === null) {
    if (!isKnown) return [];
    await eraseContacts(session, [_id]);
    return [{ path: 'contact', before: 'CHANGED', after: null }];
  }
  if ((await loadStudy(session)).contacts === 'OFF') throw invalidFieldProblem('contact', 'CONTACTS_OFF');
  const parsed = parseContact(contact, config);
  if (!parsed) throw invalidFieldProblem('contact.phone', 'PHONE_NOT_SERVED');
  // A queued card was meant for the previous number.
  if (isKnown) await stopQueuedMessages(session, { survey: _id, kind: 'CARD' }, 'NO_CONTACT');
  await replaceContact(session, await newContact(_id, parsed, { contactKey: config.contactKey, now }));
  return [{ path: 'contact', before: null, after: 'CHANGED' }];
}
