/** Points with intervals, in groups, each with its label and value. */
import { Numbers } from './axis.tsx';
import { Chart, type ChartFrame } from './chart.tsx';
import { linesOf, widthOf } from './measure.ts';
import { type Scale, valueScale } from './value-scale.ts';

export interface PointRow {
  key: string;
  label: string;
  /** Null: nothing is drawn, and `says` tells why. */
  value: number | null;
  low?: number | null | undefined;
  high?: number | null | undefined;
  /** What is written behind the point. */
  says: string;
  /** The one to look at first. */
  main?: boolean;
}

export interface PointGroup {
  key: string;
  title: string;
  rows: PointRow[];
}

interface PointsChartProps extends ChartFrame {
  groups: PointGroup[];
  /** Shares begin at nothing; other numbers where they lie. */
  fromZero: boolean;
  tick(value: number): string;
}

const ROW = 28;
const LINE = 18;
const GAP = 14;
const FOOT = 30;
/** Below this width the names of rows stand in less room, and numbers are short. */
const NARROW = 480;

interface Placed {
  top: number;
  titleLines: string[];
  group: PointGroup;
}

export function PointsChart({ groups, fromZero, tick, ...chart }: PointsChartProps) {
  // An axis without a row would have no width.
  if (groups.every((group) => group.rows.length === 0)) return null;
  const place = (width: number) => {
    let top = 0;
    const placed = groups.map((group): Placed => {
      const titleLines = group.title ? linesOf(group.title, width - 8, 2, 650) : [];
      const here = { top, titleLines, group };
      top += titleLines.length * LINE + 4 + group.rows.length * ROW + GAP;
      return here;
    });
    return { placed, bottom: top - GAP + 4 };
  };
  return (
    <Chart
      {...chart}
      height={(width) => place(width).bottom + FOOT}
      draw={(width) => {
        const { placed, bottom } = place(width);
        const rows = groups.flatMap((group) => group.rows);
        const label = Math.min(
          Math.max(...rows.map((row) => widthOf(row.label, 650))) + 14,
          width < NARROW ? 106 : 230,
        );
        const number =
          Math.max(...rows.filter((row) => row.value !== null).map((row) => widthOf(row.says)), 30) + 12;
        const scale = valueScale({
          values: rows.flatMap(({ value, low, high }) => [value, low, high]),
          fromZero,
          range: [label + 8, Math.max(label + 60, width - number - 8)],
        });
        return (
          <>
            <Numbers scale={scale} top={0} bottom={bottom} write={tick} />
            {placed.map(({ group, top, titleLines }) => (
              <g key={group.key}>
                {titleLines.map((line, at) => (
                  <text key={line} x={0} y={top + 14 + at * LINE} className="chart-bold">
                    {line}
                  </text>
                ))}
                {group.rows.map((row, at) => (
                  <Row
                    key={row.key}
                    row={row}
                    y={top + titleLines.length * LINE + 4 + (at + 0.5) * ROW}
                    scale={scale}
                    label={label}
                    width={width}
                  />
                ))}
              </g>
            ))}
          </>
        );
      }}
    />
  );
}

interface RowProps {
  row: PointRow;
  y: number;
  scale: Scale;
  label: number;
  width: number;
}

function Row({ row, y, scale, label, width }: RowProps) {
  const { value, low, high, says, main } = row;
  const look = main ? 'chart-main ' : '';
  const [name = ''] = linesOf(row.label, label, 1, main ? 650 : 400);
  return (
    <g>
      <text x={0} y={y} dominantBaseline="central" className={main ? 'chart-bold' : 'chart-quiet'}>
        {name === row.label ? null : <title>{row.label}</title>}
        {name}
      </text>
      {value === null ? (
        <text x={name ? label + 8 : 0} y={y} dominantBaseline="central" className="chart-quiet">
          {linesOf(says, width - (name ? label + 8 : 0), 1)[0]}
        </text>
      ) : (
        <>
          {typeof low === 'number' && typeof high === 'number' ? (
            <line className={`${look}chart-span`} x1={scale(low)} x2={scale(high)} y1={y} y2={y} />
          ) : null}
          <circle className={`${look}chart-dot`} cx={scale(value)} cy={y} r={main ? 6 : 4.5} />
          <text
            x={width}
            y={y}
            textAnchor="end"
            dominantBaseline="central"
            className={main ? 'chart-bold' : 'chart-quiet'}
          >
            {says}
          </text>
        </>
      )}
    </g>
  );
}
