/** Downloads a filtered list as a CSV file: all its pages, with the visible columns. */
import type { Query } from '../../../session/api.ts';
import { fetchRows } from '../../../session/fetch-rows.ts';
import { DownloadButton } from '../actions/download-button.tsx';
import { saveCsv } from '../data/save-file.ts';
import { useDashboardText } from '../words/dashboard-text.ts';
import { isoMomentOf } from '../words/moment.ts';
import type { ResolvedColumn } from './columns.tsx';

/** More rows than anyone reads in a spreadsheet. The service exports all interviews itself. */
const MAX_ROWS = 10_000;

interface DownloadListProps<T> {
  /**
   * What the list contains. The file is named `list-of-NAME-DAY.csv`, to tell it apart from the exports for
   * statistics.
   */
  name: string;
  columns: ResolvedColumn<T>[];
  /** Label of the button, if it isn't for the whole list. */
  label?: string;
  /** A path to request page by page, with details added to each page; or the rows themselves. */
  from: { path: string; query: Query; complete?(rows: T[]): Promise<T[]> } | { rows: T[] };
}

export function DownloadListButton<T>({ name, columns, from, label }: DownloadListProps<T>) {
  const { t, counted } = useDashboardText();
  const save = async () => {
    const { rows, isAll } =
      'rows' in from
        ? { rows: from.rows, isAll: true }
        : await fetchRows<T>(from.path, from.query, MAX_ROWS, from.complete);
    const day = isoMomentOf(new Date().toISOString()).slice(0, 10);
    saveCsv(tableOf(columns, rows), `list-of-${name}-${day}.csv`);
    const words = counted(rows.length);
    return isAll ? t('lists.downloaded', words) : { text: t('lists.downloadedFirst', words), bad: true };
  };
  return <DownloadButton label={label} {...(label ? { size: 'sm', h: 44 } : {})} save={save} />;
}

function tableOf<T>(columns: ResolvedColumn<T>[], rows: T[]) {
  const exported = columns.filter(({ text }) => text !== null);
  const cellOf = ({ text, cell }: ResolvedColumn<T>, row: T) => {
    const value = text ? text(row) : cell(row);
    return typeof value === 'string' || typeof value === 'number' ? value : '';
  };
  return [exported.map(({ head }) => head), ...rows.map((row) => exported.map((one) => cellOf(one, row)))];
}
