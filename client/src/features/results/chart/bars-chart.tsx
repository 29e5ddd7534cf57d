/** How many of each, one below the other: a bar, its name before and its number behind; an estimate beside it as a point. */
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';
import { Chart } from './chart.tsx';
import { linesOf, widthOf } from './measure.ts';
import type { Cell, TableData } from './save-picture.ts';

interface BarsChartProps {
  name: string;
  says: string;
  rows: { key: string; label: string; value: number; says: string; point?: number | null }[];
  table: TableData;
  write?(cell: Cell, column: number): ReactNode;
  plain?: boolean;
  /** The full length, where it is not the largest of all. */
  most?: number;
}

const ROW = 26;
const BAR = 14;
const LONGEST_NAME = 160;

export function BarsChart({ rows, most, ...chart }: BarsChartProps) {
  return (
    <Chart
      {...chart}
      height={() => rows.length * ROW}
      draw={(width) => {
        const label = Math.min(LONGEST_NAME, Math.max(0, ...rows.map((row) => widthOf(row.label)))) + 14;
        const number = Math.max(0, ...rows.map((row) => widthOf(row.says))) + 10;
        const scale = scaleLinear<number>({
          domain: [0, most ?? (Math.max(...rows.flatMap(({ value, point }) => [value, point ?? 0])) || 1)],
          range: [0, Math.max(20, width - label - number)],
        });
        return rows.map((row, at) => {
          const y = (at + 0.5) * ROW;
          const { point } = row;
          const length = scale(row.value);
          const end = point ? scale(point) + 5 : 0;
          return (
            <g key={row.key}>
              <text x={0} y={y} dominantBaseline="central" className="chart-quiet">
                {linesOf(row.label, LONGEST_NAME, 1)[0]}
              </text>
              <rect
                className={point === undefined ? 'chart-bar' : 'chart-bar chart-soft'}
                x={label}
                y={y - BAR / 2}
                width={length}
                height={BAR}
                rx={2}
              />
              {point === null || point === undefined ? null : (
                <circle className="chart-main chart-dot" cx={label + scale(point)} cy={y} r={5} />
              )}
              <text x={label + Math.max(length, end) + 8} y={y} dominantBaseline="central">
                {row.says}
              </text>
            </g>
          );
        });
      }}
    />
  );
}
