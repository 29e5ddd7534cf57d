/** How many of each, one below the other: a bar, its name before and its number behind. */
import { scaleLinear } from '@visx/scale';
import { Chart } from './chart.tsx';
import { linesOf, widthOf } from './measure.ts';
import type { TableData } from './save-picture.ts';

interface BarsChartProps {
  name: string;
  says: string;
  rows: { key: string; label: string; value: number; says: string }[];
  table: TableData;
  plain?: boolean;
}

const ROW = 26;
const BAR = 14;
const LONGEST_NAME = 160;

export function BarsChart({ rows, ...chart }: BarsChartProps) {
  return (
    <Chart
      {...chart}
      height={() => rows.length * ROW}
      draw={(width) => {
        const label = Math.min(LONGEST_NAME, Math.max(0, ...rows.map((row) => widthOf(row.label)))) + 14;
        const number = Math.max(0, ...rows.map((row) => widthOf(row.says))) + 10;
        const scale = scaleLinear<number>({
          domain: [0, Math.max(1, ...rows.map(({ value }) => value))],
          range: [0, Math.max(20, width - label - number)],
        });
        return rows.map((row, at) => {
          const y = (at + 0.5) * ROW;
          const length = scale(row.value);
          return (
            <g key={row.key}>
              <text x={0} y={y} dominantBaseline="central" className="chart-quiet">
                {linesOf(row.label, LONGEST_NAME, 1)[0]}
              </text>
              <rect className="chart-bar" x={label} y={y - BAR / 2} width={length} height={BAR} rx={2} />
              <text x={label + length + 8} y={y} dominantBaseline="central">
                {row.says}
              </text>
            </g>
          );
        });
      }}
    />
  );
}
