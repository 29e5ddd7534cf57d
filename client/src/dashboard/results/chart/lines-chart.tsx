/** Figures by number of interviews, as a line or as dots: one panel for each answer, all on the same scale. */
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

export interface LinesChartPanel {
  key: string;
  title: string;
  /** One line, sorted by x; y is null if there is no figure. */
  points: { x: number; y: number | null }[];
  /** Single figures, each with what a pointer on it shows. */
  dots?: { x: number; y: number; label: string }[];
  /** The figure that dots are compared with, drawn across the panel. */
  whole?: number | null;
  /** An interval, drawn across the panel. */
  band: { low: number; high: number } | null;
}

interface LinesChartProps extends ChartFrameProps {
  panels: LinesChartPanel[];
  fromZero: boolean;
  tickX(value: number): string;
  tickY(value: number): string;
  /** Titles of the axes. */
  axisX: string;
  axisY: string;
}

const TITLE_HEIGHT = 26;
const PANEL_HEIGHT = 178 + AXIS_TITLE_HEIGHT;
const AXIS_WIDTH = 64;
const TWO_COLUMNS_FROM = 440;
const PANEL_GAP = 32;
const TICK_WIDTH = 72;
const SVG = 'http://www.w3.org/2000/svg';

export function LinesChart({ panels, fromZero, tickX, tickY, axisX, axisY, ...chart }: LinesChartProps) {
  const places = panels.flatMap(({ points, dots = [] }) => [...points, ...dots]);
  const bounds = panels.flatMap(({ band, whole }) => [band?.low, band?.high, whole]);
  const rangeX = [0, Math.max(1, ...places.map(({ x }) => x))];
  const rangeY = axisRangeOf([...places.map(({ y }) => y), ...bounds], fromZero);
  const draw = (P: PlotModule, width: number) => {
    const columns = width >= TWO_COLUMNS_FROM && panels.length > 1 ? 2 : 1;
    const wide = (width - PANEL_GAP * (columns - 1)) / columns;
    const height = Math.ceil(panels.length / columns) * PANEL_HEIGHT;
    const whole = document.createElementNS(SVG, 'svg');
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      whole.setAttribute(key, String(value));
    panels.forEach((panel, at) => {
      const one = drawPanel(P, panel, wide);
      one.setAttribute('x', String((at % columns) * (wide + PANEL_GAP)));
      one.setAttribute('y', String(Math.floor(at / columns) * PANEL_HEIGHT));
      whole.append(one);
    });
    return whole;
  };
  const drawPanel = (P: PlotModule, panel: LinesChartPanel, width: number) => {
    const { title, points, dots = [], whole = null, band } = panel;
    const last = points.findLast(({ y }) => y !== null);
    const figure = last?.y ?? whole;
    return P.plot({
      width,
      height: PANEL_HEIGHT - 12,
      marginTop: TITLE_HEIGHT,
      marginLeft: AXIS_WIDTH,
      marginRight: 8,
      marginBottom: 28 + AXIS_TITLE_HEIGHT,
      style: { fontSize: '14px', overflow: 'visible' },
      x: { domain: rangeX },
      y: { domain: rangeY, nice: 2, clamp: true },
      marks: [
        P.gridY({ ...GRID_STYLE, ticks: 3 }),
        P.axisY({
          ...AXIS_STYLE,
          ticks: 3,
          tickFormat: tickY,
          tickSize: 0,
          label: axisY,
          labelOffset: AXIS_WIDTH - 4,
        }),
        P.axisX({
          ...AXIS_STYLE,
          ticks: Math.max(2, Math.min(8, Math.floor((width - AXIS_WIDTH) / TICK_WIDTH))),
          tickFormat: tickX,
          label: axisX,
        }),
        band ? P.rectY([band], { y1: 'low', y2: 'high', fill: MAIN_COLOR, fillOpacity: 0.14 }) : null,
        whole === null
          ? null
          : P.ruleY([whole], { stroke: MAIN_COLOR, strokeWidth: 2, strokeDasharray: '5 4' }),
        P.dot(dots, {
          x: 'x',
          y: 'y',
          title: 'label',
          r: 4.5,
          fill: MUTED_COLOR,
          fillOpacity: 0.35,
          stroke: MUTED_COLOR,
        }),
        P.lineY(
          points.filter(({ y }) => y !== null),
          { x: 'x', y: 'y', stroke: MAIN_COLOR, strokeWidth: 3 },
        ),
        last ? P.dot([last], { x: 'x', y: 'y', r: 4.5, fill: MAIN_COLOR }) : null,
        P.text([title], {
          text: [title],
          title: [title],
          frameAnchor: 'top-left',
          textAnchor: 'start',
          dx: -AXIS_WIDTH,
          dy: -TITLE_HEIGHT + 4,
          fontWeight: 650,
          lineWidth: plotLineWidthOf(width - 70),
          textOverflow: 'ellipsis',
          ...LABEL_STYLE,
        }),
        figure === null
          ? null
          : P.text([tickY(figure)], {
              text: [tickY(figure)],
              frameAnchor: 'top-right',
              textAnchor: 'end',
              dx: 8,
              dy: -TITLE_HEIGHT + 4,
              fontWeight: 650,
              ...LABEL_STYLE,
            }),
      ],
    });
  };
  return <Chart {...chart} minHeight={panels.length * PANEL_HEIGHT} draw={draw} />;
}
