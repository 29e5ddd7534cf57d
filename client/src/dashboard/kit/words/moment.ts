/** Dates and times in columns, without the year if it is the current one; in files, in a format spreadsheets read. */
import { dateFormatter, formatDateTime } from '../../../texts/i18n.ts';

const thisYearFormat = dateFormatter({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const ISO_FORMAT = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

export function shortMomentOf(at: string, language: string, now = new Date()): string {
  const sameYear = new Date(at).getFullYear() === now.getFullYear();
  return (sameYear ? thisYearFormat : formatDateTime)(at, language);
}

/** 2026-11-22 19:05 */
export const isoMomentOf = (at: string | null): string => (at ? ISO_FORMAT.format(new Date(at)) : '');
