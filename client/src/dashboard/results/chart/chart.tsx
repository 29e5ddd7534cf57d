/**
 * A chart with its title, the same data as a table, and both as files. Text in charts always reads from left to right.
 */
import './chart.css';
import { Group } from '@mantine/core';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Card } from '../../../ui/page.tsx';
import { DeskButton } from '../../kit/buttons/desk-button.tsx';
import { type Drawing, type PlotModule, PlotPicture } from '../../kit/charts/plot-picture.tsx';
import { FigureTable } from '../../kit/words/figure-table.tsx';
import { useResultsText } from '../results-text.ts';
import { type Cell, savePng, saveSvg, saveTable, type TableData } from './save-picture.ts';

/** A table of the page; the file has every row. */
const MAX_ROWS = 120;

/** What every drawing has around it. */
export interface ChartFrame {
  name: string;
  /** What it is about, where the page says it elsewhere: a file needs it. */
  about?: string;
  /** What one sees in it, in a sentence: it is read out in place of the drawing. */
  says: string;
  /** How it is read, for everybody. */
  how?: ReactNode;
  table: TableData;
  /** The cells as they are written on the page. */
  write?(cell: Cell, column: number): ReactNode;
  /** Part of what has its own heading. */
  plain?: boolean;
  children?: ReactNode;
}

interface ChartProps extends ChartFrame {
  minHeight: number;
  draw(plotting: PlotModule, width: number): Drawing;
}

export function Chart({
  plain,
  name,
  about,
  says,
  how,
  minHeight,
  draw,
  table,
  write,
  children,
}: ChartProps) {
  const drawn = useRef<SVGSVGElement>(null);
  const whole = about ? `${about} – ${name}` : name;
  const content = (
    <>
      <PlotPicture label={`${whole}. ${says}`} minHeight={minHeight} draw={draw} drawn={drawn} />
      {children}
      <Behind name={whole} table={table} drawn={drawn} write={write} />
    </>
  );
  if (plain) return content;
  return (
    <Card heading={name}>
      {how ? <p className="note">{how}</p> : null}
      {content}
    </Card>
  );
}

type BehindProps = Pick<ChartProps, 'name' | 'table' | 'write'> & { drawn: RefObject<SVGSVGElement | null> };

function Behind({ name, table, drawn, write }: BehindProps) {
  const { t } = useResultsText();
  const [open, setOpen] = useState(false);
  return (
    <details className="more no-print" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('chart.behind')}</summary>
      {open ? (
        <>
          <Group gap="xs" my="xs">
            <SaveButton
              label={t('chart.svg')}
              about={name}
              onClick={() => drawn.current && saveSvg(drawn.current, name)}
            />
            <SaveButton
              label={t('chart.png')}
              about={name}
              onClick={() => drawn.current && void savePng(drawn.current, name)}
            />
            <SaveButton label={t('chart.csv')} about={name} onClick={() => saveTable(table, name)} />
          </Group>
          <PlainTable label={name} table={table} write={write} />
        </>
      ) : null}
    </details>
  );
}

export function SaveButton({ label, about, onClick }: { label: string; about: string; onClick(): void }) {
  return <DeskButton label={label} recordName={about} onClick={onClick} />;
}

interface PlainTableProps {
  label: string;
  table: TableData;
  write?: ((cell: Cell, column: number) => ReactNode) | undefined;
}

export function PlainTable({ label, table: { head, rows }, write = (cell) => cell ?? '–' }: PlainTableProps) {
  const { t } = useResultsText();
  const step = Math.ceil(rows.length / MAX_ROWS);
  const visibleRows = rows.filter((_, at) => at % step === 0 || at === rows.length - 1);
  return (
    <>
      {step > 1 ? (
        <p className="note">{t('chart.someRows', { shown: visibleRows.length, all: rows.length })}</p>
      ) : null}
      <FigureTable
        label={label}
        head={head}
        rows={visibleRows.map((cells, key) => ({ key, cells: cells.map(write) }))}
      />
    </>
  );
}
