/** The columns of a list: their declaration and how they are rendered. */
import type { ReactNode } from 'react';
import { useLocationName } from '../../../session/records.ts';
import { useDeskText, useValueLabels, type ValueLabelSet } from '../words/desk-text.ts';
import { plainMomentOf } from '../words/moment.ts';
import { StateTag } from '../words/state-tag.tsx';

export interface Column<T> {
  /** Of the record. Its name in the dictionary of fields is the heading, and it is shown by its kind or its words. */
  field?: keyof T & string;
  as?: 'site' | 'age' | 'moment' | 'number' | 'percent';
  words?: ValueLabelSet;
  /** The word stands on the colour of its state. */
  tag?: true;
  /** Where the list calls it otherwise than the dictionary. */
  head?: string;
  /** Where it is more than a field. */
  cell?(row: T): ReactNode;
  /** By which the choice of columns knows it, where it can be left out. */
  name?: string;
  /** Shown once it was chosen. */
  extra?: boolean;
  /** What the file has of it: a text of its own where the cell is more than words; null is left out of files. */
  text?: ((row: T) => string | number | null) | null;
  /** The list's `sort` that follows this column, upwards. */
  sort?: string;
  /** Numbers stand on the right. */
  numeric?: boolean;
  /** Names of several words, which should not stand in a column a word wide, or whole sentences. */
  roomy?: boolean | 'sentence';
  /** Times and the like, which read badly in two lines. */
  oneLine?: boolean;
  /** On a phone's card the cell stands without its heading. */
  plain?: boolean;
}

export interface ResolvedColumn<T> extends Omit<Column<T>, 'head' | 'cell'> {
  head: string;
  cell(row: T): ReactNode;
}

type Kind = Partial<Column<unknown>> & {
  show(value: never): ReactNode;
  write?(value: never): string | number | null;
};

/** How fields of each kind are shown and written into files. */
function useKinds(): Record<NonNullable<Column<unknown>['as']>, Kind> {
  const { t, number, percent, age, shortMoment } = useDeskText();
  const siteOf = useLocationName();
  // What has not happened has no time.
  const ifAny = (show: (at: string) => string) => (at: string | null) => (at === null ? '' : show(at));
  return {
    site: { show: (id: string | null) => (id ? siteOf(id) : t('common.noSite')), roomy: true },
    age: { show: ifAny(age), write: plainMomentOf, oneLine: true },
    moment: { show: ifAny(shortMoment), write: plainMomentOf },
    number: {
      show: (value: number | null) => (value === null ? '–' : number(value)),
      write: (value: number | null) => value,
      numeric: true,
    },
    percent: { show: (share: number | null) => (share === null ? '–' : percent(share)), numeric: true },
  };
}

export function useResolvedColumns<T>(columns: readonly Column<T>[]): ResolvedColumn<T>[] {
  const { t } = useDeskText();
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
