/** Whom to call. Browser-safe. */

export interface Contacts {
  contact: string;
  /** In place of `contact`, by language; what a device keeps from an earlier version has none. */
  contacts?: Record<string, string>;
}

export function contactIn({ contact, contacts }: Contacts, language: string): string {
  return contacts?.[language]?.trim() || contact;
}
