/** The codebook of an export: one row for each column. */
import type { ExportColumn } from './cells.ts';
import type { CellRow } from './row-text.ts';

export interface CodebookColumn extends ExportColumn {
  /** The versions with this question. */
  questionnaires: string[];
  isNetworkSize: boolean;
  /** Number of people; only for a sample. */
  people?: { answered: number; missing: number; notAsked: number };
}

export function codebookRows(columns: CodebookColumn[], languages: string[]): CellRow[] {
  const hasPeople = columns.some(({ people }) => people);
  const heading = [
    'column',
    'type',
    'network_size',
    'questionnaires',
    ...languages.map((language) => `text_${language}`),
    ...languages.map((language) => `values_${language}`),
    'former_values',
    ...(hasPeople ? ['answered', 'missing', 'not_asked'] : []),
  ];
  const rows = columns.map(({ name, type, isNetworkSize, questionnaires, text, values, former, people }) => [
    name,
    type,
    isNetworkSize ? 1 : null,
    questionnaires.join('; '),
    ...languages.map((language) => text[language]),
    ...languages.map((language) =>
      values.some((one) => one.text[language])
        ? values.map((one) => `${one.value} = ${one.text[language] ?? ''}`).join(' | ')
        : '',
    ),
    (former ?? []).map(([before, later]) => `${before} is written as ${later}`).join(' | '),
    ...(hasPeople ? [people?.answered, people?.missing, people?.notAsked] : []),
  ]);
  return [heading, ...rows];
}
