/** How figures changed with the number of interviews: one panel each, with the last value at its end. */
import { scaleLinear } from '@visx/scale';
import { Numbers } from './axis.tsx';
import { Chart, type ChartFrame } from './chart.tsx';
import { linesOf } from './measure.ts';
import { valueScale } from './value-scale.ts';

export interface Panel {
  key: string;
  title: string;
  /** By x; null: no figure there. */
  points: { x: number; y: number | null }[];
  /** Drawn across the panel: between these the truth is thought to lie. */
  band: { low: number; high: number } | null;
}

/** Something that changed then, with the sign by which the list below names it. */
export interface DrawnMark {
  x: number;
  sign: string;
}

interface LinesChartProps extends ChartFrame {
  panels: Panel[];
  marks: DrawnMark[];
  fromZero: boolean;
  tickX(value: number): string;
  tickY(value: number): string;
}

const PLOT = 112;
const TITLE = 26;
const FOOT = 28;
const GAP = 12;
const AXIS = 46;
const TWO_FROM = 760;
const BETWEEN = 32;

export function LinesChart({ panels, marks, fromZero, tickX, tickY, ...chart }: LinesChartProps) {
  const columns = (width: number) => (width >= TWO_FROM && panels.length > 1 ? 2 : 1);
  const tall = TITLE + PLOT + FOOT + GAP;
  return (
    <Chart
      {...chart}
      height={(width) => Math.ceil(panels.length / columns(width)) * tall}
      draw={(width) => {
        const count = columns(width);
        const wide = (width - BETWEEN * (count - 1)) / count;
        return panels.map((panel, at) => (
          <g
            key={panel.key}
            transform={`translate(${(at % count) * (wide + BETWEEN)} ${Math.floor(at / count) * tall})`}
          >
            <PanelOf panel={panel} marks={marks} width={wide} {...{ fromZero, tickX, tickY }} />
          </g>
        ));
      }}
    />
  );
}

type PanelProps = Pick<LinesChartProps, 'marks' | 'fromZero' | 'tickX' | 'tickY'> & {
  panel: Panel;
  width: number;
};

function PanelOf({ panel: { title, points, band }, marks, width, fromZero, tickX, tickY }: PanelProps) {
  const drawn = points.filter((point): point is { x: number; y: number } => point.y !== null);
  const last = drawn.at(-1);
  const x = scaleLinear<number>({
    domain: [0, Math.max(1, ...points.map((point) => point.x))],
    range: [AXIS, width - 8],
  });
  const y = valueScale({
    values: [...drawn.map((point) => point.y), band?.low, band?.high],
    fromZero,
    range: [TITLE + PLOT, TITLE],
    nice: 2,
  });
  const [name = ''] = linesOf(title, width - 70, 1, 650);
  return (
    <>
      <text x={0} y={12} className="chart-bold">
        {name === title ? null : <title>{title}</title>}
        {name}
      </text>
      {last ? (
        <text x={width} y={12} textAnchor="end" className="chart-bold">
          {tickY(last.y)}
        </text>
      ) : null}
      {y.ticks(3).map((value) => (
        <g key={value}>
          <line className="chart-grid" x1={AXIS} x2={width} y1={y(value)} y2={y(value)} />
          <text x={AXIS - 8} y={y(value)} className="chart-small" textAnchor="end" dominantBaseline="central">
            {tickY(value)}
          </text>
        </g>
      ))}
      {band ? (
        <rect
          className="chart-band"
          x={AXIS}
          width={Math.max(0, width - AXIS)}
          y={y(band.high)}
          height={Math.max(1, y(band.low) - y(band.high))}
        />
      ) : null}
      <path
        className="chart-line chart-main"
        d={drawn
          .map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`)
          .join('')}
      />
      {last ? <circle className="chart-dot chart-main" cx={x(last.x)} cy={y(last.y)} r={4.5} /> : null}
      {marks.map(({ x: at, sign }) => (
        <g key={sign}>
          <line className="chart-mark" x1={x(at)} x2={x(at)} y1={TITLE} y2={TITLE + PLOT} />
          <text x={x(at) + 3} y={TITLE + 11} className="chart-mark-name">
            {sign}
          </text>
        </g>
      ))}
      <Numbers scale={x} top={TITLE + PLOT} bottom={TITLE + PLOT} write={tickX} />
    </>
  );
}
