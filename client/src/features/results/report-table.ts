/** The figures of one item of the report as rows, whatever they are of; null where the sentence says them all. */
import type { TableData } from './chart/save-picture.ts';

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cellOf = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(4));
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
};

/** `couponsPerSurvey` as words. */
const wordsOf = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A list of records is a table; a record of figures a table of two columns. */
export function tableOf(value: unknown): TableData | null {
  if (Array.isArray(value)) {
    const rows = value.filter(isRow);
    if (rows.length === 0) return null;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return { head: names.map(wordsOf), rows: rows.map((row) => names.map((name) => cellOf(row[name]))) };
  }
  if (!isRow(value)) return null;
  const rows = Object.entries(value).map(([name, one]) => [wordsOf(name), cellOf(one)]);
  return rows.length > 0 ? { head: ['', ''], rows } : null;
}
