/** Interviews by day and site: a chart, and the numbers in a table below it. */
import { useState } from 'react';
import { useLocationName } from '../../../session/records.ts';
import { formatDay } from '../../../texts/i18n.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { Card } from '../../../ui/page.tsx';
import { StudyHistoryLink } from '../../kit/charts/history-link.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { FigureTable } from '../../kit/words/figure-table.tsx';
import type { RecruitmentSummary } from '../board-wire.ts';
import { DaysOfEachSite, StackedDayChart } from './days-charts.tsx';
import {
  ALL_SITES_OPTION,
  allDays,
  type CountInterviewsOnDay,
  type DayChartSeries,
  EACH_SITE_OPTION,
  useSiteSeries,
} from './days-series.ts';

export function InterviewsByDay({ byDay }: Pick<RecruitmentSummary, 'byDay'>) {
  const { t, number } = useDashboardText();
  const [selection, setSelection] = useState(ALL_SITES_OPTION);
  const [open, setOpen] = useState(false);
  const { series, seriesOf } = useSiteSeries(byDay, selection);
  const days = allDays(byDay.map(({ day }) => day));
  const countOf = counterByDay(byDay, seriesOf);
  if (days.length === 0)
    return (
      <Card label={t('board.byDay')}>
        <p className="note">{t('board.nothing')}</p>
      </Card>
    );
  const sites = [...new Set(byDay.map(({ location }) => location))];
  return (
    <Card label={t('board.byDay')}>
      <div className="days-head">
        <p className="note">{t('board.byDayWhat')}</p>
        {sites.length > 2 ? <SitesShown sites={sites} value={selection} onChange={setSelection} /> : null}
      </div>
      {selection === EACH_SITE_OPTION ? (
        <DaysOfEachSite days={days} series={series} countOf={countOf} />
      ) : (
        <>
          <StackedDayChart days={days} series={series} countOf={countOf} />
          <ul className="flow board-key">
            {series.map(({ key, label, color, total }) => (
              <li key={key}>
                <span className="board-dot" style={{ background: color }} />
                {label} ({number(total)})
              </li>
            ))}
          </ul>
          <StudyHistoryLink />
        </>
      )}
      <details className="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('board.asTable')}</summary>
        {open ? <DaysTable days={days} series={series} countOf={countOf} /> : null}
      </details>
    </Card>
  );
}

function counterByDay(
  byDay: RecruitmentSummary['byDay'],
  seriesOf: (location: string) => string,
): CountInterviewsOnDay {
  const counts = new Map<string, number>();
  for (const { day, location, surveys } of byDay) {
    const key = `${day} ${seriesOf(location)}`;
    counts.set(key, (counts.get(key) ?? 0) + surveys);
    counts.set(day, (counts.get(day) ?? 0) + surveys);
  }
  return (day, key) => counts.get(key ? `${day} ${key}` : day) ?? 0;
}

interface SitesShownProps {
  sites: string[];
  value: string;
  onChange(value: string): void;
}

function SitesShown({ sites, value, onChange }: SitesShownProps) {
  const { t, language } = useDashboardText();
  const siteOf = useLocationName();
  const siteOptions = sites
    .map((site) => ({ value: site, label: siteOf(site) }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  return (
    <SelectField
      maw="22rem"
      label={t('board.sitesShown')}
      value={value}
      onChange={onChange}
      options={[
        { value: ALL_SITES_OPTION, label: t('board.allSites') },
        { value: EACH_SITE_OPTION, label: t('board.eachSite') },
        ...siteOptions,
      ]}
    />
  );
}

interface DaysTableProps {
  days: string[];
  series: DayChartSeries[];
  countOf: CountInterviewsOnDay;
}

function DaysTable({ days, series, countOf }: DaysTableProps) {
  const { t, language, number } = useDashboardText();
  return (
    <FigureTable
      label={t('board.byDay')}
      head={[t('board.day'), t('board.all'), ...series.map(({ label }) => label)]}
      rows={days.toReversed().map((day) => ({
        key: day,
        cells: [
          formatDay(day, language),
          number(countOf(day)),
          ...series.map(({ key }) => number(countOf(day, key))),
        ],
      }))}
    />
  );
}
