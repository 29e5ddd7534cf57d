/**
 * The calendar day of an instant in the study's time zone, in the format of forms and filters. The UTC day may
 * differ.
 */

/**
 * A study without a time zone uses its server's, which the page doesn't know. The people who run it are there, so the
 * device's zone is used.
 */
export const dayIn = (at: number | string | Date, zone: string | null | undefined): string =>
  // The Swedish format is the service's: YYYY-MM-DD.
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: zone ?? undefined }).format(new Date(at));
