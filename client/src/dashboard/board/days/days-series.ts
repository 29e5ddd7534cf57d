/** Data for the chart of days: every day from the first to the last, and a series for each site with a color. */
import { useLocationName } from '../../../session/records.ts';
import { usePalette } from '../../kit/charts/palette.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { RecruitmentSummary } from '../board-wire.ts';

export interface DayChartSeries {
  key: string;
  label: string;
  color: string;
  total: number;
}

/** Interviews held on a day, at all sites or in one series. */
export type CountInterviewsOnDay = (day: string, key?: string) => number;

/** One chart for all sites, or one chart per site; any other value is a site's id. */
export const ALL_SITES_OPTION = '';
export const EACH_SITE_OPTION = 'each';

/** Every day from the first to the last: a day without interviews must show as a gap. */
export function allDays(days: string[]): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const all: string[] = [];
  for (
    let at = new Date(`${first}T12:00:00Z`);
    all.at(-1) !== last && all.length < 2_000;
    at.setUTCDate(at.getUTCDate() + 1)
  ) {
    all.push(at.toISOString().slice(0, 10));
  }
  return all;
}

/** The largest sites get their own colors, as many as can be told apart; the others share one. */
export function useSiteSeries(
  byDay: RecruitmentSummary['byDay'],
  selection: string,
): { series: DayChartSeries[]; seriesOf(location: string): string } {
  const { t } = useDashboardText();
  const siteOf = useLocationName();
  const { kinds, other } = usePalette();
  const totals = new Map<string, number>();
  for (const { location, surveys } of byDay) totals.set(location, (totals.get(location) ?? 0) + surveys);
  const sorted = [...totals].sort((a, b) => b[1] - a[1]);
  const own = ownSeries(sorted, selection, kinds.length);
  const [first = other] = kinds;
  const series: DayChartSeries[] = own.map(([key, total], at) => ({
    key,
    total,
    label: siteOf(key),
    color: selection === EACH_SITE_OPTION ? first : (kinds[at] ?? other),
  }));
  const rest = sorted.filter((one) => !own.includes(one));
  if (rest.length > 0) {
    const total = rest.reduce((sum, [, count]) => sum + count, 0);
    series.push({ key: 'other', label: t('board.otherSites', { count: rest.length }), color: other, total });
  }
  const seriesKeys = new Set(own.map(([key]) => key));
  return { series, seriesOf: (location) => (seriesKeys.has(location) ? location : 'other') };
}

type Totals = [location: string, total: number][];

function ownSeries(sorted: Totals, selection: string, colors: number): Totals {
  if (selection === EACH_SITE_OPTION) return sorted;
  return selection === ALL_SITES_OPTION
    ? sorted.slice(0, colors)
    : sorted.filter(([site]) => site === selection);
}
