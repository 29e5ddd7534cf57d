/** The calendar day of an instant in the study's time zone, as forms and filters write it. The UTC day may differ. */

/** A study that names no zone goes by its server's, which no page knows: who runs it is there, so is the device. */
export const dayIn = (at: number | string | Date, zone: string | null | undefined): string =>
  // Sweden writes a day as the service does.
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: zone ?? undefined }).format(new Date(at));
