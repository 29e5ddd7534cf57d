/** Parses, stores and shows how a respondent can be texted. The number itself is never shown. */
import type { ClientSession, Types } from 'mongoose';
import type { Config } from '../../platform/config.ts';
import { createBatchedReader, findByIdBatched } from '../../platform/db/batched-reads.ts';
import { keyedHash, sealText } from '../../platform/lib/sealed-text.ts';
import { parseTextablePhone } from '../../platform/lib/text/phone.ts';
import { ContactModel, type ContactRecord, TextedNumberModel, type TextedNumberRecord } from './model.ts';
import { ContactInput } from './schema.ts';

export type ContactStorageConfig = Pick<Config, 'contactKey' | 'defaultRegion' | 'otpCountries'>;

export interface ParsedContact {
  /** E.164. */
  phone: string;
  language: string;
}

export const hashOfPhoneNumber = (contactKey: string, phone: string): string =>
  keyedHash(contactKey, 'phone', phone);

/** Null if it isn't a contact or its number can't be texted. */
export function parseContact(
  input: unknown,
  { defaultRegion: region, otpCountries: countries }: Omit<ContactStorageConfig, 'contactKey'>,
): ParsedContact | null {
  const { data } = ContactInput.safeParse(input);
  const phone = data && parseTextablePhone(data.phone, { region, countries });
  return phone ? { phone, language: data.language } : null;
}

const findNumber = createBatchedReader<string, TextedNumberRecord>({
  collection: () => TextedNumberModel.collection,
  filter: (numbers) => ({ number: { $in: numbers } }),
  keysOfRecord: ({ number }) => [String(number)],
});

/**
 * A number that replied STOP stays stopped. If STOP arrives at the same moment, no text is sent either, because the
 * number's own record is checked when sending.
 */
export async function newContact(
  survey: Types.ObjectId,
  { phone, language }: ParsedContact,
  { contactKey, now }: { contactKey: string; now: Date },
): Promise<ContactRecord> {
  const number = hashOfPhoneNumber(contactKey, phone);
  const stoppedAt = (await findNumber(number))?.stoppedAt ?? null;
  return {
    _id: survey,
    phone: sealText(contactKey, survey.toHexString(), phone),
    ...{ number, language, consentedAt: now },
    ...{ state: stoppedAt ? 'STOPPED' : 'ACTIVE', stoppedAt },
  };
}

/** Replaces the survey's contact, or adds one. */
export async function replaceContact(session: ClientSession, contact: ContactRecord): Promise<void> {
  await ContactModel.collection.replaceOne({ _id: contact._id }, contact, { session, upsert: true });
}

export type ContactSummary = Pick<ContactRecord, 'state' | 'language'>;

export async function findContactState(
  survey: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<ContactSummary | null> {
  const contact = session
    ? await ContactModel.collection.findOne({ _id: survey }, { session })
    : await findByIdBatched<ContactRecord>(ContactModel, survey);
  return contact ? { state: contact.state, language: contact.language } : null;
}
