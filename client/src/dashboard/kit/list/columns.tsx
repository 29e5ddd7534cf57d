/** The columns of a list: their declaration and how they are rendered. */
import type { ReactNode } from 'react';
import { useLocationName } from '../../../session/records.ts';
import { useDashboardText, useValueLabels, type ValueLabelKey } from '../words/dashboard-text.ts';
import { isoMomentOf } from '../words/moment.ts';
import { StateTag } from '../words/state-tag.tsx';

export interface ListColumn<T> {
  /** Field of the record. Its dictionary name is the heading, and `as` or `words` decides how the value is shown. */
  field?: keyof T & string;
  as?: 'site' | 'age' | 'moment' | 'number' | 'percent';
  words?: ValueLabelKey;
  /** Shows the value as a colored state tag. */
  tag?: true;
  /** Heading, if it differs from the dictionary. */
  head?: string;
  /** Custom cell, for more than a field's value. */
  cell?(row: T): ReactNode;
  /** Identifies the column in the column picker. Columns without a name can't be hidden. */
  name?: string;
  /** Hidden until selected in the column picker. */
  extra?: boolean;
  /** Value in the CSV file, if the cell isn't plain text; null leaves the column out of files. */
  text?: ((row: T) => string | number | null) | null;
  /** The list's `sort` value for ascending order by this column. */
  sort?: string;
  /** Right-aligned. */
  numeric?: boolean;
  /** For names of several words, or whole sentences, which need a wide column. */
  roomy?: boolean | 'sentence';
  /** Never wrapped, such as times. */
  oneLine?: boolean;
  /** Without a heading on a phone's card. */
  plain?: boolean;
}

export interface ResolvedColumn<T> extends Omit<ListColumn<T>, 'head' | 'cell'> {
  head: string;
  cell(row: T): ReactNode;
}

type Kind = Partial<ListColumn<unknown>> & {
  show(value: never): ReactNode;
  write?(value: never): string | number | null;
};

/** How each kind of field is shown and written to files. */
function useKinds(): Record<NonNullable<ListColumn<unknown>['as']>, Kind> {
  const { t, number, percent, age, shortMoment } = useDashboardText();
  const siteOf = useLocationName();
  // Nothing is shown for an event that hasn't happened.
  const ifAny = (show: (at: string) => string) => (at: string | null) => (at === null ? '' : show(at));
  return {
    site: { show: (id: string | null) => (id ? siteOf(id) : t('common.noSite')), roomy: true },
    age: { show: ifAny(age), write: isoMomentOf, oneLine: true },
    moment: { show: ifAny(shortMoment), write: isoMomentOf },
    number: {
      show: (value: number | null) => (value === null ? '–' : number(value)),
      write: (value: number | null) => value,
      numeric: true,
    },
    percent: { show: (share: number | null) => (share === null ? '–' : percent(share)), numeric: true },
  };
}

export function useResolvedColumns<T>(columns: readonly ListColumn<T>[]): ResolvedColumn<T>[] {
  const { t } = useDashboardText();
  const wordsOf = useValueLabels();
  const kinds = useKinds();
  return columns.map(({ field, as, words, tag, ...column }) => {
    const valueIn = (row: T) => (field ? row[field] : null) as never;
    const { show, write, ...look }: Partial<Kind> = (as && kinds[as]) ?? {};
    const wordOf = words && ((row: T) => wordsOf(words)[valueIn(row)]);
    const cell = (row: T): ReactNode =>
      words && tag ? (
        <StateTag of={words} state={valueIn(row)} />
      ) : (
        (wordOf?.(row) ?? show?.(valueIn(row)) ?? valueIn(row))
      );
    const text = write ? (row: T) => write(valueIn(row)) : tag ? wordOf : undefined;
    return {
      head: field ? t(`audit.field.${field as 'name'}`) : '',
      cell,
      ...(text ? { text } : {}),
      ...look,
      ...column,
    } as ResolvedColumn<T>;
  });
}
