/** The study's contact, by language. Browser-safe. */

export interface StudyContact {
  contact: string;
  /** By language, instead of `contact`; absent in data that a device cached from an older version. */
  contactTexts?: Record<string, string>;
}

export function studyContactInLanguage({ contact, contactTexts }: StudyContact, language: string): string {
  return contactTexts?.[language]?.trim() || contact;
}
