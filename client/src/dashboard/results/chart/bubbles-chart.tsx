/** One figure for many parts, compared with the whole: a bubble each, larger for more people. */
import { Numbers } from './axis.tsx';
import { Chart, type ChartFrame } from './chart.tsx';
import { linesOf } from './measure.ts';
import { valueScale } from './value-scale.ts';

export interface BubbleRow {
  key: string;
  title: string;
  whole: number | null;
  bubbles: { key: string; label: string; value: number; size: number }[];
}

interface BubblesChartProps extends ChartFrame {
  rows: BubbleRow[];
  fromZero: boolean;
  tick(value: number): string;
}

const LINE = 18;
const ROW = 46;
const FOOT = 30;
const LARGEST = 19;

export function BubblesChart({ rows, fromZero, tick, ...chart }: BubblesChartProps) {
  if (rows.length === 0) return null;
  const height = rows.length * (LINE + ROW);
  return (
    <Chart
      {...chart}
      height={() => height + FOOT}
      draw={(width) => {
        const largest = Math.max(1, ...rows.flatMap(({ bubbles }) => bubbles.map(({ size }) => size)));
        const scale = valueScale({
          values: rows.flatMap(({ whole, bubbles }) => [whole, ...bubbles.map(({ value }) => value)]),
          fromZero,
          range: [LARGEST + 2, width - LARGEST - 2],
        });
        return (
          <>
            <Numbers scale={scale} top={0} bottom={height} write={tick} />
            {rows.map(({ key, title, whole, bubbles }, at) => {
              const top = at * (LINE + ROW);
              return (
                <g key={key}>
                  {whole === null ? null : (
                    <line
                      className="chart-whole"
                      x1={scale(whole)}
                      x2={scale(whole)}
                      y1={top + LINE + 4}
                      y2={top + LINE + ROW}
                    />
                  )}
                  <text x={0} y={top + 14} className="chart-bold">
                    {linesOf(title, width, 1, 650)[0]}
                  </text>
                  {bubbles.map((bubble) => (
                    <circle
                      key={bubble.key}
                      className="chart-bubble"
                      cx={scale(bubble.value)}
                      cy={top + LINE + ROW / 2}
                      r={Math.max(3, LARGEST * Math.sqrt(bubble.size / largest))}
                    >
                      <title>{bubble.label}</title>
                    </circle>
                  ))}
                </g>
              );
            })}
          </>
        );
      }}
    />
  );
}
