/** Cumulative counted interviews by day, with target, end date and forecast. */
import { shortDayOf } from '../../../texts/i18n.ts';
import {
  GRID_STYLE,
  LABEL_STYLE,
  MAIN_COLOR,
  MUTED_COLOR,
  MUTED_LABEL_STYLE,
  PlotChart,
  type PlotModule,
} from '../../kit/charts/plot-chart.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { Pace } from '../board-wire.ts';

const HEIGHT = 230;
/** Space per date label. */
const DATE_WIDTH_PX = 88;
const DAY_MS = 86_400_000;
const MIN_AXIS_TOP = 4;

const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS);

/** The sum at the end of each day; the line is level on days without interviews. */
function sumsOf({ byDay, day }: Pace): { at: Date; sum: number }[] {
  let sum = 0;
  const sums = [{ at: dayBefore(byDay[0]?.day ?? day), sum }];
  for (const one of byDay) {
    sums.push({ at: dayBefore(one.day), sum });
    sum += one.surveys;
    sums.push({ at: new Date(one.day), sum });
  }
  return [...sums, { at: new Date(day), sum }].filter(
    ({ at }, index, all) => at >= (all[index - 1]?.at ?? at),
  );
}

export function PaceChart({ pace }: { pace: Pace }) {
  const { t, language, number } = useDashboardText();
  const { forecast, total, today, day, target, endsOn } = pace;
  const now = { at: dayBefore(day), expected: total - today, low: total - today, high: total - today };
  const path = forecast ? [now, ...forecast.path.map((one) => ({ ...one, at: new Date(one.day) }))] : [];
  const draw = (P: PlotModule, width: number) => {
    const max = Math.max(target ?? 0, total, path.at(-1)?.high ?? 0, MIN_AXIS_TOP);
    return P.plot({
      width,
      height: HEIGHT,
      marginTop: 16,
      marginLeft: 20 + 8 * number(Math.round(max)).length,
      marginRight: 12,
      marginBottom: 26,
      style: { fontSize: '12.8px' },
      x: { type: 'utc' },
      y: { domain: [0, max], nice: 4, clamp: true },
      marks: [
        P.gridY({ ...GRID_STYLE, ticks: 4 }),
        P.axisY({
          ticks: 4,
          tickFormat: (value: number) => number(value),
          tickSize: 0,
          label: null,
          color: MUTED_COLOR,
        }),
        P.axisX({
          ticks: Math.max(2, Math.floor(width / DATE_WIDTH_PX)),
          tickFormat: (at: Date) => shortDayOf(at.toISOString(), language),
          tickSize: 4,
          label: null,
          color: MUTED_COLOR,
        }),
        P.areaY(path, { x: 'at', y1: 'low', y2: 'high', fill: MAIN_COLOR, fillOpacity: 0.16 }),
        P.lineY(path, { x: 'at', y: 'expected', stroke: MAIN_COLOR, strokeWidth: 2, strokeDasharray: '5 4' }),
        P.lineY(sumsOf(pace), { x: 'at', y: 'sum', stroke: MAIN_COLOR, strokeWidth: 2.5 }),
        ...(target
          ? [
              P.ruleY([target], { stroke: 'currentColor', strokeWidth: 1.5 }),
              P.text([target], {
                y: target,
                text: [t('pace.targetIs', { target: number(target) })],
                frameAnchor: 'left',
                textAnchor: 'start',
                dx: 4,
                dy: -9,
                ...MUTED_LABEL_STYLE,
              }),
            ]
          : []),
        ...(endsOn
          ? [
              P.ruleX([new Date(endsOn)], {
                stroke: 'currentColor',
                strokeWidth: 1.5,
                strokeDasharray: '2 3',
              }),
              P.text([endsOn], {
                x: [new Date(endsOn)],
                text: [t('pace.endsOn')],
                frameAnchor: 'bottom',
                textAnchor: 'end',
                dx: -4,
                dy: -8,
                ...LABEL_STYLE,
              }),
            ]
          : []),
      ],
    });
  };
  return <PlotChart label={t('pace.picture')} minHeight={HEIGHT} draw={draw} />;
}
