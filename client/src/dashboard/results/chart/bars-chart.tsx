/** Horizontal bars with labels and values, optionally with an estimate drawn as a point. */
import {
  LABEL_STYLE,
  MAIN_COLOR,
  MUTED_COLOR,
  MUTED_LABEL_STYLE,
  type PlotModule,
} from '../../kit/charts/plot-chart.tsx';
import { plotLineWidthOf, textWidthOf, widestTextWidth } from '../../kit/charts/text-width.ts';
import { Chart, type ChartFrameProps } from './chart.tsx';

interface BarsChartProps extends Omit<ChartFrameProps, 'says'> {
  rows: { key: string; label: string; value: number; says: string; point?: number | null }[];
  /** Value of a full-length bar. Default: the largest value. */
  most?: number;
}

const ROW_HEIGHT = 26;
/** For two-line names. */
const TALL_ROW_HEIGHT = 40;
const BAR_HEIGHT = 14;

export function BarsChart({ rows, most, ...chart }: BarsChartProps) {
  if (rows.length === 0) return null;
  const soft = rows.some(({ point }) => point !== undefined);
  const longest = most ?? (Math.max(...rows.flatMap(({ value, point }) => [value, point ?? 0])) || 1);
  const draw = (P: PlotModule, width: number) => {
    const label = Math.min(widestTextWidth(rows.map((row) => row.label)) + 14, Math.max(160, width / 2));
    const number = widestTextWidth(rows.map(({ says }) => says)) + 18;
    const row = rows.some((one) => textWidthOf(one.label) > label - 14) ? TALL_ROW_HEIGHT : ROW_HEIGHT;
    const inset = (row - BAR_HEIGHT) / 2;
    return P.plot({
      width,
      height: rows.length * row,
      marginLeft: label,
      marginRight: number,
      marginTop: 0,
      marginBottom: 0,
      style: { fontSize: '14px' },
      x: { axis: null, domain: [0, longest], clamp: true },
      y: { axis: null, domain: rows.map(({ key }) => key), padding: 0 },
      marks: [
        P.text(rows, {
          y: 'key',
          text: 'label',
          frameAnchor: 'left',
          textAnchor: 'start',
          dx: -label,
          lineWidth: plotLineWidthOf(label),
          ...MUTED_LABEL_STYLE,
        }),
        P.barX(rows, {
          y: 'key',
          x: 'value',
          insetTop: inset,
          insetBottom: inset,
          rx: 2,
          ...(soft ? { fill: MUTED_COLOR, fillOpacity: 0.35, stroke: MUTED_COLOR } : { fill: MAIN_COLOR }),
        }),
        P.dot(
          rows.filter(({ point }) => typeof point === 'number'),
          { y: 'key', x: 'point', r: 5, fill: MAIN_COLOR },
        ),
        P.text(rows, {
          y: 'key',
          x: ({ value, point }) => Math.max(value, point ?? 0),
          text: 'says',
          textAnchor: 'start',
          dx: 9,
          ...LABEL_STYLE,
        }),
      ],
    });
  };
  return (
    <Chart
      {...chart}
      says={rows.map(({ label, says }) => `${label}: ${says}`).join('; ')}
      minHeight={rows.length * ROW_HEIGHT}
      draw={draw}
    />
  );
}
