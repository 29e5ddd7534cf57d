/** One figure for many parts compared with the whole: a bubble each, sized by the number of people. */
import {
  AXIS_STYLE,
  AXIS_TITLE_HEIGHT,
  GRID_STYLE,
  LABEL_STYLE,
  MAIN_COLOR,
  MUTED_COLOR,
  type PlotModule,
} from '../../kit/charts/plot-chart.tsx';
import { plotLineWidthOf } from '../../kit/charts/text-width.ts';
import { Chart, type ChartFrameProps } from './chart.tsx';
import { axisRangeOf } from './value-scale.ts';

export interface BubbleRow {
  key: string;
  title: string;
  whole: number | null;
  bubbles: { key: string; label: string; value: number; size: number }[];
}

interface BubblesChartProps extends ChartFrameProps {
  rows: BubbleRow[];
  fromZero: boolean;
  tick(value: number): string;
  /** Title of the axis. */
  axis: string;
}

const TITLE_HEIGHT = 18;
const ROW_HEIGHT = 64;
const FOOT_HEIGHT = 30 + AXIS_TITLE_HEIGHT;
const LARGEST_RADIUS = 19;
const TICK_WIDTH = 72;

export function BubblesChart({ rows, fromZero, tick, axis, ...chart }: BubblesChartProps) {
  if (rows.length === 0) return null;
  const bubbles = rows.flatMap(({ key: row, bubbles: own }) => own.map((bubble) => ({ ...bubble, row })));
  const draw = (P: PlotModule, width: number) =>
    P.plot({
      width,
      height: rows.length * ROW_HEIGHT + FOOT_HEIGHT,
      marginLeft: 0,
      marginRight: 0,
      marginTop: 0,
      marginBottom: FOOT_HEIGHT,
      style: { fontSize: '14px' },
      x: {
        domain: axisRangeOf(
          [...rows.map(({ whole }) => whole), ...bubbles.map(({ value }) => value)],
          fromZero,
        ),
        nice: 4,
        clamp: true,
        inset: LARGEST_RADIUS + 2,
        ticks: Math.max(2, Math.min(8, Math.floor(width / TICK_WIDTH))),
      },
      y: { axis: null, domain: rows.map(({ key }) => key), padding: 0 },
      r: { domain: [0, Math.max(1, ...bubbles.map(({ size }) => size))], range: [0, LARGEST_RADIUS] },
      marks: [
        P.gridX(GRID_STYLE),
        P.axisX({ ...AXIS_STYLE, tickFormat: tick, label: axis }),
        P.tickX(
          rows.filter(({ whole }) => whole !== null),
          {
            y: 'key',
            x: 'whole',
            insetTop: TITLE_HEIGHT + 4,
            stroke: MAIN_COLOR,
            strokeWidth: 2,
            strokeDasharray: '5 4',
          },
        ),
        P.text(rows, {
          y: 'key',
          text: 'title',
          frameAnchor: 'left',
          textAnchor: 'start',
          dy: (TITLE_HEIGHT - ROW_HEIGHT) / 2,
          fontWeight: 650,
          lineWidth: plotLineWidthOf(width),
          textOverflow: 'ellipsis',
          ...LABEL_STYLE,
        }),
        P.dot(bubbles, {
          y: 'row',
          x: 'value',
          r: 'size',
          title: 'label',
          dy: TITLE_HEIGHT / 2,
          fill: MUTED_COLOR,
          fillOpacity: 0.35,
          stroke: MUTED_COLOR,
        }),
      ],
    });
  return <Chart {...chart} minHeight={rows.length * ROW_HEIGHT + FOOT_HEIGHT} draw={draw} />;
}
