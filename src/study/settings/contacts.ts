/** The study's contact, by language. Browser-safe. */

export interface Contacts {
  contact: string;
  /** By language, instead of `contact`; absent in data that a device cached from an older version. */
  contactTexts?: Record<string, string>;
}

export function contactInLanguage({ contact, contactTexts }: Contacts, language: string): string {
  return contactTexts?.[language]?.trim() || contact;
}
