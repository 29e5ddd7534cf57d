/** Downloads a filtered list as a file: all its pages, with the columns that are shown. */
import type { Query } from '../../../session/api.ts';
import { fetchRows } from '../../../session/fetch-rows.ts';
import { DownloadButton } from '../acts/download-button.tsx';
import { saveCsv } from '../data/save-file.ts';
import { useDeskText } from '../words/desk-text.ts';
import { plainMomentOf } from '../words/moment.ts';
import type { ResolvedColumn } from './columns.tsx';

/** More than anyone looks through in a spreadsheet; all interviews are a file of the service's own. */
const MAX_ROWS = 10_000;

interface DownloadListProps<T> {
  /** What the list is of. Its file is `list-of-NAME-DAY.csv`, so that nobody takes it for one of the files for statistics. */
  name: string;
  columns: ResolvedColumn<T>[];
  /** On its button, where that is not for the whole list. */
  label?: string;
  /** What is asked for, page by page, and what is added to each of these; or all rows, where the page has them. */
  from: { path: string; query: Query; complete?(rows: T[]): Promise<T[]> } | { rows: T[] };
}

export function DownloadList<T>({ name, columns, from, label }: DownloadListProps<T>) {
  const { t, counted } = useDeskText();
  const save = async () => {
    const { rows, isAll } =
      'rows' in from
        ? { rows: from.rows, isAll: true }
        : await fetchRows<T>(from.path, from.query, MAX_ROWS, from.complete);
    const day = plainMomentOf(new Date().toISOString()).slice(0, 10);
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
