/** Formats shares, numbers, and counts of people. */
import { localeTagOf, numberInLanguage } from '../../../texts/i18n.ts';
import type { SavedTableCell } from '../chart/save-chart.ts';
import { useResultsPageText } from '../results-text.ts';

export type OutcomeKind = 'CATEGORY' | 'NUMBER';
export type TitlesByLanguage = Record<string, string>;

/** In the user's language, else English, else any language. */
export function titleIn(
  titles: TitlesByLanguage | null | undefined,
  language: string,
  fallback = '–',
): string {
  if (!titles) return fallback;
  return titles[language] ?? titles.en ?? titles.default ?? Object.values(titles)[0] ?? fallback;
}

const formats = new Map<string, Intl.NumberFormat>();

function written(value: number, language: string, options: Intl.NumberFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(localeTagOf(language), options);
  formats.set(key, format);
  return format.format(value);
}

/**
 * Whole percentages are precise enough for such samples, but small shares must not show as 0% or large ones as 100%.
 */
export const percentageText = (value: number, language: string): string =>
  written(value, language, {
    style: 'percent',
    maximumFractionDigits: Math.min(value, 1 - value) < 0.1 ? 1 : 0,
  });

const exactShare = (value: number, language: string) =>
  written(value, language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

const decimal = (value: number, language: string) =>
  written(value, language, { maximumSignificantDigits: Math.abs(value) >= 1000 ? 6 : 4 });

/** Three digits: a sample isn't more precise. Numbers from 100 keep one decimal. */
const inSentence = (value: number, language: string) =>
  Math.abs(value) < 100
    ? written(value, language, { maximumSignificantDigits: 3 })
    : decimal(value, language);

/** For tables. */
export const tableFormatterFor = (kind: OutcomeKind) => (kind === 'CATEGORY' ? exactShare : decimal);

/** A third decimal would suggest false precision. */
const ratio = (value: number, language: string) => written(value, language, { maximumFractionDigits: 2 });

/** Formatters for an outcome's figures; `–` if missing. */
export function useFigureFormatters(kind: OutcomeKind) {
  const { language } = useResultsPageText();
  const short = kind === 'CATEGORY' ? percentageText : inSentence;
  const exact = tableFormatterFor(kind);
  const or = (write: typeof percentageText) => (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : write(value, language);
  const writers = {
    /** For sentences. */
    short: or(short),
    exact: or(exact),
    count: or((value) => numberInLanguage(Math.round(value), language)),
    ratio: or(ratio),
  };
  type Writer = keyof typeof writers;
  return {
    ...writers,
    /** For axes. */
    tick: (value: number) => short(value, language),
    /** For tables: exact, except in these columns. `none` replaces missing numbers. */
    cells:
      (columns: Record<number, Writer> = {}, { all = 'exact' as Writer, none = '–' } = {}) =>
      (cell: SavedTableCell, column: number) =>
        typeof cell === 'number' ? writers[columns[column] ?? all](cell) : (cell ?? none),
  };
}
