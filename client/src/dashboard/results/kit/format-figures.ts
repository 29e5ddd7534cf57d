/** Formats shares, numbers and people. */
import { localeTagOf, numberOf } from '../../../texts/i18n.ts';
import type { Cell } from '../chart/save-picture.ts';
import { useResultsText } from '../results-text.ts';

export type OutcomeKind = 'CATEGORY' | 'NUMBER';
export type Titles = Record<string, string>;

/** In the person's language, else in English, else in whatever there is. */
export function titleIn(titles: Titles | null | undefined, language: string, fallback = '–'): string {
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

/** Whole percents are precise enough for such samples, but small shares must not show as 0 %, nor large ones as 100 %. */
export const shareOf = (value: number, language: string): string =>
  written(value, language, {
    style: 'percent',
    maximumFractionDigits: Math.min(value, 1 - value) < 0.1 ? 1 : 0,
  });

const exactShare = (value: number, language: string) =>
  written(value, language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

const decimal = (value: number, language: string) =>
  written(value, language, { maximumSignificantDigits: Math.abs(value) >= 1000 ? 6 : 4 });

/** A fourth digit of a mean is more than such a sample knows; larger ones keep their first decimal. */
const inSentence = (value: number, language: string) =>
  Math.abs(value) < 100
    ? written(value, language, { maximumSignificantDigits: 3 })
    : decimal(value, language);

/** In a table. */
export const exactFormatter = (kind: OutcomeKind) => (kind === 'CATEGORY' ? exactShare : decimal);

/** How many times as much: a third digit would only look as if it were known. */
const ratio = (value: number, language: string) => written(value, language, { maximumFractionDigits: 2 });

/** Ways to write the figures of one outcome; `–` where there is none. */
export function useFigures(kind: OutcomeKind) {
  const { language } = useResultsText();
  const short = kind === 'CATEGORY' ? shareOf : inSentence;
  const exact = exactFormatter(kind);
  const or = (write: typeof shareOf) => (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : write(value, language);
  const writers = {
    /** In a sentence. */
    short: or(short),
    exact: or(exact),
    count: or((value) => numberOf(Math.round(value), language)),
    ratio: or(ratio),
  };
  type Writer = keyof typeof writers;
  return {
    ...writers,
    /** As it stands on an axis. */
    tick: (value: number) => short(value, language),
    /** The cells of a table: exact but in these columns. `none`: in place of a number that is not there. */
    cells:
      (columns: Record<number, Writer> = {}, { all = 'exact' as Writer, none = '–' } = {}) =>
      (cell: Cell, column: number) =>
        typeof cell === 'number' ? writers[columns[column] ?? all](cell) : (cell ?? none),
  };
}
