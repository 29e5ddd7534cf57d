/** A report item's figures as rows; null if its sentence has all of them. */

import { languageNameInSentence } from '../../../../../src/platform/lib/languages/language-name.ts';
import { isPlainObject } from '../../../../../src/platform/lib/objects/plain-object.ts';
import type { TableData } from '../chart/save-chart.ts';
import { tableFormatterFor } from '../kit/format-figures.ts';

const CAMEL_CASE = /^[a-z]+([A-Z][a-z0-9]*)+$/;

function cellOf(name: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && /rate$/i.test(name)) return tableFormatterFor('CATEGORY')(value, 'en');
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(4));
  if (typeof value === 'object') return JSON.stringify(value);
  return CAMEL_CASE.test(String(value)) ? wordsOf(String(value)) : String(value);
}

/** `couponsPerSurvey` becomes "Coupons per survey". */
const wordsOf = (name: string): string => {
  if (name === 'walkIns') return 'Walk-ins';
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A text in several languages, keyed by language tag. */
export const isLocalizedText = (value: unknown): value is Record<string, string> =>
  isPlainObject(value) &&
  Object.entries(value).every(
    ([tag, text]) => typeof text === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(tag),
  );

/** A list of records becomes a table; a record of figures, a table with two columns. */
export function tableOfValue(value: unknown): TableData | null {
  if (Array.isArray(value)) {
    const rows = value.filter(isPlainObject);
    if (rows.length === 0) return null;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const cells = rows.map((row) => names.map((name) => cellOf(name, row[name])));
    const head = names.map(wordsOf);
    // Rows whose first cells aren't unique are numbered.
    if (new Set(cells.map(([first]) => first)).size === cells.length) return { head, rows: cells };
    return { head: ['No.', ...head], rows: cells.map((row, at) => [at + 1, ...row]) };
  }
  if (!isPlainObject(value)) return null;
  const labelOf = isLocalizedText(value) ? (tag: string) => languageNameInSentence(tag, 'en') : wordsOf;
  const rows = Object.entries(value).map(([name, one]) => [labelOf(name), cellOf(name, one)]);
  return rows.length > 0 ? { head: ['Figure', 'Value'], rows } : null;
}
