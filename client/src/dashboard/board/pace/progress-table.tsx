/** A dense table of numbers, one row per site or person. On a phone it scrolls sideways under a fixed heading. */
import { type ReactNode, useState } from 'react';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { type ListColumn, useResolvedColumns } from '../../kit/list/columns.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { FigureTable } from '../../kit/words/figure-table.tsx';

interface ProgressTableProps<T> {
  title: string;
  /** A summary in words. */
  lead?: ReactNode;
  note: string;
  rows: T[];
  id(row: T): string;
  name(row: T): ReactNode;
  nameHead: string;
  columns: ListColumn<T>[];
  /** Number of rows shown before expanding. */
  few: number;
  children?: ReactNode;
}

export function ProgressTable<T>(props: ProgressTableProps<T>) {
  const { title, lead, note, rows, id, name, nameHead, few, children } = props;
  const columns = useResolvedColumns(props.columns);
  const { t, number } = useDashboardText();
  const [all, setAll] = useState(false);
  const visibleRows = all ? rows : rows.slice(0, few);
  return (
    <Card heading={title}>
      {lead}
      <p className="note">{note}</p>
      <FigureTable
        label={title}
        className="progress"
        head={[nameHead, ...columns.map(({ head }) => head)]}
        rows={visibleRows.map((row) => ({
          key: id(row),
          cells: [name(row), ...columns.map(({ cell }) => cell(row))],
        }))}
      />
      {rows.length > few ? (
        <PlainButton
          label={all ? t('board.fewer') : t('board.allAlerts', { shown: number(rows.length) })}
          className="board-less"
          size="md"
          mt="xs"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        />
      ) : null}
      {children}
    </Card>
  );
}
