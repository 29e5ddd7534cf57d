/** A close table of numbers: a row for each site or person, that moves sideways on a phone under a heading that stays. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { numberOf } from '../../i18n.ts';
import { Card } from '../../ui/page.tsx';

export interface Column<T> {
  head: string;
  cell(row: T): ReactNode;
}

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

export function ProgressTable<T>({
  title,
  lead,
  note,
  rows,
  id,
  name,
  nameHead,
  columns,
  few,
  children,
}: ProgressTableProps<T>) {
  const { t, language } = useDeskText();
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, few);
  return (
    <Card label={title}>
      <h2>{title}</h2>
      {lead}
      <p className="bars-note">{note}</p>
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
            {shown.map((row) => (
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
        <Button
          className="board-less"
          variant="default"
          size="md"
          mt="xs"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? t('board.fewer') : t('board.allAlerts', { shown: numberOf(rows.length, language) })}
        </Button>
      ) : null}
      {children}
    </Card>
  );
}
