/** Points with intervals, in groups, each with a label and a value. */
import {
  AXIS_STYLE,
  AXIS_TITLE_HEIGHT,
  GRID_STYLE,
  LABEL_STYLE,
  MAIN_COLOR,
  MUTED_COLOR,
  MUTED_LABEL_STYLE,
  type PlotModule,
} from '../../kit/charts/plot-chart.tsx';
import { plotLineWidthOf, textWidthOf, widestTextWidth } from '../../kit/charts/text-width.ts';
import { Chart, type ChartFrameProps } from './chart.tsx';
import { axisRangeOf } from './value-scale.ts';

export interface PointRow {
  key: string;
  label: string;
  /** If null, no point is drawn, and `says` explains why. */
  value: number | null;
  low?: number | null | undefined;
  high?: number | null | undefined;
  /** Text next to the point. */
  says: string;
  /** Emphasized. */
  main?: boolean;
}

export interface PointGroup {
  key: string;
  title: string;
  rows: PointRow[];
}

interface PointsChartProps extends ChartFrameProps {
  groups: PointGroup[];
  /** Shares start at 0; other numbers use a range around their values. */
  fromZero: boolean;
  tick(value: number): string;
  /** Title of the axis. */
  axis: string;
}

const ROW_HEIGHT = 28;
const FOOT_HEIGHT = 30 + AXIS_TITLE_HEIGHT;
/** Below this width, row labels get less room. */
const NARROW_BELOW_PX = 480;
const TICK_WIDTH = 72;

/** A title wider than the chart takes two lines. */
function placesOf({ groups }: Pick<PointsChartProps, 'groups'>, width: number) {
  const titles = groups.flatMap(({ key, title }) => (title ? [{ place: key, title }] : []));
  const rows = groups.flatMap((group) =>
    group.rows.map((row) => ({ ...row, place: `${group.key} ${row.key}`, main: row.main ?? false })),
  );
  const order = groups.flatMap(({ key, title, rows: own }) => [
    ...(title ? [key] : []),
    ...(title && textWidthOf(title, 650) > width ? [`${key}, second line`] : []),
    ...own.map((row) => `${key} ${row.key}`),
  ]);
  return { titles, rows, order };
}

export function PointsChart({ groups, fromZero, tick, axis, ...chart }: PointsChartProps) {
  // An axis without rows would have no width.
  if (groups.every((group) => group.rows.length === 0)) return null;
  const draw = (P: PlotModule, width: number) => {
    const { titles, rows, order } = placesOf({ groups }, width);
    const label = Math.min(
      widestTextWidth(
        rows.map((row) => row.label),
        650,
      ) + 14,
      width < NARROW_BELOW_PX ? 106 : 230,
    );
    const drawn = rows.filter(({ value }) => value !== null);
    const number = Math.max(
      widestTextWidth(
        drawn.map(({ says }) => says),
        650,
      ) + 12,
      42,
    );
    const plot = Math.max(60, width - label - number);
    const left = { y: 'place', frameAnchor: 'left', textAnchor: 'start', textOverflow: 'ellipsis' } as const;
    const byLook = (main: boolean) => rows.filter((row) => row.main === main);
    return P.plot({
      width,
      height: order.length * ROW_HEIGHT + FOOT_HEIGHT,
      marginLeft: label + 8,
      marginRight: width - plot - label,
      marginTop: 0,
      marginBottom: FOOT_HEIGHT,
      style: { fontSize: '14px' },
      x: {
        domain: axisRangeOf(
          rows.flatMap(({ value, low, high }) => [value, low, high]),
          fromZero,
        ),
        nice: 4,
        clamp: true,
        insetRight: 8,
        ticks: Math.max(2, Math.min(8, Math.floor(plot / TICK_WIDTH))),
      },
      y: { axis: null, domain: order, padding: 0 },
      marks: [
        P.gridX(GRID_STYLE),
        P.axisX({ ...AXIS_STYLE, tickFormat: tick, label: axis }),
        P.text(titles, {
          y: 'place',
          text: 'title',
          title: 'title',
          frameAnchor: 'left',
          textAnchor: 'start',
          lineAnchor: 'top',
          dx: -label - 8,
          dy: -6,
          fontWeight: 650,
          lineWidth: plotLineWidthOf(width),
          ...LABEL_STYLE,
        }),
        ...[false, true].flatMap((main) => [
          P.ruleY(
            byLook(main).filter(({ low, high }) => typeof low === 'number' && typeof high === 'number'),
            {
              y: 'place',
              x1: 'low',
              x2: 'high',
              stroke: main ? MAIN_COLOR : MUTED_COLOR,
              strokeWidth: main ? 3.5 : 2.5,
            },
          ),
          P.dot(
            byLook(main).filter(({ value }) => value !== null),
            {
              y: 'place',
              x: 'value',
              r: main ? 6 : 4.5,
              fill: main ? MAIN_COLOR : 'var(--card)',
              stroke: main ? MAIN_COLOR : MUTED_COLOR,
              strokeWidth: 2,
            },
          ),
          P.text(byLook(main), {
            ...left,
            text: 'label',
            title: 'label',
            dx: -label - 8,
            lineWidth: plotLineWidthOf(label),
            ...(main ? { ...LABEL_STYLE, fontWeight: 650 } : MUTED_LABEL_STYLE),
          }),
          P.text(
            byLook(main).filter(({ value }) => value !== null),
            {
              y: 'place',
              text: 'says',
              frameAnchor: 'right',
              textAnchor: 'end',
              dx: width - plot - label,
              ...(main ? { ...LABEL_STYLE, fontWeight: 650 } : MUTED_LABEL_STYLE),
            },
          ),
        ]),
        P.text(
          rows.filter(({ value }) => value === null),
          {
            ...left,
            text: 'says',
            title: 'says',
            dx: rows.some((row) => row.label) ? 0 : -label - 8,
            lineWidth: plotLineWidthOf(plot + number),
            ...MUTED_LABEL_STYLE,
          },
        ),
      ],
    });
  };
  const all = groups.reduce((sum, { title, rows }) => sum + rows.length + (title ? 1 : 0), 0);
  return <Chart {...chart} minHeight={all * ROW_HEIGHT + FOOT_HEIGHT} draw={draw} />;
}
