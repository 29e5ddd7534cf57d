/** Horizontal bars with labels and values, and an estimate next to each as a point. */
import { scaleLinear } from '@visx/scale';
import { Chart, type ChartFrame } from './chart.tsx';
import { linesOf, widthOf } from './measure.ts';

interface BarsChartProps extends Omit<ChartFrame, 'says'> {
  rows: { key: string; label: string; value: number; says: string; point?: number | null }[];
  /** The full length, where it is not the largest of all. */
  most?: number;
}

const ROW = 26;
const BAR = 14;
const LINE = 17;
const LINES = 2;
/** Names take half of the width at most. */
const longestName = (width: number) => Math.max(160, width / 2);

export function BarsChart({ rows, most, ...chart }: BarsChartProps) {
  if (rows.length === 0) return null;
  const place = (width: number) => {
    let bottom = 0;
    const placed = rows.map((row) => {
      const lines = linesOf(row.label, longestName(width), LINES);
      const top = bottom;
      bottom += ROW + (lines.length - 1) * LINE;
      return { row, lines, y: (top + bottom) / 2 };
    });
    return { placed, bottom };
  };
  return (
    <Chart
      {...chart}
      says={rows.map(({ label, says }) => `${label}: ${says}`).join('; ')}
      height={(width) => place(width).bottom}
      draw={(width) => {
        const { placed } = place(width);
        const label = Math.max(0, ...placed.flatMap(({ lines }) => lines.map((line) => widthOf(line)))) + 14;
        const number = Math.max(0, ...rows.map((row) => widthOf(row.says))) + 10;
        const scale = scaleLinear<number>({
          domain: [0, most ?? (Math.max(...rows.flatMap(({ value, point }) => [value, point ?? 0])) || 1)],
          range: [0, Math.max(20, width - label - number)],
        });
        return placed.map(({ row, lines, y }) => {
          const { point } = row;
          const length = scale(row.value);
          const end = point ? scale(point) + 5 : 0;
          return (
            <g key={row.key}>
              {lines.map((line, at) => (
                <text
                  key={line}
                  x={0}
                  y={y + (at - (lines.length - 1) / 2) * LINE}
                  dominantBaseline="central"
                  className="chart-quiet"
                >
                  {line}
                </text>
              ))}
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
