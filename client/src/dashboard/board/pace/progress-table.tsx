/** A dense table of numbers, one row per site or person. On a phone it scrolls sideways under a fixed heading. */
import { type ReactNode, useState } from 'react';
import { Card } from '../../../ui/page.tsx';
import { DeskButton } from '../../kit/buttons/desk-button.tsx';
import { type Column, useResolvedColumns } from '../../kit/list/columns.tsx';
import { useDeskText } from '../../kit/words/desk-text.ts';

interface ProgressTableProps<T> {
  title: string;
  /** What the table says, in words. */
  lead?: ReactNode;
  note: string;
  rows: T[];
  id(row: T): string;
  name(row: T): ReactNode;
  nameHead: string;
  columns: Column<T>[];
  /** Shown at first. */
  few: number;
  children?: ReactNode;
}

export function ProgressTable<T>(props: ProgressTableProps<T>) {
  const { title, lead, note, rows, id, name, nameHead, few, children } = props;
  const columns = useResolvedColumns(props.columns);
  const { t, number } = useDeskText();
  const [all, setAll] = useState(false);
  const visibleRows = all ? rows : rows.slice(0, few);
  return (
    <Card heading={title}>
      {lead}
      <p className="note">{note}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to enter it */}
      <div className="progress-scroll" tabIndex={0}>
        <table className="board-plain progress" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{nameHead}</th>
              {columns.map(({ head }) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visibleRows.map((row) => (
              <tr key={id(row)} data-row={id(row)}>
                <th scope="row">{name(row)}</th>
                {columns.map(({ head, cell }) => (
                  <td key={head}>{cell(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > few ? (
        <DeskButton
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
