/** A chart with one column per day, divided by site. */
import { formatDay, shortDayOf } from '../../../texts/i18n.ts';
import {
  type DrawnChart,
  GRID_STYLE,
  MUTED_COLOR,
  PlotChart,
  type PlotModule,
} from '../../kit/charts/plot-chart.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { CountInterviewsOnDay, DayChartSeries } from './days-series.ts';

const HEIGHT_PX = 200;
const SMALL_HEIGHT_PX = 76;
const DAY_MS = 86_400_000;

interface Counts {
  days: string[];
  series: DayChartSeries[];
  countOf: CountInterviewsOnDay;
}

interface DrawOptions extends Counts {
  height: number;
  /** Maximum of the scale. Default: the highest column. */
  top?: number;
}

/**
 * Draws the columns as one stepped area per site: one shape per day would take longer to draw than the rest of the
 * board.
 */
function useDraw(): (plotting: PlotModule, width: number, options: DrawOptions) => DrawnChart {
  const { language, number } = useDashboardText();
  return (P, width, { days, series, countOf, height, top }) => {
    const start = (day: string) => new Date(day);
    const end = new Date(start(days.at(-1) ?? '').getTime() + DAY_MS);
    // The last column ends where the next day would begin.
    const columns = series.flatMap(({ key }) => {
      const own = days.map((day) => ({ key, at: start(day), count: countOf(day, key) }));
      return [...own, { key, at: end, count: own.at(-1)?.count ?? 0 }];
    });
    const alone = series.length === 1 ? series[0]?.key : undefined;
    const total = (day: string) => countOf(day, alone);
    const max = top ?? Math.max(1, ...days.map(total));
    const dates = axisDates(days, top === undefined ? 4 : 1);
    return P.plot({
      width,
      height,
      marginLeft: top === undefined ? 14 + 8 * number(max).length : 0,
      marginRight: 12,
      marginTop: 8,
      marginBottom: 24,
      style: { fontSize: '12.5px' },
      x: { type: 'utc', domain: [start(days[0] ?? ''), end] },
      y: { domain: [0, max], nice: top === undefined ? 3 : false },
      color: { domain: series.map(({ key }) => key), range: series.map(({ color }) => color) },
      marks: [
        ...(top === undefined
          ? [
              P.gridY({ ...GRID_STYLE, ticks: 3 }),
              P.axisY({
                ticks: 3,
                tickFormat: (value: number) => (Number.isInteger(value) ? number(value) : ''),
                tickSize: 0,
                label: null,
                color: MUTED_COLOR,
              }),
            ]
          : [P.ruleY([0], GRID_STYLE)]),
        P.axisX({
          ticks: dates.map(start),
          tickFormat: (at: Date) => shortDayOf(at.toISOString().slice(0, 10), language),
          textAnchor: days.length > 1 ? 'start' : 'middle',
          tickSize: 4,
          label: null,
          color: MUTED_COLOR,
        }),
        P.areaY(columns, P.stackY({ x: 'at', y: 'count', fill: 'key', curve: 'step-after' })),
        P.tip(
          days,
          P.pointerX({
            x: (day: string) => new Date(start(day).getTime() + DAY_MS / 2),
            y: total,
            title: (day: string) => `${formatDay(day, language)}: ${number(total(day))}`,
            fill: 'var(--card)',
          }),
        ),
      ],
    });
  };
}

/** Evenly spaced, starting with the first day. */
function axisDates(days: string[], gaps: number): string[] {
  const step = Math.max(1, Math.ceil(days.length / gaps));
  return days.filter((_, at) => at % step === 0);
}

/** All sites stacked in one column per day. */
export function StackedDayChart(counts: Counts) {
  const draw = useDraw();
  return (
    <PlotChart minHeight={HEIGHT_PX} draw={(P, width) => draw(P, width, { ...counts, height: HEIGHT_PX })} />
  );
}

/** One chart per site, all with the same scale, so that any number of sites can be compared. */
export function DaysOfEachSite({ days, series, countOf }: Counts) {
  const { t, number } = useDashboardText();
  const draw = useDraw();
  const max = Math.max(1, ...series.flatMap(({ key }) => days.map((day) => countOf(day, key))));
  return (
    <>
      <p className="note">{t('board.eachScale', { most: number(max) })}</p>
      <ul className="days-each">
        {series.map((one) => (
          <li key={one.key} data-site={one.key}>
            <span>
              {one.label} ({number(one.total)})
            </span>
            <PlotChart
              minHeight={SMALL_HEIGHT_PX}
              draw={(P, width) =>
                draw(P, width, { days, series: [one], countOf, height: SMALL_HEIGHT_PX, top: max })
              }
            />
          </li>
        ))}
      </ul>
    </>
  );
}
