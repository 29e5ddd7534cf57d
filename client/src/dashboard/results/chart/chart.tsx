/** A chart with its title, the same data as a table, and both as files. Text in charts always reads left to right. */
import './chart.css';
import { Group } from '@mantine/core';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { type DrawnChart, PlotChart, type PlotModule } from '../../kit/charts/plot-chart.tsx';
import { FigureTable } from '../../kit/words/figure-table.tsx';
import { useResultsPageText } from '../results-text.ts';
import { type SavedTableCell, savePng, saveSvg, saveTable, type TableData } from './save-chart.ts';

/** Rows shown on the page; the file has all of them. */
const MAX_ROWS = 120;

/** What surrounds every chart. */
export interface ChartFrameProps {
  name: string;
  /** The subject, if the page states it elsewhere: a saved file needs it. */
  about?: string;
  /** One sentence saying what the chart shows, read by screen readers instead of it. */
  says: string;
  /** How to read the chart, for everyone. */
  how?: ReactNode;
  table: TableData;
  /** Formats the table's cells. */
  write?(cell: SavedTableCell, column: number): ReactNode;
  /** Without its own card, for a chart inside a section with a heading. */
  plain?: boolean;
  children?: ReactNode;
}

interface ChartProps extends ChartFrameProps {
  minHeight: number;
  draw(plotting: PlotModule, width: number): DrawnChart;
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
  const picture = useRef<SVGSVGElement>(null);
  const whole = about ? `${about} – ${name}` : name;
  const content = (
    <>
      <PlotChart label={`${whole}. ${says}`} minHeight={minHeight} draw={draw} onDrawn={picture} />
      {children}
      <TableAndDownloads name={whole} table={table} drawn={picture} write={write} />
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

type TableAndDownloadsProps = Pick<ChartProps, 'name' | 'table' | 'write'> & {
  drawn: RefObject<SVGSVGElement | null>;
};

function TableAndDownloads({ name, table, drawn, write }: TableAndDownloadsProps) {
  const { t } = useResultsPageText();
  const [open, setOpen] = useState(false);
  return (
    <details className="more no-print" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('chart.behind')}</summary>
      {open ? (
        <>
          <Group gap="xs" my="xs">
            <ChartDownloadButton
              label={t('chart.svg')}
              about={name}
              onClick={() => drawn.current && saveSvg(drawn.current, name)}
            />
            <ChartDownloadButton
              label={t('chart.png')}
              about={name}
              onClick={() => drawn.current && void savePng(drawn.current, name)}
            />
            <ChartDownloadButton label={t('chart.csv')} about={name} onClick={() => saveTable(table, name)} />
          </Group>
          <PlainTable label={name} table={table} write={write} />
        </>
      ) : null}
    </details>
  );
}

export function ChartDownloadButton({
  label,
  about,
  onClick,
}: {
  label: string;
  about: string;
  onClick(): void;
}) {
  return <PlainButton label={label} recordName={about} onClick={onClick} />;
}

interface PlainTableProps {
  label: string;
  table: TableData;
  write?: ((cell: SavedTableCell, column: number) => ReactNode) | undefined;
}

export function PlainTable({ label, table: { head, rows }, write = (cell) => cell ?? '–' }: PlainTableProps) {
  const { t } = useResultsPageText();
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
